//! The surface after its advection to the new tree.

use crate::apertures::Apertures;
use crate::extend::PhiExtension;
use crate::mesh::Mesh;
use crate::nodal::CornerVelocity;
use crate::particles::Particles;
use crate::solids::Solids;
use octide_core::faces::detach::Detached;
use octide_core::flows::Exchange;
use octide_core::index::{CellId, Field};
use std::sync::Arc;

/// A new tree with the surface and the particles at the end of the step; nothing else has been advected yet.
pub(crate) struct AdvectedSurface {
    pub mesh: Mesh,
    pub apertures: Apertures,
    /// Earlier sizing values, decayed (eq. 36).
    pub decayed_sizing: Field<CellId, f32>,
    pub phi: Field<CellId, f64>,
    /// The walls of solids that water has detached from.
    pub detached: Detached,
    pub particles: Particles,
    pub solids: Arc<Solids>,
    /// The solids before the step.
    pub solids_before: Arc<Solids>,
    /// The old velocity, used to trace points.
    pub corners: CornerVelocity,
    /// Volume of the spray that left the domain or entered an outflow, in m³.
    pub lost_spray: f64,
    /// The volume that inflows and outflows added and removed by setting φ.
    pub exchange: Exchange,
    /// How φ is extended into solids.
    pub extension: PhiExtension,
    /// The cells below ceilings that water has detached from.
    pub cleared: Vec<CellId>,
}
