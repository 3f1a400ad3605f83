//! Meshes prepared for ray tracing: scaled to the unit scene, with a bounding volume hierarchy and normals.
//!
//! In the unit scene the domain's longest side is 1, its floor lies at y = 0 and its middle at x = z = 0, so
//! that lengths do not depend on the size of the scene.

use crate::bvh::{Bvh, Hit};
use glam::{DVec3, Vec3};
use octide_core::contract::Surface;
use octide_core::geometry::{Pose, TriMesh};
use octide_core::scene::Domain;

/// Distance from a wall of the domain within which a vertex counts as on it.
const ON_WALL: f32 = 1e-4;
/// Cosine of the angle up to which faces of a solid are shaded as one smooth surface.
const CREASE: f32 = 0.8;

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
    fn wall(&self, corners: &[Vec3; 3]) -> Option<usize> {
        (0..3).find(|&a| {
            [self.lo, self.hi].iter().any(|w| corners.iter().all(|c| (c[a] - w[a]).abs() < ON_WALL))
        })
    }
}

/// A mesh for ray tracing.
#[derive(Debug, Default)]
pub struct TracedMesh {
    pub bvh: Bvh,
    faces: Vec<Face>,
}

#[derive(Debug)]
struct Face {
    normal: Vec3,
    corners: [Vec3; 3],
    /// The owner of the face: the index of a solid, or 1 for water on the floor of the domain.
    tag: u32,
}

impl TracedMesh {
    /// Returns the outward normal of the triangle.
    pub fn normal(&self, hit: &Hit) -> Vec3 {
        self.faces[hit.triangle as usize].normal
    }

    /// Returns the normal interpolated between the corners.
    pub fn smooth_normal(&self, hit: &Hit) -> Vec3 {
        let face = &self.faces[hit.triangle as usize];
        let [a, b, c] = face.corners;
        (a * (1.0 - hit.u - hit.v) + b * hit.u + c * hit.v).try_normalize().unwrap_or(face.normal)
    }

    pub fn tag(&self, hit: &Hit) -> u32 {
        self.faces[hit.triangle as usize].tag
    }

    /// Prepares the liquid. Faces on the walls of the domain are shaded flat, whatever the normals of their
    /// vertices are. The free surface keeps its own normals, except at walls, where it takes those of its
    /// triangles.
    pub fn water(surface: &Surface, scene: &UnitScene) -> Self {
        let points = place(&surface.mesh, &Pose::IDENTITY, scene);
        let triangles = sound(&points, &surface.mesh.triangles);
        let walls: Vec<Option<usize>> =
            triangles.iter().map(|t| scene.wall(&t.map(|i| points[i as usize]))).collect();

        let mut free = vec![Vec3::ZERO; points.len()];
        let mut at_wall = vec![surface.normals.len() != points.len(); points.len()];
        for (t, wall) in triangles.iter().zip(&walls) {
            for &i in t {
                match wall {
                    Some(_) => at_wall[i as usize] = true,
                    None => free[i as usize] += area_normal(&points, t),
                }
            }
        }
        let normal = |i: u32, face: Vec3| {
            let i = i as usize;
            let own = if at_wall[i] { free[i] } else { Vec3::from_array(surface.normals[i]) };
            let own = own.try_normalize().unwrap_or(face);
            if own.dot(face) > 0.0 { own } else { face }
        };
        let faces = triangles.iter().zip(&walls).map(|(t, wall)| {
            let face = area_normal(&points, t).normalize();
            match wall {
                Some(axis) => {
                    let floor = *axis == 1 && face.y < 0.0;
                    Face { normal: face, corners: [face; 3], tag: u32::from(floor) }
                }
                None => Face { normal: face, corners: t.map(|i| normal(i, face)), tag: 0 },
            }
        });
        let faces = faces.collect();
        Self { bvh: Bvh::build(&gather(&points, &triangles)), faces }
    }

    /// Prepares all solids as one mesh, shaded smoothly except at creases.
    pub fn solids(solids: &[(&TriMesh, Pose)], scene: &UnitScene) -> Self {
        let mut all = Vec::new();
        let mut faces = Vec::new();
        for (tag, (mesh, pose)) in (0u32..).zip(solids) {
            let points = place(mesh, pose, scene);
            let triangles = sound(&points, &mesh.triangles);
            let corners = creased(&points, &triangles);
            faces.extend(triangles.iter().zip(corners).map(|(t, corners)| Face {
                normal: area_normal(&points, t).normalize(),
                corners,
                tag,
            }));
            all.extend(gather(&points, &triangles));
        }
        Self { bvh: Bvh::build(&all), faces }
    }
}

fn place(mesh: &TriMesh, pose: &Pose, scene: &UnitScene) -> Vec<Vec3> {
    let at = |p: &[f32; 3]| scene.point(pose.rotation * Vec3::from_array(*p).as_dvec3() + pose.position);
    mesh.positions.iter().map(at).collect()
}

/// Returns the triangles that can be drawn: with vertices that exist and are finite, and with an area.
fn sound(points: &[Vec3], triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let fits = |t: &&[u32; 3]| {
        t.iter().all(|&i| points.get(i as usize).is_some_and(|p| p.is_finite()))
            && area_normal(points, t).try_normalize().is_some()
    };
    triangles.iter().filter(fits).copied().collect()
}

fn gather(points: &[Vec3], triangles: &[[u32; 3]]) -> Vec<[Vec3; 3]> {
    triangles.iter().map(|t| t.map(|i| points[i as usize])).collect()
}

fn area_normal(points: &[Vec3], t: &[u32; 3]) -> Vec3 {
    let [a, b, c] = t.map(|i| points[i as usize]);
    (b - a).cross(c - a)
}

/// Returns normals at the corners of each triangle: the mean over the faces at that vertex that are nearly
/// parallel to it.
fn creased(points: &[Vec3], triangles: &[[u32; 3]]) -> Vec<[Vec3; 3]> {
    let mut start = vec![0usize; points.len() + 1];
    for &i in triangles.iter().flatten() {
        start[i as usize + 1] += 1;
    }
    for i in 0..points.len() {
        start[i + 1] += start[i];
    }
    let mut next = start.clone();
    let mut around = vec![0usize; 3 * triangles.len()];
    for (f, t) in triangles.iter().enumerate() {
        for &i in t {
            around[next[i as usize]] = f;
            next[i as usize] += 1;
        }
    }
    let area: Vec<Vec3> = triangles.iter().map(|t| area_normal(points, t)).collect();
    let unit: Vec<Vec3> = area.iter().map(|n| n.normalize()).collect();
    let corner = |f: usize, i: u32| {
        let faces = &around[start[i as usize]..start[i as usize + 1]];
        let near = faces.iter().filter(|&&g| unit[g].dot(unit[f]) > CREASE);
        near.map(|&g| area[g]).sum::<Vec3>().try_normalize().unwrap_or(unit[f])
    };
    triangles.iter().enumerate().map(|(f, t)| t.map(|i| corner(f, i))).collect()
}
