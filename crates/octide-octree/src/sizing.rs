//! Adaptive cell sizes (§6): a sizing value S at every cell, and the tree that results from it.
//!
//! S is in 1/m: a cell of size Δx is sufficient where S ≤ 1/Δx. A step uses
//!
//! | file | contents | paper |
//! |---|---|---|
//! | function.rs | S on the surface and at solids under water | eq. (39), §6.6 |
//! | octide_core::sizing::propagate | propagation from there to all cells; v_m = Δx_m³ | eq. (37), §6.2 |
//! | octide_core::sizing::Decay | decay of earlier values, which move with the flow | eq. (36), §6.1 |
//! | subdivide.rs | the tree, with the pseudo cell size | §6.3, eq. (38) and §6.5 |
//! | octide_core::sizing | the scene's bounds on cell sizes, and the camera's view | |
//!
//! The view rule is eq. (15) of Ando, Thürey & Wojtan 2013. The start (§6.4) is in `init.rs`.

mod function;
mod subdivide;

pub use subdivide::{RefinementPoint, SizingInput, pseudo_size, tree_for};

use crate::apertures::Apertures;
use crate::mesh::Mesh;
use crate::nodal::{CornerVelocity, velocity_from};
use crate::params::Params;
use crate::solids::Solids;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;
use octide_core::sizing::{Decay, propagate};

/// Returns S at all cells: eq. (39) at the surface and at solids under water, propagated, and at least the
/// decayed earlier values.
pub fn sizing(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    u: &Field<FaceId, f64>,
    apertures: &Apertures,
    solids: &Solids,
    faded: &Field<CellId, f32>,
    params: &Params,
) -> Field<CellId, f64> {
    if params.sizing.strength <= 0.0 {
        return Field::filled(mesh.n_cells(), 0.0);
    }
    let mut s = function::at_sources(mesh, phi, u, apertures, solids, params);
    propagate(&mesh.tree, &mesh.contacts, &mut s);
    par::update(&mut s, |i, s| *s = s.max(f64::from(faded[CellId(i as u32)])));
    s
}

/// Returns the sizing values `s` on `old` after a decay over `dt`, moved to the cells of `new`: eq. (36),
/// with the value of the cell that the water came from.
pub fn decayed(
    old: &Mesh,
    s: &Field<CellId, f64>,
    corners: &CornerVelocity,
    new: &Mesh,
    dt: f64,
    decay: Decay,
) -> Field<CellId, f32> {
    let origin = |c: CellId| {
        let x = new.tree.center(c);
        let mut near = old.tree.nearest_leaf(x);
        let way = dt * velocity_from(old, corners, &mut near, x);
        old.tree.nearest_leaf_from(near, x - way)
    };
    decay.decayed(s, new.n_cells(), origin, dt)
}

#[cfg(test)]
mod tests;
