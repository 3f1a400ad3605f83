//! The folder of a report. `results.json` marks it and names its files: only those are ever replaced or removed.

use crate::errors::Failure;
use octide_io::printable;
use octide_io::{DiskError, files, write_atomic};
use octide_verify::Record;
use octide_verify::report::{File, RESULTS, files_of, records_of};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A folder to write a report into.
pub struct ReportDir {
    root: PathBuf,
    /// The names of the files that the last report wrote.
    earlier: Vec<String>,
}

impl ReportDir {
    /// Makes the folder, or takes one that is empty or has an earlier report. A folder that cannot be used is
    /// an error of the input.
    pub fn open(root: &Path) -> Result<Self, Failure> {
        let refused = |e: DiskError| Failure::Input(e.to_string());
        let disk = |action, source| DiskError { action, path: root.to_owned(), source };
        let root = &files::resolve_folder(root).map_err(|e| refused(disk("read", e)))?;
        let mut dir = Self { root: root.to_owned(), earlier: Vec::new() };
        match fs::metadata(root) {
            Ok(meta) if !meta.is_dir() => {
                return Err(Failure::Input(format!(
                    "{} is a file, not a folder; choose another",
                    printable(&root)
                )));
            }
            Ok(_) => {
                let is_empty = fs::read_dir(root).map_err(|e| refused(disk("read", e)))?.next().is_none();
                if !is_empty {
                    dir.earlier = earlier(root)?;
                }
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                files::make_folder(root).map_err(refused)?;
            }
            Err(e) => return Err(refused(disk("read", e))),
        }
        files::check_writable(root).map_err(refused)?;
        Ok(dir)
    }

    /// Returns the results that the folder has.
    pub fn records(&self) -> Vec<Record> {
        records_of(&fs::read_to_string(self.root.join(RESULTS)).unwrap_or_default())
    }

    /// Writes the report, and removes the files of the earlier one that this one does not have.
    pub fn write(&mut self, files: &[File]) -> Result<(), DiskError> {
        for file in files {
            write_atomic(&self.root.join(&file.name), |out| out.write_all(file.text.as_bytes()))?;
        }
        let names = files.iter().map(|f| f.name.clone()).collect();
        let earlier = std::mem::replace(&mut self.earlier, names);
        for name in earlier.iter().filter(|name| files.iter().all(|f| f.name != **name)) {
            files::remove_file(&self.root.join(name))?;
        }
        Ok(())
    }
}

fn earlier(root: &Path) -> Result<Vec<String>, Failure> {
    let text = fs::read_to_string(root.join(RESULTS)).unwrap_or_default();
    files_of(&text).ok_or_else(|| {
        Failure::Input(format!(
            "{} is not a report of octide verify (it has no {RESULTS} of one), so that nothing in it is replaced; \
             choose another folder",
            printable(&root)
        ))
    })
}
