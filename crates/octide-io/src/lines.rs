//! Files that grow by whole lines. Each line is written at once, so that other programs can follow the file;
//! a resumed run truncates it to the length at the checkpoint.

use crate::file_error::DiskError;
use crate::file_record::{Mark, sum_of_start};
use crate::files::{create_in_place, open_to_continue};
use flate2::Crc;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// An open file of lines.
#[derive(Debug)]
pub(crate) struct Lines {
    file: File,
    path: PathBuf,
    /// Length of all whole lines in bytes.
    length: u64,
    /// The checksum of all whole lines.
    sum: Crc,
}

impl Lines {
    /// Creates the file, or replaces it by an empty one.
    pub fn create(path: &Path) -> Result<Self, DiskError> {
        let file = create_in_place(path).map_err(|e| DiskError::new("write", path, e))?;
        Ok(Self { file, path: path.to_owned(), length: 0, sum: Crc::new() })
    }

    /// Truncates the file to `length` bytes and appends to it. If it is shorter, or if a changed file has no end
    /// of a line there, it is truncated after the last whole line before.
    pub fn cut_back(path: &Path, length: u64) -> Result<Self, DiskError> {
        let open = || -> io::Result<(File, u64, Crc)> {
            let mut file = open_to_continue(path)?;
            let length = whole_lines(&mut file, length)?;
            file.rewind()?;
            let sum = sum_of_start(&mut file, length)?;
            file.set_len(length)?;
            file.seek(SeekFrom::Start(length))?;
            Ok((file, length, sum))
        };
        let (file, length, sum) = open().map_err(|e| DiskError::new("write", path, e))?;
        Ok(Self { file, path: path.to_owned(), length, sum })
    }

    /// Returns length and checksum of all lines.
    pub fn mark(&self) -> Mark {
        Mark { length: self.length, sum: self.sum.sum() }
    }

    /// Syncs all lines to disk.
    pub fn sync(&self) -> Result<(), DiskError> {
        self.file.sync_data().map_err(|e| DiskError::new("write", &self.path, e))
    }

    /// Appends whole lines in a single write, so that a reader never sees half of a line.
    pub fn write(&mut self, lines: &str) -> Result<(), DiskError> {
        if let Err(e) = self.file.write_all(lines.as_bytes()) {
            // A full disk may have taken the first half. That this fails too changes nothing about the error.
            let _ = self.file.set_len(self.length);
            return Err(DiskError::new("write", &self.path, e));
        }
        self.length += lines.len() as u64;
        self.sum.update(lines.as_bytes());
        Ok(())
    }

    /// Makes an error of this file.
    pub fn error(&self, source: io::Error) -> DiskError {
        DiskError::new("write", &self.path, source)
    }
}

/// Length up to the end of the last whole line in the first `most` bytes.
fn whole_lines(file: &mut File, most: u64) -> io::Result<u64> {
    let mut bytes = Vec::new();
    Read::by_ref(file).take(most).read_to_end(&mut bytes)?;
    Ok(bytes.iter().rposition(|&b| b == b'\n').map_or(0, |i| i as u64 + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_is_cut_back_and_goes_on() {
        let path = crate::test_dir("lines").join("a.txt");
        let mut lines = Lines::create(&path).unwrap();
        lines.write("one\n").unwrap();
        let mark = lines.mark().length;
        lines.write("two\n").unwrap();
        drop(lines);
        let mut lines = Lines::cut_back(&path, mark).unwrap();
        lines.write("three\n").unwrap();
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), lines.mark().length), ("one\nthree\n", 10));
        assert_eq!(lines.mark().find_damage(&path), None);
        // Shorter than it should be, and the last line is half of one.
        fs::write(&path, "one\ntw").unwrap();
        let mut lines = Lines::cut_back(&path, 8).unwrap();
        assert_eq!(lines.mark().length, 4);
        lines.write("2\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\n2\n");
        // Changed since, so that the length falls into a line.
        fs::write(&path, "one\ntwenty\n").unwrap();
        assert_eq!(Lines::cut_back(&path, 8).unwrap().mark().length, 4);
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\n");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error() {
        let path = PathBuf::from("/dev/full");
        let file = File::options().write(true).open(&path).unwrap();
        let failed = Lines { file, path, length: 0, sum: Crc::new() }.write("one\n").unwrap_err();
        assert!(failed.is_full() && failed.to_string().starts_with("cannot write /dev/full: "), "{failed}");
    }
}
