//! Signed distance to a triangle mesh.
//!
//! The magnitude is the distance to the closest triangle, found in a four-way bounding volume hierarchy
//! ([`bvh`]). The sign is that of the generalized winding number `w(p) = Σ Ω_t(p) / 4π`, the sum of the
//! triangles' solid angles seen from `p`: a point is inside if `w > ½` ([`winding`]). It is a whole number
//! around closed meshes, even if they intersect themselves, and it varies smoothly across holes.
//!
//! Where the mesh is closed around the closest triangle and nothing intersects that triangle, `w` changes by
//! one from one side of the triangle to the other, and does not change between the triangle and `p`. There
//! the sign is looked up ([`sides`]). Elsewhere rays count it.
//!
//! The time of a query grows with the logarithm of the number of triangles, also if they are long and thin
//! ([`slender`]).
//!
//! Guarantees: the distance is exact up to rounding; the same mesh gives the same numbers on any number of
//! threads. Triangles that are repeated count once. Where a mesh overlaps itself, the parts of the surface
//! inside the solid still count for the magnitude.

mod build;
mod bvh;
mod caps;
mod crossings;
mod dipoles;
mod sides;
mod slender;
mod surface_point;
#[cfg(test)]
mod tests;
mod triangle;
mod winding;

use super::shape::direction;
use super::trimesh::TriMesh;
use bvh::Bvh;
use glam::DVec3;
use sides::Sides;
pub(super) use surface_point::SurfacePoint;
use thiserror::Error;
use winding::Winding;

/// A mesh with the data structures that its signed distance needs.
#[derive(Clone)]
pub struct MeshSdf {
    mesh: TriMesh,
    min: DVec3,
    max: DVec3,
    /// Coordinates in the hierarchy are relative to this point, the middle of the bounds.
    origin: DVec3,
    bvh: Bvh,
    winding: Winding,
    sides: Sides,
}

/// A mesh that a scene refers to.
#[derive(Clone, Debug)]
pub struct MeshShape {
    /// The file's path as it is written in the scene.
    pub source: String,
    /// The mesh.
    pub sdf: MeshSdf,
    /// Whether only its triangles are solid, as plates without thickness, and not what they enclose.
    pub is_shell: bool,
}

impl MeshShape {
    /// Returns the signed distance from `p`, negative inside. A shell has no inside.
    pub fn distance(&self, p: DVec3) -> f64 {
        let d = self.sdf.distance(p);
        if self.is_shell { d.abs() } else { d }
    }

    /// Returns the same with its gradient; on the surface, the normal of a triangle there.
    pub fn distance_and_gradient(&self, p: DVec3) -> (f64, DVec3) {
        let q = p - self.sdf.origin;
        let Some(hit) = self.sdf.bvh.closest(q, f64::INFINITY) else { return (f64::INFINITY, DVec3::ZERO) };
        let away = direction(hit.offset, q);
        if away == DVec3::ZERO {
            return (0.0, self.sdf.bvh.triangles[hit.triangle].normal().normalize_or_zero());
        }
        let d = hit.offset.length();
        if !self.is_shell && self.sdf.is_inside_at(p, q, &hit) { (-d, -away) } else { (d, away) }
    }
}

/// The reason why a mesh has no signed distance.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MeshError {
    /// The mesh has no triangles.
    #[error("the mesh has no triangles")]
    Empty,
    /// A coordinate is infinite or not a number.
    #[error("vertex {vertex} (counted from 0) has the position {position}, which is not finite")]
    NotFinite {
        /// The number of the vertex.
        vertex: usize,
        /// Its position.
        position: String,
    },
    /// A triangle refers to a vertex that does not exist.
    #[error("triangle {triangle} (counted from 0) names vertex {vertex}, but there are only {vertices}")]
    NoSuchVertex {
        /// The number of the triangle.
        triangle: usize,
        /// The number of the missing vertex.
        vertex: u32,
        /// The number of vertices.
        vertices: usize,
    },
    /// There are more triangles than can be numbered.
    #[error("the mesh has {triangles} triangles; at most {most} can be used")]
    TooLarge {
        /// The number of triangles.
        triangles: usize,
        /// The largest supported number of triangles.
        most: usize,
    },
    /// All triangles are degenerate to points or lines.
    #[error("none of the mesh's triangles has an area")]
    Flat,
}

