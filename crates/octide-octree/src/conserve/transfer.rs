//! The content of cells from one tree to another. Small cells add up to a large one. A large cell is divided as φ
//! divides it on the new tree; what it has a little more or less than that is shared by the cells that the surface cuts, and what
//! it has much more or less, by all.

use octide_core::index::{CellId, Field, TreeId};
use octide_core::octree::Octree;
use octide_core::par;

/// Returns the content of the cells of `new`, from that of the cells of `old`; `in_phi` is the volume of φ in the
/// cells of `new`, and `room` the volume that solids leave of them.
pub(super) fn transfer(
    old: &Octree,
    content: &Field<CellId, f64>,
    new: &Octree,
    in_phi: &Field<CellId, f64>,
    room: &Field<CellId, f64>,
) -> Field<CellId, f64> {
    let parts = par::map(old.n_cells(), |c: CellId| {
        let node = old.node_of(c);
        let there = new.find(old.node_level(node), old.coord(node));
        if there.is_none() || new.is_leaf(there) || new.node_level(there) != old.node_level(node) {
            return Parts::AsShown(0.0);
        }
        let (mut shown, mut cut, mut whole) = (0.0, 0.0, 0.0);
        for_leaves(new, there, &mut |n| {
            shown += in_phi[n];
            cut += in_phi[n] * air(in_phi[n], room[n]);
            whole += room[n];
        });
        Parts::of(content[c], [shown, cut, whole], old.size(c))
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
        match parts[c] {
            Parts::AsShown(rate) => in_phi[n] * (1.0 + rate * air(in_phi[n], room[n])),
            Parts::Less(rate) => in_phi[n] * rate,
            Parts::More(rate) => in_phi[n] + rate * (room[n] - in_phi[n]),
            Parts::Filled(rate) => room[n] * rate,
            Parts::Closed(density) => density * new.size(n).powi(3),
        }
    })
}

/// Returns the fraction of a cell's room that φ shows as air.
fn air(in_phi: f64, room: f64) -> f64 {
    if room > 0.0 { (1.0 - in_phi / room).max(0.0) } else { 0.0 }
}

/// How small cells share the content of a large one, with the rate that makes them add up to it. No part is negative, and
/// none is more than a cell holds if the large cell had not more than they hold together.
#[derive(Clone, Copy)]
enum Parts {
    /// As φ shows it, and the small difference where the surface cuts the cells.
    AsShown(f64),
    /// Less than φ shows, in the same proportion everywhere.
    Less(f64),
    /// More than φ shows, in proportion to the air.
    More(f64),
    /// More than the cells hold, in proportion to what they hold.
    Filled(f64),
    /// Solids leave nothing of the cells.
    Closed(f64),
}

impl Parts {
    fn of(content: f64, [shown, cut, whole]: [f64; 3], size: f64) -> Self {
        let rest = content - shown;
        let least = LEAST * size.powi(3);
        if rest.abs() <= cut {
            // Also if both are 0.
            Self::AsShown(if cut > 0.0 { rest / cut } else { 0.0 })
        } else if rest < 0.0 && shown > least {
            Self::Less(content / shown)
        } else if content <= whole && whole - shown > least {
            Self::More(rest / (whole - shown))
        } else if whole > least {
            Self::Filled(content / whole)
        } else {
            Self::Closed(content / size.powi(3))
        }
    }
}

/// Less than this fraction of a cell is nothing.
const LEAST: f64 = 1e-9;

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
        let room = par::map(new.n_cells(), |c: CellId| new.size(c).powi(3));
        let moved = transfer(&old, &content, &new, &volume(&new, 0.45), &room);
        let sum = |f: &Field<CellId, f64>| f.iter().sum::<f64>();
        assert!((sum(&moved) / sum(&content) - 1.0).abs() < 1e-14, "{} {}", sum(&moved), sum(&content));
        // Without a difference between content and surface, cells hold exactly what φ shows.
        let shown = volume(&new, 0.47);
        let moved = transfer(&old, &content, &new, &shown, &room);
        for c in new.cells() {
            assert!((moved[c] - shown[c]).abs() < 1e-15, "{} {}", moved[c], shown[c]);
        }
    }
}
