//! `octide run`: simulates a scene and writes every frame as soon as it is complete.

use crate::args::{Cli, Command, RunArgs, ViewArg, set_threads};
use crate::checkpoints::{CheckpointWriter, Position};
use crate::errors::Failure;
use crate::folder;
use crate::log::Log;
use crate::memory;
use crate::methods;
use crate::painter::Painter;
use crate::progress::{Progress, ProgressFormat, json};
use crate::resume::{self, Start};
use crate::stop::Stop;
use crate::text::{duration, print_line};
use clap::Parser;
use octide_core::contract::StepReport;
use octide_core::probes;
use octide_core::scene::Scene;
use octide_io::ply::{write_cells, write_particles, write_surface};
use octide_io::probes::ProbesWriter;
use octide_io::run_dir::RunDir;
use octide_io::scene_file::{Loaded, identity, to_toml};
use octide_io::stats::StatsWriter;
use octide_io::vdb::{write_smoke, write_volume};
use octide_methods::{Simulation, Step};
use octide_render::animate;
use std::io::{Write, stderr};
use std::path::PathBuf;
use std::time::Instant;

/// The command line that is run without arguments.
const DEFAULT_COMMAND: [&str; 5] = ["octide", "run", "water-drop", "--resolution", "128"];

/// Runs the scene that newcomers see first.
pub fn run_default() -> Result<(), Failure> {
    let line =
        "running the built-in scene water-drop at resolution 128; see `octide --help` for other commands";
    let _ = writeln!(stderr(), "{line}");
    match Cli::parse_from(DEFAULT_COMMAND).command {
        Some(Command::Run(args)) => run(&args),
        _ => Ok(()),
    }
}

/// Runs a scene.
pub fn run(args: &RunArgs) -> Result<(), Failure> {
    let how = ProgressFormat::of(args);
    let outcome = run_in_format(args, how);
    if let (ProgressFormat::Json, Err(failure)) = (how, &outcome) {
        print_line(&json::error(failure));
    }
    outcome
}

fn run_in_format(args: &RunArgs, how: ProgressFormat) -> Result<(), Failure> {
    // This comes first because reading meshes already uses threads.
    set_threads(args.threads)?;
    let loaded = load(args)?;
    let stop = Stop::listen_within(args.max_memory)?;
    let (dir, lock) = folder::create(args, &loaded.scene)?;
    let start = if args.resume { resume::find(&dir, &loaded.scene, args.force)? } else { Start::fresh(&dir) };
    let outcome = Run::begin(&loaded, dir, start, stop, args, how)?.run_to_end();
    drop(lock);
    outcome
}

fn load(args: &RunArgs) -> Result<Loaded, Failure> {
    let mut more = Vec::new();
    match args.view {
        Some(ViewArg::Water) => more.push(("output.view", "water")),
        Some(ViewArg::Smoke) => more.push(("output.view", "smoke")),
        Some(ViewArg::Cells) => more.push(("output.view", "cells")),
        None => {}
    }
    if args.no_pictures {
        more.push(("output.preview", "false"));
    }
    args.scene.load(&more)
}

/// A run in progress.
struct Run<'a> {
    scene: &'a Scene,
    dir: RunDir,
    stats: StatsWriter,
    /// None if the scene has no probes.
    probes: Option<ProbesWriter>,
    progress: Progress,
    stop: Stop,
    checkpoints: CheckpointWriter,
    /// The state that the run resumes from; none for a new run.
    state: Option<Simulation>,
    pictures: Vec<PathBuf>,
    at: Position,
    drift: DriftWarning,
    start: Instant,
}

impl<'a> Run<'a> {
    fn begin(
        loaded: &'a Loaded,
        dir: RunDir,
        start: Start,
        stop: Stop,
        args: &RunArgs,
        how: ProgressFormat,
    ) -> Result<Self, Failure> {
        let scene = &loaded.scene;
        let Start { from, checkpoints, notes } = start;
        let (state, kept) = from.unzip();
        let at = kept.unwrap_or_default();
        dir.remove_leftovers()?;
        // If the run has more frames than requested, the scene file in the folder stays as it is.
        if at.next_frame <= scene.time.frames {
            dir.write_scene(&to_toml(scene))?;
        }
        let stats = match kept {
            Some(at) => StatsWriter::resume(&dir.stats_file(), at.stats)?,
            None => StatsWriter::create(&dir.stats_file())?,
        };
        let probes = (!scene.probes.is_empty()).then(|| match kept {
            Some(at) => ProbesWriter::resume(&dir.probes_file(), scene, at.probes),
            None => ProbesWriter::create(&dir.probes_file(), scene),
        });
        let log = Log::open(&dir.log_file(), args.resume)?;
        let progress = Progress::new(scene.time.frames, how, log);
        let checkpoints = CheckpointWriter::new(checkpoints, args.checkpoint_every, identity(scene), kept);
        let pictures = (0..at.next_frame).map(|k| dir.preview_file(k)).filter(|p| p.is_file()).collect();
        let probes = probes.transpose()?;
        let (drift, start) = (DriftWarning::default(), Instant::now());
        let mut run = Self {
            scene,
            dir,
            stats,
            probes,
            progress,
            stop,
            checkpoints,
            state,
            pictures,
            at,
            drift,
            start,
        };
        run.print_start(loaded, &notes)?;
        Ok(run)
    }

