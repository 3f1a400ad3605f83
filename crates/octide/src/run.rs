//! `octide run`: a folder is made, the scene is simulated, every frame is written as soon as it is there.

use crate::args::{Cli, Command, RunArgs, ViewArg, set_threads};
use crate::errors::Failure;
use crate::folder;
use crate::log::Log;
use crate::memory;
use crate::methods;
use crate::painter::Painter;
use crate::progress::{How, Progress, json};
use crate::stepping::{Step, advance};
use crate::stop::Stop;
use crate::text::{duration, say};
use clap::Parser;
use octide_core::contract::{Method, StepReport};
use octide_core::probes;
use octide_core::scene::Scene;
use octide_io::ply::{write_cells, write_particles, write_surface};
use octide_io::probes::ProbesWriter;
use octide_io::run_dir::RunDir;
use octide_io::scene_file::{Loaded, to_toml};
use octide_io::stats::StatsWriter;
use octide_io::vdb::write_volume;
use octide_render::animate;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What is run where nothing is asked for.
const DEFAULT: [&str; 5] = ["octide", "run", "water-drop", "--resolution", "128"];

/// Runs the first scene that anyone should see.
pub fn run_default() -> Result<(), Failure> {
    let line =
        "running the built-in scene water-drop at resolution 128; `octide --help` tells what else there is";
    let _ = writeln!(stderr(), "{line}");
    match Cli::parse_from(DEFAULT).command {
        Some(Command::Run(args)) => run(&args),
        _ => Ok(()),
    }
}

/// Runs a scene.
pub fn run(args: &RunArgs) -> Result<(), Failure> {
    let how = How::of(args);
    let outcome = run_told(args, how);
    if let (How::Json, Err(failure)) = (how, &outcome) {
        say(&json::error(failure));
    }
    outcome
}

fn run_told(args: &RunArgs, how: How) -> Result<(), Failure> {
    let loaded = load(args)?;
    set_threads(args.threads)?;
    let stop = Stop::listen_within(args.max_memory)?;
    let dir = folder::create(args, &loaded.scene)?;
    Run::begin(&loaded, dir, stop, how)?.all()
}

fn load(args: &RunArgs) -> Result<Loaded, Failure> {
    let mut more = Vec::new();
    match args.view {
        Some(ViewArg::Water) => more.push(("output.view", "water")),
        Some(ViewArg::Cells) => more.push(("output.view", "cells")),
        None => {}
    }
    if args.no_pictures {
        more.push(("output.preview", "false"));
    }
    args.scene.load(&more)
}

/// A run that is under way.
struct Run<'a> {
    scene: &'a Scene,
    dir: RunDir,
    stats: StatsWriter,
    /// None where the scene has no probes.
    probes: Option<ProbesWriter>,
    progress: Progress,
    stop: Stop,
    pictures: Vec<PathBuf>,
    n_steps: u64,
    /// Frames that are written.
    n_frames: u32,
    /// T-junction faces that the surface cuts, and those of them that are degenerate, over all steps.
    t_faces: [usize; 2],
    start: Instant,
}

impl<'a> Run<'a> {
    fn begin(loaded: &'a Loaded, dir: RunDir, stop: Stop, how: How) -> Result<Self, Failure> {
        let scene = &loaded.scene;
        dir.write_scene(&to_toml(scene))?;
        let stats = StatsWriter::create(&dir.stats_file())?;
        let probes = (!scene.probes.is_empty()).then(|| ProbesWriter::create(&dir.probes_file(), scene));
        let log = Log::create(&dir.log_file())?;
        let mut progress = Progress::new(scene.time.frames, how, log);
        progress.begin(scene, dir.root(), stop.memory_limit())?;
        for warning in &loaded.warnings {
            progress.note(&format!("warning: {warning}"))?;
        }
        let start = Instant::now();
        Ok(Self {
            scene,
            dir,
            stats,
            probes: probes.transpose()?,
            progress,
            stop,
            pictures: Vec::new(),
            n_steps: 0,
            n_frames: 0,
            t_faces: [0; 2],
            start,
        })
    }

    /// All frames, and what is made of them at the end, be it a good one or not.
    fn all(mut self) -> Result<(), Failure> {
        let outcome = self.frames();
        self.progress.clear();
        match outcome {
            Ok(()) => {
                self.animate()?;
                self.progress.end(&self.done())
            }
            Err(failure) => {
                // The first failure is the one to tell, whatever the moving picture meets.
                let _ = self.animate();
                let failure = failure.and(&self.kept());
                let _ = self.progress.log(&format!("error: {}", failure.message()));
                Err(failure)
            }
        }
    }

