//! The surface on its way from the old tree to the new one.

use crate::apertures::Apertures;
use crate::mesh::Mesh;
use crate::nodal::CornerVelocity;
use crate::particles::Particles;
use crate::solids::Solids;
use octide_core::flows::Exchange;
use octide_core::index::{CellId, Field};

/// A new tree with the surface and the particles of its time; nothing else has been carried there yet.
pub(crate) struct AdvectedSurface {
    pub mesh: Mesh,
    pub apertures: Apertures,
    /// Earlier sizing values, decayed (eq. 36).
    pub decayed_sizing: Field<CellId, f32>,
    pub phi: Field<CellId, f64>,
    pub particles: Particles,
    pub solids: Solids,
    /// The old velocity, along which points were traced.
    pub corners: CornerVelocity,
    /// What came in and went out where φ was set.
    pub exchange: Exchange,
}
