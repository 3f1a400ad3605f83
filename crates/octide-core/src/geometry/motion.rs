//! Rigid motion in time.

use glam::{DQuat, DVec3};

/// Where a body stands: `x = rotation · X + position` for a point `X` of the body.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pose {
    /// The shift.
    pub position: DVec3,
    /// The turn about the body's own origin, a unit quaternion.
    pub rotation: DQuat,
}

impl Pose {
    /// The pose of a body that has not moved.
    pub const IDENTITY: Self = Self { position: DVec3::ZERO, rotation: DQuat::IDENTITY };
}

/// A pose at a time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Keyframe {
    /// Seconds since the start.
    pub time: f64,
    /// The pose at that time.
    pub pose: Pose,
}

/// How a body moves.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Motion {
    /// Not at all.
    #[default]
    Still,
    /// Through poses in order of time, smoothly; still before the first and after the last.
    Keyframes(Vec<Keyframe>),
    /// In a circle about an axis; the body keeps facing as it did unless `turning`.
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
}
