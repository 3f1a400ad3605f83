//! Spray as part of the surface's mesh, for programs that read meshes only: each drop is a ball of triangles with the
//! drop's volume and velocity. Drops may overlap each other and the surface.

use crate::contract::{Frame, Particles};
use crate::geometry::primitives::icosphere;
use crate::scene::Spray;
use glam::{DVec3, Vec3};
use std::f64::consts::PI;

/// How often the faces of an icosahedron are divided: 80 triangles a drop.
const SUBDIVISIONS: u32 = 1;

/// Leaves the spray of a frame where a run writes it.
pub fn show_spray(frame: &mut Frame, how: Spray) {
    match how {
        Spray::Particles => {}
        Spray::Surface => join(frame),
        Spray::None => remove(&mut frame.particles),
    }
}

/// Adds the spray of a frame to its surface, and takes it out of its particles.
fn join(frame: &mut Frame) {
    let ball = icosphere(DVec3::ZERO, 1.0, SUBDIVISIONS);
    // The ball of triangles is inside the sphere, so that it must be a little larger.
    let larger = (4.0 / 3.0 * PI / ball.volume()).cbrt() as f32;
    let Frame { surface, particles, .. } = frame;
    let is_spray = |i: &usize| particles.kinds[*i] == Particles::SPRAY;
    for i in (0..particles.len()).filter(is_spray) {
        let first = surface.mesh.positions.len() as u32;
        let (center, radius) = (Vec3::from_array(particles.positions[i]), larger * particles.radii[i]);
        for &normal in &ball.positions {
            surface.mesh.positions.push((center + radius * Vec3::from_array(normal)).to_array());
            surface.normals.push(normal);
            surface.velocities.push(particles.velocities[i]);
        }
        surface.mesh.triangles.extend(ball.triangles.iter().map(|t| t.map(|v| first + v)));
    }
    remove(particles);
}

/// Removes spray from particles.
fn remove(particles: &mut Particles) {
    let stays: Vec<bool> = particles.kinds.iter().map(|kind| *kind != Particles::SPRAY).collect();
    if stays.iter().all(|stays| *stays) {
        return;
    }
    let Particles { positions, velocities, radii, kinds, ids } = particles;
    keep(positions, &stays);
    keep(velocities, &stays);
    keep(radii, &stays);
    keep(kinds, &stays);
    keep(ids, &stays);
}

fn keep<T>(list: &mut Vec<T>, stays: &[bool]) {
    let mut stays = stays.iter();
    list.retain(|_| stays.next().is_none_or(|stays| *stays));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::Surface;

    #[test]
    fn drops_become_balls_of_their_volume_and_velocity() {
        let particles = Particles {
            positions: vec![[1.0, 2.0, 3.0], [0.0, 0.5, 0.25], [-2.0, 0.0, 0.5]],
            velocities: vec![[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]],
            radii: vec![0.1, 0.3, 0.2],
            kinds: vec![Particles::SPRAY, 0, Particles::SPRAY],
            ids: vec![4, 5, 6],
        };
        let mesh = icosphere(DVec3::ZERO, 0.5, 2);
        let n = mesh.positions.len();
        let surface = Surface { normals: vec![[0.0, 1.0, 0.0]; n], velocities: vec![[0.0; 3]; n], mesh };
        let before = surface.mesh.volume();
        let mut frame = Frame { surface, particles, ..Frame::default() };
        let (n_drops, volume) = frame.particles.spray();
        assert_eq!(n_drops, 2);
        assert!((volume - 4.0 / 3.0 * PI * 0.009).abs() < 1e-8, "{volume}");
        let mut without = frame.clone();
        show_spray(&mut without, Spray::Particles);
        assert_eq!((without.particles.len(), &without.surface), (3, &frame.surface));
        show_spray(&mut without, Spray::None);
        assert_eq!((without.particles.len(), &without.surface), (1, &frame.surface));
        show_spray(&mut frame, Spray::Surface);
        let Frame { surface, particles, .. } = frame;
        assert!(surface.mesh.is_closed_manifold());
        assert!((surface.mesh.volume() - before - volume).abs() < 1e-6, "{}", surface.mesh.volume());
        assert_eq!(surface.normals.len(), surface.mesh.positions.len());
        assert_eq!(
            (surface.velocities[n], surface.velocities.last()),
            ([1.0, 0.0, 0.0], Some(&[0.0, 0.0, 3.0]))
        );
        assert_eq!((particles.ids.as_slice(), particles.radii.as_slice()), (&[5][..], &[0.3][..]));
        assert_eq!(particles.spray(), (0, 0.0));
    }
}
