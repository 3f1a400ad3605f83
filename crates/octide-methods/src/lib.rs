//! The one list of methods: what scenes name, the command runs and the contract of `octide-verify` holds them
//! to.
//!
//! A new method is one line in the list and its abilities in [`ALL`].

use octide_core::contract::{Abilities, Method, StepError};
use octide_core::scene::Scene;
use octide_core::snapshot::{Snapshot, SnapshotError};
use octide_nodal::{NodalLiquid, NodalSmoke};
use octide_octree::OctreeLiquid;
use thiserror::Error;

/// What all methods can do with a scene.
pub const ALL: &[Abilities] = &[octide_octree::ABILITIES, octide_nodal::ABILITIES];

/// Returns what all methods can do with a scene, in the same order.
pub fn abilities() -> impl Iterator<Item = Abilities> {
    ALL.iter().copied()
}

/// The names of all methods, in the same order.
pub const NAMES: &[&str] = &[octide_octree::ABILITIES.name, octide_nodal::ABILITIES.name];

/// The scene at time 0, by the method that it names.
pub fn start(scene: &Scene) -> Result<Box<dyn Method>, UnknownMethod> {
    match scene.method.as_str() {
        "octree" => Ok(Box::new(OctreeLiquid::new(scene))),
        "nodal-octree" if scene.is_smoke() => Ok(Box::new(NodalSmoke::new(scene))),
        "nodal-octree" => Ok(Box::new(NodalLiquid::new(scene))),
        other => Err(UnknownMethod(other.to_owned())),
    }
}

/// The scene at the moment of a snapshot, by the method that it names.
pub fn load(scene: &Scene, snapshot: &mut Snapshot) -> Result<Box<dyn Method>, LoadError> {
    match scene.method.as_str() {
        "octree" => Ok(Box::new(OctreeLiquid::load(scene, snapshot)?)),
        "nodal-octree" if scene.is_smoke() => Ok(Box::new(NodalSmoke::load(scene, snapshot)?)),
        "nodal-octree" => Ok(Box::new(NodalLiquid::load(scene, snapshot)?)),
        other => Err(UnknownMethod(other.to_owned()).into()),
    }
}

/// The scene at time 0, by the method that it names, if the process can hold it and take steps within
/// `bytes`.
pub fn start_within(scene: &Scene, bytes: u64) -> Result<Box<dyn Method>, StartError> {
    match scene.method.as_str() {
        "octree" => Ok(Box::new(OctreeLiquid::within(scene, bytes)?)),
        "nodal-octree" if scene.is_smoke() => Ok(Box::new(NodalSmoke::within(scene, bytes)?)),
        "nodal-octree" => Ok(Box::new(NodalLiquid::within(scene, bytes)?)),
        other => Err(UnknownMethod(other.to_owned()).into()),
    }
}

/// Why there is no state of a scene.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum LoadError {
    /// The scene names a method that is not there.
    #[error(transparent)]
    Unknown(#[from] UnknownMethod),
    /// The snapshot is none of the scene.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
}

/// Bytes that the process holds at most during a step from and to a tree of so many cells.
pub fn step_bytes(scene: &Scene, cells: usize, particles: usize) -> u64 {
    let model = match scene.method.as_str() {
        "nodal-octree" if scene.is_smoke() => octide_nodal::memory::SMOKE,
        "nodal-octree" => octide_nodal::memory::WATER,
        _ => octide_octree::memory::MODEL,
    };
    model.step_bytes(scene, cells, cells, particles)
}

/// Why a scene cannot be started.
#[derive(Debug, Error)]
pub enum StartError {
    /// Its method is not there.
    #[error(transparent)]
    Method(#[from] UnknownMethod),
    /// It needs more memory than there may be.
    #[error(transparent)]
    Memory(#[from] StepError),
}

/// A scene names a method that is not there.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown method {0:?}")]
pub struct UnknownMethod(pub String);

#[cfg(test)]
mod tests {
    use super::*;
    use octide_core::DVec3;

    #[test]
    fn names_are_those_of_methods_that_start() {
        assert!(ALL.iter().map(|m| m.name).eq(NAMES.iter().copied()));
        for name in NAMES {
            assert!(start(&Scene::empty(name, DVec3::ONE, 16, 1)).is_ok());
        }
    }
}
