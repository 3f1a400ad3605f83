//! Meshes of long thin triangles: results, and work that grows much more slowly than the number of triangles.

use super::super::bvh::N_OPENED;
use super::*;

/// How the ends of a prism are triangulated.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Ends {
    /// Triangles around a vertex in the middle.
    Middle,
    /// Triangles around the first vertex of the rim.
    Rim,
    /// The top is the tip of a cone.
    Tip,
    /// There is no bottom.
    NoBottom,
    /// Ears are cut off, then the ears of the rest.
    Ears,
}

const ALL: [Ends; 5] = [Ends::Middle, Ends::Rim, Ends::Tip, Ends::NoBottom, Ends::Ears];

/// Returns a prism of `n` sides with radius 0.25 between y = −0.2 and 0.2.
fn prism(n: u32, ends: Ends) -> TriMesh {
    let mut m = TriMesh::default();
    for y in [-0.2, 0.2] {
        for i in 0..n {
            let (sin, cos) = (2.0 * PI * f64::from(i) / f64::from(n)).sin_cos();
            m.positions.push([(0.25 * cos) as f32, y, (0.25 * sin) as f32]);
        }
    }
    m.positions.extend([[0.0, -0.2, 0.0], [0.0, if ends == Ends::Tip { 0.4 } else { 0.2 }, 0.0]]);
    let mut bottom = |a, b, c| m.triangles.push([a, b, c]);
    for i in 0..n {
        let j = (i + 1) % n;
        match ends {
            Ends::Middle | Ends::Tip => bottom(2 * n, i, j),
            Ends::Rim if i != 0 && j != 0 => bottom(0, i, j),
            Ends::Rim | Ends::NoBottom | Ends::Ears => {}
        }
    }
    if ends == Ends::Ears {
        let mut rim: Vec<u32> = (0..n).collect();
        while rim.len() > 2 {
            let k = rim.len();
            (1..k).step_by(2).for_each(|i| bottom(rim[i - 1], rim[i], rim[(i + 1) % k]));
            rim = rim.into_iter().step_by(2).collect();
        }
    }
    if ends == Ends::Tip {
        m.triangles.extend((0..n).map(|i| [2 * n + 1, (i + 1) % n, i]));
        return m;
    }
    // The top has the triangles of the bottom, turned over.
    let tops: Vec<[u32; 3]> = match ends {
        Ends::NoBottom => (0..n).map(|i| [2 * n + 1, n + (i + 1) % n, n + i]).collect(),
        _ => m
            .triangles
            .iter()
            .map(|t| [t[0], t[2], t[1]].map(|v| if v == 2 * n { v + 1 } else { v + n }))
            .collect(),
    };
    m.triangles.extend(tops);
    for i in 0..n {
        let j = (i + 1) % n;
        m.triangles.extend([[i, n + i, n + j], [i, n + j, j]]);
    }
    m
}

/// Returns a mesh's signed distance, and the numbers of nodes that were opened to prepare it and for each of
/// the queries at some points.
fn work(mesh: &TriMesh) -> (u64, f64) {
    // On one thread, which counts.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        N_OPENED.set(0);
        let sdf = MeshSdf::new(mesh).unwrap();
        let prepared = N_OPENED.replace(0);
        let points = points(500, 0.5);
        points.iter().for_each(|&p| {
            sdf.distance(p);
            sdf.winding_number(p);
        });
        (prepared, N_OPENED.get() as f64 / points.len() as f64)
    })
}

#[test]
fn work_per_query_grows_slowly_with_the_number_of_slender_triangles() {
    for ends in ALL {
        let [(few, few_each), (many, many_each)] = [1000, 8000].map(|n| work(&prism(n, ends)));
        // Eight times as many triangles. Open meshes need no preparation.
        assert!(many <= 12 * few, "{ends:?}: {few} nodes opened to prepare it, then {many}");
        assert!(many_each < 3.5 * few_each, "{ends:?}: {few_each} nodes opened per query, then {many_each}");
    }
}

#[test]
fn distances_to_slender_triangles_are_those_of_brute_force() {
    for ends in ALL {
        let m = prism(150, ends);
        let sdf = MeshSdf::new(&m).unwrap();
        for p in points(400, 0.45) {
            let (d, w) = (sdf.distance(p), brute_winding(&m, p));
            assert!((d.abs() - brute_distance(&m, p)).abs() < 1e-14, "{ends:?} at {p}");
            assert!((sdf.winding_number(p) - w).abs() < 0.1, "{ends:?} at {p}");
            if (w - 0.5).abs() > 0.1 {
                assert_eq!(d < 0.0, w > 0.5, "{ends:?} at {p}");
            }
        }
    }
}

#[test]
fn rays_through_vertices_and_edges_count_once() {
    // Rays from these points, along any axis, pass through vertices and along edges and faces.
    let mut two = TriMesh::default();
    for x in [0.0, 2.0] {
        let shape = crate::geometry::Shape::Box { min: dvec3(x, 0.0, 0.0), max: dvec3(x + 1.0, 1.0, 1.0) };
        two.append(&shape.tessellate((DVec3::splat(-9.0), DVec3::splat(9.0)), 1));
    }
    let octahedron = TriMesh {
        positions: vec![
            [5.0, 0.5, 0.5],
            [4.0, 0.5, 0.5],
            [4.5, 1.0, 0.5],
            [4.5, 0.0, 0.5],
            [4.5, 0.5, 1.0],
            [4.5, 0.5, 0.0],
        ],
        triangles: vec![
            [0, 2, 4],
            [2, 1, 4],
            [1, 3, 4],
            [3, 0, 4],
            [2, 0, 5],
            [1, 2, 5],
            [3, 1, 5],
            [0, 3, 5],
        ],
    };
    two.append(&octahedron);
    let sdf = MeshSdf::new(&two).unwrap();
    let steps = |n: i32| (-1..=n + 1).map(|i| f64::from(i) * 0.25);
    for (x, y, z) in steps(20).flat_map(|x| steps(4).flat_map(move |y| steps(4).map(move |z| (x, y, z)))) {
        let p = dvec3(x, y, z);
        if sdf.distance(p) == 0.0 {
            continue;
        }
        let in_cube = |low: f64| {
            (p - dvec3(low, 0.0, 0.0)).cmpgt(DVec3::ZERO).all()
                && (p - dvec3(low, 0.0, 0.0)).cmplt(DVec3::ONE).all()
        };
        let in_octahedron = (p - dvec3(4.5, 0.5, 0.5)).abs().element_sum() < 0.5;
        let expected = in_cube(0.0) || in_cube(2.0) || in_octahedron;
        assert_eq!(sdf.winding_number(p), f64::from(u8::from(expected)), "at {p}");
    }
}
