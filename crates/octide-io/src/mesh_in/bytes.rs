//! Numbers from bytes.

use super::error::{At, ENDS, Problem};

/// A place in a file's bytes that moves on as they are read.
pub(super) struct Bytes<'a> {
    all: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    pub fn new(all: &'a [u8], at: usize) -> Self {
        Self { all, at }
    }

    pub fn at(&self) -> At {
        At::Byte(self.at)
    }

    /// How many bytes are left.
    pub fn left(&self) -> usize {
        self.all.len() - self.at
    }

    /// The next `N` bytes; `what` says what they should be.
    pub fn take<const N: usize>(&mut self, what: &str) -> Result<[u8; N], Problem> {
        let Some(bytes) = self.all[self.at..].first_chunk::<N>() else {
            return Err(Problem::new(
                self.at(),
                format!("{ENDS} within {what}"),
                "the file is incomplete: copy or export it again",
            ));
        };
        self.at += N;
        Ok(*bytes)
    }
}
