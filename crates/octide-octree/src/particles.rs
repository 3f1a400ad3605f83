//! §7.2: extended narrow-band FLIP, after Sato et al. 2018 and Ferstl et al. 2016.
//!
//! Particles follow the water on the finest level, in a band below the surface, where the flow asks for them
//! ([`heat`]) or everywhere in the band. They carry velocity with its gradient (APIC, Jiang et al. 2015) and
//! the distance φ, and give both back to the grid after every move, so that neither is blurred by
//! interpolation:
//!
//! ```text
//! u_f = ( max(0, ρ_f − m_f) u_f + Σ_p w m (v_p + C_p (x_f − x_p)) ) / ( max(0, ρ_f − m_f) + m_f ),   m_f = Σ_p w m
//! φ_c = φ_c + Σ_p w (φ_p − φ(x_p)) / max(Σ_p w, 1)
//! ```
//!
//! w is the trilinear kernel of a finest cell, m = 1/8 a particle's share of a cell, ρ_f the liquid's share
//! at the face. What leaves the water flies on its own as spray, and returns with its momentum ([`spray`]).
//!
//! Differs from Sato et al.: there the surface of a union of particles is blended into φ. It is never smooth,
//! and calm water has to cool before it looks calm. Here a particle corrects φ by what transport has lost
//! since it was there, which is nothing where nothing was lost.

pub mod block;
mod gradient;
pub mod heat;
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

/// A particle's share of a finest cell.
pub const MASS: f32 = 0.125;

/// A particle's radius in finest cells.
pub const RADIUS: f64 = 0.25;

/// Water that is followed by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Particle {
    /// Where it is; see [`x`](Self::x).
    pub place: Place,
    /// Its velocity in m/s.
    pub v: Vec3,
    /// Its distance to the surface, negative in liquid.
    pub phi: f32,
    /// How it lives; see [`Life`].
    life: f32,
    /// Its own number.
    pub id: u32,
}

/// In the water, or on its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Life {
    /// What is left of the reason to be there, from 1 to 0.
    Water(f32),
    /// Seconds since it left the water.
    Spray(f32),
}

impl Particle {
    /// Where it is.
    #[inline]
    pub fn x(&self, mesh: &Mesh) -> DVec3 {
        mesh.tree.grid().point(self.place)
    }

    /// Whether it flies on its own.
    #[inline]
    pub fn is_spray(&self) -> bool {
        self.life >= 0.0
    }

    /// How it lives.
    #[inline]
    pub fn life(&self) -> Life {
        if self.is_spray() { Life::Spray(self.life) } else { Life::Water(-1.0 - self.life) }
    }

    /// The same with another life.
    #[inline]
    pub fn with(self, life: Life) -> Self {
        let life = match life {
            Life::Spray(flight) => flight,
            Life::Water(heat) => -1.0 - heat,
        };
        Self { life, ..self }
    }
}

/// All particles, sorted by the cells that hold them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Particles {
    list: Vec<Particle>,
    /// The gradients of their velocities, from their move until faces have them; empty at other times: what a
    /// particle took from the grid can be taken again.
    gradients: Vec<Gradient>,
    bins: Bins,
    /// The number of the next particle.
    next_id: u32,
}

impl Particles {
    /// Sorts particles by the cells of a mesh; those outside are dropped. New ones are numbered on from
    /// `old`.
    pub fn sorted(mesh: &Mesh, list: Vec<Particle>, old: &Self) -> Self {
        Self::sorted_with(mesh, list, Vec::new(), old)
    }

    /// The same with their gradients, or none.
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

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All of them, in the order of cells.
    pub fn list(&self) -> &[Particle] {
        &self.list
    }

    /// Those of a cell.
    #[inline]
    pub fn of_cell(&self, cell: CellId) -> &[Particle] {
        &self.list[self.bins.of_cell(cell)]
    }

    /// The gradient of a particle's velocity, by its place in the list; zero where none are known.
    #[inline]
    pub fn gradient(&self, i: usize) -> Gradient {
        self.gradients.get(i).copied().unwrap_or_default()
    }

    /// Gives the memory of gradients back.
    pub fn forget_gradients(&mut self) {
        self.gradients = Vec::new();
    }

    /// Keeps those that `keep` wants; it is told the level of their cells.
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

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        size_of::<Particle>() * self.list.len()
            + size_of::<Gradient>() * self.gradients.len()
            + self.bins.bytes()
    }
}

#[cfg(test)]
mod tests;
