//! The two kinds of unknowns that are interpolated: values at cells, and velocities on faces.

use super::{Sample, Samples};
use crate::mesh::Mesh;
use glam::DVec3;
use octide_core::index::{CellId, FaceId, Field, TreeId};
use octide_core::octree::nodal;

/// Returns the next cell along an axis from a regular cell; at a wall the cell itself, which mirrors the
/// sample.
#[inline]
pub(super) fn step_to(mesh: &Mesh, node: TreeId, axis: usize, side: usize) -> TreeId {
    let next = mesh.tree.neighbor(node, 2 * axis + side);
    if next.is_some() { next } else { node }
}

/// One value per cell.
pub(super) struct CellSamples<'a>(pub &'a Field<CellId, f64>);

impl CellSamples<'_> {
    /// Returns the eight cells around a point in a regular cell, and the point's position between them.
    #[inline]
    pub fn corners(mesh: &Mesh, cell: CellId, r: DVec3) -> ([CellId; 8], DVec3) {
        let mut t = r.abs();
        let mut nodes = [mesh.tree.node_of(cell); 8];
        for axis in 0..3 {
            let mut side = usize::from(r[axis] >= 0.0);
            if mesh.tree.neighbor(nodes[0], 2 * axis + side).is_none() {
                // Beyond the last samples before a wall, extend the line from the other side.
                side = 1 - side;
                t[axis] = -t[axis];
            }
            for i in 0..1 << axis {
                nodes[i | 1 << axis] = step_to(mesh, nodes[i], axis, side);
            }
        }
        (nodes.map(|n| mesh.tree.leaf_of(n)), t)
    }
}

impl Samples for CellSamples<'_> {
    const MIRRORED: bool = false;

    fn axis(&self) -> usize {
        3
    }

    /// Extends the line from the cells on the other side.
    fn beyond(&self, mesh: &Mesh, s: &Sample, side: usize) -> f64 {
        let (mut sum, mut n) = (0.0, 0);
        mesh.tree.for_face_neighbors(mesh.tree.leaf_of(s.nodes[0]), side ^ 1, &mut |c| {
            sum += self.0[c];
            n += 1;
        });
        // Four small cells are closer, and their mean lies straight across.
        match n {
            0 => 0.0,
            1 => s.value - sum,
            _ => (s.value - sum / f64::from(n)) / 0.75,
        }
    }

    #[inline]
    fn trilinear(&self, mesh: &Mesh, cell: CellId, r: DVec3) -> f64 {
        let (corners, t) = Self::corners(mesh, cell, r);
        nodal::trilinear(|i| self.0[corners[i]], t)
    }

    #[inline]
    fn for_around(&self, mesh: &Mesh, cell: CellId, f: &mut impl FnMut(Sample)) {
        mesh.for_touching(cell, |other| {
            let node = mesh.tree.node_of(other);
            let (place, size) = (mesh.tree.lattice_center(node), 2 * mesh.tree.half_extent(node));
            f(Sample { place, size, narrow: 6, nodes: [node; 2], value: self.0[other] });
        });
    }
}

/// The velocity component along an axis, on faces.
pub(super) struct FaceSamples<'a> {
    pub u: &'a Field<FaceId, f64>,
    pub axis: usize,
}

impl Samples for FaceSamples<'_> {
    const MIRRORED: bool = true;

    fn axis(&self) -> usize {
        self.axis
    }

    fn beyond(&self, _: &Mesh, _: &Sample, _: usize) -> f64 {
        0.0
    }

    #[inline]
    fn trilinear(&self, mesh: &Mesh, cell: CellId, r: DVec3) -> f64 {
        let a = self.axis;
        let (b, c) = ((a + 1) % 3, (a + 2) % 3);
        let home = mesh.tree.node_of(cell);
        let (sb, sc) = (usize::from(r[b] >= 0.0), usize::from(r[c] >= 0.0));
        let nb = step_to(mesh, home, b, sb);
        let nc = step_to(mesh, home, c, sc);
        let nbc = step_to(mesh, nb, c, sc);
        let (tb, tc, ta) = (r[b].abs(), r[c].abs(), r[a] + 0.5);
        let along = |node: TreeId| {
            let faces = mesh.faces.of_cell(mesh.tree.leaf_of(node));
            let (lo, hi) = (self.u[faces[2 * a]], self.u[faces[2 * a + 1]]);
            lo + ta * (hi - lo)
        };
        let (v, vb, vc, vbc) = (along(home), along(nb), along(nc), along(nbc));
        let (near, far) = (v + tb * (vb - v), vc + tb * (vbc - vc));
        near + tc * (far - near)
    }

    #[inline]
    fn for_around(&self, mesh: &Mesh, cell: CellId, f: &mut impl FnMut(Sample)) {
        let (tree, faces) = (&mesh.tree, &mesh.faces);
        let home = tree.node_of(cell);
        let (center, half) = (tree.lattice_center(home), tree.half_extent(home));
        let touches = |node: TreeId| {
            let apart = (tree.lattice_center(node) - center).abs().max_element();
            apart <= half + tree.half_extent(node)
        };
        // Small cells whose large neighbor does not touch the query's cell share a face that none of them
        // owns.
        let mut shared = [FaceId::NONE; 24];
        let mut n_shared = 0;
        mesh.for_touching(cell, |other| {
            let node = tree.node_of(other);
            let level = tree.node_level(node);
            for side in 0..2 {
                let beyond = tree.neighbor(node, 2 * self.axis + side);
                // A face belongs to its large cell; between cells of equal size to the lower one, at a wall
                // to its only cell.
                let (is_some, is_small) =
                    (beyond.is_some(), beyond.is_some() && tree.node_level(beyond) < level);
                let is_fine = is_some && !is_small && !tree.is_leaf(beyond);
                let is_own = side == 1 || !is_some || is_fine;
                if (is_small || !is_own) && touches(beyond) {
                    continue;
                }
                let face = faces.of_cell(other)[2 * self.axis + side];
                if is_small {
                    if shared[..n_shared].contains(&face) {
                        continue;
                    }
                    debug_assert!(n_shared < shared.len(), "a cell meets few such faces");
                    shared[n_shared] = face;
                    n_shared += 1;
                }
                let large = if is_small { beyond } else { node };
                let half = tree.half_extent(large);
                let outward = side ^ usize::from(is_small);
                let mut place = tree.lattice_center(large);
                place[self.axis] += if outward == 1 { half } else { -half };
                // The small cells are on the other side of the face than the large one.
                let narrow = if is_small || is_fine { 2 * self.axis + outward } else { 6 };
                let nodes = faces.sides(face);
                f(Sample { place, size: 2 * half, narrow, nodes, value: self.u[face] });
            }
        });
    }
}
