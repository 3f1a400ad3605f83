//! Trees with holes, and trees of scattered roots.

use super::*;
use crate::snapshot::{Snapshot, SnapshotError};

/// Clusters of roots far from each other, on both sides of zero; some of them meet in an edge or a corner only.
fn scattered() -> RootGrid {
    let roots = [
        [-900, 3, 5],
        [-899, 4, 5],
        [-898, 4, 6],
        [0, 0, 0],
        [0, 0, 1],
        [1, 1, 1],
        [-1, -1, -1],
        [700, -300, 0],
        [701, -300, 0],
    ];
    RootGrid::from_roots(DVec3::new(0.1, 0.2, 0.3), 0.25, 3, roots.map(IVec3::from)).unwrap()
}

fn scattered_tree(grading: Grading) -> Octree {
    Octree::build(&scattered(), grading, |c| noise(5, c.center, c.level) < 0.5)
}

#[test]
fn tables_of_scattered_roots_are_those_of_a_box_with_holes() {
    // The cluster around zero, once as a list beside others, once as a box: apart from the others, the same cells.
    let cluster = |c: IVec3| scattered().roots().contains(&c);
    let boxed = RootGrid::new(DVec3::new(0.1, 0.2, 0.3), 0.25, 3, IVec3::splat(-1), IVec3::splat(3), cluster);
    for grading in [Grading::Unrestricted, Grading::Graded] {
        let boxed = Octree::build(&boxed, grading, |c| noise(5, c.center, c.level) < 0.5);
        let all = scattered_tree(grading);
        let same: Vec<CellId> = boxed.cells().map(|c| all.locate(boxed.center(c)).unwrap()).collect();
        assert!(boxed.cells().all(|c| boxed.size(c) == all.size(same[c.0 as usize])));
        for c in boxed.cells() {
            for d in 0..6 {
                let (mut one, mut other) = (Vec::new(), Vec::new());
                boxed.for_face_neighbors(c, d, &mut |n| one.push(same[n.0 as usize]));
                all.for_face_neighbors(same[c.0 as usize], d, &mut |n| other.push(n));
                assert_eq!(one, other);
            }
        }
    }
}

#[test]
fn corners_and_contacts_of_scattered_roots_are_complete() {
    for grading in [Grading::Unrestricted, Grading::Graded] {
        let tree = scattered_tree(grading);
        let nodes = Nodes::new(&tree);
        assert_corners_know_their_cells(&tree, &nodes);
        for cell in tree.cells() {
            assert!(nodes.of_cell(cell).iter().all(|v| v.is_some()));
        }
        let faces = SplitFaces::new(&tree);
        for cell in tree.cells() {
            for d in 0..6 {
                let is_wall = tree.locate(beyond(&tree, cell, d)).is_none();
                let sides = faces.of_cell(cell, d).iter().map(|&k| faces.sides(k));
                assert!(sides.into_iter().all(|s| s.iter().any(|c| c.is_none()) == is_wall));
            }
        }
    }
    let tree = scattered_tree(Grading::Graded);
    assert!(tree.is_graded());
    let merged = MergedFaces::new(&tree);
    let n_walls = (0..merged.len() as u32).filter(|&k| merged.is_wall(FaceId(k))).count();
    assert!(n_walls >= 6 * 9 - 4);
    // Roots that touch in a corner or an edge only know of each other.
    let contacts = Contacts::new(&tree);
    let touching = Touching::new(&tree, &contacts);
    for cell in tree.cells().filter(|&c| !contacts.is_regular(c)) {
        let near = |&o: &CellId| {
            let d = (tree.center(o) - tree.center(cell)).abs().max_element();
            d <= 0.5 * (tree.size(o) + tree.size(cell)) + 1e-9
        };
        let mut listed = touching.of_cell(cell).to_vec();
        listed.sort_unstable();
        assert_eq!(listed, tree.cells().filter(near).collect::<Vec<_>>());
    }
}

