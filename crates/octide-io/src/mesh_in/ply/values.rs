//! The values of a PLY file, one after the other.

use super::super::bytes::Bytes;
use super::super::error::{At, ENDS, Problem};
use super::header::{Kind, Property, Scalar};

/// The source of values.
pub(super) enum Values<'a> {
    /// Words, with the number of the line they are on.
    Text { lines: std::str::Lines<'a>, words: std::str::SplitAsciiWhitespace<'a>, line: usize },
    /// Bytes of either endianness.
    Binary { bytes: Bytes<'a>, big_endian: bool },
}

impl<'a> Values<'a> {
    /// Reads values as words, after `header` lines.
    pub fn text(text: &'a str, header: usize) -> Self {
        Self::Text { lines: text.lines(), words: "".split_ascii_whitespace(), line: header }
    }

    pub fn binary(all: &'a [u8], at: usize, big_endian: bool) -> Self {
        Self::Binary { bytes: Bytes::new(all, at), big_endian }
    }

    pub fn at(&self) -> At {
        match self {
            Self::Text { line, .. } => At::Line(*line),
            Self::Binary { bytes, .. } => bytes.at(),
        }
    }

    /// Returns the line of the last value, in text.
    pub fn at_line(&self) -> Option<At> {
        matches!(self, Self::Text { .. }).then(|| self.at())
    }

    /// Returns the next value; `what` describes it in errors. All types but the widest fit an f64 exactly.
    pub fn number(&mut self, scalar: Scalar, what: &str) -> Result<f64, Problem> {
        match self {
            Self::Text { lines, words, line } => loop {
                if let Some(word) = words.next() {
                    return word.parse().map_err(|_| {
                        Problem::line(
                            *line,
                            format!("{} in {what} is not a number", super::super::shown(word)),
                            "put a number there",
                        )
                    });
                }
                let Some(next) = lines.next() else {
                    let what = format!("{ENDS} within {what}");
                    return Err(Problem::line(
                        *line,
                        what,
                        "the file is incomplete: copy or export it again",
                    ));
                };
                *words = next.split_ascii_whitespace();
                *line += 1;
            },
            Self::Binary { bytes, big_endian } => binary_number(bytes, *big_endian, scalar, what),
        }
    }

    /// Skips a property's value or list.
    pub fn skip(&mut self, property: &Property, what: &str) -> Result<(), Problem> {
        match property.kind {
            Kind::Scalar(scalar) => self.number(scalar, what).map(|_| ()),
            Kind::List { count, item } => {
                let n = self.number(count, what)?;
                // A negative count is 0; a wrong one ends at the file's end.
                (0..n as u64).try_for_each(|_| self.number(item, what).map(|_| ()))
            }
        }
    }
}

fn binary_number(
    bytes: &mut Bytes<'_>,
    big_endian: bool,
    scalar: Scalar,
    what: &str,
) -> Result<f64, Problem> {
    macro_rules! read {
        ($t:ty) => {{
            let raw = bytes.take(what)?;
            f64::from(if big_endian { <$t>::from_be_bytes(raw) } else { <$t>::from_le_bytes(raw) })
        }};
    }
    Ok(match scalar {
        Scalar::I8 => read!(i8),
        Scalar::U8 => read!(u8),
        Scalar::I16 => read!(i16),
        Scalar::U16 => read!(u16),
        Scalar::I32 => read!(i32),
        Scalar::U32 => read!(u32),
        Scalar::F32 => read!(f32),
        Scalar::F64 => read!(f64),
    })
}
