//! A marker in 32 bits: its position in its leaf, its sign and its radius.
//!
//! ```text
//! x = low + h (q + ½)/512,             q of 9 bits per axis, low and h of the leaf;
//! r = r_min + (r_max − r_min) k/15,   k of 4 bits.
//! ```
//!
//! Positions in all leaves of one size form one lattice, so that a marker at rest is not rounded. A moving
//! marker is rounded up or down at random, with a probability given by the fraction: a flow of less than
//! 1/512 of a cell per step still advects markers, on average. The random walk that this adds is at most
//! √n/1024 cells in n steps, 0.03 in a thousand. The error of a radius is at most 0.013 dx, in either
//! direction.

use super::{LARGEST, SMALLEST};
use crate::index::CellId;
use crate::octree::Octree;
use crate::random::{Seed, Symmetric};
use glam::{DVec3, IVec3};

/// Number of positions along a leaf's edge.
const PLACES: f64 = 512.0;
/// Bits of a position along an axis.
const BITS: u32 = 9;
const AIR: u32 = 1 << (3 * BITS);
const RADIUS: u32 = 3 * BITS + 1;
/// The code of the largest radius.
const RADII: f64 = 15.0;

/// A marker as it is stored; its position is relative to its leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Packed(pub(super) u32);

/// A ball on one side of the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marker {
    pub(super) x: DVec3,
    /// The radius, negative in liquid.
    pub(super) r: f64,
}

impl Marker {
    #[cfg(test)]
    pub(super) fn new(x: DVec3, sign: f64, radius: f64) -> Self {
        Self { x, r: sign * radius }
    }

    /// Returns its position.
    #[inline]
    pub fn position(&self) -> DVec3 {
        self.x
    }

    /// Returns its sign: −1 in liquid, 1 in air.
    #[inline]
    pub fn sign(&self) -> f64 {
        self.r.signum()
    }

    /// Returns its radius in m.
    #[inline]
    pub fn radius(&self) -> f64 {
        self.r.abs()
    }
}

impl Packed {
    /// Creates a marker at the position `t` in [0, 1]³ of its leaf, rounded down.
    #[inline]
    pub(super) fn new(t: DVec3, sign: f64) -> Self {
        Self(bits(t * PLACES) | if sign > 0.0 { AIR } else { 0 })
    }

    /// Returns the marker at another position of its leaf, or past its faces.
    #[inline]
    pub(super) fn moved(self, t: DVec3) -> Self {
        Self(self.0 & !(AIR - 1) | bits(t * PLACES))
    }

    /// Returns its position in its leaf, in (0, 1)³.
    #[inline]
    pub(super) fn place(self) -> DVec3 {
        (self.numbers().as_dvec3() + 0.5) / PLACES
    }

    /// Returns its position in its leaf as integers.
    #[inline]
    fn numbers(self) -> IVec3 {
        let q = |axis: u32| (self.0 >> (axis * BITS) & (PLACES as u32 - 1)) as i32;
        IVec3::new(q(0), q(1), q(2))
    }

    /// Returns the random numbers for its position in a leaf at `coord` among `size` leaves of its level.
    #[inline]
    pub(super) fn random(self, coord: IVec3, size: IVec3, seed: Seed) -> Symmetric {
        let places = PLACES as i32;
        Symmetric::new(coord * places + self.numbers(), size * places, seed)
    }

    /// Returns whether its sign is that of air.
    #[inline]
    pub(super) fn is_air(self) -> bool {
        self.0 & AIR != 0
    }

    /// Returns its sign: −1 in liquid, 1 in air.
    #[inline]
    pub(super) fn sign(self) -> f64 {
        if self.is_air() { 1.0 } else { -1.0 }
    }

    /// Returns its radius, in finest cells.
    #[inline]
    pub(super) fn radius(self) -> f64 {
        SMALLEST + (LARGEST - SMALLEST) / RADII * f64::from(self.0 >> RADIUS)
    }

    /// Returns the marker with the nearest representable radius, given in finest cells.
    #[inline]
    pub(super) fn with_radius(self, radius: f64) -> Self {
        let k = ((radius - SMALLEST) * (RADII / (LARGEST - SMALLEST)) + 0.5).clamp(0.0, RADII);
        Self(self.0 & ((1 << RADIUS) - 1) | (k as u32) << RADIUS)
    }

    /// Returns whether it is on the wrong side by more than its radius, at a position with `phi`, in finest
    /// cells.
    #[inline]
    pub(super) fn has_escaped(self, phi: f64) -> bool {
        self.sign() * phi < -self.radius()
    }

    /// Converts it to a marker with an absolute position.
    #[inline]
    pub(super) fn unpacked(self, tree: &Octree, cell: CellId) -> Marker {
        let x = tree.center(cell) + (self.place() - 0.5) * tree.size(cell);
        Marker { x, r: self.sign() * self.radius() * tree.grid().dx() }
    }
}

/// Rounds a position in a leaf to the lattice, or just past the leaf's faces; the random `up`, in (0, 1)³,
/// decides whether the fraction is rounded up.
#[inline]
pub(super) fn rounded(t: DVec3, up: DVec3) -> DVec3 {
    ((t * PLACES - 0.5 + up).floor() + 0.5) / PLACES
}

/// Packs a position in lattice units to bits, clamped to the leaf.
#[inline]
fn bits(q: DVec3) -> u32 {
    let q = q.floor().clamp(DVec3::ZERO, DVec3::splat(PLACES - 1.0)).as_uvec3();
    q.x | q.y << BITS | q.z << (2 * BITS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random;

    #[test]
    fn all_parts_come_back() {
        for i in 0..1000u64 {
            let t = DVec3::new(random::unit([i, 0]), random::unit([i, 1]), random::unit([i, 2]));
            let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
            let r = 0.1 + 0.4 * random::unit([i, 3]);
            let m = Packed::new(t, sign).with_radius(r);
            assert!((m.place() - t).abs().max_element() <= 0.5 / 512.0);
            assert!(m.sign() == sign && (m.radius() - r).abs() < 0.0134, "{} {r}", m.radius());
            // A marker at rest is not rounded again.
            let up = m.random(IVec3::ONE, IVec3::splat(4), Seed::default()).vector(i);
            assert_eq!(m.moved(rounded(m.place(), up)), m);
            assert_eq!(m.with_radius(m.radius()), m);
        }
    }

    /// Moves a marker a thousand times by a fiftieth of the lattice spacing.
    #[test]
    fn slow_flows_carry_markers_too() {
        for seed in [1, 2].map(Seed::new) {
            let (step, n) = (0.02 / 512.0, 1000u64);
            let mean = (0..400u64)
                .map(|k| {
                    let start = Packed::new(DVec3::splat(0.2), -1.0);
                    let walk = |m: Packed, i: u64| {
                        let up = m.random(IVec3::ONE, IVec3::new(5, 6, 7), seed).vector((k << 32) | i);
                        m.moved(rounded(m.place() + DVec3::new(step, 0.0, -step), up))
                    };
                    (0..n).fold(start, walk).place() - start.place()
                })
                .sum::<DVec3>()
                / 400.0;
            let gone = step * n as f64;
            assert!((mean.x / gone - 1.0).abs() < 0.05 && (mean.z / gone + 1.0).abs() < 0.05, "{mean}");
            assert_eq!(mean.y, 0.0);
        }
    }
}
