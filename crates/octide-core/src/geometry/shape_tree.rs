//! The nearest of many shapes, found in a hierarchy of bounding boxes.
//!
//! The distance to a shape is at least the distance to a box around it ([`Shape::distance_box`]), so that
//! boxes farther than the nearest shape so far are skipped. The results are those of a loop over all shapes,
//! to the last bit: among equally near shapes, the first one counts. The parts of a union are items of their
//! own.

use super::hierarchy::{BinaryNode, MAX_DEPTH, build};
use super::shape::moved_box;
use super::{Pose, Shape};
use glam::DVec3;

#[cfg(test)]
mod tests;

/// Relative tolerance that is far above the rounding errors of a distance and of its bound.
const SLACK: f64 = 1e-12;

/// A shape, or a part of a union.
#[derive(Clone, Copy, Debug)]
struct Item {
    shape: u32,
    /// The number of the part, if the shape is a union; [`WHOLE`] for a shape that is sampled as a whole.
    part: u32,
}

/// Stands for all parts of a shape.
const WHOLE: u32 = u32::MAX;

/// A hierarchy over shapes, which their owner keeps; it refers to them by their numbers.
#[derive(Clone, Debug, Default)]
pub struct ShapeTree {
    nodes: Vec<BinaryNode>,
    /// The items in the order of the leaves.
    items: Vec<Item>,
    /// Items without bounds, such as planes, in order.
    unbounded: Vec<Item>,
}

