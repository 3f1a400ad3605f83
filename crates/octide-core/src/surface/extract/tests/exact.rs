//! Surfaces whose mesh is known: planes, tanks, mirror images.

use super::check::{area, flaw, volume};
use super::*;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_plane_is_exact_across_levels(seed: u64, share in 0.2..0.7f64, n in prop::array::uniform3(-1.0..1.0f64)) {
        let n = DVec3::from(n).normalize_or(DVec3::Y);
        // Every leaf has a neighbor along each axis; otherwise it could not know the slope there.
        let (tree, nodes) =
            build(&unit_roots([2, 1, 2], 3), |c| c.level == 0 || noise(seed, c.center, c.level) < share);
        let middle = DVec3::new(1.0, 0.5, 1.0);
        let phi = |p: DVec3| n.dot(p - middle) + 0.1;
        let mesh = contour(&tree, &nodes, phi);
        prop_assert_eq!(flaw(&mesh), None);
        let (low, high) = (tree.grid().low(), tree.grid().high());
        let inside = |x: DVec3| x.cmpgt(low).all() && x.cmplt(high).all();
        // A steep plane's waterline is held close to its corner; the middle vertices of polygons there follow
        // it.
        let mut follows = vec![false; mesh.positions.len()];
        for t in &mesh.triangles {
            if t.map(|i| mesh.positions[i as usize]).into_iter().any(|x| !inside(x) && phi(x).abs() > 1e-9) {
                t.iter().for_each(|&i| follows[i as usize] = true);
            }
        }
        for (i, &x) in mesh.positions.iter().enumerate().filter(|&(_, &x)| inside(x)) {
            prop_assert!(follows[i] || phi(x).abs() < 1e-9, "{} off the plane at {x}", phi(x));
            prop_assert!(mesh.normals[i].distance(n) < 1e-9);
        }
    }

    #[test]
    fn a_full_tank_is_its_box(seed: u64, share in 0.0..0.7f64) {
        let (tree, nodes) = random_tree(seed, share);
        let mesh = contour(&tree, &nodes, |_| -1.0);
        prop_assert_eq!(flaw(&mesh), None);
        prop_assert!((volume(&mesh) - 4.0).abs() < 1e-12);
        prop_assert!((area(&mesh) - 16.0).abs() < 1e-12);
        prop_assert!(contour(&tree, &nodes, |_| 0.0) == Contour::default());
    }

    #[test]
    fn a_mirrored_liquid_has_a_mirrored_mesh(seed: u64, share in 0.2..0.7f64, axis in 0..3usize) {
        let grid = unit_roots([2, 1, 2], 3);
        let mirror = |mut p: DVec3| {
            p[axis] = grid.high()[axis] - p[axis];
            p
        };
        let wave = |p: DVec3| p.y - 0.5 + 0.2 * (4.0 * p.x + p.z).sin() + 0.3 * noise(seed, p, 0);
        // Roots are refined: a wall's rectangle from floor to ceiling is its own mirror image, but none of
        // its diagonals is.
        let (tree, nodes) = build(&grid, |c| c.level == 0 || noise(seed, c.center, c.level) < share);
        let (image, image_nodes) =
            build(&grid, |c| c.level == 0 || noise(seed, mirror(c.center), c.level) < share);
        let mesh = contour(&tree, &nodes, wave);
        let other = contour(&image, &image_nodes, |p| wave(mirror(p)));
        prop_assert_eq!(mesh.triangles.len(), other.triangles.len());
        let mut centers = [centers(&mesh, |p| p), centers(&other, mirror)];
        for list in &mut centers {
            list.sort_by_key(|p| (*p * 1e9).round().to_array().map(|v| v as i64));
        }
        let [one, two] = centers;
        for (a, b) in one.iter().zip(&two) {
            prop_assert!(a.distance(*b) < 1e-12, "{a} {b}");
        }
    }
}

/// Returns the mapped centroids of all triangles.
fn centers(mesh: &Contour, f: impl Fn(DVec3) -> DVec3) -> Vec<DVec3> {
    mesh.triangles
        .iter()
        .map(|t| f(t.iter().map(|&i| mesh.positions[i as usize]).sum::<DVec3>() / 3.0))
        .collect()
}

