//! Values of a node: those that are active, and a code for the others.
//!
//! ```text
//! values = code:u8 [which inactive ones are outside: mask] [length:i64 bytes]
//! ```
//!
//! Inactive values are all the background (code 0), all its negative (1), or one of both by a mask (3).
//! Active ones are compressed by zlib, or follow as they are with their length negated where that is shorter.
//! Half floats that are none have no length either.

use super::bytes::Bytes;
use flate2::{Compress, Compression, FlushCompress, Status};

const ALL_OUTSIDE: u8 = 0;
const ALL_INSIDE: u8 = 1;
const BY_MASK: u8 = 3;

/// zlib's level: the fastest, which costs a few percent of size.
const LEVEL: u32 = 1;

/// Writes the code for inactive values. Bits of `open` are on where there is one, those of `inside` where it
/// is in the liquid.
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

/// Writes that no value is active.
pub(super) fn no_active(out: &mut Bytes) {
    out.raw(&0i64.to_le_bytes());
}

/// Writes active values. Its memory is larger than what it compresses here, so that it is used again.
pub(super) struct Zip {
    zlib: Compress,
    room: Vec<u8>,
}

impl Zip {
    pub fn new() -> Self {
        Self { zlib: Compress::new(Compression::new(LEVEL), true), room: Vec::new() }
    }

    pub fn active(&mut self, out: &mut Bytes, values: &[u8]) {
        // Room for no more than there is: what does not fit is not worth it.
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
