//! Checks whether the result of a step is usable. If it is not, the step is repeated with a shorter dt.
//!
//! Values may be stored at cells, faces, vertices or anything else that has a position; a velocity may be a
//! vector or one component of it.

use crate::contract::StepError;
use crate::index::{CellId, Field, Id};
use crate::octree::Octree;
use glam::DVec3;

/// A fluid that has become this many times faster than the step was chosen for indicates an instability.
const RUNAWAY: f64 = 10.0;

/// A velocity, or one component of it.
pub trait Velocity: Copy {
    /// Returns its magnitude; not finite if the velocity is not.
    fn speed(self) -> f64;
}

impl Velocity for f64 {
    fn speed(self) -> f64 {
        self.abs()
    }
}

impl Velocity for DVec3 {
    fn speed(self) -> f64 {
        self.length()
    }
}

/// Returns an error if the relative drift of the volume exceeds its limit or is NaN.
fn check_volume(drift: f64, limit: f64) -> Result<(), StepError> {
    if drift.is_nan() || drift.abs() > limit {
        return Err(StepError::Volume { drift: 100.0 * drift, limit: 100.0 * limit });
    }
    Ok(())
}

/// Returns an error if a value that `stage` computed is not finite.
pub fn check_finite<I: Id, V: Velocity>(
    field: &'static str,
    stage: &'static str,
    values: &Field<I, V>,
    position: impl Fn(I) -> DVec3,
) -> Result<(), StepError> {
    match values.ids().find(|&i| !values[i].speed().is_finite()) {
        Some(i) => Err(StepError::NotFinite { field, stage, at: position(i) }),
        None => Ok(()),
    }
}

/// Returns an error if φ or the velocity, each stored at its own positions, is not finite.
pub fn check_flow<I: Id, J: Id, V: Velocity>(
    phi: &Field<I, f64>,
    phi_position: impl Fn(I) -> DVec3,
    u: &Field<J, V>,
    u_position: impl Fn(J) -> DVec3,
) -> Result<(), StepError> {
    check_finite("φ", "redistancing", phi, phi_position)?;
    check_finite("velocity", "projection", u, u_position)
}

/// Returns an error if the pressure in a tree's cells is not finite.
pub fn check_pressure(tree: &Octree, pressure: &Field<CellId, f64>) -> Result<(), StepError> {
    check_finite("pressure", "projection", pressure, |c| tree.center(c))
}

/// Checks the state of water after a step: its pressure, the relative drift of its volume against
/// `max_drift`, and its pace; `fastest` finds the fastest position.
pub fn check_water(
    tree: &Octree,
    pressure: &Field<CellId, f64>,
    drift: f64,
    max_drift: f64,
    pace: Pace,
    fastest: impl FnOnce() -> DVec3,
) -> Result<(), StepError> {
    check_pressure(tree, pressure)?;
    check_volume(drift, max_drift)?;
    pace.check(fastest)
}

/// Returns the element with the largest speed among those that are open, or the first one if there is none.
pub fn fastest<I: Id, V: Velocity>(u: &Field<I, V>, open: impl Fn(I) -> f64) -> I {
    let mut best = (0.0, I::from_index(0));
    for i in u.ids().filter(|&i| open(i) > 0.0) {
        if u[i].speed() > best.0 {
            best = (u[i].speed(), i);
        }
    }
    best.1
}

/// The length of a step and the speeds before and after it.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Length of the step in seconds.
    pub dt: f64,
    /// Edge length of the finest cells.
    pub dx: f64,
    /// Number of finest cells that the fastest fluid may cross.
    pub cfl: f64,
    /// Magnitude of gravity in m/s².
    pub gravity: f64,
    /// The largest velocity component before and after the step.
    pub speeds: [f64; 2],
}

impl Pace {
    /// Returns an error if the fluid is much faster than the step's length allowed for; `fastest` finds the
    /// position.
    pub fn check(&self, fastest: impl FnOnce() -> DVec3) -> Result<(), StepError> {
        let [before, after] = self.speeds;
        let fall = (self.gravity * self.dx).sqrt();
        let cells = |speed: f64| speed * self.dt / self.dx;
        let made_for = self.cfl.max(cells(before + fall));
        if cells(after) > RUNAWAY * made_for {
            return Err(StepError::Cfl { cells: cells(after), dt: self.dt, at: fastest() });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::NodeId;

    #[test]
    fn velocity_at_vertices_is_checked_like_velocity_on_faces() {
        let place = |v: NodeId| DVec3::splat(v.0.into());
        let mut u = Field::<NodeId, DVec3>::from_vec(vec![DVec3::X, DVec3::new(0.0, 3.0, -4.0), DVec3::Y]);
        let phi = Field::<CellId, f64>::from_vec(vec![1.0]);
        let check = |u: &Field<NodeId, DVec3>| check_flow(&phi, |_| DVec3::ZERO, u, place);
        assert!(check(&u).is_ok());
        assert_eq!(fastest(&u, |_| 1.0), NodeId(1));
        assert_eq!(fastest(&u, |v| if v == NodeId(1) { 0.0 } else { 1.0 }), NodeId(0));
        u[NodeId(2)].z = f64::NAN;
        let error = check(&u).unwrap_err().to_string();
        assert_eq!(error, "velocity is not finite near [2, 2, 2] after projection");
    }
}
