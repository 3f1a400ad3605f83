//! Triangle meshes as plain data, and their measures.

mod repeats;
mod topology;

pub(crate) use repeats::places;
pub(crate) use topology::{Groups, Side, sides, split_vertices};
pub use topology::{MeshReport, Topology, mesh_report};

use glam::{DVec3, Vec3};

/// Triangles over shared vertices, counter-clockwise seen from outside.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TriMesh {
    /// Positions in meters.
    pub positions: Vec<[f32; 3]>,
    /// Vertex numbers of each triangle.
    pub triangles: Vec<[u32; 3]>,
}

/// The methods require that all vertex numbers exist; readers of files check this.
impl TriMesh {
    /// Returns the position of vertex `v`.
    pub fn vertex(&self, v: u32) -> DVec3 {
        Vec3::from_array(self.positions[v as usize]).as_dvec3()
    }

    /// Returns the corners of triangle `t`.
    pub fn corners(&self, t: usize) -> [DVec3; 3] {
        self.triangles[t].map(|v| self.vertex(v))
    }

    /// Returns the enclosed volume, which is negative if the mesh is inside out. For an open mesh, it is the
    /// volume of the mesh closed by a fan from the middle of its bounds.
    pub fn volume(&self) -> f64 {
        let middle = self.bounds().map_or(DVec3::ZERO, |(min, max)| 0.5 * (min + max));
        (0..self.triangles.len())
            .map(|t| {
                let [a, b, c] = self.corners(t).map(|p| p - middle);
                a.dot(b.cross(c)) / 6.0
            })
            .sum()
    }

    /// Returns the sum of the triangles' areas.
    pub fn area(&self) -> f64 {
        (0..self.triangles.len())
            .map(|t| {
                let [a, b, c] = self.corners(t);
                0.5 * (b - a).cross(c - a).length()
            })
            .sum()
    }

    /// Returns the smallest and largest corner of a box around all vertices; `None` if there are none.
    pub fn bounds(&self) -> Option<(DVec3, DVec3)> {
        let points = self.positions.iter().map(|p| Vec3::from_array(*p).as_dvec3());
        points.map(|p| (p, p)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }

    /// Adds the vertices and triangles of another mesh.
    pub fn append(&mut self, other: &Self) {
        let first = self.positions.len() as u32;
        self.positions.extend_from_slice(&other.positions);
        self.triangles.extend(other.triangles.iter().map(|t| t.map(|v| v + first)));
    }

    /// Returns the mesh with every vertex moved by `f`.
    pub fn mapped(&self, f: impl Fn(DVec3) -> DVec3) -> Self {
        let positions =
            self.positions.iter().map(|p| f(Vec3::from_array(*p).as_dvec3()).as_vec3().to_array()).collect();
        Self { positions, triangles: self.triangles.clone() }
    }

    /// Returns the mesh with repeated triangles removed; `None` if no triangle is repeated, corner for corner,
    /// by another one. Repeats of opposite orientation cancel, except that one of each remains if they are
    /// equally many: they enclose nothing, but the surface is there.
    pub fn without_repeats(&self) -> Option<Self> {
        repeats::without_repeats(self)
    }

    /// Returns whether every edge joins exactly two triangles with consistent orientation, and the triangles
    /// around every vertex form one ring.
    pub fn is_closed_manifold(&self) -> bool {
        self.topology().is_closed_manifold()
    }

    /// Counts the defects that keep the mesh from being a closed surface.
    pub fn topology(&self) -> Topology {
        topology::topology(self)
    }
}
