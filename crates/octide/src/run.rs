//! `octide run`: simulates a scene and writes every frame as soon as it is complete.

use crate::args::{Cli, Command, RunArgs, ViewArg, set_threads};
use crate::checkpoints::{CheckpointLines, CheckpointWriter, Position};
use crate::counts::Counts;
use crate::errors::{Failure, print_failure};
use crate::folder;
use crate::frame_files::FrameOutput;
use crate::log::Log;
use crate::memory;
use crate::methods;
use crate::painter::Painter;
use crate::progress::{Progress, ProgressFormat, json};
use crate::render_cmd;
use crate::resume::{self, Start};
use crate::run_memory::RunMemory;
use crate::stage_notice::StageNotice;
use crate::stop::Stop;
use crate::text::{duration, print_json, print_to_stderr};
use crate::warnings::DriftWarning;
use clap::Parser;
use octide_core::contract::StepReport;
use octide_core::probes;
use octide_core::scene::{Scene, View};
use octide_io::ply::{write_cells, write_particles, write_surface};
use octide_io::probes::ProbesWriter;
use octide_io::run_dir::RunDir;
use octide_io::scene_file::{Loaded, identity, to_toml};
use octide_io::stats::StatsWriter;
use octide_io::vdb::{write_smoke, write_volume};
use octide_io::{Mark, printable};
use octide_methods::{Simulation, Step};
use octide_render::animate;
use std::fs;
use std::path::PathBuf;
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
        let probes = match &from {
            _ if scene.probes.is_empty() => {
                truncate_table(&dir, &mut at)?;
                None
            }
            Some(_) => Some(ProbesWriter::resume(&dir.probes_file(), scene, at.probes.length)?),
            None => Some(ProbesWriter::create(&dir.probes_file(), scene)?),
        };
        let progress = Progress::new(scene.time.frames, how, log);
        let mut checkpoints = CheckpointWriter::new(checkpoints, args.checkpoint_every, identity(scene));
        let (mut state, mut lost_pictures) = (None, Vec::new());
        if let Some(from) = from {
            // From now on this is the scene, and what is lost is lost.
            let is_changed = from.has_other_scene || !from.lost.is_empty();
            checkpoints = checkpoints.resume((!is_changed).then_some(at), from.files);
            (state, lost_pictures) = (Some(from.simulation), from.pictures);
        }
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
            lost_pictures,
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
                let step = simulation.step_towards(self.time(k))?;
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

    /// Draws pictures that are missing or damaged again, from the files of their frames.
    fn draw_lost_pictures(&mut self, painter: &Painter) -> Result<(), Failure> {
        let lost = std::mem::take(&mut self.lost_pictures);
        if lost.is_empty() {
            return Ok(());
        }
        let n = lost.len();
        let what = if n == 1 { "a picture" } else { "pictures" };
        self.progress.note(&format!("drawing {what} of earlier frames again: {n}"))?;
        let view = self.scene.output.view;
        let source = match view {
            View::Water => FrameOutput::Surface,
            View::Smoke => FrameOutput::Volume,
            View::Cells => FrameOutput::Cells,
        };
        for k in lost {
            let picture = self.dir.preview_file(k);
            self.dir.prepare(&picture)?;
            render_cmd::paint(painter, view, &source.file(&self.dir, k))?.write(&picture)?;
            self.checkpoints.record_file(&self.dir, FrameOutput::Picture, k)?;
            self.stop.check()?;
        }
        Ok(())
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
        memory: &RunMemory,
    ) -> Result<(), Failure> {
        self.check_folder()?;
        let time = self.time(k);
        let counts = Counts::of_step(report);
        self.stop.allow("a frame", memory.making_frame(&counts), "use a lower --resolution")?;
        let mut frame = simulation.frame();
        frame.time = time;
        let counts = counts.with_frame(&frame);
        if k == 0 {
            self.stats.step(0, 0, time, report, crate::memory::resident().unwrap_or(0))?;
            self.read_probes(time, simulation)?;
        }
        let up = self.scene.output.up;
        // Smoke has no surface.
        if !self.scene.is_smoke() {
            let surface = self.dir.surface_file(k);
            self.dir.prepare(&surface)?;
            write_surface(&surface, &frame.surface, time, up)?;
            self.checkpoints.record_file(&self.dir, FrameOutput::Surface, k)?;
        }
        if self.scene.output.cells {
            let cells = self.dir.cells_file(k);
            self.dir.prepare(&cells)?;
            write_cells(&cells, &frame.cells, time, up)?;
            self.checkpoints.record_file(&self.dir, FrameOutput::Cells, k)?;
        }
        if self.scene.output.volume {
            self.stop.allow("a volume", memory.writing_volume(&counts), "use --set output.volume=false")?;
            let volume = self.dir.volume_file(k);
            self.dir.prepare(&volume)?;
            match &frame.smoke {
                Some(smoke) => write_smoke(&volume, smoke, time, up)?,
                None => {
                    write_volume(&volume, simulation.method().view().as_ref(), &self.scene.domain, time, up)?
                }
            }
            self.checkpoints.record_file(&self.dir, FrameOutput::Volume, k)?;
        }
        // Once a frame has had particles, every later frame gets a file, even an empty one.
        self.at.has_particles |= !frame.particles.is_empty();
        if self.scene.output.particles && self.at.has_particles {
            let particles = self.dir.particles_file(k);
            self.dir.prepare(&particles)?;
            write_particles(&particles, &frame.particles, time, up)?;
            self.checkpoints.record_file(&self.dir, FrameOutput::Particles, k)?;
        }
        if let Some(painter) = memory.painter() {
            let remedy = "use --no-pictures or a smaller output.preview_size";
            self.stop.allow(&painter.picture_name(), painter.bytes(&counts), remedy)?;
            let picture = self.dir.preview_file(k);
            self.dir.prepare(&picture)?;
            let drawn = painter.frame(&frame);
            // From the first picture on, a run that is interrupted keeps its state.
            self.stop.keep_steps();
            drawn.write(&picture)?;
            self.checkpoints.record_file(&self.dir, FrameOutput::Picture, k)?;
        }
        // A checkpoint needs memory of its own.
        drop(frame);
        (self.at.next_frame, self.at.arrived) = (k + 1, false);
        self.progress.frame(k, time, self.at.n_steps, report)?;
        if k > 0 && self.checkpoints.is_due(Some(k)) {
            self.write_checkpoint(simulation)?;
        }
        self.stop.check()
    }

    fn animate(&self) -> Result<(), Failure> {
        let pictures = self.pictures();
        if pictures.is_empty() {
            return Ok(());
        }
        Ok(animate(&self.dir.animation_file(), &pictures, self.scene.time.fps)?)
    }

    fn pictures(&self) -> Vec<PathBuf> {
        self.checkpoints.frames().picture_frames().into_iter().map(|k| self.dir.preview_file(k)).collect()
    }

    fn done(&self) -> String {
        let root = printable(self.dir.root());
        let took = duration(self.start.elapsed().as_secs_f64());
        let n = self.at.next_frame;
        let what = if self.pictures().is_empty() {
            let [what, folder] =
                if self.scene.is_smoke() { ["volumes", "volume"] } else { ["surfaces", "surface"] };
            format!("{what} in {}", printable(&self.dir.root().join(folder)))
        } else {
            format!("open {} in a browser to see the animation", printable(&self.dir.animation_file()))
        };
        let warnings = self.at.warnings.summary().map_or(String::new(), |w| format!(", {w}"));
        format!("done: {n} frames, {} steps in {took}{warnings}, written to {root}; {what}", self.at.n_steps)
    }

    fn kept_files(&self) -> String {
        let root = printable(self.dir.root());
        let written = self.at.next_frame;
        let frames = match (written, self.checkpoints.frames().count_complete(&self.dir, written)) {
            _ if !self.dir.root().is_dir() => format!("{root} has been removed, with all frames in it"),
            (0, _) => format!("no frame was written; {root} contains the scene and the log"),
            (1, 1) => format!("frame 0 is in {root}"),
            (n, complete) if n == complete => format!("frames 0 to {} are in {root}", n - 1),
            (n, 0) => format!("{n} frames were written, and all have been removed from {root}"),
            (n, complete) => format!(
                "{n} frames were written; {complete} of them are complete in {root}, and files of the others have been removed"
            ),
        };
        let warnings = self.at.warnings.summary().map_or(String::new(), |w| format!("; {w}"));
        let state = match self.checkpoints.last().filter(|path| path.is_file()) {
            Some(path) => {
                format!("the last checkpoint is {}; use --resume to continue from it", printable(&path))
            }
            None => "there is no checkpoint to continue from".to_owned(),
        };
        format!("{frames}{warnings}\n{state}")
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
