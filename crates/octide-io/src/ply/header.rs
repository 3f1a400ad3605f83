//! The header of the PLY files that Octide writes and reads.

use crate::file_error::ReadError;
use octide_core::scene::Up;
use std::fmt::Write as _;
use std::path::Path;

/// The elements of a file: their names and properties, such as `float x`.
pub(super) type Layout = &'static [(&'static str, &'static [&'static str])];

/// The header of a file.
pub(super) struct Header<'a> {
    /// The content of the file, such as `liquid surface`.
    pub what: &'static str,
    pub up: Up,
    /// Simulated seconds.
    pub time: f64,
    pub layout: Layout,
    /// The number of each element.
    pub counts: &'a [usize],
}

impl Header<'_> {
    pub fn text(&self) -> String {
        debug_assert_eq!(self.layout.len(), self.counts.len());
        let mut out = String::from("ply\nformat binary_little_endian 1.0\n");
        let up = if self.up == Up::Y { "y" } else { "z" };
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "comment octide {} {}\ncomment up {up}\ncomment unit m\ncomment time {:?} s\n",
            env!("CARGO_PKG_VERSION"),
            self.what,
            self.time,
        );
        for ((element, properties), count) in self.layout.iter().zip(self.counts) {
            let _ = writeln!(out, "element {element} {count}");
            for property in *properties {
                let _ = writeln!(out, "property {property}");
            }
        }
        out + "end_header\n"
    }
}

/// A header that was read, and the data after it.
pub(super) struct Parsed<'a> {
    pub up: Up,
    pub time: f64,
    /// The index of the form that it has.
    pub form: usize,
    /// The number of each element.
    pub counts: Vec<usize>,
    pub data: &'a [u8],
}

/// Reads the header of a file that Octide wrote in one of several forms; other PLY files are an error.
pub(super) fn parse<'a>(
    bytes: &'a [u8],
    path: &Path,
    forms: &[(&str, Layout)],
) -> Result<Parsed<'a>, ReadError> {
    let bad = |reason: &str| ReadError::Format { path: path.to_owned(), reason: reason.to_owned() };
    const END: &[u8] = b"end_header\n";
    let end = bytes.windows(END.len()).position(|w| w == END).ok_or_else(|| bad("it has no PLY header"))?;
    let text = std::str::from_utf8(&bytes[..end]).map_err(|_| bad("its header is not text"))?;
    let mut lines = text.lines();
    if lines.next() != Some("ply") || lines.next() != Some("format binary_little_endian 1.0") {
        return Err(bad("it is not a binary little-endian PLY file"));
    }
    let (mut up, mut time, mut what) = (Up::Y, 0.0, String::new());
    let mut counts = Vec::new();
    let mut found: Vec<(&str, Vec<String>)> = Vec::new();
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["comment", "octide", _version, rest @ ..] => what = rest.join(" "),
            ["comment", "up", "z"] => up = Up::Z,
            ["comment", "time", t, "s"] => time = t.parse().map_err(|_| bad("its time is no number"))?,
            ["comment", ..] => {}
            ["element", name, n] => {
                counts.push(
                    n.parse().map_err(|_| bad(&format!("its number of {name} elements is no number")))?,
                );
                found.push((name, Vec::new()));
            }
            ["property", rest @ ..] if !found.is_empty() => {
                found.last_mut().into_iter().for_each(|(_, properties)| properties.push(rest.join(" ")));
            }
            _ => return Err(bad(&format!("its header has the line {line:?}"))),
        }
    }
    let is_form = |&(holds, layout): &(&str, Layout)| {
        let has = layout.iter().map(|(name, properties)| (*name, properties.to_vec()));
        what == holds && has.eq(found.iter().map(|(name, p)| (*name, p.iter().map(String::as_str).collect())))
    };
    match forms.iter().position(is_form) {
        Some(form) => Ok(Parsed { up, time, form, counts, data: &bytes[end + END.len()..] }),
        None => Err(bad(&format!("it does not hold a {}", forms[0].0))),
    }
}