impl ShapeTree {
    /// Builds the hierarchy over shapes, each in a pose.
    pub fn new<'a>(shapes: impl Iterator<Item = (&'a Shape, Pose)>) -> Self {
        Self::with_samples(shapes.map(|(shape, pose)| (shape, pose, false)))
    }

    /// Builds the hierarchy over shapes, each in a pose and with whether it is sampled as a whole.
    pub fn with_samples<'a>(shapes: impl Iterator<Item = (&'a Shape, Pose, bool)>) -> Self {
        let (mut bounded, mut boxes, mut unbounded) = (Vec::new(), Vec::new(), Vec::new());
        for (i, (shape, pose, is_whole)) in shapes.enumerate() {
            let parts = if is_whole { std::slice::from_ref(shape) } else { shape.parts() };
            for (k, part) in parts.iter().enumerate() {
                let item = Item { shape: i as u32, part: if is_whole { WHOLE } else { k as u32 } };
                let corners = part.distance_box().map(|b| moved_box(b, |p| pose.to_world(p)));
                match corners.filter(|(min, max)| min.is_finite() && max.is_finite()) {
                    Some(corners) => {
                        bounded.push(item);
                        boxes.push(corners);
                    }
                    None => unbounded.push(item),
                }
            }
        }
        if boxes.is_empty() {
            return Self { unbounded, ..Self::default() };
        }
        let (nodes, ids) = build(boxes.into_iter());
        Self { nodes, items: ids.iter().map(|&i| bounded[i as usize]).collect(), unbounded }
    }

    /// Returns the number of the shape that is nearest to `p`, the first if there are several, and its
    /// distance, negative inside. `local` returns a shape and the position of `p` in its own coordinates. The
    /// result is `None` if there are no shapes, or if no distance is finite.
    pub fn nearest<'a>(&self, p: DVec3, local: impl Fn(usize) -> (&'a Shape, DVec3)) -> Option<(usize, f64)> {
        self.least_by_part(p, 0.0, |i, part, best| {
            let (shape, point) = local(i);
            let part = part.map_or(shape, |k| &shape.parts()[k]);
            (!part.is_beyond(point, best)).then(|| part.distance(point))
        })
    }

    /// Returns the shape for which `f` is least, the first if there are several, and that value. `f` is given a
    /// shape, the number of its part or `None` for all of it, and the least value so far; it returns a value that is
    /// less than the distance to the shape by at most `slack`, or `None` if it is above the least so far. The result
    /// is `None` if no value is finite.
    #[inline]
    pub fn least_by_part(
        &self,
        p: DVec3,
        slack: f64,
        mut f: impl FnMut(usize, Option<usize>, f64) -> Option<f64>,
    ) -> Option<(usize, f64)> {
        let mut best = (f64::INFINITY, u32::MAX);
        let mut look = |items: &[Item]| {
            for item in items {
                let part = (item.part != WHOLE).then_some(item.part as usize);
                if let Some(d) = f(item.shape as usize, part, best.0)
                    && (d < best.0 || d == best.0 && item.shape < best.1)
                {
                    best = (d, item.shape);
                }
            }
            best.0.max(0.0) + slack
        };
        let limit = look(&self.unbounded);
        self.visit(p, limit, &mut look);
        (best.0 < f64::INFINITY).then_some((best.1 as usize, best.0))
    }

    /// Returns the first shape for which `f` holds, of those that may be within `reach` of `p`: `f` must not
    /// hold for others.
    pub fn first_within(&self, p: DVec3, reach: f64, f: impl Fn(usize) -> bool) -> Option<usize> {
        let mut first = None;
        // Parts of one union mostly follow each other.
        let mut asked = None;
        let mut look = |item: &Item| {
            let i = item.shape as usize;
            if first.is_none_or(|held| i < held) && asked != Some(i) && f(i) {
                first = Some(i);
            }
            asked = Some(i);
        };
        self.unbounded.iter().for_each(&mut look);
        self.visit(p, reach, |items| {
            items.iter().for_each(&mut look);
            reach
        });
        first
    }

    /// Calls `f` with each shape that may be within `reach` of `p`, unless the previous call was for the same
    /// shape.
    pub fn for_each_within(&self, p: DVec3, reach: f64, mut f: impl FnMut(usize)) {
        let mut last = None;
        let mut look = |item: &Item| {
            let i = item.shape as usize;
            if last != Some(i) {
                f(i);
            }
            last = Some(i);
        };
        self.unbounded.iter().for_each(&mut look);
        self.visit(p, reach, |items| {
            items.iter().for_each(&mut look);
            reach
        });
    }

    /// Returns the shape for which `f` is least, the first if there are several, and that value. `f` is given a
    /// shape and the least value so far, and must be at least the distance to the shape. The result is `None` if
    /// no value is finite.
    pub fn least_by(&self, p: DVec3, f: impl Fn(usize, f64) -> f64) -> Option<(usize, f64)> {
        let mut best = (f64::INFINITY, usize::MAX);
        let look = |item: &Item, best: &mut (f64, usize)| {
            let i = item.shape as usize;
            let value = f(i, best.0);
            if value < best.0 || value == best.0 && i < best.1 {
                *best = (value, i);
            }
        };
        self.unbounded.iter().for_each(|item| look(item, &mut best));
        self.visit(p, best.0, |items| {
            items.iter().for_each(|item| look(item, &mut best));
            best.0
        });
        (best.0 < f64::INFINITY).then_some((best.1, best.0))
    }

    /// Returns the numbers of all shapes that may be within `reach` of `p`, in order.
    pub fn within(&self, p: DVec3, reach: f64) -> Vec<usize> {
        let mut shapes: Vec<usize> = self.unbounded.iter().map(|item| item.shape as usize).collect();
        self.visit(p, reach, |items| {
            shapes.extend(items.iter().map(|item| item.shape as usize));
            reach
        });
        // A union may be there once for each of its parts.
        shapes.sort_unstable();
        shapes.dedup();
        shapes
    }

    /// Calls `leaf` with the items of each leaf whose box is not farther from `p` than `limit`, near ones
    /// first; it returns the limit from then on.
    fn visit(&self, p: DVec3, mut limit: f64, mut leaf: impl FnMut(&[Item]) -> f64) {
        if self.nodes.is_empty() {
            return;
        }
        let size = p.abs().max_element();
        let mut stack = [(0.0, 0u32); MAX_DEPTH as usize + 2];
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let (d, node) = stack[top];
            // Inside a box, the distance may be less than any other that is negative.
            if d > limit.max(0.0) + SLACK * (d + size) {
                continue;
            }
            let node = &self.nodes[node as usize];
            let Some(children) = node.children else {
                limit = leaf(&self.items[node.range()]);
                continue;
            };
            let [a, b] = children.map(|c| {
                let node = &self.nodes[c as usize];
                ((node.min - p).max(p - node.max).max(DVec3::ZERO).length(), c)
            });
            // The nearer one is on top of the stack.
            (stack[top], stack[top + 1]) = if a.0 < b.0 { (b, a) } else { (a, b) };
            top += 2;
        }
    }
}
