//! Reads checkpoints.

use super::{F32, F64, FORMAT, LONGEST_NAME, MAGIC, U8, U32, U64};
use crate::file_error::ReadError;
use flate2::Crc;
use octide_core::snapshot::{Column, Snapshot};
use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read};
use std::path::Path;

/// Bytes to read at a time: a multiple of the size of every value type.
const CHUNK: usize = 1 << 19;

/// Reads a checkpoint, using about as much memory as the file is long.
pub fn read_checkpoint(path: &Path) -> Result<Snapshot, ReadError> {
    let io = |source| ReadError::Io { path: path.to_owned(), source };
    let file = File::open(path).map_err(io)?;
    let length = file.metadata().map_err(io)?.len();
    read(&mut BufReader::with_capacity(1 << 16, file), length).map_err(|fault| match fault {
        Fault::Io(source) => io(source),
        Fault::Format(reason) => ReadError::Format { path: path.to_owned(), reason },
    })
}

/// Reads a checkpoint from memory; the error says what is wrong.
pub fn read_checkpoint_bytes(mut bytes: &[u8]) -> Result<Snapshot, String> {
    let length = bytes.len() as u64;
    read(&mut bytes, length).map_err(|fault| match fault {
        Fault::Io(e) => e.to_string(),
        Fault::Format(reason) => reason,
    })
}

enum Fault {
    Io(io::Error),
    Format(String),
}

fn read(source: &mut dyn Read, length: u64) -> Result<Snapshot, Fault> {
    let mut reader = Reader { source, left: length, sum: Crc::new() };
    reader.head()?;
    let mut out = Snapshot::default();
    let mut n_columns = 0u64;
    loop {
        let name_length = reader.u32()? as usize;
        let (kind, n) = (reader.u32()?, reader.u64()?);
        if name_length == 0 {
            reader.check_sum("its end")?;
            if kind != 0 || n != n_columns {
                return wrong("columns are missing");
            }
            break;
        }
        let (name, column) = reader.column(name_length, kind, n)?;
        if !out.insert(name.clone(), column) {
            return wrong(format!("the column {name:?} appears twice"));
        }
        n_columns += 1;
    }
    if reader.left > 0 {
        return wrong("there is data after its end");
    }
    Ok(out)
}

fn wrong<T>(reason: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::Format(reason.into()))
}

struct Reader<'a> {
    source: &'a mut dyn Read,
    /// Bytes left in the file.
    left: u64,
    /// Checksum of everything read since the last one.
    sum: Crc,
}

impl Reader<'_> {
    fn head(&mut self) -> Result<(), Fault> {
        if &self.bytes::<8>()? != MAGIC {
            return wrong("it does not start like a checkpoint");
        }
        let format = self.u32()?;
        self.check_sum("its head")?;
        if format != FORMAT {
            return wrong(format!(
                "it has format {format}, but this version of octide reads format {FORMAT}"
            ));
        }
        Ok(())
    }

    fn column(&mut self, name_length: usize, kind: u32, n: u64) -> Result<(String, Column), Fault> {
        let size = match kind {
            U8 => 1,
            U32 | F32 => 4,
            U64 | F64 => 8,
            _ => return wrong("a column has values of an unknown type"),
        };
        if name_length > LONGEST_NAME {
            return wrong("a column's name is too long");
        }
        // Nothing is allocated before the file is known to contain it.
        let needed = n.checked_mul(size).and_then(|b| b.checked_add(name_length as u64 + 4));
        if needed.is_none_or(|needed| needed > self.left) {
            return wrong("it is truncated");
        }
        let mut name = vec![0; name_length];
        self.fill(&mut name)?;
        let n = n as usize;
        let column = match kind {
            U8 => {
                let mut bytes = vec![0; n];
                self.fill(&mut bytes)?;
                Column::U8(bytes)
            }
            U32 => Column::U32(self.numbers(n, u32::from_le_bytes)?),
            U64 => Column::U64(self.numbers(n, u64::from_le_bytes)?),
            F32 => Column::F32(self.numbers(n, f32::from_le_bytes)?),
            _ => Column::F64(self.numbers(n, f64::from_le_bytes)?),
        };
        let name = String::from_utf8(name).or_else(|_| wrong("a column's name is not valid text"))?;
        self.check_sum(&format!("the column {name:?}"))?;
        Ok((name, column))
    }

    fn numbers<T, const N: usize>(&mut self, n: usize, from: impl Fn([u8; N]) -> T) -> Result<Vec<T>, Fault> {
        let mut out = Vec::with_capacity(n);
        let mut bytes = vec![0; CHUNK.min(N * n)];
        while out.len() < n {
            let part = &mut bytes[..CHUNK.min(N * (n - out.len()))];
            self.fill(part)?;
            out.extend(part.as_chunks::<N>().0.iter().map(|b| from(*b)));
        }
        Ok(out)
    }

    fn u32(&mut self) -> Result<u32, Fault> {
        self.bytes().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, Fault> {
        self.bytes().map(u64::from_le_bytes)
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), Fault> {
        self.raw(bytes)?;
        self.sum.update(bytes);
        Ok(())
    }

    fn raw(&mut self, bytes: &mut [u8]) -> Result<(), Fault> {
        if bytes.len() as u64 > self.left {
            return wrong("it is truncated");
        }
        self.left -= bytes.len() as u64;
        self.source.read_exact(bytes).map_err(|e| match e.kind() {
            ErrorKind::UnexpectedEof => Fault::Format("it is truncated".to_owned()),
            _ => Fault::Io(e),
        })
    }

    fn check_sum(&mut self, what: &str) -> Result<(), Fault> {
        let expected = self.sum.sum();
        self.sum.reset();
        let mut found = [0; 4];
        self.raw(&mut found)?;
        if u32::from_le_bytes(found) == expected { Ok(()) } else { wrong(format!("{what} is damaged")) }
    }
}
