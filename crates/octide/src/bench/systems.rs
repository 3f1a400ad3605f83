//! Linear systems to measure solvers with: `A x = b`, A symmetric and positive definite, as pressure asks
//! for.
//!
//! | system | what it is |
//! |---|---|
//! | [`uniform()`] | a tank of equal cells, half full: a solver's easiest case |
//! | [`octree()`] | a wave on a graded octree, by [`Mode`] with levels along the surface or a body below it |
//! | [`dam_break()`] | what a step of the built-in scene asks for when the water climbs the side walls |
//!
//! All numbers follow from the arguments: random ones are hashed from a cell's or a face's place. A folder of
//! systems ([`read`], [`write()`]) is how other programs get the same ones.

mod dam_break;
mod files;
mod noise;
mod octree;
mod uniform;

pub use dam_break::dam_break;
pub use files::{SystemError, names_in, read, write};
pub use octree::{Mode, octree};
pub use uniform::uniform;

use glam::DVec3;
use octide_solve::Csr;
use std::f64::consts::TAU;

/// A linear system and where its unknowns live.
#[derive(Clone, Debug, PartialEq)]
pub struct System {
    /// Names its files, too.
    pub name: String,
    /// The matrix.
    pub matrix: Csr,
    /// The right-hand side.
    pub rhs: Vec<f64>,
    /// Level, i, j, k of each row's cell in the unit cube; a cell's edge is 2^−level, or 1/N for level −N.
    /// Empty where nobody knows.
    pub cells: Vec<[i32; 4]>,
}

/// u* along an axis: some vortices, gravity, and noise of 5 %, so that a right-hand side has all wavelengths.
fn velocity(x: DVec3, axis: usize, seed: u64, face: u64) -> f64 {
    let x = TAU * x;
    let smooth = match axis {
        0 => x.y.sin() * (2.0 * x.z).cos(),
        1 => (3.0 * x.x).cos() * x.z.sin(),
        _ => x.x.sin() * (2.0 * x.y).sin() - 1.0,
    };
    smooth + 0.05 * noise::normal(seed, face)
}

/// A number for each face: its axis and place on a grid of fewer than 2²⁰ points a side.
fn face_key(axis: usize, place: [i32; 3]) -> u64 {
    place.iter().fold(axis as u64, |key, &c| key << 20 | c as u64)
}
