//! How thick a body is: one answer for each block of 4 × 4 × 4 cells, found by the first query in it.
//!
//! An answer is a function of the block's place alone, so that it does not matter who asks first.

use glam::{DVec3, UVec3};
use std::sync::atomic::{AtomicU8, Ordering};

/// Points along an edge of a block at which the body is measured.
const POINTS: u32 = 4;
/// Blocks around the bounding box.
const MARGIN: f64 = 2.0;
/// Maximum number of blocks; larger bodies are measured at every query.
const MAX_BLOCKS: f64 = 1e7;

/// How thick a body is near a point, compared with the cells around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Build {
    /// It may be so thin that it must be thickened.
    Thin = 1,
    /// It has a middle and two sides, but holds water as it is.
    Firm = 2,
    /// Thicker than that.
    Thick = 3,
}

const UNKNOWN: u8 = 0;

/// Blocks of one size around a body.
pub(super) struct ThickBlocks {
    low: DVec3,
    edge: f64,
    n: UVec3,
    /// Empty if there would be too many.
    answers: Box<[AtomicU8]>,
}

impl ThickBlocks {
    /// Creates blocks of this edge around the box between two corners; nothing is known about them yet.
    pub(super) fn new(low: DVec3, high: DVec3, edge: f64) -> Self {
        let n = ((high - low) / edge).ceil() + 2.0 * MARGIN;
        let count = if n.element_product() > MAX_BLOCKS { 0 } else { n.as_uvec3().element_product() };
        let answers = (0..count).map(|_| AtomicU8::new(UNKNOWN)).collect();
        Self { low: low - MARGIN * edge, edge, n: n.as_uvec3(), answers }
    }

    /// Returns the thinnest build at points of the block around `p`; thin outside the blocks.
    pub(super) fn build(&self, p: DVec3, measure: impl Fn(DVec3) -> Build) -> Build {
        let at = ((p - self.low) / self.edge).floor();
        if self.answers.is_empty() || !(at.cmpge(DVec3::ZERO).all() && at.cmplt(self.n.as_dvec3()).all()) {
            return Build::Thin;
        }
        let i = at.as_uvec3();
        let answer = &self.answers[((i.z * self.n.y + i.y) * self.n.x + i.x) as usize];
        let known = answer.load(Ordering::Relaxed);
        if known != UNKNOWN {
            let is = |build: Build| known == build as u8;
            return if is(Build::Thick) {
                Build::Thick
            } else if is(Build::Firm) {
                Build::Firm
            } else {
                Build::Thin
            };
        }
        let corner = self.low + self.edge * at;
        let mut least = Build::Thick;
        for i in 0..POINTS.pow(3) {
            let place = UVec3::new(i % POINTS, i / POINTS % POINTS, i / POINTS / POINTS);
            least = least.min(measure(corner + self.edge * (place.as_dvec3() + 0.5) / f64::from(POINTS)));
            if least == Build::Thin {
                break;
            }
        }
        answer.store(least as u8, Ordering::Relaxed);
        least
    }

    /// Returns the number of bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.answers.len()
    }
}
