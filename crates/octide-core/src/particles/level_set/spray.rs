//! Spray: liquid markers that have escaped and are isolated continue in free flight,
//!
//! ```text
//! x ← x + dt v + ½ dt² g,   v ← v + dt g.
//! ```
//!
//! A marker is isolated if no corner of its leaf is in liquid and the surface is more than [`ALONE`] radii
//! away. A droplet that reaches the liquid is absorbed, and what it contributes is returned ([`Landed`]).
//! Droplets are also removed after a given time of flight.

use super::{LevelParticles, MarkedField, Marker};
use crate::index::{CellId, Field};
use crate::octree::Octree;
use crate::octree::nodal::trilinear;
use crate::par;
use crate::particles::{Surroundings, Walls, fall, push_out};
use glam::{DVec3, Vec3};
use std::f64::consts::PI;

/// A marker is isolated if the surface is more than this many radii away.
pub const ALONE: f64 = 1.5;

/// A droplet in free flight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Droplet {
    /// Its position.
    pub x: DVec3,
    /// Its velocity in m/s.
    pub v: Vec3,
    /// Its radius in m.
    pub radius: f32,
    /// Seconds since it left the liquid.
    pub flight: f32,
    /// Its id.
    pub id: u32,
}

impl Droplet {
    /// Its volume in m³.
    pub fn volume(&self) -> f64 {
        4.0 / 3.0 * PI * f64::from(self.radius).powi(3)
    }
}

/// A droplet that has come back to the liquid, and the leaf that it fell into.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Landed {
    /// The leaf.
    pub cell: CellId,
    /// The droplet before it landed.
    pub drop: Droplet,
}

impl LevelParticles {
    /// Returns the volume of all spray, in m³.
    pub fn spray_volume(&self) -> f64 {
        self.drops.iter().map(Droplet::volume).sum()
    }

    /// Moves droplets; returns the volume of those that left the domain.
    pub(super) fn fly(&mut self, tree: &Octree, around: &Surroundings<'_>, walls: &Walls, dt: f64) -> f64 {
        par::update(&mut self.drops, |_, d| {
            let (mut x, gain) = fall(d.x, d.v.as_dvec3(), around.gravity, dt);
            x = around.stopped(tree, d.x, x, true);
            let mut v = d.v.as_dvec3() + gain;
            let radius = f64::from(d.radius);
            if let Some(lost) = push_out(around.solids, &mut x, v, radius, radius) {
                v -= lost;
                x = around.stopped(tree, d.x, x, true);
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

    /// Removes droplets that are inside the liquid from the spray and returns them; deletes old ones.
    pub(super) fn land<F: MarkedField>(
        &mut self,
        field: &F,
        phi: &Field<F::Sample, f64>,
        life: f64,
    ) -> Vec<Landed> {
        let tree = field.tree();
        let is_in = |d: &Droplet| {
            let x = d.x.clamp(tree.grid().low(), tree.grid().high());
            let cell = tree.nearest_leaf(x);
            let values = field.at_corners(phi, cell);
            trilinear(|c| values[c], tree.place_in(cell, x)) < 0.0
        };
        let landed: Vec<Landed> = self
            .drops
            .iter()
            .filter(|d| is_in(d))
            .map(|d| Landed { cell: tree.nearest_leaf(d.x), drop: *d })
            .collect();
        self.drops.retain(|d| !is_in(d) && f64::from(d.flight) < life);
        landed
    }

    /// Turns a marker into a droplet.
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
