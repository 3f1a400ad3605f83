//! Meshes of solids, for pictures. Boxes, balls, cylinders and meshes are made directly; all other shapes are
//! extracted from their signed distance on a tree that is fine near the surface.

#[cfg(test)]
mod tests;

use glam::{DVec3, IVec3};
use octide_core::geometry::primitives::icosphere;
use octide_core::geometry::{Shape, TriMesh};
use octide_core::octree::{Grading, Nodes, Octree, RootGrid};
use octide_core::par;
use octide_core::scene::Domain;
use octide_core::surface::extract::extract;
use std::f64::consts::TAU;

/// There are `ROOTS · 2^LEVELS` finest cells along the longest side of a shape in full detail.
const ROOTS: i32 = 3;
const LEVELS: u8 = 5;

/// Shapes that are extracted keep this many levels, so that slender ones do not fall between the samples.
const LEAST_LEVELS: u8 = 2;

/// Number of flat faces around a cylinder in full detail.
const FACES_AROUND: u32 = 96;

/// Number of times that the faces of an icosahedron are divided by four, for a ball in full detail.
const BALL_LEVELS: u32 = 4;

/// The solids of a scene together have about this many triangles at most, if their kinds allow it.
const MAX_TRIANGLES: usize = 1 << 20;

/// A solid longer than this fraction of the domain counts as large.
const LARGE: f64 = 0.1;

/// How much detail the mesh of a solid has: each step less has half as many faces across.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolidDetail {
    n_halvings: u8,
}

impl SolidDetail {
    /// All the detail there is.
    pub const FULL: Self = Self { n_halvings: 0 };

    /// Returns the detail of each of `n_solids` solids.
    fn of_each(n_solids: usize) -> Self {
        let ball = |n_halvings: u8| 20 << (2 * (BALL_LEVELS - u32::from(n_halvings)));
        let fits = |n: &u8| n_solids.saturating_mul(ball(*n)) <= MAX_TRIANGLES;
        Self { n_halvings: (0..BALL_LEVELS as u8).find(fits).unwrap_or(BALL_LEVELS as u8) }
    }
}

/// Returns the detail of each shape's mesh, so that all together have a bounded number of triangles: small
/// ones lose detail first.
pub fn solid_details(shapes: &[&Shape], domain: &Domain) -> Vec<SolidDetail> {
    let is_large = |shape: &&Shape| {
        let extent = shape.bounds().map_or(f64::INFINITY, |(min, max)| (max - min).max_element());
        extent > LARGE * domain.size.max_element()
    };
    let n_large = shapes.iter().filter(|s| is_large(s)).count();
    let (large, small) = (SolidDetail::of_each(n_large), SolidDetail::of_each(shapes.len()));
    shapes.iter().map(|s| if is_large(s) { large } else { small }).collect()
}

/// Returns a closed mesh of a shape, counter-clockwise seen from outside. Infinite shapes are cut off beyond
/// the domain.
pub fn solid_mesh(shape: &Shape, domain: &Domain, detail: SolidDetail) -> TriMesh {
    let coarser = detail.n_halvings;
    match shape {
        Shape::Box { min, max } => block(*min, *max),
        Shape::Sphere { center, radius } => icosphere(*center, *radius, BALL_LEVELS - u32::from(coarser)),
        Shape::Cylinder { from, to, radius } => cylinder(*from, *to, *radius, FACES_AROUND >> coarser),
        Shape::Mesh(mesh) if mesh.is_shell => two_sided(mesh.sdf.mesh()),
        Shape::Mesh(mesh) => mesh.sdf.mesh().clone(),
        Shape::Transformed { shape: inner, scale, rotation, translation } if inner.bounds().is_some() => {
            solid_mesh(inner, domain, detail).mapped(|p| *rotation * (*scale * p) + *translation)
        }
        _ => match shape.bounds() {
            Some((min, max)) => contour(shape, min, max, (LEVELS - coarser).max(LEAST_LEVELS)),
            None => {
                // So far out that the edge of a moving plane rarely comes into view.
                let (min, max) = (domain.origin - domain.size, domain.origin + 2.0 * domain.size);
                let clip = Shape::Box { min, max };
                contour(&Shape::Intersection(vec![shape.clone(), clip]), min, max, LEVELS)
            }
        },
    }
}

/// Returns a mesh that is seen from both sides.
fn two_sided(mesh: &TriMesh) -> TriMesh {
    let back = mesh.triangles.iter().map(|&[a, b, c]| [a, c, b]);
    let triangles = mesh.triangles.iter().copied().chain(back).collect();
    TriMesh { positions: mesh.positions.clone(), triangles }
}

fn contour(shape: &Shape, min: DVec3, max: DVec3, levels: u8) -> TriMesh {
    let longest = (max - min).max_element();
    let n_finest = f64::from(ROOTS << levels);
    // Two cells more on each side, so that the surface lies inside the grid.
    let dx = longest / (n_finest - 4.0);
    if !(dx > 0.0 && dx.is_finite()) {
        return TriMesh::default();
    }
    let root = dx * f64::from(1u32 << levels);
    let dims = ((max - min + 4.0 * dx) / root).ceil().as_ivec3().max(IVec3::ONE);
    let low = 0.5 * (min + max) - 0.5 * root * dims.as_dvec3();
    let grid = RootGrid::new(low, dx, levels, IVec3::ZERO, dims, |_| true);
    // The surface passes a cell within half its diagonal of the center; a little more keeps neighbors fine
    // too.
    let tree =
        Octree::build(&grid, Grading::Graded, |cell| shape.distance(cell.center).abs() < cell.size + dx);
    let phi = par::map(tree.n_cells(), |c| shape.distance(tree.center(c)));
    extract(&tree, &Nodes::new(&tree), &phi).to_surface(|_, _| DVec3::ZERO).mesh
}

fn block(min: DVec3, max: DVec3) -> TriMesh {
    let corner = |i: usize| {
        let pick = |a: usize| if i >> a & 1 == 0 { min[a] } else { max[a] };
        DVec3::new(pick(0), pick(1), pick(2)).as_vec3().to_array()
    };
    let sides = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    TriMesh {
        positions: (0..8).map(corner).collect(),
        triangles: sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
    }
}

fn cylinder(from: DVec3, to: DVec3, radius: f64, n_faces: u32) -> TriMesh {
    let axis = (to - from).normalize_or(DVec3::Y);
    let (u, v) = axis.any_orthonormal_pair();
    let store = |p: DVec3| p.as_vec3().to_array();
    let ring = |center: DVec3| {
        (0..n_faces).map(move |i| {
            let (sin, cos) = (TAU * f64::from(i) / f64::from(n_faces)).sin_cos();
            store(center + radius * (cos * u + sin * v))
        })
    };
    // The rings, then the middles of both ends.
    let positions = ring(from).chain(ring(to)).chain([store(from), store(to)]).collect();
    let (low, high) = (2 * n_faces, 2 * n_faces + 1);
    let triangles = (0..n_faces)
        .flat_map(|i| {
            let next = (i + 1) % n_faces;
            let (a, b, c, d) = (i, next, n_faces + i, n_faces + next);
            [[a, b, d], [a, d, c], [low, b, a], [high, c, d]]
        })
        .collect();
    TriMesh { positions, triangles }
}
