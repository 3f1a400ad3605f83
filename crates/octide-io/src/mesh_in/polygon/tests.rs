use super::*;
use glam::dvec2;
use std::f64::consts::TAU;

/// Returns the corners on a plane that is not parallel to any axis.
fn in_space(corners: &[DVec2]) -> Vec<[f32; 3]> {
    let (u, v) = (DVec3::new(1.0, 0.2, 0.3), DVec3::new(-0.3, 0.1, 1.0));
    corners.iter().map(|p| (p.x * u + p.y * v).as_vec3().to_array()).collect()
}

/// Returns the triangles of one polygon, given by its corners in a plane.
fn triangles_of(corners: &[DVec2]) -> Vec<[u32; 3]> {
    let positions = in_space(corners);
    let polygon: Vec<u32> = (0..corners.len() as u32).collect();
    let mut faces = Faces::default();
    faces.add(&polygon);
    let triangles = faces.triangulated(&positions);
    assert_eq!(triangles.len(), corners.len() - 2);
    triangles
}

/// Checks that the triangles of a polygon cover it exactly.
fn check(name: &str, corners: &[DVec2]) -> Vec<[u32; 3]> {
    let triangles = triangles_of(corners);
    let n = corners.len();
    let whole: f64 = (0..n).map(|i| corners[i].perp_dot(corners[(i + 1) % n])).sum();
    let areas = triangles.iter().map(|t| {
        let [a, b, c] = t.map(|i| corners[i as usize]);
        turn(a, b, c)
    });
    let (sum, least) = areas.fold((0.0, f64::INFINITY), |(sum, least), a| (sum + a.abs(), least.min(a)));
    assert!((sum - whole).abs() < 1e-5 * whole, "{name}: {sum} of {whole}");
    assert!(least > -1e-5 * whole, "{name}: a triangle is turned over by {least}");
    // Each side belongs to one triangle, each diagonal to two, once in each direction.
    let mut sides: Vec<[u32; 2]> =
        triangles.iter().flat_map(|t| (0..3).map(|k| [t[k], t[(k + 1) % 3]])).collect();
    sides.sort_unstable();
    let n_sides = sides.len();
    sides.dedup();
    assert_eq!(n_sides, sides.len(), "{name}: a side is used twice");
    for [a, b] in &sides {
        let is_side = (*a + 1) as usize % n == *b as usize;
        assert!(is_side || sides.binary_search(&[*b, *a]).is_ok(), "{name}: {a} {b}");
    }
    triangles
}

/// Returns a polygon around the origin with the given radii, evenly spread.
fn around(n: usize, radius: impl Fn(usize) -> f64) -> Vec<DVec2> {
    (0..n).map(|i| radius(i) * DVec2::from_angle(0.1 + TAU * i as f64 / n as f64)).collect()
}

fn random(i: usize) -> f64 {
    (i as f64 * 12.9898).sin().mul_add(43758.5453, 0.0).rem_euclid(1.0)
}

/// Returns a spiral band, which a fan would leave at every turn.
fn spiral(n: usize) -> Vec<DVec2> {
    let at = |i: usize, extra: f64| {
        let turns = 3.0 * i as f64 / n as f64;
        (1.0 + turns + extra) * DVec2::from_angle(TAU * turns)
    };
    (0..n).map(|i| at(i, 0.4)).chain((0..n).rev().map(|i| at(i, 0.0))).collect()
}

/// Returns a comb with its teeth along y.
fn comb(n_teeth: usize) -> Vec<DVec2> {
    let mut corners = vec![dvec2(0.0, 0.0), dvec2(n_teeth as f64, 0.0)];
    for i in (0..n_teeth).rev() {
        let (x, top) = (i as f64, 2.0 + random(i));
        corners.extend([dvec2(x + 0.7, 1.0), dvec2(x + 0.5, top), dvec2(x + 0.3, top), dvec2(x + 0.1, 1.0)]);
    }
    corners
}

#[test]
fn small_convex_polygons_are_fans() {
    for n in 3..=MAX_FAN {
        let fan: Vec<[u32; 3]> = (1..n as u32 - 1).map(|i| [0, i, i + 1]).collect();
        assert_eq!(check("a small polygon", &around(n, |_| 1.0)), fan);
    }
}

