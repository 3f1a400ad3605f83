//! Tests of the hierarchy, its cycle and the solver in it.

use super::*;
use crate::testing::*;
use crate::{Norm, NullSpace, Pcg, Report, SolveParams};

mod conjugate;
mod convergence;
mod errors;
mod positive;
mod random;
mod singular;
mod threads;

/// Solves directly only for few unknowns, so that small systems have several levels.
const SMALL: MultigridParams = MultigridParams { twice_from: 2, coarsest: 4 };

/// Returns the cells of [`poisson`], in its order.
pub(super) fn cells_of_cube(m: usize) -> Vec<Cell> {
    let bits = |v: i32| (0..10).fold(0_u64, |code, bit| code | ((v as u64 >> bit & 1) << (3 * bit)));
    let mut cells: Vec<Cell> =
        (0..m * m * m).map(|k| [9, (k / (m * m)) as i32, (k / m % m) as i32, (k % m) as i32]).collect();
    cells.sort_by_key(|c| bits(c[1]) << 2 | bits(c[2]) << 1 | bits(c[3]));
    cells
}

/// Permutes rows and columns: row `k` of the result is row `order[k]` of `a`.
pub(super) fn permuted(a: &Csr, order: &[usize]) -> Csr {
    let mut place = vec![0; order.len()];
    for (k, &row) in order.iter().enumerate() {
        place[row] = k;
    }
    let row = |i: usize| a.row(i).0.iter().zip(a.row(i).1).map(move |(&j, &v)| (i, j as usize, v));
    let entries: Vec<_> = (0..a.n_rows()).flat_map(row).map(|(i, j, v)| (place[i], place[j], v)).collect();
    matrix(a.n_rows(), &entries)
}

/// Returns [`poisson`] with its cells in lexicographic order, and the cells.
pub(super) fn lexicographic(m: usize, dirichlet: bool) -> (Csr, Vec<Cell>) {
    let cells = cells_of_cube(m);
    let mut order: Vec<usize> = (0..cells.len()).collect();
    order.sort_by_key(|&k| cells[k]);
    (permuted(&poisson(m, dirichlet), &order), order.iter().map(|&k| cells[k]).collect())
}

/// Returns the matrix with `map(row, column, value)` for each value.
pub(super) fn mapped(a: &Csr, map: impl Fn(usize, usize, f64) -> f64) -> Csr {
    let row = |i: usize| a.row(i).0.iter().zip(a.row(i).1).map(move |(&j, &v)| (i, j as usize, v));
    let entries: Vec<_> = (0..a.n_rows()).flat_map(row).map(|(i, j, v)| (i, j, map(i, j, v))).collect();
    matrix(a.n_rows(), &entries)
}

/// Returns weights that interpolate between every `step`th unknown along the order of rows.
pub(super) fn interpolation(n: usize, step: usize) -> Prolongation {
    let n_coarse = n.div_ceil(step);
    let (mut offsets, mut columns, mut weights) = (vec![0], vec![], vec![]);
    for i in 0..n {
        let (at, part) = (i / step, (i % step) as f64 / step as f64);
        columns.push(at as u32);
        weights.push(if at + 1 < n_coarse { 1.0 - part } else { 1.0 });
        if at + 1 < n_coarse && part > 0.0 {
            columns.push(at as u32 + 1);
            weights.push(part);
        }
        offsets.push(columns.len() as u32);
    }
    Prolongation::from_parts(n_coarse, offsets, columns, weights).unwrap()
}

/// Returns the matrix of nested clusters of `size` each, `depth` levels deep, coupled with 1 within the
/// smallest, and `ratio` times as strongly within each larger one; and the clusters as groups. Every row is
/// coupled to zero by `tie`.
fn clusters(size: usize, depth: u32, ratio: f64, tie: f64) -> (Csr, Vec<Vec<u32>>) {
    let n = size.pow(depth);
    let (mut edges, mut groups) = (vec![], vec![]);
    for level in 0..depth {
        let step = size.pow(level);
        for first in (0..n).step_by(size * step) {
            for i in 0..size {
                edges.extend((0..i).map(|j| (first + i * step, first + j * step, ratio.powi(level as i32))));
            }
        }
        groups.push((0..(n / step) as u32).map(|i| i / size as u32).collect());
    }
    (laplacian(n, &edges, &vec![tie; n]), groups)
}

/// Solves from zero, with the cycle as preconditioner and inside the hierarchy.
fn solve_both(
    a: &Csr,
    multigrid: &mut Multigrid,
    b: &[f64],
    goal: f64,
    null_space: Option<&NullSpace>,
) -> [Result<(Vec<f64>, Report), SolveError>; 2] {
    let params = SolveParams { max_iterations: 300, ..tolerance(goal) };
    let mut x = vec![0.0; b.len()];
    let around = Pcg::new(params).solve(a, multigrid, b, &mut x, null_space);
    let mut y = vec![0.0; b.len()];
    let within = MultigridPcg::new(params).solve(a, multigrid, b, &mut y, null_space);
    [around.map(|report| (x, report)), within.map(|report| (y, report))]
}