    fn print_start(&mut self, loaded: &Loaded, notes: &[String]) -> Result<(), Failure> {
        self.progress.begin(self.scene, self.dir.root(), self.stop.memory_limit())?;
        for note in notes {
            self.progress.note(note)?;
        }
        for warning in &loaded.warnings {
            self.progress.note(&format!("warning: {warning}"))?;
        }
        if self.at.next_frame > self.scene.time.frames {
            self.progress.note("all frames are complete; use --frames to add more")?;
        }
        Ok(())
    }

    /// Simulates all frames, and makes the animation whether they succeed or not.
    fn run_to_end(mut self) -> Result<(), Failure> {
        let limit = self.stop.memory_limit();
        let mut simulation = match self.state.take() {
            Some(mut simulation) => {
                simulation.limit_memory(limit);
                simulation
            }
            None => Simulation::new(methods::start_within(self.scene, limit)?, self.scene.time.fps),
        };
        let outcome = self.frames(&mut simulation).and_then(|()| self.write_checkpoint(&simulation));
        self.progress.clear();
        match outcome {
            Ok(()) => {
                self.animate()?;
                self.progress.end(&self.done())
            }
            Err(failure) => {
                // The first failure is the one to report, even if the last checkpoint or the animation fails,
                // too.
                if failure.leaves_valid_state() && simulation.can_step() {
                    let _ = self.write_checkpoint(&simulation);
                }
                let _ = self.animate();
                let failure = failure.with_line(&self.kept_files());
                let _ = self.progress.log(&format!("error: {}", failure.message()));
                Err(failure)
            }
        }
    }

    fn frames(&mut self, simulation: &mut Simulation) -> Result<(), Failure> {
        let output = &self.scene.output;
        let painter = output.preview.then(|| Painter::new(self.scene, output.view, output.preview_size));
        if self.at.next_frame == 0 {
            let first = simulation.report();
            if let Some(odd) = methods::start_warning(self.scene, &first) {
                self.progress.note(&format!("warning: {odd}"))?;
            }
            self.frame(0, simulation, &first, painter.as_ref())?;
        }
        while self.at.next_frame <= self.scene.time.frames {
            let k = self.at.next_frame;
            let mut last = None;
            while !self.at.arrived {
                let step = simulation.step_towards(self.time(k))?;
                self.step(k, &step, simulation)?;
                if !step.arrived && self.checkpoints.is_due(None) {
                    self.write_checkpoint(simulation)?;
                }
                last = Some(step.report);
                self.stop.check()?;
            }
            let report = last.unwrap_or_else(|| simulation.report());
            self.frame(k, simulation, &report, painter.as_ref())?;
        }
        Ok(())
    }

    /// Writes a checkpoint.
    fn write_checkpoint(&mut self, simulation: &Simulation) -> Result<(), Failure> {
        self.stats.sync()?;
        self.at.stats = self.stats.length();
        if let Some(probes) = &self.probes {
            probes.sync()?;
            self.at.probes = probes.length();
        }
        match self.checkpoints.write(simulation.method(), self.at)? {
            Some(line) => self.progress.log(&line),
            None => Ok(()),
        }
    }

    fn time(&self, frame: u32) -> f64 {
        f64::from(frame) / self.scene.time.fps
    }

    fn step(&mut self, frame: u32, step: &Step, simulation: &Simulation) -> Result<(), Failure> {
        self.at.n_steps += 1;
        let n = self.at.n_steps;
        if let Some(trouble) = &step.trouble
            && self.at.warnings.count(trouble)
        {
            let dt = step.report.dt;
            let more = "further steps shortened for this reason are only counted";
            self.progress
                .note(&format!("warning: step {n} was shortened to {dt:.2e} s: {trouble}; {more}"))?;
        }
        let limit = self.scene.numerics.max_volume_drift;
        if let Some(warning) = self.drift.after_step(n, step.report.volume_drift, limit) {
            self.progress.note(&format!("warning: {warning}"))?;
        }
        let memory = memory::resident().unwrap_or(0);
        self.progress.step(frame, n, step.time, &step.report, memory)?;
        self.stats.step(frame, n, step.time, &step.report, memory)?;
        self.read_probes(step.time, simulation)?;
        self.at.arrived = step.arrived;
        Ok(())
    }

