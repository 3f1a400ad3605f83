//! A hierarchy with four children per node, laid out so that four boxes are tested at once.
//!
//! Boxes are stored in f32, rounded outward; a margin accounts for the rounding of the query point. A box
//! that contains the closest triangle is therefore never skipped, and distances to triangles are computed in
//! f64.

use super::build::BinaryTree;
use super::slender::{self, OrientedBox};
use super::triangle::{Feature, Triangle};
use crate::geometry::hierarchy::{LEAF, MAX_DEPTH};
use glam::DVec3;

/// Number of children of a node.
pub(super) const WIDTH: usize = 4;
/// Maximum size of a traversal's stack: each level leaves at most three entries behind.
pub(super) const STACK: usize = (WIDTH - 1) * MAX_DEPTH as usize + WIDTH + 4;
/// Maximum number of triangles; leaves store the number of their first triangle in 28 bits.
pub(super) const MAX_TRIANGLES: usize = 1 << 28;

#[cfg(test)]
thread_local! {
    /// The number of nodes and leaves that this thread has opened.
    pub(super) static N_OPENED: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

const LEAF_BIT: u32 = 1 << 31;
const _: () = assert!(LEAF <= 8);

/// A child of a node: another node, or a short run of triangles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Child(u32);

impl Child {
    pub const ROOT: Self = Self(0);

    fn leaf(first: u32, count: u32) -> Self {
        Self(LEAF_BIT | (count - 1) << 28 | first)
    }

    /// Returns the run of triangles of a leaf, or the number of a node.
    #[inline]
    pub fn open(self) -> Result<std::ops::Range<usize>, usize> {
        #[cfg(test)]
        N_OPENED.set(N_OPENED.get() + 1);
        if self.0 & LEAF_BIT != 0 {
            let first = (self.0 & (MAX_TRIANGLES as u32 - 1)) as usize;
            Ok(first..first + (self.0 >> 28 & 7) as usize + 1)
        } else {
            Err(self.0 as usize)
        }
    }
}

/// Four boxes, by axis and child. Absent children have inverted boxes, which are infinitely far from
/// everything.
#[derive(Clone, Debug)]
struct Node {
    min: [[f32; WIDTH]; 3],
    max: [[f32; WIDTH]; 3],
    child: [Child; WIDTH],
}

/// The closest point of a mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    /// The triangle, with its number in [`Bvh::triangles`].
    pub triangle: usize,
    /// The part of the triangle that contains the point.
    pub feature: Feature,
    /// The vector from the closest point to the query point.
    pub offset: DVec3,
}

/// The hierarchy.
#[derive(Clone, Debug)]
pub(super) struct Bvh {
    nodes: Vec<Node>,
    pub triangles: Vec<Triangle>,
    pub ids: Vec<u32>,
    /// The largest coordinate, for the rounding margin.
    extent: f32,
    /// Oriented boxes of the nodes' children, if most triangles are slender; else empty.
    oriented: Vec<[OrientedBox; WIDTH]>,
}

impl Bvh {
    pub fn new(tree: BinaryTree) -> Self {
        let groups = groups(&tree);
        let nodes = groups.iter().map(|g| Node::new(&tree, g)).collect();
        let extent = tree.nodes[0].min.abs().max(tree.nodes[0].max.abs()).max_element() as f32;
        let oriented = slender::oriented_boxes(&tree, &groups);
        Self { nodes, triangles: tree.triangles, ids: tree.ids, extent, oriented }
    }

    /// Returns the children of a node.
    #[inline]
    pub fn children(&self, node: usize) -> &[Child; WIDTH] {
        &self.nodes[node].child
    }

