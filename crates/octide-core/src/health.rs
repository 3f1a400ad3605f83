//! Whether a step's result can be gone on from. What cannot be is tried again with a shorter step.

use crate::contract::StepError;
use glam::DVec3;

/// A fluid that became this many times as fast as the step was made for did not do so by itself.
const RUNAWAY: f64 = 10.0;

/// An error where the relative drift of the volume is past its limit, or not a number.
pub fn check_volume(drift: f64, limit: f64) -> Result<(), StepError> {
    if drift.is_nan() || drift.abs() > limit {
        return Err(StepError::Volume { drift: 100.0 * drift, limit: 100.0 * limit });
    }
    Ok(())
}

/// How fast a step was.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Its length in seconds.
    pub dt: f64,
    /// Edge length of the finest cells.
    pub dx: f64,
    /// Finest cells that the fastest fluid may cross.
    pub cfl: f64,
    /// Magnitude of gravity in m/s².
    pub gravity: f64,
    /// The largest velocity component before ...
    pub before: f64,
    /// ... and after it.
    pub after: f64,
}

impl Pace {
    /// An error where the fluid is much faster than the step's length allowed for; `fastest` finds the place.
    pub fn check(&self, fastest: impl FnOnce() -> DVec3) -> Result<(), StepError> {
        let fall = (self.gravity * self.dx).sqrt();
        let cells = |speed: f64| speed * self.dt / self.dx;
        let made_for = self.cfl.max(cells(self.before + fall));
        if cells(self.after) > RUNAWAY * made_for {
            return Err(StepError::Cfl { cells: cells(self.after), dt: self.dt, at: fastest() });
        }
        Ok(())
    }
}