    fn read_probes(&mut self, time: f64, simulation: &Simulation) -> Result<(), Failure> {
        match &mut self.probes {
            Some(probes) => {
                let values = probes::read(self.scene, simulation.method());
                Ok(probes.step(self.at.n_steps, time, &values)?)
            }
            None => Ok(()),
        }
    }

    /// Writes a frame.
    fn frame(
        &mut self,
        k: u32,
        simulation: &Simulation,
        report: &StepReport,
        painter: Option<&Painter>,
    ) -> Result<(), Failure> {
        let time = self.time(k);
        let mut frame = simulation.frame();
        frame.time = time;
        if k == 0 {
            self.stats.step(0, 0, time, report, memory::resident().unwrap_or(0))?;
            self.read_probes(time, simulation)?;
        }
        let up = self.scene.output.up;
        // Smoke has no surface.
        if !self.scene.is_smoke() {
            let surface = self.dir.surface_file(k);
            self.dir.prepare(&surface)?;
            write_surface(&surface, &frame.surface, time, up)?;
            self.checkpoints.record_file(surface);
        }
        if self.scene.output.cells {
            let cells = self.dir.cells_file(k);
            self.dir.prepare(&cells)?;
            write_cells(&cells, &frame.cells, time, up)?;
            self.checkpoints.record_file(cells);
        }
        if self.scene.output.volume {
            let volume = self.dir.volume_file(k);
            self.dir.prepare(&volume)?;
            match &frame.smoke {
                Some(smoke) => write_smoke(&volume, smoke, time, up)?,
                None => {
                    write_volume(&volume, simulation.method().view().as_ref(), &self.scene.domain, time, up)?
                }
            }
            self.checkpoints.record_file(volume);
        }
        // Once a frame has had particles, every later frame gets a file, even an empty one.
        self.at.has_particles |= !frame.particles.is_empty();
        if self.scene.output.particles && self.at.has_particles {
            let particles = self.dir.particles_file(k);
            self.dir.prepare(&particles)?;
            write_particles(&particles, &frame.particles, time, up)?;
            self.checkpoints.record_file(particles);
        }
        if let Some(painter) = painter {
            let (what, needed) = painter.needs(&frame);
            self.stop.allow(&what, needed, "use --no-pictures or a smaller output.preview_size")?;
            let picture = self.dir.preview_file(k);
            self.dir.prepare(&picture)?;
            painter.frame(&frame).write(&picture)?;
            self.checkpoints.record_file(picture.clone());
            self.pictures.push(picture);
        }
        (self.at.next_frame, self.at.arrived) = (k + 1, false);
        self.progress.frame(k, time, self.at.n_steps, report)?;
        if k > 0 && self.checkpoints.is_due(Some(k)) {
            self.write_checkpoint(simulation)?;
        }
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
        let n = self.at.next_frame;
        let what = if self.pictures.is_empty() {
            let [what, folder] =
                if self.scene.is_smoke() { ["volumes", "volume"] } else { ["surfaces", "surface"] };
            format!("{what} in {}", self.dir.root().join(folder).display())
        } else {
            format!("open {} in a browser to see the animation", self.dir.animation_file().display())
        };
        let warnings = self.at.warnings.summary().map_or(String::new(), |w| format!(", {w}"));
        format!("done: {n} frames, {} steps in {took}{warnings}, written to {root}; {what}", self.at.n_steps)
    }

    fn kept_files(&self) -> String {
        let root = self.dir.root().display();
        let frames = match self.at.next_frame {
            0 => format!("no frame was written; {root} contains the scene and the log"),
            1 => format!("frame 0 is in {root}"),
            n => format!("frames 0 to {} are in {root}", n - 1),
        };
        let warnings = self.at.warnings.summary().map_or(String::new(), |w| format!("; {w}"));
        let state = match self.checkpoints.last() {
            Some(path) => {
                format!("the last checkpoint is {}; use --resume to continue from it", path.display())
            }
            None => "no checkpoint has been written".to_owned(),
        };
        format!("{frames}{warnings}\n{state}")
    }
}
