//! The value that each method crate exports, with everything that the rest of the project needs to run the
//! method.

use super::tracking::{SurfaceTracker, TrackingOptions, UnsupportedTracking};
use super::{Abilities, Method, StepError};
use crate::faults::KnownFault;
use crate::memory::MemoryModel;
use crate::scene::Scene;
use crate::snapshot::{Snapshot, SnapshotError};

/// A method, described by data and functions.
///
/// Each method crate exports one as `pub const METHOD`. The list in `octide-methods` is the only place that
/// names it; scene files, the command, the memory forecast and the verification cases read that list.
#[derive(Clone, Copy, Debug)]
pub struct MethodDescriptor {
    /// The method's name in scenes, the fluids that it simulates and the keys that it reads.
    pub abilities: Abilities,
    /// Starts a scene at time 0.
    pub start: fn(&Scene) -> Box<dyn Method>,
    /// Starts a scene at time 0 if the process can hold it and take steps within the given number of bytes. A
    /// grid that would need more is refused before it is built.
    pub start_within: StartWithinFn,
    /// Restores the state that [`Method::save`] stored, for the same scene.
    pub load: LoadFn,
    /// Returns the constants of the memory forecast for a scene.
    pub memory: fn(&Scene) -> MemoryModel,
    /// Starts tracking a surface in a prescribed velocity; `None` if the method cannot track a surface.
    pub track: Option<TrackFn>,
    /// Deliberate mistakes that tests can switch on; see [`crate::faults`].
    pub faults: &'static [KnownFault],
}

impl MethodDescriptor {
    /// Returns the method's name in scenes.
    pub const fn name(&self) -> &'static str {
        self.abilities.name
    }
}

/// A function that starts a scene within a number of bytes.
pub type StartWithinFn = fn(&Scene, u64) -> Result<Box<dyn Method>, StepError>;

/// A function that restores a state from a snapshot.
pub type LoadFn = fn(&Scene, &mut Snapshot) -> Result<Box<dyn Method>, SnapshotError>;

/// A function that starts tracking a surface in a prescribed velocity.
pub type TrackFn = fn(&Scene, &TrackingOptions) -> Result<Box<dyn SurfaceTracker>, UnsupportedTracking>;
