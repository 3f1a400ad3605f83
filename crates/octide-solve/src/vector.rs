//! Vector kernels whose results do not depend on the number of threads: vectors are cut into chunks of
//! [`CHUNK`] entries, each chunk is summed in a fixed order, and the chunks' sums are added from first to
//! last. Short vectors are processed the same way on one thread, so their results are identical too.
//!
//! Kernels of an iteration that do not depend on each other's results are fused into one pass: at a million
//! unknowns memory bandwidth limits the speed.

use rayon::prelude::*;

/// Number of entries in one chunk.
pub(crate) const CHUNK: usize = 4096;

/// Below this length, running in parallel costs more than it saves.
const PARALLEL_FROM: usize = 16 * CHUNK;

/// Number of independent partial sums in a chunk: a single one would wait for the latency of each addition.
const LANES: usize = 8;

/// Returns whether a loop over `n` entries is worth parallelizing.
pub(crate) fn is_parallel(n: usize) -> bool {
    n >= PARALLEL_FROM && rayon::current_num_threads() > 1
}

/// Adds the chunks' sums in order.
pub(crate) fn ordered_sum(parts: impl IndexedParallelIterator<Item = f64>) -> f64 {
    let parts: Vec<f64> = parts.collect();
    parts.into_iter().sum()
}

/// Adds the chunks' pairs of sums in order.
fn pair_sum(parts: impl Iterator<Item = [f64; 2]>) -> [f64; 2] {
    parts.fold([0.0; 2], |sum, part| [sum[0] + part[0], sum[1] + part[1]])
}

/// Returns `a·b` of one chunk.
pub(crate) fn dot_chunk(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let (a_full, a_rest) = a.as_chunks::<LANES>();
    let (b_full, b_rest) = b.as_chunks::<LANES>();
    for (a, b) in a_full.iter().zip(b_full) {
        for l in 0..LANES {
            lanes[l] += a[l] * b[l];
        }
    }
    for (l, (a, b)) in a_rest.iter().zip(b_rest).enumerate() {
        lanes[l] += a * b;
    }
    lanes.iter().sum()
}

/// Returns `Σ w r²` of one chunk.
fn weighted_square_chunk(r: &[f64], w: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let (r_full, r_rest) = r.as_chunks::<LANES>();
    let (w_full, w_rest) = w.as_chunks::<LANES>();
    for (r, w) in r_full.iter().zip(w_full) {
        for l in 0..LANES {
            lanes[l] += w[l] * r[l] * r[l];
        }
    }
    for (l, (r, w)) in r_rest.iter().zip(w_rest).enumerate() {
        lanes[l] += w * r * r;
    }
    lanes.iter().sum()
}

/// Returns `Σ w a b` of one chunk.
fn weighted_dot_chunk(a: &[f64], b: &[f64], w: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let (a_full, a_rest) = a.as_chunks::<LANES>();
    let (b_full, b_rest) = b.as_chunks::<LANES>();
    let (w_full, w_rest) = w.as_chunks::<LANES>();
    for ((a, b), w) in a_full.iter().zip(b_full).zip(w_full) {
        for l in 0..LANES {
            lanes[l] += w[l] * a[l] * b[l];
        }
    }
    for (l, ((a, b), w)) in a_rest.iter().zip(b_rest).zip(w_rest).enumerate() {
        lanes[l] += w * a * b;
    }
    lanes.iter().sum()
}

/// Returns `a·b`.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let kernel = |(a, b): (&[f64], &[f64])| dot_chunk(a, b);
    if is_parallel(a.len()) {
        ordered_sum(a.par_chunks(CHUNK).zip(b.par_chunks(CHUNK)).map(kernel))
    } else {
        a.chunks(CHUNK).zip(b.chunks(CHUNK)).map(kernel).sum()
    }
}

/// Returns `Σ w r²`, or `Σ r²` without weights.
pub(crate) fn square(r: &[f64], w: Option<&[f64]>) -> f64 {
    let Some(w) = w else { return dot(r, r) };
    let kernel = |(r, w): (&[f64], &[f64])| weighted_square_chunk(r, w);
    if is_parallel(r.len()) {
        ordered_sum(r.par_chunks(CHUNK).zip(w.par_chunks(CHUNK)).map(kernel))
    } else {
        r.chunks(CHUNK).zip(w.chunks(CHUNK)).map(kernel).sum()
    }
}

/// Computes `r −= α q` and returns [`square`] of the new `r`.
pub(crate) fn reduce_residual(r: &mut [f64], alpha: f64, q: &[f64], w: Option<&[f64]>) -> f64 {
    let update = |r: &mut [f64], q: &[f64]| {
        for (r, q) in r.iter_mut().zip(q) {
            *r -= alpha * q;
        }
    };
    let plain = |(r, q): (&mut [f64], &[f64])| {
        update(r, q);
        dot_chunk(r, r)
    };
    let weighted = |((r, q), w): ((&mut [f64], &[f64]), &[f64])| {
        update(r, q);
        weighted_square_chunk(r, w)
    };
    let parallel = is_parallel(r.len());
    match w {
        None if parallel => ordered_sum(r.par_chunks_mut(CHUNK).zip(q.par_chunks(CHUNK)).map(plain)),
        None => r.chunks_mut(CHUNK).zip(q.chunks(CHUNK)).map(plain).sum(),
        Some(w) if parallel => ordered_sum(
            r.par_chunks_mut(CHUNK).zip(q.par_chunks(CHUNK)).zip(w.par_chunks(CHUNK)).map(weighted),
        ),
        Some(w) => r.chunks_mut(CHUNK).zip(q.chunks(CHUNK)).zip(w.chunks(CHUNK)).map(weighted).sum(),
    }
}

