//! `octide.log`: all messages of a run, with the version of octide.

use crate::errors::Failure;
use octide_io::files::{create_in_place, open_to_continue};
use octide_io::{printable, printable_lines};
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The open log of a run.
pub struct Log {
    file: File,
    path: PathBuf,
}

impl Log {
    /// Creates the file, or appends to it, and writes a line about the program, the system and the threads.
    pub fn open(path: &Path, append: bool) -> Result<Self, Failure> {
        let opened = if append {
            open_to_continue(path).and_then(|mut file| file.seek(SeekFrom::End(0)).map(|_| file))
        } else {
            create_in_place(path)
        };
        let file = opened.map_err(|e| failure(path, &e))?;
        let mut log = Self { file, path: path.to_owned() };
        log.line(&format!(
            "octide {} on {} {}, {} threads",
            env!("CARGO_PKG_VERSION"),
            std::env::consts::OS,
            std::env::consts::ARCH,
            rayon::current_num_threads()
        ))?;
        Ok(log)
    }

    /// Appends a line and flushes it.
    pub fn line(&mut self, line: &str) -> Result<(), Failure> {
        writeln!(self.file, "{}", printable_lines(line)).map_err(|e| failure(&self.path, &e))
    }
}

fn failure(path: &Path, e: &std::io::Error) -> Failure {
    Failure::Disk(format!("cannot write {}: {e}", printable(&path)))
}
