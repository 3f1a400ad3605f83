//! The water in the cells that boxes are cut from: everywhere in the cell, or behind the plane with the normal of φ that leaves
//! the cell's content behind it.

use super::EMPTY;
use crate::mesh::Mesh;
use crate::volume::{cell_gradient, fraction_behind_plane};
use glam::DVec3;
use octide_core::index::{CellId, Field};
use octide_core::octree::Octree;
use octide_core::par;
use octide_core::volume::plane_of_fraction;

/// Cells whose centers are farther than this from the surface, in their edges, are full or empty.
const PLANE_CELLS: f64 = 3.0;

/// A box is cut this often at most: on three axes, at T-junctions twice.
const MOST_CUTS: u32 = 6;

/// Slivers of boxes thinner than this many cells are left out.
const SLIVER: f64 = 1e-12;

/// A point is clearly inside a cell if it is at least this part of the cell's half edge away from its sides.
const CLEARLY: f64 = 1e-9;

/// The water in a cell.
#[derive(Clone, Copy)]
enum Filling {
    /// This liquid fraction everywhere: that of the cell far from the surface, and more than 1 in a cell that has more than it
    /// holds.
    Everywhere(f32),
    /// Behind the plane of this number.
    Plane(u32),
}

/// The linear function that is negative in the water of a cell.
#[derive(Clone, Copy)]
struct Plane {
    /// The gradient of φ.
    slope: DVec3,
    /// The value at the cell's center.
    offset: f64,
}

impl Filling {
    /// Returns what fills the whole cell.
    fn whole(self) -> Whole {
        match self {
            Self::Everywhere(1.0) => Whole::Water,
            Self::Everywhere(0.0) => Whole::Air,
            _ => Whole::Neither,
        }
    }
}

/// What fills the whole of some cells: one of three bits.
#[derive(Clone, Copy, PartialEq)]
enum Whole {
    Water = 1,
    Air = 2,
    Neither = 4,
}

/// What fills each cell.
pub(super) struct Fillings {
    of_cell: Field<CellId, Filling>,
    /// The planes of the cells that have one, in order.
    planes: Vec<Plane>,
    /// The bits of [`Whole`] of each cell and all that touch it.
    around: Field<CellId, u8>,
}

impl Fillings {
    /// Finds the planes, with the normals of φ.
    pub fn new(mesh: &Mesh, phi: &Field<CellId, f64>, filled: impl Fn(CellId) -> f64 + Sync + Send) -> Self {
        let mut of_cell = par::map(mesh.n_cells(), |c: CellId| match filled(c) {
            f if f <= EMPTY => Filling::Everywhere(0.0),
            f if (f - 1.0).abs() <= EMPTY => Filling::Everywhere(1.0),
            f if f > 1.0 || phi[c].abs() > PLANE_CELLS * mesh.tree.size(c) => Filling::Everywhere(f as f32),
            _ => Filling::Plane(0),
        });
        let cut = par::collect(mesh.n_cells(), |i, out: &mut Vec<CellId>| {
            if matches!(of_cell[CellId(i as u32)], Filling::Plane(_)) {
                out.push(CellId(i as u32));
            }
        });
        let planes = par::map_index(cut.len(), |i| {
            let slope = cell_gradient(mesh, phi, cut[i]);
            Plane { slope, offset: plane_of_fraction(mesh.tree.size(cut[i]) * slope, filled(cut[i])) }
        });
        for (i, &c) in cut.iter().enumerate() {
            of_cell[c] = Filling::Plane(i as u32);
        }
        let mut around = par::map(mesh.n_cells(), |c: CellId| of_cell[c].whole() as u8);
        // Along one axis after another: this way the cells across edges and corners are reached, too.
        for axis in 0..3 {
            around = par::map(mesh.n_cells(), |c: CellId| {
                let mut all = around[c];
                for side in 0..2 {
                    mesh.tree.for_face_neighbors(c, 2 * axis + side, &mut |j| all |= around[j]);
                }
                all
            });
        }
        Self { of_cell, planes, around }
    }

    /// Returns the liquid fraction of a box. `near` is a cell nearby, which is replaced by that of the center of the box.
    pub fn wet_fraction(&self, tree: &Octree, near: &mut CellId, swept: Swept) -> f64 {
        let c = tree.nearest_leaf_from(*near, swept.x);
        *near = c;
        let is_all = |whole: Whole| self.around[c] == whole as u8;
        if (is_all(Whole::Water) || is_all(Whole::Air)) && {
            // Cells that touch this one are at least half as large.
            let reach = 0.5 * (swept.edges + swept.edges[swept.axis] * swept.way.abs());
            (swept.x - tree.center(c)).abs().max_element() + reach.max_element() < tree.size(c)
        } {
            return if is_all(Whole::Water) { 1.0 } else { 0.0 };
        }
        self.wet_fraction_in(tree, c, swept, MOST_CUTS)
    }

