//! The interface of a method, and the data that writers, pictures and probes read from it. Nothing here
//! assumes a cell shape or where velocity and pressure are stored.

mod abilities;
mod cells;
mod descriptor;
mod error;
mod frame;
mod report;
mod smoke;
mod time_step;
mod tracking;
mod view;

pub use abilities::{Abilities, KeysRead};
pub use cells::{CellFace, Cells, Cube, Polyhedra};
pub use descriptor::{LoadFn, MethodDescriptor, StartWithinFn, TrackFn};
pub use error::StepError;
pub use frame::{Frame, Particles, Surface};
pub use report::{CollapseReason, CollapsingAir, Figure, FigureKind, StepReport, Totals};
pub use smoke::{Smoke, SmokeCell, SmokeSample, SmokeTotals};
pub use time_step::{InvalidTimeStep, TimeStep};
pub use tracking::{
    PrescribedVelocity, SurfaceTracker, TrackingOptions, TrackingRefinement, UnsupportedTracking,
};
pub use view::{Sample, StateView};

use crate::scene::Scene;
use crate::snapshot::{Snapshot, SnapshotError, Store};
use glam::DVec3;

/// A simulation that can be advanced in time steps and inspected.
pub trait Method: Send {
    /// Returns the simulated time since the start, in seconds.
    fn time(&self) -> f64;

    /// Returns the largest time step that is currently stable, in seconds.
    fn max_dt(&self) -> f64;

    /// Returns the position of the fastest fluid in m. Error messages name it when no time step is short
    /// enough.
    fn fastest(&self) -> DVec3;

    /// Advances the simulation by `dt`. After an error the state is what it was before the call.
    fn step(&mut self, dt: TimeStep) -> Result<StepReport, StepError>;

    /// Returns the current surface, cells, particles and smoke.
    fn frame(&self) -> Frame;

    /// Returns the figures of the current state without taking a step, as reported for frame 0.
    fn report(&self) -> StepReport;

    /// Returns a view that samples the state at any point, for probes and voxel files.
    fn view(&self) -> Box<dyn StateView + '_>;

    /// Returns the totals over all of the fluid.
    fn totals(&self) -> Totals;

    /// Limits the memory of the process to `bytes`. A step that would need more fails with
    /// [`StepError::Memory`] before it allocates.
    fn limit_memory(&mut self, bytes: u64);

    /// Writes the whole state, which is everything that the next step depends on, to `store`.
    fn save(&self, store: &mut dyn Store);

    /// Restores a state of the same scene that [`Method::save`] wrote; further steps then give the same bytes
    /// as an uninterrupted run. Everything in the snapshot is validated; columns that do not belong to the
    /// method are left in it.
    fn load(scene: &Scene, snapshot: &mut Snapshot) -> Result<Self, SnapshotError>
    where
        Self: Sized;
}
