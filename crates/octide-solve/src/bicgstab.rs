//! BiCGStab (van der Vorst 1992) for `A x = b` with `A` neither symmetric nor definite, preconditioned from
//! the right, so that `r` is the residual of the system as given.
//!
//! With a fixed shadow residual `r̂`, one iteration is
//!
//! ```text
//! v = A M⁻¹ p    α = r̂·r / r̂·v    s = r − α v
//! t = A M⁻¹ s    ω = t·s / t·t    r = s − ω t    x += M⁻¹ (α p + ω s)
//! β = (r̂·r / (r̂·r)_old) (α / ω)   p = r + β (p − ω v)
//! ```
//!
//! which takes two products with `A` and two with `M⁻¹`. The dot product is that of the norm in which the
//! residual is measured: with [`Norm::Scaled`](crate::Norm::Scaled) it is `Σ u v / D`, and ω minimizes the
//! reported residual. The weights `1 / D` are stored as part of the shadow residual.
//!
//! The recurrence breaks down where `r̂·r`, `r̂·v` or `t·s` vanish. It is then restarted from the last
//! iterate with `r̂ = r / ‖r‖` plus hashed noise, a few times; `t·s` vanishes again if the symmetric part of
//! `A M⁻¹` does, and this solver is unsuitable for such systems.

use crate::error::SolveError;
use crate::krylov::{self, Ending, Frame, Progress, Report, Rounds, SolveParams, System, finite};
use crate::null_space::NullSpace;
use crate::operator::{Operator, Preconditioner};
use crate::vector;

/// A dot product whose cosine is below this is rounding error and counts as zero.
const NEGLIGIBLE: f64 = 1e-14;

/// If `s` is larger than `r` by more than this factor, `r̂·v` counts as zero.
const MAX_GROWTH: f64 = 1e8;

/// Stabilized bi-conjugate gradients: the solver for matrices that are not symmetric.
#[derive(Clone, Debug, Default)]
pub struct BiCgStab {
    /// When to stop. May be changed between solves.
    pub params: SolveParams,
    frame: Frame,
    scratch: Scratch,
}

/// The vectors of the recurrence; `s` is stored in place of `r`.
#[derive(Clone, Debug, Default)]
struct Scratch {
    r: Vec<f64>,
    shadow: Vec<f64>,
    p: Vec<f64>,
    /// `M⁻¹ p`.
    p_hat: Vec<f64>,
    v: Vec<f64>,
    /// `M⁻¹ s`.
    s_hat: Vec<f64>,
    t: Vec<f64>,
}

impl BiCgStab {
    /// Creates a solver without allocating. Memory that the first solve allocates is kept for the next.
    pub fn new(params: SolveParams) -> Self {
        Self { params, ..Self::default() }
    }

    /// Solves `A x = rhs` from the initial guess in `x`.
    ///
    /// A `null_space` states that `A` maps the constants on its pieces to zero, and the solution has mean
    /// zero there. It implies nothing about `Aᵀ`, so the right-hand side is not changed and must be in the
    /// range of `A`; otherwise the solve fails. If columns sum to zero as rows do,
    /// [`NullSpace::make_consistent`] projects the right-hand side into the range.
    ///
    /// After [`SolveError::NotConverged`], `x` holds the last iterate, or that of an earlier restart if it
    /// was better; after any other error its content is meaningless.
    pub fn solve<A: Operator + ?Sized, M: Preconditioner + ?Sized>(
        &mut self,
        op: &A,
        precond: &mut M,
        rhs: &[f64],
        x: &mut [f64],
        null_space: Option<&NullSpace>,
    ) -> Result<Report, SolveError> {
        let Self { params, frame, scratch } = self;
        krylov::solve(scratch, frame, params, op, precond, rhs, x, null_space)
    }

    /// Returns the allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        self.frame.bytes() + self.scratch.bytes()
    }
}

impl Rounds for Scratch {
    const SYMMETRIC: bool = false;

    fn resize(&mut self, n: usize) {
        let Self { r, shadow, p, p_hat, v, s_hat, t } = self;
        for vector in [r, shadow, p, p_hat, v, s_hat, t] {
            vector.resize(n, 0.0);
        }
    }

