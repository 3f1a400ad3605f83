//! Draws a few scenes made by formula into a folder, with the time that each picture took:
//! `cargo run --profile fast -p octide-render --example gallery -- DIR`.

mod plume;
mod shapes;

use glam::{DQuat, DVec3};
use octide_core::contract::Surface;
use octide_core::geometry::{Pose, TriMesh};
use octide_core::scene::{Camera, Domain};
use octide_render::{
    CellsView, ImageError, Picture, SmokeView, WaterView, render_cells, render_smoke, render_water,
};
use plume::{plume, room};
use shapes::{ball, cells, in_three_shapes, join, liquid, tank};
use std::path::{Path, PathBuf};
use std::time::Instant;

fn waves(x: f32, z: f32) -> f32 {
    0.035 * (9.0 * x + 4.0 * z).sin()
        + 0.02 * (17.0 * z - 8.0 * x).sin()
        + 0.008 * (41.0 * x + 23.0 * z).sin()
}

fn domain(origin: [f64; 3], size: [f64; 3]) -> Domain {
    Domain { origin: DVec3::from(origin), size: DVec3::from(size), resolution: 128, levels: 4 }
}

fn render_stage(path: &Path, view: &WaterView) -> Result<(), ImageError> {
    let start = Instant::now();
    let picture = render_water(view);
    let seconds = start.elapsed().as_secs_f64();
    println!("{}: {} triangles, {seconds:.2} s", path.display(), view.surface.mesh.triangles.len());
    picture.write(path)
}

fn main() -> Result<(), ImageError> {
    let dir = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".into()));
    let only = std::env::args().nth(2);
    let wanted = |name: &str| only.as_deref().is_none_or(|o| o == name);
    let still = Pose::IDENTITY;
    let picture = |name: &str, surface: &Surface, solids: &[(&TriMesh, Pose)], domain: &Domain, camera| {
        if !wanted(name) {
            return Ok(());
        }
        let view = WaterView { surface, solids, domain, camera, width: 640, height: 360, samples: 4 };
        render_stage(&dir.join(format!("{name}.png")), &view)
    };

    let unit = domain([0.0; 3], [1.0; 3]);
    let basin = || tank([0.0; 3], [1.0; 3], [140, 30, 140], |x, z| 0.38 + waves(x, z));
    let drop = ball([0.45, 0.72, 0.5], [0.11; 3], 60);
    picture("drop", &liquid(join(basin(), drop)), &[], &unit, None)?;

    let buoy = ball([0.0; 3], [0.17; 3], 40);
    let afloat = Pose { position: DVec3::new(0.55, 0.42, 0.5), ..still };
    let block = tank([-0.08, -0.08, -0.08], [0.08, 0.08, 0.08], [1; 3], |_, _| 0.08);
    let sunk = Pose { position: DVec3::new(0.2, 0.09, 0.75), rotation: DQuat::from_rotation_y(0.5) };
    let post = tank([0.8, 0.0, 0.1], [0.92, 0.8, 0.22], [1; 3], |_, _| 0.8);
    let solids = [(&buoy, afloat), (&block, sunk), (&post, still)];
    picture("solids", &liquid(basin()), &solids, &unit, None)?;

    let wide = domain([-50.0, -3.0, -50.0], [100.0, 25.0, 100.0]);
    let lake = |x: f32, z: f32| 6.0 + 40.0 * waves(x / 40.0, z / 40.0) * (-(x * x + z * z) / 2000.0).exp();
    let lake = liquid(tank([-50.0, -3.0, -50.0], [50.0, 9.0, 50.0], [200, 10, 200], lake));
    let rock = ball([10.0, -3.0, 5.0], [12.0, 14.0, 9.0], 40);
    picture("lake", &lake, &[(&rock, still)], &wide, None)?;

    let long = domain([0.0; 3], [2.0, 1.0, 0.5]);
    let column = liquid(tank([0.0; 3], [0.6, 0.8, 0.5], [80, 100, 60], |_, _| 0.8));
    picture("column", &column, &[], &long, None)?;

    let low = Camera { position: DVec3::new(0.5, 0.62, 2.2), target: DVec3::new(0.5, 0.35, 0.5), fov: 35.0 };
    picture("low", &liquid(basin()), &solids, &unit, Some(&low))?;
    let under = Camera { position: DVec3::new(0.15, 0.2, 0.9), target: DVec3::new(0.6, 0.3, 0.4), fov: 70.0 };
    let ahead =
        Camera { position: DVec3::new(0.5, 0.62, 2.75), target: DVec3::new(0.5, 0.47, 0.5), fov: 28.0 };
    picture("under", &liquid(basin()), &solids, &unit, Some(&under))?;
    picture("empty", &Surface::default(), &solids, &unit, None)?;

    let globe = ball([0.62, 0.3, 0.62], [0.09; 3], 60);
    for (name, resolution, camera) in
        [("smoke", 128, None), ("smoke-256", 256, Some(&ahead)), ("smoke-32", 32, Some(&ahead))]
    {
        if wanted(name) {
            let domain = room(resolution, resolution.ilog2() as u8 - 2);
            let smoke = plume(&domain);
            let solids = [(&globe, still)];
            let view = SmokeView {
                smoke: Some(&smoke),
                solids: &solids,
                domain: &domain,
                camera,
                width: 640,
                height: 360,
                samples: 4,
            };
            let start = Instant::now();
            let picture = render_smoke(&view);
            println!("{name}: {} cells, {:.2} s", smoke.cells.len(), start.elapsed().as_secs_f64());
            picture.write(&dir.join(format!("{name}.png")))?;
        }
    }

    for (name, dx) in [("cells", 1.0 / 128.0), ("shapes", 1.0 / 32.0)] {
        if !wanted(name) {
            continue;
        }
        let phi = |p: [f32; 3]| {
            let r: f32 = [0.45, 0.72, 0.5].iter().zip(p).map(|(c, x)| (x - c) * (x - c)).sum();
            (p[1] - 0.38 - waves(p[0], p[2])).min(r.sqrt() - 0.11)
        };
        let mut cells = cells(1.0, dx, &phi);
        if name == "shapes" {
            cells = in_three_shapes(&cells, 1.0, &phi);
        }
        let start = Instant::now();
        let picture: Picture =
            render_cells(&CellsView { cells: &cells, domain: &unit, width: 640, height: 640 });
        println!("{name}: {} cells, {:.3} s", cells.len(), start.elapsed().as_secs_f64());
        picture.write(&dir.join(format!("{name}.png")))?;
    }
    Ok(())
}
