//! Top-down building: the split that minimizes `area · count` of both sides over a few planes on each axis.
//! The tree depends on the triangles alone, however many threads share the work.

use super::{Bvh, LEAF, Node, Pack};
use glam::{Vec3, Vec3A, Vec4};

const BINS: usize = 12;
/// Below this depth sides are halved by count, so that the tree has at most this depth plus `log2(n)` levels,
/// which is half as many levels of four children, each with three more on the stack.
const SAH_DEPTH: u32 = 30;
/// With fewer triangles than this, a side is not built as a parallel task.
const TASK: usize = 4096;

#[derive(Clone, Copy)]
struct Extent {
    lo: Vec3A,
    hi: Vec3A,
}

impl Extent {
    const NONE: Self = Self { lo: Vec3A::splat(f32::INFINITY), hi: Vec3A::splat(f32::NEG_INFINITY) };

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

#[derive(Clone, Copy)]
struct Item {
    extent: Extent,
    triangle: u32,
}

struct Tree {
    extent: Extent,
    kind: Kind,
}

enum Kind {
    Leaf { first: usize, count: usize },
    Inner(Box<[Tree; 2]>),
}

impl Bvh {
    /// Builds over triangles given by their corners, which must be finite.
    pub fn build(corners: &[[Vec3; 3]]) -> Self {
        if corners.is_empty() {
            return Self::default();
        }
        let mut items: Vec<Item> = (0u32..)
            .zip(corners)
            .map(|(triangle, c)| {
                let extent = c.iter().fold(Extent::NONE, |e, &p| e.add(p.into()));
                Item { extent, triangle }
            })
            .collect();
        let tree = split(&mut items, 0, 0);
        let mut bvh = Self::default();
        let root = match &tree.kind {
            Kind::Inner(kids) => vec![&kids[0], &kids[1]],
            Kind::Leaf { .. } => vec![&tree],
        };
        bvh.flatten(&root, &items, corners);
        bvh
    }

    /// Appends a node over `kids`, each replaced by its two children if it has them.
    fn flatten(&mut self, kids: &[&Tree], items: &[Item], corners: &[[Vec3; 3]]) -> u32 {
        let mut open: Vec<&Tree> = Vec::with_capacity(4);
        for kid in kids {
            match &kid.kind {
                Kind::Inner(two) => open.extend([&two[0], &two[1]]),
                Kind::Leaf { .. } => open.push(kid),
            }
        }
        let at = self.nodes.len();
        let mut bounds = [[0.0; 4]; 6];
        for a in 0..3 {
            for lane in 0..4 {
                let extent = open.get(lane).map_or(Extent::NONE, |t| t.extent);
                bounds[2 * a][lane] = extent.lo[a];
                bounds[2 * a + 1][lane] = extent.hi[a];
            }
        }
        self.nodes.push(Node { bounds: bounds.map(Vec4::from_array), child: [0; 4] });
        for (lane, tree) in open.into_iter().enumerate() {
            let code = match &tree.kind {
                Kind::Inner(two) => self.flatten(&[&two[0], &two[1]], items, corners),
                Kind::Leaf { first, count } => {
                    self.packs.push(pack(&items[*first..first + count], corners));
                    (self.packs.len() - 1) as u32 | LEAF
                }
            };
            self.nodes[at].child[lane] = code;
        }
        at as u32
    }
}

fn pack(items: &[Item], corners: &[[Vec3; 3]]) -> Pack {
    let mut parts = [[[0.0; 4]; 3]; 3];
    let mut triangle = [0; 4];
    for (lane, item) in items.iter().enumerate() {
        let [a, b, c] = corners[item.triangle as usize];
        for (part, vector) in parts.iter_mut().zip([a, b - a, c - a]) {
            for axis in 0..3 {
                part[axis][lane] = vector[axis];
            }
        }
        triangle[lane] = item.triangle;
    }
    let [v0, e1, e2] = parts.map(|p| p.map(Vec4::from_array));
    Pack { v0, e1, e2, triangle }
}

fn split(items: &mut [Item], first: usize, depth: u32) -> Tree {
    let extent = items.iter().fold(Extent::NONE, |e, i| e.join(i.extent));
    if items.len() <= 4 {
        return Tree { extent, kind: Kind::Leaf { first, count: items.len() } };
    }
    let plane = if depth < SAH_DEPTH { best_plane(items) } else { None };
    let middle = match plane {
        Some(plane) => partition(items, &plane),
        None => halve(items, extent),
    };
    let parallel = items.len() > TASK;
    let (left, right) = items.split_at_mut(middle);
    let (left, right) = if parallel {
        rayon::join(|| split(left, first, depth + 1), || split(right, first + middle, depth + 1))
    } else {
        (split(left, first, depth + 1), split(right, first + middle, depth + 1))
    };
    Tree { extent, kind: Kind::Inner(Box::new([left, right])) }
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

fn best_plane(items: &[Item]) -> Option<Plane> {
    let centers = items.iter().fold(Extent::NONE, |e, i| e.add(i.extent.center()));
    let scale = (BINS as f32 * 0.9999) / (centers.hi - centers.lo);
    let mut bins = [[(Extent::NONE, 0usize); BINS]; 3];
    for item in items {
        let center = item.extent.center();
        for axis in 0..3 {
            let b = &mut bins[axis][bin(center[axis], centers.lo[axis], scale[axis])];
            *b = (b.0.join(item.extent), b.1 + 1);
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

fn partition(items: &mut [Item], plane: &Plane) -> usize {
    let mut n_left = 0;
    for i in 0..items.len() {
        let center = items[i].extent.center()[plane.axis];
        if bin(center, plane.lo, plane.scale) <= plane.last_left {
            items.swap(i, n_left);
            n_left += 1;
        }
    }
    n_left
}

fn halve(items: &mut [Item], extent: Extent) -> usize {
    let size = extent.hi - extent.lo;
    let axis = (0..3).fold(0, |best, a| if size[a] > size[best] { a } else { best });
    let middle = items.len() / 2;
    items.select_nth_unstable_by(middle, |a, b| {
        a.extent.center()[axis].total_cmp(&b.extent.center()[axis]).then(a.triangle.cmp(&b.triangle))
    });
    middle
}
