//! The mouth of an inflow: the part of its boundary through which water leaves.

use crate::geometry::Shape;
use crate::scene::Domain;
use crate::solids::Solids;
use glam::DVec3;

/// Samples of a shape along an axis, at most; fewer if that many would be finer than the finest cells.
const MAX_SAMPLES: f64 = 64.0;

/// A surface whose normal is nearly perpendicular to the velocity is a flank: the least cosine between normal and
/// velocity in a mouth.
const MIN_COSINE: f64 = 0.1;

/// Returns whether water leaves a shape with the velocity `v` through the face of one of its cells whose normal
/// is along an axis, in the direction of v. The center and the edge of the cell are given.
///
/// The flanks of a nozzle that is oblique to the grid are stairs, half of whose faces look along v, the others
/// against it. So the normal n of the shape counts, not that of the face: v·n is the slope of the distance along v.
pub fn is_mouth(shape: &Shape, v: DVec3, center: DVec3, h: f64, axis: usize) -> bool {
    let along = v.normalize_or_zero();
    if along[axis].abs() > 1.0 - 1e-9 {
        // The center of the next cell is outside, so that the shape ends here.
        return true;
    }
    let mut face = center;
    face[axis] += 0.5 * h * along[axis].signum();
    let ahead = 0.5 * h * along;
    shape.distance(face + ahead) - shape.distance(face - ahead) > MIN_COSINE * h
}

/// Returns the area in m² of the faces of a shape's cells through which water leaves in a direction, which is a
/// unit vector, weighted by the component of the direction along their normals: the flow at a speed of 1 m/s.
/// Faces at the sides of the domain, and those to cells whose centers are in solids, are closed.
pub fn mouth_area(shape: &Shape, direction: DVec3, domain: &Domain, solids: &Solids) -> f64 {
    let (mut low, mut high) = (domain.origin, domain.origin + domain.size);
    if let Some((a, b)) = shape.bounds() {
        (low, high) = (low.max(a), high.min(b));
    }
    if !low.cmplt(high).all() {
        return 0.0;
    }
    let h = domain.dx().max((high - low).max_element() / MAX_SAMPLES);
    // The cells are those of the domain's grid if they are the finest ones.
    let first = ((low - domain.origin) / h).floor();
    let n = ((high - domain.origin) / h).ceil() - first;
    let is_in = |x: DVec3| shape.distance(x) < 0.0;
    let is_open = |x: DVec3| {
        let inside = x.cmpgt(domain.origin).all() && x.cmplt(domain.origin + domain.size).all();
        inside && !is_in(x) && (solids.is_empty() || solids.distance(x) > 0.0)
    };
    let mut area = 0.0;
    for (i, j, k) in cells(n) {
        let x = domain.origin + h * (first + DVec3::new(i, j, k) + 0.5);
        if !is_in(x) {
            continue;
        }
        for axis in 0..3 {
            let mut beyond = x;
            beyond[axis] += h * direction[axis].signum();
            if direction[axis] != 0.0 && is_open(beyond) && is_mouth(shape, direction, x, h, axis) {
                area += h * h * direction[axis].abs();
            }
        }
    }
    area
}

/// Returns the integer coordinates of all cells of a block.
fn cells(n: DVec3) -> impl Iterator<Item = (f64, f64, f64)> {
    let [nx, ny, nz] = n.to_array().map(|n| n as u32);
    (0..nx).flat_map(move |i| {
        (0..ny).flat_map(move |j| (0..nz).map(move |k| (f64::from(i), f64::from(j), f64::from(k))))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Solid;

    #[test]
    fn the_mouth_of_a_box_is_its_front_unless_a_solid_or_a_wall_covers_it() {
        let domain = Domain { origin: DVec3::ZERO, size: DVec3::ONE, resolution: 32, levels: 2 };
        let nozzle = Shape::Box { min: DVec3::splat(0.25), max: DVec3::splat(0.5) };
        let none = Solids::default();
        let area = |direction, solids: &Solids| mouth_area(&nozzle, direction, &domain, solids);
        assert!((area(DVec3::X, &none) - 0.0625).abs() < 1e-12);
        assert!((area(DVec3::new(0.6, -0.8, 0.0), &none) - 1.4 * 0.0625).abs() < 1e-12);
        let wall = Shape::Box { min: DVec3::new(0.5, 0.0, 0.0), max: DVec3::new(0.7, 0.375, 1.0) };
        let wall = Solids::at(&[Solid::still(wall)], 0.0);
        assert!((area(DVec3::X, &wall) - 0.5 * 0.0625).abs() < 1e-12);
        assert!((area(-DVec3::X, &wall) - 0.0625).abs() < 1e-12);
        let at_wall = Shape::Box { min: DVec3::splat(0.75), max: DVec3::ONE };
        assert_eq!(mouth_area(&at_wall, DVec3::Y, &domain, &none), 0.0);
    }

    #[test]
    fn the_flanks_of_an_oblique_nozzle_are_closed() {
        let domain = Domain { origin: DVec3::ZERO, size: DVec3::ONE, resolution: 64, levels: 3 };
        for axis in [DVec3::X, DVec3::new(0.9, 0.44, 0.0), DVec3::ONE, DVec3::new(-0.3, 0.5, 0.8)] {
            let (axis, middle, radius) = (axis.normalize(), DVec3::splat(0.5), 0.1);
            let nozzle = Shape::Cylinder { from: middle - 0.3 * axis, to: middle + 0.15 * axis, radius };
            let area = mouth_area(&nozzle, axis, &domain, &Solids::default());
            let exact = std::f64::consts::PI * radius * radius;
            assert!((area / exact - 1.0).abs() < 0.15, "{axis}: {}", area / exact);
        }
    }

    #[test]
    fn a_large_shape_is_sampled() {
        let domain = Domain { origin: DVec3::ZERO, size: DVec3::ONE, resolution: 4096, levels: 8 };
        let ball = Shape::Sphere { center: DVec3::splat(0.5), radius: 0.25 };
        let area = mouth_area(&ball, DVec3::X, &domain, &Solids::default());
        assert!((area / (std::f64::consts::PI * 0.0625) - 1.0).abs() < 0.02, "{area}");
    }
}
