//! Where a run is, and how it is kept: the state of the method and the run's own figures, in one file.
//!
//! When a state is kept has no influence on what is computed, so that it may follow the clock.

use crate::args::Every;
use crate::errors::Failure;
use crate::warnings::Warnings;
use octide_core::contract::Method;
use octide_core::snapshot::{Snapshot, SnapshotError, Store, Values};
use octide_io::checkpoint::Checkpoints;
use octide_io::{DiskError, sync_file, sync_folder};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// By the clock, the time between two checkpoints is at least this many times what one takes.
const PATIENCE: u32 = 100;

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Position {
    /// The first frame that is not written.
    pub next_frame: u32,
    /// Whether that frame's time is reached.
    pub arrived: bool,
    /// Steps that were taken.
    pub n_steps: u64,
    /// Bytes of stats.jsonl.
    pub stats: u64,
    /// Bytes of probes.csv.
    pub probes: u64,
    /// Whether there were particles in a frame.
    pub has_particles: bool,
    /// What was said once, and how often it came up.
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
        let wrong = |_| SnapshotError::value("run.position", "there are not so many frames");
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

/// What a checkpoint tells beside the state.
pub struct Told {
    /// How far the run was.
    pub position: Position,
    /// The scene's identity.
    pub scene: String,
    /// The version of octide that wrote it.
    pub version: String,
}

impl Told {
    /// Takes the run's own columns out of a checkpoint.
    pub fn take(snapshot: &mut Snapshot) -> Result<Self, SnapshotError> {
        let position = Position::load(snapshot)?;
        Ok(Self { position, scene: snapshot.text("run.scene")?, version: snapshot.text("run.octide")? })
    }
}

/// Keeps the state of a run from time to time.
pub struct Keeper {
    files: Checkpoints,
    every: Every,
    /// The scene's identity.
    scene: String,
    /// When the last one was made, and how long it took.
    last: Instant,
    took: Duration,
    /// Where the run was then.
    kept: Option<Position>,
    /// Files that were written since.
    fresh: Vec<PathBuf>,
}

impl Keeper {
    /// Begins to keep a run whose scene has this identity; `kept` is where it goes on from.
    pub fn new(files: Checkpoints, every: Every, scene: String, kept: Option<Position>) -> Self {
        Self { files, every, scene, last: Instant::now(), took: Duration::ZERO, kept, fresh: Vec::new() }
    }

    /// A frame's file was written.
    pub fn wrote(&mut self, file: PathBuf) {
        if self.every != Every::Never {
            self.fresh.push(file);
        }
    }

    /// Whether the state should be kept after a frame, or after a step on the way to one.
    pub fn is_due(&self, frame: Option<u32>) -> bool {
        match (self.every, frame) {
            (Every::Frames(n), Some(k)) => k % n == 0,
            (Every::Seconds(s), _) => {
                let pause = self.took.saturating_mul(PATIENCE).as_secs_f64().max(s);
                self.last.elapsed().as_secs_f64() >= pause
            }
            (Every::Frames(_) | Every::Never, _) => false,
        }
    }

    /// The file of the last state that was kept.
    pub fn last(&self) -> Option<&Path> {
        self.files.last()
    }

    /// Keeps the state, with all files of frames that it stands for. Returns a line about it; nothing where
    /// this state is kept already, or none should be.
    pub fn keep(&mut self, method: &dyn Method, position: Position) -> Result<Option<String>, Failure> {
        if self.every == Every::Never || self.kept == Some(position) || position.next_frame == 0 {
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
        let (name, seconds) = (path.display(), self.took.as_secs_f64());
        Ok(Some(format!("{name}: {:.1} MB in {seconds:.3} s", bytes as f64 / 1e6)))
    }

    /// Brings the files of frames to the disk before a state that says they are there.
    fn sync_frames(&mut self) -> Result<(), DiskError> {
        let mut folders: Vec<&Path> = Vec::new();
        for file in &self.fresh {
            sync_file(file)?;
            if let Some(folder) = file.parent().filter(|f| !folders.contains(f)) {
                folders.push(folder);
                sync_folder(file)?;
            }
        }
        self.fresh.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_comes_back() {
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
    fn states_are_kept_by_frames_or_by_the_clock() {
        let keeper = |every| Keeper::new(Checkpoints::of("nowhere".into()), every, String::new(), None);
        let frames = keeper(Every::Frames(5));
        assert!(frames.is_due(Some(10)) && !frames.is_due(Some(11)) && !frames.is_due(None));
        assert!(keeper(Every::Seconds(0.0)).is_due(None) && !keeper(Every::Seconds(60.0)).is_due(Some(1)));
        // Whatever was asked for, the pause is long against what a checkpoint takes.
        let slow = Keeper { took: Duration::from_secs(1), ..keeper(Every::Seconds(0.0)) };
        assert!(!slow.is_due(None));
        assert!(!keeper(Every::Never).is_due(Some(0)));
    }
}
