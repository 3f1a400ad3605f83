//! The particle level set: markers on both sides of a surface say where φ went wrong.
//!
//! A marker has a sign s, −1 in liquid and +1 in air, and is a ball that lies on its side and touches the
//! surface where it is near enough:
//!
//! ```text
//! r = clamp(s φ(x), r_min, r_max),   r_min = 0.1 dx,   r_max = 0.5 dx.
//! ```
//!
//! It has escaped where s φ(x) < −r: the surface is where its own ball should be. Escaped markers rebuild φ
//! at the samples around the leaf they are in, with φ_p(v) = s (r − |v − x|):
//!
//! ```text
//! φ⁺ = max(φ, φ_p of air),   φ⁻ = min(φ, φ_p of liquid),   φ = the one of the two that is nearer to zero.
//! ```
//!
//! A step: [`advanced`](LevelParticles::advanced), [`correct`](LevelParticles::correct), φ made a distance,
//! `correct` again, [`refresh`](LevelParticles::refresh), which sets radii, [`renew`](LevelParticles::renew).
//! Liquid that has escaped and is alone flies on as spray ([`Droplet`]).
//!
//! Markers are kept in 32 bits each, sorted by leaf; samples gather from their leaves, so that nothing depends
//! on threads. Where the samples of φ are is told by a [`MarkedField`].

mod advance;
mod correct;
mod field;
mod leaf;
mod packed;
mod renew;
mod saved;
mod seed;
mod spray;
#[cfg(test)]
mod tests;

pub use field::{CornerField, MarkedField};
pub use packed::Marker;
pub use spray::{Droplet, Landed};

use super::{ShownParticle, Surroundings};
use crate::bins::Bins;
use crate::contract::Particles;
use crate::index::{CellId, Field};
use crate::octree::Octree;
use crate::par;
use crate::random::Seed;
use crate::scene::{OpenSides, Seeding};
use crate::solids::Solids;
use glam::DVec3;
use leaf::Distances;
use packed::Packed;

/// The radius of the smallest marker, in finest cells.
pub const SMALLEST: f64 = 0.1;

/// The radius of the largest, in finest cells.
pub const LARGEST: f64 = 0.5;

/// How far from the surface markers are seeded, in finest cells.
pub const BAND: f64 = 3.0;

/// How many markers, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParticleParams {
    /// Markers of each sign in a cell; none without particles.
    pub per_cell: usize,
    /// Steps from one filling of cells to the next.
    pub reseed_every: u32,
    /// Whether liquid that has escaped and is alone flies on by itself. Where a velocity is given everywhere
    /// it need not.
    pub spray: bool,
    /// Seconds after which spray ends.
    pub life: f64,
    /// Of all random numbers.
    pub seed: Seed,
}

impl ParticleParams {
    /// What a scene's choice means here: no particles, 16 of each sign a cell, or 64.
    pub fn new(seeding: Seeding, life: f64, seed: Seed) -> Self {
        let per_cell = match seeding {
            Seeding::Off => 0,
            Seeding::WhereNeeded => 16,
            Seeding::Band => 64,
        };
        Self { per_cell, reseed_every: 20, spray: true, life, seed }
    }
}

/// All markers, sorted by the leaves that hold them, and spray.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LevelParticles {
    markers: Vec<Packed>,
    bins: Bins,
    drops: Vec<Droplet>,
    /// Steps taken.
    step: u32,
    /// The number of the next drop.
    next_id: u32,
}

impl LevelParticles {
    /// Markers around the surface of `phi`.
    pub fn seeded<F: MarkedField>(
        field: &F,
        phi: &Field<F::Sample, f64>,
        solids: &Solids,
        params: &ParticleParams,
    ) -> Self {
        let mut all = Self::default();
        let surroundings = Surroundings { solids, open: OpenSides::default(), gravity: DVec3::ZERO };
        all.renew(field, phi, |_| [DVec3::ZERO; 8], &surroundings, params);
        all
    }

    /// Number of markers and drops.
    pub fn len(&self) -> usize {
        self.markers.len() + self.drops.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of markers.
    pub fn n_markers(&self) -> usize {
        self.markers.len()
    }

    /// All markers, in the order of cells.
    pub fn markers<'a>(&'a self, tree: &'a Octree) -> impl Iterator<Item = Marker> + 'a {
        tree.cells().flat_map(|cell| self.of_cell(tree, cell))
    }

    /// The markers of a cell.
    pub fn of_cell<'a>(&'a self, tree: &'a Octree, cell: CellId) -> impl Iterator<Item = Marker> + 'a {
        self.packed(cell).iter().map(move |m| m.unpacked(tree, cell))
    }

    /// The same as they are kept.
    #[inline]
    fn packed(&self, cell: CellId) -> &[Packed] {
        &self.markers[self.bins.of_cell(cell)]
    }

    /// All spray.
    pub fn drops(&self) -> &[Droplet] {
        &self.drops
    }

    /// Radii from φ, a distance again; see the head of the file. Those that are still escaped become the
    /// smallest.
    pub fn refresh<F: MarkedField>(&mut self, field: &F, phi: &Field<F::Sample, f64>) {
        self.for_cells(field.tree().n_cells(), |cell, markers| {
            let phi = Distances::new(field, phi, cell);
            for m in markers {
                let sure = phi.least(*m);
                *m = m.with_radius(if sure >= LARGEST { LARGEST } else { m.sign() * phi.at(*m) });
            }
        });
    }

    /// Takes away all that is where `gone` says, because liquid was put or taken there, and returns the volume
    /// of spray among it, in m³.
    pub fn remove(&mut self, tree: &Octree, gone: impl Fn(DVec3) -> bool + Sync) -> f64 {
        self.bins.retain(&mut self.markers, |cell, m| !gone(m.unpacked(tree, cell).position()));
        let before = self.spray_volume();
        self.drops.retain(|d| !gone(d.x));
        before - self.spray_volume()
    }

    /// Spray, as frames show it. Markers are no part of frames: they are seeded and deleted all the time.
    pub fn frame_particles(&self) -> Particles {
        let shown =
            |d: &Droplet| ShownParticle { x: d.x, v: d.v, radius: d.radius, is_spray: true, id: d.id };
        self.drops.iter().map(shown).collect()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        size_of::<Packed>() * self.markers.capacity()
            + self.bins.bytes()
            + size_of::<Droplet>() * self.drops.len()
    }

    /// Calls `f` with each of `n` cells that has markers, and those.
    fn for_cells(&mut self, n: usize, f: impl Fn(CellId, &mut [Packed]) + Sync + Send) {
        let starts = self.bins.chunk_starts();
        let bins = &self.bins;
        par::map_parts(&mut self.markers, &starts, |i, part| {
            for c in par::chunk(i, n).map(|c| CellId(c as u32)) {
                let own = bins.of_cell(c);
                if !own.is_empty() {
                    f(c, &mut part[own.start - starts[i]..own.end - starts[i]]);
                }
            }
        });
    }
}
