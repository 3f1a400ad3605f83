//! `--resume`: finds the checkpoint that a run continues from.
//!
//! A checkpoint can be used if it is undamaged, if its scene is the current one (or `--force` is given), and if
//! all files that were written before it are still there. Nothing in the folder is changed here, so a refused
//! run leaves it as it was.

mod changes;
mod fresh;

use crate::checkpoints::{Position, ResumeInfo};
use crate::errors::Failure;
use crate::frame_files::{FrameFiles, FrameOutput, LostFile};
use crate::methods;
use octide_core::scene::{Scene, Spray, View};
use octide_io::checkpoint::{Checkpoints, read_checkpoint};
use octide_io::run_dir::RunDir;
use octide_io::scene_file::{Difference, differences, identity};
use octide_io::{ReadError, printable};
use octide_methods::Simulation;
use std::path::{Path, PathBuf};

/// Number of lost files that a message lists.
const MAX_LISTED_FILES: usize = 8;

/// Part of a frame's duration by which the clock of a state may be off.
const CLOCK_TOLERANCE: f64 = 1e-6;

/// How a run starts: anew or from a checkpoint.
pub struct Start {
    /// The state to resume from; none for a new run.
    pub from: Option<Resumed>,
    /// Whether the folder has files of another scene, which must be removed first.
    pub clears_folder: bool,
    /// The checkpoints in the folder.
    pub checkpoints: Checkpoints,
    /// Lines for the user.
    pub notes: Vec<String>,
}

impl Start {
    /// A new run.
    pub fn fresh(dir: &RunDir) -> Self {
        let checkpoints = Checkpoints::of(dir.checkpoints());
        Self { from: None, clears_folder: false, checkpoints, notes: Vec::new() }
    }
}

/// A run as a checkpoint has it.
pub struct Resumed {
    /// The checkpoint.
    pub path: PathBuf,
    /// The state.
    pub simulation: Simulation,
    /// The progress of the run.
    pub position: Position,
    /// The files of frames that are there.
    pub files: FrameFiles,
    /// The frames whose pictures must be drawn again.
    pub pictures: Vec<u32>,
    /// Whether the scene is another one than the checkpoint's.
    pub has_other_scene: bool,
    /// Files that are not there, without which the run continues.
    pub lost: Vec<LostFile>,
    /// Lines for the user.
    notes: Vec<String>,
}

impl Resumed {
    /// Returns the last frame of the run. One that has more frames than the scene requests keeps them.
    pub fn last_frame(&self, scene: &Scene) -> u32 {
        let Position { next_frame, last_frame, .. } = self.position;
        let written = next_frame.saturating_sub(1);
        if next_frame <= scene.time.frames {
            return scene.time.frames;
        }
        // Statistics and probes may already have steps of the next frame.
        let tolerance = CLOCK_TOLERANCE * self.simulation.frame_time(1);
        let is_past = self.simulation.time() > self.simulation.frame_time(written) + tolerance;
        if is_past { last_frame.max(next_frame) } else { written }
    }
}

/// Why a checkpoint cannot be used.
enum Unusable {
    /// It cannot be read.
    Damaged(ReadError),
    /// Files that were written before it are missing or damaged.
    Lost(Vec<LostFile>),
    /// The scene does not fit.
    Refused(Failure),
}

