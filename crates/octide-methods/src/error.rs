//! Why a scene has no simulation.

use octide_core::contract::{StepError, UnsupportedTracking};
use octide_core::snapshot::SnapshotError;
use thiserror::Error;

/// A scene names a method that does not exist.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown method `{name}`; the methods are {}", known.join(", "))]
pub struct UnknownMethod {
    /// The name.
    pub name: String,
    /// All names that exist.
    pub known: Vec<&'static str>,
}

/// Why a scene cannot be started.
#[derive(Debug, Error)]
pub enum StartError {
    /// Its method does not exist.
    #[error(transparent)]
    Method(#[from] UnknownMethod),
    /// It needs more memory than allowed.
    #[error(transparent)]
    Memory(#[from] StepError),
}

/// Why a scene cannot be restored from a snapshot.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum LoadError {
    /// Its method does not exist.
    #[error(transparent)]
    Method(#[from] UnknownMethod),
    /// The snapshot does not belong to the scene.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
}

/// Why a scene's surface cannot be carried by a prescribed velocity.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TrackError {
    /// Its method does not exist.
    #[error(transparent)]
    Method(#[from] UnknownMethod),
    /// Its method tracks no surface.
    #[error("the method `{0}` tracks no surface in a prescribed velocity")]
    NoTracker(&'static str),
    /// Its method does not support what was asked for.
    #[error(transparent)]
    Unsupported(#[from] UnsupportedTracking),
}
