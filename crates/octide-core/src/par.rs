//! Parallel loops whose results do not depend on the number of threads: work is split into chunks of a fixed
//! length, and the results of chunks are combined in their order.

use crate::index::{Field, Id};
use rayon::prelude::*;

/// Number of items in a chunk.
pub const CHUNK: usize = 1024;

/// Computes a column row by row.
pub fn map<I: Id, T: Send>(n: usize, f: impl Fn(I) -> T + Sync + Send) -> Field<I, T> {
    Field::from_vec(map_index(n, |i| f(I::from_index(i))))
}

/// Computes a vector row by row.
pub fn map_index<T: Send>(n: usize, f: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
    (0..n).into_par_iter().with_min_len(CHUNK).map(f).collect()
}

/// Computes a vector whose elements each take long: every row may run on another thread.
pub fn map_each<T: Send>(n: usize, f: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
    (0..n).into_par_iter().map(f).collect()
}

/// Computes two results, in parallel if threads are available.
pub fn both<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    rayon::join(a, b)
}

/// Overwrites each row of `out` by `f(row, old value)`.
pub fn update<T: Send>(out: &mut [T], f: impl Fn(usize, &mut T) + Sync + Send) {
    out.par_chunks_mut(CHUNK).enumerate().for_each(|(c, chunk)| {
        for (i, value) in chunk.iter_mut().enumerate() {
            f(c * CHUNK + i, value);
        }
    });
}

/// Updates the rows of two lists of equal length together.
pub fn update_both<T: Send, U: Send>(
    first: &mut [T],
    second: &mut [U],
    f: impl Fn(usize, &mut T, &mut U) + Sync + Send,
) {
    let chunks = first.par_chunks_mut(CHUNK).zip(second.par_chunks_mut(CHUNK));
    chunks.enumerate().for_each(|(c, (first, second))| {
        for (i, (a, b)) in first.iter_mut().zip(second).enumerate() {
            f(c * CHUNK + i, a, b);
        }
    });
}

/// Applies `f` to each part of `out` and returns the results in order. Part i lies between `starts[i]` and
/// `starts[i + 1]`, and `f` may change it.
pub fn map_parts<T: Send, R: Send>(
    mut out: &mut [T],
    starts: &[usize],
    f: impl Fn(usize, &mut [T]) -> R + Sync + Send,
) -> Vec<R> {
    let mut parts = Vec::with_capacity(starts.len());
    for ends in starts.windows(2) {
        let (part, rest) = out.split_at_mut(ends[1] - ends[0]);
        parts.push(part);
        out = rest;
    }
    parts.into_par_iter().enumerate().map(|(i, part)| f(i, part)).collect()
}

/// Applies `f` to the parts of two lists that are split at the same indices.
pub fn map_both_parts<T: Send, U: Send, R: Send>(
    mut first: &mut [T],
    mut second: &mut [U],
    starts: &[usize],
    f: impl Fn(usize, &mut [T], &mut [U]) -> R + Sync + Send,
) -> Vec<R> {
    let mut parts = Vec::with_capacity(starts.len());
    for ends in starts.windows(2) {
        let (a, rest) = first.split_at_mut(ends[1] - ends[0]);
        first = rest;
        let (b, rest) = second.split_at_mut(ends[1] - ends[0]);
        second = rest;
        parts.push((a, b));
    }
    parts.into_par_iter().enumerate().map(|(i, (a, b))| f(i, a, b)).collect()
}

/// Returns the rows of a chunk of `0..n`.
pub fn chunk(number: usize, n: usize) -> std::ops::Range<usize> {
    number * CHUNK..((number + 1) * CHUNK).min(n)
}

/// Folds `0..n` in fixed chunks and combines the chunks' results from first to last.
pub fn reduce<A: Send>(
    n: usize,
    init: impl Fn() -> A + Sync + Send,
    fold: impl Fn(A, usize) -> A + Sync + Send,
    combine: impl Fn(A, A) -> A,
) -> A {
    let parts: Vec<A> = (0..n.div_ceil(CHUNK))
        .into_par_iter()
        .map(|c| (c * CHUNK..((c + 1) * CHUNK).min(n)).fold(init(), &fold))
        .collect();
    parts.into_iter().fold(init(), combine)
}

/// Returns the sum of `f(i)` over `0..n`, in a fixed order.
pub fn sum(n: usize, f: impl Fn(usize) -> f64 + Sync + Send) -> f64 {
    reduce(n, || 0.0, |acc, i| acc + f(i), |a, b| a + b)
}

/// Returns the maximum of `f(i)` over `0..n`, or 0 if all are smaller.
pub fn max(n: usize, f: impl Fn(usize) -> f64 + Sync + Send) -> f64 {
    reduce(n, || 0.0, |acc: f64, i| acc.max(f(i)), f64::max)
}

/// Number of chunks whose lists are held at the same time before they are joined.
const BLOCK: usize = 64;

/// Concatenates in order the items that `f` pushes for each of `0..n`.
pub fn collect<T: Send>(n: usize, f: impl Fn(usize, &mut Vec<T>) + Sync + Send) -> Vec<T> {
    let chunk = |c: usize| {
        let mut out = Vec::new();
        for i in c * CHUNK..((c + 1) * CHUNK).min(n) {
            f(i, &mut out);
        }
        out
    };
    // Block by block, so that not everything is held twice.
    let n_chunks = n.div_ceil(CHUNK);
    let mut all = Vec::new();
    for first in (0..n_chunks).step_by(BLOCK) {
        let parts: Vec<Vec<T>> = (first..(first + BLOCK).min(n_chunks)).into_par_iter().map(chunk).collect();
        all.reserve(parts.iter().map(Vec::len).sum());
        all.extend(parts.into_iter().flatten());
    }
    all.shrink_to_fit();
    all
}

/// Applies `f` to each chunk of `0..n` and returns the results in order.
pub fn map_chunks<T: Send>(n: usize, f: impl Fn(std::ops::Range<usize>) -> T + Sync + Send) -> Vec<T> {
    (0..n.div_ceil(CHUNK)).into_par_iter().map(|c| f(c * CHUNK..((c + 1) * CHUNK).min(n))).collect()
}
