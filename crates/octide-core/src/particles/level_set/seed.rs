//! Seeding of markers: a random position in the cell is moved along ∇φ toward a random distance that exists
//! in the cell,
//!
//! ```text
//! x ← x + λ (s g − φ(x)) ∇φ/|∇φ|,   g uniform in [r_min, 3 dx] ∩ s φ(cell),
//! ```
//!
//! with λ = 1, halved until the marker is on its side and in the band; if that fails, no marker is seeded.
//!
//! Each cell only seeds distances that exist in it, so that cells that have lost markers can be reseeded.

use super::{BAND, Packed, SMALLEST};
use crate::index::CellId;
use crate::octree::Octree;
use crate::octree::nodal::{trilinear, trilinear_gradient};
use crate::particles::place_among_leaves;
use crate::random::{Seed, Symmetric};
use crate::solids::Solids;
use glam::DVec3;

/// Maximum number of tries, each of which halves λ.
const TRIES: usize = 5;

/// Returns the range of distances for markers of a sign in a finest leaf of edge `dx` with `phi` at its
/// corners; `None` if the leaf has no room for them.
#[inline]
pub(super) fn distances(phi: &[f64; 8], sign: f64, dx: f64) -> Option<(f64, f64)> {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for phi in phi {
        let d = sign * phi;
        (low, high) = (low.min(d), high.max(d));
    }
    let (low, high) = (low.max(SMALLEST * dx), high.min(BAND * dx));
    (low < high).then_some((low, high))
}

/// A leaf of the finest level in which markers are seeded.
pub(super) struct Seeder<'a> {
    /// φ at the corners.
    phi: [f64; 8],
    solids: &'a Solids,
    center: DVec3,
    dx: f64,
    /// Random numbers for the cell's position.
    random: Symmetric,
    step: u32,
}

impl<'a> Seeder<'a> {
    pub(super) fn new(
        tree: &Octree,
        phi: [f64; 8],
        solids: &'a Solids,
        cell: CellId,
        step: u32,
        seed: Seed,
    ) -> Self {
        let (coord, across) = place_among_leaves(tree, cell);
        let (center, dx) = (tree.center(cell), tree.size(cell));
        Self { phi, solids, center, dx, random: Symmetric::new(coord, across, seed), step }
    }

    /// Appends `n` markers of a sign, or fewer where no position is found for them.
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

    /// Moves `x` toward the distance `goal`. Returns a position in the cell and its distance.
    fn pulled(&self, mut x: DVec3, sign: f64, goal: f64) -> Option<(DVec3, f64)> {
        let mut lambda = 1.0;
        for _ in 0..TRIES {
            let t = (x - self.center) / self.dx + 0.5;
            let n = trilinear_gradient(|c| self.phi[c], t, self.dx).normalize_or_zero();
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
        trilinear(|c| self.phi[c], (x - self.center) / self.dx + 0.5)
    }
}
