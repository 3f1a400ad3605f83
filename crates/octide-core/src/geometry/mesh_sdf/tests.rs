mod slender;

use super::*;
use crate::geometry::mesh_report;
use crate::geometry::primitives::{builtin_mesh, icosphere};
use glam::dvec3;
use std::f64::consts::PI;

/// Returns a fixed set of points in a box of half width `reach`.
fn points(n: u32, reach: f64) -> Vec<DVec3> {
    // Fractions of multiples of irrational numbers fill the cube evenly.
    let at = |i: u32, step: f64| ((f64::from(i) * step).fract() * 2.0 - 1.0) * reach;
    (1..=n)
        .map(|i| {
            dvec3(at(i, 0.819_172_513_396_164), at(i, 0.671_043_606_703_789), at(i, 0.549_700_477_901_970))
        })
        .collect()
}

fn brute_distance(m: &TriMesh, p: DVec3) -> f64 {
    (0..m.triangles.len())
        .map(|t| triangle::Triangle::new(m.corners(t)).offset(p).0.length())
        .fold(f64::INFINITY, f64::min)
}

fn brute_winding(m: &TriMesh, p: DVec3) -> f64 {
    let half = |t| {
        let [a, b, c] = m.corners(t).map(|q| q - p);
        let (la, lb, lc) = (a.length(), b.length(), c.length());
        a.dot(b.cross(c)).atan2(la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb)
    };
    (0..m.triangles.len()).map(half).sum::<f64>() / (2.0 * PI)
}

#[test]
fn closest_points_of_one_triangle_in_all_regions() {
    let corners = [dvec3(0.1, 0.0, 0.2), dvec3(1.3, 0.1, 0.0), dvec3(0.4, 0.9, -0.3)];
    let t = triangle::Triangle::new(corners);
    let mut seen = std::collections::BTreeSet::new();
    for p in points(2000, 2.0) {
        let (offset, feature) = t.offset(p);
        seen.insert(format!("{feature:?}"));
        // The closest point is on the triangle: no barycentric coordinate is negative.
        let q = p - offset - t.a;
        let n = t.normal();
        let v = n.dot(q.cross(t.ac)) / n.length_squared();
        let w = n.dot(t.ab.cross(q)) / n.length_squared();
        assert!(v > -1e-12 && w > -1e-12 && v + w < 1.0 + 1e-12 && n.dot(q).abs() < 1e-12);
        // No other point is nearer: checked on a grid over the triangle.
        for i in 0..=20 {
            for j in 0..=20 - i {
                let other = t.a + t.ab * (i as f64 / 20.0) + t.ac * (j as f64 / 20.0);
                assert!(other.distance(p) > offset.length() - 1e-12);
            }
        }
    }
    assert_eq!(seen.len(), 7, "{seen:?}");
}

#[test]
fn triangles_without_area_still_have_a_distance() {
    let line = triangle::Triangle::new([DVec3::ZERO, dvec3(1.0, 0.0, 0.0), dvec3(3.0, 0.0, 0.0)]);
    let point = triangle::Triangle::new([DVec3::ONE; 3]);
    for (p, expected) in
        [(dvec3(2.0, 1.0, 0.0), 1.0), (dvec3(-3.0, 4.0, 0.0), 5.0), (dvec3(0.5, 0.0, 2.0), 2.0)]
    {
        assert!((line.offset(p).0.length() - expected).abs() < 1e-14);
        assert!((point.offset(p).0.length() - p.distance(DVec3::ONE)).abs() < 1e-14);
    }
}

#[test]
fn distance_is_that_of_brute_force() {
    for name in ["lump", "bowl"] {
        let m = builtin_mesh(name).unwrap();
        let sdf = MeshSdf::new(&m).unwrap();
        for p in points(300, 1.4) {
            let d = sdf.distance(p);
            assert!((d.abs() - brute_distance(&m, p)).abs() < 1e-14, "{name} at {p}");
            assert_eq!(d < 0.0, brute_winding(&m, p) > 0.5, "{name} at {p}");
        }
        for p in points(50, 500.0) {
            assert!((sdf.distance(p) - brute_distance(&m, p)).abs() < 1e-11);
        }
    }
}

