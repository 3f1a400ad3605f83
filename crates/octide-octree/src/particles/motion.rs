//! Motion of particles. In the water they move by the midpoint rule with the same velocities that φ is traced
//! with, and stay outside solids and inside walls. Spray flies freely: x + v dt + g dt²/2.

use super::activity::ACTIVITY_LIFETIME;
use super::{Life, Particle, RADIUS};
use crate::apertures::Apertures;
use crate::mesh::Mesh;
use crate::nodal::{CornerVelocity, velocity_from};
use crate::params::Params;
use crate::solids::Solids;
use glam::Vec3;
use octide_core::par;
use octide_core::particles::{Walls, fall, midpoint_displacement, push_out};

/// Moves the particles of `mesh` by `dt`. `solids` are those after the step, `apertures` those before it.
pub fn move_particles(
    mesh: &Mesh,
    list: &[Particle],
    corners: &CornerVelocity,
    apertures: &Apertures,
    solids: &Solids,
    params: &Params,
    dt: f64,
) -> Vec<Particle> {
    let gravity = params.gravity;
    let decrease = (dt / (ACTIVITY_LIFETIME * params.fall_time)) as f32;
    let dx = mesh.tree.grid().dx();
    let radius = RADIUS * dx;
    let walls = Walls::new(mesh.tree.grid(), 0.1 * dx, params.flows.open);
    par::map_index(list.len(), |i| {
        let mut p = list[i];
        let from = p.x(mesh);
        let mut x = match p.life() {
            Life::Spray(flight) => {
                let (x, gain) = fall(from, p.v.as_dvec3(), gravity, dt);
                p = p.with(Life::Spray(flight + dt as f32));
                p.v += gain.as_vec3();
                x
            }
            Life::Water(activity) => {
                p = p.with(Life::Water((activity - decrease).max(0.0)));
                let mut near = mesh.tree.nearest_leaf(from);
                let start = velocity_from(mesh, corners, &mut near, from);
                let velocity = |x| velocity_from(mesh, corners, &mut { near }, x);
                from + midpoint_displacement(from, start, dt, |x| x, velocity)
            }
        };
        if !x.is_finite() {
            // A stored place is always finite, so a NaN velocity marks the failure.
            return Particle { v: Vec3::NAN, ..p };
        }
        x = corners.barriers().stop(&mesh.tree, from, x, p.is_spray());
        let (inside, hit) = walls.inside(x);
        x = inside;
        for a in (0..3).filter(|&a| hit[a]) {
            p.v[a] = 0.0;
        }
        if apertures.has_solids() {
            // The distance to a solid changes by at most the distance moved, and a solid moves by at most a
            // few cells.
            let known = apertures.solid_distance(mesh.tree.nearest_leaf(from));
            if known < 8.0 * dx + (x - from).length()
                && let Some(lost) = push_out(solids, &mut x, p.v.as_dvec3(), 0.4 * radius, radius)
            {
                p.v -= lost.as_vec3();
                x = corners.barriers().stop(&mesh.tree, from, x, p.is_spray());
            }
        }
        Particle { place: mesh.tree.grid().place(x), ..p }
    })
}
