//! Whether a step's result can be gone on from. What cannot be is tried again with a shorter step.

use crate::contract::StepError;
use crate::index::{CellId, FaceId, Field, Id};
use crate::octree::Octree;
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

/// An error where φ, given at places of its own, or the velocity of faces is not a number.
pub fn check_flow<I: Id>(
    phi: &Field<I, f64>,
    place: impl Fn(I) -> DVec3,
    u: &Field<FaceId, f64>,
    face: impl Fn(FaceId) -> DVec3,
) -> Result<(), StepError> {
    if let Some(i) = phi.ids().find(|&i| !phi[i].is_finite()) {
        return Err(StepError::NotFinite { field: "φ", stage: "redistancing", at: place(i) });
    }
    if let Some(k) = u.ids().find(|&k| !u[k].is_finite()) {
        return Err(StepError::NotFinite { field: "velocity", stage: "projection", at: face(k) });
    }
    Ok(())
}

/// An error where the pressure is not a number.
pub fn check_pressure(tree: &Octree, pressure: &Field<CellId, f64>) -> Result<(), StepError> {
    match pressure.ids().find(|&c| !pressure[c].is_finite()) {
        Some(c) => Err(StepError::NotFinite { field: "pressure", stage: "projection", at: tree.center(c) }),
        None => Ok(()),
    }
}

/// The fastest of the faces that are open, or the first.
pub fn fastest(u: &Field<FaceId, f64>, open: impl Fn(FaceId) -> f64) -> FaceId {
    let mut best = (0.0, FaceId(0));
    for k in u.ids().filter(|&k| open(k) > 0.0) {
        if u[k].abs() > best.0 {
            best = (u[k].abs(), k);
        }
    }
    best.1
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
