//! Checkpoints: the state of the method and the progress of the run, in one file.
//!
//! Writing a checkpoint does not influence what is computed, so it may be triggered by wall-clock time.

use crate::args::CheckpointInterval;
use crate::errors::Failure;
use crate::frame_files::{FrameFiles, FrameOutput};
use crate::warnings::Warnings;
use octide_core::contract::Method;
use octide_core::snapshot::{Snapshot, SnapshotError, Store, Values};
use octide_io::checkpoint::Checkpoints;
use octide_io::run_dir::RunDir;
use octide_io::{DiskError, Mark, printable, sync_file, sync_folder};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// With an interval in seconds, the time between two checkpoints is at least this many times the time that
/// writing one takes.
const MIN_INTERVAL_RATIO: u32 = 100;

/// The progress of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Position {
    /// The first frame that has not been written.
    pub next_frame: u32,
    /// Whether the time of that frame has been reached.
    pub arrived: bool,
    /// Number of steps taken.
    pub n_steps: u64,
    /// The last frame that was requested.
    pub last_frame: u32,
    /// Length and checksum of stats.jsonl.
    pub stats: Mark,
    /// Length and checksum of probes.csv.
    pub probes: Mark,
    /// Whether any frame so far had particles.
    pub has_particles: bool,
    /// Number of warnings of each kind.
    pub warnings: Warnings,
}

impl Position {
    fn save(&self, store: &mut dyn Store) {
        let Self { next_frame, arrived, n_steps, last_frame, stats, probes, has_particles, warnings } = *self;
        let numbers =
            [next_frame.into(), u64::from(arrived), n_steps, last_frame.into(), u64::from(has_particles)];
        store.put("run.position", Values::U64(&numbers));
        let marks = [stats, probes].map(|mark| [mark.length, mark.sum.into()]);
        store.put("run.lines", Values::U64(marks.as_flattened()));
        store.put("run.warnings", Values::U64(&warnings.counts()));
    }

    fn load(snapshot: &mut Snapshot) -> Result<Self, SnapshotError> {
        let [next_frame, arrived, n_steps, last_frame, has_particles] = snapshot.counts("run.position")?;
        let [stats_length, stats_sum, probes_length, probes_sum] = snapshot.counts("run.lines")?;
        let frame = |n| {
            let wrong = |_| SnapshotError::value("run.position", "the frame number is too large");
            u32::try_from(n).map_err(wrong)
        };
        let mark = |length, sum| {
            let wrong = |_| SnapshotError::value("run.lines", "a checksum is too large");
            Ok(Mark { length, sum: u32::try_from(sum).map_err(wrong)? })
        };
        Ok(Self {
            next_frame: frame(next_frame)?,
            arrived: arrived != 0,
            n_steps,
            last_frame: frame(last_frame)?,
            stats: mark(stats_length, stats_sum)?,
            probes: mark(probes_length, probes_sum)?,
            has_particles: has_particles != 0,
            warnings: Warnings::from_counts(snapshot.counts("run.warnings")?),
        })
    }
}

/// What a checkpoint says about its run, besides the state of the method.
pub struct ResumeInfo {
    /// The progress of the run.
    pub position: Position,
    /// The files of all frames so far.
    pub files: FrameFiles,
    /// The scene's identity.
    pub scene: String,
    /// The version of octide that wrote it.
    pub version: String,
}

impl ResumeInfo {
    /// Takes the columns about the run out of a checkpoint.
    pub fn take(snapshot: &mut Snapshot) -> Result<Self, SnapshotError> {
        let position = Position::load(snapshot)?;
        let files = FrameFiles::load(snapshot, position.next_frame)?;
        let [scene, version] = ["run.scene", "run.octide"].map(|name| snapshot.text(name));
        Ok(Self { position, files, scene: scene?, version: version? })
    }
}

/// What there is to say about a checkpoint that was written.
#[derive(Debug, Default)]
pub struct CheckpointLines {
    /// Warnings for the user.
    pub warnings: Vec<String>,
    /// A line for the log; none if no checkpoint was written.
    pub log: Option<String>,
}

/// Writes checkpoints of a run at intervals.
pub struct CheckpointWriter {
    files: Checkpoints,
    every: CheckpointInterval,
    /// The scene's identity.
    scene: String,
    /// When the last one was written, and how long that took.
    last: Instant,
    took: Duration,
    /// The progress of the run in the last one; none if it must be written again.
    kept: Option<Position>,
    /// Files of all frames so far.
    frames: FrameFiles,
    /// Those that were written since.
    unsynced: Vec<PathBuf>,
}

impl CheckpointWriter {
    /// A writer for a new run whose scene has this identity.
    pub fn new(files: Checkpoints, every: CheckpointInterval, scene: String) -> Self {
        let (last, took, frames) = (Instant::now(), Duration::ZERO, FrameFiles::default());
        Self { files, every, scene, last, took, kept: None, frames, unsynced: Vec::new() }
    }

    /// Continues from a checkpoint at `kept` with the files of its frames; at none if the checkpoint must be
    /// written again.
    pub fn resume(self, kept: Option<Position>, frames: FrameFiles) -> Self {
        Self { kept, frames, ..self }
    }

