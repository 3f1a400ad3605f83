//! What can go wrong with files, parted by whose fault it is: the input's, or the disk's.

use crate::run_dir::RunDirError;
use crate::scene_file::SceneError;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A file could not be written.
#[derive(Debug, Error)]
#[error("cannot {action} {}: {source}", path.display())]
pub struct DiskError {
    /// What was tried, such as `write`.
    pub action: &'static str,
    /// The file or folder.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

impl DiskError {
    pub(crate) fn new(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self { action, path: path.to_owned(), source }
    }

    /// Whether there is no room left, rather than no right to write.
    pub fn is_full(&self) -> bool {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        matches!(self.source.kind(), StorageFull | QuotaExceeded | FileTooLarge)
    }
}

/// A file of a run could not be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The system does not give it out.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It is not what Octide writes.
    #[error("{} is not a file that octide wrote: {reason}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

/// Any error of this crate.
#[derive(Debug, Error)]
pub enum Error {
    /// A scene that cannot be.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A file of a run that cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A run's folder that was refused or could not be made.
    #[error(transparent)]
    RunDir(#[from] RunDirError),
    /// A file that could not be written.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl Error {
    /// Whether the disk is at fault; otherwise it is what the user asked for.
    pub fn is_disk(&self) -> bool {
        matches!(self, Self::Disk(_) | Self::RunDir(RunDirError::Disk(_)))
    }
}
