//! Values of a node: those that are active, and a code for the others.
//!
//! ```text
//! values = code:u8 [which inactive ones are outside: mask] [length:i64 bytes]
//! ```
//!
//! Inactive values are all the background (code 0), all its negative (1), or one of both by a mask (3). Active ones are
//! compressed by zlib, or follow as they are with their length negated where that is shorter. Half floats that are
//! none have no length either.

use super::bytes::Bytes;
use flate2::{Compress, Compression, FlushCompress, Status};

const ALL_OUTSIDE: u8 = 0;
const ALL_INSIDE: u8 = 1;
const BY_MASK: u8 = 3;

/// zlib's level: the fastest, which costs a few percent of size.
const LEVEL: u32 = 1;

/// Writes the code for inactive values. Bits of `open` are on where there is one, those of `inside` where it is in
/// the liquid.
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

/// Writes active values.
pub(super) fn active(out: &mut Bytes, values: &[u8]) {
    // Room for less than what there is: what does not fit is not worth it.
    let mut room = vec![0; values.len()];
    let mut zlib = Compress::new(Compression::new(LEVEL), true);
    let fits = matches!(zlib.compress(values, &mut room, FlushCompress::Finish), Ok(Status::StreamEnd));
    let n = zlib.total_out() as usize;
    if fits && n < values.len() {
        out.raw(&(n as i64).to_le_bytes());
        out.raw(&room[..n]);
    } else {
        out.raw(&(-(values.len() as i64)).to_le_bytes());
        out.raw(values);
    }
}
