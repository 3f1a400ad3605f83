//! Writes checkpoints.

use super::{F32, F64, FORMAT, LONGEST_NAME, MAGIC, U8, U32, U64};
use crate::atomic::write_durable;
use crate::file_error::DiskError;
use flate2::Crc;
use octide_core::snapshot::{Store, Values};
use std::io::{self, Write};
use std::path::Path;

/// Number of values to convert to bytes at a time.
const CHUNK: usize = 1 << 16;

/// Writes a checkpoint with the columns that `fill` puts. `path` is unchanged until all of it is on disk.
pub fn write_checkpoint(path: &Path, fill: impl FnOnce(&mut dyn Store)) -> Result<(), DiskError> {
    write_durable(path, |out| write_checkpoint_to(out, fill))
}

/// Writes a checkpoint to any writer.
pub fn write_checkpoint_to(out: &mut dyn Write, fill: impl FnOnce(&mut dyn Store)) -> io::Result<()> {
    let mut writer = Writer { out, sum: Crc::new(), bytes: Vec::new(), n_columns: 0, failed: None };
    writer.head()?;
    fill(&mut writer);
    writer.end()
}

struct Writer<'a> {
    out: &'a mut dyn Write,
    /// Checksum of everything written since the last one.
    sum: Crc,
    bytes: Vec<u8>,
    n_columns: u64,
    /// The first error, after which nothing more is written.
    failed: Option<io::Error>,
}

impl Writer<'_> {
    fn head(&mut self) -> io::Result<()> {
        self.write(MAGIC)?;
        self.write(&FORMAT.to_le_bytes())?;
        self.write_sum()
    }

    fn end(mut self) -> io::Result<()> {
        if let Some(e) = self.failed.take() {
            return Err(e);
        }
        let n = self.n_columns;
        self.write(&[0; 8])?;
        self.write(&n.to_le_bytes())?;
        self.write_sum()
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.out.write_all(bytes)
    }

    fn write_sum(&mut self) -> io::Result<()> {
        let sum = self.sum.sum();
        self.sum.reset();
        self.out.write_all(&sum.to_le_bytes())
    }

    fn column(&mut self, name: &str, values: Values<'_>) -> io::Result<()> {
        if name.is_empty() || name.len() > LONGEST_NAME {
            return Err(io::Error::other(format!("{name:?} is no name for a column")));
        }
        let (kind, n) = match values {
            Values::U8(v) => (U8, v.len()),
            Values::U32(v) => (U32, v.len()),
            Values::U64(v) => (U64, v.len()),
            Values::F32(v) => (F32, v.len()),
            Values::F64(v) => (F64, v.len()),
        };
        self.write(&(name.len() as u32).to_le_bytes())?;
        self.write(&kind.to_le_bytes())?;
        self.write(&(n as u64).to_le_bytes())?;
        self.write(name.as_bytes())?;
        match values {
            Values::U8(v) => self.write(v)?,
            Values::U32(v) => self.numbers(v, u32::to_le_bytes)?,
            Values::U64(v) => self.numbers(v, u64::to_le_bytes)?,
            Values::F32(v) => self.numbers(v, f32::to_le_bytes)?,
            Values::F64(v) => self.numbers(v, f64::to_le_bytes)?,
        }
        self.n_columns += 1;
        self.write_sum()
    }

    fn numbers<T: Copy, const N: usize>(
        &mut self,
        values: &[T],
        to: impl Fn(T) -> [u8; N],
    ) -> io::Result<()> {
        let mut bytes = std::mem::take(&mut self.bytes);
        for chunk in values.chunks(CHUNK) {
            bytes.resize(N * chunk.len(), 0);
            for (place, &value) in bytes.as_chunks_mut::<N>().0.iter_mut().zip(chunk) {
                *place = to(value);
            }
            self.write(&bytes)?;
        }
        self.bytes = bytes;
        Ok(())
    }
}

impl Store for Writer<'_> {
    fn put(&mut self, name: &str, values: Values<'_>) {
        if self.failed.is_none() {
            self.failed = self.column(name, values).err();
        }
    }
}
