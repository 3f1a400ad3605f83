//! Top-down building: the split that minimizes `area · count` of both sides over a few planes on each axis.
//! The tree depends on the items alone, however many threads share the work.

use super::{Bvh, LEAF, Node, Pack};
use glam::{Vec3A, Vec4};
use rayon::prelude::*;

const BINS: usize = 12;
/// Below this depth sides are halved by count, so that the tree has at most this depth plus `log2(n)` levels,
/// which is half as many levels of four children, each with three more on the stack.
const SAH_DEPTH: u32 = 30;
/// With fewer items than this, a child is not built as a parallel task.
const TASK: usize = 4096;

/// A box.
#[derive(Clone, Copy)]
pub struct Extent {
    pub lo: Vec3A,
    pub hi: Vec3A,
}

impl Extent {
    const NONE: Self = Self { lo: Vec3A::splat(f32::INFINITY), hi: Vec3A::splat(f32::NEG_INFINITY) };

    fn of<I: Item>(items: &[I]) -> Self {
        items.iter().fold(Self::NONE, |e, i| e.join(i.extent()))
    }

    fn join(self, other: Self) -> Self {
        Self { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    fn add(self, p: Vec3A) -> Self {
        Self { lo: self.lo.min(p), hi: self.hi.max(p) }
    }

    fn center(self) -> Vec3A {
        0.5 * (self.lo + self.hi)
    }

    fn half_area(self) -> f32 {
        let d = (self.hi - self.lo).max(Vec3A::ZERO);
        d.x * d.y + d.y * d.z + d.z * d.x
    }
}

/// A primitive while the hierarchy is built.
pub trait Item: Copy + Send + Sync {
    /// Returns its box.
    fn extent(&self) -> Extent;
}

/// Items that become a child of a node: a leaf, or a node of their own.
struct Child<'a, I> {
    items: &'a mut [I],
    /// Number of times that all items were divided to get these.
    depth: u32,
}

impl<P: Pack> Bvh<P> {
    /// Builds over finite items, which are reordered; `pack` makes the leaf of at most four of them.
    pub fn build<I: Item>(items: &mut [I], pack: &(impl Fn(&[I]) -> P + Sync)) -> Self {
        let mut bvh = Self::default();
        if !items.is_empty() {
            bvh.add_node(Child { items, depth: 0 }, pack);
        }
        bvh
    }

    /// Appends a node over items, with the nodes and leaves below it. Returns its index.
    fn add_node<I: Item>(&mut self, all: Child<I>, pack: &(impl Fn(&[I]) -> P + Sync)) -> u32 {
        let parallel = all.items.len() > TASK;
        let children = all.divided(parallel);
        let at = self.nodes.len();
        let mut bounds = [[0.0; 4]; 6];
        for lane in 0..4 {
            let extent = children.get(lane).map_or(Extent::NONE, |c| Extent::of(c.items));
            for a in 0..3 {
                bounds[2 * a][lane] = extent.lo[a];
                bounds[2 * a + 1][lane] = extent.hi[a];
            }
        }
        self.nodes.push(Node { bounds: bounds.map(Vec4::from_array), child: [0; 4] });
        if parallel {
            let build = |child| {
                let mut part = Self::default();
                let code = part.add_child(child, pack);
                (part, code)
            };
            let parts: Vec<(Self, u32)> = children.into_par_iter().map(build).collect();
            for (lane, (part, code)) in parts.into_iter().enumerate() {
                self.nodes[at].child[lane] = self.append(part, code);
            }
        } else {
            for (lane, child) in children.into_iter().enumerate() {
                self.nodes[at].child[lane] = self.add_child(child, pack);
            }
        }
        at as u32
    }

    /// Appends a leaf, or a node with all below it. Returns its code.
    fn add_child<I: Item>(&mut self, child: Child<I>, pack: &(impl Fn(&[I]) -> P + Sync)) -> u32 {
        if child.items.len() > 4 {
            return self.add_node(child, pack);
        }
        self.packs.push(pack(child.items));
        (self.packs.len() - 1) as u32 | LEAF
    }

