//! Converts shapes to closed triangle meshes, for pictures and exports.
//!
//! Boxes and meshes return their own triangles. All other shapes are sampled on a uniform grid: each cube is
//! divided into six tetrahedra around its diagonal, in the same way in all cubes, and the surface is one or
//! two triangles in each tetrahedron that it crosses. The result is closed and manifold for any signs. The
//! vertices are then spread evenly along the surface and projected onto it along the gradient of the
//! distance. Sharp edges are beveled by up to a cell.

mod relax;
#[cfg(test)]
mod tests;
mod tetrahedra;

use super::{Shape, TriMesh};
use glam::DVec3;

/// Maximum number of cells along the longest side.
const MAX_CELLS: u32 = 400;

impl Shape {
    /// Returns the surface of the part inside the box `clip`, cut off flat and closed at the sides of the
    /// box, with `cells` cells along the longest side. Meshes return all their triangles, without clipping.
    /// The result is empty if nothing is inside.
    pub fn tessellate(&self, clip: (DVec3, DVec3), cells: u32) -> TriMesh {
        let bounds = self.bounds().unwrap_or(clip);
        let (min, max) = (bounds.0.max(clip.0), bounds.1.min(clip.1));
        if let Some(mesh) = self.own_triangles() {
            let whole = bounds.0.cmpge(clip.0).all() && bounds.1.cmple(clip.1).all();
            if whole || self.is_mesh() {
                return mesh;
            }
        }
        if !min.cmplt(max).all() || !min.is_finite() || !max.is_finite() {
            return TriMesh::default();
        }
        if let Self::Box { .. } = self {
            return cuboid(min, max);
        }
        let clipper = Self::Box { min: clip.0, max: clip.1 };
        let phi = |p: DVec3| self.distance(p).max(clipper.distance(p));
        let h = (max - min).max_element() / f64::from(cells.clamp(1, MAX_CELLS));
        let mut mesh = tetrahedra::surface(&phi, min, max, h);
        relax::relax(&mut mesh, &phi, h);
        mesh
    }

    /// Returns the triangles of shapes that consist of triangles.
    fn own_triangles(&self) -> Option<TriMesh> {
        match self {
            Self::Box { min, max } => Some(cuboid(*min, *max)),
            Self::Mesh(mesh) => Some(mesh.sdf.mesh().clone()),
            Self::Transformed { shape, scale, rotation, translation } => {
                Some(shape.own_triangles()?.mapped(|p| *rotation * (p * *scale) + *translation))
            }
            _ => None,
        }
    }

    fn is_mesh(&self) -> bool {
        match self {
            Self::Mesh(_) => true,
            Self::Transformed { shape, .. } => shape.is_mesh(),
            _ => false,
        }
    }
}

/// Returns a box as twelve triangles.
fn cuboid(min: DVec3, max: DVec3) -> TriMesh {
    let corner = |i: usize| {
        let pick = |a: usize| if i >> a & 1 == 0 { min[a] } else { max[a] };
        DVec3::new(pick(0), pick(1), pick(2)).as_vec3().to_array()
    };
    let sides = [[0u32, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    TriMesh {
        positions: (0..8).map(corner).collect(),
        triangles: sides.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect(),
    }
}
