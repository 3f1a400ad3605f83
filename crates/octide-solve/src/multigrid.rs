//! Multigrid: smooth components of the error are corrected on coarser and coarser systems; the others are
//! reduced by smoothing.
//!
//! ```text
//! z = B b:   x = M⁻¹ b                        one Gauss–Seidel sweep from zero        kernels.rs, tile.rs
//!            e = B_c Pᵀ (b − A x)             the same on the next level               coarse.rs
//!            z = x + P e + M⁻ᵀ (b − A (x + P e))   one sweep backward
//! ```
//!
//! `P` is one within a group of rows and zero elsewhere, so that the next matrix is a sum of couplings. `B`
//! is symmetric and, whatever the next level does, positive definite as long as `B_c` is.
//!
//! A level's rows are cut into tiles (tiling.rs) that are smoothed independently of each other, sorted by
//! color (sketch.rs, sorting.rs), and stored in 32 bits with each coupling once. Fixed tiles and a fixed
//! order of sums make the result independent of the number of threads.
//!
//! From the second coarse level on, each level is visited twice, which is between a V- and a W-cycle: on
//! uniform grids and octrees of 0.5 to 1.1 million rows a V-cycle needs one to three more iterations of
//! nearly the same cost, and a W-cycle saves at most one.

mod coarse;
mod conjugate;
mod dense;
mod galerkin;
mod given;
mod groups;
mod kernels;
mod level;
mod matching;
mod order;
mod parents;
mod prolongation;
mod setup;
mod sketch;
mod smoother;
mod sorting;
mod tile;
mod tiling;

use crate::csr::Csr;
use crate::error::SolveError;
use crate::operator::Preconditioner;
use crate::vector;
use coarse::Coarse;
pub use conjugate::MultigridPcg;
use dense::Dense;
use given::Given;
pub use groups::{Cell, octree_groups};
use level::Level;
pub use prolongation::Prolongation;
use prolongation::Transfer;

/// How the coarse levels are built. Levels beyond those given are built from the matrix.
#[derive(Clone, Copy, Debug, Default)]
pub enum Coarsening<'a> {
    /// From the matrix alone: strongly coupled rows are paired, three times over for each level.
    #[default]
    Matrix,
    /// Groups of unknowns for each level, finest first: `groups[0][i]` is the group of row `i`, and
    /// `groups[l + 1][g]` the group of group `g` of the previous level. Rows of a group that are not coupled
    /// within it are kept apart, and groups of more than 4096 rows are split. Groups that would leave nearly
    /// as many unknowns as there are rows are combined with those of the next level. [`octree_groups`] makes
    /// groups from the cells of an octree.
    Groups(&'a [Vec<u32>]),
    /// Weights for each level, finest first.
    Prolongations(&'a [Prolongation]),
}

/// How the hierarchy is built and used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MultigridParams {
    /// The first coarse level, counted from 1, that each cycle on the previous level visits twice, as it does
    /// all later ones: 1 gives the W-cycle, a large number the V-cycle. Where levels shrink so slowly that
    /// all visits to one level together would process more than half as many unknowns as the first level has,
    /// a later level is used.
    pub twice_from: usize,
    /// Number of unknowns at which a system is solved directly; at most 1000.
    pub coarsest: usize,
}

impl Default for MultigridParams {
    fn default() -> Self {
        Self { twice_from: 2, coarsest: 96 }
    }
}

/// Maximum number of levels. With groups, each level has at most nine tenths of the unknowns of the previous
/// one; with weights it may be more.
const MAX_LEVELS: usize = 64;

/// Weight of second cycles. It is below 1, so that a cycle that overshoots by up to 2.2 times is still
/// positive definite when doubled.
const DAMPING: f32 = 0.9;

/// A hierarchy of ever coarser systems, and the cycle through it.
#[derive(Clone, Debug)]
pub struct Multigrid {
    n: usize,
    params: MultigridParams,
    levels: Vec<Level>,
    /// The vectors of each coarse level.
    vectors: Vec<Vectors>,
    coarsest: Dense,
    /// Scale factor of the matrix, which brings it into the range of 32 bits.
    scale: f64,
}

/// Right-hand side and solution of a coarse level, and those of its second cycle.
#[derive(Clone, Debug)]
struct Vectors {
    b: Vec<f32>,
    z: Vec<f32>,
    again: Option<(Vec<f32>, Vec<f32>)>,
}

