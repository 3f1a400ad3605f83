//! Reads a mesh (OBJ, PLY or STL), computes its signed distance on a slice through the middle, and writes
//! that as a picture: blue inside, orange outside, with a line every tenth of the mesh's height.
//!
//!     cargo run --release -p octide-methods --example mesh_distance [MESH] [PICTURE.png]
//!
//! Without a mesh it takes a torus, to have something to look at.

use octide_core::DVec3;
use octide_core::geometry::{MeshSdf, TriMesh};
use octide_io::mesh_in::read_mesh;
use octide_render::Picture;
use std::error::Error;
use std::f64::consts::TAU;
use std::path::PathBuf;

/// Pixels along the width of the picture.
const WIDTH: u32 = 480;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).map(PathBuf::from);
    let mesh = match arguments.next() {
        Some(path) => read_mesh(&path)?,
        None => torus(0.35, 0.15),
    };
    let picture = arguments.next().unwrap_or_else(|| PathBuf::from("mesh_distance.png"));

    let sdf = MeshSdf::new(&mesh)?;
    let (min, max) = sdf.bounds();
    println!("{} triangles, {min} to {max}, volume {:.5}", mesh.triangles.len(), mesh.volume());

    // The slice has a margin of a quarter of the mesh on each side.
    let (min, max) = (min - 0.25 * (max - min), max + 0.25 * (max - min));
    let size = max - min;
    let height = ((f64::from(WIDTH) * size.y / size.x) as u32).clamp(1, 4 * WIDTH);
    let mut rgb = Vec::new();
    for row in 0..height {
        for column in 0..WIDTH {
            let x = min.x + size.x * (f64::from(column) + 0.5) / f64::from(WIDTH);
            let y = max.y - size.y * (f64::from(row) + 0.5) / f64::from(height);
            let distance = sdf.distance(DVec3::new(x, y, 0.5 * (min.z + max.z)));
            rgb.extend(color(distance / (0.1 * size.y)));
        }
    }
    Picture { width: WIDTH, height, rgb }.write(&picture)?;
    println!("{}", picture.display());
    Ok(())
}

/// A color for a distance, counted in the distance between two lines.
fn color(distance: f64) -> [u8; 3] {
    let line = (distance - distance.round()).abs() < 0.04;
    let fade = (-0.4 * distance.abs()).exp();
    let base = if distance < 0.0 { [40.0, 90.0, 220.0] } else { [240.0, 150.0, 60.0] };
    base.map(|c| if line { 30 } else { (255.0 - (255.0 - c) * (0.3 + 0.7 * fade)) as u8 })
}

/// A torus around the z axis with the radii of its ring and of its tube.
fn torus(ring: f64, tube: f64) -> TriMesh {
    const AROUND: u32 = 96;
    const ACROSS: u32 = 48;
    let mut mesh = TriMesh::default();
    for i in 0..AROUND {
        for j in 0..ACROSS {
            let (sin_u, cos_u) = (TAU * f64::from(i) / f64::from(AROUND)).sin_cos();
            let (sin_v, cos_v) = (TAU * f64::from(j) / f64::from(ACROSS)).sin_cos();
            let r = ring + tube * cos_v;
            mesh.positions.push(DVec3::new(r * cos_u, r * sin_u, tube * sin_v).as_vec3().to_array());
            let corner = |i: u32, j: u32| (i % AROUND) * ACROSS + j % ACROSS;
            let (a, b, c, d) = (corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1));
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    mesh
}
