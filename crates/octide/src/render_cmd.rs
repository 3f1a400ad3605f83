//! `octide render`: pictures of a run from its files.

use crate::args::{RenderArgs, set_threads};
use crate::errors::Failure;
use crate::folder::numbers;
use crate::painter::Painter;
use crate::text::print_line;
use crate::video;
use indicatif::ProgressBar;
use octide_core::contract::Particles;
use octide_core::scene::{Scene, View};
use octide_io::ply::{read_cells, read_particles, read_surface};
use octide_io::scene_file::{LoadOptions, load_path};
use octide_io::vdb::read_smoke;
use octide_render::{Picture, animate};
use std::fs;
use std::path::{Path, PathBuf};

/// Renders pictures, an animation, and a video if requested.
pub fn render(args: &RenderArgs) -> Result<(), Failure> {
    let scene_file = args.dir.join("scene.toml");
    if !scene_file.is_file() {
        let dir = args.dir.display();
        return Err(Failure::Input(format!(
            "{dir} is not the folder of a run: there is no scene.toml in it"
        )));
    }
    // This comes first because reading meshes already uses threads.
    set_threads(args.threads)?;
    let scene = load_path(&scene_file, &LoadOptions::new(octide_methods::ABILITIES))?.scene;
    let view = view(args, &scene)?;
    let frames = frames(args, view)?;
    if args.video {
        video::need_ffmpeg()?;
    }
    let out = args.out.as_deref().unwrap_or(&args.dir);
    let folder = out.join("preview");
    fs::create_dir_all(&folder)
        .map_err(|e| Failure::Input(format!("cannot create the folder {}: {e}", folder.display())))?;

    let painter = Painter::new(&scene, view, args.size.unwrap_or(scene.output.preview_size));
    let bar = if args.quiet { ProgressBar::hidden() } else { ProgressBar::new(frames.len() as u64) };
    let mut pictures = Vec::new();
    for (number, file) in frames {
        let picture = folder.join(format!("{number:04}.png"));
        paint(&painter, view, &file)?.write(&picture)?;
        pictures.push(picture);
        bar.inc(1);
    }
    let animation = out.join("preview.png");
    animate(&animation, &pictures, scene.time.fps)?;
    if args.video {
        video::make(&out.join("preview.mp4"), &pictures, scene.time.fps)?;
    }
    bar.finish_and_clear();
    if !args.quiet {
        let n = pictures.len();
        print_line(&format!(
            "{n} pictures in {}; open {} in a browser to see the animation",
            folder.display(),
            animation.display()
        ));
    }
    Ok(())
}

/// What the pictures show.
fn view(args: &RenderArgs, scene: &Scene) -> Result<View, Failure> {
    let view = args.view.map_or(scene.output.view, View::from);
    match (view, scene.is_smoke()) {
        (View::Water, true) => {
            Err(Failure::Input("the run simulates smoke; use --view smoke or --view cells".to_owned()))
        }
        (View::Smoke, false) => {
            Err(Failure::Input("the run simulates water; use --view water or --view cells".to_owned()))
        }
        _ => Ok(view),
    }
}

/// The numbers and files of the frames to draw.
fn frames(args: &RenderArgs, view: View) -> Result<Vec<(u32, PathBuf)>, Failure> {
    let (folder, extension) = match view {
        View::Water => ("surface", "ply"),
        View::Smoke => ("volume", "vdb"),
        View::Cells => ("cells", "ply"),
    };
    let folder = args.dir.join(folder);
    let all = numbers(&folder, extension);
    let (Some(first), Some(last)) = (all.first(), all.last()) else {
        let help = match view {
            View::Water => "the run has not written a frame yet",
            View::Smoke => "the run has not written a volume yet, or output.volume was false",
            View::Cells => "run the scene with --set output.cells=true to write its cells",
        };
        return Err(Failure::Input(format!("there are no frames in {}; {help}", folder.display())));
    };
    let wanted = |n: &u32| args.frames.as_ref().is_none_or(|range| range.contains(n));
    let chosen: Vec<_> =
        all.iter().copied().filter(wanted).map(|n| (n, folder.join(format!("{n:04}.{extension}")))).collect();
    if chosen.is_empty() {
        let there = format!("the run has frames {first} to {last}");
        return Err(Failure::Input(format!("--frames matches no frame; {there}")));
    }
    Ok(chosen)
}

fn paint(painter: &Painter, view: View, file: &Path) -> Result<Picture, Failure> {
    Ok(match view {
        View::Smoke => {
            let (smoke, time) = read_smoke(file)?;
            painter.smoke(Some(&smoke), time)
        }
        View::Water => {
            let (surface, time) = read_surface(file)?;
            painter.water(&surface, &particles_beside(file)?, time)
        }
        View::Cells => painter.cells(&read_cells(file)?.0),
    })
}

/// Reads the particles of the frame whose surface is in `file`; none if the run did not write them.
fn particles_beside(file: &Path) -> Result<Particles, Failure> {
    let (Some(run), Some(name)) = (file.parent().and_then(Path::parent), file.file_name()) else {
        return Ok(Particles::default());
    };
    let file = run.join("particles").join(name);
    if file.is_file() { Ok(read_particles(&file)?.0) } else { Ok(Particles::default()) }
}
