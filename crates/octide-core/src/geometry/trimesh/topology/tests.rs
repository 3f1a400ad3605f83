use super::*;

/// A box from 0 to 1 in each direction.
fn cube() -> TriMesh {
    let positions = (0..8).map(|i| [(i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2 & 1) as f32]).collect();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|q: &[u32; 4]| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
    TriMesh { positions, triangles }
}

#[test]
fn a_cube_is_closed_and_has_its_measures() {
    let m = cube();
    assert_eq!(m.topology(), Topology::default());
    assert!((m.volume() - 1.0).abs() < 1e-15 && (m.area() - 6.0).abs() < 1e-15);
    assert!(mesh_report(&m).warnings().is_empty());
    let mut two = m.clone();
    two.append(&m.mapped(|p| p + glam::DVec3::splat(5.0)));
    assert!(two.is_closed_manifold() && (two.volume() - 2.0).abs() < 1e-12);
    assert_eq!(two.bounds().unwrap().1, glam::DVec3::splat(6.0));
}

#[test]
fn a_missing_triangle_leaves_three_open_edges() {
    let mut m = cube();
    m.triangles.pop();
    assert_eq!(m.topology(), Topology { boundary_edges: 3, ..Topology::default() });
    assert_eq!(mesh_report(&m).warnings().len(), 1);
}

#[test]
fn a_flipped_triangle_disagrees_on_three_edges() {
    let mut m = cube();
    m.triangles[4].swap(0, 1);
    assert_eq!(m.topology(), Topology { misoriented_edges: 3, ..Topology::default() });
}

#[test]
fn a_fin_is_not_manifold() {
    let mut m = cube();
    m.positions.push([-1.0, -1.0, 0.5]);
    m.triangles.push([0, 4, 8]);
    let t = m.topology();
    assert_eq!((t.non_manifold_edges, t.boundary_edges), (1, 2));
}

#[test]
fn two_cubes_at_a_corner_split_the_vertex() {
    let mut m = cube();
    m.append(&cube().mapped(|p| p + glam::DVec3::ONE));
    for t in &mut m.triangles {
        *t = t.map(|v| if v == 8 { 7 } else { v });
    }
    assert_eq!(m.topology(), Topology { split_vertices: 1, ..Topology::default() });
}

#[test]
fn collapsed_flat_and_inverted_triangles_are_told() {
    let mut m = cube();
    m.triangles.push([0, 0, 1]);
    let report = mesh_report(&m);
    assert_eq!((report.topology.collapsed_triangles, report.flat_triangles), (1, 1));
    let mut m = cube();
    m.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    assert!(m.volume() < 0.0);
    assert!(mesh_report(&m).warnings()[0].contains("face inward"));
}