#[test]
fn distance_of_a_ball_is_near_the_exact_one() {
    let center = dvec3(10.0, -20.0, 5.0);
    let sdf = MeshSdf::new(&icosphere(center, 2.0, 5)).unwrap();
    for p in points(2000, 3.0) {
        assert!((sdf.distance(center + p) - (p.length() - 2.0)).abs() < 2e-3);
    }
    // Very close to the surface the sign is still right.
    let surface = points(200, 1.0).into_iter().map(|p| p.normalize());
    for n in surface {
        let foot = center + n * (2.0 - sdf.distance(center + 2.0 * n).abs() * 0.999);
        let d = sdf.distance(foot);
        assert!(sdf.distance(foot + n * (1e-6 - d)) > 0.0 && sdf.distance(foot - n * (1e-6 + d)) < 0.0);
    }
}

#[test]
fn winding_is_whole_around_closed_meshes_and_near_the_exact_one_around_others() {
    let bowl = builtin_mesh("bowl").unwrap();
    let sdf = MeshSdf::new(&bowl).unwrap();
    for p in points(1000, 1.5) {
        let w = sdf.winding_number(p);
        assert!(w == w.round() && (w - brute_winding(&bowl, p)).abs() < 1e-9, "{p}");
    }
    // Half of the bowl, and the bowl with many small holes and two misoriented triangles.
    let mut half = bowl.clone();
    half.triangles.retain(|t| t.iter().any(|&v| bowl.positions[v as usize][0] > 0.0));
    let mut holes = bowl.clone();
    holes.triangles =
        holes.triangles.into_iter().enumerate().filter(|(i, _)| i % 9 != 0).map(|(_, t)| t).collect();
    holes.triangles[4].swap(0, 1);
    holes.triangles[77].swap(0, 1);
    for (m, least) in [(half, 1e-4), (holes, 1e-9)] {
        let sdf = MeshSdf::new(&m).unwrap();
        assert!(sdf.mesh() == &m, "the bowl faces outward");
        let mut worst = 0.0f64;
        for p in points(1000, 1.5) {
            worst = worst.max((sdf.winding_number(p) - brute_winding(&m, p)).abs());
        }
        assert!(worst < 0.1, "{worst}");
        assert!(worst > least, "the far field was never used: {worst}");
    }
}

#[test]
fn the_quick_sign_is_that_of_the_winding_number() {
    let lump = builtin_mesh("lump").unwrap();
    let mut meshes = vec![lump.clone(), builtin_mesh("bowl").unwrap()];
    // A ball inside another one, both facing outward: everything in the outer ball is inside.
    let mut nested = icosphere(DVec3::ZERO, 1.0, 3);
    nested.append(&icosphere(DVec3::ZERO, 0.5, 2));
    meshes.push(nested);
    // A hollow ball: the inner sphere faces inward.
    let mut hollow = icosphere(DVec3::ZERO, 1.0, 3);
    let mut inner = icosphere(DVec3::ZERO, 0.5, 2);
    inner.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    hollow.append(&inner);
    meshes.push(hollow);
    // Two balls that intersect.
    let mut cut = icosphere(dvec3(-0.4, 0.0, 0.0), 0.7, 3);
    cut.append(&icosphere(dvec3(0.4, 0.1, 0.0), 0.7, 3));
    meshes.push(cut);
    for (k, m) in meshes.iter().enumerate() {
        let sdf = MeshSdf::new(m).unwrap();
        let mut quick = 0;
        for p in points(4000, 1.2) {
            let hit = sdf.bvh.closest(p - sdf.origin, f64::INFINITY).unwrap();
            if let Some(inside) = sdf.sides.is_inside(&hit) {
                quick += 1;
                assert_eq!(inside, sdf.winding_number(p) > 0.5, "mesh {k} at {p}: {hit:?}");
            }
        }
        assert!(quick > 2500, "mesh {k}: {quick}");
    }
}

