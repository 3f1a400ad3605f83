//! Where a body has no thin parts: one answer for each block of 4 × 4 × 4 cells, found by the first query in it.
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

const UNKNOWN: u8 = 0;
const THIN: u8 = 1;
const THICK: u8 = 2;

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

    /// Returns whether the body is nowhere thin at points of the block around `p`; false outside the blocks.
    pub(super) fn is_thick(&self, p: DVec3, is_thin: impl Fn(DVec3) -> bool) -> bool {
        let at = ((p - self.low) / self.edge).floor();
        if self.answers.is_empty() || !(at.cmpge(DVec3::ZERO).all() && at.cmplt(self.n.as_dvec3()).all()) {
            return false;
        }
        let i = at.as_uvec3();
        let answer = &self.answers[((i.z * self.n.y + i.y) * self.n.x + i.x) as usize];
        match answer.load(Ordering::Relaxed) {
            UNKNOWN => {
                let corner = self.low + self.edge * at;
                let any = (0..POINTS.pow(3)).any(|i| {
                    let place = UVec3::new(i % POINTS, i / POINTS % POINTS, i / POINTS / POINTS);
                    is_thin(corner + self.edge * (place.as_dvec3() + 0.5) / f64::from(POINTS))
                });
                answer.store(if any { THIN } else { THICK }, Ordering::Relaxed);
                !any
            }
            known => known == THICK,
        }
    }

    /// Returns the number of bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.answers.len()
    }
}
