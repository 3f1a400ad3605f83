//! `frames.csv`: one line per frame of water, with the volume of the liquid, of the mesh and of the drops that are shown,
//!
//! ```text
//! mesh_m3 − in_walls_m3 + drops_m3 ≈ liquid_m3.
//! ```

use crate::file_error::DiskError;
use crate::lines::Lines;
use std::path::Path;

/// The names of the columns.
const HEAD: &str = "frame,time_s,liquid_m3,mesh_m3,in_walls_m3,drops_m3,drops\n";

/// What a frame shows of the liquid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameVolumes {
    /// The number of the frame, counted from 0.
    pub frame: u32,
    /// Its time in seconds.
    pub time: f64,
    /// The volume of the liquid, spray included, in m³.
    pub liquid: f64,
    /// The volume of the surface without drops in m³.
    pub mesh: f64,
    /// The part of it in walls that the grid counts as thicker than they are, in m³.
    pub in_walls: f64,
    /// The volume of the drops that are shown, in m³.
    pub drops: f64,
    /// The number of these drops.
    pub n_drops: usize,
}

/// Writes `frames.csv` during a run. Each line is written at once, so that other programs can follow the file.
#[derive(Debug)]
pub struct FramesWriter(Lines);

impl FramesWriter {
    /// Creates the file and writes its header.
    pub fn create(path: &Path) -> Result<Self, DiskError> {
        let mut lines = Lines::create(path)?;
        lines.write(HEAD)?;
        Ok(Self(lines))
    }

    /// Keeps the lines of the first `n` frames and appends to them, as a resumed run does. A file that is missing or has
    /// other columns is replaced by a new one.
    pub fn resume(path: &Path, n: u32) -> Result<Self, DiskError> {
        let Some(length) = std::fs::read_to_string(path).ok().and_then(|text| length_of(&text, n)) else {
            return Self::create(path);
        };
        Ok(Self(Lines::cut_back(path, length)?))
    }

    /// Syncs all lines to disk.
    pub fn sync(&self) -> Result<(), DiskError> {
        self.0.sync()
    }

    /// Writes the line of a frame.
    pub fn frame(&mut self, of: &FrameVolumes) -> Result<(), DiskError> {
        let FrameVolumes { frame, time, liquid, mesh, in_walls, drops, n_drops } = of;
        self.0.write(&format!("{frame},{time:?},{liquid:?},{mesh:?},{in_walls:?},{drops:?},{n_drops}\n"))
    }
}

/// Returns the length of the header and the lines of the first `n` frames; `None` if the header is another one.
fn length_of(text: &str, n: u32) -> Option<u64> {
    let rows = text.strip_prefix(HEAD)?;
    let is_kept = |row: &&str| {
        let number = row.split(',').next().and_then(|number| number.parse::<u32>().ok());
        row.ends_with('\n') && number.is_some_and(|frame| frame < n)
    };
    let kept: usize = rows.split_inclusive('\n').take_while(is_kept).map(str::len).sum();
    Some((HEAD.len() + kept) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resumed_table_keeps_the_lines_of_complete_frames() {
        let path = crate::test_dir("frames").join("frames.csv");
        let row = |frame: u32| FrameVolumes {
            frame,
            time: 0.5 * f64::from(frame),
            liquid: 0.25,
            mesh: 0.24,
            in_walls: 1e-3,
            drops: 0.011,
            n_drops: 7,
        };
        let mut frames = FramesWriter::create(&path).unwrap();
        (0..3).for_each(|k| frames.frame(&row(k)).unwrap());
        drop(frames);
        let whole = std::fs::read_to_string(&path).unwrap();
        assert_eq!(whole.lines().nth(2), Some("1,0.5,0.25,0.24,0.001,0.011,7"));
        let mut frames = FramesWriter::resume(&path, 2).unwrap();
        frames.frame(&row(2)).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
        // Half of a line is cut off.
        std::fs::write(&path, &whole[..whole.len() - 4]).unwrap();
        FramesWriter::resume(&path, 9).unwrap().frame(&row(2)).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
        // A file of something else, and none.
        std::fs::write(&path, "a,b\n1,2\n").unwrap();
        FramesWriter::resume(&path, 2).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), HEAD);
        std::fs::remove_file(&path).unwrap();
        FramesWriter::resume(&path, 2).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), HEAD);
    }
}
