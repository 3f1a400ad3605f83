//! The checkpoints of a run: `00000123.octide` is the state after step 123. The last two are kept.

use super::write_checkpoint;
use crate::file_error::{DiskError, ReadError};
use crate::files::{make_folder, remove_file};
use octide_core::snapshot::Store;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The extension of checkpoint files.
const EXTENSION: &str = "octide";

/// The checkpoints of a run.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    folder: PathBuf,
    /// The last checkpoints that are known to be undamaged, newest last.
    whole: Vec<PathBuf>,
}

impl Checkpoints {
    /// Returns the checkpoints in a folder, which need not exist.
    pub fn of(folder: PathBuf) -> Self {
        Self { folder, whole: Vec::new() }
    }

    /// Returns the last checkpoint that is known to be undamaged.
    pub fn last(&self) -> Option<&Path> {
        self.whole.last().map(PathBuf::as_path)
    }

    /// Returns the files, newest first.
    pub fn files(&self) -> Result<Vec<PathBuf>, ReadError> {
        let io = |source| ReadError::Io { path: self.folder.clone(), source };
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(e) => return Err(io(e)),
        };
        let mut numbered = Vec::new();
        for entry in entries {
            let path = entry.map_err(io)?.path();
            if let Some(step) = step_of(&path) {
                numbered.push((step, path));
            }
        }
        numbered.sort_unstable_by(|a, b| b.cmp(a));
        Ok(numbered.into_iter().map(|(_, path)| path).collect())
    }

    /// Chooses the checkpoint that a run resumes from. Newer ones, which cannot be used, are removed; this one
    /// stays until two others have been written.
    pub fn resume_from(&mut self, path: &Path) -> Result<(), DiskError> {
        let files = self.files().unwrap_or_default();
        for newer in files.iter().take_while(|f| *f != path) {
            remove_file(newer)?;
        }
        self.whole = vec![path.to_owned()];
        Ok(())
    }

    /// Writes the state after a step, then removes all but this and the previous checkpoint.
    pub fn write(&mut self, step: u64, fill: impl FnOnce(&mut dyn Store)) -> Result<PathBuf, DiskError> {
        make_folder(&self.folder)?;
        let path = self.folder.join(format!("{step:08}.{EXTENSION}"));
        write_checkpoint(&path, fill)?;
        self.whole.retain(|p| *p != path);
        self.whole.push(path.clone());
        if let [.., before, last] = self.whole.as_slice() {
            self.whole = vec![before.clone(), last.clone()];
            // The state is on the disk: failing to remove an old file is no reason to end a run.
            let files = self.files().unwrap_or_default();
            for file in files.iter().filter(|f| !self.whole.contains(f)) {
                let _ = remove_file(file);
            }
        }
        Ok(path)
    }
}

/// Parses the step in the name of a file.
fn step_of(path: &Path) -> Option<u64> {
    let digits = path.file_name()?.to_str()?.strip_suffix(EXTENSION)?.strip_suffix('.')?;
    let plain = digits.len() >= 8 && digits.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| digits.parse().ok())?
}
