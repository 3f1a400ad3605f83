//! Checkpoints: named columns of numbers in one file, each with its own checksum.
//!
//! ```text
//! "octideCP"  u32 format number  u32 sum of these 12 bytes
//! columns:    u32 length of the name (not 0)  u32 type  u64 number of values  the name  the values  u32 sum of all of these
//! the end:    u32 0  u32 0  u64 number of columns  u32 sum of these 16 bytes
//! ```
//!
//! All numbers are little-endian; types are 1 u8, 2 u32, 3 u64, 4 f32, 5 f64; sums are CRC-32. The
//! meaning of columns is up to their writers: the command for its own, a method for its state.
//!
//! A file is written under a temporary name, synced, and only then renamed. The reader trusts nothing: each
//! length is checked against the rest of the file.

mod folder;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use folder::Checkpoints;
pub use read::{read_checkpoint, read_checkpoint_bytes};
pub use write::{write_checkpoint, write_checkpoint_to};

/// The first bytes of a file.
const MAGIC: &[u8; 8] = b"octideCP";

/// The version of the format.
const FORMAT: u32 = 1;

/// The maximum length of a name in bytes.
const LONGEST_NAME: usize = 200;

const U8: u32 = 1;
const U32: u32 = 2;
const U64: u32 = 3;
const F32: u32 = 4;
const F64: u32 = 5;
