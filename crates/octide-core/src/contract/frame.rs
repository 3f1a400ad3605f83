//! The part of a simulation's state that writers and pictures use.

use super::{Cells, Smoke};
use crate::geometry::TriMesh;

/// The part of a simulation's state that writers and pictures use.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// Simulated time in seconds.
    pub time: f64,
    /// The liquid's surface as a closed mesh, which includes the parts along the domain's walls.
    pub surface: Surface,
    /// The grid's cells.
    pub cells: Cells,
    /// Particles; empty if the method has none.
    pub particles: Particles,
    /// Smoke; `None` if the method simulates water.
    pub smoke: Option<Smoke>,
}

/// A surface with the vertex attributes that renderers need.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Positions and triangles.
    pub mesh: TriMesh,
    /// Unit normals that point out of the liquid.
    pub normals: Vec<[f32; 3]>,
    /// Velocities in m/s.
    pub velocities: Vec<[f32; 3]>,
}

/// Particles; each list has one entry per particle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Particles {
    /// Positions in m.
    pub positions: Vec<[f32; 3]>,
    /// Velocities in m/s.
    pub velocities: Vec<[f32; 3]>,
    /// Radii in m, which may differ from particle to particle.
    pub radii: Vec<f32>,
    /// The kind of each particle: [`Self::SPRAY`], or a number that the method defines.
    pub kinds: Vec<u8>,
    /// Identifiers of the particles, which do not change from frame to frame.
    pub ids: Vec<u32>,
}

impl Particles {
    /// The kind of spray particles, which fly outside the surface.
    pub const SPRAY: u8 = 1;

    /// Returns the number of particles.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Returns whether there are no particles.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }
}
