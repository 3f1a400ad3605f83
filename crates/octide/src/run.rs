//! `octide run`: simulates a scene and writes every frame as soon as it is complete.

mod closing_lines;
mod frames;

use crate::args::{Cli, Command, RunArgs, ViewArg, set_threads};
use crate::checkpoints::{CheckpointLines, CheckpointWriter, Position};
use crate::errors::{Failure, print_failure};
use crate::folder;
use crate::log::Log;
use crate::memory;
use crate::methods;
use crate::progress::{Progress, ProgressFormat, json};
use crate::resume::{self, Start};
use crate::run_memory::RunMemory;
use crate::stage_notice::StageNotice;
use crate::stop::Stop;
use crate::text::{print_json, print_to_stderr};
use crate::warnings::{CollapseWarning, DriftWarning};
use clap::Parser;
use octide_core::probes;
use octide_core::scene::Scene;
use octide_io::frames::FramesWriter;
use octide_io::probes::ProbesWriter;
use octide_io::run_dir::RunDir;
use octide_io::scene_file::{Loaded, identity, to_toml};
use octide_io::stats::StatsWriter;
use octide_io::{Mark, printable};
use octide_methods::{Simulation, Step};
use std::fs;
use std::time::Instant;

/// The command line that is run without arguments.
const DEFAULT_COMMAND: [&str; 5] = ["octide", "run", "water-drop", "--resolution", "128"];

/// Runs the scene that newcomers see first.
pub fn run_default() -> Result<(), Failure> {
    let line =
        "running the built-in scene water-drop at resolution 128; see `octide --help` for other commands";
    print_to_stderr(line);
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
        print_json(&json::error(failure));
    }
    outcome
}

