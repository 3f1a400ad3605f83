//! Solids for ray tracing: all of them as one mesh, shaded smoothly except at creases.

use crate::bvh::Hit;
use crate::traced_mesh::{TracedMesh, UnitScene, area_normal, interpolate, place, sound};
use glam::Vec3;
use octide_core::geometry::{Pose, TriMesh};

/// Cosine of the angle up to which faces of a solid are shaded as one smooth surface.
const CREASE: f32 = 0.8;

/// Number of faces at a vertex of which the mean is taken. At the tip of a fan of thousands, an even selection
/// gives the same normal.
const MAX_FACES: usize = 256;

/// The solids of a stage.
#[derive(Debug, Default)]
pub struct Solids {
    pub mesh: TracedMesh,
    /// Normals at the corners of each triangle.
    normals: Vec<[Vec3; 3]>,
    /// The number of triangles up to each solid's last one.
    ends: Vec<usize>,
}

impl Solids {
    /// Prepares meshes with their poses.
    pub fn new(solids: &[(&TriMesh, Pose)], scene: &UnitScene) -> Self {
        let (mut points, mut triangles) = (Vec::new(), Vec::new());
        let (mut normals, mut ends) = (Vec::new(), Vec::new());
        for (mesh, pose) in solids {
            let own_points = place(mesh, pose, scene);
            let own_triangles = sound(&own_points, &mesh.triangles);
            normals.extend(creased(&own_points, &own_triangles));
            let first = points.len() as u32;
            points.extend(own_points);
            triangles.extend(own_triangles.into_iter().map(|t| t.map(|i| first + i)));
            ends.push(triangles.len());
        }
        Self { mesh: TracedMesh::new(points, triangles), normals, ends }
    }

    /// Returns the outward normal of the triangle.
    pub fn normal(&self, hit: &Hit) -> Vec3 {
        self.mesh.normal(hit)
    }

    /// Returns the normal interpolated between the corners.
    pub fn smooth_normal(&self, hit: &Hit) -> Vec3 {
        interpolate(hit, self.normals[hit.triangle as usize], self.normal(hit))
    }

    /// Returns the index of the solid that was hit.
    pub fn solid(&self, hit: &Hit) -> usize {
        self.ends.partition_point(|&end| end <= hit.triangle as usize)
    }
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
        let selected = faces.iter().step_by(faces.len().div_ceil(MAX_FACES));
        let near = selected.filter(|&&g| unit[g].dot(unit[f]) > CREASE);
        near.map(|&g| area[g]).sum::<Vec3>().try_normalize().unwrap_or(unit[f])
    };
    triangles.iter().enumerate().map(|(f, t)| t.map(|i| corner(f, i))).collect()
}
