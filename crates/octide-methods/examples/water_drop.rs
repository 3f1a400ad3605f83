//! A drop falls into a pool. The scene is built in code, and the surface of each frame is written as a PLY
//! file.
//!
//!     cargo run --release -p octide-methods --example water_drop [FOLDER]

use octide_core::DVec3;
use octide_core::geometry::Shape;
use octide_core::scene::{Scene, Up};
use octide_io::ply::write_surface;
use octide_methods::Simulation;
use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "water_drop".to_owned()));
    std::fs::create_dir_all(&folder)?;

    // A box of 1 m with 48 finest cells along each side; the coarsest cells are 2³ = 8 of them wide.
    let scene = Scene::empty("octree", DVec3::ONE, 48, 3)
        .named("water-drop")
        .with_frames(12, 24.0)
        .with_liquid(Shape::Box { min: DVec3::ZERO, max: DVec3::new(1.0, 0.3, 1.0) })
        .with_moving_liquid(
            Shape::Sphere { center: DVec3::new(0.5, 0.6, 0.5), radius: 0.15 },
            DVec3::new(0.0, -1.0, 0.0),
        );

    let mut simulation = Simulation::start(&scene)?;
    let mut frame = simulation.frame();
    loop {
        let file = folder.join(format!("{:04}.ply", simulation.frame_number()));
        // Blender has z pointing up; the simulation has y.
        write_surface(&file, &frame.surface, frame.time, Up::Z)?;
        let report = simulation.report();
        println!(
            "{}: {:.3} s, {} cells, {} triangles, volume {:.5} m³",
            file.display(),
            frame.time,
            report.cells,
            frame.surface.mesh.triangles.len(),
            report.volume
        );
        if simulation.frame_number() == scene.time.frames {
            return Ok(());
        }
        frame = simulation.next_frame()?;
    }
}
