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
