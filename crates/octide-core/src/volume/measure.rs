//! Volume of liquid in each cell: φ is assumed to be linear near the surface, and the fraction of the cube
//! behind the plane is exact. Cells that a solid cuts are measured on finest cells, whatever their own size
//! ([`CutCell`]), so that changing the tree does not change the volume.

use crate::solids::Solids;
use glam::DVec3;

/// Returns the volume of liquid in a cell with center `x`, edge `h` and φ at the center, whose center is at
/// the distance `solid` from the nearest solid. The gradient of φ is evaluated only where it is needed.
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
        return h.powi(3) * if deep { 1.0 } else { fraction_behind_plane(g * h, phi) };
    }
    CutCell { x, phi, g, solids, dx }.volume_at(x, h, solid)
}

/// Returns twice the offset of an octant's center from the cube's center, in edges of the cube.
fn octant_side(o: usize) -> DVec3 {
    DVec3::new((o & 1) as f64, (o >> 1 & 1) as f64, (o >> 2 & 1) as f64) - 0.5
}

/// A cell that a solid cuts.
pub struct CutCell<'a> {
    /// Its center.
    pub x: DVec3,
    /// φ at the center.
    pub phi: f64,
    /// The gradient of φ.
    pub g: DVec3,
    /// The solids that cut it.
    pub solids: &'a Solids,
    /// Edge length of the finest cells.
    pub dx: f64,
}

impl CutCell<'_> {
    /// Returns the volume of liquid in the cube of edge `h` around `x`, halving it down to finest cells where
    /// the solid passes through.
    pub fn volume(&self, x: DVec3, h: f64) -> f64 {
        self.volume_at(x, h, self.solids.distance(x))
    }

    /// Returns the same if `solid` is the distance from `x` to solids.
    fn volume_at(&self, x: DVec3, h: f64, solid: f64) -> f64 {
        if solid <= -0.87 * h {
            return 0.0;
        }
        let phi = self.phi + self.g.dot(x - self.x);
        if solid >= 0.87 * h {
            return h.powi(3) * fraction_behind_plane(self.g * h, phi);
        }
        if h < 1.5 * self.dx {
            let open = (0.5 + solid / h).clamp(0.0, 1.0);
            return h.powi(3) * open * fraction_behind_plane(self.g * h, phi);
        }
        (0..8).map(|o| self.volume(x + 0.5 * h * octant_side(o), 0.5 * h)).sum()
    }

    /// Returns the centroid of the liquid in the cube of edge `h` around the cell's center, approximated by
    /// eight octants with their volumes at their centers.
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

/// Returns the components in ascending order.
#[inline]
fn ascending(n: DVec3) -> [f64; 3] {
    let (low, high) = (n.x.min(n.y), n.x.max(n.y));
    [low.min(n.z), low.max(high.min(n.z)), high.max(n.z)]
}

/// Returns the fraction of the unit cube around the origin where n·x + d < 0.
pub fn fraction_behind_plane(n: DVec3, d: f64) -> f64 {
    let m = ascending(n.abs());
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
    // By symmetry about the cube's center, compute the smaller part; the larger one is its complement.
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

/// Returns the d for which the fraction of the unit cube around the origin where n·x + d < 0 is `fraction`, between
/// those of an empty and of a full cube. The inverse of [`fraction_behind_plane`], after Scardovelli & Zaleski 2000.
pub fn plane_of_fraction(n: DVec3, fraction: f64) -> f64 {
    let m = ascending(n.abs());
    let total: f64 = m.iter().sum();
    if total <= 0.0 {
        return if fraction > 0.5 { -f64::MIN_POSITIVE } else { 0.0 };
    }
    let v = fraction.clamp(0.0, 1.0).min(1.0 - fraction.clamp(0.0, 1.0));
    let [m1, m2, m3] = [if m[0] < 1e-8 * total { 0.0 } else { m[0] }, m[1], m[2]].map(|m| m / total);
    let (m12, cubes) = (m1 + m2, 6.0 * m1 * m2 * m3);
    // What is behind the plane where it passes the corners m₁, m₂ and min(m₁ + m₂, m₃).
    let v1 = if m2 > 0.0 { m1 * m1 / (6.0 * m2 * m3) } else { 0.0 };
    let v2 = v1 + (m2 - m1) / (2.0 * m3);
    let v3 = if m3 < m12 {
        (m3 * m3 * (3.0 * m12 - m3) + m1 * m1 * (m1 - 3.0 * m3) + m2 * m2 * (m2 - 3.0 * m3)) / cubes
    } else {
        m12 / (2.0 * m3)
    };
    let alpha = if v < v1 {
        (cubes * v).cbrt()
    } else if v < v2 {
        0.5 * (m1 + (m1 * m1 + 8.0 * m2 * m3 * (v - v1)).sqrt())
    } else if v < v3 {
        let cubic = [m1.powi(3) + m2.powi(3) - cubes * v, -3.0 * (m1 * m1 + m2 * m2), 3.0 * m12];
        middle_root(cubic.map(|a| -a))
    } else if m3 < m12 {
        let (squares, third) = (m1 * m1 + m2 * m2 + m3 * m3, m1.powi(3) + m2.powi(3) + m3.powi(3));
        middle_root([third - cubes * v, -3.0 * squares, 3.0].map(|a| -0.5 * a))
    } else {
        m3 * v + 0.5 * m12
    };
    let alpha = if fraction <= 0.5 { alpha } else { 1.0 - alpha };
    total * (0.5 - alpha)
}

/// Returns the middle one of the three roots of x³ + a₂x² + a₁x + a₀.
fn middle_root([a0, a1, a2]: [f64; 3]) -> f64 {
    let p = a1 / 3.0 - a2 * a2 / 9.0;
    let q = (a1 * a2 - 3.0 * a0) / 6.0 - a2.powi(3) / 27.0;
    let root = (-p).max(0.0).sqrt();
    if root == 0.0 {
        return -a2 / 3.0;
    }
    let (sin, cos) = ((q / root.powi(3)).clamp(-1.0, 1.0).acos() / 3.0).sin_cos();
    let mut x = root * (3.0_f64.sqrt() * sin - cos) - a2 / 3.0;
    // The arc cosine loses half of the digits near ±1.
    for _ in 0..2 {
        let (value, slope) = (((x + a2) * x + a1) * x + a0, (3.0 * x + 2.0 * a2) * x + a1);
        if slope != 0.0 {
            x -= value / slope;
        }
    }
    x
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
            assert!((fraction_behind_plane(n, d) - counted).abs() < 6e-3, "{n} {d}");
            let both = fraction_behind_plane(n, d) + fraction_behind_plane(-n, -d);
            assert!((both - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn planes_follow_from_fractions() {
        for i in 0..2000_u32 {
            let hash = |k: u32| {
                let seed = i.wrapping_mul(2_654_435).wrapping_add(k * 40_503);
                f64::from(seed.wrapping_mul(2_246_822_519) >> 8) / 16_777_216.0
            };
            let mut n = DVec3::new(hash(1), hash(2), hash(3)) - 0.5;
            n[i as usize % 3] *= [1.0, 0.0, 1e-6][i as usize % 7 % 3];
            let f = hash(4);
            let found = fraction_behind_plane(n, plane_of_fraction(n, f));
            assert!((found - f).abs() < 1e-12, "{n} {f}: {found}");
        }
        for n in [DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::ONE] {
            assert_eq!(fraction_behind_plane(n, plane_of_fraction(n, 1.0)), 1.0);
            assert_eq!(fraction_behind_plane(n, plane_of_fraction(n, 0.0)), 0.0);
        }
    }
}
