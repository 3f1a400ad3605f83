//! Conjugate gradients inside the hierarchy: preconditioned by its cycle, using the matrix of its first
//! level, in the order of its tiles and mostly in 32 bits.
//!
//! A round corrects the solution: `A e = r` with `r = b − A x` of the caller's operator, in 64 bits. Its
//! recurrence (see [`Pcg`]) keeps `r`, `z`, `p` and `q = A p` in 32 bits; `e` is summed in 64, because
//! rounding a smooth `e` costs `A e` all its digits, and `A p` is computed from differences of `p`, for the
//! same reason. A round ends after five digits at the latest, and the next starts from the true residual. For
//! a tolerance of 1e-4 one round is enough, or two with closed pieces, where a round ends after three digits.
//! If a round gains less than its recurrence predicts, because the hierarchy belongs to another matrix, the
//! next rounds are shorter; if rounds gain nothing, plain conjugate gradients with the cycle as
//! preconditioner ([`Pcg`]) take over.
//!
//! Nothing is sorted, converted or gathered between product and cycle, matrix and vectors take half the
//! memory that they would in 64 bits, and the update of `r` is part of the first sweep.

use super::Multigrid;
use super::smoother::{Smoother, block, blocks, by_tile, for_each, with_scratch};
use super::tile::{Block, TILE, Tile};
use crate::error::SolveError;
use crate::krylov::{self, Ending, Frame, Progress, Report, Rounds, SolveParams, System, finite};
use crate::null_space::NullSpace;
use crate::operator::{Operator, Preconditioner};
use crate::pcg::{Pcg, positive};
use crate::vector;

/// A round ends at the latest when the residual is this fraction of what it was at the start.
const ROUND: f64 = 1e-5;

/// The same in a singular system: rounding moves `r` out of the range of the matrix, and that part is not
/// reduced.
const SINGULAR_ROUND: f64 = 1e-3;

/// A round was too long if the true residual is this many times that of the recurrence.
const TOO_LONG: f64 = 10.0;

/// The same fraction for the shortest rounds.
const SHORT: f64 = 0.1;

/// [`Pcg`] with [`Multigrid`], inside the hierarchy: the fastest way to solve with the matrix that the
/// hierarchy was built from, or one close to it.
#[derive(Clone, Debug, Default)]
pub struct MultigridPcg {
    /// When to stop. May be changed between solves.
    pub params: SolveParams,
    frame: Frame,
    vectors: Vectors,
    /// Used for systems of one level, and where rounds gain nothing.
    plain: Pcg,
}

/// The vectors of the recurrence, padded and sorted as in the first level.
#[derive(Clone, Debug, Default)]
struct Vectors {
    r: Vec<f32>,
    z: Vec<f32>,
    p: Vec<f32>,
    q: Vec<f32>,
    /// Before a round begins, its first rows hold the residual in the caller's order.
    e: Vec<f64>,
    weights: Vec<f32>,
}

impl MultigridPcg {
    /// Creates a solver without allocating. Memory that the first solve allocates is kept for the next.
    pub fn new(params: SolveParams) -> Self {
        Self { params, ..Self::default() }
    }

    /// Solves `A x = rhs` from the initial guess in `x`, as [`Pcg::solve`] does.
    ///
    /// The hierarchy may come from a matrix that differs from `op`: its own matrix is used within a round,
    /// and each round corrects the errors of the previous one.
    pub fn solve<A: Operator + ?Sized>(
        &mut self,
        op: &A,
        multigrid: &mut Multigrid,
        rhs: &[f64],
        x: &mut [f64],
        null_space: Option<&NullSpace>,
    ) -> Result<Report, SolveError> {
        if multigrid.levels.is_empty() {
            self.plain.params = self.params;
            return self.plain.solve(op, multigrid, rhs, x, null_space);
        }
        let Self { params, frame, vectors, plain } = self;
        let mut held = Held { size: multigrid.size(), bytes: multigrid.bytes() };
        let is_singular = null_space.is_some_and(|null_space| null_space.n_pieces() > 0);
        let round = if is_singular { SINGULAR_ROUND } else { ROUND };
        let mut inner = Inner { multigrid: &mut *multigrid, vectors, round, first: None, last: None };
        let outcome = krylov::solve(&mut inner, frame, params, op, &mut held, rhs, x, null_space);
        let initial_residual = inner.first.unwrap_or(0.0);
        match outcome {
            Err(SolveError::NotConverged { iterations, residual, history })
                if iterations < params.max_iterations =>
            {
                plain.params = SolveParams { max_iterations: params.max_iterations - iterations, ..*params };
                let reached = x.to_vec();
                let outcome = plain.solve(op, multigrid, rhs, x, null_space);
                if matches!(outcome, Err(SolveError::Breakdown { .. })) {
                    x.copy_from_slice(&reached);
                    return Err(SolveError::NotConverged { iterations, residual, history });
                }
                append(outcome, iterations, initial_residual, history)
            }
            outcome => outcome,
        }
    }

