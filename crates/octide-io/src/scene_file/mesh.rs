//! Shapes from closed triangle meshes: files beside the scene, or meshes that Octide makes itself.

use super::place::Fault;
use super::shapes::Files;
use super::tree::Node;
use octide_core::geometry::Shape;

pub(super) fn read(node: &Node, _files: &Files<'_>) -> Result<Shape, Fault> {
    Err(Fault::new(node.at, "meshes are not available yet"))
}
