//! Where cells are small (§6): a sizing value S at every cell, and the tree it asks for.
//!
//! S is in 1/m: a cell of size Δx will do where S ≤ 1/Δx. A step goes through
//!
//! | file | what | paper |
//! |---|---|---|
//! | function.rs | S on the surface and at solids under water | eq. (39), §6.6 |
//! | propagate.rs | from there to all cells | eq. (37), §6.2 |
//! | decay.rs | what is left of earlier values, carried with the flow | eq. (36), §6.1 |
//! | subdivide.rs | the tree, with the pseudo cell size | §6.3, eq. (38) and §6.5 |
//! | octide_core::sizing | where a scene bounds the size of cells, and what its camera sees (the view rule of Ando, Thürey & Wojtan 2013, eq. (15)) | |
//!
//! The start (§6.4) is in `init.rs`.

mod decay;
mod function;
mod propagate;
mod subdivide;

pub use decay::fade;
pub use octide_core::sizing::{Regions, View};
pub use propagate::propagate;
pub use subdivide::{Asking, Point, pseudo_size, tree_for};

use crate::apertures::Apertures;
use crate::mesh::Mesh;
use crate::params::Params;
use crate::solids::Solids;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;
use octide_core::scene::Scene;

/// T₂ of eq. (36) as a share of the time in which the scene's speed crosses the domain: the paper's 0.01 s in
/// a tank of 1 m × 0.5 m.
const DECAY_SHARE: f64 = 1.0 / 45.0;

/// How sizing values become cells.
#[derive(Clone, Debug)]
pub struct SizingParams {
    /// α of eq. (38): from 0, finest cells everywhere, to 1.
    pub strength: f64,
    /// How often the cells of a level are spread to their face neighbors (§6.3).
    pub dilation: u32,
    /// T₁ of eq. (36): S falls to this share ...
    pub decay: f64,
    /// ... in T₂ seconds.
    pub decay_time: f64,
    /// Where the scene bounds the size of cells.
    pub regions: Regions,
    /// What can be seen; all of it without a camera.
    pub view: Option<View>,
}

impl Default for SizingParams {
    fn default() -> Self {
        Self {
            strength: 1.0,
            dilation: 0,
            decay: 0.9,
            decay_time: 0.01,
            regions: Regions::default(),
            view: None,
        }
    }
}

impl SizingParams {
    /// The choices of a scene whose water is about as fast as `speed`.
    pub fn from_scene(scene: &Scene, speed: f64) -> Self {
        let a = &scene.adaptivity;
        Self {
            strength: a.strength,
            dilation: a.dilation,
            decay: a.decay,
            decay_time: a.decay_time.unwrap_or(DECAY_SHARE * scene.domain.size.max_element() / speed),
            regions: Regions::new(scene),
            view: View::of(scene),
        }
    }
}

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
    propagate(mesh, &mut s);
    par::update(&mut s, |i, s| *s = s.max(f64::from(faded[CellId(i as u32)])));
    s
}

#[cfg(test)]
mod tests;
