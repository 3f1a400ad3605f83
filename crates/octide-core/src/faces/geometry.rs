//! Positions of the faces of a tree, for T-junctions that are merged to the large face or split into small
//! ones.

use crate::index::{CellId, FaceId, NodeId, TreeId};
use crate::octree::{
    Lattice, MergedFaces, Nodes, Octree, SplitFaces, domain_side, side_corners, side_octants,
};
use glam::DVec3;

/// A table of the faces of a tree.
pub trait FaceTable: Sync {
    /// Returns the number of faces.
    fn n_faces(&self) -> usize;
    /// Returns the axis that a face is normal to.
    fn axis(&self, face: FaceId) -> usize;
    /// Returns the side of the domain that a face lies on (−x, +x, −y, …); `None` inside.
    fn side_of(&self, face: FaceId) -> Option<usize>;
    /// Returns a face's center.
    fn place(&self, tree: &Octree, face: FaceId) -> Lattice;
    /// Returns a face's edge length.
    fn size(&self, tree: &Octree, face: FaceId) -> f64;
    /// Returns a face's corners, in order around it.
    fn corners(&self, tree: &Octree, nodes: &Nodes, face: FaceId) -> [NodeId; 4];
    /// Returns the corners of the four small faces that a face was merged from, if it is a T-junction; in the
    /// order of the small cells in its stencil.
    fn small_corners(&self, _: &Octree, _: &Nodes, _: FaceId) -> Option<[[NodeId; 4]; 4]> {
        None
    }
    /// Calls `f` with the cells beside a face, and whether they are on its high side.
    fn for_cells_beside(&self, tree: &Octree, face: FaceId, f: impl FnMut(CellId, bool));
    /// Returns the faces of a cell in one of six directions.
    fn of_cell_toward(&self, cell: CellId, direction: usize) -> &[FaceId];
}

/// A grid with velocity on its faces.
pub trait FaceGeometry: Sync {
    /// The table of faces.
    type Faces: FaceTable;

    /// Returns the tree.
    fn tree(&self) -> &Octree;
    /// Returns the faces of the grid.
    fn faces(&self) -> &Self::Faces;

    /// Returns the number of faces.
    fn n_faces(&self) -> usize {
        self.faces().n_faces()
    }

    /// Returns the axis that a face is normal to.
    #[inline]
    fn axis(&self, face: FaceId) -> usize {
        self.faces().axis(face)
    }

    /// Returns the side of the domain that a face lies on (−x, +x, −y, …); `None` inside.
    #[inline]
    fn side_of(&self, face: FaceId) -> Option<usize> {
        self.faces().side_of(face)
    }

    /// Returns a face's center in m.
    #[inline]
    fn face_position(&self, face: FaceId) -> DVec3 {
        self.tree().grid().position(self.faces().place(self.tree(), face))
    }

    /// Returns a face's edge length in m.
    #[inline]
    fn face_size(&self, face: FaceId) -> f64 {
        self.faces().size(self.tree(), face)
    }
}

/// A grid with velocity on its faces that also has a table of corners.
pub trait FaceCorners: FaceGeometry {
    /// Returns the tree's corners.
    fn nodes(&self) -> &Nodes;

    /// Returns a face's corners, in order around it.
    #[inline]
    fn face_corners(&self, face: FaceId) -> [NodeId; 4] {
        self.faces().corners(self.tree(), self.nodes(), face)
    }
}

impl FaceTable for MergedFaces {
    fn n_faces(&self) -> usize {
        self.len()
    }

    #[inline]
    fn axis(&self, face: FaceId) -> usize {
        MergedFaces::axis(self, face)
    }

    #[inline]
    fn side_of(&self, face: FaceId) -> Option<usize> {
        let [low, high] = self.sides(face);
        domain_side(self.axis(face), low.is_none(), high.is_none())
    }

    #[inline]
    fn place(&self, tree: &Octree, face: FaceId) -> Lattice {
        MergedFaces::place(self, tree, face)
    }

    #[inline]
    fn size(&self, tree: &Octree, face: FaceId) -> f64 {
        tree.grid().cell_size(self.level(face))
    }

    /// Returns the corners of a face; at a T-junction these are the corners of the large cell's side.
    fn corners(&self, tree: &Octree, nodes: &Nodes, face: FaceId) -> [NodeId; 4] {
        let sides = self.sides(face);
        let side = usize::from(sides[0].is_none() || !tree.is_leaf(sides[0]));
        let corners = nodes.of_cell(tree.leaf_of(sides[side]));
        side_corners(2 * self.axis(face) + 1 - side).map(|o| corners[o])
    }

