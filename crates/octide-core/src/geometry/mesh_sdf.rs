//! Signed distance to a triangle mesh.
//!
//! The magnitude is the distance to the closest triangle, found in a four-way bounding volume hierarchy
//! ([`bvh`]). The sign is that of the generalized winding number `w(p) = Σ Ω_t(p) / 4π`, the triangles' solid
//! angles seen from `p`: inside is where `w > ½` ([`winding`]). It is a whole number around closed meshes,
//! also where they cut through themselves, and it passes smoothly across holes.
//!
//! Where the mesh is closed around the closest triangle and nothing cuts that triangle, `w` changes by one
//! from one of its sides to the other and by nothing on the way to `p`. There the sign is looked up
//! ([`sides`]).
//!
//! Promised: the distance is exact up to rounding; the same mesh gives the same numbers on any number of
//! threads. Not promised: where a mesh overlaps itself, the sheets inside of it still count as surface for
//! the magnitude.

mod build;
mod bvh;
mod sides;
#[cfg(test)]
mod tests;
mod triangle;
mod winding;

use super::trimesh::TriMesh;
use bvh::Bvh;
use glam::DVec3;
use sides::Sides;
use thiserror::Error;
use winding::Winding;

/// A mesh that can be asked for its signed distance.
#[derive(Clone)]
pub struct MeshSdf {
    mesh: TriMesh,
    min: DVec3,
    max: DVec3,
    /// Coordinates of the hierarchy are relative to this point, the middle of the bounds.
    origin: DVec3,
    bvh: Bvh,
    winding: Winding,
    sides: Sides,
}

/// A mesh as it is named in a scene.
#[derive(Clone, Debug)]
pub struct MeshShape {
    /// The file's path as the scene has it.
    pub source: String,
    /// The mesh.
    pub sdf: MeshSdf,
}

/// Why a mesh has no signed distance.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MeshError {
    /// There is no triangle.
    #[error("the mesh has no triangles")]
    Empty,
    /// A coordinate is not a number or infinite.
    #[error("vertex {vertex} (counted from 0) has the position {position}, which is not finite")]
    NotFinite {
        /// The vertex.
        vertex: usize,
        /// Its position.
        position: String,
    },
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} (counted from 0) names vertex {vertex}, but there are only {vertices}")]
    NoSuchVertex {
        /// The triangle.
        triangle: usize,
        /// What it names.
        vertex: u32,
        /// How many there are.
        vertices: usize,
    },
    /// There are more triangles than can be numbered.
    #[error("the mesh has {triangles} triangles; at most {most} can be used")]
    TooLarge {
        /// How many there are.
        triangles: usize,
        /// How many there may be.
        most: usize,
    },
    /// All triangles are points or lines.
    #[error("none of the mesh's triangles has an area")]
    Flat,
}

impl MeshSdf {
    /// Prepares a mesh. It should be closed; where it is not, inside is where the winding number says so.
    pub fn new(mesh: &TriMesh) -> Result<Self, MeshError> {
        check(mesh)?;
        let (min, max) = mesh.bounds().ok_or(MeshError::Empty)?;
        if mesh.area() <= 0.0 {
            return Err(MeshError::Flat);
        }
        let mut mesh = mesh.clone();
        if mesh.volume() < 0.0 {
            mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        let origin = 0.5 * (min + max);
        let tree = build::build(&mesh, origin);
        let winding = Winding::new(&tree);
        let bvh = Bvh::new(tree);
        let mut sides = Sides::new(&mesh, &bvh);
        sides.label(&bvh, &winding);
        Ok(Self { mesh, min, max, origin, bvh, winding, sides })
    }

    /// Signed distance from `p` to the surface, negative inside.
    pub fn distance(&self, p: DVec3) -> f64 {
        // Only a p that is not finite, or whose square is not in f32, has no closest triangle.
        self.distance_bounded(p, f64::INFINITY).unwrap_or(f64::INFINITY)
    }

    /// The signed distance where its magnitude is at most `bound`; else none, which is found out sooner.
    pub fn distance_bounded(&self, p: DVec3, bound: f64) -> Option<f64> {
        let q = p - self.origin;
        let hit = self.bvh.closest(q, bound)?;
        let distance = hit.offset.length();
        Some(if self.is_inside_at(p, q, &hit) { -distance } else { distance })
    }

    /// Whether `p` is inside: its winding number is above one half.
    pub fn contains(&self, p: DVec3) -> bool {
        self.distance(p) < 0.0
    }

    /// How often the mesh winds around `p`: 1 inside and 0 outside of closed meshes, up to the error of the
    /// far triangles' approximation, which is below a tenth.
    pub fn winding_number(&self, p: DVec3) -> f64 {
        self.winding.at(&self.bvh, p - self.origin)
    }

    /// Least and largest corner of the box around the mesh.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        (self.min, self.max)
    }

    /// The mesh, its triangles facing outward.
    pub fn mesh(&self) -> &TriMesh {
        &self.mesh
    }

    fn is_inside_at(&self, p: DVec3, q: DVec3, hit: &bvh::Hit) -> bool {
        if p.cmplt(self.min).any() || p.cmpgt(self.max).any() {
            return false;
        }
        self.sides.is_inside(hit).unwrap_or_else(|| self.winding.at(&self.bvh, q) > 0.5)
    }
}

impl std::fmt::Debug for MeshSdf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MeshSdf")
            .field("triangles", &self.mesh.triangles.len())
            .field("min", &self.min)
            .field("max", &self.max)
            .finish_non_exhaustive()
    }
}

fn check(mesh: &TriMesh) -> Result<(), MeshError> {
    if mesh.triangles.is_empty() {
        return Err(MeshError::Empty);
    }
    if mesh.triangles.len() > bvh::MAX_TRIANGLES {
        return Err(MeshError::TooLarge { triangles: mesh.triangles.len(), most: bvh::MAX_TRIANGLES });
    }
    for (vertex, p) in mesh.positions.iter().enumerate() {
        if !p.iter().all(|x| x.is_finite()) {
            return Err(MeshError::NotFinite { vertex, position: format!("{p:?}") });
        }
    }
    for (triangle, t) in mesh.triangles.iter().enumerate() {
        for &vertex in t {
            if vertex as usize >= mesh.positions.len() {
                return Err(MeshError::NoSuchVertex { triangle, vertex, vertices: mesh.positions.len() });
            }
        }
    }
    Ok(())
}
