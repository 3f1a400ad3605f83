//! Systems as files, little endian, two or three for each:
//!
//! ```text
//! NAME.A.bin       u64 n · i64 offsets[n + 1] · i64 columns[entries] · f64 values[entries]
//! NAME.b.bin       u64 n · u64 1 · f64 values[n]
//! NAME.cells.bin   n times i32 level, i, j, k
//! ```
//!
//! The number of entries follows from the file's length and is the last offset. What is read is believed only
//! after a look: counts are held against the file's length before memory is asked for, and every index
//! against its range.

use super::System;
use octide_io::printable;
use octide_io::{DiskError, files, write_atomic};
use octide_solve::Csr;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

const MATRIX: &str = ".A.bin";
const RHS: &str = ".b.bin";
const CELLS: &str = ".cells.bin";

/// Why a system could not be read: the file, and what is wrong at which place of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemError {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong with it.
    pub what: String,
}

impl fmt::Display for SystemError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", printable(&self.path), self.what)
    }
}

/// The names of the systems in a folder, in order.
pub fn names_in(dir: &Path) -> Result<Vec<String>, SystemError> {
    let failed = |what: String| SystemError { path: dir.to_owned(), what };
    let entries = fs::read_dir(dir)
        .and_then(Iterator::collect::<io::Result<Vec<_>>>)
        .map_err(|e| failed(format!("cannot be read: {e}")))?;
    let name_of = |e: &fs::DirEntry| Some(e.file_name().to_str()?.strip_suffix(MATRIX)?.to_owned());
    let mut names: Vec<String> = entries.iter().filter_map(name_of).collect();
    names.sort();
    if names.is_empty() {
        return Err(failed(format!("no system is in this folder: no file NAME{MATRIX}")));
    }
    Ok(names)
}

/// The system of that name in a folder.
pub fn read(dir: &Path, name: &str) -> Result<System, SystemError> {
    let path = |end: &str| dir.join(format!("{name}{end}"));
    let matrix = Source::open(path(MATRIX))?.matrix()?;
    let n = matrix.n_rows();
    let rhs = Source::open(path(RHS))?.rhs(n)?;
    let cells = match path(CELLS) {
        path if path.exists() => Source::open(path)?.cells(n)?,
        _ => Vec::new(),
    };
    Ok(System { name: name.to_owned(), matrix, rhs, cells })
}

/// Writes a system's files into a folder, which is made where it is not there.
pub fn write(dir: &Path, system: &System) -> Result<(), DiskError> {
    let System { name, matrix, rhs, cells } = system;
    let dir = files::resolve_folder(dir).map_err(|source| DiskError {
        action: "read",
        path: dir.to_owned(),
        source,
    })?;
    files::make_folder(&dir)?;
    let path = |end: &str| dir.join(format!("{name}{end}"));
    write_atomic(&path(MATRIX), |out| {
        let rows = || (0..matrix.n_rows()).map(|i| matrix.row(i));
        out.write_all(&(matrix.n_rows() as u64).to_le_bytes())?;
        let mut end = 0;
        out.write_all(&0_i64.to_le_bytes())?;
        for (columns, _) in rows() {
            end += columns.len() as i64;
            out.write_all(&end.to_le_bytes())?;
        }
        for (columns, _) in rows() {
            write_all(out, columns.iter().map(|&c| i64::from(c).to_le_bytes()))?;
        }
        rows().try_for_each(|(_, values)| write_all(out, values.iter().map(|v| v.to_le_bytes())))
    })?;
    write_atomic(&path(RHS), |out| {
        write_all(out, [rhs.len() as u64, 1].map(u64::to_le_bytes).into_iter())?;
        write_all(out, rhs.iter().map(|v| v.to_le_bytes()))
    })?;
    if !cells.is_empty() {
        write_atomic(&path(CELLS), |out| write_all(out, cells.iter().flatten().map(|c| c.to_le_bytes())))?;
    }
    Ok(())
}

fn write_all<const N: usize>(
    out: &mut dyn Write,
    mut items: impl Iterator<Item = [u8; N]>,
) -> io::Result<()> {
    items.try_for_each(|item| out.write_all(&item))
}

/// A file that is being read, and how long it is.
struct Source {
    path: PathBuf,
    reader: BufReader<File>,
    /// Bytes.
    length: u64,
}

impl Source {
    fn open(path: PathBuf) -> Result<Self, SystemError> {
        let opened = File::open(&path).and_then(|file| Ok((file.metadata()?.len(), file)));
        match opened {
            Ok((length, file)) => Ok(Self { path, reader: BufReader::with_capacity(1 << 16, file), length }),
            Err(e) => Err(SystemError { path, what: format!("cannot be read: {e}") }),
        }
    }

    fn fault(&self, what: String) -> SystemError {
        SystemError { path: self.path.clone(), what }
    }

