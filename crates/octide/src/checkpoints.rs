//! Checkpoints: the state of the method and the progress of the run, in one file.
//!
//! Writing a checkpoint does not influence what is computed, so it may be triggered by wall-clock time.

use crate::args::CheckpointInterval;
use crate::errors::Failure;
use crate::warnings::Warnings;
use octide_core::contract::Method;
use octide_core::snapshot::{Snapshot, SnapshotError, Store, Values};
use octide_io::checkpoint::Checkpoints;
use octide_io::printable;
use octide_io::{DiskError, sync_file, sync_folder};
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
    /// Length of stats.jsonl in bytes.
    pub stats: u64,
    /// Length of probes.csv in bytes.
    pub probes: u64,
    /// Whether any frame so far had particles.
    pub has_particles: bool,
    /// Number of warnings of each kind.
    pub warnings: Warnings,
}

impl Position {
    fn save(&self, store: &mut dyn Store) {
        let Self { next_frame, arrived, n_steps, stats, probes, has_particles, warnings } = *self;
        let arrived = u64::from(arrived);
        let numbers = [next_frame.into(), arrived, n_steps, stats, probes, u64::from(has_particles)];
        store.put("run.position", Values::U64(&numbers));
        store.put("run.warnings", Values::U64(&warnings.counts()));
    }

    fn load(snapshot: &mut Snapshot) -> Result<Self, SnapshotError> {
        let [next_frame, arrived, n_steps, stats, probes, has_particles] = snapshot.counts("run.position")?;
        let wrong = |_| SnapshotError::value("run.position", "the frame number is too large");
        Ok(Self {
            next_frame: u32::try_from(next_frame).map_err(wrong)?,
            arrived: arrived != 0,
            n_steps,
            stats,
            probes,
            has_particles: has_particles != 0,
            warnings: Warnings::from_counts(snapshot.counts("run.warnings")?),
        })
    }
}

/// What a checkpoint says about its run, besides the state of the method.
pub struct ResumeInfo {
    /// The progress of the run.
    pub position: Position,
    /// The scene's identity.
    pub scene: String,
    /// The version of octide that wrote it.
    pub version: String,
}

impl ResumeInfo {
    /// Takes the columns about the run out of a checkpoint.
    pub fn take(snapshot: &mut Snapshot) -> Result<Self, SnapshotError> {
        let position = Position::load(snapshot)?;
        Ok(Self { position, scene: snapshot.text("run.scene")?, version: snapshot.text("run.octide")? })
    }
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
    /// The progress of the run in the last one.
    kept: Option<Position>,
    /// Files of frames that were written since.
    unsynced: Vec<PathBuf>,
}

impl CheckpointWriter {
    /// A writer for a run whose scene has this identity; `kept` is the progress that it resumes from.
    pub fn new(files: Checkpoints, every: CheckpointInterval, scene: String, kept: Option<Position>) -> Self {
        Self { files, every, scene, last: Instant::now(), took: Duration::ZERO, kept, unsynced: Vec::new() }
    }

    /// Records that a file of a frame was written.
    pub fn record_file(&mut self, file: PathBuf) {
        if self.every != CheckpointInterval::Never {
            self.unsynced.push(file);
        }
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

    /// Writes a checkpoint after syncing the files of all frames before it. Returns a line for the log; none
    /// if this state has been written already or checkpoints are off.
    pub fn write(&mut self, method: &dyn Method, position: Position) -> Result<Option<String>, Failure> {
        if self.every == CheckpointInterval::Never || self.kept == Some(position) || position.next_frame == 0
        {
            return Ok(None);
        }
        let start = Instant::now();
        self.sync_frames()?;
        let scene = &self.scene;
        let path = self.files.write(position.n_steps, |store| {
            position.save(store);
            store.put("run.scene", Values::U8(scene.as_bytes()));
            store.put("run.octide", Values::U8(env!("CARGO_PKG_VERSION").as_bytes()));
            method.save(store);
        })?;
        (self.last, self.took, self.kept) = (Instant::now(), start.elapsed(), Some(position));
        let bytes = path.metadata().map_or(0, |m| m.len());
        let (name, seconds) = (printable(&path), self.took.as_secs_f64());
        Ok(Some(format!("{name}: {:.1} MB in {seconds:.3} s", bytes as f64 / 1e6)))
    }

    /// Syncs the files of frames to disk, before a checkpoint that relies on them is written.
    fn sync_frames(&mut self) -> Result<(), DiskError> {
        let mut folders: Vec<&Path> = Vec::new();
        for file in &self.unsynced {
            sync_file(file)?;
            if let Some(folder) = file.parent().filter(|f| !folders.contains(f)) {
                folders.push(folder);
                sync_folder(file)?;
            }
        }
        self.unsynced.clear();
        Ok(())
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
            stats: 1234,
            probes: 99,
            has_particles: true,
            warnings: Warnings::from_counts([1, 0, 2, 0, 0]),
        };
        let mut snapshot = Snapshot::default();
        position.save(&mut snapshot);
        assert_eq!(Position::load(&mut snapshot).unwrap(), position);
        let mut snapshot = Snapshot::default();
        snapshot.put("run.position", Values::U64(&[u64::MAX; 6]));
        assert!(Position::load(&mut snapshot).is_err());
    }

    #[test]
    fn checkpoints_are_due_by_frames_or_by_time() {
        let keeper =
            |every| CheckpointWriter::new(Checkpoints::of("nowhere".into()), every, String::new(), None);
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
