//! Errors in mesh files.

use crate::printable::printable;
use std::fmt;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a mesh cannot be read.
#[derive(Debug, Error)]
pub enum MeshReadError {
    /// The file has an unknown extension.
    #[error("{}: unknown file format; convert the mesh to .obj, .ply or .stl", printable(&path))]
    UnknownFormat {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be opened or read.
    #[error("{}: {cause}", printable(&path))]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        #[source]
        cause: std::io::Error,
    },
    /// The content of the file is wrong.
    #[error("{}{at}: {}; {}", printable(path), printable(what), printable(remedy))]
    Content {
        /// The file.
        path: PathBuf,
        /// The position of the error.
        at: At,
        /// What is wrong.
        what: String,
        /// What to do about it.
        remedy: String,
    },
}

/// A position in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum At {
    /// The whole file.
    File,
    /// A line, counted from 1.
    Line(usize),
    /// A byte, counted from 0.
    Byte(usize),
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => Ok(()),
            Self::Line(n) => write!(f, ", line {n}"),
            Self::Byte(n) => write!(f, ", byte {n}"),
        }
    }
}

/// The start of messages about truncated files.
pub(super) const ENDS: &str = "the file ends";

/// An error without the name of the file.
#[derive(Debug)]
pub(super) struct Problem {
    at: At,
    what: String,
    remedy: String,
}

impl Problem {
    pub fn new(at: At, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { at, what: what.into(), remedy: remedy.into() }
    }

    pub fn file(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::new(At::File, what, remedy)
    }

    pub fn line(line: usize, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::new(At::Line(line), what, remedy)
    }

    /// Completes the error of a truncated file with the item that was being read and the promised number of
    /// items.
    pub fn among(mut self, what: &str, number: usize, promised: usize) -> Self {
        if !self.what.starts_with(ENDS) {
            return self;
        }
        self.what += &format!(" ({what} {number} of {promised} that the header promises)");
        self
    }

    pub fn named(self, path: &Path) -> MeshReadError {
        MeshReadError::Content { path: path.into(), at: self.at, what: self.what, remedy: self.remedy }
    }
}