    /// Records that a file of a frame was written.
    pub fn record_file(&mut self, dir: &RunDir, output: FrameOutput, frame: u32) -> Result<(), Failure> {
        let file = self.frames.record(dir, output, frame)?;
        self.kept = None;
        if self.every != CheckpointInterval::Never {
            self.unsynced.push(file);
        }
        Ok(())
    }

    /// The files of all frames so far.
    pub fn frames(&self) -> &FrameFiles {
        &self.frames
    }

    /// Returns whether a checkpoint is due after a frame, or after a step on the way to one.
    pub fn is_due(&self, frame: Option<u32>) -> bool {
        match (self.every, frame) {
            (CheckpointInterval::Frames(n), Some(k)) => k % n == 0,
            (CheckpointInterval::Seconds(s), _) => {
                let pause = self.took.saturating_mul(MIN_INTERVAL_RATIO).as_secs_f64().max(s);
                self.last.elapsed().as_secs_f64() >= pause
            }
            (CheckpointInterval::Frames(_) | CheckpointInterval::Never, _) => false,
        }
    }

    /// The last checkpoint file.
    pub fn last(&self) -> Option<&Path> {
        self.files.last()
    }

    /// Writes a checkpoint after syncing the files of all frames before it; nothing if this state has been
    /// written already or checkpoints are off.
    pub fn write(&mut self, method: &dyn Method, position: Position) -> Result<CheckpointLines, Failure> {
        if self.every == CheckpointInterval::Never || self.kept == Some(position) || position.next_frame == 0
        {
            return Ok(CheckpointLines::default());
        }
        let start = Instant::now();
        let warnings = self.sync_frames()?;
        let (scene, frames) = (&self.scene, &self.frames);
        let path = self.files.write(position.n_steps, |store| {
            position.save(store);
            frames.save(store);
            store.put("run.scene", Values::U8(scene.as_bytes()));
            store.put("run.octide", Values::U8(env!("CARGO_PKG_VERSION").as_bytes()));
            method.save(store);
        })?;
        (self.last, self.took, self.kept) = (Instant::now(), start.elapsed(), Some(position));
        let bytes = path.metadata().map_or(0, |m| m.len());
        let (name, seconds) = (printable(&path), self.took.as_secs_f64());
        let log = format!("{name}: {:.1} MB in {seconds:.3} s", bytes as f64 / 1e6);
        Ok(CheckpointLines { warnings, log: Some(log) })
    }

    /// Syncs the files of frames to disk, before a checkpoint that relies on them is written. Returns warnings
    /// about files that someone has removed, which is no reason to end a run.
    fn sync_frames(&mut self) -> Result<Vec<String>, DiskError> {
        let mut folders: Vec<&Path> = Vec::new();
        let mut warnings = Vec::new();
        for file in &self.unsynced {
            if let Err(e) = sync_file(file) {
                if e.source.kind() != ErrorKind::NotFound {
                    return Err(e);
                }
                warnings.push(format!(
                    "warning: {} has been removed since it was written; resuming this run will need --force",
                    printable(file)
                ));
                continue;
            }
            if let Some(folder) = file.parent().filter(|f| !folders.contains(f)) {
                folders.push(folder);
                sync_folder(file)?;
            }
        }
        self.unsynced.clear();
        Ok(warnings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_survives_saving_and_loading() {
        let position = Position {
            next_frame: 7,
            arrived: true,
            n_steps: 1 << 40,
            last_frame: 24,
            stats: Mark { length: 1234, sum: u32::MAX },
            probes: Mark { length: 99, sum: 7 },
            has_particles: true,
            warnings: Warnings::from_counts([1, 0, 2, 0, 0]),
        };
        let mut snapshot = Snapshot::default();
        position.save(&mut snapshot);
        assert_eq!(Position::load(&mut snapshot).unwrap(), position);
        let mut snapshot = Snapshot::default();
        snapshot.put("run.position", Values::U64(&[u64::MAX; 5]));
        snapshot.put("run.lines", Values::U64(&[0; 4]));
        assert!(Position::load(&mut snapshot).is_err());
    }

    #[test]
    fn checkpoints_are_due_by_frames_or_by_time() {
        let keeper = |every| CheckpointWriter::new(Checkpoints::of("nowhere".into()), every, String::new());
        let frames = keeper(CheckpointInterval::Frames(5));
        assert!(frames.is_due(Some(10)) && !frames.is_due(Some(11)) && !frames.is_due(None));
        assert!(
            keeper(CheckpointInterval::Seconds(0.0)).is_due(None)
                && !keeper(CheckpointInterval::Seconds(60.0)).is_due(Some(1))
        );
        // The interval is always long compared to the time that writing takes.
        let slow =
            CheckpointWriter { took: Duration::from_secs(1), ..keeper(CheckpointInterval::Seconds(0.0)) };
        assert!(!slow.is_due(None));
        assert!(!keeper(CheckpointInterval::Never).is_due(Some(0)));
    }
}
