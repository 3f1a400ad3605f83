//! A liquid surface carried by a prescribed velocity: surface tracking alone, without forces and pressure.

use super::StepError;
use glam::DVec3;
use thiserror::Error;

/// A velocity in m/s at a point and a time.
pub type PrescribedVelocity<'a> = &'a (dyn Fn(DVec3, f64) -> DVec3 + Sync);

/// A surface that a prescribed velocity carries, by the stages of a method. Threads may sample it together.
pub trait SurfaceTracker: Sync {
    /// Returns the number of finest cells that the fastest point should cross in a step.
    fn cfl(&self) -> f64;

    /// Carries the surface from `time` to `time + dt` by the velocity at the middle of the step. The first
    /// step starts at time 0, and each one where the last one ended.
    fn step(&mut self, time: f64, dt: f64, velocity: PrescribedVelocity<'_>) -> Result<(), StepError>;

    /// Returns the number of cells.
    fn n_cells(&self) -> usize;

    /// Returns the volume fraction of liquid in the cube of edge length `edge` about `center`.
    fn volume_fraction(&self, center: DVec3, edge: f64) -> f64;
}

/// How a surface is tracked.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TrackingOptions {
    /// Where cells are refined.
    pub refinement: TrackingRefinement,
    /// Whether particles correct the surface.
    pub particles: bool,
    /// Whether lost volume is given back.
    pub volume_correction: bool,
    /// The largest velocity component in m/s.
    pub max_speed: f64,
}

/// Where cells are refined while a surface is tracked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TrackingRefinement {
    /// To the finest level near the surface.
    NearSurface,
    /// Along the surface as the method's sizing rule asks for.
    SizingRule,
}

/// A method cannot track a surface in the way that was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the method does not support {0} while it tracks a surface")]
pub struct UnsupportedTracking(pub &'static str);