/// Finds the newest checkpoint in a folder that can be used. Refuses a changed scene and lost files unless
/// `force`.
pub fn find(dir: &RunDir, scene: &Scene, force: bool) -> Result<Start, Failure> {
    let search = Search { dir, scene, identity: identity(scene), force };
    let mut start = Start::fresh(dir);
    let mut damaged = Vec::new();
    let mut incomplete: Option<(PathBuf, Vec<LostFile>)> = None;
    for path in start.checkpoints.files()? {
        match search.open(&path, false) {
            Ok(found) => {
                start.from = Some(found);
                break;
            }
            Err(Unusable::Damaged(e)) => damaged.push(e),
            Err(Unusable::Lost(lost)) => {
                incomplete.get_or_insert((path, lost));
            }
            // The files are what is wrong with the newest checkpoint, whatever is wrong with the others.
            Err(Unusable::Refused(_)) if incomplete.is_some() => break,
            Err(Unusable::Refused(failure)) => return Err(failure),
        }
    }
    start.notes.extend(damaged.iter().map(|e| format!("warning: {e}; trying the previous checkpoint")));
    match (&start.from, incomplete) {
        (Some(_), Some((_, lost))) => {
            let what = describe(&lost);
            start.notes.push(format!("warning: {what}\nthey are made again from the previous checkpoint"));
        }
        (None, Some((path, lost))) => start.from = Some(search.open_without(&path, &lost)?),
        (None, None) => {
            if let Some(last) = damaged.last() {
                return Err(Failure::Input(format!(
                    "no checkpoint in {} can be used: {last}; use --overwrite to start a new run",
                    printable(&dir.checkpoints())
                )));
            }
            return fresh::start(dir, scene, &search.identity, force);
        }
        (Some(_), None) => {}
    }
    if let Some(found) = &mut start.from {
        start.notes.append(&mut found.notes);
    }
    Ok(start)
}

struct Search<'a> {
    dir: &'a RunDir,
    scene: &'a Scene,
    identity: String,
    force: bool,
}

impl Search<'_> {
    /// Opens a checkpoint; `continues_without` says whether lost files are accepted.
    fn open(&self, path: &Path, continues_without: bool) -> Result<Resumed, Unusable> {
        let damaged = |reason: String| Unusable::Damaged(ReadError::Format { path: path.to_owned(), reason });
        let mut snapshot = read_checkpoint(path).map_err(Unusable::Damaged)?;
        let info = ResumeInfo::take(&mut snapshot).map_err(|e| damaged(e.to_string()))?;
        let ResumeInfo { position, mut files, .. } = info;
        let changes = differences(&info.scene, &self.identity)
            .ok_or_else(|| damaged("its scene is unreadable".to_owned()))?;
        changes::check(self.dir, self.scene, &position, &changes, self.force).map_err(Unusable::Refused)?;

        let (mut lost, pictures) = self.check_files(&mut files, &position, &changes);
        let lines = [(self.dir.stats_file(), position.stats), (self.dir.probes_file(), position.probes)];
        lost.extend(lines.into_iter().filter_map(|(path, mark)| {
            let damage = mark.find_damage(&path)?;
            Some(LostFile { path, damage })
        }));
        if !lost.is_empty() && !continues_without {
            return Err(Unusable::Lost(lost));
        }

        let simulation = match methods::load(self.scene, &mut snapshot) {
            Ok(method) => Simulation::new(method, self.scene.time.fps),
            Err(e) if changes.is_empty() => return Err(damaged(e)),
            // Older checkpoints would not fit the changed scene either.
            Err(e) => {
                let what = format!("the checkpoint does not fit the changed scene: {e}");
                return Err(Unusable::Refused(Failure::Input(what)));
            }
        };
        check_clock(&simulation, &position).map_err(damaged)?;
        let notes = resume_notes(path, &position, &info.version, &changes);
        let (path, has_other_scene) = (path.to_owned(), !changes.is_empty());
        Ok(Resumed { path, simulation, position, files, pictures, has_other_scene, lost, notes })
    }

    /// Opens a checkpoint although files are lost, if the user says so.
    fn open_without(&self, path: &Path, lost: &[LostFile]) -> Result<Resumed, Failure> {
        let what = describe(lost);
        if !self.force {
            return Err(Failure::Input(format!(
                "{what}\nput them back, continue without them by --force, or start again with --overwrite"
            )));
        }
        let mut found = self.open(path, true).map_err(|e| match e {
            Unusable::Refused(failure) => failure,
            Unusable::Damaged(e) => e.into(),
            // It was told to accept them.
            Unusable::Lost(lost) => Failure::Input(describe(&lost)),
        })?;
        found.notes.push(format!("warning: {what}\nthe run continues without them because of --force"));
        Ok(found)
    }

    /// Checks the files of all frames and forgets those that are not as they were written. Returns them, and
    /// the frames whose pictures can and must be drawn again.
    fn check_files(
        &self,
        files: &mut FrameFiles,
        position: &Position,
        changes: &[Difference],
    ) -> (Vec<LostFile>, Vec<u32>) {
        let mut lost = files.find_lost(self.dir);
        lost.keys().for_each(|&(kind, frame)| files.forget(kind, frame));
        let is_picture = |kind: FrameOutput| kind == FrameOutput::Picture;
        let mut pictures: Vec<u32> =
            lost.keys().filter(|(kind, _)| is_picture(*kind)).map(|&(_, frame)| frame).collect();
        let output = &self.scene.output;
        if !output.preview {
            lost.retain(|(kind, _), _| !is_picture(*kind));
            return (lost.into_values().collect(), Vec::new());
        }
        // All pictures of an animation have one size.
        if changes.iter().any(changes::is_of_pictures) {
            pictures.extend(files.picture_frames());
            pictures.sort_unstable();
        }
        // A picture can be drawn if all that it shows is in files that are there.
        pictures.retain(|&frame| match output.view {
            View::Smoke => files.has(FrameOutput::Volume, frame),
            View::Cells => files.has(FrameOutput::Cells, frame),
            View::Water => {
                let is_lost = !output.particles || lost.contains_key(&(FrameOutput::Particles, frame));
                let has_lost_spray = output.spray == Spray::Particles && is_lost;
                files.has(FrameOutput::Surface, frame) && !(position.has_particles && has_lost_spray)
            }
        });
        pictures.iter().for_each(|&frame| drop(lost.remove(&(FrameOutput::Picture, frame))));
        if changes.iter().any(changes::is_of_pictures) {
            files.picture_frames().into_iter().for_each(|frame| files.forget(FrameOutput::Picture, frame));
        }
        pictures.iter().for_each(|&frame| files.expect(FrameOutput::Picture, frame));
        (lost.into_values().collect(), pictures)
    }
}

