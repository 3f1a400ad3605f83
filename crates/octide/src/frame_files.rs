//! The files of frames that a run has written, with evidence to recognize them by when it is resumed.

use crate::errors::Failure;
use octide_core::snapshot::{Snapshot, SnapshotError, Store, Values};
use octide_io::run_dir::RunDir;
use octide_io::{Damage, FileRecord, printable};
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// Numbers per file in a checkpoint: frame, size, checksum, time.
const NUMBERS_PER_FILE: usize = 4;

/// A kind of file that frames have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FrameOutput {
    Surface,
    Cells,
    Volume,
    Particles,
    Picture,
}

impl FrameOutput {
    const ALL: [Self; 5] = [Self::Surface, Self::Cells, Self::Volume, Self::Particles, Self::Picture];

    /// Returns the path of the file of a frame.
    pub fn file(self, dir: &RunDir, frame: u32) -> PathBuf {
        match self {
            Self::Surface => dir.surface_file(frame),
            Self::Cells => dir.cells_file(frame),
            Self::Volume => dir.volume_file(frame),
            Self::Particles => dir.particles_file(frame),
            Self::Picture => dir.preview_file(frame),
        }
    }

    fn column(self) -> &'static str {
        match self {
            Self::Surface => "run.files.surface",
            Self::Cells => "run.files.cells",
            Self::Volume => "run.files.volume",
            Self::Particles => "run.files.particles",
            Self::Picture => "run.files.preview",
        }
    }
}

/// A file that is not as it was written.
#[derive(Debug)]
pub struct LostFile {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub damage: Damage,
}

impl fmt::Display for LostFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", printable(&self.path), self.damage)
    }
}

/// The files of frames that a run has written.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FrameFiles {
    records: BTreeMap<(FrameOutput, u32), FileRecord>,
}

impl FrameFiles {
    /// Records a file that has just been written.
    pub fn record(&mut self, dir: &RunDir, output: FrameOutput, frame: u32) -> Result<PathBuf, Failure> {
        let path = output.file(dir, frame);
        let record = FileRecord::of(&path).map_err(|e| {
            Failure::Disk(format!("cannot read {} after it was written: {e}", printable(&path)))
        })?;
        self.records.insert((output, frame), record);
        Ok(path)
    }

    /// Forgets a file.
    pub fn forget(&mut self, output: FrameOutput, frame: u32) {
        self.records.remove(&(output, frame));
    }

    /// Records that a file must still be written. No file fits the record, so if the run ends before, the next
    /// one finds that it is missing.
    pub fn expect(&mut self, output: FrameOutput, frame: u32) {
        self.records.insert((output, frame), FileRecord { size: u64::MAX, sum: 0, modified: 0 });
    }

    /// Returns whether a file was written.
    pub fn has(&self, output: FrameOutput, frame: u32) -> bool {
        self.records.contains_key(&(output, frame))
    }

    /// Returns the frames that have a picture, in order.
    pub fn picture_frames(&self) -> Vec<u32> {
        let pictures = self.records.keys().filter(|(output, _)| *output == FrameOutput::Picture);
        pictures.map(|&(_, frame)| frame).collect()
    }

    /// Returns the files that are not as they were written.
    pub fn find_lost(&self, dir: &RunDir) -> BTreeMap<(FrameOutput, u32), LostFile> {
        let lost = |(&(output, frame), record): (&(FrameOutput, u32), &FileRecord)| {
            let path = output.file(dir, frame);
            let damage = record.find_damage(&path)?;
            Some(((output, frame), LostFile { path, damage }))
        };
        self.records.iter().filter_map(lost).collect()
    }

    /// Returns how many of the first `n` frames still have all of their files.
    pub fn count_complete(&self, dir: &RunDir, n: u32) -> u32 {
        let mut complete = vec![true; n as usize];
        for &(output, frame) in self.records.keys() {
            if let Some(is_complete) = complete.get_mut(frame as usize) {
                *is_complete &= output.file(dir, frame).is_file();
            }
        }
        complete.iter().map(|&is_complete| u32::from(is_complete)).sum()
    }

    /// Writes all records to a checkpoint.
    pub fn save(&self, store: &mut dyn Store) {
        for output in FrameOutput::ALL {
            let of_output = self.records.iter().filter(|((o, _), _)| *o == output);
            let numbers: Vec<u64> = of_output
                .flat_map(|(&(_, frame), r)| [frame.into(), r.size, r.sum.into(), r.modified])
                .collect();
            store.put(output.column(), Values::U64(&numbers));
        }
    }

    /// Takes the records out of a checkpoint whose first unwritten frame is `next_frame`.
    pub fn load(snapshot: &mut Snapshot, next_frame: u32) -> Result<Self, SnapshotError> {
        let mut records = BTreeMap::new();
        for output in FrameOutput::ALL {
            let column = output.column();
            let wrong = |reason: &str| SnapshotError::value(column, reason);
            let numbers = snapshot.u64s(column)?;
            let (files, []) = numbers.as_chunks::<NUMBERS_PER_FILE>() else {
                return Err(wrong("it has half a record"));
            };
            for &[frame, size, sum, modified] in files {
                let frame = u32::try_from(frame).ok().filter(|k| *k < next_frame);
                let frame = frame.ok_or_else(|| wrong("a frame number is too large"))?;
                let sum = u32::try_from(sum).map_err(|_| wrong("a checksum is too large"))?;
                records.insert((output, frame), FileRecord { size, sum, modified });
            }
        }
        Ok(Self { records })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> FrameFiles {
        let mut files = FrameFiles::default();
        let record = FileRecord { size: 1 << 40, sum: u32::MAX, modified: u64::MAX };
        files.records.insert((FrameOutput::Picture, 3), record);
        files.records.insert((FrameOutput::Surface, 2), FileRecord { size: 0, sum: 0, modified: 0 });
        files
    }

    #[test]
    fn records_survive_saving_and_loading() {
        let mut snapshot = Snapshot::default();
        two().save(&mut snapshot);
        assert_eq!(FrameFiles::load(&mut snapshot, 4).unwrap(), two());
    }

    #[test]
    fn records_of_a_damaged_checkpoint_are_refused() {
        let load = |numbers: &[u64]| {
            let mut snapshot = Snapshot::default();
            for output in FrameOutput::ALL {
                let is_first = output == FrameOutput::Surface;
                snapshot.put(output.column(), Values::U64(if is_first { numbers } else { &[] }));
            }
            FrameFiles::load(&mut snapshot, 4)
        };
        assert!(load(&[3, 1, 1, 1]).is_ok());
        for wrong in [&[4, 1, 1, 1][..], &[3, 1, 1], &[3, 1, 1 << 32, 1], &[u64::MAX, 1, 1, 1]] {
            assert!(load(wrong).is_err(), "{wrong:?}");
        }
        assert!(FrameFiles::load(&mut Snapshot::default(), 4).is_err());
    }
}
