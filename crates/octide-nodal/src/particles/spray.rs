//! Water that has escaped and is alone flies on as spray (after Guendelman et al. 2005), by its own velocity:
//!
//! ```text
//! x ← x + dt v + ½ dt² g,   v ← v + dt g.
//! ```
//!
//! It is alone where no corner of its leaf is in water and the surface is more than [`ALONE`] radii away.
//! Behind the surface it is water again, and what it brings is told ([`Landed`]). It ends, too, some time
//! after it left.

use super::advance::Walls;
use super::{LevelParticles, Marker, Surroundings};
use crate::mesh::Mesh;
use glam::{DVec3, Vec3};
use octide_core::index::{CellId, Field, NodeId};
use octide_core::octree::nodal::sample;
use octide_core::par;
use std::f64::consts::PI;

/// A marker is alone this many radii away from the surface.
pub const ALONE: f64 = 1.5;

/// A drop that flies on its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Droplet {
    /// Where it is.
    pub x: DVec3,
    /// Its velocity in m/s.
    pub v: Vec3,
    /// Its radius in m.
    pub radius: f32,
    /// Seconds since it left the water.
    pub flight: f32,
    /// Its own number.
    pub id: u32,
}

impl Droplet {
    /// Its volume in m³.
    pub fn volume(&self) -> f64 {
        4.0 / 3.0 * PI * f64::from(self.radius).powi(3)
    }
}

/// A drop that has come back to the water, and the leaf that it fell into.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Landed {
    /// The leaf.
    pub cell: CellId,
    /// The drop as it was.
    pub drop: Droplet,
}

impl LevelParticles {
    /// The volume of all spray, in m³.
    pub fn spray_volume(&self) -> f64 {
        self.drops.iter().map(Droplet::volume).sum()
    }

    /// Moves drops; returns the volume of those that left.
    pub(super) fn fly(&mut self, around: &Surroundings<'_>, walls: &Walls, dt: f64) -> f64 {
        let gravity = around.gravity;
        par::update(&mut self.drops, |_, d| {
            let mut x = d.x + dt * (d.v.as_dvec3() + 0.5 * dt * gravity);
            let mut v = d.v.as_dvec3() + dt * gravity;
            let radius = f64::from(d.radius);
            if let Some(n) = around.solids.push_out(&mut x, radius, radius) {
                v -= (v - around.solids.velocity(x)).dot(n).min(0.0) * n;
            }
            let (x, hit) = walls.inside(x);
            for a in (0..3).filter(|&a| hit[a]) {
                v[a] = 0.0;
            }
            *d = Droplet { x, v: v.as_vec3(), flight: d.flight + dt as f32, ..*d };
        });
        let before = self.spray_volume();
        self.drops.retain(|d| walls.holds(d.x));
        before - self.spray_volume()
    }

    /// Takes drops that are behind the surface out of the spray, and ends old ones.
    pub(super) fn land(&mut self, mesh: &Mesh, phi: &Field<NodeId, f64>, life: f64) -> Vec<Landed> {
        let is_in = |d: &Droplet| sample(&mesh.tree, &mesh.nodes, phi, d.x) < 0.0;
        let landed: Vec<Landed> = self
            .drops
            .iter()
            .filter(|d| is_in(d))
            .map(|d| Landed { cell: mesh.tree.nearest_leaf(d.x), drop: *d })
            .collect();
        self.drops.retain(|d| !is_in(d) && f64::from(d.flight) < life);
        landed
    }

    /// Lets a marker fly.
    pub(super) fn launch(&mut self, m: &Marker, v: DVec3) {
        let id = self.next_id;
        self.next_id = self.next_id.wrapping_add(1);
        self.drops.push(Droplet {
            x: m.position(),
            v: v.as_vec3(),
            radius: m.radius() as f32,
            flight: 0.0,
            id,
        });
    }
}
