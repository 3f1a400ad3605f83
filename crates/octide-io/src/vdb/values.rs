//! Values of a node: the active ones, and a code for the others.
//!
//! ```text
//! values = code:u8 [which inactive ones are outside: mask] [length:i64 bytes]
//! ```
//!
//! Inactive values are all the background (code 0), all its negative (1), or either of them by a mask (3).
//! Active values are compressed by zlib, or stored uncompressed with their length negated if that is shorter.
//! An empty list of half floats has no length either.

use super::bytes::Bytes;
use flate2::{Compress, Compression, FlushCompress, Status};

const ALL_OUTSIDE: u8 = 0;
const ALL_INSIDE: u8 = 1;
const BY_MASK: u8 = 3;

/// The zlib level: the fastest, which costs a few percent of size.
const LEVEL: u32 = 1;

/// Writes the code for inactive values. Bits of `open` are set for inactive values, those of `inside` for
/// values in the liquid.
pub(super) fn inactive(out: &mut Bytes, open: &[u64], inside: &[u64]) {
    let all = |f: &dyn Fn(u64, u64) -> bool| open.iter().zip(inside).all(|(o, i)| f(*o, *i));
    if all(&|open, inside| open & inside == 0) {
        out.raw(&[ALL_OUTSIDE]);
    } else if all(&|open, inside| open & !inside == 0) {
        out.raw(&[ALL_INSIDE]);
    } else {
        out.raw(&[BY_MASK]);
        inside.iter().for_each(|word| out.raw(&(!word).to_le_bytes()));
    }
}

/// Writes an empty list of active values.
pub(super) fn no_active(out: &mut Bytes) {
    out.raw(&0i64.to_le_bytes());
}

/// Writes active values. Its memory is larger than the data that it compresses, so it is reused.
pub(super) struct Zip {
    zlib: Compress,
    room: Vec<u8>,
}

impl Zip {
    pub fn new() -> Self {
        Self { zlib: Compress::new(Compression::new(LEVEL), true), room: Vec::new() }
    }

    pub fn active(&mut self, out: &mut Bytes, values: &[u8]) {
        // Limits the output to the size of the input: compression that needs more does not pay.
        self.room.resize(values.len(), 0);
        self.zlib.reset();
        let status = self.zlib.compress(values, &mut self.room, FlushCompress::Finish);
        let n = self.zlib.total_out() as usize;
        if matches!(status, Ok(Status::StreamEnd)) && n < values.len() {
            out.raw(&(n as i64).to_le_bytes());
            out.raw(&self.room[..n]);
        } else {
            out.raw(&(-(values.len() as i64)).to_le_bytes());
            out.raw(values);
        }
    }
}