    /// Returns the closest point of all triangles that is not farther than `bound`.
    pub fn closest(&self, p: DVec3, bound: f64) -> Option<Hit> {
        let p32 = p.as_vec3().to_array();
        if !p.is_finite() {
            return None;
        }
        let margin = f64::from(4.0 * f32::EPSILON) * (p.abs().max_element() + f64::from(self.extent));
        // The squared distance up to which boxes in f32 are visited. It is finite, so that absent children
        // never are.
        let reach = |d2: f64| ((d2.sqrt() + margin).powi(2) * (1.0 + 1e-6)).min(f64::from(f32::MAX)) as f32;
        let mut best = None;
        let mut best_d2 = bound * bound;
        let mut limit = reach(best_d2);

        let mut stack = [(0.0f32, Child::ROOT); STACK];
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let (d2, child) = stack[top];
            if d2 > limit {
                continue;
            }
            match child.open() {
                Ok(run) => {
                    let mut found = false;
                    for t in run {
                        let (offset, feature) = self.triangles[t].offset(p);
                        let d2 = offset.length_squared();
                        if d2 <= best_d2 {
                            best_d2 = d2;
                            best = Some(Hit { triangle: t, feature, offset });
                            found = true;
                        }
                    }
                    if found {
                        limit = reach(best_d2);
                    }
                }
                Err(node) => {
                    let mut d2 = self.nodes[node].distances_squared(p32);
                    if let Some(boxes) = self.oriented.get(node) {
                        for (d2, b) in d2.iter_mut().zip(boxes) {
                            if *d2 <= limit {
                                *d2 = d2.max(b.distance_squared_below(p, best_d2));
                            }
                        }
                    }
                    let node = &self.nodes[node];
                    let bottom = top;
                    for k in 0..WIDTH {
                        if d2[k] <= limit {
                            // The nearest child is on top of the stack.
                            let mut at = top;
                            while at > bottom && stack[at - 1].0 < d2[k] {
                                stack[at] = stack[at - 1];
                                at -= 1;
                            }
                            stack[at] = (d2[k], node.child[k]);
                            top += 1;
                        }
                    }
                }
            }
        }
        best
    }

    /// Calls `f` for each triangle whose leaf's box comes within `pad` of the segment from `p` to `q`, an edge
    /// between two vertices. Leaves whose triangles all have one of these vertices may be left out.
    pub fn near_edge(&self, [p, q]: [DVec3; 2], names: [u32; 2], pad: f64, mut f: impl FnMut(usize)) {
        let (lo, hi) = ((p.min(q) - pad).to_array().map(below), (p.max(q) + pad).to_array().map(above));
        let mut stack = vec![Child::ROOT];
        while let Some(child) = stack.pop() {
            match child.open() {
                Ok(run) => run.for_each(&mut f),
                Err(n) => {
                    let (node, oriented) = (&self.nodes[n], self.oriented.get(n));
                    for k in 0..WIDTH {
                        let overlaps = (0..3).all(|a| node.min[a][k] <= hi[a] && node.max[a][k] >= lo[a]);
                        let is_apart = |b: &OrientedBox| b.has_common(names) || !b.meets(p, q - p, 1.0, pad);
                        if overlaps && !oriented.is_some_and(|boxes| is_apart(&boxes[k])) {
                            stack.push(node.child[k]);
                        }
                    }
                }
            }
        }
    }

    /// Calls `f` for each triangle whose leaf's box may meet the ray from `p` along an axis, or against it.
    pub fn on_ray(&self, p: DVec3, axis: usize, is_forward: bool, mut f: impl FnMut(usize)) {
        let pad = f64::from(4.0 * f32::EPSILON) * (p.abs().max_element() + f64::from(self.extent));
        let (mut low, mut high) = (p - pad, p + pad);
        let mut way = DVec3::ZERO;
        if is_forward {
            (high[axis], way[axis]) = (f64::INFINITY, 1.0);
        } else {
            (low[axis], way[axis]) = (f64::NEG_INFINITY, -1.0);
        }
        let (lo, hi) = (low.to_array().map(below), high.to_array().map(above));
        let mut stack = [Child::ROOT; STACK];
        let mut top = 1;
        while top > 0 {
            top -= 1;
            match stack[top].open() {
                Ok(run) => run.for_each(&mut f),
                Err(n) => {
                    let (node, oriented) = (&self.nodes[n], self.oriented.get(n));
                    for k in 0..WIDTH {
                        let overlaps = (0..3).all(|a| node.min[a][k] <= hi[a] && node.max[a][k] >= lo[a]);
                        if overlaps && oriented.is_none_or(|boxes| boxes[k].meets(p, way, f64::INFINITY, pad))
                        {
                            stack[top] = node.child[k];
                            top += 1;
                        }
                    }
                }
            }
        }
    }

    /// Returns the area that the boxes of all leaves cover, seen along each axis.
    pub fn leaf_areas(&self) -> [f64; 3] {
        let mut areas = [0.0; 3];
        for node in &self.nodes {
            for k in (0..WIDTH).filter(|&k| node.child[k].0 & LEAF_BIT != 0) {
                let size = [0, 1, 2].map(|a| f64::from(node.max[a][k]) - f64::from(node.min[a][k]));
                for a in 0..3 {
                    areas[a] += size[(a + 1) % 3] * size[(a + 2) % 3];
                }
            }
        }
        areas
    }
}