#[test]
fn surfaces_that_are_folded_over_have_the_sign_of_the_winding_number() {
    let ball = icosphere(DVec3::ZERO, 1.0, 2);
    for shift in [0.15, 0.25, 0.4] {
        // Every vertex slides along the surface, some past their neighbors.
        let mut folded = ball.clone();
        let ways = points(ball.positions.len() as u32, 1.0);
        for (p, way) in folded.positions.iter_mut().zip(&ways) {
            let at = glam::Vec3::from_array(*p).as_dvec3();
            *p = (at + shift * way).as_vec3().to_array();
        }
        let sdf = MeshSdf::new(&folded).unwrap();
        for p in points(5000, 1.6) {
            assert_eq!(sdf.distance(p) < 0.0, brute_winding(&folded, p) > 0.5, "shift {shift} at {p}");
        }
    }
}

#[test]
fn nested_and_hollow_balls() {
    let mut nested = icosphere(DVec3::ZERO, 1.0, 3);
    nested.append(&icosphere(DVec3::ZERO, 0.5, 2));
    let sdf = MeshSdf::new(&nested).unwrap();
    assert!(
        sdf.contains(DVec3::ZERO) && sdf.contains(dvec3(0.6, 0.0, 0.0)) && sdf.contains(dvec3(0.4, 0.0, 0.0))
    );
    for t in nested.triangles.iter_mut().skip(20 * 64) {
        t.swap(0, 1);
    }
    let sdf = MeshSdf::new(&nested).unwrap();
    assert!(
        !sdf.contains(DVec3::ZERO)
            && sdf.contains(dvec3(0.6, 0.0, 0.0))
            && !sdf.contains(dvec3(0.4, 0.0, 0.0))
    );
}

#[test]
fn holes_do_not_flip_the_sign() {
    let mut m = icosphere(DVec3::ZERO, 1.0, 3);
    // Every 40th triangle is missing.
    m.triangles = m.triangles.into_iter().enumerate().filter(|(i, _)| i % 40 != 0).map(|(_, t)| t).collect();
    assert!(!m.is_closed_manifold());
    let sdf = MeshSdf::new(&m).unwrap();
    for p in points(4000, 1.2).into_iter().filter(|p| (p.length() - 1.0).abs() > 0.08) {
        assert_eq!(sdf.distance(p) < 0.0, p.length() < 1.0, "{p}");
    }
}

#[test]
fn self_intersection_does_not_flip_the_sign() {
    let (a, b) = (dvec3(-0.4, 0.0, 0.0), dvec3(0.4, 0.1, 0.0));
    let mut m = icosphere(a, 0.7, 3);
    m.append(&icosphere(b, 0.7, 3));
    let sdf = MeshSdf::new(&m).unwrap();
    for p in points(4000, 1.2) {
        let exact = (p.distance(a) - 0.7).min(p.distance(b) - 0.7);
        if exact.abs() > 0.01 {
            assert_eq!(sdf.distance(p) < 0.0, exact < 0.0, "{p}");
        }
    }
}

#[test]
fn a_needle_through_a_large_triangle_is_noticed() {
    // A slab of two large triangles per side, and a needle through the middle of one of them.
    let mut m = TriMesh {
        positions: (0..8).map(|i| [(i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2 & 1) as f32 * 0.2]).collect(),
        triangles: Vec::new(),
    };
    for q in [[0u32, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]] {
        m.triangles.extend([[q[0], q[1], q[2]], [q[0], q[2], q[3]]]);
    }
    let needle = icosphere(DVec3::ZERO, 1.0, 2).mapped(|p| p * dvec3(0.02, 0.02, 0.5) + dvec3(0.7, 0.3, 0.1));
    m.append(&needle);
    let sdf = MeshSdf::new(&m).unwrap();
    assert!(sdf.contains(dvec3(0.7, 0.3, 0.19)) && sdf.contains(dvec3(0.7, 0.3, 0.21)));
    assert!(sdf.contains(dvec3(0.2, 0.3, 0.19)) && !sdf.contains(dvec3(0.2, 0.3, 0.21)));
    // Inside both, next to the large triangle.
    assert!(sdf.contains(dvec3(0.7, 0.3, 0.1999)));
}