/// Builds a tree refined toward one side, so that the waterline crosses changes of level on walls and edges.
fn half_refined() -> (Octree, Nodes) {
    build(&unit_roots([2, 1, 2], 4), |c| c.level < 2 || c.center.x + 0.3 * c.center.z < 1.2)
}

#[test]
fn water_in_a_tank_reaches_the_walls() {
    let (tree, nodes) = half_refined();
    for (n, height) in [
        (DVec3::Y, 0.4),
        (DVec3::new(0.2, 1.0, 0.0), 0.53),
        (DVec3::new(-0.15, 1.0, 0.25), 0.51),
        (DVec3::new(0.2, 1.0, 0.2), 0.55),
    ] {
        let n = n.normalize();
        let phi = |p: DVec3| n.dot(p - DVec3::new(1.0, height, 1.0));
        let mesh = contour(&tree, &nodes, phi);
        assert_eq!(flaw(&mesh), None);
        // The plane's height above the middle of the floor is the mean height.
        assert!((volume(&mesh) - 4.0 * height).abs() < 1e-9, "{n}: {}", volume(&mesh));
        for (x, m) in mesh.positions.iter().zip(&mesh.normals) {
            let on_wall = x.cmpeq(tree.grid().low()) | x.cmpeq(tree.grid().high());
            assert!(phi(*x) < 1e-9);
            assert!(phi(*x) > -1e-9 || on_wall.any());
            // On the plane the normal is that of the plane, below it that of the wall.
            let outward = DVec3::select(on_wall, (*x - DVec3::new(1.0, 0.5, 1.0)).signum(), DVec3::ZERO);
            let expected = if phi(*x) > -1e-9 { n } else { outward.normalize() };
            assert!(m.distance(expected) < 1e-9, "{x} {m} {expected}");
        }
    }
}

#[test]
fn a_drop_in_the_corner_keeps_to_the_walls() {
    let (tree, nodes) = half_refined();
    let mesh = contour(&tree, &nodes, |p| p.length() - 0.7);
    assert_eq!(flaw(&mesh), None);
    let ball = 4.0 / 3.0 * std::f64::consts::PI * 0.7f64.powi(3);
    assert!((volume(&mesh) / (ball / 8.0) - 1.0).abs() < 0.01, "{}", volume(&mesh) / ball * 8.0);
    for x in &mesh.positions {
        assert!(x.cmpge(DVec3::ZERO).all() && x.length() < 0.71);
    }
}

#[test]
fn thin_films_and_single_cells_have_sensible_normals() {
    let (tree, nodes) = build(&unit_roots([1, 1, 1], 3), |_| true);
    let drop = DVec3::splat(0.5 + 0.0625);
    let mesh = contour(&tree, &nodes, |p| if p.distance(drop) < 0.01 { -1.0 } else { 1.0 });
    assert_eq!((mesh.positions.len(), mesh.triangles.len()), (8, 12));
    for (x, n) in mesh.positions.iter().zip(&mesh.normals) {
        assert!(n.dot((*x - drop).normalize()) > 0.9);
    }
    let film = |p: DVec3| (p.y - 0.5625).abs() - 0.05;
    let mesh = contour(&tree, &nodes, film);
    for (x, n) in mesh.positions.iter().zip(&mesh.normals).filter(|(x, _)| x.x > 0.2 && x.x < 0.8) {
        assert!((n.y * (x.y - 0.5625).signum()) > 0.5, "{x} {n}");
    }
}

#[test]
fn a_surface_has_a_velocity_for_each_vertex() {
    let (tree, nodes) = half_refined();
    let mesh = contour(&tree, &nodes, |p| p.distance(DVec3::new(0.8, 0.5, 0.9)) - 0.3);
    let surface = mesh.to_surface(|x, node| x + nodes.place(node).as_dvec3());
    assert_eq!(surface.mesh.triangles, mesh.triangles);
    for i in 0..mesh.positions.len() {
        let corner = nodes.place(mesh.nodes[i]).as_dvec3();
        assert_eq!(surface.mesh.positions[i], mesh.positions[i].as_vec3().to_array());
        assert_eq!(surface.normals[i], mesh.normals[i].as_vec3().to_array());
        assert_eq!(surface.velocities[i], (mesh.positions[i] + corner).as_vec3().to_array());
        // The vertex lies within a coarse cell of its corner.
        assert!(tree.grid().to_lattice(mesh.positions[i]).distance(corner) < 16.0);
    }
}
