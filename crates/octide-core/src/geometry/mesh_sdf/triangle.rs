//! One triangle: its closest point, its solid angle, and its intersection with a segment.

use glam::DVec3;

/// A triangle, stored as its first corner and the two edges from there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Triangle {
    pub a: DVec3,
    pub ab: DVec3,
    pub ac: DVec3,
}

/// The part of a triangle that contains the closest point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Feature {
    /// The interior.
    Face,
    /// The edge from this corner to the next.
    Edge(u8),
    /// A corner.
    Vertex(u8),
}

/// Returns `part / whole`, clamped to [0, 1]. In a nearly degenerate triangle, rounding may make the whole
/// smaller than its parts.
#[inline]
fn fraction(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { (part / whole).clamp(0.0, 1.0) } else { 0.0 }
}

impl Triangle {
    pub fn new([a, b, c]: [DVec3; 3]) -> Self {
        Self { a, ab: b - a, ac: c - a }
    }

    pub fn corners(&self) -> [DVec3; 3] {
        [self.a, self.a + self.ab, self.a + self.ac]
    }

    /// Returns the normal with a length of twice the area.
    pub fn normal(&self) -> DVec3 {
        self.ab.cross(self.ac)
    }

    /// Returns the vector from the closest point to `p`, and the part of the triangle that contains that
    /// point.
    #[inline]
    pub fn offset(&self, p: DVec3) -> (DVec3, Feature) {
        let (ab, ac) = (self.ab, self.ac);
        let ap = p - self.a;
        // Projections onto the two edges as seen from the corners a, b and c.
        let (d1, d2) = (ab.dot(ap), ac.dot(ap));
        let (abab, abac, acac) = (ab.dot(ab), ab.dot(ac), ac.dot(ac));
        let (d3, d4) = (d1 - abab, d2 - abac);
        let (d5, d6) = (d1 - abac, d2 - acac);
        if d1 <= 0.0 && d2 <= 0.0 {
            return (ap, Feature::Vertex(0));
        }
        if d3 >= 0.0 && d4 <= d3 {
            return (ap - ab, Feature::Vertex(1));
        }
        if d6 >= 0.0 && d5 <= d6 {
            return (ap - ac, Feature::Vertex(2));
        }
        // Twice the areas between p's projection and the edges, times twice the area of the triangle.
        let vc = d1 * d4 - d3 * d2;
        if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
            return (ap - ab * fraction(d1, abab), Feature::Edge(0));
        }
        let vb = d5 * d2 - d1 * d6;
        if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
            return (ap - ac * fraction(d2, acac), Feature::Edge(2));
        }
        let va = d3 * d6 - d5 * d4;
        if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
            let s = fraction(d4 - d3, (ac - ab).length_squared());
            return (ap - ab - (ac - ab) * s, Feature::Edge(1));
        }
        let sum = va + vb + vc;
        (ap - ab * fraction(vb, sum) - ac * fraction(vc, sum), Feature::Face)
    }

    /// Returns half the solid angle seen from `p`, as the angle of the complex number `re + i im`; zero if it
    /// is undefined.
    #[inline]
    pub fn half_solid_angle(&self, p: DVec3) -> (f64, f64) {
        let a = self.a - p;
        let (b, c) = (a + self.ab, a + self.ac);
        let (la, lb, lc) = (a.length(), b.length(), c.length());
        // For far triangles, a · (b × c) would suffer from cancellation, since a, b and c are nearly the
        // same.
        let im = a.dot(self.normal());
        let re = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        (re, im)
    }

    /// Returns whether the segment from `p` along `d` may meet the triangle; the relative tolerance `slack`
    /// enlarges both.
    pub fn may_meet(&self, p: DVec3, d: DVec3, slack: f64) -> bool {
        let n = self.normal();
        let size = n.length();
        let ap = p - self.a;
        let (start, end) = (n.dot(ap), n.dot(ap + d));
        let near = slack * size * (self.ab.length() + self.ac.length() + d.length());
        if start.min(end) > near || start.max(end) < -near {
            return false;
        }
        if (start - end).abs() <= near {
            // The segment is parallel to the triangle's plane: they do not meet if a line in that plane,
            // along an edge or the segment, separates them.
            let corners = [DVec3::ZERO, self.ab, self.ac];
            return ![self.ab, self.ac, self.ac - self.ab, d].iter().any(|along| {
                let across = n.cross(*along).normalize_or_zero();
                let (x, y) = (across.dot(ap), across.dot(ap + d));
                let c = corners.map(|c| across.dot(c));
                let (low, high) = (c[0].min(c[1]).min(c[2]), c[0].max(c[1]).max(c[2]));
                x.min(y).max(low) - x.max(y).min(high) > slack * (high - low + d.length())
            });
        }
        let s = (start / (start - end)).clamp(0.0, 1.0);
        let q = ap + d * s;
        let nn = size * size;
        let v = n.dot(q.cross(self.ac)) / nn;
        let w = n.dot(self.ab.cross(q)) / nn;
        v >= -slack && w >= -slack && v + w <= 1.0 + slack
    }
}
