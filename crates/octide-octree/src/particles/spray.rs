//! Spray: particles that leave the water, and return with their momentum.
//!
//! A particle becomes spray when it is farther outside the grid's surface than its radius, and water again
//! when it is inside the surface; its momentum then counts like any other particle's. If it lands in water
//! that is coarser than the finest level, it delivers its momentum and is removed. Spray is part of the
//! liquid's volume. It is also removed some time after it left the water.

use super::level::sampled;
use super::{Gradient, Life, MASS, Particle, Particles, RADIUS};
use crate::flows::{Flows, Moment};
use crate::mesh::Mesh;
use crate::sizing::RefinementPoint;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;
use octide_core::particles::{Delivery, deliver_in_turn};

/// Spray is removed after this many times the duration of a fall through the domain.
const SPRAY_LIFETIME: f64 = 2.0;

/// The particles that have become spray in a step, and the spray that is no longer any.
#[derive(Clone, Debug, Default)]
pub struct Separated {
    /// Particles that end in coarse water, with their cells; their momentum goes to the grid.
    pub ended: Vec<(CellId, Particle)>,
    /// Particles that have become spray: their cells and numbers.
    pub left: Vec<(CellId, u32)>,
    /// The cells of spray that has become water, and its volume in finest cells.
    pub landed: Vec<(CellId, f64)>,
    /// The same of spray that was removed because it has flown for too long.
    pub expired: Vec<(CellId, f64)>,
}

/// Turns particles that have left the water into spray and spray that has returned into water, and removes
/// spray that has flown for too long.
pub fn separate_spray(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    particles: &mut Particles,
    fall_time: f64,
) -> Separated {
    let dx = mesh.tree.grid().dx() as f32;
    let finest = mesh.tree.grid().max_level();
    let life = (SPRAY_LIFETIME * fall_time) as f32;
    let here = sampled(mesh, phi, particles);
    let lands = |i: usize| particles.list[i].is_spray() && here[i] < 0.0;
    let leaves = |i: usize| !particles.list[i].is_spray() && here[i] > RADIUS as f32 * dx;
    let expires =
        |i: usize| matches!(particles.list[i].life(), Life::Spray(flight) if flight >= life) && !lands(i);
    let of_kind = |is: &(dyn Fn(usize) -> bool + Sync)| {
        par::collect(mesh.n_cells(), |i, out: &mut Vec<(CellId, Particle)>| {
            let c = CellId(i as u32);
            let found = particles.bins.of_cell(c).filter(|&i| is(i));
            out.extend(found.map(|i| (c, particles.list[i])));
        })
    };
    let volumes = |list: Vec<(CellId, Particle)>| list.into_iter().map(|(c, p)| (c, p.volume())).collect();
    let left = of_kind(&leaves).into_iter().map(|(c, p)| (c, p.id)).collect();
    let (landed, expired) = (volumes(of_kind(&lands)), volumes(of_kind(&expires)));
    par::update(&mut particles.list, |i, p| {
        if p.is_spray() && here[i] < 0.0 {
            *p = Particle { phi: here[i], ..p.with(Life::Water(1.0)) };
        } else if !p.is_spray() && here[i] > RADIUS as f32 * dx {
            *p = p.with(Life::Spray(0.0));
        }
    });
    let gone = par::collect(mesh.n_cells(), |i, out| {
        let c = CellId(i as u32);
        if mesh.tree.level(c) != finest {
            out.extend(particles.of_cell(c).iter().filter(|p| !p.is_spray()).map(|p| (c, *p)));
        }
    });
    let stays = |level, p: &Particle| match p.life() {
        Life::Spray(flight) => flight < life,
        Life::Water(_) => level == finest,
    };
    particles.retain(stays, mesh);
    Separated { ended: gone, left, landed, expired }
}

/// Returns where spray will land within a step: there the water must be fine enough to resolve the impact
/// (§6.4).
pub fn landings(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    particles: &Particles,
    dt: f64,
) -> Vec<RefinementPoint> {
    let grid = mesh.tree.grid();
    par::collect(mesh.n_cells(), |i, out| {
        let c = CellId(i as u32);
        for p in particles.of_cell(c).iter().filter(|p| p.is_spray()) {
            let way = dt * p.v.as_dvec3();
            if phi[c] < way.length() + 2.0 * mesh.tree.size(c) {
                out.push(RefinementPoint { at: p.x(mesh) + way, level: grid.max_level() });
            }
        }
    })
}

/// Removes particles that have left the domain or are in an outflow. Returns the others, and the volume of
/// the removed spray in m³; the volume of removed water is accounted for by φ.
pub fn remove_departed(
    mesh: &Mesh,
    mut list: Vec<Particle>,
    mut gradients: Vec<Gradient>,
    flows: &Flows,
    now: Moment,
) -> (Vec<Particle>, Vec<Gradient>, f64) {
    let (grid, flows) = (mesh.tree.grid(), flows.during(now));
    let leaves = par::map_index(list.len(), |i| {
        let x = list[i].x(mesh);
        x.cmplt(grid.low()).any() || x.cmpgt(grid.high()).any() || flows.takes(x)
    });
    if !leaves.contains(&true) {
        return (list, gradients, 0.0);
    }
    let gone: Vec<Particle> =
        list.iter().zip(&leaves).filter(|(_, leaves)| **leaves).map(|(p, _)| *p).collect();
    keep_others(&mut list, &leaves);
    keep_others(&mut gradients, &leaves);
    (list, gradients, volume_of(mesh, &gone))
}

/// Removes the items that are marked in `leaves`.
fn keep_others<T>(list: &mut Vec<T>, leaves: &[bool]) {
    let mut leaves = leaves.iter();
    list.retain(|_| leaves.next().is_none_or(|leaves| !leaves));
}

/// Returns the volume of all spray, in m³.
pub fn volume(mesh: &Mesh, particles: &Particles) -> f64 {
    volume_of(mesh, &particles.list)
}

fn volume_of(mesh: &Mesh, list: &[Particle]) -> f64 {
    let spray = list.iter().filter(|p| p.is_spray());
    spray.map(Particle::volume).sum::<f64>() * mesh.tree.grid().dx().powi(3)
}

/// Adds the momentum of particles that ended in coarse water to the faces of their cells.
pub fn deliver(mesh: &Mesh, gone: &[(CellId, Particle)], u: &mut Field<FaceId, f64>) {
    let mass = f64::from(MASS) * mesh.tree.grid().dx().powi(3);
    let of_particle = |(cell, p): &(CellId, Particle)| {
        let h = mesh.tree.size(*cell);
        let r = (p.x(mesh) - mesh.tree.center(*cell)) / h;
        let v = p.v;
        mesh.faces.of_cell(*cell).iter().enumerate().filter(|(_, k)| !mesh.faces.is_wall(**k)).map(
            move |(direction, &face)| {
                let axis = direction / 2;
                let w = if direction & 1 == 1 { 0.5 + r[axis] } else { 0.5 - r[axis] };
                Delivery { face, share: w * mass / (h.powi(3) + mass), velocity: f64::from(v[axis]) }
            },
        )
    };
    deliver_in_turn(gone.iter().flat_map(of_particle), u);
}