#[test]
fn polygons_of_all_kinds_are_covered_exactly() {
    // An arrowhead: the fan around its first corner would cover the notch.
    check("an arrowhead", &[dvec2(0.0, 0.0), dvec2(2.0, 1.0), dvec2(0.0, 2.0), dvec2(1.0, 1.0)]);
    check("an arrowhead", &[dvec2(2.0, 1.0), dvec2(0.0, 2.0), dvec2(1.0, 1.0), dvec2(0.0, 0.0)]);
    check(
        "a letter L",
        &[(0, 0), (3, 0), (3, 1), (1, 1), (1, 4), (0, 4)].map(|(x, y)| dvec2(x.into(), y.into())),
    );
    check(
        "a plus",
        &[(1, 0), (2, 0), (2, 1), (3, 1), (3, 2), (2, 2), (2, 3), (1, 3), (1, 2), (0, 2), (0, 1), (1, 1)]
            .map(|(x, y)| dvec2(x.into(), y.into())),
    );
    check("a circle", &around(1000, |_| 1.0));
    check("a gear", &around(1000, |i| if i % 4 < 2 { 1.0 } else { 0.8 }));
    check("a comb", &comb(200));
    check("a spiral", &spiral(300));
    for seed in 0..40 {
        let n = 5 + seed * 7;
        check("a star at random", &around(n, |i| 0.1 + random(31 * seed + i)));
        let tall: Vec<DVec2> = comb(seed + 2).iter().map(|p| dvec2(-p.y, p.x)).collect();
        check("a comb on its side", &tall);
    }
    // A moon, whose inner arc bends the wrong way by less at each corner than positions are rounded.
    let outer = (0..20_000).map(|i| DVec2::from_angle(TAU * (0.25 + 0.5 * f64::from(i) / 20_000.0)));
    let inner = (0..20_000).map(|i| 0.3 * DVec2::from_angle(TAU * (0.75 - 0.5 * f64::from(i) / 20_000.0)));
    check("a moon", &outer.chain(inner).collect::<Vec<_>>());
}

#[test]
fn polygons_that_cross_themselves_keep_their_boundary() {
    let bow_tie = [dvec2(0.0, 0.0), dvec2(1.0, 1.0), dvec2(1.0, 0.0), dvec2(0.0, 1.0)];
    let pentagram: Vec<DVec2> = (0..5).map(|i| DVec2::from_angle(2.0 * TAU * f64::from(i) / 5.0)).collect();
    let tangle: Vec<DVec2> = (0..400).map(|i| dvec2(random(i), random(i + 1000))).collect();
    let point = vec![dvec2(1.0, 1.0); 30];
    let line: Vec<DVec2> = (0..30).map(|i| dvec2(f64::from(i % 16), 0.0)).collect();
    for corners in [&bow_tie[..], &pentagram, &tangle, &point, &line] {
        let n = corners.len() as u32;
        let triangles = triangles_of(corners);
        // The sum of the triangles' boundaries is the polygon: everything else cancels.
        let mut sides = std::collections::BTreeMap::<[u32; 2], i32>::new();
        for t in triangles {
            for k in 0..3 {
                let (a, b) = (t[k], t[(k + 1) % 3]);
                *sides.entry([a.min(b), a.max(b)]).or_default() += if a < b { 1 } else { -1 };
            }
        }
        sides.retain(|_, count| *count != 0);
        let expected = (0..n).map(|i| (i, (i + 1) % n));
        let expected = expected.map(|(a, b)| ([a.min(b), a.max(b)], if a < b { 1 } else { -1 }));
        assert_eq!(sides, expected.collect());
    }
}

#[test]
fn triangles_of_large_polygons_overlap_little() {
    // The sum of the areas of the triangles' bounding boxes, over the area of the polygon's, is how many
    // triangles a search near the polygon has to look at. In a fan it grows with the number of corners.
    let overlap = |corners: &[DVec2]| {
        let positions = in_space(corners);
        let area = |vertices: &mut dyn Iterator<Item = usize>| {
            let points = vertices.map(|v| Vec3::from_array(positions[v]));
            let (low, high) =
                points.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)));
            // The polygon is nearly perpendicular to y.
            (high.x - low.x) * (high.z - low.z)
        };
        let sum: f32 = triangles_of(corners).iter().map(|t| area(&mut t.iter().map(|&i| i as usize))).sum();
        sum / area(&mut (0..corners.len()))
    };
    for (name, large) in [
        ("a circle", around(40_000, |_| 1.0)),
        ("a gear", around(40_000, |i| if i % 4 < 2 { 1.0 } else { 0.9 })),
        ("a comb", comb(10_000)),
        ("a half disk with a notch", {
            let mut corners = around(40_000, |_| 1.0);
            corners.retain(|p| p.y > 0.0);
            corners.push(dvec2(-0.1, 0.2));
            corners
        }),
    ] {
        let found = overlap(&large);
        assert!(found < 40.0, "{name}: a point lies in {found} boxes");
    }
}