#[test]
fn grading_reaches_across_an_edge_between_absent_roots() {
    // Two roots that meet in an edge: finest cells at it on one side need fine cells on the other.
    let roots = [IVec3::ZERO, IVec3::new(1, 1, 0)];
    let grid = RootGrid::from_roots(DVec3::ZERO, 0.125, 3, roots).unwrap();
    let edge = DVec3::new(1.0, 1.0, 0.5);
    let tree = Octree::build(&grid, Grading::Graded, |c| {
        c.center.x < 1.0 && (c.center - edge).abs().max_element() < 0.51 * c.size
    });
    let across = tree.locate(edge + 0.01).unwrap();
    assert_eq!((tree.level(tree.locate(edge - 0.01).unwrap()), tree.level(across)), (3, 2));
}

#[test]
fn a_range_refines_what_its_cells_would_one_by_one() {
    for seed in 0..6 {
        let grid = random_grid(seed);
        for level in 0..5 {
            let first = (grid.min() << u32::from(level)) - 3;
            let last = first + IVec3::new(19, 7, 9);
            let (mut whole, mut single) = (Refinement::new(&grid), Refinement::new(&grid));
            whole.refine_range(level, first, last);
            for o in 0..20 * 8 * 10 {
                single.refine(level, first + IVec3::new(o % 20, o / 20 % 8, o / 160));
            }
            assert!(whole.build(Grading::Graded) == single.build(Grading::Graded), "{seed} {level}");
        }
    }
}

#[test]
fn trees_with_holes_are_saved_with_their_roots() {
    for (grid, grading) in [
        (scattered(), Grading::Graded),
        (random_grid(3), Grading::Unrestricted),
        (random_grid(2), Grading::Graded),
    ] {
        let tree = Octree::build(&grid, grading, |c| noise(5, c.center, c.level) < 0.5);
        let saved = || {
            let mut snapshot = Snapshot::default();
            tree.save(&mut snapshot);
            snapshot
        };
        let n = tree.n_cells();
        assert_eq!(Octree::load(&grid, grading, n, &mut saved()).unwrap(), tree);
        let origin = grid.position(IVec3::ZERO);
        let load = |snapshot: &mut Snapshot| {
            Octree::load_with_roots(origin, grid.dx(), grid.max_level(), grading, n, snapshot)
        };
        assert_eq!(load(&mut saved()).unwrap(), tree);
        // Another set of roots in the same box is another domain.
        let (first, others) = (grid.roots()[0], grid.roots().len() - 1);
        let present = |c: IVec3| grid.root_at(c).is_some() && (others == 0 || c != first);
        let fewer = RootGrid::new(origin, grid.dx(), grid.max_level(), grid.min(), IVec3::ONE, present);
        let refused = Octree::load(&fewer, grading, n, &mut saved());
        assert!(matches!(refused, Err(SnapshotError::Value { .. })));
    }
}

#[test]
fn values_beside_a_hole_are_those_of_the_nearest_cell() {
    let grid = RootGrid::new(DVec3::ZERO, 0.5, 1, IVec3::ZERO, IVec3::new(3, 1, 1), |c| c.x != 1);
    let tree = Octree::build(&grid, Grading::Graded, |_| true);
    let nodes = Nodes::new(&tree);
    let x = crate::par::map(nodes.len(), |v: NodeId| grid.position(nodes.place(v)).x);
    for (at, expected) in [(0.7, 0.7), (1.2, 1.0), (1.9, 2.0), (2.3, 2.3), (9.0, 3.0), (-1.0, 0.0)] {
        let found = nodal::sample(&tree, &nodes, &x, DVec3::new(at, 0.4, 0.6));
        assert!((found - expected).abs() < 1e-12, "{at}: {found}");
    }
}

#[test]
fn a_tree_without_roots_holds_nothing() {
    let grid = RootGrid::from_roots(DVec3::ZERO, 1.0, 4, []).unwrap();
    let tree = Octree::build(&grid, Grading::Graded, |_| true);
    assert_eq!(tree.n_cells(), 0);
    assert!(tree.locate(DVec3::ZERO).is_none() && tree.nearest_leaf(DVec3::ZERO).is_none());
    assert!(MergedFaces::new(&tree).is_empty() && Nodes::new(&tree).is_empty());
}
