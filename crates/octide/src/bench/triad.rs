//! How fast memory is: STREAM's triad, `a = b + s c`.
//!
//! Solvers of sparse systems wait for memory, so that their speeds on two machines are best compared next to
//! this one. As in STREAM, 24 bytes are counted an element; that a cache line is read before it is written to
//! is not.

use octide_core::par;
use rayon::prelude::*;
use std::hint::black_box;
use std::time::Instant;

/// Elements of a vector: 64 MB each, more than caches hold.
const LENGTH: usize = 8_000_000;

/// The best of so many passes counts.
const PASSES: usize = 10;

/// Elements that a thread takes at a time.
const CHUNK: usize = 1 << 16;

/// GB/s (10⁹ bytes) of the triad, by all threads of the current pool.
pub fn triad() -> f64 {
    triad_of(LENGTH)
}

fn triad_of(n: usize) -> f64 {
    let mut a = par::map_index(n, |_| 0.0);
    let b = par::map_index(n, |i| i as f64);
    let c = par::map_index(n, |_| 1.0);
    let s = black_box(3.0);
    let mut best = f64::INFINITY;
    for _ in 0..PASSES {
        let start = Instant::now();
        let chunks = a.par_chunks_mut(CHUNK).zip(b.par_chunks(CHUNK)).zip(c.par_chunks(CHUNK));
        chunks.for_each(|((a, b), c)| {
            for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
                *a = b + s * c;
            }
        });
        best = best.min(start.elapsed().as_secs_f64());
        black_box(&a);
    }
    debug_assert!(a.last().is_none_or(|&last: &f64| last > n as f64));
    24.0 * n as f64 / best.max(f64::MIN_POSITIVE) / 1e9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_moves() {
        let speed = triad_of(200_000);
        assert!((0.01..1e5).contains(&speed), "{speed}");
    }
}
