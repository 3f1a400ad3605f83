//! Extracts the liquid's surface as a closed triangle mesh: dual contouring of phi at cell centers on a
//! graded tree.
//!
//! ```text
//!   ┌───────┬───┬───┐     ○ leaf centers carry the signs: liquid where phi < 0, air elsewhere and outside
//!   │       │ ○ │ ○ │
//!   │   ○  ─x───x───x     an octree face between liquid and air is crossed: one polygon of the mesh
//!   │       │ ● │ ● │
//!   ├───────┼─x─┼───┤     x corners of the tree carry the vertices: one for each sheet of the surface that
//!   │   ●   │ ● │ ● │       passes there
//! ```
//!
//! The steps, in order:
//! - `corners`: which corners have liquid and air around them, and how many `sheets` pass through each;
//! - `crossing`: the crossed faces, and the zero of phi between the two leaf centers of each;
//! - `vertex`: the position of each sheet's vertex;
//! - `pinch`: extra vertices on edges where two sheets would touch along a whole edge;
//! - `polygon` and `triangulate`: the polygon of each crossed face, divided into triangles.
//!
//! Guarantees, for any phi, across changes of level and at walls, where the mesh is closed along the wall:
//! every edge belongs to exactly two triangles that traverse it in opposite directions, and the triangles
//! around a vertex form one fan. Triangles are counter-clockwise seen from the air. If phi is linear, all
//! vertices lie on the plane, except those on waterlines where the plane meets a wall at a small angle. The
//! result does not depend on the number of threads.
//!
//! [`extract_outside`] makes the surface of water that ends at solids. It has edges at waterlines and where walls meet.
//!
//! Not guaranteed: where phi is rough, the mesh may intersect itself. The roots of the tree must fill a box.

mod corners;
mod crossing;
mod gradient;
mod pinch;
mod polygon;
mod sheets;
#[cfg(test)]
mod tests;
mod triangulate;
mod vertex;

pub use vertex::Beside;

use crate::contract::Surface;
use crate::geometry::TriMesh;
use crate::index::{CellId, Field, NodeId};
use crate::octree::{Nodes, Octree};
use crate::par;
use glam::DVec3;

/// A closed surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contour {
    /// Positions of the vertices.
    pub positions: Vec<DVec3>,
    /// Unit normals that point out of the liquid: those of phi, or of the wall where a sheet touches only
    /// walls.
    pub normals: Vec<DVec3>,
    /// A corner of the tree near each vertex, in most cases the one that the vertex belongs to.
    pub nodes: Vec<NodeId>,
    /// What is around each vertex.
    pub beside: Vec<Beside>,
    /// Vertex numbers, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// Extracts the surface between leaves with phi < 0 and other leaves, on a graded tree.
pub fn extract(tree: &Octree, nodes: &Nodes, phi: &Field<CellId, f64>) -> Contour {
    extract_outside(tree, nodes, phi, None)
}

/// Extracts the surface of water that ends at solids, whose distance at the leaf centers is `outside`: between leaves with
/// phi < 0 and `outside` > 0, and other leaves.
pub fn extract_outside(
    tree: &Octree,
    nodes: &Nodes,
    phi: &Field<CellId, f64>,
    outside: Option<&Field<CellId, f64>>,
) -> Contour {
    debug_assert_eq!(phi.len(), tree.n_cells());
    let both = outside.map(|outside| par::map(phi.len(), |c: CellId| phi[c].max(-outside[c])));
    let shown = both.as_ref().unwrap_or(phi);
    let corners = corners::Corners::new(nodes, shown);
    let faces = crossing::faces(tree, shown);
    let crossings = crossing::Crossings::new(tree, phi, outside, &faces);
    let mut vertices = par::collect(corners.active.len(), |i, out| {
        let node = corners.active[i];
        vertex::place(tree, nodes, &crossings, node, corners.mask[node], out);
    });
    let pinches = pinch::Pinches::new(tree, &corners, &crossings, &vertices);
    vertices.extend_from_slice(&pinches.vertices);
    let triangles = triangulate::triangulate(tree, &corners, &pinches, &faces, &mut vertices);
    Contour {
        positions: par::map_index(vertices.len(), |i| vertices[i].position),
        normals: par::map_index(vertices.len(), |i| vertices[i].normal),
        nodes: par::map_index(vertices.len(), |i| vertices[i].node),
        beside: par::map_index(vertices.len(), |i| vertices[i].at),
        triangles,
    }
}

impl Contour {
    fn corners(&self, t: usize) -> [DVec3; 3] {
        self.triangles[t].map(|i| self.positions[i as usize])
    }

    /// Returns the volume that it encloses, in m³.
    pub fn volume(&self) -> f64 {
        par::sum(self.triangles.len(), |t| {
            let [a, b, c] = self.corners(t);
            a.dot(b.cross(c)) / 6.0
        })
    }

    /// Returns the area of the surface beside air, without that on walls, in m².
    pub fn free_area(&self) -> f64 {
        par::sum(self.triangles.len(), |t| {
            let [a, b, c] = self.corners(t);
            let at = self.triangles[t].map(|i| self.beside[i as usize]);
            let part = match (at.iter().all(|at| at.air), at.iter().all(|at| at.wall)) {
                (true, true) => 0.5,
                (true, false) => 1.0,
                _ => 0.0,
            };
            0.5 * part * (b - a).cross(c - a).length()
        })
    }

    /// Converts to single precision, with a velocity for each vertex from its position and its corner of the
    /// tree.
    pub fn to_surface(&self, velocity: impl Fn(DVec3, NodeId) -> DVec3 + Sync + Send) -> Surface {
        let n = self.positions.len();
        Surface {
            mesh: TriMesh {
                positions: par::map_index(n, |i| self.positions[i].as_vec3().to_array()),
                triangles: self.triangles.clone(),
            },
            normals: par::map_index(n, |i| self.normals[i].as_vec3().to_array()),
            velocities: par::map_index(n, |i| {
                velocity(self.positions[i], self.nodes[i]).as_vec3().to_array()
            }),
        }
    }
}
