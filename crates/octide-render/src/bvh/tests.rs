use super::*;
use proptest::prelude::*;

fn hash(i: u32) -> f32 {
    let mut x = i.wrapping_mul(0x9e37_79b9) ^ 0x85eb_ca6b;
    x = (x ^ (x >> 15)).wrapping_mul(0x2c1b_3c6d);
    x = (x ^ (x >> 12)).wrapping_mul(0x297a_2d39);
    (x ^ (x >> 15)) as f32 / u32::MAX as f32
}

fn point(seed: u32) -> Vec3 {
    Vec3::new(hash(3 * seed), hash(3 * seed + 1), hash(3 * seed + 2)) * 2.0 - 1.0
}

fn soup(n: u32, size: f32) -> Vec<[Vec3; 3]> {
    (0..n)
        .map(|i| {
            let a = point(4 * i);
            [a, a + size * point(4 * i + 1), a + size * point(4 * i + 2)]
        })
        .collect()
}

/// Builds the hierarchy of triangles that share no vertices.
fn build(corners: &[[Vec3; 3]]) -> TriangleBvh {
    let points: Vec<Vec3> = corners.iter().flatten().copied().collect();
    let triangles: Vec<[u32; 3]> = (0..corners.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    TriangleBvh::build(&points, &triangles)
}

fn brute(corners: &[[Vec3; 3]], ray: &Ray, sides: Sides) -> Option<(f32, u32)> {
    let mut best: Option<(f32, u32)> = None;
    for (id, [a, b, c]) in (0u32..).zip(corners) {
        let n = (b - a).cross(c - a);
        let along = n.dot(ray.dir);
        if along == 0.0 || (sides == Sides::Front && along > 0.0) {
            continue;
        }
        let t = n.dot(a - ray.origin) / along;
        let p = ray.at(t);
        let edges = [(a, b), (b, c), (c, a)];
        let inside = edges.iter().all(|&(s, e)| (e - s).cross(p - s).dot(n) >= 0.0);
        if t > 0.0 && inside && best.is_none_or(|(tb, _)| t < tb) {
            best = Some((t, id));
        }
    }
    best
}

#[test]
fn agrees_with_brute_force() {
    for (n, size) in [(1, 1.0), (3, 1.0), (5, 0.5), (40, 0.3), (3000, 0.1)] {
        let corners = soup(n, size);
        let bvh = build(&corners);
        let (mut met, mut wrong) = (0, 0);
        for i in 0..600 {
            let ray = Ray::new(1.5 * point(90_000 + i), point(70_000 + i).normalize());
            for sides in [Sides::Both, Sides::Front] {
                let want = brute(&corners, &ray, sides);
                let have = bvh.nearest(&ray, f32::INFINITY, sides);
                met += usize::from(want.is_some());
                // A ray that hits an edge up to rounding may hit either triangle.
                wrong += usize::from(want.map(|w| w.1) != have.map(|h| h.triangle));
                if let (Some(w), Some(h)) = (want, have)
                    && w.1 == h.triangle
                {
                    assert!((w.0 - h.t).abs() < 1e-3, "{w:?} {h:?}");
                }
                assert_eq!(bvh.blocked(&ray, f32::INFINITY, sides), have.is_some());
                if let Some(h) = have {
                    assert!(!bvh.blocked(&ray, h.t, sides));
                }
            }
        }
        assert!(wrong <= 2, "{wrong} of {met} differ with {n} triangles");
        assert!(n < 40 || met > 20, "too few hits to tell: {met}");
    }
}

fn spheres(n: u32, size: f32) -> Vec<Sphere> {
    (0..n).map(|i| Sphere { center: point(2 * i), radius: size * (0.1 + hash(7 * i)) }).collect()
}

fn brute_spheres(spheres: &[Sphere], ray: &Ray, sides: Sides) -> Option<(f32, Vec3)> {
    let mut best: Option<(f32, Vec3)> = None;
    for sphere in spheres {
        // In 64 bits, by the textbook's quadratic equation.
        let (o, d) = ((ray.origin - sphere.center).as_dvec3(), ray.dir.as_dvec3());
        let (a, b, c) = (d.length_squared(), o.dot(d), o.length_squared() - f64::from(sphere.radius).powi(2));
        let root = (b * b - a * c).sqrt();
        for (t, front) in [((-b - root) / a, true), ((-b + root) / a, false)] {
            let t = t as f32;
            if t > 0.0 && (front || sides == Sides::Both) && best.is_none_or(|(tb, _)| t < tb) {
                best = Some((t, (ray.at(t) - sphere.center).normalize()));
            }
        }
    }
    best
}

#[test]
fn spheres_agree_with_brute_force() {
    for (n, size) in [(1, 1.0), (3, 0.5), (5, 0.5), (40, 0.3), (3000, 0.05), (20_000, 0.01)] {
        let all = spheres(n, size);
        let bvh = SphereBvh::build(all.clone());
        let (mut hits, mut from_inside) = (0, 0);
        for i in 0..400 {
            let ray = Ray::new(1.5 * point(90_000 + i), point(70_000 + i).normalize());
            for sides in [Sides::Both, Sides::Front] {
                let want = brute_spheres(&all, &ray, sides);
                let have = bvh.nearest(&ray, f32::INFINITY, sides);
                assert_eq!(want.is_some(), have.is_some(), "{ray:?} {want:?} {have:?}");
                if let (Some((t, normal)), Some(h)) = (want, have) {
                    hits += 1;
                    from_inside += usize::from(normal.dot(ray.dir) > 0.0);
                    assert!((t - h.t).abs() < 2e-4, "{t} {h:?} of {n}");
                    assert!(h.normal.is_normalized() && h.normal.dot(normal) > 0.98, "{normal} {h:?} of {n}");
                    assert!(bvh.nearest(&ray, 0.999 * h.t, sides).is_none());
                }
            }
        }
        assert!(n < 40 || hits > 20, "too few hits to tell: {hits}");
        assert!(n != 40 || from_inside > 5, "too few hits from inside to tell: {from_inside}");
    }
}

#[test]
fn coincident_spheres_still_build() {
    let bvh = SphereBvh::build(vec![Sphere { center: Vec3::ZERO, radius: 0.5 }; 1000]);
    let hit = bvh.nearest(&Ray::new(Vec3::new(0.0, 0.0, 3.0), Vec3::NEG_Z), 10.0, Sides::Both).unwrap();
    assert!((hit.t - 2.5).abs() < 1e-6 && hit.normal.abs_diff_eq(Vec3::Z, 1e-6));
}

#[test]
fn the_hierarchy_does_not_depend_on_the_number_of_threads() {
    let all = spheres(30_000, 0.05);
    let built = |n: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
        pool.install(|| format!("{:?}", SphereBvh::build(all.clone())))
    };
    assert!(built(1) == built(4));
}

