//! The particle level set (§6; Enright et al. 2002, *A hybrid particle level set method for improved interface
//! capturing*; Enright, Losasso & Fedkiw 2005): markers on both sides of the surface say where φ went wrong.
//!
//! A marker has a sign s, −1 in water and +1 in air, and is a ball that lies on its side and touches the surface where
//! it is near enough:
//!
//! ```text
//! r = clamp(s φ(x), r_min, r_max),   r_min = 0.1 dx,   r_max = 0.5 dx.
//! ```
//!
//! It has escaped where s φ(x) < −r: the surface is where its own ball should be. Escaped markers rebuild φ at the
//! corners of the leaf they are in, with φ_p(v) = s (r − |v − x|):
//!
//! ```text
//! φ⁺ = max(φ, φ_p of air),   φ⁻ = min(φ, φ_p of water),   φ = the one of the two that is nearer to zero.
//! ```
//!
//! A step: [`advance`](LevelParticles::advance), [`correct`](LevelParticles::correct), [`redistance`](LevelParticles::redistance), which
//! corrects again and sets radii, [`renew`](LevelParticles::renew). Water that has escaped and is alone flies on
//! as spray ([`spray`]).
//!
//! Markers are kept as four short numbers, sorted by leaf; corners gather from their leaves, so that nothing depends on
//! threads.

mod advance;
mod correct;
mod renew;
mod saved;
mod seed;
pub mod spray;
#[cfg(test)]
mod tests;

pub use spray::{Droplet, Landed};

use crate::level_set;
use crate::mesh::Mesh;
use glam::{DVec3, Vec3};
use octide_core::bins::Bins;
use octide_core::contract::Particles;
use octide_core::index::{CellId, Field, NodeId};
use octide_core::octree::nodal;
use octide_core::par;
use octide_core::scene::{OpenSides, Seeding};
use octide_core::solids::Solids;

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
    /// Whether water that has escaped and is alone flies on by itself. Where a velocity is given everywhere it need not.
    pub spray: bool,
    /// Seconds after which spray ends.
    pub life: f64,
}

impl ParticleParams {
    /// What a scene's choice means here: no particles, 16 of each sign a cell, or 64.
    pub fn new(seeding: Seeding, life: f64) -> Self {
        let per_cell = match seeding {
            Seeding::Off => 0,
            Seeding::WhereNeeded => 16,
            Seeding::Band => 64,
        };
        Self { per_cell, reseed_every: 20, spray: true, life }
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

/// A ball on one side of the surface. 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marker {
    x: Vec3,
    /// The radius, negative in water.
    r: f32,
}

impl Marker {
    fn new(x: DVec3, sign: f64, radius: f64) -> Self {
        Self { x: x.as_vec3(), r: (sign * radius) as f32 }
    }

    /// Where it is.
    #[inline]
    pub fn position(&self) -> DVec3 {
        self.x.as_dvec3()
    }

    /// −1 in water, 1 in air.
    #[inline]
    pub fn sign(&self) -> f64 {
        f64::from(self.r.signum())
    }

    /// Its radius in m.
    #[inline]
    pub fn radius(&self) -> f64 {
        f64::from(self.r.abs())
    }

    /// Whether it is on the wrong side by more than its radius, at a place with `phi`.
    #[inline]
    pub fn has_escaped(&self, phi: f64) -> bool {
        self.sign() * phi < -self.radius()
    }
}

/// All markers, sorted by the leaves that hold them, and spray.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LevelParticles {
    markers: Vec<Marker>,
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
        let none = Field::filled(mesh.n_nodes(), DVec3::ZERO);
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

    /// All markers, in the order of cells.
    pub fn markers(&self) -> &[Marker] {
        &self.markers
    }

    /// The markers of a cell.
    #[inline]
    pub fn of_cell(&self, cell: CellId) -> &[Marker] {
        &self.markers[self.bins.of_cell(cell)]
    }

    /// All spray.
    pub fn drops(&self) -> &[Droplet] {
        &self.drops
    }

    /// Radii from φ, a distance again; see the head of the file. Those that are still escaped become the smallest.
    pub fn refresh(&mut self, mesh: &Mesh, phi: &Field<NodeId, f64>) {
        let dx = mesh.tree.grid().dx();
        self.for_markers(mesh, |cell, m| {
            let here = nodal::sample_in(&mesh.tree, &mesh.nodes, phi, cell, m.position());
            let r = (m.sign() * here).clamp(SMALLEST * dx, LARGEST * dx);
            m.r = (m.sign() * r) as f32;
        });
    }

    /// φ made a distance again, corrected by what escaped from that, and radii from what it is then: the second half of
    /// what markers do in a step.
    pub fn redistance(&mut self, mesh: &Mesh, phi: &Field<NodeId, f64>) -> Field<NodeId, f64> {
        let mut phi = level_set::redistance(mesh, phi, f64::INFINITY);
        self.correct(mesh, &mut phi);
        self.refresh(mesh, &phi);
        phi
    }

    /// Takes away all that is where `gone` says, because water was put or taken there, and returns the volume of spray
    /// among it, in m³.
    pub fn remove(&mut self, gone: impl Fn(DVec3) -> bool + Sync) -> f64 {
        if self.is_empty() {
            return 0.0;
        }
        let goes = par::map_index(self.markers.len(), |i| gone(self.markers[i].position()));
        if goes.contains(&true) {
            let mut i = 0;
            self.bins.retain(&mut self.markers, |_, _| {
                i += 1;
                !goes[i - 1]
            });
        }
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
        size_of::<Marker>() * self.markers.len() + self.bins.bytes() + size_of::<Droplet>() * self.drops.len()
    }

    /// Calls `f` with each marker and its cell.
    fn for_markers(&mut self, mesh: &Mesh, f: impl Fn(CellId, &mut Marker) + Sync + Send) {
        let n = mesh.n_cells();
        let chunk = |i: usize| i * par::CHUNK..((i + 1) * par::CHUNK).min(n);
        let starts = self.bins.chunk_starts();
        let bins = &self.bins;
        par::map_parts(&mut self.markers, &starts, |i, part| {
            for c in chunk(i).map(|c| CellId(c as u32)) {
                for k in bins.of_cell(c) {
                    f(c, &mut part[k - starts[i]]);
                }
            }
        });
    }
}