/// Computes `r −= α q` and returns [`square`] of the new `r` and `r·s`.
pub(crate) fn reduce_residual_dot(
    r: &mut [f64],
    alpha: f64,
    q: &[f64],
    w: Option<&[f64]>,
    s: &[f64],
) -> [f64; 2] {
    let kernel = |(c, r): (usize, &mut [f64])| {
        let own = c * CHUNK..c * CHUNK + r.len();
        for (r, q) in r.iter_mut().zip(&q[own.clone()]) {
            *r -= alpha * q;
        }
        let square = w.map_or_else(|| dot_chunk(r, r), |w| weighted_square_chunk(r, &w[own.clone()]));
        [square, dot_chunk(r, &s[own])]
    };
    if is_parallel(r.len()) {
        let parts: Vec<_> = r.par_chunks_mut(CHUNK).enumerate().map(kernel).collect();
        pair_sum(parts.into_iter())
    } else {
        pair_sum(r.chunks_mut(CHUNK).enumerate().map(kernel))
    }
}

/// Returns `Σ w a b` and `Σ w a²`, or both without weights.
pub(crate) fn dot_and_square(a: &[f64], b: &[f64], w: Option<&[f64]>) -> [f64; 2] {
    let kernel = |(c, a): (usize, &[f64])| {
        let own = c * CHUNK..c * CHUNK + a.len();
        let b = &b[own.clone()];
        match w {
            None => [dot_chunk(a, b), dot_chunk(a, a)],
            Some(w) => [weighted_dot_chunk(a, b, &w[own.clone()]), weighted_square_chunk(a, &w[own])],
        }
    };
    if is_parallel(a.len()) {
        let parts: Vec<_> = a.par_chunks(CHUNK).enumerate().map(kernel).collect();
        pair_sum(parts.into_iter())
    } else {
        pair_sum(a.chunks(CHUNK).enumerate().map(kernel))
    }
}

/// Computes `x += α p`, then `p = z + β p`.
pub(crate) fn advance(x: &mut [f64], alpha: f64, p: &mut [f64], z: &[f64], beta: f64) {
    let kernel = |((x, p), z): ((&mut [f64], &mut [f64]), &[f64])| {
        for ((x, p), z) in x.iter_mut().zip(p).zip(z) {
            *x += alpha * *p;
            *p = z + beta * *p;
        }
    };
    if is_parallel(x.len()) {
        x.par_chunks_mut(CHUNK).zip(p.par_chunks_mut(CHUNK)).zip(z.par_chunks(CHUNK)).for_each(kernel);
    } else {
        kernel(((x, p), z));
    }
}

/// Computes `p = r + β (p − ω v)`.
pub(crate) fn turn(p: &mut [f64], r: &[f64], beta: f64, omega: f64, v: &[f64]) {
    zip_apply_two(p, r, v, |p, r, v| *p = r + beta * (*p - omega * v));
}

/// Computes `y += α a + β b`.
pub(crate) fn add_two_scaled(y: &mut [f64], alpha: f64, a: &[f64], beta: f64, b: &[f64]) {
    zip_apply_two(y, a, b, |y, a, b| *y += alpha * a + beta * b);
}

/// Computes `y += α x`.
pub(crate) fn add_scaled(y: &mut [f64], alpha: f64, x: &[f64]) {
    zip_apply(y, x, |y, x| *y += alpha * x);
}

/// Computes `y = x − y`.
pub(crate) fn subtract_from(y: &mut [f64], x: &[f64]) {
    zip_apply(y, x, |y, x| *y = x - *y);
}

/// Calls `f(y_i, x_i)` for each entry.
pub(crate) fn zip_apply(y: &mut [f64], x: &[f64], f: impl Fn(&mut f64, f64) + Sync) {
    let kernel = |(y, x): (&mut [f64], &[f64])| {
        for (y, x) in y.iter_mut().zip(x) {
            f(y, *x);
        }
    };
    if is_parallel(y.len()) {
        y.par_chunks_mut(CHUNK).zip(x.par_chunks(CHUNK)).for_each(kernel);
    } else {
        kernel((y, x));
    }
}

/// Calls `f(y_i, a_i, b_i)` for each entry.
fn zip_apply_two(y: &mut [f64], a: &[f64], b: &[f64], f: impl Fn(&mut f64, f64, f64) + Sync) {
    let kernel = |((y, a), b): ((&mut [f64], &[f64]), &[f64])| {
        for ((y, a), b) in y.iter_mut().zip(a).zip(b) {
            f(y, *a, *b);
        }
    };
    if is_parallel(y.len()) {
        y.par_chunks_mut(CHUNK).zip(a.par_chunks(CHUNK)).zip(b.par_chunks(CHUNK)).for_each(kernel);
    } else {
        kernel(((y, a), b));
    }
}

/// Calls `f(i, y_i)` for each entry.
pub(crate) fn update(y: &mut [f64], f: impl Fn(usize, &mut f64) + Sync) {
    let kernel = |(c, y): (usize, &mut [f64])| {
        for (i, y) in y.iter_mut().enumerate() {
            f(c * CHUNK + i, y);
        }
    };
    if is_parallel(y.len()) {
        y.par_chunks_mut(CHUNK).enumerate().for_each(kernel);
    } else {
        kernel((0, y));
    }
}

#[cfg(test)]
mod tests;
