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

    /// Returns the 18 faces across `axis` around any point in the middle cell: the two faces along the axis vary fastest,
    /// then the next axis, then the one after. `NONE` where there is no face of the cells' own size.
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
            // Between the cells of a whole block all faces are of their size.
            if self.is_whole || mesh.faces.level(face) == level { face } else { FaceId::NONE }
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

/// Returns the first of the two neighbors among −1, 0, 1 that a position `r` between −½ and ½ lies between, and the weights of
/// both.
#[inline]
fn pair(r: f64) -> (usize, [f64; 2]) {
    if r < 0.0 { (0, [-r, 1.0 - r.abs()]) } else { (1, [1.0 - r.abs(), r]) }
}

/// Interpolates 27 cells at `r` from the middle, in cell edges. Returns the value and its gradient per cell
/// edge.
#[inline]
pub fn value_and_gradient(values: &[f64; 27], r: DVec3) -> (f64, DVec3) {
    let side = r.to_array().map(|r| usize::from(r >= 0.0));
    let t = r + DVec3::from_array(side.map(|s| 1.0 - s as f64));
    let base = side[0] + 3 * side[1] + 9 * side[2];
    let v = |o: usize| values[base + (o & 1) + 3 * (o >> 1 & 1) + 9 * (o >> 2 & 1)];
    // At the four edges along x, and at the two along y that lead from one to the next.
    let edges = [0, 2, 4, 6].map(|o| (v(o), v(o | 1) - v(o)));
    let x = edges.map(|(low, dx)| low + t.x * dx);
    let dy = [x[1] - x[0], x[3] - x[2]];
    let y = [x[0] + t.y * dy[0], x[2] + t.y * dy[1]];
    let dx = [0, 2].map(|i| edges[i].1 + t.y * (edges[i + 1].1 - edges[i].1));
    let gradient = DVec3::new(dx[0] + t.z * (dx[1] - dx[0]), dy[0] + t.z * (dy[1] - dy[0]), y[1] - y[0]);
    (y[0] + t.z * (y[1] - y[0]), gradient)
}

/// The eight of the 18 faces across an axis that a point lies between.
pub struct Eight {
    axis: usize,
    /// The slot of the first of them.
    first: usize,
    /// The weights along the axis, the next one and the one after.
    weights: [[f64; 2]; 3],
    /// The offsets of the faces from the point along these axes, in cell edges.
    offsets: [[f64; 2]; 3],
}

impl Eight {
    /// Finds the faces across `axis` around `r`, in cell edges from the cell's center.
    #[inline]
    pub fn around(r: DVec3, axis: usize) -> Self {
        let [a, b, c] = [r[axis], r[(axis + 1) % 3], r[(axis + 2) % 3]];
        let ((j, wb), (k, wc)) = (pair(b), pair(c));
        let from = |low: f64, r: f64| [low - r, low + 1.0 - r];
        Self {
            axis,
            first: 2 * j + 6 * k,
            weights: [[0.5 - a, 0.5 + a], wb, wc],
            offsets: [from(-0.5, a), from(j as f64 - 1.0, b), from(k as f64 - 1.0, c)],
        }
    }

    /// Calls `f` with each face's slot in [`Block::faces`], its trilinear weight, and the change from the point to the face
    /// of a linear function with the gradient `g` per cell edge.
    #[inline]
    pub fn for_each(&self, g: DVec3, mut f: impl FnMut(usize, f64, f64)) {
        let (b, c) = ((self.axis + 1) % 3, (self.axis + 2) % 3);
        let [wa, wb, wc] = self.weights;
        let [along, over_b, over_c] = self.offsets;
        for k in 0..2 {
            for j in 0..2 {
                let bc = wb[j] * wc[k];
                for i in 0..2 {
                    let mut parts = [0.0; 3];
                    parts[self.axis] = g[self.axis] * along[i];
                    (parts[b], parts[c]) = (g[b] * over_b[j], g[c] * over_c[k]);
                    f(self.first + i + 2 * j + 6 * k, wa[i] * bc, parts[0] + parts[1] + parts[2]);
                }
            }
        }
    }

    /// Interpolates 18 faces. Returns the value and its gradient per cell edge.
    #[inline]
    pub fn interpolate(&self, values: &[f64; 18]) -> (f64, DVec3) {
        const SLOPES: [f64; 2] = [-1.0, 1.0];
        let [wa, wb, wc] = self.weights;
        let (mut value, mut along, mut over_b, mut over_c) = (0.0, 0.0, 0.0, 0.0);
        for k in 0..2 {
            for j in 0..2 {
                let slot = self.first + 2 * j + 6 * k;
                let (low, high) = (values[slot], values[slot + 1]);
                let mean = low + wa[1] * (high - low);
                value += wb[j] * wc[k] * mean;
                along += wb[j] * wc[k] * (high - low);
                over_b += SLOPES[j] * wc[k] * mean;
                over_c += wb[j] * SLOPES[k] * mean;
            }
        }
        let mut gradient = DVec3::ZERO;
        gradient[self.axis] = along;
        gradient[(self.axis + 1) % 3] = over_b;
        gradient[(self.axis + 2) % 3] = over_c;
        (value, gradient)
    }
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
