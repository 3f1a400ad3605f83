//! §7.2: extended narrow-band FLIP, after Sato et al. 2018 and Ferstl et al. 2016.
//!
//! Particles follow the water on the finest level in a band below the surface, either where the flow is
//! active ([`activity`]) or everywhere in the band. They store the distance φ and the velocity with its
//! gradient (APIC, Jiang et al. 2015), and transfer both to the grid after every move, so that neither is
//! blurred by interpolation:
//!
//! ```text
//! u_f = ( max(0, ρ_f − m_f) u_f + Σ_p w m (v_p + C_p (x_f − x_p)) ) / ( max(0, ρ_f − m_f) + m_f ),
//! m_f = Σ_p w m
//! φ_c = min(φ_c, |x_c − x_p| + φ_p)   for particles p around which the grid has lost water ([`level`])
//! ```
//!
//! w is the trilinear kernel of a finest cell, m = 1/8 the volume of a particle in cells, ρ_f the liquid
//! fraction at the face. Particles that leave the water fly freely as spray, and return with their momentum
//! ([`spray`]).
//!
//! Differs from Sato et al., who blend the surface of a union of particles into φ. That surface is never
//! smooth, and calm water looks rough until its particles are gone. Here a particle corrects φ by what
//! advection has lost since φ was stored on it; where nothing was lost it changes nothing.

pub mod activity;
pub mod block;
mod gradient;
pub mod level;
pub mod motion;
pub mod renew;
pub mod saved;
pub mod spray;
pub(crate) mod stages;
pub mod transfer;

use glam::{DVec3, Vec3};
use octide_core::bins::Bins;
use octide_core::index::CellId;
use octide_core::octree::Place;
use octide_core::par;

use crate::mesh::Mesh;
pub use gradient::Gradient;

/// The volume of a particle as a fraction of a finest cell.
pub const MASS: f32 = 0.125;

/// The radius of a particle in finest cells.
pub const RADIUS: f64 = 0.25;

/// A particle of water.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Particle {
    /// Its place; [`x`](Self::x) returns the position.
    pub place: Place,
    /// Its velocity in m/s.
    pub v: Vec3,
    /// Its distance to the surface, negative in liquid; if it is spray and this is positive, its volume as a multiple of
    /// [`MASS`].
    pub phi: f32,
    /// An encoded [`Life`].
    life: f32,
    /// Its unique number.
    pub id: u32,
}

/// Whether a particle is in the water or is spray, and for how long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Life {
    /// In the water, with the remaining activity that keeps it, from 1 to 0.
    Water(f32),
    /// Spray, with the time in seconds since it left the water.
    Spray(f32),
}

impl Particle {
    /// Returns its position.
    #[inline]
    pub fn x(&self, mesh: &Mesh) -> DVec3 {
        mesh.tree.grid().point(self.place)
    }

    /// Returns whether it is spray.
    #[inline]
    pub fn is_spray(&self) -> bool {
        self.life >= 0.0
    }

    /// Returns its volume in finest cells.
    #[inline]
    pub fn volume(&self) -> f64 {
        f64::from(MASS) * if self.is_spray() && self.phi > 0.0 { f64::from(self.phi) } else { 1.0 }
    }

    /// Returns its life.
    #[inline]
    pub fn life(&self) -> Life {
        if self.is_spray() { Life::Spray(self.life) } else { Life::Water(-1.0 - self.life) }
    }

    /// Returns the same particle with another life.
    #[inline]
    pub fn with(self, life: Life) -> Self {
        let life = match life {
            Life::Spray(flight) => flight,
            Life::Water(activity) => -1.0 - activity,
        };
        Self { life, ..self }
    }
}

/// All particles, sorted by cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Particles {
    list: Vec<Particle>,
    /// The gradients of their velocities, from the particles' move until they are transferred to faces; empty
    /// at other times, because they can be sampled from the grid again.
    gradients: Vec<Gradient>,
    bins: Bins,
    /// The number of the next particle.
    next_id: u32,
}

impl Particles {
    /// Sorts particles by the cells of a mesh and drops those outside. The numbering of new particles
    /// continues that of `old`.
    pub fn sorted(mesh: &Mesh, list: Vec<Particle>, old: &Self) -> Self {
        Self::sorted_with(mesh, list, Vec::new(), old)
    }