    /// Returns the allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        self.frame.bytes() + self.vectors.bytes() + self.plain.bytes()
    }
}

/// Combines the result of a solve with the iterations that were done before it.
fn append(
    outcome: Result<Report, SolveError>,
    before: usize,
    initial_residual: f64,
    mut earlier: Vec<f64>,
) -> Result<Report, SolveError> {
    // The residual that the second part starts from does not belong to an iteration.
    let mut join = |later: Vec<f64>| {
        earlier.extend(later.into_iter().skip(1));
        std::mem::take(&mut earlier)
    };
    match outcome {
        Ok(report) => Ok(Report {
            iterations: before + report.iterations,
            initial_residual,
            restarts: report.restarts + 1,
            history: join(report.history),
            ..report
        }),
        Err(SolveError::NotConverged { iterations, residual, history }) => Err(SolveError::NotConverged {
            iterations: before + iterations,
            residual,
            history: join(history),
        }),
        Err(error) => Err(error),
    }
}

/// Stands in for the hierarchy where only its memory size is needed.
struct Held {
    size: usize,
    bytes: usize,
}

impl Preconditioner for Held {
    fn size(&self) -> usize {
        self.size
    }

    fn apply(&mut self, r: &[f64], z: &mut [f64]) {
        z.copy_from_slice(r);
    }

    fn bytes(&self) -> usize {
        self.bytes
    }
}

/// A solve in progress.
struct Inner<'a> {
    multigrid: &'a mut Multigrid,
    vectors: &'a mut Vectors,
    /// The fraction of its initial residual at which a round ends.
    round: f64,
    /// The relative residual that the first round started from.
    first: Option<f64>,
    /// The norm of the residual that the last round started from, and the one it should have reached.
    last: Option<(f64, f64)>,
}

impl Rounds for Inner<'_> {
    const SYMMETRIC: bool = true;

    fn resize(&mut self, _: usize) {
        let padded = self.multigrid.levels[0].smoother.x.len();
        let Vectors { r, z, p, q, e, .. } = &mut *self.vectors;
        for vector in [r, z, p, q] {
            vector.resize(padded, 0.0);
        }
        e.resize(padded, 0.0);
    }

    fn bytes(&self) -> usize {
        self.vectors.bytes()
    }

    fn residual(&mut self) -> &mut [f64] {
        &mut self.vectors.e[..self.multigrid.n]
    }

    fn round<A: Operator + ?Sized, M: Preconditioner + ?Sized>(
        &mut self,
        system: &System<'_, A>,
        _: &mut M,
        x: &mut [f64],
        progress: &mut Progress,
    ) -> Result<Ending, SolveError> {
        if let Some(null_space) = system.null_space {
            null_space.project(self.residual());
        }
        let residual = self.residual();
        let norm = finite(vector::dot(residual, residual).sqrt(), "the residual")?;
        self.first.get_or_insert(progress.start_residual());
        if norm == 0.0 {
            // Only constants were left, which no correction removes.
            return Ok(Ending::Over);
        }
        if let Some((start, end)) = self.last
            && progress.start_norm > TOO_LONG * end
        {
            self.round = (progress.start_norm / start).clamp(self.round, SHORT);
        }
        let scale = 1.0 / norm;
        let w_max = system.weights.map_or(1.0, |w| w.iter().fold(0.0, |m: f64, w| m.max(*w)));
        self.load(scale, system.weights, w_max);
        self.sweep_down(None, system.weights.is_some());
        let mut rz = self.finish_cycle();
        self.vectors.p.copy_from_slice(&self.vectors.z);
        loop {
            positive(rz, "r·M⁻¹r", progress)?;
            let pq = positive(self.multiply(), "p·Ap", progress)?;
            // Rounded here, so that both uses have the same value.
            let alpha = (rz / pq) as f32;
            let square = self.sweep_down(Some(alpha), system.weights.is_some());
            let r_norm = finite(square * w_max, "the residual")?.sqrt() / scale;
            if progress.count(r_norm) || r_norm <= self.round * progress.start_norm {
                self.last = Some((progress.start_norm, r_norm));
                self.advance(alpha, None);
                break;
            }
            let rz_old = rz;
            rz = self.finish_cycle();
            self.advance(alpha, Some((rz / rz_old) as f32));
        }
        self.add_correction(x, self.multigrid.scale / scale);
        Ok(Ending::Over)
    }
}

