//! The pose and the velocity of a rigid body.

use glam::{DQuat, DVec3};

/// The pose of a body: `x = rotation · X + position` for a point `X` of the body.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pose {
    /// The translation.
    pub position: DVec3,
    /// The rotation about the body's origin, a unit quaternion.
    pub rotation: DQuat,
}

impl Pose {
    /// The pose of a body that has not moved.
    pub const IDENTITY: Self = Self { position: DVec3::ZERO, rotation: DQuat::IDENTITY };

    /// Returns the current position of the body's point `p`.
    #[inline]
    pub fn to_world(&self, p: DVec3) -> DVec3 {
        self.rotation * p + self.position
    }

    /// Returns the body's point that is currently at `p`.
    #[inline]
    pub fn to_body(&self, p: DVec3) -> DVec3 {
        self.rotation.inverse() * (p - self.position)
    }

    /// Returns this pose followed by `next`.
    pub fn then(&self, next: &Self) -> Self {
        Self { position: next.to_world(self.position), rotation: next.rotation * self.rotation }
    }

    /// Returns the inverse pose.
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.inverse();
        Self { position: -(rotation * self.position), rotation }
    }
}

/// Pose and velocities of a body at one time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RigidState {
    /// The pose of the body.
    pub pose: Pose,
    /// Velocity of the body's origin in m/s.
    pub linear: DVec3,
    /// Angular velocity in rad/s, in world coordinates.
    pub angular: DVec3,
}

impl RigidState {
    /// A body at rest that has not moved.
    pub const REST: Self = Self { pose: Pose::IDENTITY, linear: DVec3::ZERO, angular: DVec3::ZERO };

    /// Returns the velocity of the body's point that is currently at `x`.
    #[inline]
    pub fn velocity_at(&self, x: DVec3) -> DVec3 {
        self.linear + self.angular.cross(x - self.pose.position)
    }

    /// Converts a motion given in coordinates with the origin at `pivot` to world coordinates.
    pub(super) fn about(self, pivot: DVec3) -> Self {
        let position = pivot + self.pose.position - self.pose.rotation * pivot;
        let pose = Pose { position, rotation: self.pose.rotation };
        // The body's origin is now another point; its velocity follows from the same rigid motion.
        let linear = self.linear + self.angular.cross(-(self.pose.rotation * pivot));
        Self { pose, linear, angular: self.angular }
    }
}