    fn small_corners(&self, tree: &Octree, nodes: &Nodes, face: FaceId) -> Option<[[NodeId; 4]; 4]> {
        let is_parent = |s: &TreeId| s.is_some() && !tree.is_leaf(*s);
        let side = self.sides(face).iter().position(is_parent)?;
        // The small cells touch the face with the side that faces the large cell.
        let direction = 2 * self.axis(face) + 1 - side;
        let parent = self.sides(face)[side];
        Some(side_octants(direction).map(|o| {
            let corners = nodes.of_cell(tree.leaf_of(tree.child(parent, o)));
            side_corners(direction).map(|c| corners[c])
        }))
    }

    fn for_cells_beside(&self, tree: &Octree, face: FaceId, mut f: impl FnMut(CellId, bool)) {
        for (side, node) in self.sides(face).into_iter().enumerate().filter(|(_, node)| node.is_some()) {
            if tree.is_leaf(node) {
                f(tree.leaf_of(node), side == 1);
                continue;
            }
            for o in side_octants(2 * self.axis(face) + 1 - side) {
                f(tree.leaf_of(tree.child(node, o)), side == 1);
            }
        }
    }

    #[inline]
    fn of_cell_toward(&self, cell: CellId, direction: usize) -> &[FaceId] {
        &self.of_cell(cell)[direction..=direction]
    }
}

impl FaceTable for SplitFaces {
    fn n_faces(&self) -> usize {
        self.len()
    }

    #[inline]
    fn axis(&self, face: FaceId) -> usize {
        SplitFaces::axis(self, face)
    }

    #[inline]
    fn side_of(&self, face: FaceId) -> Option<usize> {
        let [low, high] = self.sides(face);
        domain_side(self.axis(face), low.is_none(), high.is_none())
    }

    #[inline]
    fn place(&self, tree: &Octree, face: FaceId) -> Lattice {
        SplitFaces::place(self, tree, face)
    }

    #[inline]
    fn size(&self, tree: &Octree, face: FaceId) -> f64 {
        SplitFaces::size(self, tree, face)
    }

    #[inline]
    fn corners(&self, tree: &Octree, nodes: &Nodes, face: FaceId) -> [NodeId; 4] {
        let small = self.small_side(tree, face);
        let is_high = usize::from(self.sides(face)[0] == small);
        let corners = nodes.of_cell(small);
        side_corners(2 * self.axis(face) + is_high).map(|o| corners[o])
    }

    fn for_cells_beside(&self, _: &Octree, face: FaceId, mut f: impl FnMut(CellId, bool)) {
        for (side, cell) in self.sides(face).into_iter().enumerate().filter(|(_, c)| c.is_some()) {
            f(cell, side == 1);
        }
    }

    #[inline]
    fn of_cell_toward(&self, cell: CellId, direction: usize) -> &[FaceId] {
        self.of_cell(cell, direction)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::octree::Grading;
    use crate::scene::Domain;

    /// Returns a tree with T-junctions.
    fn tree() -> Octree {
        let domain = Domain { origin: DVec3::ZERO, size: DVec3::ONE, resolution: 8, levels: 2 };
        Octree::build(&domain.root_grid(), Grading::Graded, |b| b.center.length() < 0.8)
    }

    /// Checks center, size and corners of every face against each other, and returns the area of all of them.
    fn check(tree: &Octree, faces: &impl FaceTable) -> f64 {
        let nodes = Nodes::new(tree);
        let mut area = 0.0;
        for k in (0..faces.n_faces() as u32).map(FaceId) {
            let (axis, center) = (faces.axis(k), tree.grid().position(faces.place(tree, k)));
            let size = faces.size(tree, k);
            let corners = faces.corners(tree, &nodes, k).map(|v| tree.grid().position(nodes.place(v)));
            let mean = corners.iter().sum::<DVec3>() / 4.0;
            assert!((mean - center).length() < 1e-12, "face {k:?}");
            for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
                assert!(((*b - *a).length() - size).abs() < 1e-12 && (*b - *a)[axis] == 0.0, "face {k:?}");
            }
            let mut sides = [0, 0];
            faces.for_cells_beside(tree, k, |c, is_high| {
                sides[usize::from(is_high)] += 1;
                assert_eq!(tree.center(c)[axis] > center[axis], is_high, "face {k:?}");
            });
            match faces.side_of(k) {
                Some(side) => {
                    assert_eq!(side / 2, axis);
                    assert_eq!(sides[side & 1], 0, "nothing is beyond the domain");
                }
                None => assert!(sides[0] > 0 && sides[1] > 0),
            }
            area += size * size;
        }
        area
    }

    #[test]
    fn merged_and_split_faces_cover_the_same_area() {
        let tree = tree();
        let (merged, split) = (MergedFaces::new(&tree), SplitFaces::new(&tree));
        assert!(merged.n_faces() < split.n_faces(), "there are T-junctions");
        assert!((check(&tree, &merged) - check(&tree, &split)).abs() < 1e-9);
    }
}