/// Checks that the time of a state lies where its frame says.
fn check_clock(simulation: &Simulation, position: &Position) -> Result<(), String> {
    let (time, next) = (simulation.time(), position.next_frame);
    let end = simulation.frame_time(next);
    let start = if position.arrived { end } else { simulation.frame_time(next.saturating_sub(1)) };
    let tolerance = CLOCK_TOLERANCE * simulation.frame_time(1);
    if time >= start - tolerance && time <= end + tolerance {
        return Ok(());
    }
    Err(format!("its state is at {time} s, which is not on the way to frame {next}"))
}

fn resume_notes(path: &Path, position: &Position, version: &str, changes: &[Difference]) -> Vec<String> {
    let mut notes = vec![format!("resuming from {}, step {}", printable(path), position.n_steps)];
    if version != env!("CARGO_PKG_VERSION") {
        let version = printable(version);
        notes.push(format!(
            "warning: the checkpoint was written by octide {version}; results may differ slightly from those of one version"
        ));
    }
    if !changes.is_empty() {
        let list = changes::list(changes);
        notes.push(format!("warning: the scene has changed since the checkpoint:\n{list}"));
    }
    notes
}

/// Says which files are lost.
fn describe(lost: &[LostFile]) -> String {
    let n = lost.len();
    let files = if n == 1 { "a file that the run wrote is" } else { "files that the run wrote are" };
    let mut lines = vec![format!("{files} missing or damaged:")];
    lines.extend(lost.iter().take(MAX_LISTED_FILES).map(|file| format!("  {file}")));
    if n > MAX_LISTED_FILES {
        lines.push(format!("  and {} more", n - MAX_LISTED_FILES));
    }
    lines.join("\n")
}
