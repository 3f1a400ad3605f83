//! Invariants of trees and their tables, on random trees; every second one has holes.

mod chosen;
mod sparse;

use super::*;
use crate::index::{CellId, FaceId, NodeId};
use glam::{DVec3, IVec3};
use proptest::prelude::*;

/// A hash of a few numbers, as a fraction of one.
fn noise(seed: u64, p: DVec3, level: u8) -> f64 {
    let mut h = seed ^ 0x9e37_79b9_7f4a_7c15;
    for v in [p.x, p.y, p.z, f64::from(level)] {
        h = (h ^ v.to_bits()).wrapping_mul(0xff51_afd7_ed55_8ccd);
        h ^= h >> 32;
    }
    (h >> 11) as f64 / (1u64 << 53) as f64
}

fn grid(levels: u8) -> RootGrid {
    RootGrid::new(
        DVec3::new(-0.5, 0.25, 1.0),
        0.125,
        levels,
        IVec3::new(-1, 0, 0),
        IVec3::new(3, 2, 2),
        |_| true,
    )
}

/// The same box where the seed is even; a third of its roots are absent where it is odd.
fn random_grid(seed: u64) -> RootGrid {
    let full = grid(4);
    let present =
        |c: IVec3| seed.is_multiple_of(2) || c == IVec3::ZERO || noise(seed, c.as_dvec3(), u8::MAX) > 0.35;
    RootGrid::new(
        full.low() - full.min().as_dvec3() * full.cell_size(0),
        full.dx(),
        4,
        full.min(),
        full.dims(),
        present,
    )
}

fn random_tree(seed: u64, share: f64, grading: Grading) -> Octree {
    Octree::build(&random_grid(seed), grading, |c| noise(seed, c.center, c.level) < share)
}

/// Distance from a point to a leaf.
fn distance_to(tree: &Octree, cell: CellId, p: DVec3) -> f64 {
    ((p - tree.center(cell)).abs() - 0.5 * tree.size(cell)).max(DVec3::ZERO).length()
}

fn lattice_volume(tree: &Octree) -> i64 {
    tree.cells().map(|c| i64::from(2 * tree.half_extent(tree.node_of(c))).pow(3)).sum()
}

/// Each octant around a corner holds the leaf that a point in it lies in, and each corner is there once.
fn assert_corners_know_their_cells(tree: &Octree, nodes: &Nodes) {
    for v in (0..nodes.len() as u32).map(NodeId) {
        let x = tree.grid().position(nodes.place(v));
        for (o, &cell) in nodes.cells(v).iter().enumerate() {
            let toward = DVec3::new((o & 1) as f64, (o >> 1 & 1) as f64, (o >> 2 & 1) as f64) * 2.0 - 1.0;
            let p = x + 0.01 * toward * tree.grid().dx();
            assert_eq!(cell, tree.locate(p).unwrap_or(CellId::NONE), "{x} {o}");
        }
    }
    let mut places: Vec<[i32; 3]> =
        (0..nodes.len() as u32).map(|v| nodes.place(NodeId(v)).to_array()).collect();
    places.sort_unstable();
    places.dedup();
    assert_eq!(nodes.len(), places.len());
}