fn run_in_format(args: &RunArgs, how: ProgressFormat) -> Result<(), Failure> {
    // This comes first because reading meshes already uses threads.
    set_threads(args.threads)?;
    let stop = Stop::listen_within(args.max_memory)?;
    stop.quit_at_once(move || {
        let failure = Failure::Interrupted("interrupted before the first step".to_owned());
        if how == ProgressFormat::Json {
            print_json(&json::error(&failure));
        }
        print_failure(&failure);
    });
    let loaded = {
        let _notice = StageNotice::new("reading the scene and its meshes", how);
        load(args)?
    };
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
    /// None if the scene has no water.
    frames: Option<FramesWriter>,
    /// None if the scene has no probes.
    probes: Option<ProbesWriter>,
    progress: Progress,
    stop: Stop,
    checkpoints: CheckpointWriter,
    /// The state that the run resumes from; none for a new run.
    state: Option<Simulation>,
    /// Frames of the resumed run whose pictures must be drawn again.
    lost_pictures: Vec<u32>,
    at: Position,
    drift: DriftWarning,
    collapse: CollapseWarning,
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
        let Start { from, clears_folder, mut checkpoints, notes } = start;
        dir.remove_leftovers()?;
        if clears_folder {
            dir.clear()?;
        }
        let mut at = from.as_ref().map(|from| from.position).unwrap_or_default();
        if let Some(from) = &from {
            checkpoints.resume_from(&from.path)?;
            // Later frames are those of the old scene, or more than are requested.
            let more = if from.has_other_scene { 0 } else { scene.time.frames.saturating_add(1) };
            dir.remove_frames_from(at.next_frame.max(more))?;
        }
        at.last_frame = from.as_ref().map_or(scene.time.frames, |from| from.last_frame(scene));
        let mut written = scene.clone();
        written.time.frames = at.last_frame;
        // This is the first file in a new folder: without it, the folder is not that of a run.
        dir.write_scene(&to_toml(&written))?;
        let log = Log::open(&dir.log_file(), args.resume)?;
        let stats = match &from {
            Some(_) => StatsWriter::resume(&dir.stats_file(), at.stats.length)?,
            None => StatsWriter::create(&dir.stats_file())?,
        };
        let frames = match &from {
            _ if scene.is_smoke() => None,
            Some(_) => Some(FramesWriter::resume(&dir.frames_file(), at.next_frame)?),
            None => Some(FramesWriter::create(&dir.frames_file())?),
        };
        let probes = match &from {
            _ if scene.probes.is_empty() => {
                truncate_table(&dir, &mut at)?;
                None
            }
            Some(_) => Some(ProbesWriter::resume(&dir.probes_file(), scene, at.probes.length)?),
            None => Some(ProbesWriter::create(&dir.probes_file(), scene)?),
        };
        let progress = Progress::new(scene, how, log);
        let mut checkpoints = CheckpointWriter::new(checkpoints, args.checkpoint_every, identity(scene));
        let (mut state, mut lost_pictures) = (None, Vec::new());
        if let Some(from) = from {
            // From now on this is the scene, and what is lost is lost.
            let is_changed = from.has_other_scene || !from.lost.is_empty();
            checkpoints = checkpoints.resume((!is_changed).then_some(at), from.files);
            (state, lost_pictures) = (Some(from.simulation), from.pictures);
        }
        let (drift, collapse) = (DriftWarning::default(), CollapseWarning::default());
        let start = Instant::now();
        let mut run = Self {
            scene,
            dir,
            stats,
            frames,
            probes,
            progress,
            stop,
            checkpoints,
            state,
            lost_pictures,
            at,
            drift,
            collapse,
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
                // Writes nothing unless something has changed since the checkpoint.
                self.write_checkpoint(&simulation)?;
                simulation
            }
            None => {
                let _notice = self.progress.notice("building the first grid");
                Simulation::new(methods::start_within(self.scene, limit)?, self.scene.time.fps)
            }
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
        let memory = {
            let _notice = self.progress.notice("preparing the solids for pictures");
            // Meshes are already in memory.
            RunMemory::new(self.scene, 0)?
        };
        if let Some(painter) = memory.painter() {
            self.draw_lost_pictures(painter)?;
        }
        if self.at.next_frame == 0 {
            let _notice = self.progress.notice("writing the first frame");
            let first = simulation.report();
            if let Some(odd) = methods::start_warning(self.scene, &first) {
                self.progress.note(&format!("warning: {odd}"))?;
            }
            self.frame(0, simulation, &first, &memory)?;
        }
        self.stop.keep_steps();
        while self.at.next_frame <= self.scene.time.frames {
            let k = self.at.next_frame;
            let mut last = None;
            while !self.at.arrived {
                let step = simulation
                    .step_towards(self.time(k))
                    .map_err(|e| Failure::of_simulation(e, self.scene))?;
                self.step(k, &step, simulation)?;
                if !step.arrived && self.checkpoints.is_due(None) {
                    self.write_checkpoint(simulation)?;
                }
                last = Some(step.report);
                self.stop.check()?;
            }
            let report = last.unwrap_or_else(|| simulation.report());
            self.frame(k, simulation, &report, &memory)?;
        }
        Ok(())
    }

    /// Writes a checkpoint.
    fn write_checkpoint(&mut self, simulation: &Simulation) -> Result<(), Failure> {
        self.check_folder()?;
        self.stats.sync()?;
        self.at.stats = self.stats.mark();
        self.frames.as_ref().map_or(Ok(()), FramesWriter::sync)?;
        if let Some(probes) = &self.probes {
            probes.sync()?;
            self.at.probes = probes.mark();
        }
        let CheckpointLines { warnings, log } = self.checkpoints.write(simulation.method(), self.at)?;
        warnings.iter().try_for_each(|warning| self.progress.note(warning))?;
        log.map_or(Ok(()), |line| self.progress.log(&line))
    }

    /// Returns an error if the folder is no longer the one that the run writes to: someone has removed it, or
    /// another program writes there, too.
    fn check_folder(&self) -> Result<(), Failure> {
        let file = self.dir.stats_file();
        let length = fs::metadata(&file).map(|found| found.len());
        if length.is_ok_and(|n| n == self.stats.mark().length) {
            return Ok(());
        }
        Err(Failure::Disk(format!(
            "{} was removed or changed by another program while the run was writing it",
            printable(&file)
        )))
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
        if let Some(warning) = self.drift.after_step(n, step.report.volume_drift, self.scene) {
            self.progress.note(&format!("warning: {warning}"))?;
        }
        if let Some(warning) = self.collapse.after_step(n, step.report.collapsing_air) {
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
}

/// Truncates the table of probes that the scene no longer has, or forgets a table that is lost.
fn truncate_table(dir: &RunDir, at: &mut Position) -> Result<(), Failure> {
    if at.probes.find_damage(&dir.probes_file()).is_some() {
        at.probes = Mark::default();
    }
    if at.probes.length > 0 {
        ProbesWriter::truncate(&dir.probes_file(), at.probes.length)?;
    }
    Ok(())
}
