//! Several shapes that are asked for together, in their rest poses, by a [`ShapeTree`].

use super::{Pose, Shape, ShapeTree};
use glam::DVec3;

/// Shapes in an order, with the hierarchy over them. All results are those of loops over the shapes.
#[derive(Clone, Debug)]
pub struct ShapeSet<'a> {
    shapes: Vec<&'a Shape>,
    tree: ShapeTree,
}

impl<'a> ShapeSet<'a> {
    /// Collects shapes and builds the hierarchy over them.
    pub fn new(shapes: impl Iterator<Item = &'a Shape>) -> Self {
        let shapes: Vec<&Shape> = shapes.collect();
        let tree = ShapeTree::new(shapes.iter().map(|s| (*s, Pose::IDENTITY)));
        Self { shapes, tree }
    }

    /// Returns whether there are no shapes.
    pub fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    /// Returns the signed distance to the nearest shape; infinite if there are none.
    pub fn distance(&self, x: DVec3) -> f64 {
        self.tree.nearest(x, |i| (self.shapes[i], x)).map_or(f64::INFINITY, |(_, d)| d)
    }

    /// Returns the number of the first shape that contains a point.
    pub fn first_around(&self, x: DVec3) -> Option<usize> {
        self.tree.first_within(x, 0.0, |i| self.shapes[i].distance(x) < 0.0)
    }

    /// Returns whether any shape contains a point.
    pub fn contains(&self, x: DVec3) -> bool {
        self.first_around(x).is_some()
    }

    /// Returns the distance to the nearest of all surfaces, from inside or outside; infinite if there are none.
    pub fn distance_to_surface(&self, x: DVec3) -> f64 {
        let best = self.tree.least_by(x, |i, limit| {
            let shape = self.shapes[i];
            if shape.is_beyond(x, limit) { f64::INFINITY } else { shape.distance(x).abs() }
        });
        best.map_or(f64::INFINITY, |(_, d)| d)
    }

    /// Calls `f` with the number and the distance of each shape that is not farther than `reach`, in order.
    pub fn for_each_within(&self, x: DVec3, reach: f64, mut f: impl FnMut(usize, f64)) {
        for i in self.tree.within(x, reach) {
            let shape = self.shapes[i];
            if !shape.is_beyond(x, reach) {
                let d = shape.distance(x);
                if d <= reach {
                    f(i, d);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec3;

    fn shapes(n: usize) -> Vec<Shape> {
        let number = |i: usize| (i as f64 * 0.618_033_988_749_894_9).fract();
        (0..n)
            .map(|i| {
                let center = dvec3(number(i), number(7 * i + 3), number(13 * i + 5));
                let radius = 0.02 + 0.1 * number(5 * i);
                match i % 4 {
                    0 => Shape::Box { min: center - radius, max: center + dvec3(0.5, 1.0, 1.5) * radius },
                    1 => Shape::Ellipsoid { center, radii: dvec3(1.0, 0.5, 0.3) * radius },
                    2 => Shape::Union(vec![
                        Shape::Sphere { center, radius },
                        Shape::Sphere { center: center + 0.5 * radius, radius },
                    ]),
                    _ => Shape::Sphere { center, radius },
                }
            })
            .chain([Shape::Plane { point: DVec3::ZERO, normal: dvec3(0.1, 1.0, 0.0) }])
            .collect()
    }

    #[test]
    fn results_are_those_of_loops() {
        let shapes = shapes(60);
        let set = ShapeSet::new(shapes.iter());
        let mut found = [0; 3];
        for i in 0..2000u32 {
            let at = |step: f64| (f64::from(i) * step).fract() * 1.4 - 0.2;
            let x = dvec3(at(0.819_172_513_396_164), at(0.671_043_606_703_789), at(0.549_700_477_901_970));
            let d: Vec<f64> = shapes.iter().map(|s| s.distance(x)).collect();
            let least = |d: &mut dyn Iterator<Item = f64>| d.fold(f64::INFINITY, f64::min).to_bits();
            assert_eq!(set.distance(x).to_bits(), least(&mut d.iter().copied()));
            assert_eq!(set.distance_to_surface(x).to_bits(), least(&mut d.iter().map(|d| d.abs())));
            assert_eq!(set.first_around(x), d.iter().position(|&d| d < 0.0));
            let expected: Vec<(usize, u64)> =
                d.iter().enumerate().filter(|(_, d)| **d <= 0.05).map(|(i, d)| (i, d.to_bits())).collect();
            let mut within = Vec::new();
            set.for_each_within(x, 0.05, |i, d| within.push((i, d.to_bits())));
            assert_eq!(within, expected);
            found[expected.len().min(2)] += 1;
        }
        assert!(found.iter().all(|&n| n > 50), "{found:?}");
    }

    #[test]
    fn no_shapes_contain_nothing() {
        let set = ShapeSet::new([].into_iter());
        assert!(set.is_empty() && !set.contains(DVec3::ZERO));
        assert_eq!(
            (set.distance(DVec3::ZERO), set.distance_to_surface(DVec3::ZERO)),
            (f64::INFINITY, f64::INFINITY)
        );
    }
}
