//! The keys of a scene file that this method reads.

use octide_core::contract::{Abilities, KeysRead};

/// The features of a scene that the method supports.
pub const ABILITIES: Abilities =
    Abilities { name: "octree", water: Some(KeysRead(WATER)), smoke: None, notes: &[] };

const WATER: &[&str] = &[
    "resolution",
    "seed",
    "domain.size",
    "domain.origin",
    "domain.coarsest",
    "domain.open",
    "physics.gravity",
    "physics.density",
    "physics.surface_tension",
    "time.cfl",
    "liquid.shape",
    "liquid.velocity",
    "solid.shape",
    "solid.motion",
    "inflow.shape",
    "inflow.velocity",
    "inflow.start",
    "inflow.end",
    "outflow.shape",
    "outflow.start",
    "outflow.end",
    "adaptivity.curvature",
    "adaptivity.strain",
    "adaptivity.along_surface",
    "adaptivity.strength",
    "adaptivity.dilation",
    "adaptivity.decay",
    "adaptivity.decay_time",
    "adaptivity.camera",
    "adaptivity.region.shape",
    "adaptivity.region.at_most",
    "adaptivity.region.at_least",
    "numerics.free_surface",
    "numerics.tolerance",
    "numerics.max_iterations",
    "numerics.volume_correction",
    "numerics.max_volume_drift",
    "numerics.advection",
    "numerics.interpolation",
    "numerics.particles",
    "numerics.transfer",
    "numerics.flip_ratio",
];
