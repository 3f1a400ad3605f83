//! Correction of φ by particles.
//!
//! A particle stores a ball of water around it, whose radius is its distance to the surface, d_p < 0, as the
//! grid had it. Where advection has removed more than half of the ball's radius, the water was thinner than
//! the grid can resolve. The ball is restored, as in the particle level set method (Enright et al. 2002):
//!
//! ```text
//! φ_c = min(φ_c, |x_c − x_p| + d_p)
//! ```

use super::Particles;
use super::block::{Block, MIDDLE, offset, value_and_gradient, values};
use crate::interpolate::sample_cells_in;
use crate::mesh::Mesh;
use octide_core::index::{CellId, Field};
use octide_core::par;

/// A ball is restored if the grid leaves less than this fraction of its radius.
const LEFT: f32 = 0.5;

/// The smallest and largest radius of a ball, in finest cells.
const RADII: (f32, f32) = (0.1, 0.75);

/// Corrects φ by the balls that the grid has lost.
pub fn correct(mesh: &Mesh, phi: Field<CellId, f64>, particles: &Particles) -> Field<CellId, f64> {
    if particles.is_empty() {
        return phi;
    }
    let dx = mesh.tree.grid().dx();
    let here = sampled(mesh, &phi, particles);
    let lost = |i: usize| {
        let p = &particles.list[i];
        !p.is_spray() && here[i] > LEFT * p.phi.max(-RADII.1 * dx as f32)
    };
    let balls = par::collect(mesh.n_cells(), |i, out: &mut Vec<(CellId, f64)>| {
        let cell = CellId(i as u32);
        if !particles.bins.of_cell(cell).any(lost) {
            return;
        }
        let block = Block::around(mesh, cell);
        for (j, &c) in block.cells().iter().enumerate() {
            if c.is_none() || (c == cell && j != MIDDLE) {
                continue;
            }
            let x = mesh.tree.center(c);
            let least = particles.bins.of_cell(cell).filter(|&k| lost(k)).map(|k| {
                let p = &particles.list[k];
                (x - p.x(mesh)).length() + f64::from(p.phi).max(-f64::from(RADII.1) * dx)
            });
            out.push((c, least.fold(f64::INFINITY, f64::min)));
        }
    });
    let mut phi = phi;
    for (c, ball) in balls {
        phi[c] = phi[c].min(ball);
    }
    phi
}

/// Sets the balls of the particles from φ at the end of a step. Particles outside the grid's liquid keep
/// theirs.
pub fn refresh(mesh: &Mesh, phi: &Field<CellId, f64>, particles: &mut Particles) {
    let least = RADII.0 * mesh.tree.grid().dx() as f32;
    let here = sampled(mesh, phi, particles);
    par::update(&mut particles.list, |i, p| {
        if here[i] < 0.0 && !p.is_spray() {
            p.phi = here[i].min(-least);
        }
    });
}

/// Returns φ at each particle.
pub fn sampled(mesh: &Mesh, phi: &Field<CellId, f64>, particles: &Particles) -> Vec<f32> {
    par::collect(mesh.n_cells(), |i, out| {
        let cell = CellId(i as u32);
        let list = particles.of_cell(cell);
        if list.is_empty() {
            return;
        }
        let block = Block::around(mesh, cell);
        if block.is_whole() {
            let around = values(&block, phi);
            out.extend(
                list.iter().map(|p| value_and_gradient(&around, offset(mesh, cell, p.x(mesh))).0 as f32),
            );
        } else {
            out.extend(list.iter().map(|p| sample_cells_in(mesh, phi, cell, p.x(mesh)) as f32));
        }
    })
}
