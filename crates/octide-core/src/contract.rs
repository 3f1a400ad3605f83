//! What every method offers, and what the rest of the house sees of it.

mod abilities;
mod descriptor;
mod smoke;
mod tracking;

pub use abilities::{Abilities, Unread};
pub use descriptor::{MethodDescriptor, TrackFn};
pub use smoke::{Smoke, SmokeCell, SmokeSample, SmokeTotals};
pub use tracking::{
    PrescribedVelocity, SurfaceTracker, TrackingOptions, TrackingRefinement, UnsupportedTracking,
};

use crate::geometry::TriMesh;
use crate::scene::Scene;
use crate::snapshot::{Snapshot, SnapshotError, Store};
use glam::DVec3;
use thiserror::Error;

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

    /// The state at any point, for probes.
    fn sampler(&self) -> Box<dyn Sampler + '_>;

    /// All of the fluid, summed up.
    fn totals(&self) -> Totals;

    /// The process may hold at most so many bytes: a step that would need more is refused, by
    /// [`StepError::Memory`], before it takes them.
    fn limit_memory(&mut self, bytes: u64) {
        let _ = bytes;
    }

    /// The liquid that the frame's surface encloses, at any point.
    fn level_set(&self) -> Box<dyn LevelSet + '_>;

    /// Gives the whole state to `store`, all that the next step depends on.
    fn save(&self, store: &mut dyn Store);

    /// The state that [`Method::save`] gave, of the same scene: from there all goes on to the same bytes.
    /// Nothing in the snapshot is believed; columns that are not the method's own are left in it.
    fn load(scene: &Scene, snapshot: &mut Snapshot) -> Result<Self, SnapshotError>
    where
        Self: Sized;
}

/// The liquid as a function of space, anywhere in the domain: what files of voxels are filled from. Threads
/// ask at the same time.
pub trait LevelSet: Sync {
    /// Signed distance to the surface that a frame shows, negative in liquid, of which solids are no part.
    /// May miss the true distance by a fifth.
    fn distance(&self, p: DVec3) -> f64;

    /// Velocity in m/s, continued beyond the liquid.
    fn velocity(&self, p: DVec3) -> DVec3;
}

/// No liquid anywhere: what a method that simulates smoke shows of it.
#[derive(Clone, Copy, Debug)]
pub struct NoLiquid;

impl LevelSet for NoLiquid {
    fn distance(&self, _: DVec3) -> f64 {
        f64::INFINITY
    }

    fn velocity(&self, _: DVec3) -> DVec3 {
        DVec3::ZERO
    }
}

/// A state that can be asked for its values at any point of the domain.
pub trait Sampler {
    /// Signed distance to the water, negative in it; not negative in air and inside solids. May miss the true
    /// distance by a fifth, never the sign.
    fn distance(&self, p: DVec3) -> f64;

    /// Edge length of the cell at a point, in m: the distance bends at this scale, not below.
    fn detail(&self, p: DVec3) -> f64;

    /// All values at a point.
    fn sample(&self, p: DVec3) -> Sample;
}

/// Values at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Signed distance to the liquid's surface in m, negative inside; continued into solids.
    pub phi: f64,
    /// Distance to solids in m, negative inside; infinite without solids.
    pub solid: f64,
    /// Velocity in m/s; outside the water what the method continues it by.
    pub velocity: DVec3,
    /// Pressure over that of the air in Pa, the mean over the last step; 0 in air, none before the first
    /// step.
    pub pressure: Option<f64>,
    /// Smoke; none where the method simulates water.
    pub smoke: Option<SmokeSample>,
}

/// All of the fluid, summed up. Where there is smoke the fluid is air, which fills all that is not solid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// Volume in m³.
    pub volume: f64,
    /// Kinetic energy in J.
    pub kinetic_energy: f64,
    /// Potential energy in J, 0 for water at the lowest corner of the domain.
    pub potential_energy: f64,
    /// Momentum in kg m/s.
    pub momentum: DVec3,
    /// Center of mass; none without fluid.
    pub center: Option<DVec3>,
    /// Smoke; none where the method simulates water.
    pub smoke: Option<SmokeTotals>,
}

/// What writers and pictures see of a simulation.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// Simulated seconds.
    pub time: f64,
    /// The liquid's surface, closed, with the domain's walls as part of it.
    pub surface: Surface,
    /// The tree's cells.
    pub cells: Vec<CellSample>,
    /// Marker particles; empty where the method has none.
    pub particles: Particles,
    /// Smoke; none where the method simulates water.
    pub smoke: Option<Smoke>,
}

/// Particles, one value of each list for each of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Particles {
    /// Where they are.
    pub positions: Vec<[f32; 3]>,
    /// Velocities in m/s.
    pub velocities: Vec<[f32; 3]>,
    /// Radii in m.
    pub radii: Vec<f32>,
    /// What each of them is: [`Self::SPRAY`], or a number that the method gives a meaning to.
    pub kinds: Vec<u8>,
    /// Names that stay with particles from frame to frame.
    pub ids: Vec<u32>,
}

