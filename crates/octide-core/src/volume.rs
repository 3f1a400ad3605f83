//! Volumes of liquid, measured, and given back where transport lost them.
//!
//! **Measured:** in a cell near the surface φ is taken as linear, and the share of the cube behind the plane
//! is exact. Cells that a solid cuts are measured on finest cells, whatever the cell's own size
//! ([`CutCell`]), so that changing the tree does not change the volume.
//!
//! **Given back** ([`VolumeControl`]): with x the relative error and y its integral over time, the projection
//! is asked for the divergence −(kp x + ki y)/(x + 1), where kp recovers 90 % in the time that a fall through
//! the domain takes, or in 25 steps if that is longer, and ki = kp²/16. (Were it always 25 steps, shorter
//! steps would mean faster water, and that again shorter steps.)

use crate::solids::Solids;
use glam::DVec3;

/// What volume correction remembers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VolumeControl {
    /// The volume there should be, in m³.
    pub target: f64,
    /// The relative error, integrated over time.
    pub integral: f64,
    /// Relative volume given back so far.
    pub given_back: f64,
    /// The largest volume that there should have been, in m³.
    pub most: f64,
    /// Volume that came in so far, in m³.
    pub came: f64,
    /// Volume that went out so far, in m³.
    pub went: f64,
}

impl VolumeControl {
    /// Starts with what there is.
    pub fn new(volume: f64) -> Self {
        Self { target: volume, integral: 0.0, given_back: 0.0, most: volume, came: 0.0, went: 0.0 }
    }

    /// Counts what came in and what went out.
    pub fn exchange(&mut self, came: f64, went: f64) {
        self.came += came;
        self.went += went;
        self.target = (self.target + came - went).max(0.0);
        self.most = self.most.max(self.target);
    }

    /// The error of `volume`, relative to the most that there should have been: the last drops of a tank that
    /// drains are not known to a few percent of themselves.
    pub fn drift(&self, volume: f64) -> f64 {
        if self.most > 0.0 { (volume - self.target) / self.most } else { 0.0 }
    }

    /// The divergence to ask for in a step of `dt`, in 1/s, and the state after it. An error is recovered to
    /// 90 % in `time`, or in 25 steps where this is longer.
    pub fn correct(mut self, volume: f64, dt: f64, time: f64) -> (f64, Self) {
        let x = self.drift(volume);
        self.integral += x * dt;
        let kp = 10f64.ln() / time.max(25.0 * dt);
        let ki = kp * kp / 16.0;
        let divergence = -(kp * x + ki * self.integral) / (x + 1.0).max(0.1);
        self.given_back += divergence * dt;
        (divergence, self)
    }

    /// The same as plain numbers, to be kept.
    pub fn to_numbers(&self) -> [f64; 6] {
        let Self { target, integral, given_back, most, came, went } = *self;
        [target, integral, given_back, most, came, went]
    }

    /// What [`Self::to_numbers`] gave.
    pub fn from_numbers(&[target, integral, given_back, most, came, went]: &[f64; 6]) -> Self {
        Self { target, integral, given_back, most, came, went }
    }
}

/// The liquid in a cell: of a center `x` and an edge `h`, with φ at the center, `solid` away from the next
/// solid. The gradient of φ is asked for where it matters.
pub fn cell_volume(
    (x, h, dx): (DVec3, f64, f64),
    phi: f64,
    solid: f64,
    gradient: impl FnOnce() -> DVec3,
    solids: &Solids,
) -> f64 {
    let half_diagonal = 0.87 * h;
    if solid <= -half_diagonal || phi > 2.0 * h {
        return 0.0;
    }
    let deep = phi < -2.0 * h;
    let g = if deep { DVec3::ZERO } else { gradient() };
    if solid >= half_diagonal {
        return h.powi(3) * if deep { 1.0 } else { share_behind_plane(g * h, phi) };
    }
    CutCell { x, phi, g, solids, dx }.volume(x, h)
}

/// From a cube's center to an octant's, twice, in edges of the cube.
fn octant_side(o: usize) -> DVec3 {
    DVec3::new((o & 1) as f64, (o >> 1 & 1) as f64, (o >> 2 & 1) as f64) - 0.5
}

/// A cell that a solid cuts.
pub struct CutCell<'a> {
    /// Its center.
    pub x: DVec3,
    /// φ there.
    pub phi: f64,
    /// The gradient of φ.
    pub g: DVec3,
    /// What cuts it.
    pub solids: &'a Solids,
    /// Edge length of the finest cells.
    pub dx: f64,
}

