//! Which markers stay, which go, which are new, and which fly.
//!
//! Cells of the finest level in the band that have no marker of a sign are filled at once, all others every
//! [`reseed_every`](ParticleParams::reseed_every) steps; then those with too many lose the ones farthest inside, with the
//! largest s φ(x) − r. What has escaped is neither counted nor moved. Gone is what is far beyond the band or in a
//! coarse leaf, and air that escaped so far into water.

use super::seed::Seeder;
use super::spray::ALONE;
use super::{BAND, Landed, LevelParticles, Marker, ParticleParams, SMALLEST, Surroundings};
use crate::mesh::Mesh;
use glam::DVec3;
use octide_core::bins::Bins;
use octide_core::index::{CellId, Field, NodeId};
use octide_core::octree::nodal::sample_in;
use octide_core::par;

/// Markers farther from the surface than this go, in finest cells.
const FAR: f64 = BAND + 1.0;

/// A cell has too many when there are this many times what it should have.
const TOO_MANY: f64 = 1.5;

/// What became of a cell's markers.
#[derive(Default)]
struct Renewed {
    stay: Vec<Marker>,
    counts: Vec<u32>,
    fly: Vec<(Marker, DVec3)>,
}

/// What the renewal reads.
struct Renewal<'a> {
    mesh: &'a Mesh,
    phi: &'a Field<NodeId, f64>,
    corners: &'a Field<NodeId, DVec3>,
    around: &'a Surroundings<'a>,
    params: &'a ParticleParams,
    old: &'a LevelParticles,
    /// Whether all cells are filled.
    fill: bool,
}

impl LevelParticles {
    /// The markers of the next step, for φ as it is now and the velocity at corners that spray leaves with. Returns
    /// spray that came back to the water.
    pub fn renew(
        &mut self,
        mesh: &Mesh,
        phi: &Field<NodeId, f64>,
        corners: &Field<NodeId, DVec3>,
        around: &Surroundings<'_>,
        params: &ParticleParams,
    ) -> Vec<Landed> {
        if params.per_cell == 0 {
            return Vec::new();
        }
        let landed = self.land(mesh, phi, params.life);
        let fill = self.step.is_multiple_of(params.reseed_every);
        let renewal = Renewal { mesh, phi, corners, around, params, old: self, fill };
        let parts = par::map_chunks(mesh.n_cells(), |range| {
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

impl Renewal<'_> {
    fn cell(&self, cell: CellId, out: &mut Renewed) {
        let there = self.old.of_cell(cell);
        let tree = &self.mesh.tree;
        let dx = tree.grid().dx();
        let finest = tree.level(cell) == tree.grid().max_level();
        let first = out.stay.len();
        let mut counts = [0usize; 2];
        for m in there {
            let x = m.position();
            let here = sample_in(tree, &self.mesh.nodes, self.phi, cell, x);
            let escaped = m.has_escaped(here);
            if escaped && m.sign() < 0.0 && self.params.spray && self.is_alone(cell, m, here) {
                let v = sample_in(tree, &self.mesh.nodes, self.corners, cell, x);
                out.fly.push((*m, v));
            } else if finest && here.abs() < FAR * dx {
                out.stay.push(*m);
                counts[usize::from(m.sign() > 0.0)] += usize::from(!escaped);
            }
        }
        if !finest {
            return;
        }
        let wanted = self.params.per_cell;
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let n = counts[side];
            if self.fill && n as f64 > TOO_MANY * wanted as f64 {
                self.thin_out(cell, sign, first, wanted, &mut out.stay);
            }
            if n >= wanted || n > 0 && !self.fill {
                continue;
            }
            let seeder = Seeder::new(self.mesh, self.phi, self.around.solids, cell, self.old.step);
            let middle = sign * self.mesh.at_center(self.phi, cell);
            // Between fillings a cell must be on the marker's side: slivers would ask in every step.
            if let Some(range) = seeder.range(sign).filter(|_| self.fill || middle > SMALLEST * dx) {
                seeder.seed(sign, range, wanted - n, n, &mut out.stay);
            }
        }
    }

    fn is_alone(&self, cell: CellId, m: &Marker, here: f64) -> bool {
        here > ALONE * m.radius() && self.mesh.nodes.of_cell(cell).iter().all(|&v| self.phi[v] > 0.0)
    }

    /// Leaves a cell with `n` markers of a sign, those nearest to the surface, and with all that have escaped.
    fn thin_out(&self, cell: CellId, sign: f64, first: usize, n: usize, stay: &mut Vec<Marker>) {
        let depth = |m: &Marker| {
            let here = sample_in(&self.mesh.tree, &self.mesh.nodes, self.phi, cell, m.position());
            if m.sign() != sign || m.has_escaped(here) { f64::NEG_INFINITY } else { sign * here - m.radius() }
        };
        let mut depths: Vec<(f64, usize)> = (first..stay.len()).map(|i| (depth(&stay[i]), i)).collect();
        depths.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let others = depths.iter().filter(|d| d.0 == f64::NEG_INFINITY).count();
        let mut keep: Vec<usize> = depths.iter().take(others + n).map(|d| d.1).collect();
        keep.sort_unstable();
        for (to, from) in (first..).zip(keep.iter().copied()) {
            stay[to] = stay[from];
        }
        stay.truncate(first + keep.len());
    }
}
