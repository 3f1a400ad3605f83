//! The one list of methods: what scenes name, the command runs and the contract of `octide-verify` holds them to.
//!
//! A new method is one line in the list and its name in [`NAMES`].

use octide_core::contract::Method;
use octide_core::scene::Scene;
use octide_core::snapshot::{Snapshot, SnapshotError};
use octide_octree::OctreeLiquid;
use thiserror::Error;

/// The names of all methods.
pub const NAMES: &[&str] = &["octree"];

/// The scene at time 0, by the method that it names.
pub fn start(scene: &Scene) -> Result<Box<dyn Method>, UnknownMethod> {
    match scene.method.as_str() {
        "octree" => Ok(Box::new(OctreeLiquid::new(scene))),
        other => Err(UnknownMethod(other.to_owned())),
    }
}

/// The scene at the moment of a snapshot, by the method that it names.
pub fn load(scene: &Scene, snapshot: &mut Snapshot) -> Result<Box<dyn Method>, LoadError> {
    match scene.method.as_str() {
        "octree" => Ok(Box::new(OctreeLiquid::load(scene, snapshot)?)),
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

/// A scene names a method that is not there.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown method {0:?}")]
pub struct UnknownMethod(pub String);
