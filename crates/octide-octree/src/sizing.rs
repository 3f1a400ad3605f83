//! Where cells are small (§6): a sizing value S at every cell, and the tree it asks for.
//!
//! S is in 1/m: a cell of size Δx will do where S ≤ 1/Δx. A step goes through
//!
//! | file | what | paper |
//! |---|---|---|
//! | function.rs | S on the surface and at solids under water | eq. (39), §6.6 |
//! | octide_core::sizing::propagate | from there to all cells; v_m = Δx_m³ | eq. (37), §6.2 |
//! | octide_core::sizing::Decay | what is left of earlier values, moved with the flow | eq. (36), §6.1 |
//! | subdivide.rs | the tree, with the pseudo cell size | §6.3, eq. (38) and §6.5 |
//! | octide_core::sizing | where a scene bounds the size of cells, and what its camera sees (the view rule of Ando, Thürey & Wojtan 2013, eq. (15)) | |
//!
//! The start (§6.4) is in `init.rs`.

mod function;
mod subdivide;

pub use subdivide::{RefinementPoint, SizingInput, pseudo_size, tree_for};

use crate::apertures::Apertures;
use crate::mesh::Mesh;
use crate::nodal::{CornerVelocity, velocity_at};
use crate::params::Params;
use crate::solids::Solids;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;
use octide_core::sizing::{Decay, propagate};

/// S at all cells: eq. (39) where something asks for detail, propagated, and at least what is left of earlier
/// values.
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

/// What is left after `dt` of sizing values `s` on `old`, moved to the cells of `new`: eq. (36), with the values
/// of the cell where the water was.
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
        old.tree.nearest_leaf(x - dt * velocity_at(old, corners, x))
    };
    decay.decayed(s, new.n_cells(), origin, dt)
}

#[cfg(test)]
mod tests;