#[test]
fn meshes_that_face_inward_are_turned() {
    let mut m = icosphere(DVec3::ZERO, 1.0, 2);
    m.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    let sdf = MeshSdf::new(&m).unwrap();
    assert!(sdf.contains(DVec3::ZERO) && !sdf.contains(dvec3(2.0, 0.0, 0.0)));
    assert!(sdf.mesh().volume() > 0.0);
}

#[test]
fn bounded_queries_answer_only_within_the_bound() {
    let sdf = MeshSdf::new(&icosphere(DVec3::ZERO, 1.0, 3)).unwrap();
    for p in points(500, 1.5) {
        let d = sdf.distance(p);
        let expected = (d.abs() <= 0.2).then_some(d);
        assert_eq!(sdf.distance_bounded(p, 0.2), expected);
    }
}

#[test]
fn many_triangles_in_one_place_are_no_problem() {
    // All centers coincide, so no plane can separate them.
    let mut m =
        TriMesh { positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], triangles: Vec::new() };
    m.triangles = vec![[0, 1, 2]; 1000];
    let sdf = MeshSdf::new(&m).unwrap();
    assert!((sdf.distance(dvec3(0.2, 0.2, 3.0)) - 3.0).abs() < 1e-12);
    // Geometrically decreasing sizes lead to deep trees.
    let mut m = TriMesh::default();
    for i in 0..120 {
        let s = 2f64.powi(-i);
        m.append(&icosphere(dvec3(3.0 * s, 0.0, 0.0), s, 0));
    }
    let sdf = MeshSdf::new(&m).unwrap();
    assert!(sdf.contains(dvec3(3.0, 0.0, 0.0)) && sdf.contains(dvec3(3.0 / 1024.0, 0.0, 0.0)));
    assert!(!sdf.contains(dvec3(3.0, 1.5, 0.0)));
}

/// Returns `times` copies of a mesh, each with its own vertices, triangles in an order that mixes the copies.
fn copies(mesh: &TriMesh, times: usize) -> TriMesh {
    let mut all = TriMesh::default();
    (0..times).for_each(|_| all.append(mesh));
    let n = all.triangles.len();
    // A step that has no divisor in common with n visits every triangle.
    let step = (n / 3..).find(|s| (2..=n.min(1000)).all(|d| s % d != 0 || n % d != 0)).unwrap();
    all.triangles = (0..n).map(|i| all.triangles[i * step % n]).collect();
    all
}

#[test]
fn repeated_triangles_count_once_and_cost_nothing() {
    let lump = builtin_mesh("lump").unwrap();
    let once = MeshSdf::new(&lump).unwrap();
    // 400 times over the same vertices, and 30 times with vertices of their own.
    let mut same = lump.clone();
    same.triangles = lump.triangles.repeat(400);
    for many in [same, copies(&lump, 30)] {
        assert_eq!(mesh_report(&many).repeated_triangles, many.triangles.len() - lump.triangles.len());
        let sdf = MeshSdf::new(&many).unwrap();
        assert_eq!(sdf.bvh.triangles.len(), lump.triangles.len());
        // Vertices are shared again, so that the sign is looked up.
        assert!(sdf.mesh().is_closed_manifold());
        for p in points(500, 1.4) {
            assert_eq!(sdf.distance(p).signum(), once.distance(p).signum(), "at {p}");
            assert!((sdf.distance(p) - once.distance(p)).abs() < 1e-14);
        }
    }
    assert!(lump.without_repeats().is_none());
}

