//! What writers and pictures see of a simulation.

use super::{Cells, Smoke};
use crate::geometry::TriMesh;

/// What writers and pictures see of a simulation.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// Simulated seconds.
    pub time: f64,
    /// The liquid's surface, closed, with the domain's walls as part of it.
    pub surface: Surface,
    /// The grid's cells.
    pub cells: Cells,
    /// Particles; empty where the method has none.
    pub particles: Particles,
    /// Smoke; `None` where the method simulates water.
    pub smoke: Option<Smoke>,
}

/// A surface with what renderers need at its vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Positions and triangles.
    pub mesh: TriMesh,
    /// Unit normals that point out of the liquid.
    pub normals: Vec<[f32; 3]>,
    /// Velocities in m/s.
    pub velocities: Vec<[f32; 3]>,
}

/// Particles, one value of each list for each of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Particles {
    /// Positions in m.
    pub positions: Vec<[f32; 3]>,
    /// Velocities in m/s.
    pub velocities: Vec<[f32; 3]>,
    /// Radii in m, which may differ from particle to particle.
    pub radii: Vec<f32>,
    /// What each of them is: [`Self::SPRAY`], or a number that the method gives a meaning to.
    pub kinds: Vec<u8>,
    /// Numbers that stay with particles from frame to frame.
    pub ids: Vec<u32>,
}

impl Particles {
    /// The kind of drops that fly outside the surface.
    pub const SPRAY: u8 = 1;

    /// Returns the number of particles.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }
}
