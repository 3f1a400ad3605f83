//! Builds a binary hierarchy over boxes with the surface area heuristic and sixteen bins along each axis.

use glam::DVec3;

/// Maximum number of items in a leaf.
pub(super) const LEAF: usize = 4;
/// Maximum depth of the tree, for any boxes.
pub(super) const MAX_DEPTH: u32 = 40;
const BINS: usize = 16;

/// A node over the items `first..first + count`; a leaf if `children` is `None`.
#[derive(Clone, Debug)]
pub(super) struct BinaryNode {
    pub min: DVec3,
    pub max: DVec3,
    pub first: u32,
    pub count: u32,
    pub children: Option<[u32; 2]>,
}

impl BinaryNode {
    pub fn half_area(&self) -> f64 {
        half_area(self.min, self.max)
    }

    pub fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

#[derive(Clone, Copy)]
struct Item {
    min: DVec3,
    max: DVec3,
    center: DVec3,
    id: u32,
}

/// Returns the nodes over some boxes, of which node 0 is the root, and the numbers of the boxes in the order
/// of the leaves. There must be at least one box.
pub(super) fn build(boxes: impl Iterator<Item = (DVec3, DVec3)>) -> (Vec<BinaryNode>, Vec<u32>) {
    let mut items: Vec<Item> = boxes
        .enumerate()
        .map(|(i, (min, max))| Item { min, max, center: 0.5 * (min + max), id: i as u32 })
        .collect();
    let mut nodes = Vec::with_capacity(items.len());
    divide(&mut items, 0, 0, &mut nodes);
    (nodes, items.iter().map(|i| i.id).collect())
}

/// Adds the node over `items`, the first of which has number `first`, and all nodes below it; returns the
/// number of the node.
fn divide(items: &mut [Item], first: usize, depth: u32, nodes: &mut Vec<BinaryNode>) -> u32 {
    let (min, max) = hull(items);
    let node = nodes.len() as u32;
    nodes.push(BinaryNode { min, max, first: first as u32, count: items.len() as u32, children: None });
    if items.len() > LEAF {
        let at = split(items, depth);
        let (left, right) = items.split_at_mut(at);
        let l = divide(left, first, depth + 1, nodes);
        let r = divide(right, first + at, depth + 1, nodes);
        nodes[node as usize].children = Some([l, r]);
    }
    node
}

/// Reorders `items` into two non-empty parts and returns the length of the first.
fn split(items: &mut [Item], depth: u32) -> usize {
    let n = items.len();
    let (low, high) = items.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), i| {
        (low.min(i.center), high.max(i.center))
    });
    let widest = (high - low).max_position();
    // Halving from here on just stays within the depth limit.
    let must_halve = n > LEAF << (MAX_DEPTH - 1 - depth).min(40);
    if !must_halve && let Some((axis, bin)) = best_plane(items, low, high) {
        let scale = BINS as f64 / (high[axis] - low[axis]);
        let is_left = |i: &Item| bin_of(i.center[axis], low[axis], scale) <= bin;
        // The sort is stable, so that the result is deterministic.
        items.sort_by_key(|i| !is_left(i));
        return items.partition_point(is_left);
    }
    items.sort_by(|a, b| a.center[widest].total_cmp(&b.center[widest]));
    n / 2
}

/// Returns the axis and the last bin to the left of the plane with the smallest cost; `None` if the centers
/// coincide.
fn best_plane(items: &[Item], low: DVec3, high: DVec3) -> Option<(usize, usize)> {
    let mut best = (f64::INFINITY, None);
    for axis in 0..3 {
        let extent = high[axis] - low[axis];
        let scale = BINS as f64 / extent;
        if extent <= 0.0 || !scale.is_finite() {
            continue;
        }
        let mut bins = [(DVec3::INFINITY, DVec3::NEG_INFINITY, 0usize); BINS];
        for i in items {
            let b = &mut bins[bin_of(i.center[axis], low[axis], scale)];
            *b = (b.0.min(i.min), b.1.max(i.max), b.2 + 1);
        }
        let mut cost = [0.0; BINS];
        let sweep = |order: &mut dyn Iterator<Item = usize>, add: &mut dyn FnMut(usize, f64, usize)| {
            let (mut min, mut max, mut n) = (DVec3::INFINITY, DVec3::NEG_INFINITY, 0);
            for b in order {
                (min, max, n) = (min.min(bins[b].0), max.max(bins[b].1), n + bins[b].2);
                add(b, if n > 0 { half_area(min, max) * n as f64 } else { 0.0 }, n);
            }
        };
        sweep(&mut (0..BINS), &mut |b, c, n| cost[b] += if n > 0 { c } else { f64::INFINITY });
        sweep(&mut (1..BINS).rev(), &mut |b, c, n| cost[b - 1] += if n > 0 { c } else { f64::INFINITY });
        for b in 0..BINS - 1 {
            if cost[b] < best.0 {
                best = (cost[b], Some((axis, b)));
            }
        }
    }
    best.1
}

fn bin_of(x: f64, low: f64, scale: f64) -> usize {
    (((x - low) * scale) as usize).min(BINS - 1)
}

fn hull(items: &[Item]) -> (DVec3, DVec3) {
    items
        .iter()
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(min, max), i| (min.min(i.min), max.max(i.max)))
}

fn half_area(min: DVec3, max: DVec3) -> f64 {
    let d = max - min;
    d.x * d.y + d.y * d.z + d.z * d.x
}