impl Multigrid {
    /// Builds the hierarchy of `a`, which must be symmetric.
    ///
    /// # Errors
    ///
    /// Parameters out of range; groups or weights that do not fit the matrix; a diagonal entry that is not
    /// positive, or so much smaller than the largest entry (some 1e38 times) that 32 bits do not hold both;
    /// entries that are seen to be on one side of the diagonal only.
    pub fn new(a: &Csr, coarsening: Coarsening<'_>, params: &MultigridParams) -> Result<Self, SolveError> {
        let &MultigridParams { twice_from, coarsest } = params;
        if !(1..=1000).contains(&coarsest) {
            return Err(SolveError::Parameter { name: "coarsest", value: coarsest as f64 });
        }
        if twice_from == 0 {
            return Err(SolveError::Parameter { name: "twice_from", value: 0.0 });
        }
        let n = a.n_rows();
        let scale = setup::check(a.rows())?;
        let mut levels: Vec<Level> = vec![];
        let mut coarse = Coarse::default();
        let lists = if let Coarsening::Groups(lists) = coarsening { lists } else { &[] };
        let mut given = Given { lists, group_of_row: vec![] };
        loop {
            let l = levels.len();
            let rows = if l == 0 { a.rows() } else { coarse.rows() };
            if rows.n() <= coarsest {
                break;
            }
            let is_last = l == MAX_LEVELS - 1;
            let next = match coarsening {
                _ if is_last => {
                    levels.push(setup::build(rows, None, scale, l == 0)?.level);
                    Coarse::default()
                }
                Coarsening::Prolongations(given) if l < given.len() => {
                    let next = given[l].galerkin(rows)?;
                    let mut level = setup::build(rows, None, scale, l == 0)?.level;
                    level.transfer = Some(Transfer::new(&given[l]));
                    level.n_coarse = given[l].n_coarse();
                    levels.push(level);
                    next
                }
                _ => {
                    let (level, next) = given.coarsen(rows, scale, l == 0)?;
                    levels.push(level);
                    next
                }
            };
            coarse = next;
        }
        if levels.is_empty() {
            setup::check_diagonal(a.rows())?;
        }
        let last = if levels.is_empty() { a.rows() } else { coarse.rows() };
        // Chooses the first level that is visited twice, so that no level costs too much. Levels cannot be
        // picked individually: a level that is visited once overshoots, and one that is visited twice must
        // not be above it.
        let sizes: Vec<usize> = levels.iter().map(|level| level.n_coarse).collect();
        let is_cheap = |&from: &usize| {
            let visits = |l: usize| 2_usize.saturating_pow((l + 2).saturating_sub(from) as u32);
            (0..sizes.len()).all(|l| l + 1 < from || visits(l).saturating_mul(sizes[l]) <= n / 2)
        };
        let twice_from = (twice_from..=sizes.len()).find(is_cheap).unwrap_or(usize::MAX);
        let vectors = |(l, &n): (usize, &usize)| {
            let zeros = || vec![0.0; n];
            // The coarsest level is solved directly, so it has no cycle.
            let is_twice = l + 1 >= twice_from && l + 1 < sizes.len();
            Vectors { b: zeros(), z: zeros(), again: is_twice.then(|| (zeros(), zeros())) }
        };
        let vectors = sizes.iter().enumerate().map(vectors).collect();
        Ok(Self { n, params: *params, vectors, coarsest: Dense::new(last, scale)?, scale, levels })
    }

    /// Returns the number of unknowns of each level, finest first, including the one that is solved directly;
    /// empty if there was nothing to coarsen.
    pub fn sizes(&self) -> Vec<usize> {
        std::iter::once(self.n).chain(self.levels.iter().map(|level| level.n_coarse)).collect()
    }

    /// Returns the parameters that the hierarchy was built with.
    pub fn params(&self) -> &MultigridParams {
        &self.params
    }

    /// Finishes the descent of the first level: restricts its residual down to the coarsest level and adds
    /// the correction.
    fn correct_first(&mut self) {
        let (Some((first, rest)), Some(vectors)) = (self.levels.split_first_mut(), self.vectors.first_mut())
        else {
            return;
        };
        first.restrict(&mut vectors.b);
        cycle(rest, &mut self.vectors, &self.coarsest);
        first.correct(&self.vectors[0].z);
    }
}

/// Computes `z = B b` for the first of `levels`, whose vectors are the first of `vectors`.
fn cycle(levels: &mut [Level], vectors: &mut [Vectors], coarsest: &Dense) {
    let Some((Vectors { b, z, again }, rest)) = vectors.split_first_mut() else { return };
    let Some((level, coarser)) = levels.split_first_mut() else {
        coarsest.solve(b, z);
        return;
    };
    let mut once = |level: &mut Level, b: &[f32], z: &mut [f32]| {
        level.down(b, |b| b, &mut rest[0].b);
        cycle(coarser, rest, coarsest);
        level.up(b, |b| b, &rest[0].z, z, |z| z);
    };
    once(level, b, z);
    if let Some((b_again, z_again)) = again {
        // z = ω B b + ω B (b − A ω B b), symmetric if B is.
        z.iter_mut().for_each(|z| *z *= DAMPING);
        level.residual(b, z, b_again);
        once(level, b_again, z_again);
        z.iter_mut().zip(z_again).for_each(|(z, more)| *z += DAMPING * *more);
    }
}

impl Preconditioner for Multigrid {
    fn size(&self) -> usize {
        self.n
    }

    fn apply(&mut self, r: &[f64], z: &mut [f64]) {
        let norm = vector::dot(r, r).sqrt();
        if norm == 0.0 || self.n == 0 {
            z.fill(0.0);
            return;
        }
        let scale = 1.0 / norm;
        let to_f32 = |r: f64| (r * scale) as f32;
        let z_scale = self.scale * norm;
        let from_f32 = |z: f32| f64::from(z) * z_scale;
        let Some((first, rest)) = self.levels.split_first_mut() else {
            let b: Vec<f32> = r.iter().map(|&r| to_f32(r)).collect();
            let mut own = vec![0.0; self.n];
            self.coarsest.solve(&b, &mut own);
            z.iter_mut().zip(&own).for_each(|(z, own)| *z = from_f32(*own));
            return;
        };
        first.down(r, to_f32, &mut self.vectors[0].b);
        cycle(rest, &mut self.vectors, &self.coarsest);
        first.up(r, to_f32, &self.vectors[0].z, z, from_f32);
    }

    fn bytes(&self) -> usize {
        let of = |v: &Vectors| 4 * (v.b.len() + v.z.len()) + v.again.as_ref().map_or(0, |a| 8 * a.0.len());
        let levels: usize = self.levels.iter().map(Level::bytes).sum();
        levels + self.vectors.iter().map(of).sum::<usize>() + self.coarsest.bytes()
    }
}

#[cfg(test)]
mod tests;
