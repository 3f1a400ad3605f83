use super::*;
use crate::mesh::Mesh;
use octide_core::octree::{Grading, Octree, RootGrid};
use octide_core::par;

fn grid() -> RootGrid {
    RootGrid::new(DVec3::ZERO, 1.0 / 32.0, 3, IVec3::ZERO, IVec3::splat(4), |_| true)
}

/// Three levels around a ball that is off the middle.
fn graded() -> Mesh {
    let ball = DVec3::new(0.45, 0.55, 0.4);
    Mesh::new(Octree::build(&grid(), Grading::Graded, |c| (c.center - ball).length() < 0.2 + 1.2 * c.size))
}

fn uniform() -> Mesh {
    Mesh::new(Octree::build(&grid(), Grading::Graded, |c| c.level < 2))
}

/// Returns reproducible points throughout a box.
fn points(n: u32, low: f64, high: f64) -> impl Iterator<Item = DVec3> {
    (0..n).map(move |i| {
        let r = |k: f64| (f64::from(i) * k).fract();
        DVec3::splat(low) + (high - low) * DVec3::new(r(0.754_877_666), r(0.569_840_29), r(0.430_159_7))
    })
}

fn on_cells(mesh: &Mesh, f: impl Fn(DVec3) -> f64 + Sync + Send) -> Field<CellId, f64> {
    par::map(mesh.n_cells(), |c: CellId| f(mesh.tree.center(c)))
}

fn on_faces(mesh: &Mesh, f: impl Fn(DVec3, usize) -> f64 + Sync + Send) -> Field<FaceId, f64> {
    par::map(mesh.n_faces(), |k: FaceId| f(mesh.face_position(k), mesh.faces.axis(k)))
}

#[test]
fn linear_fields_are_reproduced_away_from_mirrors() {
    let mesh = graded();
    let f = |p: DVec3| 0.3 + p.dot(DVec3::new(1.0, -2.0, 0.5));
    let q = on_cells(&mesh, f);
    let u = on_faces(&mesh, |p, axis| f(p) * (axis as f64 + 1.0));
    for p in points(4000, 0.13, 0.87) {
        assert!((sample_cells(&mesh, &q, p, DVec3::ZERO) - f(p)).abs() < 1e-10, "{p}");
        for axis in 0..3 {
            let there = sample_faces(&mesh, &u, axis, p, DVec3::ZERO);
            assert!((there - f(p) * (axis as f64 + 1.0)).abs() < 1e-10, "{p} {axis}");
        }
    }
}

#[test]
fn uniform_regions_are_trilinear_also_by_least_squares() {
    let mesh = uniform();
    let f = |p: DVec3| (9.0 * p.x).sin() * (7.0 * p.y).cos() + p.z * p.z;
    let q = on_cells(&mesh, f);
    let h = 1.0 / 16.0;
    for p in points(500, 0.1, 0.9) {
        // Trilinear interpolation by its definition.
        let low = ((p / h - 0.5).floor() + 0.5) * h;
        let t = (p - low) / h;
        let mut want = 0.0;
        for o in 0..8 {
            let side = DVec3::new((o & 1) as f64, (o >> 1 & 1) as f64, (o >> 2 & 1) as f64);
            let w = side * t + (1.0 - side) * (1.0 - t);
            want += w.x * w.y * w.z * f(low + side * h);
        }
        assert!((sample_cells(&mesh, &q, p, DVec3::ZERO) - want).abs() < 1e-12);
        // Eq. (33) with the same eight samples gives the same value.
        let mut fit = Fit::new();
        for o in 0..8 {
            let side = DVec3::new((o & 1) as f64, (o >> 1 & 1) as f64, (o >> 2 & 1) as f64);
            let at = low + side * h;
            fit.add((at - p) / h, DVec3::ONE, f(at), false);
        }
        assert!((fit.solve() - want).abs() < 1e-9);
    }
}

#[test]
fn walls_mirror_velocity_and_continue_distance() {
    let mesh = uniform();
    let f = |p: DVec3| p.y;
    let q = on_cells(&mesh, f);
    let h = 1.0 / 16.0;
    assert!((sample_cells(&mesh, &q, DVec3::new(0.5, 0.1 * h, 0.5), DVec3::ZERO) - 0.1 * h).abs() < 1e-12);
    let u = on_faces(&mesh, |p, _| p.y);
    // At the wall the normal component is sampled on it, the tangential ones are mirrored.
    let at = DVec3::new(0.5, 0.25 * h, 0.5);
    assert!((sample_faces(&mesh, &u, 1, at, DVec3::ZERO) - 0.25 * h).abs() < 1e-12);
    assert!((sample_faces(&mesh, &u, 0, at, DVec3::ZERO) - 0.5 * h).abs() < 1e-12);
}

