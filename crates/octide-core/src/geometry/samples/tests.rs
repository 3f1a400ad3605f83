use super::*;
use crate::geometry::primitives::{builtin_mesh, icosphere};
use crate::geometry::{MeshSdf, MeshShape, TriMesh};
use crate::par;
use glam::dvec3;
use std::sync::Arc;

const DX: f64 = 1.0 / 64.0;
/// Distance from the surface, in finest cells, up to which the error is compared with a cell.
const NEAR: f64 = 2.0;

/// Returns a fixed set of points in a box of half width `reach`.
fn points(n: u32, reach: f64) -> Vec<DVec3> {
    let at = |i: u32, step: f64| ((f64::from(i) * step).fract() * 2.0 - 1.0) * reach;
    (1..=n)
        .map(|i| {
            dvec3(at(i, 0.819_172_513_396_164), at(i, 0.671_043_606_703_789), at(i, 0.549_700_477_901_970))
        })
        .collect()
}

fn mesh(m: &TriMesh) -> Shape {
    Shape::Mesh(Arc::new(MeshShape {
        source: "test".to_owned(),
        sdf: MeshSdf::new(m).unwrap(),
        is_shell: false,
    }))
}

/// Returns a slab of a thickness in finest cells whose sides have a few dozen triangles.
fn slab(thickness: f64) -> Shape {
    let mut m = TriMesh::default();
    for i in 0..6 {
        let x = -0.3 + 0.1 * f64::from(i);
        let part =
            Shape::Box { min: dvec3(x, 0.003, -0.3), max: dvec3(x + 0.1, 0.003 + thickness * DX, 0.3) };
        m.append(&part.tessellate((DVec3::splat(-9.0), DVec3::splat(9.0)), 1));
    }
    mesh(&m)
}

fn shapes() -> Vec<(&'static str, Shape)> {
    let small = |name: &str| builtin_mesh(name).unwrap().mapped(|p| 0.3 * p);
    let egg = |x: f64| Shape::Ellipsoid { center: dvec3(x, 0.0, 0.05), radii: dvec3(0.2, 0.12, 0.07) };
    vec![
        ("lump", mesh(&small("lump"))),
        ("bowl", mesh(&small("bowl"))),
        ("ball", mesh(&icosphere(dvec3(0.01, 0.02, 0.03), 0.25, 5))),
        ("eggs", Shape::SmoothUnion { shapes: vec![egg(-0.1), egg(0.15)], radius: 0.05 }),
        ("cut egg", Shape::Difference { of: Box::new(egg(0.0)), minus: vec![egg(0.2)] }),
    ]
}

#[test]
fn interpolated_distances_are_within_a_tenth_of_a_cell_near_the_surface() {
    for (name, shape) in shapes() {
        let samples = Samples::new(&shape, DX, None).unwrap();
        let (mut worst_near, mut worst_far) = (0.0f64, 0.0f64);
        let (mut n_near, mut n_interpolated) = (0, 0);
        for p in points(20_000, 0.5).into_iter().chain(points(2_000, 4.0)) {
            let exact = shape.distance(p);
            let is_near = exact.abs() < NEAR * DX;
            n_near += usize::from(is_near);
            let Some(d) = samples.interpolate(&shape, p) else {
                assert_eq!(samples.distance(&shape, p).to_bits(), exact.to_bits());
                continue;
            };
            n_interpolated += usize::from(is_near);
            if is_near {
                worst_near = worst_near.max((d - exact).abs() / DX);
            } else {
                worst_far = worst_far.max((d - exact).abs() / exact.abs());
            }
        }
        let share = f64::from(n_interpolated as u32) / f64::from(n_near as u32);
        assert!(worst_near < 0.1, "{name}: {worst_near} cells");
        assert!(worst_far < 0.1, "{name}: {worst_far} of the distance");
        assert!(share > 0.7, "{name}: only {share} of the points near the surface are interpolated");
    }
}