/// A point just beyond the side of a leaf, near its middle.
fn beyond(tree: &Octree, cell: CellId, direction: usize) -> DVec3 {
    let mut p = tree.center(cell) + 0.001 * tree.grid().dx();
    let way = 0.5 * tree.size(cell) + 0.01 * tree.grid().dx();
    p[direction / 2] += if direction & 1 == 1 { way } else { -way };
    p
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn every_point_lies_in_one_leaf_or_nowhere(seed: u64, share in 0.1..0.7f64) {
        for grading in [Grading::Unrestricted, Grading::Graded] {
            let tree = random_tree(seed, share, grading);
            let grid = tree.grid();
            prop_assert_eq!(lattice_volume(&tree), grid.roots().len() as i64 * 32i64.pow(3));
            let (low, high) = (grid.low(), grid.high());
            let (mut hint, mut n_nowhere) = (CellId(0), 0);
            for i in 0..200u8 {
                let r = DVec3::new(noise(seed, low, i), noise(seed, high, i), noise(!seed, low, i));
                let p = low + (1.2 * r - 0.1) * (high - low);
                let root = ((p - grid.position(IVec3::ZERO)) / grid.cell_size(0)).floor().as_ivec3();
                let found = tree.locate(p);
                prop_assert_eq!(found.is_some(), grid.roots().contains(&root));
                prop_assert_eq!(found, tree.locate_from(hint, p));
                let cell = tree.nearest_leaf(p);
                prop_assert_eq!(cell, tree.nearest_leaf_from(hint, p));
                if let Some(found) = found {
                    prop_assert_eq!(found, cell);
                    prop_assert!((p - tree.center(cell)).abs().max_element() <= 0.5 * tree.size(cell));
                } else {
                    n_nowhere += 1;
                    let least = tree.cells().map(|c| distance_to(&tree, c, p)).fold(f64::INFINITY, f64::min);
                    // The nearest finest cell is found, which is nearest up to its edge.
                    prop_assert!(distance_to(&tree, cell, p) <= least + 2.0 * grid.dx());
                }
                hint = cell;
            }
            prop_assert!(n_nowhere > 0);
            prop_assert!(tree.locate(DVec3::new(f64::NAN, 1.0, 2.0)).is_none());
            prop_assert!(tree.locate(DVec3::splat(1e300)).is_none() && tree.locate(high).is_none());
        }
    }

    #[test]
    fn neighbors_are_symmetric(seed: u64, share in 0.1..0.7f64) {
        for grading in [Grading::Unrestricted, Grading::Graded] {
            let tree = random_tree(seed, share, grading);
            for cell in tree.cells() {
                for d in 0..6 {
                    let mut n_others = 0;
                    tree.for_face_neighbors(cell, d, &mut |other| {
                        n_others += 1;
                        let mut back = false;
                        tree.for_face_neighbors(other, opposite(d), &mut |c| back |= c == cell);
                        assert!(back);
                    });
                    prop_assert_eq!(n_others == 0, tree.locate(beyond(&tree, cell, d)).is_none());
                }
            }
        }
    }

    #[test]
    fn graded_trees_differ_by_one_level_across_corners(seed: u64, share in 0.1..0.6f64) {
        let tree = random_tree(seed, share, Grading::Graded);
        for cell in tree.cells() {
            let (x, h) = (tree.center(cell), tree.size(cell));
            for o in 0..27 {
                let step = IVec3::new(o % 3 - 1, o / 3 % 3 - 1, o / 9 - 1).as_dvec3();
                let p = x + step * h * 0.5001;
                if let Some(other) = tree.locate(p) {
                    prop_assert!(tree.level(other).abs_diff(tree.level(cell)) <= 1);
                }
            }
        }
    }

    #[test]
    fn grading_adds_the_least_and_does_not_depend_on_how(seed: u64, share in 0.1..0.6f64) {
        let tree = random_tree(seed, share, Grading::Graded);
        // Asking for what is already there gives the same tree.
        let again = Octree::build(tree.grid(), Grading::Graded, |c| {
            tree.level(tree.nearest_leaf(c.center - DVec3::splat(0.01 * c.size))) > c.level
        });
        prop_assert_eq!(&tree, &again);
        let raw = random_tree(seed, share, Grading::Unrestricted);
        prop_assert!(raw.cells().all(|c| tree.level(tree.nearest_leaf(raw.center(c))) >= raw.level(c)));
    }

    #[test]
    fn merged_faces_cover_both_sides_equally(seed: u64, share in 0.1..0.6f64) {
        let tree = random_tree(seed, share, Grading::Graded);
        let faces = MergedFaces::new(&tree);
        for k in (0..faces.len() as u32).map(FaceId) {
            let s = faces.stencil(&tree, k);
            let h = tree.grid().cell_size(faces.level(k));
            let volume = s.length * h * h;
            let mut sum = [0.0; 2];
            for (cell, w) in s.iter() {
                // V·|c| is the area that the cell has of the face.
                let area = volume * w.abs();
                let own = tree.size(cell).powi(2);
                prop_assert!((area - own).abs() < 1e-12);
                sum[usize::from(w > 0.0)] += area;
                let mut direction = 2 * faces.axis(k);
                direction += usize::from(w < 0.0);
                prop_assert_eq!(faces.of_cell(cell)[direction], k);
            }
            let there = s.cells[0];
            let inward = usize::from(faces.sides(k)[0].is_none());
            let wall = faces.is_wall(k) && tree.locate(beyond(&tree, there, 2 * faces.axis(k) + 1 - inward)).is_none();
            prop_assert_eq!(faces.is_wall(k), wall);
            prop_assert!(faces.is_wall(k) || (sum[0] - sum[1]).abs() < 1e-12);
            // Linear functions have exact gradients.
            let a = faces.axis(k);
            let g: f64 = s.iter().map(|(c, w)| w * tree.center(c)[a]).sum();
            let t: f64 = s.iter().map(|(c, w)| w * tree.center(c)[(a + 1) % 3]).sum();
            prop_assert!(faces.is_wall(k) || (g - 1.0).abs() < 1e-9 && t.abs() < 1e-9);
        }
    }

    #[test]
    fn split_faces_tile_every_side(seed: u64, share in 0.1..0.7f64) {
        for grading in [Grading::Unrestricted, Grading::Graded] {
            let tree = random_tree(seed, share, grading);
            let faces = SplitFaces::new(&tree);
            for cell in tree.cells() {
                for d in 0..6 {
                    let area: f64 = faces.of_cell(cell, d).iter().map(|&k| faces.size(&tree, k).powi(2)).sum();
                    prop_assert!((area - tree.size(cell).powi(2)).abs() < 1e-12);
                    let mut sized = Vec::new();
                    faces.faces_of_cells().for_sized(&tree, cell, d, &mut |k, size| sized.push((k, size)));
                    let expected = faces.of_cell(cell, d).iter().map(|&k| (k, faces.size(&tree, k)));
                    prop_assert!(sized == expected.collect::<Vec<_>>());
                    for &k in faces.of_cell(cell, d) {
                        prop_assert_eq!(faces.axis(k), d / 2);
                        prop_assert!(faces.sides(k).contains(&cell));
                        let off = tree.grid().position(faces.place(&tree, k)) - tree.center(cell);
                        prop_assert!((off[d / 2].abs() - 0.5 * tree.size(cell)).abs() < 1e-12);
                    }
                }
            }
        }
    }

    #[test]
    fn nodes_are_unique_and_know_their_cells(seed: u64, share in 0.1..0.6f64) {
        let tree = random_tree(seed, share, Grading::Graded);
        let nodes = Nodes::new(&tree);
        for cell in tree.cells() {
            for (c, &v) in nodes.of_cell(cell).iter().enumerate() {
                prop_assert!(v.is_some());
                prop_assert_eq!(nodes.cells(v)[7 - c], cell);
            }
        }
        assert_corners_know_their_cells(&tree, &nodes);
        // A linear field is continued linearly to hanging corners.
        let f = |v: NodeId| nodes.place(v).as_dvec3().dot(DVec3::new(1.0, -2.0, 0.5));
        let mut values = crate::par::map(nodes.len(), |v| if nodes.is_hanging(v) { 1e9 } else { f(v) });
        nodes.constrain(&tree, &mut values);
        for v in values.ids() {
            prop_assert!((values[v] - f(v)).abs() < 1e-9);
        }
    }

    /// Edges lead from corner to corner along an axis, both ways where neither end hangs, and nothing that
    /// does not hang lies between.
    #[test]
    fn edges_join_corners(seed: u64, share in 0.1..0.6f64) {
        for grading in [Grading::Unrestricted, Grading::Graded] {
            let tree = random_tree(seed, share, grading);
            let nodes = Nodes::new(&tree);
            let edges = NodeEdges::new(&tree, &nodes);
            let mut standing: Vec<[i32; 3]> = Vec::new();
            for v in (0..nodes.len() as u32).map(NodeId).filter(|&v| !nodes.is_hanging(v)) {
                standing.push(nodes.place(v).to_array());
            }
            standing.sort_unstable();
            for v in (0..nodes.len() as u32).map(NodeId) {
                for (direction, &w) in edges.of_node(v).iter().enumerate() {
                    let (axis, up) = (direction / 2, direction & 1 == 1);
                    let side = |o: &usize| (o >> axis & 1 == 1) == up;
                    let at_wall = (0..8).filter(side).all(|o| nodes.cells(v)[o].is_none());
                    prop_assert_eq!(w.is_none(), nodes.is_hanging(v) || at_wall);
                    if w.is_none() {
                        continue;
                    }
                    let way = nodes.place(w) - nodes.place(v);
                    let length = way[axis];
                    prop_assert_eq!(length > 0, up);
                    prop_assert_eq!(way.abs().element_sum(), length.abs());
                    if !nodes.is_hanging(w) {
                        prop_assert_eq!(edges.of_node(w)[direction ^ 1], v);
                    }
                    for between in 1..length.abs() {
                        let mut p = nodes.place(v);
                        p[axis] += between * length.signum();
                        prop_assert!(standing.binary_search(&p.to_array()).is_err());
                    }
                }
            }
        }
    }

    /// Constrained fields agree on both sides of every face, whatever the levels there, and linear ones are
    /// exact.
    #[test]
    fn fields_at_corners_are_continuous(seed: u64, share in 0.1..0.6f64) {
        for grading in [Grading::Unrestricted, Grading::Graded] {
            let tree = random_tree(seed, share, grading);
            let nodes = Nodes::new(&tree);
            assert_corners_know_their_cells(&tree, &nodes);
            let at = |v: NodeId| tree.grid().position(nodes.place(v));
            let mut rough = crate::par::map(nodes.len(), |v: NodeId| noise(seed, at(v), 0));
            nodes.constrain(&tree, &mut rough);
            let linear = |p: DVec3| p.dot(DVec3::new(0.3, -1.7, 0.9)) + 0.2;
            let mut plane = crate::par::map(nodes.len(), |v: NodeId| {
                if nodes.is_hanging(v) { f64::NAN } else { linear(at(v)) }
            });
            nodes.constrain(&tree, &mut plane);
            let faces = SplitFaces::new(&tree);
            for k in (0..faces.len() as u32).map(FaceId) {
                let [lo, hi] = faces.sides(k);
                if lo.is_none() || hi.is_none() {
                    continue;
                }
                let size = faces.size(&tree, k);
                let mut p = tree.grid().position(faces.place(&tree, k));
                p[(faces.axis(k) + 1) % 3] += 0.31 * size;
                p[(faces.axis(k) + 2) % 3] -= 0.17 * size;
                let [a, b] = [lo, hi].map(|c| nodal::sample_in(&tree, &nodes, &rough, c, p));
                prop_assert!((a - b).abs() < 1e-12, "{p}: {a} and {b}");
                let exact = nodal::sample_in(&tree, &nodes, &plane, lo, p);
                prop_assert!((exact - linear(p)).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn contacts_list_all_that_touch(seed: u64, share in 0.1..0.3f64) {
        let tree = random_tree(seed, share, Grading::Graded);
        let contacts = Contacts::new(&tree);
        let touching = Touching::new(&tree, &contacts);
        for cell in tree.cells() {
            let half = tree.half_extent(tree.node_of(cell));
            let touches = |other: CellId| {
                let d = (tree.lattice_center(tree.node_of(other)) - tree.lattice_center(tree.node_of(cell))).abs();
                d.max_element() <= half + tree.half_extent(tree.node_of(other))
            };
            let mut all: Vec<CellId> = tree.cells().filter(|&o| touches(o)).collect();
            let regular = all.iter().all(|&o| tree.level(o) == tree.level(cell));
            prop_assert_eq!(contacts.is_regular(cell), regular);
            let mut listed = touching.of_cell(cell).to_vec();
            listed.sort_unstable();
            if regular {
                all.clear();
            }
            prop_assert_eq!(listed, all);
        }
    }
}
