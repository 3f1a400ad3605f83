//! Meshes prepared for ray tracing: scaled to the unit scene, with a bounding volume hierarchy. Normals are
//! computed where a ray hits, so that a triangle of the water takes about 100 bytes.
//!
//! In the unit scene the domain's longest side is 1, its floor lies at y = 0 and its middle at x = z = 0, so
//! that lengths do not depend on the size of the scene.

use crate::bvh::{Hit, TriangleBvh};
use glam::{DVec3, Vec3};
use octide_core::geometry::{Pose, TriMesh};
use octide_core::scene::Domain;

/// Distance from a wall of the domain within which a vertex counts as on it.
const ON_WALL: f32 = 1e-4;

/// The transform from meters to the unit scene, and the domain in it.
#[derive(Clone, Copy, Debug)]
pub struct UnitScene {
    base: DVec3,
    scale: f64,
    pub lo: Vec3,
    pub hi: Vec3,
    /// Edge length of the finest cells.
    pub dx: f32,
}

impl UnitScene {
    pub fn new(domain: &Domain) -> Self {
        let half = 0.5 * domain.size;
        let base = domain.origin + DVec3::new(half.x, 0.0, half.z);
        let scale = 1.0 / domain.size.max_element().max(f64::MIN_POSITIVE);
        let hi = (DVec3::new(half.x, domain.size.y, half.z) * scale).as_vec3();
        Self { base, scale, lo: Vec3::new(-hi.x, 0.0, -hi.z), hi, dx: (domain.dx() * scale) as f32 }
    }

    /// Converts a length in meters.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    pub fn point(&self, p: DVec3) -> Vec3 {
        ((p - self.base) * self.scale).as_vec3()
    }

    /// Returns the axis of the wall that all three points lie on.
    pub fn wall(&self, corners: &[Vec3; 3]) -> Option<usize> {
        (0..3).find(|&a| {
            [self.lo, self.hi].iter().any(|w| corners.iter().all(|c| (c[a] - w[a]).abs() < ON_WALL))
        })
    }
}

/// Triangles for ray tracing. All have an area.
#[derive(Debug, Default)]
pub struct TracedMesh {
    pub bvh: TriangleBvh,
    points: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl TracedMesh {
    /// Prepares triangles that [`sound`] has returned.
    pub fn new(points: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Self {
        Self { bvh: TriangleBvh::build(&points, &triangles), points, triangles }
    }

    /// Returns the outward normal of the triangle.
    pub fn normal(&self, hit: &Hit) -> Vec3 {
        area_normal(&self.points, self.vertices(hit)).normalize()
    }

    /// Returns the numbers of the triangle's vertices.
    pub fn vertices(&self, hit: &Hit) -> &[u32; 3] {
        &self.triangles[hit.triangle as usize]
    }

    /// Returns the corners of the triangle.
    pub fn corners(&self, hit: &Hit) -> [Vec3; 3] {
        self.vertices(hit).map(|i| self.points[i as usize])
    }
}

/// Interpolates normals at the corners of a triangle; `face` is that of the triangle.
pub fn interpolate(hit: &Hit, corners: [Vec3; 3], face: Vec3) -> Vec3 {
    let [a, b, c] = corners;
    (a * (1.0 - hit.u - hit.v) + b * hit.u + c * hit.v).try_normalize().unwrap_or(face)
}

/// Returns the vertices of a mesh in the unit scene.
pub fn place(mesh: &TriMesh, pose: &Pose, scene: &UnitScene) -> Vec<Vec3> {
    let at = |p: &[f32; 3]| scene.point(pose.rotation * Vec3::from_array(*p).as_dvec3() + pose.position);
    mesh.positions.iter().map(at).collect()
}

/// Returns the triangles that can be drawn: with vertices that exist and are finite, and with an area.
pub fn sound(points: &[Vec3], triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let fits = |t: &&[u32; 3]| {
        t.iter().all(|&i| points.get(i as usize).is_some_and(|p| p.is_finite()))
            && area_normal(points, t).try_normalize().is_some()
    };
    triangles.iter().filter(fits).copied().collect()
}

/// Returns the outward normal of a triangle, as long as twice its area.
pub fn area_normal(points: &[Vec3], t: &[u32; 3]) -> Vec3 {
    let [a, b, c] = t.map(|i| points[i as usize]);
    (b - a).cross(c - a)
}
