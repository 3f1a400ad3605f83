//! New markers: a random place in the cell, pulled along ∇φ toward a random distance that the cell has room
//! for,
//!
//! ```text
//! x ← x + λ (s g − φ(x)) ∇φ/|∇φ|,   g uniform in [r_min, 3 dx] ∩ s φ(cell),
//! ```
//!
//! with λ = 1, halved until the marker is on its side and in the band; without success there is none.
//!
//! Differs from Enright et al.: there g is drawn from the whole band, and every cell of the band seeds both
//! signs, so that each side has twice as many. Here cells fill themselves, and those that have lost some can
//! be filled again.

use super::{BAND, Packed, SMALLEST, place_among};
use crate::mesh::Mesh;
use glam::DVec3;
use octide_core::index::{CellId, Field, NodeId};
use octide_core::octree::nodal::{sample_in, trilinear_gradient};
use octide_core::random::{Seed, Symmetric};
use octide_core::solids::Solids;

/// How often λ is halved.
const TRIES: usize = 5;

/// A leaf of the finest level, its φ, and what distances a sign may have in it.
pub(super) struct Seeder<'a> {
    mesh: &'a Mesh,
    phi: &'a Field<NodeId, f64>,
    solids: &'a Solids,
    cell: CellId,
    center: DVec3,
    dx: f64,
    /// Random numbers of the cell's place.
    random: Symmetric,
    step: u32,
}

impl<'a> Seeder<'a> {
    pub(super) fn new(
        mesh: &'a Mesh,
        phi: &'a Field<NodeId, f64>,
        solids: &'a Solids,
        cell: CellId,
        step: u32,
        seed: Seed,
    ) -> Self {
        let (coord, across) = place_among(&mesh.tree, cell);
        let (center, dx) = (mesh.tree.center(cell), mesh.tree.size(cell));
        Self { mesh, phi, solids, cell, center, dx, random: Symmetric::new(coord, across, seed), step }
    }

    /// The distances that markers of a sign may have in the cell; none where it has no room for them.
    pub(super) fn range(&self, sign: f64) -> Option<(f64, f64)> {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for &v in self.mesh.nodes.of_cell(self.cell) {
            let d = sign * self.phi[v];
            (low, high) = (low.min(d), high.max(d));
        }
        let (low, high) = (low.max(SMALLEST * self.dx), high.min(BAND * self.dx));
        (low < high).then_some((low, high))
    }

    /// Pushes `n` markers of a sign, or fewer where there is no place for them.
    pub(super) fn seed(&self, sign: f64, range: (f64, f64), n: usize, out: &mut Vec<Packed>) {
        let near_solid = !self.solids.is_empty() && self.solids.distance(self.center) < 2.0 * self.dx;
        let key = u64::from(self.step) << 1 | u64::from(sign > 0.0);
        for (start, share) in self.random.spread(key, n) {
            let goal = range.0 + share * (range.1 - range.0);
            let start = start - 0.5;
            let Some((x, d)) = self.pulled(self.center + self.dx * start, sign, goal) else { continue };
            if near_solid && self.solids.distance(x) < SMALLEST * self.dx {
                continue;
            }
            let t = (x - self.center) / self.dx + 0.5;
            out.push(Packed::new(t, sign).with_radius(d / self.dx));
        }
    }

    /// A place of the cell near the goal, and its distance.
    fn pulled(&self, mut x: DVec3, sign: f64, goal: f64) -> Option<(DVec3, f64)> {
        let mut lambda = 1.0;
        for _ in 0..TRIES {
            let t = (x - self.center) / self.dx + 0.5;
            let corners = self.mesh.nodes.of_cell(self.cell);
            let n = trilinear_gradient(|c| self.phi[corners[c]], t, self.dx).normalize_or_zero();
            let to = x + lambda * (sign * goal - self.at(x)) * n;
            let inside = (to - self.center).abs().max_element() < 0.5 * self.dx;
            if inside {
                x = to;
            }
            let d = sign * self.at(x);
            if d >= SMALLEST * self.dx && d <= BAND * self.dx {
                return Some((x, d));
            }
            lambda *= 0.5;
        }
        None
    }

    fn at(&self, x: DVec3) -> f64 {
        sample_in(&self.mesh.tree, &self.mesh.nodes, self.phi, self.cell, x)
    }
}
