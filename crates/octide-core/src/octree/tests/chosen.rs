//! Trees that are chosen for one property.

use super::*;

#[test]
fn tables_are_the_same_on_any_number_of_threads() {
    let make = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let tree = random_tree(7, 0.5, Grading::Graded);
            let nodes = Nodes::new(&tree);
            let contacts = Contacts::new(&tree);
            let touching = Touching::new(&tree, &contacts);
            (MergedFaces::new(&tree), contacts, touching, nodes, tree)
        })
    };
    let one = make(1);
    for threads in [2, 3, 7] {
        assert!(one == make(threads), "{threads} threads");
    }
}

#[test]
fn leaves_are_in_morton_order() {
    let tree = Octree::build(&grid(2), Grading::Graded, |c| c.center.x < 0.0);
    // Within one root, the order of leaves is that of their octants.
    let first_root: Vec<CellId> = tree
        .cells()
        .filter(|&c| tree.center(c).x < -0.5 && tree.center(c).y < 0.75 && tree.center(c).z < 1.5)
        .collect();
    assert_eq!(first_root.len(), 64);
    assert!(first_root.windows(2).all(|w| w[1].0 == w[0].0 + 1));
}

#[test]
fn absent_roots_have_no_cells() {
    let sparse = RootGrid::new(DVec3::ZERO, 0.5, 1, IVec3::new(-1, 0, 0), IVec3::new(3, 1, 1), |c| c.x != 0);
    let tree = Octree::build(&sparse, Grading::Graded, |_| true);
    assert_eq!(tree.n_cells(), 16);
    assert!(tree.locate(DVec3::splat(0.5)).is_none());
    assert!(tree.locate(DVec3::new(-0.5, 0.5, 0.5)).is_some());
    assert!(MergedFaces::new(&tree).len() == 2 * 36);
}

#[test]
fn marked_boxes_are_refined_with_what_they_need() {
    for grading in [Grading::Unrestricted, Grading::Graded] {
        let grid = grid(4);
        let mut marks = Refinement::new(&grid);
        let at = DVec3::new(0.3, 1.1, 1.7);
        marks.refine_box(3, at - 0.01, at + 0.01);
        marks.refine_box(3, DVec3::splat(1.25), DVec3::new(1.25, 1.5, 1.5)); // flat: enters nothing
        marks.refine_box(2, DVec3::splat(-9.0), DVec3::splat(-8.0)); // outside: nothing happens
        let tree = marks.build(grading);
        assert_eq!(tree.level(tree.nearest_leaf(at)), 4);
        let finest = tree.cells().filter(|&c| tree.level(c) == 4).count();
        assert_eq!(finest, 8, "{grading:?}");
    }
}

#[test]
fn corners_beside_absent_roots_know_all_their_cells() {
    // Roots that meet in an edge only: no way leads from one to the other.
    let present = |c: IVec3| c != IVec3::new(1, 1, 0) && c != IVec3::new(0, 0, 1) && c != IVec3::new(1, 0, 1);
    let grid = RootGrid::new(DVec3::ZERO, 0.25, 2, IVec3::ZERO, IVec3::splat(2), present);
    let tree = Octree::build(&grid, Grading::Graded, |c| c.center.x + c.center.z < 1.1);
    let nodes = Nodes::new(&tree);
    assert_corners_know_their_cells(&tree, &nodes);
}

#[test]
fn smoothing_spreads_cells_through_faces() {
    let grid = RootGrid::new(DVec3::ZERO, 0.5, 1, IVec3::ZERO, IVec3::splat(9), |_| true);
    // The root itself; those beside it; across edges, too; across corners, too, and the next ones beside it.
    for (n, refined) in [(0, 1), (1, 7), (2, 19), (3, 33)] {
        let mut one = Refinement::new(&grid);
        one.refine(0, IVec3::splat(4));
        let tree = one.build_smoothed(Grading::Graded, n);
        assert_eq!(tree.n_cells(), 9 * 9 * 9 + 7 * refined, "{n} times");
    }
}
