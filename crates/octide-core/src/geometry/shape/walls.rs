//! Shapes that are flush with the walls of a box.

use super::Shape;
use glam::DVec3;

impl Shape {
    /// Returns the same region inside the box between `low` and `high`, but with those faces of axis-aligned
    /// boxes that lie on the box's sides, or beyond, moved far out. The distance inside is then that to the
    /// visible faces: water that extends to a wall has no surface there.
    pub fn beyond_walls(&self, low: DVec3, high: DVec3) -> Self {
        let all = |shapes: &[Self]| shapes.iter().map(|s| s.beyond_walls(low, high)).collect();
        match self {
            Self::Box { min, max } => {
                let far = (high - low).length();
                let (mut a, mut b) = (*min, *max);
                for axis in 0..3 {
                    // A box given in decimal numbers may miss the wall by rounding.
                    let slack = 1e-9 * far;
                    if a[axis] <= low[axis] + slack {
                        a[axis] = a[axis].min(low[axis]) - far;
                    }
                    if b[axis] >= high[axis] - slack {
                        b[axis] = b[axis].max(high[axis]) + far;
                    }
                }
                Self::Box { min: a, max: b }
            }
            Self::Union(shapes) => Self::Union(all(shapes)),
            Self::Intersection(shapes) => Self::Intersection(all(shapes)),
            Self::SmoothUnion { shapes, radius } => {
                Self::SmoothUnion { shapes: all(shapes), radius: *radius }
            }
            Self::Difference { of, minus } => {
                Self::Difference { of: Box::new(of.beyond_walls(low, high)), minus: minus.clone() }
            }
            other => other.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_flush_with_the_walls_has_only_its_top() {
        let (low, high) = (DVec3::ZERO, DVec3::new(1.0, 0.5, 1.0));
        let pool = Shape::Box { min: low, max: DVec3::new(1.0, 0.2, 1.0) };
        let near_wall = DVec3::new(0.01, 0.1, 0.5);
        assert!((pool.distance(near_wall) + 0.01).abs() < 1e-12);
        let pool = Shape::Union(vec![pool]).beyond_walls(low, high);
        for p in [near_wall, DVec3::new(0.99, 0.1, 0.01), DVec3::new(0.5, 0.02, 0.5)] {
            assert!((pool.distance(p) - (p.y - 0.2)).abs() < 1e-12);
        }
        let column = Shape::Box { min: DVec3::new(0.0, 0.0, 0.3), max: DVec3::new(0.2, 0.4, 0.6) };
        let column = column.beyond_walls(low, high);
        assert!((column.distance(DVec3::new(0.01, 0.1, 0.45)) + 0.15).abs() < 1e-12);
    }
}
