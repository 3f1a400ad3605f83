//! The content of cells from one tree to another. Small cells add up to a large one. A large cell is divided as φ
//! divides it on the new tree; what it has more or less than that is shared by the cells that the surface cuts.

use octide_core::index::{CellId, Field, TreeId};
use octide_core::octree::Octree;
use octide_core::par;

/// Returns the content of the cells of `new`, from that of the cells of `old`; `in_phi` is the volume of φ in the
/// cells of `new`, and `open` the fraction of a cell of `new` that solids leave.
pub(super) fn transfer(
    old: &Octree,
    content: &Field<CellId, f64>,
    new: &Octree,
    in_phi: &Field<CellId, f64>,
    open: impl Fn(CellId) -> f64 + Sync + Send,
) -> Field<CellId, f64> {
    let room = |c: CellId| new.size(c).powi(3) * open(c).max(LEAST_OPEN);
    // What φ does not account for in cells of `old` that are divided, and how it is shared.
    let rest = par::map(old.n_cells(), |c: CellId| {
        let node = old.node_of(c);
        let there = new.find(old.node_level(node), old.coord(node));
        if there.is_none() || new.is_leaf(there) || new.node_level(there) != old.node_level(node) {
            return (0.0, Weight::Whole);
        }
        let (mut volume, mut sums) = (0.0, [0.0; 3]);
        for_leaves(new, there, &mut |n| {
            volume += in_phi[n];
            for (sum, weight) in sums.iter_mut().zip(Weight::ALL) {
                *sum += weight.of(room(n), in_phi[n]);
            }
        });
        let least = 1e-9 * old.size(c).powi(3);
        let first = (0..2).find(|&i| sums[i] > least).unwrap_or(2);
        ((content[c] - volume) / sums[first], Weight::ALL[first])
    });
    par::map(new.n_cells(), |n: CellId| {
        let node = new.node_of(n);
        let there = old.find(new.node_level(node), new.coord(node));
        if !old.is_leaf(there) {
            let mut sum = 0.0;
            for_leaves(old, there, &mut |c| sum += content[c]);
            return sum;
        }
        let c = old.leaf_of(there);
        if old.node_level(there) == new.node_level(node) {
            return content[c];
        }
        let (rate, weight) = rest[c];
        in_phi[n] + rate * weight.of(room(n), in_phi[n])
    })
}

/// Cells inside solids share as if this fraction of them were open, so that nothing is lost if all are.
const LEAST_OPEN: f64 = 1e-9;

/// By what small cells share what φ does not account for: by how much the surface cuts them, or if it cuts none by
/// their water, or if they have none by what solids leave of them.
#[derive(Clone, Copy)]
enum Weight {
    Cut,
    Water,
    Whole,
}

impl Weight {
    const ALL: [Self; 3] = [Self::Cut, Self::Water, Self::Whole];

    fn of(self, room: f64, in_phi: f64) -> f64 {
        match self {
            Self::Cut => in_phi * (1.0 - (in_phi / room).min(1.0)),
            Self::Water => in_phi,
            Self::Whole => room,
        }
    }
}

fn for_leaves(tree: &Octree, node: TreeId, f: &mut impl FnMut(CellId)) {
    if tree.is_leaf(node) {
        f(tree.leaf_of(node));
        return;
    }
    for octant in 0..8 {
        for_leaves(tree, tree.child(node, octant), f);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DVec3, IVec3};
    use octide_core::octree::{Grading, RootGrid};

    /// Returns a tree that is fine around a point.
    fn fine_at(x: f64) -> Octree {
        let grid = RootGrid::new(DVec3::ZERO, 1.0 / 32.0, 3, IVec3::ZERO, IVec3::splat(4), |_| true);
        Octree::build(&grid, Grading::Graded, |c| (c.center - DVec3::splat(x)).length() < c.size)
    }

    #[test]
    fn nothing_is_lost_between_trees() {
        let (old, new) = (fine_at(0.3), fine_at(0.6));
        // A surface that is not where the content says.
        let volume = |tree: &Octree, level: f64| {
            par::map(tree.n_cells(), |c: CellId| {
                let (y, h) = (tree.center(c).y, tree.size(c));
                h.powi(3) * (0.5 + (level - y) / h).clamp(0.0, 1.0)
            })
        };
        let content = volume(&old, 0.47);
        let moved = transfer(&old, &content, &new, &volume(&new, 0.45), |_| 1.0);
        let sum = |f: &Field<CellId, f64>| f.iter().sum::<f64>();
        assert!((sum(&moved) / sum(&content) - 1.0).abs() < 1e-14, "{} {}", sum(&moved), sum(&content));
        // Without a difference between content and surface, cells hold exactly what φ shows.
        let shown = volume(&new, 0.47);
        let moved = transfer(&old, &content, &new, &shown, |_| 1.0);
        for c in new.cells() {
            assert!((moved[c] - shown[c]).abs() < 1e-15, "{} {}", moved[c], shown[c]);
        }
    }
}