impl CutCell<'_> {
    /// Volume in the cube of edge `h` about `x`, by halving it down to finest cells where the solid passes.
    pub fn volume(&self, x: DVec3, h: f64) -> f64 {
        let solid = self.solids.distance(x);
        if solid <= -0.87 * h {
            return 0.0;
        }
        let phi = self.phi + self.g.dot(x - self.x);
        if solid >= 0.87 * h {
            return h.powi(3) * share_behind_plane(self.g * h, phi);
        }
        if h < 1.5 * self.dx {
            let open = (0.5 + solid / h).clamp(0.0, 1.0);
            return h.powi(3) * open * share_behind_plane(self.g * h, phi);
        }
        (0..8).map(|o| self.volume(x + 0.5 * h * octant_side(o), 0.5 * h)).sum()
    }

    /// The middle of the liquid in the cube of edge `h` about the center, by eight parts of it at their
    /// centers.
    pub fn middle(&self, h: f64) -> DVec3 {
        let (mut volume, mut moment) = (0.0, DVec3::ZERO);
        for o in 0..8 {
            let part = 0.5 * h * octant_side(o);
            let v = self.volume(self.x + part, 0.5 * h);
            volume += v;
            moment += v * part;
        }
        if volume > 0.0 { self.x + moment / volume } else { self.x }
    }
}

/// The share of the unit cube about the origin where n·x + d < 0.
pub fn share_behind_plane(n: DVec3, d: f64) -> f64 {
    let mut m = n.abs().to_array();
    m.sort_by(f64::total_cmp);
    let total: f64 = m.iter().sum();
    if total <= 0.0 {
        return if d < 0.0 { 1.0 } else { 0.0 };
    }
    let alpha = 0.5 * total - d;
    if alpha <= 0.0 {
        return 0.0;
    }
    if alpha >= total {
        return 1.0;
    }
    // The plane through the cube's center halves it: the larger part is one minus the smaller.
    let a = alpha.min(total - alpha);
    let [m1, m2, m3] = [if m[0] < 1e-8 * total { 0.0 } else { m[0] }, m[1], m[2]];
    let m12 = m1 + m2;
    let corner = |m: f64| m * m * (m - 3.0 * a);
    let small = if a < m1 {
        a.powi(3) / (6.0 * m1 * m2 * m3)
    } else if a < m2 {
        (a * (a - m1) + m1 * m1 / 3.0) / (2.0 * m2 * m3)
    } else if a < m12.min(m3) {
        (a * a * (3.0 * m12 - a) + corner(m1) + corner(m2)) / (6.0 * m1 * m2 * m3)
    } else if m3 < m12 {
        (a * a * (3.0 * total - 2.0 * a) + corner(m1) + corner(m2) + corner(m3)) / (6.0 * m1 * m2 * m3)
    } else {
        (2.0 * a - m12) / (2.0 * m3)
    };
    if alpha <= 0.5 * total { small } else { 1.0 - small }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_match_a_count_of_points() {
        let cases = [
            (DVec3::new(1.0, 0.0, 0.0), 0.2),
            (DVec3::new(0.3, -0.7, 0.0), -0.1),
            (DVec3::new(0.2, 0.3, 0.9), 0.35),
            (DVec3::new(0.5, 0.6, 0.7), 0.05),
            (DVec3::new(0.5, 0.6, -0.7), -0.6),
            (DVec3::new(0.01, 0.4, 0.5), 0.15),
            (DVec3::new(0.3, 0.31, 0.32), 0.44),
        ];
        for (n, d) in cases {
            let k = 100;
            let at = |i: i32| (f64::from(i) + 0.5) / f64::from(k) - 0.5;
            let count = (0..k * k * k)
                .filter(|i| n.dot(DVec3::new(at(i % k), at(i / k % k), at(i / k / k))) + d < 0.0)
                .count();
            let counted = count as f64 / f64::from(k).powi(3);
            assert!((share_behind_plane(n, d) - counted).abs() < 6e-3, "{n} {d}");
            let both = share_behind_plane(n, d) + share_behind_plane(-n, -d);
            assert!((both - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn correction_gives_back_most_of_the_loss_in_25_steps() {
        let (mut control, mut volume) = (VolumeControl::new(1.0), 0.95);
        for _ in 0..25 {
            let (divergence, next) = control.correct(volume, 0.004, 0.01);
            control = next;
            volume *= 1.0 + 0.004 * divergence;
        }
        assert!((volume - 1.0).abs() < 0.3 * 0.05, "{volume}");
    }

    #[test]
    fn short_steps_do_not_ask_for_fast_water() {
        let ask = |dt| VolumeControl::new(1.0).correct(0.99, dt, 0.2).0;
        assert!((ask(1e-6) - ask(1e-3)).abs() < 0.01 * ask(1e-3));
    }
}
