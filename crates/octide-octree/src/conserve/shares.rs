//! The cells at a point, with shares that change continuously with the point: near the side of a cell, the cells on both
//! sides of it have a share. Else rounding would decide which cell a point belongs to, and mirrored scenes would not give
//! mirrored results.

use glam::DVec3;
use octide_core::index::CellId;
use octide_core::octree::Octree;

/// Cells share points that are closer to their common side than this, in edges of the smaller cell.
const RAMP: f64 = 0.1;

/// Calls `f` with each cell that has a share in a point, and its share; the shares add up to one.
pub(super) fn for_each_share(tree: &Octree, x: DVec3, mut f: impl FnMut(CellId, f64)) {
    let cell = tree.nearest_leaf(x);
    let from_center = x - tree.center(cell);
    // The step across the nearest side along each axis, the share of what is there, and the cell.
    let mut across = [(0.0, 0.0, cell); 3];
    let mut is_shared = false;
    for axis in 0..3 {
        let (h, side) = (tree.size(cell), from_center[axis].signum());
        let to_side = 0.5 * h - from_center[axis].abs();
        if to_side < 0.0 || to_side >= RAMP * h {
            continue;
        }
        let mut beyond = x;
        beyond[axis] += side * 2.0 * to_side.max(1e-6 * h);
        let there = tree.nearest_leaf_from(cell, beyond);
        let ramp = RAMP * h.min(tree.size(there));
        if to_side < ramp {
            across[axis] = (beyond[axis] - x[axis], 0.5 * (1.0 - to_side / ramp), there);
            is_shared = true;
        }
    }
    if !is_shared {
        f(cell, 1.0);
        return;
    }
    for corner in 0..8_usize {
        let (mut at, mut share, mut known) = (x, 1.0, cell);
        for (axis, (step, part, there)) in across.into_iter().enumerate() {
            if corner >> axis & 1 == 1 {
                (at[axis], share, known) = (at[axis] + step, share * part, there);
            } else {
                share *= 1.0 - part;
            }
        }
        if share > 0.0 {
            let is_known = corner.count_ones() < 2;
            f(if is_known { known } else { tree.nearest_leaf_from(known, at) }, share);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::IVec3;
    use octide_core::octree::{Grading, RootGrid};

    #[test]
    fn shares_add_up_and_change_continuously() {
        let grid = RootGrid::new(DVec3::ZERO, 1.0 / 32.0, 3, IVec3::ZERO, IVec3::splat(4), |_| true);
        let tree =
            Octree::build(&grid, Grading::Graded, |c| (c.center - DVec3::splat(0.3)).length() < c.size);
        // A smooth field of cells: the mean by shares may not jump along a line.
        let mean = |x: DVec3| {
            let (mut sum, mut mean) = (0.0, 0.0);
            for_each_share(&tree, x, |c, share| {
                sum += share;
                mean += share * tree.center(c).dot(DVec3::new(1.0, 0.7, -0.4));
            });
            assert!((sum - 1.0).abs() < 1e-14, "{sum} at {x}");
            mean
        };
        let n = 20_000;
        let along =
            |i: usize| DVec3::new(0.11, 0.15, 0.13) + i as f64 / n as f64 * DVec3::new(0.6, 0.5, 0.43);
        for i in 0..n {
            let jump = (mean(along(i + 1)) - mean(along(i))).abs();
            assert!(jump < 2e-3, "{jump} at {}", along(i));
        }
        // On the very side of two cells, each has half.
        let (c, mut n) = (tree.nearest_leaf(DVec3::splat(0.3)), 0);
        let side = tree.center(c) + 0.5 * tree.size(c) * DVec3::X;
        for_each_share(&tree, side, |_, share| {
            assert!((share - 0.5).abs() < 1e-5, "{share}");
            n += 1;
        });
        assert_eq!(n, 2);
    }
}
