//! The error that covers all of this crate.

use crate::file_error::{DiskError, ReadError};
use crate::run_dir::RunDirError;
use crate::scene_file::SceneError;
use thiserror::Error;

/// Any error of this crate.
#[derive(Debug, Error)]
pub enum Error {
    /// A scene is wrong.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A file of a run cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A run folder exists already or cannot be created.
    #[error(transparent)]
    RunDir(#[from] RunDirError),
    /// A file cannot be written.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl Error {
    /// Returns whether the disk caused it; all other errors are in the input.
    pub fn is_disk(&self) -> bool {
        matches!(self, Self::Disk(_) | Self::RunDir(RunDirError::Disk(_)))
    }
}
