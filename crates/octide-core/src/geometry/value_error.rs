//! Errors about numbers in the description of a shape or a motion.

use glam::DVec3;
use std::fmt::Debug;
use thiserror::Error;

/// A value that a shape or a motion cannot have.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{path} is {value}, but must be {allowed}")]
pub struct ValueError {
    /// The path of the value, such as `union[1].sphere.radius`.
    pub path: String,
    /// The value as it was given.
    pub value: String,
    /// The allowed values.
    pub allowed: String,
}

impl ValueError {
    /// Creates an error about the value at `path`.
    pub fn new(path: impl Into<String>, value: impl Debug, allowed: impl Into<String>) -> Self {
        Self { path: path.into(), value: format!("{value:?}"), allowed: allowed.into() }
    }

    /// Returns the same error with its path extended by the enclosing level `outer`.
    pub(super) fn inside(mut self, outer: &str) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        self.path = format!("{outer}{dot}{}", self.path);
        self
    }
}

/// Fails unless all coordinates are finite.
pub(super) fn finite(path: &str, v: DVec3) -> Result<(), ValueError> {
    if v.is_finite() { Ok(()) } else { Err(ValueError::new(path, v.to_array(), "three finite numbers")) }
}

/// Fails unless the number is positive and finite.
pub(super) fn positive(path: &str, v: f64) -> Result<(), ValueError> {
    if v.is_finite() && v > 0.0 {
        Ok(())
    } else {
        Err(ValueError::new(path, v, "a finite number greater than 0"))
    }
}

/// Fails unless the vector has a direction and its length can be computed.
pub(super) fn direction(path: &str, v: DVec3) -> Result<(), ValueError> {
    if v.is_finite() && v.try_normalize().is_some() {
        Ok(())
    } else {
        Err(ValueError::new(path, v.to_array(), "a direction: three finite numbers that are not all 0"))
    }
}

/// Fails unless the quaternion has unit length.
pub(super) fn rotation(path: &str, q: glam::DQuat) -> Result<(), ValueError> {
    if q.is_finite() && (q.length_squared() - 1.0).abs() < 1e-6 {
        Ok(())
    } else {
        Err(ValueError::new(path, q.to_array(), "a unit quaternion"))
    }
}
