//! Reads numbers from bytes.

use super::error::{At, ENDS, Problem};

/// A position in a file's bytes that advances as they are read.
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

    /// Returns the number of remaining bytes.
    pub fn left(&self) -> usize {
        self.all.len() - self.at
    }

    /// Returns the next `N` bytes; `what` describes them in errors.
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