    fn frames(&mut self) -> Result<(), Failure> {
        let output = &self.scene.output;
        let painter = output.preview.then(|| Painter::new(self.scene, output.view, output.preview_size));
        let mut method = methods::start_within(self.scene, self.stop.memory_limit())?;
        if let Some(odd) = methods::odd_start(self.scene, &method.report()) {
            self.progress.note(&format!("warning: {odd}"))?;
        }
        self.frame(0, method.as_ref(), &method.report(), painter.as_ref())?;
        for k in 1..=self.scene.time.frames {
            let mut last = StepReport::default();
            advance(method.as_mut(), self.time(k), |step, method| {
                self.step(k, step, method)?;
                last = step.report.clone();
                self.stop.check()
            })?;
            self.frame(k, method.as_ref(), &last, painter.as_ref())?;
        }
        Ok(())
    }

    fn time(&self, frame: u32) -> f64 {
        f64::from(frame) / self.scene.time.fps
    }

    fn step(&mut self, frame: u32, step: &Step, method: &dyn Method) -> Result<(), Failure> {
        self.n_steps += 1;
        self.t_faces[0] += step.report.cut_t_faces;
        self.t_faces[1] += step.report.degenerate_t_faces;
        if let Some(trouble) = &step.trouble {
            let dt = step.report.dt;
            self.progress.note(&format!("step {} was shortened to {dt:.2e} s: {trouble}", self.n_steps))?;
        }
        let memory = memory::resident().unwrap_or(0);
        self.progress.step(frame, self.n_steps, step.time, &step.report, memory)?;
        self.stats.step(frame, self.n_steps, step.time, &step.report, memory)?;
        self.read_probes(step.time, method)
    }

    fn read_probes(&mut self, time: f64, method: &dyn Method) -> Result<(), Failure> {
        match &mut self.probes {
            Some(probes) => Ok(probes.step(self.n_steps, time, &probes::read(self.scene, method))?),
            None => Ok(()),
        }
    }

    /// Writes a frame.
    fn frame(
        &mut self,
        k: u32,
        method: &dyn Method,
        report: &StepReport,
        painter: Option<&Painter>,
    ) -> Result<(), Failure> {
        let time = self.time(k);
        let mut frame = method.frame();
        frame.time = time;
        if k == 0 {
            self.stats.step(0, 0, time, report, memory::resident().unwrap_or(0))?;
            self.read_probes(time, method)?;
        }
        let up = self.scene.output.up;
        let surface = self.dir.surface_file(k);
        self.dir.prepare(&surface)?;
        write_surface(&surface, &frame.surface, time, up)?;
        if self.scene.output.cells {
            let cells = self.dir.cells_file(k);
            self.dir.prepare(&cells)?;
            write_cells(&cells, &frame.cells, time, up)?;
        }
        if self.scene.output.volume {
            let volume = self.dir.volume_file(k);
            self.dir.prepare(&volume)?;
            write_volume(&volume, method.level_set().as_ref(), &self.scene.domain, time, up)?;
        }
        // From the first particles on every frame has a file, an empty one too.
        let has_begun = || self.dir.particles_file(k).parent().is_some_and(Path::is_dir);
        if self.scene.output.particles && (!frame.particles.is_empty() || has_begun()) {
            let particles = self.dir.particles_file(k);
            self.dir.prepare(&particles)?;
            write_particles(&particles, &frame.particles, time, up)?;
        }
        if let Some(painter) = painter {
            let picture = self.dir.preview_file(k);
            self.dir.prepare(&picture)?;
            painter.frame(&frame).write(&picture)?;
            self.pictures.push(picture);
        }
        self.n_frames = k + 1;
        self.progress.frame(k, time, self.n_steps, report)?;
        self.stop.check()
    }

    fn animate(&self) -> Result<(), Failure> {
        if self.pictures.is_empty() {
            return Ok(());
        }
        Ok(animate(&self.dir.animation_file(), &self.pictures, self.scene.time.fps)?)
    }

    fn done(&self) -> String {
        let root = self.dir.root().display();
        let took = duration(self.start.elapsed().as_secs_f64());
        let n = self.n_frames;
        let what = if self.pictures.is_empty() {
            format!("surfaces in {}", self.dir.root().join("surface").display())
        } else {
            format!("open {} in a browser: it moves", self.dir.animation_file().display())
        };
        let t_faces = match self.t_faces {
            [0, _] => String::new(),
            [cut, degenerate] => {
                let share = 100.0 * degenerate as f64 / cut as f64;
                format!(", {share:.0} % of the T-junctions at the surface degenerate")
            }
        };
        format!("done: {n} frames, {} steps in {took}{t_faces}, in {root}; {what}", self.n_steps)
    }

    fn kept(&self) -> String {
        let root = self.dir.root().display();
        match self.n_frames {
            0 => format!("no frame was written; {root} has the scene and the log"),
            1 => format!("frame 0 is kept in {root}"),
            n => format!("frames 0 to {} are kept in {root}", n - 1),
        }
    }
}
