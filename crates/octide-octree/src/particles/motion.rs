//! Particles move with the water, by the midpoint rule through the same velocities that φ is traced with, and
//! stay outside solids and inside walls. Spray flies by itself: x + v dt + g dt²/2.

use super::heat::COOLING;
use super::{Life, Particle, RADIUS};
use crate::apertures::Apertures;
use crate::mesh::Mesh;
use crate::nodal::{CornerVelocity, velocity_at};
use crate::params::Params;
use crate::solids::Solids;
use glam::{DVec3, Vec3};
use octide_core::par;

/// The particles of `mesh` after `dt`; `solids` stand where they are then, `apertures` are those of before.
pub fn moved(
    mesh: &Mesh,
    list: &[Particle],
    corners: &CornerVelocity,
    apertures: &Apertures,
    solids: &Solids,
    params: &Params,
    dt: f64,
) -> Vec<Particle> {
    let gravity = params.gravity;
    let cooled = (dt / (COOLING * params.fall_time)) as f32;
    let dx = mesh.tree.grid().dx();
    let margin = 0.1 * dx;
    let (low, high) = (mesh.tree.grid().low() + margin, mesh.tree.grid().high() - margin);
    par::map_index(list.len(), |i| {
        let mut p = list[i];
        let from = p.x(mesh);
        let mut x = match p.life() {
            Life::Spray(flight) => {
                let x = from + dt * (p.v.as_dvec3() + 0.5 * dt * gravity);
                p = p.with(Life::Spray(flight + dt as f32));
                p.v += (dt * gravity).as_vec3();
                x
            }
            Life::Water(heat) => {
                p = p.with(Life::Water((heat - cooled).max(0.0)));
                let half = from + 0.5 * dt * velocity_at(mesh, corners, from);
                from + dt * velocity_at(mesh, corners, half)
            }
        };
        if !x.is_finite() {
            // A place is always finite: the velocity tells.
            return Particle { v: Vec3::NAN, ..p };
        }
        let inside = x.clamp(low, high);
        for a in 0..3 {
            // Through an open side they leave.
            let side = 2 * a + usize::from(x[a] > inside[a]);
            if inside[a] != x[a] && !params.flows.open.sides[side] {
                (x[a], p.v[a]) = (inside[a], 0.0);
            }
        }
        if apertures.has_solids() {
            // Distance changes by no more than the way gone, and a solid by no more than a few cells.
            let known = apertures.solid_distance(mesh.tree.nearest_leaf(from));
            if known < 8.0 * dx + (x - from).length() {
                push_out(&mut x, &mut p.v, solids, RADIUS * dx);
            }
        }
        Particle { place: mesh.tree.grid().place(x), ..p }
    })
}

/// Moves a particle out of solids and takes away what speed it has into them.
fn push_out(x: &mut DVec3, v: &mut Vec3, solids: &Solids, radius: f64) {
    let Some(n) = solids.push_out(x, 0.4 * radius, radius) else { return };
    let into = (v.as_dvec3() - solids.velocity(*x)).dot(n).min(0.0);
    *v -= (into * n).as_vec3();
}
