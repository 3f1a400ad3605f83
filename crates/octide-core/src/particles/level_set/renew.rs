//! Renewal of markers: which are kept, which are deleted, which are seeded, and which become spray.
//!
//! Cells of the finest level in the band that have no marker of a sign are reseeded at once, all others every
//! [`reseed_every`](ParticleParams::reseed_every) steps, those deep in the band with half as many. In the
//! same steps, cells with too many markers lose those deepest inside, with the largest s φ(x) − r. Escaped
//! markers are neither counted nor moved. Markers are deleted if they are far beyond the band or in a coarse
//! leaf, and so are air markers that have escaped that far into liquid.

use super::leaf::Distances;
use super::seed::{Seeder, distances};
use super::spray::ALONE;
use super::{BAND, Landed, LevelParticles, MarkedField, Marker, Packed, ParticleParams, SMALLEST};
use crate::bins::Bins;
use crate::index::{CellId, Field};
use crate::octree::nodal::trilinear;
use crate::par;
use crate::particles::{Surroundings, place_among_leaves};
use glam::DVec3;

/// Markers farther from the surface than this are deleted, in finest cells.
const FAR: f64 = BAND + 1.0;

/// Cells farther from the surface than this have half as many markers, in finest cells.
const DEEP: f64 = 1.75;

/// A cell has too many markers if it has more than this factor times the wanted number.
const TOO_MANY: f64 = 1.5;

/// Inverse of the depth difference below which markers count as equally deep, in finest cells.
const EQUALLY_DEEP: f64 = 1e6;

/// Result of the renewal for a range of cells.
#[derive(Default)]
struct Renewed {
    stay: Vec<Packed>,
    counts: Vec<u32>,
    fly: Vec<(Marker, DVec3)>,
}

/// Input of the renewal.
struct Renewal<'a, F: MarkedField, V> {
    field: &'a F,
    phi: &'a Field<F::Sample, f64>,
    /// The velocity at the corners of a leaf.
    velocity: V,
    around: &'a Surroundings<'a>,
    params: &'a ParticleParams,
    old: &'a LevelParticles,
    /// Whether all cells are reseeded in this step.
    fill: bool,
}

impl LevelParticles {
    /// Renews the markers for the current φ, and returns the spray that came back to the liquid. `velocity`
    /// returns the velocity at the corners of a leaf, x fastest, with which spray is launched.
    pub fn renew<F: MarkedField>(
        &mut self,
        field: &F,
        phi: &Field<F::Sample, f64>,
        velocity: impl Fn(CellId) -> [DVec3; 8] + Sync + Send,
        around: &Surroundings<'_>,
        params: &ParticleParams,
    ) -> Vec<Landed> {
        if params.per_cell == 0 {
            return Vec::new();
        }
        let landed = self.land(field, phi, params.life);
        let fill = self.step.is_multiple_of(params.reseed_every);
        let renewal = Renewal { field, phi, velocity, around, params, old: self, fill };
        let parts = par::map_chunks(field.tree().n_cells(), |range| {
            let mut out = Renewed::default();
            for i in range {
                let from = out.stay.len();
                renewal.cell(CellId(i as u32), &mut out);
                out.counts.push((out.stay.len() - from) as u32);
            }
            out.stay.shrink_to_fit();
            out
        });
        self.bins = Bins::from_counts(parts.iter().flat_map(|p| p.counts.iter().copied()));
        self.markers = Vec::with_capacity(parts.iter().map(|p| p.stay.len()).sum());
        for part in parts {
            self.markers.extend(part.stay);
            for (m, v) in &part.fly {
                self.launch(m, *v);
            }
        }
        landed
    }
}

impl<F: MarkedField, V: Fn(CellId) -> [DVec3; 8]> Renewal<'_, F, V> {
    fn cell(&self, cell: CellId, out: &mut Renewed) {
        let there = self.old.packed(cell);
        let tree = self.field.tree();
        let dx = tree.grid().dx();
        let finest = tree.level(cell) == tree.grid().max_level();
        if there.is_empty() && !finest {
            return;
        }
        let first = out.stay.len();
        let mut counts = [0usize; 2];
        let phi = Distances::new(self.field, self.phi, cell);
        for &m in there {
            // Most markers are in cells that are entirely on their side and near the surface.
            let is_sure = phi.least(m) > 0.0 && phi.farthest() < FAR;
            let here = if is_sure { phi.least(m) * m.sign() } else { phi.at(m) };
            let escaped = m.has_escaped(here);
            if escaped && !m.is_air() && self.params.spray && self.is_alone(cell, m, here) {
                let corners = (self.velocity)(cell);
                let v = trilinear(|c| corners[c], m.place());
                out.fly.push((m.unpacked(tree, cell), v));
            } else if finest && here.abs() < FAR {
                out.stay.push(m);
                counts[usize::from(m.is_air())] += usize::from(!escaped);
            }
        }
        if !finest {
            return;
        }
        let values = self.field.at_corners(self.phi, cell);
        let middle = (1..8).fold(values[0], |sum, c| sum + values[c]) * 0.125;
        // Markers far inside matter only once the surface arrives: half as many suffice.
        let is_deep = middle.abs() > DEEP * dx;
        let wanted = if is_deep { self.params.per_cell.div_ceil(2) } else { self.params.per_cell };
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let n = counts[side];
            if self.fill && n as f64 > TOO_MANY * wanted as f64 {
                self.thin_out(cell, sign, first, wanted, &mut out.stay);
            }
            if n >= wanted || n > 0 && !self.fill {
                continue;
            }
            // Between reseedings a cell's center must be on the marker's side: slivers would be reseeded in
            // every step.
            if !self.fill && sign * middle <= SMALLEST * dx {
                continue;
            }
            if let Some(range) = distances(&values, sign, dx) {
                let (step, seed) = (self.old.step, self.params.seed);
                let seeder = Seeder::new(tree, values, self.around.solids, cell, step, seed);
                seeder.seed(sign, range, wanted - n, &mut out.stay);
            }
        }
    }

    fn is_alone(&self, cell: CellId, m: Packed, here: f64) -> bool {
        here > ALONE * m.radius() && self.field.at_corners(self.phi, cell).iter().all(|&phi| phi > 0.0)
    }

    /// Reduces the markers of a sign in a cell to the `n` nearest to the surface, and keeps all that have
    /// escaped.
    fn thin_out(&self, cell: CellId, sign: f64, first: usize, n: usize, stay: &mut Vec<Packed>) {
        let phi = Distances::new(self.field, self.phi, cell);
        let depth = |m: Packed| {
            let here = phi.at(m);
            if m.sign() != sign || m.has_escaped(here) { f64::NEG_INFINITY } else { sign * here - m.radius() }
        };
        let (coord, across) = place_among_leaves(self.field.tree(), cell);
        // Many markers are equally deep under a level surface: ties are broken at random, not by rounding.
        let rank = |m: Packed| m.random(coord, across, self.params.seed).unit(0);
        let steps = |m: Packed| (depth(m) * EQUALLY_DEEP + 0.377).floor();
        let mut depths: Vec<(f64, f64, usize)> =
            (first..stay.len()).map(|i| (steps(stay[i]), rank(stay[i]), i)).collect();
        depths.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let others = depths.iter().filter(|d| d.0 == f64::NEG_INFINITY).count();
        let mut keep: Vec<usize> = depths.iter().take(others + n).map(|d| d.2).collect();
        keep.sort_unstable();
        for (to, from) in (first..).zip(keep.iter().copied()) {
            stay[to] = stay[from];
        }
        stay.truncate(first + keep.len());
    }
}