#[test]
fn smooth_fields_are_second_order_and_nearly_continuous_across_levels() {
    let f = |p: DVec3| (5.0 * p.x).sin() * (4.0 * p.y).cos() * (3.0 * p.z).cos();
    let mesh = graded();
    let (q, u) = (on_cells(&mesh, f), on_faces(&mesh, |p, _| f(p)));
    let (mut error, mut jump): (f64, f64) = (0.0, 0.0);
    for p in points(20_000, 0.13, 0.87) {
        let e = 1e-7 * DVec3::new(1.0, -1.0, 1.0);
        for axis in 0..4 {
            let at = |p: DVec3| match axis {
                3 => sample_cells(&mesh, &q, p, DVec3::ZERO),
                _ => sample_faces(&mesh, &u, axis, p, DVec3::ZERO),
            };
            error = error.max((at(p) - f(p)).abs());
            jump = jump.max((at(p + e) - at(p - e)).abs());
        }
    }
    // The coarsest cells there have the size 1/4: h²/8 · |f''| with |f''| ≤ 25.
    assert!(error < 0.25, "{error}");
    assert!(jump < 0.03, "{jump}");
}

/// Checks that a scene and its image under `map`, which maps the unit cube onto itself, give the same
/// samples.
fn mapped_samples_agree(map: impl Fn(DVec3) -> DVec3 + Copy + Sync + Send, axes: [(usize, f64); 3]) {
    let ball = DVec3::new(0.45, 0.55, 0.4);
    let f = |p: DVec3| (5.0 * p.x).sin() + (4.0 * p.y * p.x).cos() + p.z * p.z;
    let make = |at: &(dyn Fn(DVec3) -> DVec3 + Sync)| {
        Mesh::new(Octree::build(&grid(), Grading::Graded, |c| {
            (at(c.center) - ball).length() < 0.2 + 1.2 * c.size
        }))
    };
    // `map` applied repeatedly returns to the start, which yields its inverse.
    let back = |p: DVec3| if (map(map(p)) - p).length() < 1e-9 { map(p) } else { map(map(map(p))) };
    let (mesh, other) = (make(&|p| p), make(&back));
    let q = on_cells(&mesh, f);
    let q_other = on_cells(&other, |p| f(back(p)));
    let u = on_faces(&mesh, |p, axis| f(p) * (1.0 + axis as f64));
    // Component `a` of the first is ± component `axes[a]` of the other.
    let u_other = on_faces(&other, |p, axis| {
        let a = axes.iter().position(|&(b, _)| b == axis).unwrap();
        axes[a].1 * f(back(p)) * (1.0 + a as f64)
    });
    let corners = crate::nodal::corner_velocity(&mesh, &u);
    let corners_other = crate::nodal::corner_velocity(&other, &u_other);
    let mut places: Vec<DVec3> = (0..mesh.n_faces() as u32).map(|k| mesh.face_position(FaceId(k))).collect();
    places.extend(points(3000, 0.0, 1.0));
    for p in places {
        // Face centers and corners lie between cells, which are the most difficult points.
        let m = map(p);
        let same = |what: &str, a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{what} at {p}: {a} {b}");
        same(
            "cells",
            sample_cells(&mesh, &q, p, DVec3::ZERO),
            sample_cells(&other, &q_other, m, DVec3::ZERO),
        );
        let v = crate::nodal::velocity_at(&mesh, &corners, p);
        let v_other = crate::nodal::velocity_at(&other, &corners_other, m);
        for a in 0..3 {
            let (b, sign) = axes[a];
            let here = sample_faces(&mesh, &u, a, p, DVec3::ZERO);
            same("faces", here, sign * sample_faces(&other, &u_other, b, m, DVec3::ZERO));
            // Velocities at corners have 32 bits.
            assert!((v[a] - sign * v_other[b]).abs() < 1e-6, "corners at {p}: {v} {v_other}");
        }
    }
}

#[test]
fn a_mirrored_field_is_sampled_as_in_a_mirror() {
    mapped_samples_agree(|p| DVec3::new(1.0 - p.x, p.y, p.z), [(0, -1.0), (1, 1.0), (2, 1.0)]);
}

#[test]
fn a_turned_field_is_sampled_as_turned() {
    mapped_samples_agree(|p| DVec3::new(p.y, 1.0 - p.x, p.z), [(1, -1.0), (0, 1.0), (2, 1.0)]);
}
