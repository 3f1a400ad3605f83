//! Evidence that a file is still the one that was written, for runs that are resumed.
//!
//! A [`FileRecord`] describes a complete file, a [`Mark`] the beginning of a file that grows. A complete file that
//! has its recorded size and modification time is trusted, so that a folder of any size is checked in a moment.
//! Any other file is read and compared by its checksum: copying a folder does no harm, and a changed file is
//! found. What is not found is a disk that returns other bytes than were written, without an error.

use flate2::Crc;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::time::UNIX_EPOCH;
use thiserror::Error;

/// Bytes that are read at a time.
const BUFFER_BYTES: usize = 1 << 16;

/// A complete file as it was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileRecord {
    /// Its size in bytes.
    pub size: u64,
    /// The CRC-32 of its content.
    pub sum: u32,
    /// When it was written, in nanoseconds since 1970; 0 if the system does not say.
    pub modified: u64,
}

impl FileRecord {
    /// Reads a file that has just been written.
    pub fn of(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let found = file.metadata()?;
        let sum = sum_of_start(&mut file, found.len())?;
        Ok(Self { size: found.len(), sum: sum.sum(), modified: modified(&found) })
    }

    /// Returns what is wrong with the file; `None` if it is as it was written.
    pub fn find_damage(&self, path: &Path) -> Option<Damage> {
        let found = match fs::metadata(path) {
            Ok(found) => found,
            Err(e) => return Some(Damage::of(&e)),
        };
        if found.len() != self.size {
            return Some(Damage::Size { found: found.len(), expected: self.size });
        }
        if self.modified != 0 && modified(&found) == self.modified {
            return None;
        }
        compare(path, self.size, self.sum)
    }
}

/// The beginning of a file that grows: its length in bytes and the CRC-32 of its content.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mark {
    /// The length in bytes.
    pub length: u64,
    /// The CRC-32 of these bytes.
    pub sum: u32,
}

impl Mark {
    /// Returns what is wrong with the beginning of the file; `None` if it is as it was written. A file without
    /// content need not exist.
    pub fn find_damage(&self, path: &Path) -> Option<Damage> {
        if self.length == 0 {
            return None;
        }
        match fs::metadata(path) {
            Err(e) => Some(Damage::of(&e)),
            Ok(found) if found.len() < self.length => {
                Some(Damage::Size { found: found.len(), expected: self.length })
            }
            Ok(_) => compare(path, self.length, self.sum),
        }
    }
}

/// What is wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Damage {
    /// It does not exist.
    #[error("missing")]
    Missing,
    /// It is shorter or longer than it was.
    #[error("{found} bytes instead of {expected}")]
    Size {
        /// Its size in bytes.
        found: u64,
        /// The size that was written; of a file that grows, at least.
        expected: u64,
    },
    /// It has other content.
    #[error("changed since it was written")]
    Content,
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(String),
}

impl Damage {
    fn of(e: &io::Error) -> Self {
        match e.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => Self::Missing,
            _ => Self::Unreadable(e.to_string()),
        }
    }
}

/// Returns the CRC-32 of the first `length` bytes, and an error if there are fewer.
pub(crate) fn sum_of_start(file: &mut impl Read, length: u64) -> io::Result<Crc> {
    let mut sum = Crc::new();
    let mut rest = file.take(length);
    let mut buffer = vec![0; BUFFER_BYTES];
    loop {
        match rest.read(&mut buffer) {
            Ok(0) if rest.limit() == 0 => return Ok(sum),
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(n) => sum.update(&buffer[..n]),
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
}

fn compare(path: &Path, length: u64, sum: u32) -> Option<Damage> {
    match File::open(path).and_then(|mut file| sum_of_start(&mut file, length)) {
        Ok(found) if found.sum() == sum => None,
        Ok(_) => Some(Damage::Content),
        Err(e) => Some(Damage::of(&e)),
    }
}

fn modified(found: &Metadata) -> u64 {
    let since = found.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.and_then(|time| u64::try_from(time.as_nanos()).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_record_finds_what_is_missing_short_or_changed_and_accepts_a_copy() {
        let dir = crate::test_dir("record");
        let (path, copy) = (dir.join("a"), dir.join("b"));
        fs::write(&path, vec![7; 100_000]).unwrap();
        let record = FileRecord::of(&path).unwrap();
        assert_eq!(record.find_damage(&path), None);
        fs::write(&copy, vec![7; 100_000]).unwrap();
        let later = UNIX_EPOCH + Duration::from_secs(1);
        File::options().write(true).open(&copy).unwrap().set_modified(later).unwrap();
        assert_eq!(record.find_damage(&copy), None, "the time alone is no damage");

        let mut bytes = vec![7; 100_000];
        bytes[99_999] = 6;
        fs::write(&copy, &bytes).unwrap();
        assert_eq!(record.find_damage(&copy), Some(Damage::Content));
        fs::write(&copy, &bytes[1..]).unwrap();
        assert_eq!(record.find_damage(&copy), Some(Damage::Size { found: 99_999, expected: 100_000 }));
        assert_eq!(record.find_damage(&dir.join("c")), Some(Damage::Missing));
        assert_eq!(record.find_damage(&path.join("below a file")), Some(Damage::Missing));
    }

    #[test]
    fn a_mark_looks_at_the_beginning_only() {
        let path = crate::test_dir("mark").join("a");
        fs::write(&path, "one\ntwo\n").unwrap();
        let mark = Mark { length: 4, sum: sum_of_start(&mut b"one\n".as_slice(), 4).unwrap().sum() };
        assert_eq!(mark.find_damage(&path), None);
        fs::write(&path, "One\ntwo\n").unwrap();
        assert_eq!(mark.find_damage(&path), Some(Damage::Content));
        fs::write(&path, "one").unwrap();
        assert_eq!(mark.find_damage(&path), Some(Damage::Size { found: 3, expected: 4 }));
        fs::remove_file(&path).unwrap();
        assert_eq!(mark.find_damage(&path), Some(Damage::Missing));
        assert_eq!(Mark::default().find_damage(&path), None);
    }
}
