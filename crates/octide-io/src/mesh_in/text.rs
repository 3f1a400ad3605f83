//! Reads numbers and words from text.

use super::error::{At, Problem};
use std::str::SplitAsciiWhitespace;

/// The words of a line with the line's number.
pub(super) struct Words<'a> {
    pub line: usize,
    words: SplitAsciiWhitespace<'a>,
}

impl<'a> Words<'a> {
    pub fn new(line: usize, text: &'a str) -> Self {
        Self { line, words: text.split_ascii_whitespace() }
    }

    pub fn next(&mut self) -> Option<&'a str> {
        self.words.next()
    }

    /// Returns the next word as a number of any kind; `what` describes it in errors.
    pub fn number<T: std::str::FromStr>(&mut self, what: &str) -> Result<T, Problem> {
        let Some(word) = self.words.next() else {
            return Err(Problem::line(
                self.line,
                format!("the line ends where {what} should be"),
                "complete the line",
            ));
        };
        word.parse().map_err(|_| {
            let comma = word.split_once(',').is_some_and(|(a, b)| format!("{a}.{b}").parse::<f64>().is_ok());
            let remedy = if comma { "write a point for the comma" } else { "put a number there" };
            Problem::line(self.line, format!("{} is not {what}", super::shown(word)), remedy)
        })
    }

    /// Returns the next three words as the position of vertex `number`.
    pub fn position(&mut self, number: usize) -> Result<[f32; 3], Problem> {
        let p = [self.number("a coordinate")?, self.number("a coordinate")?, self.number("a coordinate")?];
        super::usable(p, number, At::Line(self.line))
    }
}

/// Returns the lines of a text file, counted from 1. Bytes that are not UTF-8 are replaced: they only matter
/// in names and comments, and in place of a number they cause an error anyway.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(i, line)| (i + 1, line))
}
