//! Processes points in order of distance without a heap. Points are sorted into buckets of a fixed width;
//! inside a bucket, each round reads the old state and writes the new one, so the result depends neither on
//! threads nor on the order of points.

use rayon::prelude::*;

/// Number of points of a front that one task handles; shorter fronts are not worth a thread.
const PIECE: usize = 512;

/// Maximum number of buckets; if there would be more, they are made wider.
const MOST: f64 = 16384.0;

/// Offset of the bucket bounds. Over a flat surface, keys are whole multiples of the width apart; the offset
/// keeps them away from the bounds, so that rounding does not decide which bucket they fall into.
const OFFSET: f64 = 0.37;

/// Waiting points, sorted approximately by a key.
pub(super) struct Buckets {
    lists: Vec<Vec<u32>>,
    current: usize,
    origin: f64,
    per_key: f64,
}

impl Buckets {
    /// Creates buckets of about `width` for keys from `first` to `last`; keys outside this range go to the
    /// first or last bucket.
    pub(super) fn new(first: f64, last: f64, width: f64) -> Self {
        let range = if last > first { last - first } else { 0.0 };
        let width = width.max(range / MOST).max(f64::MIN_POSITIVE);
        let n = (range / width) as usize + 1;
        Self { lists: vec![Vec::new(); n], current: 0, origin: first, per_key: 1.0 / width }
    }

    /// Queues point `i` at `key`, or for the next round if `key` has passed.
    pub(super) fn push(&mut self, i: u32, key: f64) {
        let wanted = ((key - self.origin) * self.per_key + OFFSET) as usize;
        let bucket = wanted.min(self.lists.len() - 1).max(self.current);
        self.lists[bucket].push(i);
    }

    /// Moves the points of the next round to `front`. Returns false if no point waits.
    pub(super) fn pop(&mut self, front: &mut Vec<u32>) -> bool {
        front.clear();
        while self.current < self.lists.len() {
            if !self.lists[self.current].is_empty() {
                std::mem::swap(front, &mut self.lists[self.current]);
                return true;
            }
            self.current += 1;
        }
        self.current = self.lists.len() - 1;
        false
    }
}

/// Runs `f` on pieces of `front`, each with its own output, and returns the outputs in order. Outputs are
/// reused between calls, so `f` must clear the output that it receives.
pub(super) fn each_piece<'a, A: Default + Send>(
    front: &[u32],
    outputs: &'a mut Vec<A>,
    f: impl Fn(&[u32], &mut A) + Sync,
) -> &'a mut [A] {
    let n = front.len().div_ceil(PIECE);
    if outputs.len() < n {
        outputs.resize_with(n, A::default);
    }
    let outputs = &mut outputs[..n];
    if n == 1 {
        f(front, &mut outputs[0]);
    } else {
        outputs.par_iter_mut().zip(front.par_chunks(PIECE)).for_each(|(out, piece)| f(piece, out));
    }
    outputs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_come_in_order_of_buckets_and_late_ones_in_the_next_round() {
        let mut buckets = Buckets::new(1.0, 5.0, 1.0);
        for (i, key) in [(0, 4.5), (1, 1.5), (2, f64::INFINITY), (3, -7.0), (4, 3.2)] {
            buckets.push(i, key);
        }
        let mut front = Vec::new();
        let mut seen = Vec::new();
        while buckets.pop(&mut front) {
            if front.contains(&4) {
                buckets.push(5, 0.0);
            }
            seen.push(front.clone());
        }
        assert_eq!(seen, [vec![1, 3], vec![4], vec![5], vec![0], vec![2]]);
        assert!(!buckets.pop(&mut front));
    }

    #[test]
    fn pieces_return_in_the_order_of_the_front() {
        let front: Vec<u32> = (0..5000).rev().collect();
        let mut outputs: Vec<Vec<u32>> = Vec::new();
        let all = each_piece(&front, &mut outputs, |piece, out| {
            out.clear();
            out.extend(piece);
        });
        assert_eq!(all.concat(), front);
    }
}