#[test]
fn nothing_to_hit() {
    let bvh = build(&[]);
    assert!(bvh.nearest(&Ray::new(Vec3::ZERO, Vec3::X), 1.0, Sides::Both).is_none());
}

#[test]
fn equal_and_flat_triangles_still_build() {
    let one = [Vec3::ZERO, Vec3::X, Vec3::Y];
    let bvh = build(&vec![one; 1000]);
    let ray = Ray::new(Vec3::new(0.2, 0.2, 1.0), Vec3::NEG_Z);
    let hit = bvh.nearest(&ray, 10.0, Sides::Both).unwrap();
    assert!((hit.t - 1.0).abs() < 1e-6 && (hit.u - 0.2).abs() < 1e-6);
}

proptest! {
    /// Triangles whose sizes span many orders of magnitude give the deepest trees.
    #[test]
    fn deep_trees_fit_the_stack(ratio in 1.01f32..3.0, n in 100u32..3000) {
        let corners: Vec<[Vec3; 3]> = (0..n)
            .map(|i| {
                let s = ratio.powi(-(i as i32)).max(1e-30);
                [Vec3::splat(s), Vec3::new(2.0 * s, s, s), Vec3::new(s, 2.0 * s, s)]
            })
            .collect();
        let bvh = build(&corners);
        let dir = Vec3::new(1.0, 1.0, 0.3).normalize();
        let hit = bvh.nearest(&Ray::new(Vec3::new(1.2, 1.2, 1.0) - dir, dir), 9.0, Sides::Both);
        prop_assert!(hit.is_some());
    }
}
