//! Boxes for slender triangles, each along the longest edge of its triangles.
//!
//! A long thin triangle at an angle to the axes fills next to nothing of its axis-aligned box. If all
//! triangles of a mesh are like that, a point near the surface is in the boxes of most of them. Oriented
//! boxes are as thin as the triangles. Where all triangles of a node share a vertex, a cone with its tip there
//! contains them even more closely. Both are made only for meshes for which that makes a difference.

use super::build::BinaryTree;
use super::bvh::{Group, WIDTH};
use super::triangle::Triangle;
use glam::{DMat3, DVec3};

/// Oriented boxes are used if they reduce the surface of all leaves by this factor.
const LEAST_GAIN: f64 = 8.0;
/// Stands for no vertex.
const NONE: u32 = u32::MAX;
/// Relative margin of boxes, far above rounding errors.
const SLACK: f64 = 1e-12;

/// A box around the triangles of a node.
#[derive(Clone, Debug)]
pub(super) struct OrientedBox {
    /// The box's axes, as rows.
    axes: DMat3,
    /// Its extent along its axes, by corners.
    low: DVec3,
    high: DVec3,
    /// Vertices that all triangles have.
    common: [u32; 3],
    /// A cone from one of these vertices.
    cone: Option<Cone>,
}

/// A cone that contains some triangles.
#[derive(Clone, Debug)]
struct Cone {
    tip: DVec3,
    axis: DVec3,
    /// Cosine and sine of the half angle, which is below 90°.
    cos: f64,
    sin: f64,
}

/// Returns oriented boxes for the children of all groups, or nothing if axis-aligned ones are good enough.
pub(super) fn oriented_boxes(tree: &BinaryTree, groups: &[Group]) -> Vec<[OrientedBox; WIDTH]> {
    let leaves = tree.nodes.iter().filter(|n| n.children.is_none());
    let (mut aligned, mut oriented) = (0.0, 0.0);
    for leaf in leaves {
        aligned += leaf.half_area();
        oriented += OrientedBox::around(tree, leaf.range()).half_area();
    }
    if aligned < LEAST_GAIN * oriented {
        return Vec::new();
    }
    let boxes = |group: &Group| {
        std::array::from_fn(|k| match group.get(k) {
            Some(&(node, _)) => OrientedBox::around(tree, tree.nodes[node].range()),
            None => OrientedBox::EMPTY,
        })
    };
    groups.iter().map(boxes).collect()
}

impl OrientedBox {
    const EMPTY: Self = Self {
        axes: DMat3::IDENTITY,
        low: DVec3::INFINITY,
        high: DVec3::NEG_INFINITY,
        common: [NONE; 3],
        cone: None,
    };

    fn around(tree: &BinaryTree, range: std::ops::Range<usize>) -> Self {
        let triangles = &tree.triangles[range.clone()];
        let longest = triangles.iter().flat_map(edges).fold(DVec3::ZERO, |longest, e| {
            if e.length_squared() > longest.length_squared() { e } else { longest }
        });
        let along = longest.normalize_or(DVec3::X);
        let normal: DVec3 = triangles.iter().map(Triangle::normal).sum();
        let across = normal.cross(along).normalize_or(along.any_orthonormal_vector());
        let axes = DMat3::from_cols(along, across, along.cross(across)).transpose();
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for p in triangles.iter().flat_map(Triangle::corners) {
            let q = axes * p;
            let slack = DVec3::splat(SLACK * p.abs().max_element());
            (low, high) = (low.min(q - slack), high.max(q + slack));
        }
        let first = tree.vertices[range.start];
        let mut common = first;
        for t in &tree.vertices[range] {
            common = common.map(|v| if t.contains(&v) { v } else { NONE });
        }
        let tip = common.iter().position(|&v| v != NONE).map(|k| triangles[0].corners()[k]);
        Self { axes, low, high, common, cone: tip.and_then(|tip| Cone::around(triangles, tip)) }
    }

    fn half_area(&self) -> f64 {
        let d = self.high - self.low;
        d.x * d.y + d.y * d.z + d.z * d.x
    }

    /// Returns a lower bound of the squared distance from `p` to the triangles; infinite if none is nearer than
    /// a point whose squared distance is `best`.
    #[inline]
    pub fn distance_squared_below(&self, p: DVec3, best: f64) -> f32 {
        let q = self.axes * p;
        let out = (self.low - q).max(q - self.high).max(DVec3::ZERO);
        let from_tip = self.cone.as_ref().map_or(0.0, |c| c.distance(p));
        let d2 = out.length_squared().max(from_tip * from_tip);
        // Equal distances are the rule if the closest point is a vertex that all triangles share.
        if d2 > (1.0 - SLACK) * best {
            return f32::INFINITY;
        }
        // Rounding to 32 bits may go upward.
        ((1.0 - 1e-6) * d2) as f32
    }

    /// Returns whether `p + s d` comes within `pad` of the box for an `s` from 0 to `end`.
    pub fn meets(&self, p: DVec3, d: DVec3, end: f64, pad: f64) -> bool {
        let (p, d) = (self.axes * p, self.axes * d);
        let (mut first, mut last) = (0.0, end);
        for a in 0..3 {
            let (low, high) = (self.low[a] - pad - p[a], self.high[a] + pad - p[a]);
            if d[a].abs() > f64::MIN_POSITIVE {
                let (s, t) = (low / d[a], high / d[a]);
                (first, last) = (s.min(t).max(first), s.max(t).min(last));
            } else if low > 0.0 || high < 0.0 {
                return false;
            }
        }
        first <= last
    }

    /// Returns whether all triangles have one of these vertices.
    pub fn has_common(&self, vertices: [u32; 2]) -> bool {
        self.common.iter().any(|v| *v != NONE && vertices.contains(v))
    }
}

impl Cone {
    /// Returns the cone from `tip` around triangles that have a vertex there.
    fn around(triangles: &[Triangle], tip: DVec3) -> Option<Self> {
        let corners = || triangles.iter().flat_map(Triangle::corners);
        // The shared vertex may differ from the tip by rounding.
        let size = corners().map(|p| p.distance(tip)).fold(0.0, f64::max);
        let ways = || corners().map(|p| p - tip).filter(|d| d.length() > SLACK * size).map(DVec3::normalize);
        let axis = ways().sum::<DVec3>().try_normalize()?;
        let cos = ways().map(|d| d.dot(axis)).fold(1.0, f64::min) - SLACK;
        (cos > 0.0).then(|| Self { tip, axis, cos, sin: (1.0 - cos * cos).sqrt() })
    }

    /// Returns the distance from `p`, or slightly less.
    fn distance(&self, p: DVec3) -> f64 {
        let d = p - self.tip;
        // The length of d times the cosine and sine of its angle with the axis.
        let (along, beside) = (d.dot(self.axis), d.cross(self.axis).length());
        let (toward, away) = (along * self.cos + beside * self.sin, beside * self.cos - along * self.sin);
        if toward <= 0.0 && away > 0.0 { d.length() } else { away.max(0.0) }
    }
}

fn edges(t: &Triangle) -> [DVec3; 3] {
    [t.ab, t.ac, t.ac - t.ab]
}