#[test]
fn thin_walls_are_never_lost() {
    for thickness in [1e-3, 0.1, 0.3, 0.6, 1.0, 1.7, 3.0] {
        let shape = slab(thickness);
        let samples = Samples::new(&shape, DX, None).unwrap();
        for p in points(5_000, 0.25) {
            let p = dvec3(p.x, 0.003 + thickness * DX * (0.5 + 4.0 * p.y), p.z);
            let (d, exact) = (samples.distance(&shape, p), shape.distance(p));
            assert!((d - exact).abs() < 0.05 * DX, "{thickness} at {p}: {d} instead of {exact}");
        }
    }
}

#[test]
fn values_do_not_depend_on_the_order_of_queries() {
    let (_, shape) = shapes().swap_remove(0);
    let [forward, backward, parallel] = [0; 3].map(|_| Samples::new(&shape, DX, None).unwrap());
    let points = points(5_000, 0.5);
    let a: Vec<u64> = points.iter().map(|&p| forward.distance(&shape, p).to_bits()).collect();
    let mut b: Vec<u64> = points.iter().rev().map(|&p| backward.distance(&shape, p).to_bits()).collect();
    b.reverse();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    let c = pool.install(|| {
        par::collect(points.len(), |i, out: &mut Vec<u64>| {
            out.push(parallel.distance(&shape, points[i]).to_bits())
        })
    });
    assert!(a == b && a == c);
    assert_eq!(forward.bytes(), parallel.bytes());
}

#[test]
fn cheap_small_and_unbounded_shapes_are_not_sampled() {
    let none = |shape: &Shape| Samples::new(shape, DX, None).is_none();
    assert!(none(&Shape::Sphere { center: DVec3::ZERO, radius: 1.0 }));
    assert!(none(&Shape::Ellipsoid { center: DVec3::ZERO, radii: DVec3::splat(3.0 * DX) }));
    let (_, egg) = shapes().swap_remove(3);
    assert!(!none(&egg));
    let plane = Shape::Plane { point: DVec3::ZERO, normal: DVec3::Y };
    assert!(none(&Shape::Union(vec![egg, plane])));
}

#[test]
fn points_far_away_and_no_numbers_get_the_exact_distance() {
    let (_, shape) = shapes().swap_remove(3);
    let samples = Samples::new(&shape, DX, None).unwrap();
    for p in [DVec3::splat(1e4), DVec3::splat(-1e300), DVec3::INFINITY, DVec3::NAN, dvec3(0.0, f64::NAN, 0.0)]
    {
        assert_eq!(samples.distance(&shape, p).to_bits(), shape.distance(p).to_bits(), "{p}");
    }
    // A body that is much larger than the grid's cells is sampled where it is asked for.
    let giant = Shape::Ellipsoid { center: DVec3::ZERO, radii: DVec3::splat(1e5 * DX) };
    let region = (dvec3(1e5 * DX - 0.5, -0.5, -0.5), dvec3(1e5 * DX + 0.5, 0.5, 0.5));
    let samples = Samples::new(&giant, DX, Some(region)).unwrap();
    let p = dvec3(1e5 * DX + 0.01, 0.02, 0.03);
    assert!((samples.interpolate(&giant, p).unwrap() - giant.distance(p)).abs() < 0.01 * DX);
    let samples = Samples::new(&giant, DX, None).unwrap();
    assert_eq!(samples.interpolate(&giant, p), None);
    assert_eq!(samples.distance(&giant, p).to_bits(), giant.distance(p).to_bits());
}

#[test]
fn gradients_are_those_of_the_interpolated_distance() {
    let h = 1e-4 * DX;
    for (name, shape) in shapes() {
        let samples = Samples::new(&shape, DX, None).unwrap();
        let (mut n, mut off) = (0, 0);
        for p in points(3000, 0.4) {
            let Some(gradient) = samples.smooth_gradient(&shape, p) else { continue };
            let difference = |e: DVec3| {
                let at = |x: DVec3| samples.distance(&shape, x);
                (at(p + h * 50.0 * e) - at(p - h * 50.0 * e)) / (100.0 * h)
            };
            let expected = dvec3(difference(DVec3::X), difference(DVec3::Y), difference(DVec3::Z));
            n += 1;
            // Between blocks, and at the sides of voxels, the interpolation has kinks.
            off += usize::from((gradient - expected).length() > 0.03);
        }
        assert!(n > 1000 && off * 20 < n, "{name}: {off} of {n}");
    }
}