impl Node {
    fn new(tree: &BinaryTree, group: &Group) -> Self {
        let mut node = Self {
            min: [[f32::INFINITY; WIDTH]; 3],
            max: [[f32::NEG_INFINITY; WIDTH]; 3],
            child: [Child::ROOT; WIDTH],
        };
        for (k, &(binary, child)) in group.iter().enumerate() {
            let b = &tree.nodes[binary];
            for a in 0..3 {
                node.min[a][k] = below(b.min[a]);
                node.max[a][k] = above(b.max[a]);
            }
            node.child[k] = child;
        }
        node
    }

    #[inline]
    fn distances_squared(&self, p: [f32; 3]) -> [f32; WIDTH] {
        let mut sum = [0.0; WIDTH];
        for a in 0..3 {
            for k in 0..WIDTH {
                let (under, over) = (self.min[a][k] - p[a], p[a] - self.max[a][k]);
                // Plain comparisons, since f32::max would also check for NaN.
                let out = if under > over { under } else { over };
                let out = if out > 0.0 { out } else { 0.0 };
                sum[k] += out * out;
            }
        }
        sum
    }
}

/// Returns the largest f32 that is not above `x`, or the next lower one.
fn below(x: f64) -> f32 {
    (x as f32).next_down()
}

fn above(x: f64) -> f32 {
    (x as f32).next_up()
}

/// The children of a node with four slots: nodes of the binary tree, and their names in the new one.
pub(super) type Group = Vec<(usize, Child)>;

/// Collapses the binary tree into nodes with four children; group 0 is the root.
pub(super) fn groups(tree: &BinaryTree) -> Vec<Group> {
    let mut groups: Vec<Group> = vec![Vec::new()];
    let mut open = vec![(0usize, 0usize)];
    while let Some((binary, group)) = open.pop() {
        let mut members = vec![binary];
        // The largest is opened first, since it is entered most often.
        while members.len() < WIDTH {
            let largest =
                (0..members.len()).filter(|&m| tree.nodes[members[m]].children.is_some()).max_by(|&a, &b| {
                    tree.nodes[members[a]].half_area().total_cmp(&tree.nodes[members[b]].half_area())
                });
            let Some(m) = largest else { break };
            let Some([left, right]) = tree.nodes[members[m]].children else { break };
            members[m] = left as usize;
            members.push(right as usize);
        }
        for m in members {
            let node = &tree.nodes[m];
            let child = if node.children.is_some() {
                groups.push(Vec::new());
                open.push((m, groups.len() - 1));
                Child(groups.len() as u32 - 1)
            } else {
                Child::leaf(node.first, node.count)
            };
            groups[group].push((m, child));
        }
    }
    groups
}