    /// Returns the liquid fraction of a box with its center in a cell.
    fn wet_fraction_in(&self, tree: &Octree, c: CellId, swept: Swept, depth: u32) -> f64 {
        let Swept { x, edges, axis, way } = swept;
        let (at, h) = (tree.center(c), tree.size(c));
        let (low, high) = (x - 0.5 * edges, x + 0.5 * edges);
        let bounds = [at - 0.5 * h, at + 0.5 * h];
        let slack = SLIVER * h;
        let is_inside = |a: usize| bounds[0][a] <= low[a] + slack && high[a] <= bounds[1][a] + slack;
        if depth == 0 || (0..3).all(is_inside) || (x - at).abs().max_element() > 0.5 * h + slack {
            return self.wet_part(tree, c, swept);
        }
        // The box is cut along the first axis on which it leaves the cell.
        let a = (0..3).find(|&a| !is_inside(a)).unwrap_or(0);
        let cuts = [low[a], bounds[0][a].max(low[a]), bounds[1][a].min(high[a]), high[a]];
        let (mut sum, mut length) = (0.0, 0.0);
        for pair in cuts.windows(2).filter(|pair| pair[1] - pair[0] > slack) {
            let mut part = swept;
            let by = 0.5 * (pair[0] + pair[1]) - x[a];
            part.x += by * if a == axis { way } else { DVec3::AXES[a] };
            part.edges[a] = pair[1] - pair[0];
            length += part.edges[a];
            let there = leaf_near(tree, c, part.x);
            sum += part.edges[a] * self.wet_fraction_in(tree, there, part, depth - 1);
        }
        sum / length
    }

    /// Returns the liquid fraction of a box, by the plane of a cell.
    fn wet_part(&self, tree: &Octree, c: CellId, Swept { x, edges, axis, way }: Swept) -> f64 {
        let Plane { slope: g, offset } = match self.of_cell[c] {
            Filling::Everywhere(fraction) => return f64::from(fraction),
            Filling::Plane(i) => self.planes[i as usize],
        };
        let mut n = g * edges;
        n[axis] = g.dot(way) * edges[axis];
        fraction_behind_plane(n, offset + g.dot(x - tree.center(c)))
    }
}

/// Returns the leaf that contains a point near the leaf `c`: soon if that is `c`, or a cell of its size beside it.
#[inline]
fn leaf_near(tree: &Octree, c: CellId, x: DVec3) -> CellId {
    let (r, half) = (x - tree.center(c), 0.5 * tree.size(c));
    let inner = (1.0 - CLEARLY) * half;
    let is_in = |a: usize| r[a].abs() < inner;
    match [is_in(0), is_in(1), is_in(2)] {
        [true, true, true] => return c,
        [false, true, true] | [true, false, true] | [true, true, false] => {
            let a = (0..3).find(|&a| !is_in(a)).unwrap_or(0);
            let node = tree.node_of(c);
            let beside = tree.neighbor(node, 2 * a + usize::from(r[a] > 0.0));
            let is_equal =
                beside.is_some() && tree.is_leaf(beside) && tree.node_level(beside) == tree.node_level(node);
            if is_equal && (r[a].abs() - 2.0 * half).abs() < inner {
                return tree.leaf_of(beside);
            }
        }
        _ => {}
    }
    tree.nearest_leaf_from(c, x)
}

/// A box that a part of a face sweeps. It is oblique: its sides follow the flow.
#[derive(Clone, Copy)]
pub(super) struct Swept {
    /// Its center.
    pub x: DVec3,
    /// Its edges along the axes.
    pub edges: DVec3,
    /// The axis of the face ...
    pub axis: usize,
    /// ... and where the flow goes on a way of 1 along it.
    pub way: DVec3,
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::IVec3;
    use octide_core::octree::{Grading, RootGrid};

    #[test]
    fn boxes_hold_what_is_below_a_flat_surface_and_need_not_be_cut_where_cells_are_whole() {
        let grid = RootGrid::new(DVec3::ZERO, 1.0 / 16.0, 2, IVec3::ZERO, IVec3::splat(4), |_| true);
        let level = 0.41;
        let tree = Octree::build(&grid, Grading::Graded, |c| (c.center.y - level).abs() < 1.5 * c.size);
        let mesh = Mesh::new(tree);
        let phi = par::map(mesh.n_cells(), |c: CellId| mesh.tree.center(c).y - level);
        let filled = |c: CellId| {
            let h = mesh.tree.size(c);
            fraction_behind_plane(h * DVec3::Y, phi[c])
        };
        let fillings = Fillings::new(&mesh, &phi, filled);
        let mut n_cut = 0;
        for c in mesh.tree.cells() {
            let h = mesh.tree.size(c);
            let part = |k: u32| f64::from((c.0 * 37 + k * 29) % 17) / 17.0 - 0.5;
            let x = mesh.tree.center(c) + h * DVec3::new(part(1), part(2), part(3));
            let edges = h * DVec3::new(0.3, 1.0, 1.0);
            if (x - 0.5).abs().max_element() > 0.5 - h {
                continue;
            }
            for way in [DVec3::X, DVec3::new(1.0, part(4), part(5))] {
                let swept = Swept { x, edges, axis: 0, way };
                let found = fillings.wet_fraction(&mesh.tree, &mut { c }, swept);
                let there = mesh.tree.nearest_leaf(x);
                assert_eq!(found, fillings.wet_fraction_in(&mesh.tree, there, swept, MOST_CUTS));
                if way == DVec3::X {
                    let exact = fraction_behind_plane(edges.y * DVec3::Y, x.y - level);
                    assert!((found - exact).abs() < 1e-9, "{found} {exact}");
                    n_cut += usize::from(exact > 0.0 && exact < 1.0);
                }
            }
        }
        assert!(n_cut > 100, "{n_cut}");
    }
}