impl Particles {
    /// The kind of drops that fly outside of the surface.
    pub const SPRAY: u8 = 1;

    /// How many there are.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }
}

/// A surface with what renderers need at its vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Positions and triangles.
    pub mesh: TriMesh,
    /// Unit normals that point out of the liquid.
    pub normals: Vec<[f32; 3]>,
    /// Velocities in m/s.
    pub velocities: Vec<[f32; 3]>,
}

/// One cell of the grid, for pictures of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellSample {
    /// Its center.
    pub center: [f32; 3],
    /// Its edge length.
    pub size: f32,
    /// Signed distance to the liquid's surface, negative inside; infinite without liquid.
    pub phi: f32,
    /// Density of smoke; 0 where the method simulates water.
    pub density: f32,
}

/// What a step did and what the state is after it.
#[derive(Clone, Debug, Default)]
pub struct StepReport {
    /// The step's length in seconds.
    pub dt: f64,
    /// Leaves of the tree.
    pub cells: usize,
    /// Cells with a pressure unknown; before the first step, those with liquid at their center.
    pub liquid_cells: usize,
    /// Cells whose neighbor lies across the surface.
    pub surface_cells: usize,
    /// Those of them that are coarser than the finest level.
    pub surface_cells_coarse: usize,
    /// T-junction faces that the surface cuts.
    pub cut_t_faces: usize,
    /// Those of them without a positive gradient factor, which the free-surface form must treat apart.
    pub degenerate_t_faces: usize,
    /// Faces with a velocity.
    pub faces: usize,
    /// Marker particles.
    pub particles: usize,
    /// Liquid volume in m³.
    pub volume: f64,
    /// Relative deviation of the volume from what it should be.
    pub volume_drift: f64,
    /// Volume in m³ that inflows have brought so far.
    pub volume_in: f64,
    /// Volume in m³ that outflows and open sides have taken so far.
    pub volume_out: f64,
    /// Volume given back so far, relative, summed over the steps.
    pub volume_correction: f64,
    /// Kinetic energy in J.
    pub kinetic_energy: f64,
    /// The largest speed in the fluid in m/s.
    pub max_speed: f64,
    /// The largest divergence left in a cell with a pressure in 1/s.
    pub max_divergence: f64,
    /// Iterations of the pressure solve.
    pub solver_iterations: usize,
    /// The pressure solve's true relative residual.
    pub solver_residual: f64,
    /// Smoke; none where the method simulates water.
    pub smoke: Option<SmokeTotals>,
    /// Seconds spent in each stage, in the order they ran.
    pub stages: Vec<(&'static str, f64)>,
}

/// Why a step could not be taken.
#[derive(Debug, Error)]
pub enum StepError {
    /// The pressure solve did not converge or met bad numbers.
    #[error("the pressure solve failed{}: {reason}", at.map_or_else(String::new, |at| format!(" near {at}")))]
    Pressure {
        /// What the solvers said.
        reason: String,
        /// Where the equations are met the least; none where there are no equations.
        at: Option<DVec3>,
    },
    /// A value that is not a number or infinite.
    #[error("{field} is not finite near {at} after {stage}")]
    NotFinite {
        /// The quantity.
        field: &'static str,
        /// The stage that left it.
        stage: &'static str,
        /// Where.
        at: DVec3,
    },
    /// The flow became so fast within the step that it cannot have been a good one.
    #[error("the flow near {at} would cross {cells:.0} cells in a step of {dt:.2e} s after projection")]
    Cfl {
        /// Cells that it would cross in another step of the same length.
        cells: f64,
        /// The step's length in seconds.
        dt: f64,
        /// Where it is fastest.
        at: DVec3,
    },
    /// More memory would be taken than there may be.
    #[error("{what} needs about {} in all, past the limit of {}", megabytes(*needed), megabytes(*limit))]
    Memory {
        /// What was asked for, such as `a tree of 1000 cells`.
        what: String,
        /// Bytes that the process would hold, at least.
        needed: u64,
        /// Bytes that it may hold.
        limit: u64,
    },
    /// Volume was lost or gained past the scene's limit.
    #[error("the liquid's volume drifted by {} %, past the limit of {} %", digits(*drift), digits(*limit))]
    Volume {
        /// Percent.
        drift: f64,
        /// Percent.
        limit: f64,
    },
}

/// A number with at least three digits that count.
fn digits(x: f64) -> String {
    let behind = 2.0 - x.abs().log10().floor();
    // What is not finite or next to nothing has no such number of places.
    let behind = if behind.is_finite() { behind.clamp(2.0, 20.0) as usize } else { 2 };
    format!("{x:.behind$}")
}

fn megabytes(n: u64) -> String {
    let x = n as f64;
    if n < 1_000_000_000 { format!("{:.0} MB", x / 1e6) } else { format!("{:.2} GB", x / 1e9) }
}