    /// As `sorted`, with the particles' gradients, or without any.
    pub fn sorted_with(
        mesh: &Mesh,
        mut list: Vec<Particle>,
        mut gradients: Vec<Gradient>,
        old: &Self,
    ) -> Self {
        let grid = mesh.tree.grid();
        let inside = |x: DVec3| x.cmpge(grid.low()).all() && x.cmple(grid.high()).all();
        let place = par::map_index(list.len(), |i| {
            let x = list[i].x(mesh);
            if inside(x) { mesh.tree.nearest_leaf(x) } else { CellId::NONE }
        });
        let bins = Bins::sort_with(&mut list, &mut gradients, place, mesh.n_cells());
        Self { list, gradients, bins, next_id: old.next_id }
    }

    /// Returns the number of particles.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns whether there are no particles.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns all particles, in the order of cells.
    pub fn list(&self) -> &[Particle] {
        &self.list
    }

    /// Returns the particles of a cell.
    #[inline]
    pub fn of_cell(&self, cell: CellId) -> &[Particle] {
        &self.list[self.bins.of_cell(cell)]
    }

    /// Returns the gradient of a particle's velocity by its index in the list; zero if gradients are not
    /// stored.
    #[inline]
    pub fn gradient(&self, i: usize) -> Gradient {
        self.gradients.get(i).copied().unwrap_or_default()
    }

    /// Frees the memory of the gradients.
    pub fn forget_gradients(&mut self) {
        self.gradients = Vec::new();
    }

    /// Keeps the particles for which `keep` returns true; its first argument is the level of the particle's
    /// cell.
    fn retain(&mut self, keep: impl Fn(u8, &Particle) -> bool + Sync + Send, mesh: &Mesh) {
        if self.is_empty() {
            return;
        }
        let goes = |i: usize| {
            let c = CellId(i as u32);
            let level = mesh.tree.level(c);
            self.of_cell(c).iter().any(|p| !keep(level, p))
        };
        if par::reduce(mesh.n_cells(), || false, |found, i| found || goes(i), |a, b| a || b) {
            let keep = |c: CellId, p: &Particle| keep(mesh.tree.level(c), p);
            self.bins.retain_with(&mut self.list, &mut self.gradients, keep);
        }
    }

    /// Removes the particles with these numbers, which are in ascending order.
    pub(crate) fn remove(&mut self, mesh: &Mesh, ids: &[u32]) {
        if !ids.is_empty() {
            self.retain(|_, p| ids.binary_search(&p.id).is_err(), mesh);
        }
    }

    /// Adds spray at these positions, with these velocities and volumes as multiples of [`MASS`].
    pub(crate) fn add_spray(&mut self, mesh: &Mesh, drops: &[(DVec3, Vec3, f32)]) {
        if drops.is_empty() {
            return;
        }
        let mut all = std::mem::take(self);
        let has_gradients = all.gradients.len() == all.list.len();
        for &(x, v, phi) in drops {
            let place = mesh.tree.grid().place(x);
            let drop = Particle { place, v, phi, life: 0.0, id: all.next_id };
            all.list.push(drop.with(Life::Spray(0.0)));
            all.next_id = all.next_id.wrapping_add(1) % u32::MAX;
            if has_gradients {
                all.gradients.push(Gradient::default());
            }
        }
        let (list, gradients) = (std::mem::take(&mut all.list), std::mem::take(&mut all.gradients));
        *self = Self::sorted_with(mesh, list, gradients, &all);
    }

    /// Turns the spray of these cells, which are in ascending order, into water.
    pub(crate) fn settle_spray(&mut self, cells: &[CellId]) {
        for &c in cells {
            let range = self.bins.of_cell(c);
            for p in self.list[range].iter_mut().filter(|p| p.is_spray()) {
                *p = Particle { phi: 0.0, ..p.with(Life::Water(1.0)) };
            }
        }
    }

    /// Returns the number of bytes held.
    pub fn bytes(&self) -> usize {
        size_of::<Particle>() * self.list.len()
            + size_of::<Gradient>() * self.gradients.len()
            + self.bins.bytes()
    }
}

#[cfg(test)]
mod tests;
