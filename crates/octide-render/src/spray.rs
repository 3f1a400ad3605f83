//! Spray in pictures: each spray particle is a small ball of water, added to the surface.

#[cfg(test)]
mod tests;

use glam::Vec3;
use octide_core::contract::{Particles, Surface};
use octide_core::geometry::primitives::icosphere;
use std::borrow::Cow;

/// Returns the surface with a small ball for each spray particle.
pub fn with_spray<'a>(surface: &'a Surface, particles: &Particles) -> Cow<'a, Surface> {
    let is_drop = |i: &usize| {
        particles.kinds.get(*i) == Some(&Particles::SPRAY)
            && particles.radii.get(*i).is_some_and(|r| r.is_finite() && *r > 0.0)
    };
    let drops: Vec<usize> = (0..particles.len()).filter(is_drop).collect();
    // A surface without normals gets them from its triangles later, and so do the balls.
    let has_normals = surface.normals.len() == surface.mesh.positions.len();
    if drops.is_empty() {
        return Cow::Borrowed(surface);
    }
    let ball = icosphere(glam::DVec3::ZERO, 1.0, 0);
    let mut all = surface.clone();
    all.velocities.clear();
    for i in drops {
        let first = all.mesh.positions.len() as u32;
        let (center, radius) = (Vec3::from_array(particles.positions[i]), particles.radii[i]);
        let points = ball.positions.iter().map(|&n| (center + radius * Vec3::from_array(n)).to_array());
        all.mesh.positions.extend(points);
        all.mesh.triangles.extend(ball.triangles.iter().map(|t| t.map(|k| first + k)));
        if has_normals {
            all.normals.extend_from_slice(&ball.positions);
        }
    }
    Cow::Owned(all)
}
