//! The header of the PLY files that Octide writes and reads.

use crate::file_error::ReadError;
use octide_core::scene::Up;
use std::fmt::Write as _;
use std::path::Path;

/// The header of a file.
pub(super) struct Header {
    /// What the file holds, such as `liquid surface`.
    pub what: &'static str,
    pub up: Up,
    /// Simulated seconds.
    pub time: f64,
    pub n_vertices: usize,
    /// The properties of a vertex, as type and name.
    pub properties: &'static [&'static str],
    /// None for files without faces.
    pub n_faces: Option<usize>,
}

impl Header {
    pub fn text(&self) -> String {
        let mut out = String::from("ply\nformat binary_little_endian 1.0\n");
        let up = if self.up == Up::Y { "y" } else { "z" };
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "comment octide {} {}\ncomment up {up}\ncomment unit m\ncomment time {:?} s\nelement vertex {}\n",
            env!("CARGO_PKG_VERSION"),
            self.what,
            self.time,
            self.n_vertices
        );
        for property in self.properties {
            let _ = writeln!(out, "property {property}");
        }
        if let Some(n_faces) = self.n_faces {
            let _ = write!(out, "element face {n_faces}\nproperty list uchar int vertex_indices\n");
        }
        out + "end_header\n"
    }
}

/// A header that was read, and the data after it.
pub(super) struct Parsed<'a> {
    pub up: Up,
    pub time: f64,
    pub n_vertices: usize,
    pub n_faces: usize,
    pub data: &'a [u8],
}

/// Reads the header of a file that Octide wrote; other PLY files are an error.
pub(super) fn parse<'a>(
    bytes: &'a [u8],
    path: &Path,
    what: &str,
    properties: &[&str],
) -> Result<Parsed<'a>, ReadError> {
    let bad = |reason: &str| ReadError::Format { path: path.to_owned(), reason: reason.to_owned() };
    const END: &[u8] = b"end_header\n";
    let end = bytes.windows(END.len()).position(|w| w == END).ok_or_else(|| bad("it has no PLY header"))?;
    let text = std::str::from_utf8(&bytes[..end]).map_err(|_| bad("its header is not text"))?;
    let mut lines = text.lines();
    if lines.next() != Some("ply") || lines.next() != Some("format binary_little_endian 1.0") {
        return Err(bad("it is not a binary little-endian PLY file"));
    }
    let mut parsed =
        Parsed { up: Up::Y, time: 0.0, n_vertices: 0, n_faces: 0, data: &bytes[end + END.len()..] };
    let mut found = Vec::new();
    let mut is_ours = false;
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["comment", "octide", _version, rest @ ..] => is_ours = rest.join(" ") == what,
            ["comment", "up", "z"] => parsed.up = Up::Z,
            ["comment", "time", t, "s"] => {
                parsed.time = t.parse().map_err(|_| bad("its time is no number"))?
            }
            ["element", "vertex", n] => {
                parsed.n_vertices = n.parse().map_err(|_| bad("its number of vertices is no number"))?;
            }
            ["element", "face", n] => {
                parsed.n_faces = n.parse().map_err(|_| bad("its number of faces is no number"))?;
            }
            ["comment", ..] | ["property", "list", "uchar", "int", "vertex_indices"] => {}
            ["property", rest @ ..] => found.push(rest.join(" ")),
            _ => return Err(bad(&format!("its header has the line {line:?}"))),
        }
    }
    if !is_ours || found != properties {
        return Err(bad(&format!("it does not hold a {what}")));
    }
    Ok(parsed)
}