#[test]
fn a_face_between_two_bodies_encloses_nothing() {
    // Two cubes that touch in a face, the triangles of which are the same in both, with opposite orientations.
    let cube = |x: f64| {
        let shape = crate::geometry::Shape::Box { min: dvec3(x, 0.0, 0.0), max: dvec3(x + 1.0, 1.0, 1.0) };
        shape.tessellate((DVec3::splat(-9.0), DVec3::splat(9.0)), 1)
    };
    let mirrored = |m: TriMesh| {
        let mut m = m.mapped(|p| dvec3(2.0 - p.x, p.y, p.z));
        m.triangles.iter_mut().for_each(|t| t.swap(0, 1));
        m
    };
    let mut two = cube(0.0);
    two.append(&mirrored(cube(0.0)));
    assert!(two.without_repeats().is_none(), "one of each orientation remains");
    for mesh in [two.clone(), copies(&two, 5)] {
        let sdf = MeshSdf::new(&mesh).unwrap();
        assert_eq!(sdf.bvh.triangles.len(), 24);
        for p in points(2000, 1.9).into_iter().map(|p| p + 0.5) {
            let inside = p.cmpgt(DVec3::ZERO).all() && p.cmplt(dvec3(2.0, 1.0, 1.0)).all();
            assert_eq!(sdf.contains(p), inside, "at {p}");
        }
        // The face inside still counts for the magnitude.
        assert!((sdf.distance(dvec3(0.9, 0.5, 0.5)) + 0.1).abs() < 1e-6);
    }
}

#[test]
fn broken_meshes_are_refused_with_the_reason() {
    let said = |positions: Vec<[f32; 3]>, triangles| {
        MeshSdf::new(&TriMesh { positions, triangles }).unwrap_err().to_string()
    };
    let p = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    assert_eq!(said(p.clone(), vec![]), "the mesh has no triangles");
    assert_eq!(
        said(p.clone(), vec![[0, 1, 2], [0, 1, 3]]),
        "triangle 1 (counted from 0) names vertex 3, but there are only 3"
    );
    assert_eq!(said(p.clone(), vec![[0, 1, 1]]), "none of the mesh's triangles has an area");
    let mut bad = p;
    bad[2][1] = f32::NAN;
    assert_eq!(
        said(bad, vec![[0, 1, 2]]),
        "vertex 2 (counted from 0) has the position [0.0, NaN, 0.0], which is not finite"
    );
}

#[test]
fn points_that_are_no_numbers_do_not_panic() {
    let sdf = MeshSdf::new(&icosphere(DVec3::ZERO, 1.0, 1)).unwrap();
    for p in [DVec3::NAN, DVec3::INFINITY, DVec3::splat(1e300)] {
        sdf.distance(p);
        sdf.winding_number(p);
    }
}

#[test]
fn a_spike_with_uneven_triangles_has_its_outside_outside() {
    // A slender cone whose left flank has many more triangles than the rest.
    let left = (0..60).map(|i| PI - 0.8 + 1.6 * f64::from(i) / 59.0);
    let angles: Vec<f64> = [-1.6, -0.8, 0.0, 0.8, 1.6].into_iter().chain(left).collect();
    let mut m = TriMesh { positions: vec![[0.0, 1.0, 0.0], [0.0, 0.0, 0.0]], triangles: Vec::new() };
    let n = angles.len() as u32;
    for (i, a) in angles.iter().enumerate() {
        m.positions.push([0.1 * a.cos() as f32, 0.0, -0.1 * a.sin() as f32]);
        let (here, next) = (2 + i as u32, 2 + (i as u32 + 1) % n);
        m.triangles.extend([[0, here, next], [1, next, here]]);
    }
    assert!(m.is_closed_manifold() && m.volume() > 0.0);
    // A second body extends the bounds beyond the tip.
    m.append(&icosphere(dvec3(0.0, 4.0, 0.0), 1.0, 1));
    let sdf = MeshSdf::new(&m).unwrap();
    for side in [-0.3, 0.3] {
        assert!((sdf.distance(dvec3(side, 1.4, 0.0)) - 0.5).abs() < 1e-6);
    }
    assert!(sdf.contains(dvec3(0.0, 0.9, 0.0)));
}
