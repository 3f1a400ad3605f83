//! The interface to a level set: where its samples are, and how it is interpolated in a leaf.

use crate::index::{CellId, Field, Id, NodeId};
use crate::octree::{Nodes, Octree};
use glam::DVec3;

/// A level set on an octree that markers correct. φ is trilinear in each leaf, wherever its samples are.
pub trait MarkedField: Sync {
    /// The id of a sample.
    type Sample: Id;

    /// Returns the tree whose leaves hold the markers.
    fn tree(&self) -> &Octree;

    /// Returns φ at the eight corners of a leaf, x fastest.
    fn at_corners(&self, phi: &Field<Self::Sample, f64>, leaf: CellId) -> [f64; 8];

    /// Returns the position of a sample.
    fn position(&self, sample: Self::Sample) -> DVec3;

    /// Returns the leaves whose markers correct a sample, possibly with `CellId::NONE` among them. Empty for
    /// a sample that depends on others.
    fn leaves(&self, sample: Self::Sample) -> &[CellId];

    /// Sets the samples that depend on others.
    fn constrain(&self, phi: &mut Field<Self::Sample, f64>);
}

/// A mesh with φ at the corners of its leaves; hanging corners depend on the others.
pub trait CornerField: Sync {
    /// Returns the tree.
    fn tree(&self) -> &Octree;

    /// Returns the corners, with the leaves around each.
    fn nodes(&self) -> &Nodes;

    /// Sets hanging corners by interpolation.
    fn constrain_hanging(&self, phi: &mut Field<NodeId, f64>) {
        self.nodes().constrain(self.tree(), phi);
    }
}

impl<T: CornerField> MarkedField for T {
    type Sample = NodeId;

    #[inline]
    fn tree(&self) -> &Octree {
        CornerField::tree(self)
    }

    #[inline]
    fn at_corners(&self, phi: &Field<NodeId, f64>, leaf: CellId) -> [f64; 8] {
        self.nodes().of_cell(leaf).map(|v| phi[v])
    }

    #[inline]
    fn position(&self, sample: NodeId) -> DVec3 {
        CornerField::tree(self).grid().position(self.nodes().place(sample))
    }

    #[inline]
    fn leaves(&self, sample: NodeId) -> &[CellId] {
        // All leaves around a corner that does not hang have it as their own corner.
        if self.nodes().is_hanging(sample) { &[] } else { self.nodes().cells(sample) }
    }

    fn constrain(&self, phi: &mut Field<NodeId, f64>) {
        self.constrain_hanging(phi);
    }
}
