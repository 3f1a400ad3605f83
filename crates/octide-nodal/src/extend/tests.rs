use super::*;
use crate::detach::Gaps;
use crate::testing::jagged;
use octide_core::geometry::Shape;
use octide_core::octree::{Grading, Octree};
use octide_core::scene::{OpenSides, Scene, Solid};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// A constant flow in water is extended exactly to all air, on any tree: no corner is left without a
    /// value.
    #[test]
    fn a_constant_flow_is_continued(seed: u64) {
        let mesh = jagged(seed);
        // No walls, because they would be at rest.
        let open = OpenSides { sides: [true; 6] };
        let boundary = Boundary::new(&mesh, &Solids::default(), open);
        let flow = DVec3::new(0.3, -1.5, 2.0);
        let mut phi = par::map(mesh.n_nodes(), |v: NodeId| mesh.node_position(v).y - 0.2);
        mesh.constrain(&mut phi);
        let wet = par::map(mesh.n_faces(), |k: FaceId| mesh.face_position(k).y < 0.2);
        let u = par::map(mesh.n_faces(), |k: FaceId| if wet[k] { flow[mesh.faces.axis(k)] } else { 99.0 });
        // Some trees are so coarse that no corner in water has faces of every axis: there is nothing to
        // extend.
        let knows = |v: NodeId| (0..3).all(|axis| known_velocity(&mesh, &u, &wet, mesh.nodes.cells(v), axis).is_some());
        prop_assume!(phi.ids().any(knows));
        let u = extend_velocity(&mesh, &phi, &boundary, u, &wet);
        prop_assert!(u.ids().all(|k| (u[k] - flow[mesh.faces.axis(k)]).abs() < 1e-12));
    }

    #[test]
    fn the_next_corner_knows_the_way_back_and_the_size_is_the_smallest_leafs(seed: u64) {
        let mesh = jagged(seed);
        let graph = CornerGraph::new(&mesh);
        for v in graph.next.ids() {
            for (direction, &w) in graph.next[v].iter().enumerate().filter(|(_, w)| w.is_some()) {
                prop_assert_eq!(graph.next[w][direction ^ 1], v);
            }
            let around = mesh.nodes.cells(v).iter().filter(|c| c.is_some());
            let smallest = around.map(|&c| mesh.tree.size(c)).fold(f64::INFINITY, f64::min);
            prop_assert_eq!(graph.size(v.0 as usize), smallest);
        }
    }
}

/// A film on a ball is extended into the solid, however thin it is, even where it is steep.
#[test]
fn a_film_thinner_than_a_cell_goes_on_into_the_solid() {
    let grid = Scene::empty("nodal-octree", DVec3::ONE, 32, 1).domain.root_grid();
    let mesh = Mesh::new(Octree::build(&grid, Grading::Unrestricted, |_| true));
    let (h, middle, radius) = (grid.dx(), DVec3::splat(0.5), 0.3);
    let solids = Solids::at(&[Solid::still(Shape::Sphere { center: middle, radius })], 0.0);
    let boundary = Boundary::new(&mesh, &solids, OpenSides::default());
    for thin in [0.25, 0.5, 0.9] {
        let phi =
            par::map(mesh.n_nodes(), |v: NodeId| mesh.node_position(v).distance(middle) - radius - thin * h);
        let phi = extend_phi(&mesh, phi, &boundary, &solids, DVec3::NEG_Y, &Gaps::default(), None);
        let inside = |v: NodeId| {
            let depth = radius - mesh.node_position(v).distance(middle);
            depth > 0.0 && depth < h
        };
        let (mut n, mut wet) = (0, 0);
        for v in phi.ids().filter(|&v| inside(v)) {
            (n, wet) = (n + 1, wet + usize::from(phi[v] < 0.0));
        }
        assert!(wet as f64 > 0.97 * n as f64, "{thin}: {wet} of {n}");
    }
}

/// Returns a mesh of cells of one size, a closed box with walls of `thickness` cells on it, and the box's hollow.
fn boxed(thickness: f64, shift: f64) -> (Mesh, Solids, Shape) {
    let grid = Scene::empty("nodal-octree", DVec3::ONE, 24, 1).domain.root_grid();
    let mesh = Mesh::new(Octree::build(&grid, Grading::Unrestricted, |_| true));
    let h = grid.dx();
    let middle = 0.5 + shift * h * DVec3::new(0.13, 0.29, 0.41);
    let cube = |half: f64| Shape::Box { min: middle - half, max: middle + half };
    let (inner, outer) = (cube(0.2), cube(0.2 + thickness * h));
    let shell = Shape::Difference { of: Box::new(outer), minus: vec![inner.clone()] };
    (mesh, Solids::on_grid(&[Solid::still(shell)], 0.0, h), inner)
}

/// A dry box in water has moved: corners of cells in its walls still have the φ of water. Where one wall's normal leads
/// into the next wall, they get that of the air inside too.
#[test]
fn water_does_not_stay_in_the_inner_corners_of_a_dry_box() {
    for shift in 0..8 {
        let (mesh, solids, inner) = boxed(0.4, f64::from(shift));
        let h = mesh.tree.grid().dx();
        let boundary = Boundary::new(&mesh, &solids, OpenSides::default());
        let in_hollow = |v: NodeId| inner.distance(mesh.node_position(v)) < 0.0;
        let phi = par::map(mesh.n_nodes(), |v: NodeId| {
            if in_hollow(v) && solids.distance(mesh.node_position(v)) >= 0.0 { h } else { -0.5 * h }
        });
        let phi = extend_phi(&mesh, phi, &boundary, &solids, DVec3::NEG_Y, &Gaps::default(), None);
        assert_eq!(phi.ids().filter(|&v| in_hollow(v) && phi[v] < 0.0).count(), 0, "shift {shift}");
    }
}

/// Water in a box makes φ outside slope toward the wall. No corner outside is in water, so this is no film.
#[test]
fn water_behind_a_wall_is_not_a_film_on_its_other_side() {
    let thickness = 2.7;
    for shift in 0..8 {
        let (mesh, solids, inner) = boxed(thickness, f64::from(shift));
        let h = mesh.tree.grid().dx();
        let boundary = Boundary::new(&mesh, &solids, OpenSides::default());
        // How much nearer the outer side of the wall is than the inner one.
        let beyond = |v: NodeId| {
            let x = mesh.node_position(v);
            inner.distance(x) + solids.distance(x)
        };
        let phi = par::map(mesh.n_nodes(), |v: NodeId| match solids.distance(mesh.node_position(v)) {
            _ if beyond(v) < 1e-9 => -h,
            d if d >= 0.0 => (0.9 * d - 0.05 * h).max(1e-3 * h),
            _ => 0.5 * h,
        });
        let phi = extend_phi(&mesh, phi, &boundary, &solids, DVec3::NEG_Y, &Gaps::default(), None);
        assert_eq!(phi.ids().filter(|&v| beyond(v) > 0.1 * h && phi[v] < 0.0).count(), 0, "shift {shift}");
    }
}
