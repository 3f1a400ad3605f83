//! Rigid motion in time.
//!
//! A body is described where it stands at rest; at time `t` its point `X` is at `x = R(t) X + p(t)`. A point
//! `x` of the moving body has the velocity `ṗ + ω × (x − p)`. Both come from one place, [`Motion::state`], in
//! closed form, so that velocities are the exact derivatives of poses.

mod keyframes;
mod pose;
#[cfg(test)]
mod tests;

pub use keyframes::Keyframe;
pub use pose::{Pose, RigidState};

use super::value_error::{ValueError, direction, finite, positive};
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;

/// How a body moves.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Motion {
    /// Not at all.
    #[default]
    Still,
    /// Through poses in order of time, smoothly; still before the first and after the last.
    Keyframes(Vec<Keyframe>),
    /// In a circle about an axis; the body keeps facing as it did unless `turning`.
    ///
    /// A body that keeps facing as it did goes round as its own origin does: with the axis through that
    /// origin it does not move. [`Motion::About`] names another point of the body instead.
    Orbit {
        /// A point on the axis.
        center: DVec3,
        /// The axis' direction; the sense follows the right hand.
        axis: DVec3,
        /// Seconds for one round.
        period: f64,
        /// Whether the body turns with the circle, as if bolted to a disc.
        turning: bool,
    },
    /// To and fro: `amplitude · sin(2π t / period)`.
    Oscillation {
        /// The largest shift.
        amplitude: DVec3,
        /// Seconds for one swing to and fro.
        period: f64,
    },
    /// Another motion, in which the body's point `pivot` takes the part of the body's origin: turns of
    /// keyframes are about it, and an orbit leads it round.
    About {
        /// A point of the body where it stands at rest.
        pivot: DVec3,
        /// The motion of that point and about it.
        motion: Box<Motion>,
    },
}

impl Motion {
    /// The pose at time `t`.
    pub fn pose(&self, t: f64) -> Pose {
        self.state(t).pose
    }

    /// The velocity at time `t` of the body's point that is then at `x`.
    pub fn velocity(&self, x: DVec3, t: f64) -> DVec3 {
        self.state(t).velocity_at(x)
    }

    /// Whether the body stands for ever as it stands at rest.
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

    /// Seconds after which the body has shown all that it does: it stands still, or begins anew.
    pub fn span(&self) -> f64 {
        match self {
            Self::Still => 0.0,
            Self::Keyframes(keys) => keys.last().map_or(0.0, |k| k.time.max(0.0)),
            Self::Orbit { period, .. } | Self::Oscillation { period, .. } => *period,
            Self::About { motion, .. } => motion.span(),
        }
    }

    /// Pose and velocities at time `t`: ask once where many points of a body are wanted.
    pub fn state(&self, t: f64) -> RigidState {
        match self {
            Self::Still => RigidState::REST,
            Self::Keyframes(keys) => keyframes::state(keys, t),
            Self::Orbit { center, axis, period, turning } => {
                let rate = axis.normalize_or_zero() * (TAU / period);
                // Whole rounds are taken off first, which keeps the angle's digits in long runs.
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

    /// Checks every number; the error names the value and what it may be.
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

/// `motion` in coordinates that have their origin at the pivot.
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