impl Inner<'_> {
    /// Copies the residual times `scale`, and the weights divided by `w_max`, into the order of tiles.
    fn load(&mut self, scale: f64, weights: Option<&[f64]>, w_max: f64) {
        let Self { multigrid, vectors, .. } = self;
        let level = &multigrid.levels[0];
        let bring = |from: &[f64], factor: f64, to: &mut [f32]| {
            for_each(&level.smoother.tiles, blocks(to), |t, tile, to| {
                with_scratch(|unsorted, _| {
                    level.order.load(t, tile, from, |v| (v * factor) as f32, to, unsorted);
                    to[tile.len()..].fill(0.0);
                });
            });
        };
        bring(&vectors.e[..multigrid.n], scale, &mut vectors.r);
        if let Some(weights) = weights {
            vectors.weights.resize(vectors.r.len(), 0.0);
            bring(weights, 1.0 / w_max, &mut vectors.weights);
        }
        vectors.e.fill(0.0);
    }

    /// Computes `r −= α q` and the first sweep of the next cycle. Returns the square of the new `r`.
    fn sweep_down(&mut self, alpha: Option<f32>, weighted: bool) -> f64 {
        let Vectors { r, q, weights, .. } = &mut *self.vectors;
        let smoother = &mut self.multigrid.levels[0].smoother;
        let mut squares = vec![0.0; smoother.tiles.len()];
        let parts = by_tile(r).into_iter().zip(&mut squares).collect();
        smoother.sweep_down(parts, |t, tile, (r, square), b, weighted_r| {
            let r = &mut r[..tile.len()];
            if let Some(alpha) = alpha {
                r.iter_mut().zip(&q[t * TILE..]).for_each(|(r, q)| *r -= alpha * q);
            }
            b[..tile.len()].copy_from_slice(r);
            *square = if weighted {
                let weights = r.iter().zip(&weights[t * TILE..]);
                weighted_r.iter_mut().zip(weights).for_each(|(own, (r, w))| *own = r * w);
                dot(r, &weighted_r[..tile.len()])
            } else {
                dot(r, r)
            };
        });
        squares.into_iter().sum()
    }

    /// Finishes a cycle, writing `z`. Returns `r·z`.
    fn finish_cycle(&mut self) -> f64 {
        self.multigrid.correct_first();
        let Vectors { r, z, .. } = &mut *self.vectors;
        let smoother = &mut self.multigrid.levels[0].smoother;
        let mut dots = vec![0.0; smoother.tiles.len()];
        let load = |t: usize, tile: &Tile, b: &mut Block, _: &mut Block| {
            b[..tile.len()].copy_from_slice(&block(r, t)[..tile.len()]);
        };
        smoother.sweep_up(z, dots.iter_mut().collect(), load, |t, tile, rz, z, _| {
            *rz = dot(&z[..tile.len()], &block(r, t)[..tile.len()]);
        });
        dots.into_iter().sum()
    }

    /// Computes `q = A p`. Returns `p·q`.
    fn multiply(&mut self) -> f64 {
        let Vectors { p, q, .. } = &mut *self.vectors;
        let tiles = &self.multigrid.levels[0].smoother.tiles;
        let mut dots = vec![0.0; tiles.len()];
        Smoother::multiply(tiles, p, q, dots.iter_mut().collect(), |t, tile, pq, q, _| {
            *pq = dot(&block(p, t)[..tile.len()], &q[..tile.len()]);
        });
        dots.into_iter().sum()
    }

    /// Computes `e += α p`, and `p = z + β p` unless this was the last iteration.
    fn advance(&mut self, alpha: f32, beta: Option<f32>) {
        let Vectors { z, p, e, .. } = &mut *self.vectors;
        let tiles = &self.multigrid.levels[0].smoother.tiles;
        let parts = by_tile(e).into_iter().zip(by_tile(p)).collect();
        for_each(tiles, parts, |t, _, (e, p)| {
            let alpha = f64::from(alpha);
            e.iter_mut().zip(p.iter()).for_each(|(e, p)| *e += alpha * f64::from(*p));
            if let Some(beta) = beta {
                p.iter_mut().zip(&z[t * TILE..]).for_each(|(p, z)| *p = z + beta * *p);
            }
        });
    }

    /// Computes `x += factor e`.
    fn add_correction(&mut self, x: &mut [f64], factor: f64) {
        let level = &self.multigrid.levels[0];
        let e = &mut self.vectors.e;
        for_each(&level.smoother.tiles, by_tile(e), |_, tile, e| {
            let mut unsorted = [0.0; TILE];
            tile.unsort(&e[..tile.len()], &mut unsorted);
            e.copy_from_slice(&unsorted);
        });
        level.order.store(&level.smoother.tiles, e, x, |x, e| *x += factor * e);
    }
}

impl Vectors {
    fn bytes(&self) -> usize {
        let short = [&self.r, &self.z, &self.p, &self.q, &self.weights];
        short.iter().map(|v| 4 * v.capacity()).sum::<usize>() + 8 * self.e.capacity()
    }
}

/// Returns `a·b` of one tile in a fixed order: products in 32 bits, summed in 64.
fn dot(a: &[f32], b: &[f32]) -> f64 {
    const LANES: usize = 8;
    let mut lanes = [0.0_f64; LANES];
    let (a_full, a_rest) = a.as_chunks::<LANES>();
    let (b_full, b_rest) = b.as_chunks::<LANES>();
    for (a, b) in a_full.iter().zip(b_full) {
        for l in 0..LANES {
            lanes[l] += f64::from(a[l] * b[l]);
        }
    }
    for (l, (a, b)) in a_rest.iter().zip(b_rest).enumerate() {
        lanes[l] += f64::from(a * b);
    }
    lanes.iter().sum()
}