impl MeshSdf {
    /// Prepares a mesh. It should be closed; if it is not, the winding number decides what is inside.
    pub fn new(mesh: &TriMesh) -> Result<Self, MeshError> {
        check(mesh)?;
        // Every query would go through all repeats, and the errors of their winding numbers would add up.
        let mut mesh = mesh.without_repeats().unwrap_or_else(|| mesh.clone());
        let (min, max) = mesh.bounds().ok_or(MeshError::Empty)?;
        if mesh.area() <= 0.0 {
            return Err(MeshError::Flat);
        }
        if mesh.volume() < 0.0 {
            mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        let origin = 0.5 * (min + max);
        let bvh = Bvh::new(build::build(&mesh.positions, &mesh.triangles, origin));
        let winding = Winding::new(&mesh, &bvh, origin);
        let mut sides = Sides::new(&mesh, &bvh);
        sides.label(&bvh, |q| winding.at(&mesh, &bvh, q + origin, q));
        Ok(Self { mesh, min, max, origin, bvh, winding, sides })
    }

    /// Returns the signed distance from `p` to the surface, negative inside.
    pub fn distance(&self, p: DVec3) -> f64 {
        // There is only no closest triangle if p is not finite or its square overflows f32.
        self.distance_bounded(p, f64::INFINITY).unwrap_or(f64::INFINITY)
    }

    /// Returns the signed distance if its magnitude is at most `bound`; otherwise `None`, which is faster to
    /// determine.
    pub fn distance_bounded(&self, p: DVec3, bound: f64) -> Option<f64> {
        let q = p - self.origin;
        let hit = self.bvh.closest(q, bound)?;
        let distance = hit.offset.length();
        Some(if self.is_inside_at(p, q, &hit) { -distance } else { distance })
    }

    /// Returns the point of the surface that is closest to `p`; `None` if `p` is not finite.
    pub(super) fn closest(&self, p: DVec3) -> Option<SurfacePoint> {
        let hit = self.bvh.closest(p - self.origin, f64::INFINITY)?;
        let triangle = self.bvh.ids[hit.triangle] as usize;
        let corners = self.bvh.triangles[hit.triangle].corners();
        let relative = p - self.origin - hit.offset;
        Some(SurfacePoint::new(self.mesh.triangles[triangle], corners, relative, p - hit.offset))
    }

    /// Returns whether `p` is inside, that is, its winding number is above one half.
    pub fn contains(&self, p: DVec3) -> bool {
        self.distance(p) < 0.0
    }

    /// Returns how often the mesh winds around `p`: 1 inside and 0 outside of closed meshes. For meshes with
    /// holes there is an error below a tenth, that of the approximation of far triangles.
    pub fn winding_number(&self, p: DVec3) -> f64 {
        self.winding.at(&self.mesh, &self.bvh, p, p - self.origin)
    }

    /// Returns the smallest and largest corner of the mesh's bounding box.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        (self.min, self.max)
    }

    /// Returns the mesh without repeated triangles; its triangles face outward.
    pub fn mesh(&self) -> &TriMesh {
        &self.mesh
    }

    fn is_inside_at(&self, p: DVec3, q: DVec3, hit: &bvh::Hit) -> bool {
        if p.cmplt(self.min).any() || p.cmpgt(self.max).any() {
            return false;
        }
        self.sides.is_inside(hit).unwrap_or_else(|| self.winding.at(&self.mesh, &self.bvh, p, q) > 0.5)
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

/// Returns an error if a mesh has no triangles, or some that cannot be used.
pub(super) fn check(mesh: &TriMesh) -> Result<(), MeshError> {
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
