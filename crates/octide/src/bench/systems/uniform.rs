//! A tank of N × N × N equal cells whose lower half is liquid.
//!
//! ```text
//! Σ_q (p_c − p_q) + [c on top] p_c / θ = Σ_low u* − Σ_high u*
//! ```
//!
//! q are the liquid neighbors of cell c; walls let nothing through. θ, the height of the surface above the
//! top cells' centers in cells, is random between 0.01 and 1. Rows run along x first and along z last; z
//! points up.

use super::{System, face_key, noise, velocity};
use glam::DVec3;
use octide_core::par;
use octide_solve::{Csr, MatrixError};

const VELOCITY_SEED: u64 = 1;
const SURFACE_SEED: u64 = 2;

/// The system of `n` cells along each side of the tank.
pub fn uniform(n: u32) -> Result<System, MatrixError> {
    let name = format!("uni{n}");
    let level = if n.is_power_of_two() { n.ilog2() as i32 } else { -i32::try_from(n).unwrap_or(i32::MAX) };
    let n = n as usize;
    let height = n / 2;
    let n_rows = n.saturating_mul(n).saturating_mul(height);
    let most_entries = n_rows.saturating_mul(7);
    if most_entries > u32::MAX as usize {
        return Err(MatrixError::TooLarge(most_entries));
    }
    let cells = par::map_index(n_rows, |row| {
        let [i, j, k] = [row % n, row / n % n, row / (n * n)].map(|c| c as i32);
        [level, i, j, k]
    });
    let rhs = par::map_index(n_rows, |row| net_inflow(n, cells[row]));
    Ok(System { name, matrix: matrix(n, height)?, rhs, cells })
}

fn matrix(n: usize, height: usize) -> Result<Csr, MatrixError> {
    let n_rows = n * n * height;
    let mut offsets = Vec::with_capacity(n_rows + 1);
    let (mut columns, mut values) = (Vec::with_capacity(7 * n_rows), Vec::with_capacity(7 * n_rows));
    offsets.push(0);
    for row in 0..n_rows {
        let (i, j, k) = (row % n, row / n % n, row / (n * n));
        let strides = [n * n, n, 1];
        let below = [k > 0, j > 0, i > 0];
        let above = [i + 1 < n, j + 1 < n, k + 1 < height];
        let n_links = below.iter().chain(&above).filter(|&&there| there).count();
        let surface = if k + 1 == height { 1.0 / theta(row % (n * n)) } else { 0.0 };
        let mut push = |column: usize, value: f64| {
            columns.push(column as u32);
            values.push(value);
        };
        for (stride, _) in strides.iter().zip(below).filter(|(_, there)| *there) {
            push(row - stride, -1.0);
        }
        push(row, n_links as f64 + surface);
        for (stride, _) in strides.iter().rev().zip(above).filter(|(_, there)| *there) {
            push(row + stride, -1.0);
        }
        offsets.push(columns.len() as u32);
    }
    Csr::from_parts(n_rows, offsets, columns, values)
}

/// θ above a column of cells.
fn theta(column: usize) -> f64 {
    0.01 + 0.99 * noise::uniform(SURFACE_SEED, column as u64)
}

/// What u* brings into a cell through all sides that are no walls, the surface included.
fn net_inflow(n: usize, [_, i, j, k]: [i32; 4]) -> f64 {
    let h = 1.0 / n as f64;
    let center = (DVec3::new(i.into(), j.into(), k.into()) + 0.5) * h;
    let mut sum = 0.0;
    for axis in 0..3 {
        for side in [0, 1] {
            let mut place = [i, j, k];
            place[axis] += side;
            if place[axis] == 0 || place[axis] == n as i32 {
                continue;
            }
            let mut x = center;
            x[axis] += h * (f64::from(side) - 0.5);
            let u = velocity(x, axis, VELOCITY_SEED, face_key(axis, place));
            sum += if side == 0 { u } else { -u };
        }
    }
    sum
}

#[cfg(test)]
mod tests;
