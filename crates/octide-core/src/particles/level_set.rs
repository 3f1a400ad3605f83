//! The particle level set: markers on both sides of a surface detect errors of φ.
//!
//! A marker has a sign s, −1 in liquid and +1 in air. It is a ball that lies on its own side and touches the
//! surface if it is close enough:
//!
//! ```text
//! r = clamp(s φ(x), r_min, r_max),   r_min = 0.1 dx,   r_max = 0.5 dx.
//! ```
//!
//! It has escaped if s φ(x) < −r: the surface has moved across the marker's ball. Escaped markers rebuild φ
//! at the samples around the leaf they are in, with φ_p(v) = s (r − |v − x|):
//!
//! ```text
//! φ⁺ = max(φ, φ_p of air),   φ⁻ = min(φ, φ_p of liquid),   φ = the one of the two that is nearer to zero.
//! ```
//!
//! A step calls [`advanced`](LevelParticles::advanced) and [`correct`](LevelParticles::correct), redistances
//! φ, calls `correct` again, then [`refresh`](LevelParticles::refresh), which sets radii, and
//! [`renew`](LevelParticles::renew). Liquid markers that have escaped and are isolated become spray
//! ([`Droplet`]).
//!
//! Markers are stored in 32 bits each, sorted by leaf. Each sample gathers from the leaves around it, so that
//! nothing depends on threads. A [`MarkedField`] defines where the samples of φ are.

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

/// Radius of the smallest marker, in finest cells.
pub const SMALLEST: f64 = 0.1;

/// Radius of the largest marker, in finest cells.
pub const LARGEST: f64 = 0.5;

/// Distance from the surface up to which markers are seeded, in finest cells.
pub const BAND: f64 = 3.0;

/// Number and placement of markers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParticleParams {
    /// Number of markers of each sign in a cell; 0 without particles.
    pub per_cell: usize,
    /// Number of steps between reseedings of all cells.
    pub reseed_every: u32,
    /// Whether liquid markers that have escaped and are isolated become spray. Not needed where the velocity
    /// is given everywhere.
    pub spray: bool,
    /// Seconds after which spray is removed.
    pub life: f64,
    /// The seed of all random numbers.
    pub seed: Seed,
}

impl ParticleParams {
    /// Returns the parameters for a scene's choice: no particles, 16 of each sign per cell, or 64.
    pub fn new(seeding: Seeding, life: f64, seed: Seed) -> Self {
        let per_cell = match seeding {
            Seeding::Off => 0,
            Seeding::WhereNeeded => 16,
            Seeding::Band => 64,
        };
        Self { per_cell, reseed_every: 20, spray: true, life, seed }
    }
}

/// All markers, sorted by the leaves that contain them, and spray.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LevelParticles {
    markers: Vec<Packed>,
    bins: Bins,
    drops: Vec<Droplet>,
    /// Number of steps taken.
    step: u32,
    /// The id of the next droplet.
    next_id: u32,
}

impl LevelParticles {
    /// Seeds markers around the surface of `phi`.
    pub fn seeded<F: MarkedField>(
        field: &F,
        phi: &Field<F::Sample, f64>,
        solids: &Solids,
        params: &ParticleParams,
    ) -> Self {
        let mut all = Self::default();
        let surroundings =
            Surroundings { solids, open: OpenSides::default(), gravity: DVec3::ZERO, barriers: None };
        all.renew(field, phi, |_| [DVec3::ZERO; 8], &surroundings, params);
        all
    }

    /// Returns the number of markers and droplets.
    pub fn len(&self) -> usize {
        self.markers.len() + self.drops.len()
    }

    /// Returns whether there are no markers and no droplets.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of markers.
    pub fn n_markers(&self) -> usize {
        self.markers.len()
    }

    /// Returns all markers, in the order of cells.
    pub fn markers<'a>(&'a self, tree: &'a Octree) -> impl Iterator<Item = Marker> + 'a {
        tree.cells().flat_map(|cell| self.of_cell(tree, cell))
    }

    /// Returns the markers of a cell.
    pub fn of_cell<'a>(&'a self, tree: &'a Octree, cell: CellId) -> impl Iterator<Item = Marker> + 'a {
        self.packed(cell).iter().map(move |m| m.unpacked(tree, cell))
    }

    /// Returns the markers of a cell in packed form.
    #[inline]
    fn packed(&self, cell: CellId) -> &[Packed] {
        &self.markers[self.bins.of_cell(cell)]
    }

    /// Returns all spray.
    pub fn drops(&self) -> &[Droplet] {
        &self.drops
    }

    /// Sets radii from the redistanced φ; see the module documentation. Markers that are still escaped get
    /// the smallest radius.
    pub fn refresh<F: MarkedField>(&mut self, field: &F, phi: &Field<F::Sample, f64>) {
        self.for_cells(field.tree().n_cells(), |cell, markers| {
            let phi = Distances::new(field, phi, cell);
            for m in markers {
                let sure = phi.least(*m);
                *m = m.with_radius(if sure >= LARGEST { LARGEST } else { m.sign() * phi.at(*m) });
            }
        });
    }

    /// Removes all particles at positions where `gone` returns true, because liquid was added or removed
    /// there. Returns the volume of the removed spray, in m³.
    pub fn remove(&mut self, tree: &Octree, gone: impl Fn(DVec3) -> bool + Sync) -> f64 {
        self.bins.retain(&mut self.markers, |cell, m| !gone(m.unpacked(tree, cell).position()));
        let before = self.spray_volume();
        self.drops.retain(|d| !gone(d.x));
        before - self.spray_volume()
    }

    /// Returns spray as frames show it. Markers are not part of frames: they are seeded and deleted all the
    /// time.
    pub fn frame_particles(&self) -> Particles {
        let shown =
            |d: &Droplet| ShownParticle { x: d.x, v: d.v, radius: d.radius, is_spray: true, id: d.id };
        self.drops.iter().map(shown).collect()
    }

    /// Returns the number of bytes held.
    pub fn bytes(&self) -> usize {
        size_of::<Packed>() * self.markers.capacity()
            + self.bins.bytes()
            + size_of::<Droplet>() * self.drops.len()
    }

    /// Calls `f` with each of `n` cells that has markers, and with these markers.
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
