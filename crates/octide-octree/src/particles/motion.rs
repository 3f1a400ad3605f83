//! Particles move with the water, by the midpoint rule through the same velocities that φ is traced with, and stay
//! outside solids and inside walls. Spray flies by itself: x + v dt + g dt²/2.

use super::heat::COOLING;
use super::{Particle, RADIUS};
use crate::apertures::Apertures;
use crate::mesh::Mesh;
use crate::nodal::velocity_at;
use crate::params::Params;
use crate::solids::Solids;
use glam::DVec3;
use octide_core::index::{Field, NodeId};
use octide_core::par;

/// The particles of `mesh` after `dt`; `solids` stand where they are then, `apertures` are those of before.
pub fn moved(
    mesh: &Mesh,
    list: &[Particle],
    corners: &Field<NodeId, DVec3>,
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
        let from = p.x;
        p.heat = (p.heat - cooled).max(0.0);
        if p.is_spray() {
            p.x += dt * (p.v.as_dvec3() + 0.5 * dt * gravity);
            p.v += (dt * gravity).as_vec3();
            p.flight += dt as f32;
        } else {
            let half = p.x + 0.5 * dt * velocity_at(mesh, corners, p.x);
            p.x += dt * velocity_at(mesh, corners, half);
        }
        let mut inside = p.x.clamp(low, high);
        for a in 0..3 {
            // Through an open side they leave.
            let side = 2 * a + usize::from(p.x[a] > inside[a]);
            if inside[a] != p.x[a] && params.flows.open.sides[side] {
                inside[a] = p.x[a];
            }
        }
        for a in 0..3 {
            if inside[a] != p.x[a] {
                p.v[a] = 0.0;
            }
        }
        p.x = inside;
        if apertures.has_solids() {
            // Distance changes by no more than the way gone, and a solid by no more than a few cells.
            let known = apertures.solid_distance(mesh.tree.locate(from));
            if known < 8.0 * dx + (p.x - from).length() {
                push_out(&mut p, solids, RADIUS * dx);
            }
        }
        p
    })
}

/// Moves a particle out of solids and takes away what speed it has into them.
fn push_out(p: &mut Particle, solids: &Solids, radius: f64) {
    let Some(n) = solids.push_out(&mut p.x, 0.4 * radius, radius) else { return };
    let v = p.v.as_dvec3() - solids.velocity(p.x);
    let into = v.dot(n).min(0.0);
    p.v -= (into * n).as_vec3();
}
