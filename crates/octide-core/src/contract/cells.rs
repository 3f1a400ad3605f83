//! The cells of a grid, which may be cubes, tetrahedra, polyhedra, or a mix of them.
//!
//! Cells are numbered consecutively: cubes first, then tetrahedra, then polyhedra. Frames stay in memory
//! while they are written, so the lists are compact: a cube takes 20 bytes, and shapes that a method does not
//! use take none.

mod polyhedra;
#[cfg(test)]
mod tests;

pub use polyhedra::{CellFace, Polyhedra};

use crate::index::CellId;
use crate::octree::Octree;
use crate::par;
use glam::Vec3;

/// The cells of a grid and the values in them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells {
    /// Axis-aligned cubes.
    pub cubes: Vec<Cube>,
    /// The vertices of tetrahedra and polyhedra.
    pub vertices: Vec<[f32; 3]>,
    /// The vertices of each tetrahedron, in any order.
    pub tetrahedra: Vec<[u32; 4]>,
    /// Polyhedra, convex or not.
    pub polyhedra: Polyhedra,
    /// Signed distance from each cell's center to the liquid's surface, negative inside; infinite if there is
    /// no liquid.
    pub phi: Vec<f32>,
    /// Smoke density in each cell; empty if the method simulates water.
    pub density: Vec<f32>,
}

/// An axis-aligned cube.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cube {
    /// Its center.
    pub center: [f32; 3],
    /// Its edge length.
    pub size: f32,
}

/// The shape of one cell.
enum Shape<'a> {
    Cube(&'a Cube),
    Tetrahedron([Vec3; 4]),
    Polyhedron(usize),
}

/// The corners of each side of a cube, counter-clockwise seen from outside. Bits 0, 1 and 2 of a corner's
/// number select the high side in x, y and z.
const CUBE_SIDES: [[usize; 4]; 6] =
    [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

/// The sides of a tetrahedron a, b, c, d whose corners a, b, c are counter-clockwise seen from d.
const TETRAHEDRON_SIDES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

impl Cells {
    /// Returns the leaves of a tree, with the signed distance `phi` from each center to the surface.
    pub fn of_tree(tree: &Octree, phi: impl Fn(CellId) -> f64 + Sync + Send) -> Self {
        let cubes = par::map_index(tree.n_cells(), |i| {
            let c = CellId(i as u32);
            Cube { center: tree.center(c).as_vec3().to_array(), size: tree.size(c) as f32 }
        });
        let phi = par::map_index(tree.n_cells(), |i| phi(CellId(i as u32)) as f32);
        Self { cubes, phi, ..Self::default() }
    }

    /// Returns the number of cells.
    pub fn len(&self) -> usize {
        self.cubes.len() + self.tetrahedra.len() + self.polyhedra.len()
    }

    /// Returns whether there are no cells.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the smoke density in a cell; 0 if the method simulates water.
    pub fn density(&self, cell: usize) -> f32 {
        self.density.get(cell).copied().unwrap_or(0.0)
    }

    /// Returns a cell's center: the mean of its vertices.
    pub fn center(&self, cell: usize) -> [f32; 3] {
        match self.shape(cell) {
            Shape::Cube(cube) => cube.center,
            Shape::Tetrahedron([a, b, c, d]) => (0.25 * (a + b + c + d)).to_array(),
            Shape::Polyhedron(p) => {
                let vertices = self.polyhedra.vertices(p);
                let sum: Vec3 = vertices.iter().map(|&v| self.vertex(v)).sum();
                (sum / vertices.len().max(1) as f32).to_array()
            }
        }
    }

    /// Returns a cell's size: the edge length of a cube of the same volume.
    pub fn size(&self, cell: usize) -> f32 {
        match self.shape(cell) {
            Shape::Cube(cube) => cube.size,
            Shape::Tetrahedron([a, b, c, d]) => (signed_volume(b - a, c - a, d - a).abs()).cbrt(),
            Shape::Polyhedron(_) => {
                // Coordinates relative to the center lose fewer digits to cancellation.
                let origin = Vec3::from_array(self.center(cell));
                let mut volume = 0.0;
                self.for_faces(cell, |face| {
                    for edge in face[1..].windows(2) {
                        volume += signed_volume(face[0] - origin, edge[0] - origin, edge[1] - origin);
                    }
                });
                volume.abs().cbrt()
            }
        }
    }

    /// Returns the largest distance of a cell's vertices from its center.
    pub fn reach(&self, cell: usize) -> f32 {
        if let Shape::Cube(cube) = self.shape(cell) {
            return 0.5 * 3f32.sqrt() * cube.size;
        }
        let center = Vec3::from_array(self.center(cell));
        let mut reach = 0f32;
        self.for_faces(cell, |face| {
            reach = face.iter().map(|v| v.distance(center)).fold(reach, f32::max);
        });
        reach
    }

    /// Calls `f` with the vertices of each face of a cell, counter-clockwise seen from outside.
    pub fn for_faces(&self, cell: usize, mut f: impl FnMut(&[Vec3])) {
        match self.shape(cell) {
            Shape::Cube(&Cube { center, size }) => {
                let side = |corner: usize, axis: usize| if corner >> axis & 1 == 1 { 0.5 } else { -0.5 };
                let corner = |c: usize| {
                    Vec3::from_array(center) + size * Vec3::new(side(c, 0), side(c, 1), side(c, 2))
                };
                CUBE_SIDES.iter().for_each(|corners| f(&corners.map(corner)));
            }
            Shape::Tetrahedron([a, b, c, d]) => {
                let is_even = signed_volume(b - a, c - a, d - a) > 0.0;
                let vertices = if is_even { [a, b, c, d] } else { [b, a, c, d] };
                TETRAHEDRON_SIDES.iter().for_each(|side| f(&side.map(|i| vertices[i])));
            }
            Shape::Polyhedron(p) => {
                let mut polygon = Vec::new();
                for &face in self.polyhedra.faces_of(p) {
                    polygon.clear();
                    polygon.extend(self.polyhedra.face(face.number()).iter().map(|&v| self.vertex(v)));
                    if face.is_reversed() {
                        polygon.reverse();
                    }
                    f(&polygon);
                }
            }
        }
    }

    /// Checks lists that come from outside and returns what is wrong: lengths that do not match, or numbers
    /// of vertices and faces that do not exist.
    pub fn check(&self) -> Result<(), &'static str> {
        let n_vertices = self.vertices.len();
        if self.phi.len() != self.len() || !(self.density.is_empty() || self.density.len() == self.len()) {
            return Err("it does not have one value for each cell");
        }
        if self.tetrahedra.as_flattened().iter().any(|&v| v as usize >= n_vertices) {
            return Err("a tetrahedron has a vertex that does not exist");
        }
        self.polyhedra.check(n_vertices)
    }

    fn shape(&self, cell: usize) -> Shape<'_> {
        if let Some(cube) = self.cubes.get(cell) {
            return Shape::Cube(cube);
        }
        let cell = cell - self.cubes.len();
        match self.tetrahedra.get(cell) {
            Some(vertices) => Shape::Tetrahedron(vertices.map(|v| self.vertex(v))),
            None => Shape::Polyhedron(cell - self.tetrahedra.len()),
        }
    }

    fn vertex(&self, vertex: u32) -> Vec3 {
        Vec3::from_array(self.vertices[vertex as usize])
    }
}

/// Returns the volume of the tetrahedron between the origin and three points, positive if the points are
/// counter-clockwise seen from the side that faces away from the origin.
fn signed_volume(a: Vec3, b: Vec3, c: Vec3) -> f32 {
    a.dot(b.cross(c)) / 6.0
}
