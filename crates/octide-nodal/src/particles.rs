//! The particle level set (§6; Enright et al. 2002, *A hybrid particle level set method for improved
//! interface capturing*; Enright, Losasso & Fedkiw 2005): markers on both sides of the surface say where φ
//! went wrong.
//!
//! A marker has a sign s, −1 in water and +1 in air, and is a ball that lies on its side and touches the
//! surface where it is near enough:
//!
//! ```text
//! r = clamp(s φ(x), r_min, r_max),   r_min = 0.1 dx,   r_max = 0.5 dx.
//! ```
//!
//! It has escaped where s φ(x) < −r: the surface is where its own ball should be. Escaped markers rebuild φ
//! at the corners of the leaf they are in, with φ_p(v) = s (r − |v − x|):
//!
//! ```text
//! φ⁺ = max(φ, φ_p of air),   φ⁻ = min(φ, φ_p of water),   φ = the one of the two that is nearer to zero.
//! ```
//!
//! A step: [`advanced`](LevelParticles::advanced), [`correct`](LevelParticles::correct), φ made a distance,
//! `correct` again, [`refresh`](LevelParticles::refresh), which sets radii, [`renew`](LevelParticles::renew).
//! Water that has escaped and is alone flies on as spray ([`spray`]).
//!
//! Markers are kept in 32 bits each (`packed.rs`), sorted by leaf; corners gather from their leaves, so that
//! nothing depends on threads.

mod advance;
mod correct;
mod leaf;
mod packed;
mod renew;
mod saved;
mod seed;
pub mod spray;
#[cfg(test)]
mod tests;

pub use packed::Marker;
pub use spray::{Droplet, Landed};

use crate::level_set;
use crate::mesh::Mesh;
use glam::{DVec3, IVec3};
use leaf::Distances;
use octide_core::bins::Bins;
use octide_core::contract::Particles;
use octide_core::index::{CellId, Field, NodeId};
use octide_core::octree::Octree;
use octide_core::par;
use octide_core::random::Seed;
use octide_core::scene::{OpenSides, Seeding};
use octide_core::solids::Solids;
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
    /// Whether water that has escaped and is alone flies on by itself. Where a velocity is given everywhere
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

/// What particles move among.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// Solids, where they stand after the move.
    pub solids: &'a Solids,
    /// Sides through which particles leave.
    pub open: OpenSides,
    /// In m/s².
    pub gravity: DVec3,
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
    pub fn seeded(mesh: &Mesh, phi: &Field<NodeId, f64>, solids: &Solids, params: &ParticleParams) -> Self {
        let mut all = Self::default();
        let none = Field::filled(mesh.n_faces(), 0.0);
        let surroundings = Surroundings { solids, open: OpenSides::default(), gravity: DVec3::ZERO };
        all.renew(mesh, phi, &none, &surroundings, params);
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
    pub fn markers<'a>(&'a self, mesh: &'a Mesh) -> impl Iterator<Item = Marker> + 'a {
        mesh.tree.cells().flat_map(|cell| self.of_cell(mesh, cell))
    }

    /// The markers of a cell.
    pub fn of_cell<'a>(&'a self, mesh: &'a Mesh, cell: CellId) -> impl Iterator<Item = Marker> + 'a {
        self.packed(cell).iter().map(move |m| m.unpacked(&mesh.tree, cell))
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
    pub fn refresh(&mut self, mesh: &Mesh, phi: &Field<NodeId, f64>) {
        self.for_cells(mesh, |cell, markers| {
            let phi = Distances::new(mesh, phi, cell);
            for m in markers {
                let sure = phi.least(*m);
                *m = m.with_radius(if sure >= LARGEST { LARGEST } else { m.sign() * phi.at(*m) });
            }
        });
    }

    /// φ made a distance again, corrected by what escaped from that, and radii from what it is then: the
    /// second half of what markers do in a step.
    pub fn redistance(&mut self, mesh: &Mesh, phi: &Field<NodeId, f64>) -> Field<NodeId, f64> {
        let mut phi = level_set::redistance(mesh, phi, f64::INFINITY);
        self.correct(mesh, &mut phi);
        self.refresh(mesh, &phi);
        phi
    }

    /// Takes away all that is where `gone` says, because water was put or taken there, and returns the volume
    /// of spray among it, in m³.
    pub fn remove(&mut self, mesh: &Mesh, gone: impl Fn(DVec3) -> bool + Sync) -> f64 {
        self.bins.retain(&mut self.markers, |cell, m| !gone(m.unpacked(&mesh.tree, cell).position()));
        let before = self.spray_volume();
        self.drops.retain(|d| !gone(d.x));
        before - self.spray_volume()
    }

    /// Spray, as frames show it. Markers are no part of frames: they are seeded and deleted all the time.
    pub fn frame_particles(&self) -> Particles {
        let mut all = Particles::default();
        for d in &self.drops {
            all.positions.push(d.x.as_vec3().to_array());
            all.velocities.push(d.v.to_array());
            all.radii.push(d.radius);
            all.kinds.push(Particles::SPRAY);
            all.ids.push(d.id);
        }
        all
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        size_of::<Packed>() * self.markers.capacity()
            + self.bins.bytes()
            + size_of::<Droplet>() * self.drops.len()
    }

    /// Calls `f` with each cell that has markers, and those.
    fn for_cells(&mut self, mesh: &Mesh, f: impl Fn(CellId, &mut [Packed]) + Sync + Send) {
        let starts = self.bins.chunk_starts();
        let bins = &self.bins;
        par::map_parts(&mut self.markers, &starts, |i, part| {
            for c in par::chunk(i, mesh.n_cells()).map(|c| CellId(c as u32)) {
                let own = bins.of_cell(c);
                if !own.is_empty() {
                    f(c, &mut part[own.start - starts[i]..own.end - starts[i]]);
                }
            }
        });
    }
}

/// The place of a leaf in the domain, counted from the low side in leaves of its size, and how many there
/// are.
fn place_among(tree: &Octree, cell: CellId) -> (IVec3, IVec3) {
    let (grid, level) = (tree.grid(), tree.level(cell));
    (tree.coord(tree.node_of(cell)) - (grid.min() << i32::from(level)), grid.dims() << i32::from(level))
}