    fn next<const N: usize>(&mut self) -> Result<[u8; N], SystemError> {
        let mut bytes = [0; N];
        match self.reader.read_exact(&mut bytes) {
            Ok(()) => Ok(bytes),
            Err(e) => Err(self.fault(format!("cannot be read: {e}"))),
        }
    }

    /// The number of rows at the file's head; `bytes_each` is the least that each takes up in the file.
    fn n_rows(&mut self, head: u64, bytes_each: u64) -> Result<usize, SystemError> {
        if self.length < head {
            let length = self.length;
            return Err(self.fault(format!("ends at byte {length}, within a head of {head} bytes")));
        }
        let n = u64::from_le_bytes(self.next()?);
        if n >= u64::from(u32::MAX) {
            return Err(self.fault(format!("names {n} rows at byte 0: more than 32 bits can number")));
        }
        // At most 2³² × 16: no overflow.
        let needed = head + n * bytes_each;
        if self.length < needed {
            let length = self.length;
            return Err(self.fault(format!("ends at byte {length}; its {n} rows need {needed} bytes")));
        }
        Ok(n as usize)
    }

    fn matrix(&mut self) -> Result<Csr, SystemError> {
        let n = self.n_rows(16, 8)?;
        let entries_at = 8 * (n as u64 + 2);
        let n_entries = (self.length - entries_at) / 16;
        let length = self.length;
        if !(length - entries_at).is_multiple_of(16) {
            return Err(self.fault(format!(
                "ends at byte {length}, within an entry: from byte {entries_at} on each takes 16 bytes"
            )));
        }
        if n_entries > u64::from(u32::MAX) {
            return Err(self.fault(format!("has {n_entries} entries: more than 32 bits can number")));
        }
        let offsets = self.indices(n + 1, n_entries + 1, "row offset")?;
        if u64::from(offsets[n]) != n_entries {
            let end = offsets[n];
            let what = format!("the last row ends at entry {end}, but the file has room for {n_entries}");
            return Err(self.fault(what));
        }
        let columns = self.indices(n_entries as usize, n as u64, "column of entry")?;
        let values = self.values(n_entries as usize)?;
        Csr::from_parts(n, offsets, columns, values).map_err(|e| self.fault(e.to_string()))
    }

    /// `count` indices below `limit`; `what` names one.
    fn indices(&mut self, count: usize, limit: u64, what: &str) -> Result<Vec<u32>, SystemError> {
        let mut all = Vec::with_capacity(count);
        for i in 0..count {
            let value = i64::from_le_bytes(self.next()?);
            match u32::try_from(value) {
                Ok(index) if u64::from(index) < limit => all.push(index),
                _ => return Err(self.fault(format!("{what} {i} is {value}, not in 0..{limit}"))),
            }
        }
        Ok(all)
    }

    fn values(&mut self, count: usize) -> Result<Vec<f64>, SystemError> {
        let mut all = Vec::with_capacity(count);
        for _ in 0..count {
            all.push(f64::from_le_bytes(self.next()?));
        }
        Ok(all)
    }

    fn rhs(&mut self, n: usize) -> Result<Vec<f64>, SystemError> {
        let found = self.n_rows(16, 8)?;
        if found != n {
            return Err(self.fault(format!("names {found} rows at byte 0, but the matrix has {n}")));
        }
        let n_vectors = u64::from_le_bytes(self.next()?);
        if n_vectors != 1 {
            return Err(self.fault(format!("names {n_vectors} vectors at byte 8, not 1")));
        }
        self.no_more_than(16 + 8 * n as u64)?;
        let rhs = self.values(n)?;
        match rhs.iter().position(|v| !v.is_finite()) {
            Some(row) => Err(self.fault(format!("row {row} is not finite"))),
            None => Ok(rhs),
        }
    }

    fn cells(&mut self, n: usize) -> Result<Vec<[i32; 4]>, SystemError> {
        let (length, needed) = (self.length, 16 * n as u64);
        if length < needed {
            return Err(self.fault(format!("ends at byte {length}; {n} rows need {needed} bytes")));
        }
        self.no_more_than(needed)?;
        let mut cells = Vec::with_capacity(n);
        for row in 0..n {
            let mut cell = [0; 4];
            for c in &mut cell {
                *c = i32::from_le_bytes(self.next()?);
            }
            let [level, coords @ ..] = cell;
            let along = if level < 0 { -i64::from(level) } else { 1 << level.min(62) };
            if level > 30 || coords.iter().any(|&c| c < 0 || i64::from(c) >= along) {
                return Err(self.fault(format!("the cell of row {row}, {cell:?}, is not in the unit cube")));
            }
            cells.push(cell);
        }
        Ok(cells)
    }

    fn no_more_than(&self, needed: u64) -> Result<(), SystemError> {
        match self.length - needed.min(self.length) {
            0 => Ok(()),
            more => Err(self.fault(format!("goes on for {more} bytes after its end at byte {needed}"))),
        }
    }
}

#[cfg(test)]
mod tests;
