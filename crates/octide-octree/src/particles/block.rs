//! The 27 cells of one level around a cell, for sums and samples with the trilinear kernel.

use crate::mesh::Mesh;
use glam::DVec3;
use octide_core::index::{CellId, FaceId, Field, TreeId};
use octide_core::octree::around;

/// A cell and its neighbors of the same size, with the cell in the middle; x varies fastest. The cell in
/// front of a wall also takes the place of the one beyond it. `NONE` where the tree is coarser or finer.
pub struct Block {
    cells: [CellId; 27],
    is_whole: bool,
}

/// The index of the middle cell.
pub const MIDDLE: usize = 13;

/// The index stride in a block along each axis.
const STRIDE: [usize; 3] = [1, 3, 9];

impl Block {
    /// Collects the cells around `cell`.
    pub fn around(mesh: &Mesh, cell: CellId) -> Self {
        let tree = &mesh.tree;
        let node = tree.node_of(cell);
        let level = tree.node_level(node);
        let of_this_level = |n: TreeId| n.is_some() && tree.node_level(n) == level;
        let mut cells =
            around(tree, node).map(|n| if of_this_level(n) { tree.leaf_of(n) } else { CellId::NONE });
        let is_whole = cells.iter().all(|c| c.is_some());
        if is_whole {
            return Self { cells, is_whole };
        }
        for axis in 0..3 {
            for side in 0..2 {
                if mesh.tree.neighbor(node, 2 * axis + side).is_none() {
                    mirror(&mut cells, axis, side);
                }
            }
        }
        Self { cells, is_whole }
    }

    /// Returns whether all 27 cells exist: no wall and no change of level.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Returns the cells, x fastest.
    pub fn cells(&self) -> &[CellId; 27] {
        &self.cells
    }

    /// Returns the 18 faces across `axis` around any point in the middle cell, in the order of
    /// [`face_weights`]. `NONE` where there is no face of the cells' own size.
    pub fn faces(&self, mesh: &Mesh, axis: usize) -> [FaceId; 18] {
        let (b, c) = (STRIDE[(axis + 1) % 3], STRIDE[(axis + 2) % 3]);
        let level = mesh.tree.grid().max_level();
        std::array::from_fn(|slot| {
            let (i, j, k) = (slot & 1, slot / 2 % 3, slot / 6);
            let cell = self.cells[MIDDLE - b - c + j * b + k * c];
            if cell.is_none() {
                return FaceId::NONE;
            }
            let face = mesh.faces.of_cell(cell)[2 * axis + i];
            if mesh.faces.level(face) == level { face } else { FaceId::NONE }
        })
    }
}

fn mirror(cells: &mut [CellId; 27], axis: usize, side: usize) {
    let (s, b, c) = (STRIDE[axis], STRIDE[(axis + 1) % 3], STRIDE[(axis + 2) % 3]);
    for j in 0..3 {
        for k in 0..3 {
            let at = j * b + k * c;
            cells[at + 2 * side * s] = cells[at + s];
        }
    }
}

/// Returns the weights of three neighbors at −1, 0, 1 for a position `r` between −½ and ½.
#[inline]
fn row(r: f64) -> [f64; 3] {
    [(-r).max(0.0), 1.0 - r.abs(), r.max(0.0)]
}

/// Interpolates 27 cells at `r` from the middle, in cell edges. Returns the value and its gradient per cell
/// edge.
#[inline]
pub fn value_and_gradient(values: &[f64; 27], r: DVec3) -> (f64, DVec3) {
    let side = r.to_array().map(|r| usize::from(r >= 0.0));
    let t = r + DVec3::from_array(side.map(|s| 1.0 - s as f64));
    let base = side[0] + 3 * side[1] + 9 * side[2];
    let v = |o: usize| values[base + (o & 1) + 3 * (o >> 1 & 1) + 9 * (o >> 2 & 1)];
    let x = |o: usize| v(o) + t.x * (v(o | 1) - v(o));
    let y = |o: usize| x(o) + t.y * (x(o | 2) - x(o));
    let dx = |o: usize| v(o | 1) - v(o);
    let dx = |o: usize| dx(o) + t.y * (dx(o | 2) - dx(o));
    let dy = |o: usize| x(o | 2) - x(o);
    let gradient = DVec3::new(dx(0) + t.z * (dx(4) - dx(0)), dy(0) + t.z * (dy(4) - dy(0)), y(4) - y(0));
    (y(0) + t.z * (y(4) - y(0)), gradient)
}

/// Returns trilinear weights of the 18 faces across `axis` at `r` from the cell's center, in cell edges: the
/// two faces along the axis vary fastest, then the next axis, then the one after.
#[inline]
pub fn face_weights(r: DVec3, axis: usize) -> [f64; 18] {
    let a = [0.5 - r[axis], 0.5 + r[axis]];
    let (b, c) = (row(r[(axis + 1) % 3]), row(r[(axis + 2) % 3]));
    let mut w = [0.0; 18];
    for k in 0..3 {
        for j in 0..3 {
            let bc = b[j] * c[k];
            w[6 * k + 2 * j] = a[0] * bc;
            w[6 * k + 2 * j + 1] = a[1] * bc;
        }
    }
    w
}

/// Returns the positions of the 18 faces across `axis` relative to the cell's center, in cell edges.
#[inline]
pub fn face_place(axis: usize, slot: usize) -> DVec3 {
    let mut p = DVec3::ZERO;
    p[axis] = (slot & 1) as f64 - 0.5;
    p[(axis + 1) % 3] = (slot / 2 % 3) as f64 - 1.0;
    p[(axis + 2) % 3] = (slot / 6) as f64 - 1.0;
    p
}

/// Interpolates 18 faces. Returns the value and its gradient per cell edge.
#[inline]
pub fn interpolate_faces(values: &[f64; 18], r: DVec3, axis: usize) -> (f64, DVec3) {
    let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
    let slope = |r: f64| if r < 0.0 { [-1.0, 1.0, 0.0] } else { [0.0, -1.0, 1.0] };
    let (wb, wc) = (row(r[b]), row(r[c]));
    let (sb, sc) = (slope(r[b]), slope(r[c]));
    let t = 0.5 + r[axis];
    let (mut value, mut along, mut over_b, mut over_c) = (0.0, 0.0, 0.0, 0.0);
    for k in 0..3 {
        for j in 0..3 {
            let (low, high) = (values[6 * k + 2 * j], values[6 * k + 2 * j + 1]);
            let mean = low + t * (high - low);
            value += wb[j] * wc[k] * mean;
            along += wb[j] * wc[k] * (high - low);
            over_b += sb[j] * wc[k] * mean;
            over_c += wb[j] * sc[k] * mean;
        }
    }
    let mut gradient = DVec3::ZERO;
    gradient[axis] = along;
    gradient[b] = over_b;
    gradient[c] = over_c;
    (value, gradient)
}

/// Returns the offset of `x` from a cell's center in cell edges.
#[inline]
pub fn offset(mesh: &Mesh, cell: CellId, x: DVec3) -> DVec3 {
    (x - mesh.tree.center(cell)) / mesh.tree.size(cell)
}

/// Returns the values of a field in a block; the middle cell's value where there is no cell.
#[inline]
pub fn values(block: &Block, field: &Field<CellId, f64>) -> [f64; 27] {
    let middle = field[block.cells[MIDDLE]];
    block.cells.map(|c| if c.is_some() { field[c] } else { middle })
}
