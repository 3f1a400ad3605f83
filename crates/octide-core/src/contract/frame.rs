//! The part of a simulation's state that writers and pictures use.

use super::{Cells, Smoke};
use crate::geometry::TriMesh;
use std::f64::consts::PI;

/// The volume of a ball of radius 1.
const BALL: f64 = 4.0 / 3.0 * PI;

/// The part of a simulation's state that writers and pictures use.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// Simulated time in seconds.
    pub time: f64,
    /// The liquid's surface as a closed mesh, which includes the parts along the domain's walls and along solids.
    pub surface: Surface,
    /// The grid's cells.
    pub cells: Cells,
    /// Particles; empty if the method has none.
    pub particles: Particles,
    /// Smoke; `None` if the method simulates water.
    pub smoke: Option<Smoke>,
    /// The volume of the liquid with that of spray, in m³.
    pub volume: f64,
    /// The part of the volume of `surface` in m³ that is in walls which the grid counts as thicker than they are: there the
    /// surface shows water up to the wall, and the simulation has none.
    pub in_walls: f64,
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
    /// Returns the number of spray particles, and their volume as spheres in m³.
    pub fn spray(&self) -> (usize, f64) {
        let drops = self.radii.iter().zip(&self.kinds).filter(|(_, kind)| **kind == Self::SPRAY);
        drops.fold((0, 0.0), |(n, volume), (r, _)| (n + 1, volume + BALL * f64::from(*r).powi(3)))
    }

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