    fn bytes(&self) -> usize {
        let Self { r, shadow, p, p_hat, v, s_hat, t } = self;
        krylov::bytes(&[r, shadow, p, p_hat, v, s_hat, t])
    }

    fn residual(&mut self) -> &mut [f64] {
        &mut self.r
    }

    fn round<A: Operator + ?Sized, M: Preconditioner + ?Sized>(
        &mut self,
        system: &System<'_, A>,
        precond: &mut M,
        x: &mut [f64],
        progress: &mut Progress,
    ) -> Result<Ending, SolveError> {
        let Self { r, shadow, p, p_hat, v, s_hat, t } = self;
        let weights = system.weights;
        let mut r_norm = progress.start_norm;
        cast_shadow(shadow, r, r_norm, weights, progress.breakdowns);
        let mut rho = finite(vector::dot(shadow, r), "r̂·r")?;
        p.copy_from_slice(r);
        loop {
            if rho.abs() <= NEGLIGIBLE * r_norm {
                return Ok(Ending::Broken { what: "r̂·r", value: rho });
            }
            apply_both(system, precond, p, p_hat, v);
            let rv = finite(vector::dot(shadow, v), "r̂·AM⁻¹p")?;
            let alpha = rho / rv;
            let s_norm = vector::reduce_residual(r, alpha, v, weights).sqrt();
            // α may have overflowed.
            if s_norm.is_nan() || s_norm > MAX_GROWTH * r_norm {
                return Ok(Ending::Broken { what: "r̂·AM⁻¹p", value: rv });
            }
            if progress.is_reached(s_norm) {
                vector::add_scaled(x, alpha, p_hat);
                progress.count(s_norm);
                return Ok(Ending::Over);
            }

            apply_both(system, precond, r, s_hat, t);
            let [ts, tt] = vector::dot_and_square(t, r, weights);
            let (ts, tt) = (finite(ts, "AM⁻¹s·s")?, finite(tt, "‖AM⁻¹s‖²")?);
            if ts.abs() <= NEGLIGIBLE * tt.sqrt() * s_norm {
                vector::add_scaled(x, alpha, p_hat);
                progress.count(s_norm);
                return Ok(Ending::Broken { what: "AM⁻¹s·s", value: ts });
            }
            let omega = ts / tt;
            vector::add_two_scaled(x, alpha, p_hat, omega, s_hat);
            let [r_square, rho_new] = vector::reduce_residual_dot(r, omega, t, weights, shadow);
            r_norm = finite(r_square, "the residual")?.sqrt();
            if progress.count(r_norm) {
                return Ok(Ending::Over);
            }
            vector::turn(p, r, rho_new / rho * (alpha / omega), omega, v);
            rho = finite(rho_new, "r̂·r")?;
        }
    }
}

/// Computes `z = M⁻¹ r`, without constants on singular pieces, and `y = A z`.
fn apply_both<A: Operator + ?Sized, M: Preconditioner + ?Sized>(
    system: &System<'_, A>,
    precond: &mut M,
    r: &[f64],
    z: &mut [f64],
    y: &mut [f64],
) {
    precond.apply(r, z);
    if let Some(null_space) = system.null_space {
        null_space.project(z);
    }
    system.op.apply(z, y);
}

/// Sets a shadow residual of norm about 1, including the weights: the residual itself, plus noise after a
/// breakdown, which is different each time.
fn cast_shadow(shadow: &mut [f64], r: &[f64], r_norm: f64, weights: Option<&[f64]>, breakdowns: u64) {
    let noise_norm = (r.len() as f64 / 3.0).sqrt();
    vector::update(shadow, |i, shadow| {
        let w = weights.map_or(1.0, |w| w[i]);
        *shadow = w * r[i] / r_norm;
        if breakdowns > 0 {
            *shadow += w.sqrt() * hashed(i as u64, breakdowns) / noise_norm;
        }
    });
}

/// Returns a pseudorandom number in −1 … 1.
fn hashed(i: u64, seed: u64) -> f64 {
    let mut h = i.wrapping_add(seed << 40).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    h = (h ^ (h >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    h = (h ^ (h >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    h ^= h >> 31;
    (h >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

#[cfg(test)]
mod tests;
