//! The activity criterion, which determines where particles are needed (Sato et al. 2018): where velocity or
//! surface vary more within a cell or two than the grid preserves.
//!
//! With G a Gaussian of one cell's width, q = u − G*u, c = φ − G*φ,
//!
//! ```text
//! γ = max( 5 min(1, |q|/U) − 0.2,  5 |c|/Δx − 1.5 ),   limited to [0, 1],
//! ```
//!
//! in the layer of cells below the surface. From there it spreads inward in four iterations: γ becomes a
//! quarter of itself plus three quarters of the mean of the larger values around. On particles γ decreases at
//! a constant rate.
//!
//! Differs from the paper: to leading order u − G*u = −½ Δx² ∇²u, which is three times the difference to the
//! mean of the six neighbors, and this approximation is used. U, 1 m/s there, is a fraction of the scene's
//! speed.

use super::renew::ACTIVE_BAND;
use crate::mesh::Mesh;
use crate::nodal::cell_velocity;
use crate::params::{Params, Seeding};
use glam::DVec3;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;

/// U over the scene's reference speed, which is 2.2 m/s for a domain that is half a meter high.
const SPEED: f64 = 0.45;

/// A and T of the velocity term and of the surface term.
const VELOCITY: (f64, f64) = (5.0, 0.2);
const SURFACE: (f64, f64) = (5.0, 1.5);

/// Number of cells by which activity spreads inward.
const SPREAD: usize = 4;

/// A particle's activity decays to zero in this fraction of the time of a fall through the domain.
pub const ACTIVITY_LIFETIME: f64 = 0.25;

/// Returns γ in the band of finest cells below the surface, zero elsewhere; empty unless particles are seeded
/// where needed.
pub fn particle_activity(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    u: &Field<FaceId, f64>,
    params: &Params,
) -> Field<CellId, f32> {
    if params.particles != Seeding::WhereNeeded {
        return Field::default();
    }
    let (finest, dx) = (mesh.tree.grid().max_level(), mesh.tree.grid().dx());
    let band = par::collect(mesh.n_cells(), |i, out| {
        let c = CellId(i as u32);
        if phi[c] < 0.0 && phi[c] > -ACTIVE_BAND * dx && mesh.tree.level(c) == finest {
            out.push(c);
        }
    });
    let mut activity = Field::filled(mesh.n_cells(), 0.0f32);
    let scale = 1.0 / (SPEED * params.reference_speed);
    let source = par::map_index(band.len(), |i| {
        let c = band[i];
        if phi[c] > -1.5 * dx { source(mesh, phi, u, scale, c) } else { 0.0 }
    });
    set(&mut activity, &band, &source);
    for _ in 0..SPREAD {
        let next = par::map_index(band.len(), |i| {
            let own = activity[band[i]];
            let around = mesh.contacts.face_neighbors(band[i]).iter().map(|&j| activity[CellId(j)]);
            let (sum, n) = around.filter(|&h| h > own).fold((0.0, 0.0f32), |(sum, n), h| (sum + h, n + 1.0));
            if n > 0.0 { 0.25 * own + 0.75 * sum / n } else { own }
        });
        set(&mut activity, &band, &next);
    }
    activity
}

fn set(activity: &mut Field<CellId, f32>, cells: &[CellId], values: &[f32]) {
    for (&c, &value) in cells.iter().zip(values) {
        activity[c] = value;
    }
}

fn source(mesh: &Mesh, phi: &Field<CellId, f64>, u: &Field<FaceId, f64>, scale: f64, cell: CellId) -> f32 {
    let node = mesh.tree.node_of(cell);
    let (v, level) = (cell_velocity(mesh, u, cell), mesh.tree.node_level(node));
    let (mut flow, mut bend) = (DVec3::ZERO, 0.0);
    for axis in 0..3 {
        // The change of φ to either side; beyond a wall φ is extended linearly.
        let mut slope = [None; 2];
        for side in 0..2 {
            let next = mesh.tree.neighbor(node, 2 * axis + side);
            if next.is_none() {
                // The wall between the cell and its mirror image has zero velocity.
                flow[axis] += 2.0 * v[axis];
            } else if mesh.tree.is_leaf(next) && mesh.tree.node_level(next) == level {
                let c = mesh.tree.leaf_of(next);
                flow += v - cell_velocity(mesh, u, c);
                slope[side] = Some(phi[cell] - phi[c]);
            }
            // Where there is no neighbor of this size, its value is taken to be the same.
        }
        if let [Some(low), Some(high)] = slope {
            bend += low + high;
        }
    }
    let flow = 0.5 * flow.length() * scale;
    let bend = 0.5 * bend.abs() / mesh.tree.size(cell);
    let asked = (VELOCITY.0 * flow.min(1.0) - VELOCITY.1).max(SURFACE.0 * bend - SURFACE.1);
    asked.clamp(0.0, 1.0) as f32
}
