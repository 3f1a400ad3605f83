//! What a method crate exports: one value with everything that the rest of the project needs to run it.

use super::tracking::{SurfaceTracker, TrackingOptions, UnsupportedTracking};
use super::{Abilities, Method, StepError};
use crate::faults::KnownFault;
use crate::memory::MemoryModel;
use crate::scene::Scene;
use crate::snapshot::{Snapshot, SnapshotError};

/// A method, described by data and functions.
///
/// Each method crate exports one as `pub const METHOD`. The list in `octide-methods` is the only place that
/// names it; scene files, the command, the forecast of memory and the verification cases read that list.
#[derive(Clone, Copy, Debug)]
pub struct MethodDescriptor {
    /// The name that scenes use, and what the method can do with a scene.
    pub abilities: Abilities,
    /// Starts a scene at time 0.
    pub start: fn(&Scene) -> Box<dyn Method>,
    /// Starts a scene at time 0 if the process can hold it and take steps within a number of bytes. A grid
    /// that would need more is refused before it is built.
    pub start_within: fn(&Scene, u64) -> Result<Box<dyn Method>, StepError>,
    /// Restores the state that [`Method::save`] stored, for the same scene.
    pub load: fn(&Scene, &mut Snapshot) -> Result<Box<dyn Method>, SnapshotError>,
    /// Returns the constants of the memory forecast for a scene.
    pub memory: fn(&Scene) -> MemoryModel,
    /// Starts a surface that a prescribed velocity carries; none where the method tracks no surface.
    pub track: Option<TrackFn>,
    /// Mistakes that tests can switch on: see [`crate::faults`].
    pub faults: &'static [KnownFault],
}

impl MethodDescriptor {
    /// Returns the name that scenes use.
    pub const fn name(&self) -> &'static str {
        self.abilities.name
    }
}

/// Starts a surface that a prescribed velocity carries.
pub type TrackFn = fn(&Scene, &TrackingOptions) -> Result<Box<dyn SurfaceTracker>, UnsupportedTracking>;
