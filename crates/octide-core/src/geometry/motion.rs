//! Rigid motion in time.
//!
//! A body is described in its rest pose; at time `t` its point `X` is at `x = R(t) X + p(t)`. A point `x` of
//! the moving body has the velocity `ṗ + ω × (x − p)`. Both are computed in closed form by [`Motion::state`],
//! so velocities are the exact derivatives of poses.

mod keyframes;
mod pose;
#[cfg(test)]
mod tests;

pub use keyframes::Keyframe;
pub use pose::{Pose, RigidState};

use super::value_error::{ValueError, direction, finite, positive};
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;

/// The motion of a body.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Motion {
    /// No motion.
    #[default]
    Still,
    /// Smooth motion through keyframes in order of time; at rest before the first and after the last.
    Keyframes(Vec<Keyframe>),
    /// Motion in a circle about an axis; the body keeps its orientation unless `turning`.
    ///
    /// If the body keeps its orientation, its origin moves around the axis and all other points move in
    /// parallel; with the axis through the origin, the body does not move. [`Motion::About`] selects another
    /// point of the body instead of the origin.
    Orbit {
        /// A point on the axis.
        center: DVec3,
        /// The direction of the axis; the sense of rotation follows the right-hand rule.
        axis: DVec3,
        /// Seconds per revolution.
        period: f64,
        /// Whether the body rotates with the circle, as if bolted to a disc.
        turning: bool,
    },
    /// Oscillation: `amplitude · sin(2π t / period)`.
    Oscillation {
        /// The largest displacement.
        amplitude: DVec3,
        /// Seconds per oscillation.
        period: f64,
    },
    /// Another motion in which the body's point `pivot` replaces the body's origin: rotations of keyframes
    /// are about it, and an orbit moves it around the axis.
    About {
        /// A point of the body in its rest pose.
        pivot: DVec3,
        /// The motion of that point and the rotation about it.
        motion: Box<Motion>,
    },
}

impl Motion {
    /// Returns the pose at time `t`.
    pub fn pose(&self, t: f64) -> Pose {
        self.state(t).pose
    }

    /// Returns the velocity at time `t` of the body's point that is then at `x`.
    pub fn velocity(&self, x: DVec3, t: f64) -> DVec3 {
        self.state(t).velocity_at(x)
    }

    /// Returns whether the body always stays in its rest pose.
    pub fn is_still(&self) -> bool {
        match self {
            Self::Still => true,
            Self::Keyframes(keys) => keys.iter().all(|k| k.pose == Pose::IDENTITY),
            Self::Orbit { center, axis, turning, .. } => {
                !turning && center.reject_from(axis.normalize_or(DVec3::Y)) == DVec3::ZERO
            }
            Self::Oscillation { amplitude, .. } => *amplitude == DVec3::ZERO,
            Self::About { pivot, motion } => about(*pivot, motion).is_still(),
        }
    }

    /// Returns the seconds after which the motion ends or repeats.
    pub fn span(&self) -> f64 {
        match self {
            Self::Still => 0.0,
            Self::Keyframes(keys) => keys.last().map_or(0.0, |k| k.time.max(0.0)),
            Self::Orbit { period, .. } | Self::Oscillation { period, .. } => *period,
            Self::About { motion, .. } => motion.span(),
        }
    }

    /// Returns the moments from `start` to `end` at which the body may be fast for an arbitrarily short time,
    /// however short the spans between keyframes or the periods are. Each has the moment at which the span
    /// that it is part of begins, at least `start`.
    pub fn brief_moments(&self, start: f64, end: f64) -> Vec<(f64, f64)> {
        match self {
            // The speed of an orbit does not change.
            Self::Still | Self::Orbit { .. } => Vec::new(),
            Self::Keyframes(keys) => keyframes::brief_moments(keys, start, end),
            Self::Oscillation { period, .. } => {
                let half = 0.5 * period;
                let fastest = half * (start / half).ceil();
                if fastest <= end { vec![(start, fastest)] } else { Vec::new() }
            }
            Self::About { motion, .. } => motion.brief_moments(start, end),
        }
    }

    /// Returns pose and velocities at time `t`. Call it once if many points of a body are needed.
    pub fn state(&self, t: f64) -> RigidState {
        match self {
            Self::Still => RigidState::REST,
            Self::Keyframes(keys) => keyframes::state(keys, t),
            Self::Orbit { center, axis, period, turning } => {
                let rate = axis.normalize_or_zero() * (TAU / period);
                // Whole revolutions are subtracted first, so that the angle stays accurate in long runs.
                let angle = TAU * (t / period).fract();
                let turn = DQuat::from_axis_angle(axis.normalize_or(DVec3::Y), angle);
                let arm = -(turn * *center);
                let rotation = if *turning { turn } else { DQuat::IDENTITY };
                RigidState {
                    pose: Pose { position: *center + arm, rotation },
                    linear: rate.cross(arm),
                    angular: if *turning { rate } else { DVec3::ZERO },
                }
            }
            Self::Oscillation { amplitude, period } => {
                let (sin, cos) = (TAU * (t / period).fract()).sin_cos();
                RigidState {
                    pose: Pose { position: *amplitude * sin, rotation: DQuat::IDENTITY },
                    linear: *amplitude * (TAU / period * cos),
                    angular: DVec3::ZERO,
                }
            }
            Self::About { pivot, motion } => about(*pivot, motion).state(t).about(*pivot),
        }
    }

    /// Checks every number; the error names the value and what is allowed.
    pub fn validate(&self) -> Result<(), ValueError> {
        match self {
            Self::Still => Ok(()),
            Self::Keyframes(keys) => keyframes::validate(keys),
            Self::Orbit { center, axis, period, .. } => {
                finite("orbit.center", *center)?;
                direction("orbit.axis", *axis)?;
                positive("orbit.period", *period)
            }
            Self::Oscillation { amplitude, period } => {
                finite("oscillation.amplitude", *amplitude)?;
                positive("oscillation.period", *period)
            }
            Self::About { pivot, motion } => {
                finite("about.pivot", *pivot)?;
                motion.validate().map_err(|e| e.inside("about"))
            }
        }
    }
}

/// Expresses `motion` in coordinates with the origin at the pivot.
fn about(pivot: DVec3, motion: &Motion) -> Motion {
    match motion {
        Motion::Orbit { center, axis, period, turning } => {
            Motion::Orbit { center: *center - pivot, axis: *axis, period: *period, turning: *turning }
        }
        Motion::About { pivot: inner, motion } => {
            Motion::About { pivot: *inner - pivot, motion: Box::new(about(pivot, motion)) }
        }
        other => other.clone(),
    }
}
