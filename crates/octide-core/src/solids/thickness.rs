//! The thickness of a wall at the point s of its surface nearest to a point: the way from s against the normal n to the
//! other side, in strides. The first point is at the depth √3 h/2, where the distance says in a thick solid that the other side is
//! beyond √3 h, and in a thin one how far behind the point it is. From an edge the way may lead along a wall; then it is measured
//! again across the wall, from the deepest point.

use super::Body;
use super::thin::{HOLDING, MEASURED};
use glam::DVec3;

/// The shortest stride when thickness is measured, in edges of cells.
const STRIDE: f64 = 0.3;

/// A point nearer to the surface than this many cells is on it ...
const ON_SURFACE: f64 = 0.05;

/// ... and is moved to it at most so often.
const MAX_PROJECTIONS: usize = 3;

/// Where normals are taken, in finest cells from the point.
const BESIDE: DVec3 = DVec3::new(3.1e-3, 2.3e-3, 1.7e-3);

/// The same for bodies whose distance is interpolated, and jumps a little between blocks of samples.
const BESIDE_SAMPLED: DVec3 = DVec3::new(3.1e-2, 2.3e-2, 1.7e-2);

impl Body {
    /// Returns the thickness at the point of the surface nearest to `x`, whose distance is `d`, and the normal
    /// there; infinite above [`MEASURED`] cells of edge `h`.
    pub(super) fn thickness(&self, x: DVec3, d: f64, h: f64) -> (f64, DVec3) {
        let normal = self.gradient(x, h);
        let first = x - d * normal;
        let surface = self.project(first, h);
        // At an edge the way through begins between the normals of its two sides.
        let outward =
            if surface == first { normal } else { (d.signum() * (x - surface)).normalize_or(normal) };
        let (mut thickness, deepest) = self.way_through(surface, outward, h);
        // From an edge, the way may lead along a wall and not through it.
        if thickness > HOLDING * h && deepest.0 < 0.5 * HOLDING * h {
            let across = self.gradient(deepest.1, h);
            thickness = thickness.min(self.way_through(deepest.1 + deepest.0 * across, across, h).0);
        }
        (thickness, normal)
    }

    /// Moves a point to the surface, in cells of edge `h`. Distances of combined shapes are too small beside their
    /// edges, so that the first step ends beside the surface.
    fn project(&self, mut x: DVec3, h: f64) -> DVec3 {
        for _ in 0..MAX_PROJECTIONS {
            let d = self.distance(x);
            if d.abs() <= ON_SURFACE * h {
                break;
            }
            x -= d * self.gradient(x, h);
        }
        x
    }

    /// Returns the way from a point of the surface against the normal to the other side, infinite above
    /// [`MEASURED`] cells of edge `h`, and the deepest point that was seen on it, with its depth.
    fn way_through(&self, surface: DVec3, normal: DVec3, h: f64) -> (f64, (f64, DVec3)) {
        let mut depth = 0.5 * HOLDING * h;
        let mut deepest = (0.0, surface);
        while depth < MEASURED * h {
            let x = surface - depth * normal;
            let there = self.distance(x);
            if there >= 0.0 {
                return ((depth - there).max(0.0), deepest);
            }
            if -there > deepest.0 {
                deepest = (-there, x);
            }
            depth += (-there).max(STRIDE * h);
        }
        (f64::INFINITY, deepest)
    }

    /// Returns the direction in which the distance grows, in cells of edge `h`; at the middle of a wall one of the
    /// two. It is taken a little beside the point, because places between two sides often are on the grid.
    fn gradient(&self, x: DVec3, h: f64) -> DVec3 {
        let g = match &self.samples {
            Some(samples) => samples.gradient(&self.shape, x + h * BESIDE_SAMPLED),
            None => self.shape.distance_and_gradient(x + h * BESIDE).1,
        };
        g.normalize_or(DVec3::Y)
    }
}
