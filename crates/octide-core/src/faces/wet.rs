//! The part of each cell that is outside solids, from the same linear distance as the apertures.
//!
//! ```text
//! closed           Σ_k A_k a_k n_k + c = 0               A_k a_k  open area of face k, n_k its outward normal
//! wet volume       V = ⅓ Σ_k A_k a_k (x_k − o)·n_k       c        vector area of the cut, toward the solid
//! swept flow       dV/dt = Σ_k (1 − A_k) a_k v_k·n_k     v_k      velocity of the solid on face k
//! ```
//!
//! The wet part of a cell is a polyhedron: the open parts of its faces, and triangles from the point o, the
//! middle of the lines in which the solid cuts the faces, to these lines. The triangles contain o, so that the
//! cones over the faces are the whole volume. A solid that cuts a cell twice has a point o for each closed
//! line. Cells at a T-junction have the small faces as sides, and cells on either side of a face see the same
//! open part of it.
//!
//! So a constant velocity has no net flow out of any wet part, exactly. The flow that solids sweep in a step is
//! the difference of wet volumes ([`swept_flow`]), which adds up over cells and steps exactly. What closed parts
//! of faces carry ([`solid_outflow`]), which is what a projection sees, is its derivative. For a rigid body that is
//! flat in the cell the two agree to the rounding of apertures. Elsewhere the linear distance is off by an amount
//! of second order, which changes as the body moves by a cell: they agree to first order. With cells of 1/16 and
//! 1/32, their mean difference is 10 % of the flow for a ball with a radius of 0.21, 13 % for a brick with edges.

use super::apertures::distance_at_corners;
use super::{Apertures, FaceCorners, FaceGeometry, FaceTable};
use crate::geometry::{cuts, negative_share};
use crate::index::{CellId, FaceId, Field, NodeId};
use crate::octree::side_corners;
use crate::par;
use crate::solids::Solids;
use glam::DVec3;

/// Ends of lines that are closer than this, in edges of their cell, are the same point.
const SAME: f64 = 1e-9;

/// The part of a cell outside solids.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WetCell {
    /// Its volume in m³.
    pub volume: f64,
    /// Its open area on each side in m² (−x, +x, −y, …).
    pub open: [f64; 6],
    /// The vector area in m² of the solid's surface in the cell; it points into the solid.
    pub cut: DVec3,
}

/// The parts of all cells outside solids, computed when they are asked for.
pub struct WetCells<'a, M> {
    mesh: &'a M,
    /// Distance to solids; empty without solids.
    at_center: Field<CellId, f64>,
    at_corner: Field<NodeId, f64>,
}

/// A line in which the surface of a solid cuts a side of a cell, in edges of the cell from its center.
type Line = [DVec3; 2];

impl<'a, M: FaceCorners> WetCells<'a, M> {
    /// Evaluates the distance to solids around the cells of a grid.
    pub fn new(mesh: &'a M, solids: &Solids) -> Self {
        if solids.is_empty() {
            return Self { mesh, at_center: Field::default(), at_corner: Field::default() };
        }
        let tree = mesh.tree();
        let at_center = par::map(tree.n_cells(), |c: CellId| solids.distance(tree.center(c)));
        let at_corner = distance_at_corners(mesh, solids, &at_center);
        Self { mesh, at_center, at_corner }
    }

    /// Returns the wet volume of each cell in m³.
    pub fn volumes(&self) -> Field<CellId, f64> {
        par::map(self.mesh.tree().n_cells(), |c: CellId| self.of(c).volume)
    }

    /// Returns the wet part of a cell.
    pub fn of(&self, cell: CellId) -> WetCell {
        let h = self.mesh.tree().size(cell);
        let whole =
            |share: f64| WetCell { volume: share * h.powi(3), open: [share * h * h; 6], cut: DVec3::ZERO };
        if self.at_center.is_empty() || self.at_center[cell] > h {
            return whole(1.0);
        }
        if self.at_center[cell] < -h {
            return whole(0.0);
        }
        let (open, lines) = self.sides(cell);
        let cut = DVec3::from_array([0, 1, 2].map(|a| open[2 * a] - open[2 * a + 1]));
        WetCell { volume: volume(&open, &lines) * h.powi(3), open: open.map(|a| a * h * h), cut: cut * h * h }
    }