    /// Appends what another task has built. Returns what becomes of one of its codes.
    fn append(&mut self, part: Self, code: u32) -> u32 {
        let (nodes, packs) = (self.nodes.len() as u32, self.packs.len() as u32);
        let moved = |code: u32| if code & LEAF != 0 { code + packs } else { code + nodes };
        self.nodes.extend(part.nodes.into_iter().map(|node| Node { child: node.child.map(moved), ..node }));
        self.packs.extend(part.packs);
        moved(code)
    }
}

impl<'a, I: Item> Child<'a, I> {
    /// Divides items in two and each half again, except where there are few enough for a leaf.
    fn divided(self, parallel: bool) -> Vec<Self> {
        let mut children = Vec::with_capacity(4);
        let mut halves = self.halves().into_iter();
        match (halves.next(), halves.next()) {
            (Some(left), Some(right)) if parallel => {
                let (left, right) = rayon::join(|| left.halves(), || right.halves());
                children.extend(left);
                children.extend(right);
            }
            (left, right) => children.extend(left.into_iter().chain(right).flat_map(Self::halves)),
        }
        children
    }

    fn halves(self) -> Vec<Self> {
        let Self { items, depth } = self;
        if items.len() <= 4 {
            return vec![Self { items, depth }];
        }
        let plane = if depth < SAH_DEPTH { best_plane(items) } else { None };
        let middle = match plane {
            Some(plane) => partition(items, &plane),
            None => halve(items),
        };
        let (left, right) = items.split_at_mut(middle);
        vec![Self { items: left, depth: depth + 1 }, Self { items: right, depth: depth + 1 }]
    }
}

/// The bins along an axis and the last bin that goes left.
struct Plane {
    axis: usize,
    lo: f32,
    scale: f32,
    last_left: usize,
}

fn bin(center: f32, lo: f32, scale: f32) -> usize {
    (((center - lo) * scale) as usize).min(BINS - 1)
}

fn best_plane<I: Item>(items: &[I]) -> Option<Plane> {
    let centers = items.iter().fold(Extent::NONE, |e, i| e.add(i.extent().center()));
    let scale = (BINS as f32 * 0.9999) / (centers.hi - centers.lo);
    let mut bins = [[(Extent::NONE, 0usize); BINS]; 3];
    for item in items {
        let extent = item.extent();
        let center = extent.center();
        for axis in 0..3 {
            let b = &mut bins[axis][bin(center[axis], centers.lo[axis], scale[axis])];
            *b = (b.0.join(extent), b.1 + 1);
        }
    }
    let mut best = None;
    let mut best_cost = f32::INFINITY;
    for axis in 0..3 {
        if !scale[axis].is_finite() {
            continue;
        }
        let mut right_cost = [0.0; BINS];
        let mut side = (Extent::NONE, 0);
        for b in (1..BINS).rev() {
            side = (side.0.join(bins[axis][b].0), side.1 + bins[axis][b].1);
            right_cost[b] = if side.1 == 0 { f32::NAN } else { side.0.half_area() * side.1 as f32 };
        }
        side = (Extent::NONE, 0);
        for b in 0..BINS - 1 {
            side = (side.0.join(bins[axis][b].0), side.1 + bins[axis][b].1);
            // NaN if the right side is empty, and then never the best.
            let cost = side.0.half_area() * side.1 as f32 + right_cost[b + 1];
            if side.1 > 0 && cost < best_cost {
                best_cost = cost;
                best = Some(Plane { axis, lo: centers.lo[axis], scale: scale[axis], last_left: b });
            }
        }
    }
    best
}

fn partition<I: Item>(items: &mut [I], plane: &Plane) -> usize {
    let mut n_left = 0;
    for i in 0..items.len() {
        let center = items[i].extent().center()[plane.axis];
        if bin(center, plane.lo, plane.scale) <= plane.last_left {
            items.swap(i, n_left);
            n_left += 1;
        }
    }
    n_left
}

/// Divides items in two halves along the longest side of their box.
fn halve<I: Item>(items: &mut [I]) -> usize {
    let extent = Extent::of(items);
    let size = extent.hi - extent.lo;
    let axis = (0..3).fold(0, |best, a| if size[a] > size[best] { a } else { best });
    let middle = items.len() / 2;
    let center = |i: &I| i.extent().center()[axis];
    items.select_nth_unstable_by(middle, |a, b| center(a).total_cmp(&center(b)));
    middle
}
