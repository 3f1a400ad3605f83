//! A liquid surface in a prescribed velocity: surface tracking alone, without forces and pressure.

use super::{StepError, TimeStep};
use crate::scene::VolumeCorrection;
use glam::DVec3;
use thiserror::Error;

/// A function that returns the velocity in m/s at a point and a time.
pub type PrescribedVelocity<'a> = &'a (dyn Fn(DVec3, f64) -> DVec3 + Sync);

/// A surface that is advected by a prescribed velocity, with the stages of a method. Threads may sample it
/// concurrently.
pub trait SurfaceTracker: Sync {
    /// Returns the number of finest cells that the fastest point should cross in a step.
    fn cfl(&self) -> f64;

    /// Advects the surface from `time` to `time + dt` with the velocity at the middle of the step. The first
    /// step starts at time 0, and every other step starts where the previous one ended.
    fn step(&mut self, time: f64, dt: TimeStep, velocity: PrescribedVelocity<'_>) -> Result<(), StepError>;

    /// Returns the number of cells.
    fn n_cells(&self) -> usize;

    /// Returns the volume fraction of liquid in the cube of edge length `edge` centered at `center`.
    fn volume_fraction(&self, center: DVec3, edge: f64) -> f64;

    /// Returns the volume of the water that a method keeps cell by cell, as a fraction of the cell that contains a point;
    /// `None` if it keeps none.
    fn kept_fraction(&self, _point: DVec3) -> Option<f64> {
        None
    }
}

/// Options of surface tracking.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TrackingOptions {
    /// Where cells are refined.
    pub refinement: TrackingRefinement,
    /// Whether particles correct the surface.
    pub particles: bool,
    /// How volume is kept.
    pub volume_correction: VolumeCorrection,
    /// The largest velocity component in m/s.
    pub max_speed: f64,
}

/// Where cells are refined while a surface is tracked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TrackingRefinement {
    /// To the finest level near the surface.
    NearSurface,
    /// Along the surface as the method's sizing rule requests.
    SizingRule,
}

/// The error of a method that does not support a requested tracking option.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the method does not support {0} while it tracks a surface")]
pub struct UnsupportedTracking(pub &'static str);
