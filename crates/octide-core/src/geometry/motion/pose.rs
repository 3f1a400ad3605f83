//! Where a body stands, and how fast it moves.

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

    /// Where the body's point `p` is now.
    #[inline]
    pub fn to_world(&self, p: DVec3) -> DVec3 {
        self.rotation * p + self.position
    }

    /// The body's point that is now at `p`.
    #[inline]
    pub fn to_body(&self, p: DVec3) -> DVec3 {
        self.rotation.inverse() * (p - self.position)
    }

    /// This pose, and then `next` applied to where it leads.
    pub fn then(&self, next: &Self) -> Self {
        Self { position: next.to_world(self.position), rotation: next.rotation * self.rotation }
    }

    /// The pose that undoes this one.
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.inverse();
        Self { position: -(rotation * self.position), rotation }
    }
}

/// Pose and velocities of a body at one time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RigidState {
    /// Where the body stands.
    pub pose: Pose,
    /// Velocity of the body's origin in m/s.
    pub linear: DVec3,
    /// Rate of turn in rad/s, in world coordinates.
    pub angular: DVec3,
}

impl RigidState {
    /// A body that stands where it stood and does not move.
    pub const REST: Self = Self { pose: Pose::IDENTITY, linear: DVec3::ZERO, angular: DVec3::ZERO };

    /// The velocity of the body's point that is now at `x`.
    #[inline]
    pub fn velocity_at(&self, x: DVec3) -> DVec3 {
        self.linear + self.angular.cross(x - self.pose.position)
    }

    /// The same motion in coordinates whose origin is now called `pivot`.
    pub(super) fn about(self, pivot: DVec3) -> Self {
        let position = pivot + self.pose.position - self.pose.rotation * pivot;
        let pose = Pose { position, rotation: self.pose.rotation };
        // The origin of the body is another point now; its velocity is that of the same rigid motion there.
        let linear = self.linear + self.angular.cross(-(self.pose.rotation * pivot));
        Self { pose, linear, angular: self.angular }
    }
}