    /// Returns the open area of each side of a cell, in squares of its edge, and the lines that separate the
    /// open parts, which are on their left as seen from outside.
    fn sides(&self, cell: CellId) -> ([f64; 6], Vec<Line>) {
        let tree = self.mesh.tree();
        let (node, h) = (tree.node_of(cell), tree.size(cell));
        let mut open = [0.0; 6];
        let mut lines = Vec::new();
        for direction in 0..6 {
            let mut square = |leaf: CellId, side: usize| {
                let nodes = self.mesh.nodes();
                let corners = side_corners(side).map(|c| nodes.of_cell(leaf)[c]);
                let values = corners.map(|v| self.at_corner[v]);
                let size = tree.size(leaf) / h;
                open[direction] += size * size * (1.0 - negative_share(values));
                let at = |v: NodeId| (tree.grid().position(nodes.place(v)) - tree.center(cell)) / h;
                let [a, b, _, d] = corners.map(at);
                let (found, n) = cuts(values);
                for line in &found[..n] {
                    let [from, to] = line.map(|[x, y]| a + x * (b - a) + y * (d - a));
                    // Corners are in order around the axis; seen from outside that is reversed on low sides.
                    lines.push(if direction & 1 == 1 { [to, from] } else { [from, to] });
                }
            };
            let beyond = tree.neighbor(node, direction);
            if beyond.is_some() && !tree.is_leaf(beyond) {
                tree.for_leaves_at(beyond, direction ^ 1, &mut |leaf| square(leaf, direction ^ 1));
            } else {
                square(cell, direction);
            }
        }
        (open, lines)
    }
}

/// Returns the volume in a unit cube around the origin with these open areas of its sides.
fn volume(open: &[f64; 6], lines: &[Line]) -> f64 {
    if lines.is_empty() {
        return open.iter().sum::<f64>() / 6.0;
    }
    let middle = |lines: &[&Line]| {
        let sum: DVec3 = lines.iter().map(|l| l[0] + l[1]).sum();
        sum / (2 * lines.len()) as f64
    };
    let from = |o: DVec3| -> f64 {
        let heights = (0..3).flat_map(|a| [0.5 + o[a], 0.5 - o[a]]);
        heights.zip(open).map(|(height, open)| height * open).sum::<f64>() / 3.0
    };
    let all: Vec<&Line> = lines.iter().collect();
    let Some(loops) = closed(lines).filter(|loops| loops.len() > 1) else {
        // Where an edge has a hanging corner, the sides that meet there may cut it at different points. The
        // gap is part of the edge, and cones from one point close it.
        return from(middle(&all)).clamp(0.0, 1.0);
    };
    let patches: f64 = loops
        .iter()
        .map(|l| {
            let o = middle(l);
            l.iter().map(|[a, b]| o.dot(b.cross(*a))).sum::<f64>() / 6.0
        })
        .sum();
    (from(DVec3::ZERO) + patches).clamp(0.0, 1.0)
}

/// Sorts lines into closed ones; `None` if some are not closed.
fn closed(lines: &[Line]) -> Option<Vec<Vec<&Line>>> {
    let mut left: Vec<&Line> = lines.iter().filter(|[a, b]| a.distance(*b) > SAME).collect();
    let mut loops = Vec::new();
    while let Some(first) = left.pop() {
        let mut chain = vec![first];
        let mut end = first[1];
        while end.distance(first[0]) > SAME {
            let next = left.iter().position(|l| l[0].distance(end) <= SAME)?;
            let line = left.swap_remove(next);
            chain.push(line);
            end = line[1];
        }
        loops.push(chain);
    }
    Some(loops)
}

/// Returns the flow that solids sweep into each cell in a step of length `dt` in m³/s: how fast its wet volume
/// grows.
pub fn swept_flow(before: &Field<CellId, f64>, after: &Field<CellId, f64>, dt: f64) -> Field<CellId, f64> {
    par::map(before.len(), |c: CellId| (after[c] - before[c]) / dt)
}

/// Returns the flow of solids out of each cell in m³/s, through the closed parts of its faces.
pub fn solid_outflow(mesh: &impl FaceGeometry, apertures: &Apertures) -> Field<CellId, f64> {
    let tree = mesh.tree();
    let mut out = Field::filled(tree.n_cells(), 0.0);
    for k in (0..mesh.n_faces() as u32).map(FaceId) {
        let closed = (1.0 - apertures.open(k)) * apertures.solid_velocity(k);
        let small = apertures.small(k);
        if closed == 0.0 && small.is_none() {
            continue;
        }
        let (size, mut i) = (mesh.face_size(k), 0);
        mesh.faces().for_cells_beside(tree, k, |c, is_high| {
            // At a merged T-junction, a small cell has a quarter of the face.
            let is_small = tree.size(c) < size;
            let flow = match small {
                Some(small) if is_small => (1.0 - small.open(i)) * small.velocity(i),
                _ => closed,
            };
            i += usize::from(is_small);
            let area = if is_small { tree.size(c).powi(2) } else { size * size };
            out[c] += if is_high { -flow * area } else { flow * area };
        });
    }
    out
}

#[cfg(test)]
mod tests;
