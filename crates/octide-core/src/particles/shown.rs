//! Particles as the columns of a frame.

use crate::contract::Particles;
use glam::{DVec3, Vec3};

/// A particle as a frame shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShownParticle {
    /// Its position.
    pub x: DVec3,
    /// Its velocity in m/s.
    pub v: Vec3,
    /// Its radius in m.
    pub radius: f32,
    /// Whether it is in free flight outside the surface.
    pub is_spray: bool,
    /// An id that stays the same from frame to frame.
    pub id: u32,
}

impl FromIterator<ShownParticle> for Particles {
    fn from_iter<I: IntoIterator<Item = ShownParticle>>(particles: I) -> Self {
        let particles = particles.into_iter();
        let mut all = Self::default();
        let n = particles.size_hint().0;
        all.positions.reserve_exact(n);
        all.velocities.reserve_exact(n);
        all.radii.reserve_exact(n);
        all.kinds.reserve_exact(n);
        all.ids.reserve_exact(n);
        for p in particles {
            all.positions.push(p.x.as_vec3().to_array());
            all.velocities.push(p.v.to_array());
            all.radii.push(p.radius);
            all.kinds.push(if p.is_spray { Self::SPRAY } else { 0 });
            all.ids.push(p.id);
        }
        all
    }
}
