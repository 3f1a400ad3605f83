//! What every method offers, and what writers, pictures and probes see of it. Nothing here assumes a shape of
//! cells or a place where velocity and pressure are stored.

mod abilities;
mod cells;
mod descriptor;
mod error;
mod frame;
mod report;
mod smoke;
mod tracking;
mod view;

pub use abilities::{Abilities, KeysRead};
pub use cells::{CellFace, Cells, Cube, Polyhedra};
pub use descriptor::{MethodDescriptor, TrackFn};
pub use error::StepError;
pub use frame::{Frame, Particles, Surface};
pub use report::{Figure, FigureKind, StepReport, Totals};
pub use smoke::{Smoke, SmokeCell, SmokeSample, SmokeTotals};
pub use tracking::{
    PrescribedVelocity, SurfaceTracker, TrackingOptions, TrackingRefinement, UnsupportedTracking,
};
pub use view::{Sample, StateView};

use crate::scene::Scene;
use crate::snapshot::{Snapshot, SnapshotError, Store};
use glam::DVec3;

/// A simulation that can be stepped and looked at.
pub trait Method: Send {
    /// Simulated seconds since the start.
    fn time(&self) -> f64;

    /// The largest time step that is stable now, in seconds.
    fn max_dt(&self) -> f64;

    /// Returns the place where the fluid moves fastest, in m: what a message names when no step is short
    /// enough.
    fn fastest(&self) -> DVec3;

    /// Advances by `dt`. After an error the simulation stands where it stood before.
    fn step(&mut self, dt: f64) -> Result<StepReport, StepError>;

    /// What there is to see now.
    fn frame(&self) -> Frame;

    /// The state's figures without taking a step: what frame 0 reports.
    fn report(&self) -> StepReport;

    /// The state at any point, for probes and for files of voxels.
    fn view(&self) -> Box<dyn StateView + '_>;

    /// All of the fluid, summed up.
    fn totals(&self) -> Totals;

    /// The process may hold at most so many bytes: a step that would need more is refused, by
    /// [`StepError::Memory`], before it takes them.
    fn limit_memory(&mut self, bytes: u64) {
        let _ = bytes;
    }

    /// Gives the whole state to `store`, all that the next step depends on.
    fn save(&self, store: &mut dyn Store);

    /// The state that [`Method::save`] gave, of the same scene: from there all goes on to the same bytes.
    /// Nothing in the snapshot is believed; columns that are not the method's own are left in it.
    fn load(scene: &Scene, snapshot: &mut Snapshot) -> Result<Self, SnapshotError>
    where
        Self: Sized;
}
