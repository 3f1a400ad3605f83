//! Errors of single files: one that cannot be written, one that cannot be read.

use crate::printable::printable;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A file could not be written.
#[derive(Debug, Error)]
#[error("cannot {action} {}: {source}", printable(&path))]
pub struct DiskError {
    /// The action that failed, such as `write`.
    pub action: &'static str,
    /// The file or folder.
    pub path: PathBuf,
    /// The system's error.
    pub source: io::Error,
}

impl DiskError {
    pub(crate) fn new(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self { action, path: path.to_owned(), source }
    }

    /// Returns whether the disk is full, as opposed to a missing permission.
    pub fn is_full(&self) -> bool {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        matches!(self.source.kind(), StorageFull | QuotaExceeded | FileTooLarge)
    }
}

/// A file of a run could not be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The system cannot read it.
    #[error("cannot read {}: {source}", printable(&path))]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// It was not written by Octide, or is damaged.
    #[error("{} is not a file that octide wrote: {}", printable(path), printable(reason))]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}
