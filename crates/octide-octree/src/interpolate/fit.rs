//! Eqs. (33)–(35): the weighted least-squares fit itself.

use super::{EPSILON, REACH};
use glam::DVec3;

/// The sums of a least-squares fit about the query.
#[derive(Default)]
pub(super) struct Fit {
    /// Σ N without ε, its first moment, and Σ N q.
    plain: f64,
    plain_moment: DVec3,
    plain_value: f64,
    /// Σ w, Σ w r, Σ w r rᵀ (xx xy xz yy yz zz), Σ w q, Σ w q r.
    pub(super) w: f64,
    m: DVec3,
    mm: [f64; 6],
    b: f64,
    bm: DVec3,
    min: f64,
    max: f64,
}

impl Fit {
    pub(super) fn new() -> Self {
        Self { min: f64::INFINITY, max: f64::NEG_INFINITY, ..Self::default() }
    }

    /// Adds a sample at `r`, in units of the query's cell, whose kernel has the width 1/`per_h` in those
    /// units.
    #[inline]
    pub(super) fn add(&mut self, r: DVec3, per_h: DVec3, q: f64, image: bool) {
        let k = 1.0 - r.abs() * per_h;
        if k.min_element() > 0.0 {
            let n = k.x * k.y * k.z;
            self.plain += n;
            self.plain_moment += n * r;
            self.plain_value += n * q;
        } else if image || k.min_element() <= 1.0 - REACH {
            return;
        }
        // The weight of an image vanishes at its kernel's edge: it only replaces what the wall cuts off.
        let k = if image { k } else { k.max(DVec3::splat(EPSILON)) };
        self.weigh(r, k.x * k.y * k.z, q);
        self.min = self.min.min(q);
        self.max = self.max.max(q);
    }

    /// Adds a sample at `r` with a weight.
    #[inline]
    pub(super) fn weigh(&mut self, r: DVec3, w: f64, q: f64) {
        let wr = w * r;
        self.w += w;
        self.m += wr;
        self.mm[0] += wr.x * r.x;
        self.mm[1] += wr.x * r.y;
        self.mm[2] += wr.x * r.z;
        self.mm[3] += wr.y * r.y;
        self.mm[4] += wr.y * r.z;
        self.mm[5] += wr.z * r.z;
        self.b += w * q;
        self.bm += q * wr;
    }

    pub(super) fn value(&self, limited: bool) -> f64 {
        if (self.plain - 1.0).abs() < 1e-9 && self.plain_moment.abs().max_element() < 1e-9 {
            return self.plain_value;
        }
        let value = self.solve();
        if limited { value.clamp(self.min, self.max) } else { value }
    }

    /// Returns the constant of the fit, by Cholesky factorization with the constant eliminated last.
    pub(super) fn solve(&self) -> f64 {
        let floor = 1e-12 * self.w;
        let [xx, xy, xz, yy, yz, zz] = self.mm;
        let l00 = (xx + floor).sqrt();
        let (l10, l20, l30) = (xy / l00, xz / l00, self.m.x / l00);
        let l11 = (yy + floor - l10 * l10).max(floor).sqrt();
        let (l21, l31) = ((yz - l20 * l10) / l11, (self.m.y - l30 * l10) / l11);
        let l22 = (zz + floor - l20 * l20 - l21 * l21).max(floor).sqrt();
        let l32 = (self.m.z - l30 * l20 - l31 * l21) / l22;
        let y0 = self.bm.x / l00;
        let y1 = (self.bm.y - l10 * y0) / l11;
        let y2 = (self.bm.z - l20 * y0 - l21 * y1) / l22;
        let pivot = self.w - l30 * l30 - l31 * l31 - l32 * l32;
        if pivot > 1e-9 * self.w {
            (self.b - l30 * y0 - l31 * y1 - l32 * y2) / pivot
        } else {
            self.b / self.w
        }
    }
}
