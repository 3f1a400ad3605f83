//! Animated PNG: frames are written to the file one by one. Of each frame only the rectangle that changed is
//! stored.

use super::{ImageError, Picture, create, encode_error, encoder, io_error};
use octide_io::files::NewFile;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

/// An animation that is being written. The file appears under its name after [`Animation::finish`].
pub struct Animation {
    path: PathBuf,
    new: NewFile,
    writer: png::Writer<BufWriter<File>>,
    n_frames: u32,
    written: u32,
    last: Picture,
}

impl Animation {
    /// Starts a file of `n_frames` pictures of the given size that repeats forever.
    pub fn create(path: &Path, width: u32, height: u32, n_frames: u32, fps: f64) -> Result<Self, ImageError> {
        let (numerator, denominator) =
            delay(fps).ok_or_else(|| unfit(path, format!("{fps} frames a second")))?;
        let (new, file) = create(path)?;
        let start = || {
            let mut encoder = encoder(file, width, height);
            encoder.set_animated(n_frames, 0)?;
            encoder.set_frame_delay(numerator, denominator)?;
            encoder.write_header()
        };
        let writer = start().map_err(|e| encode_error(path, e))?;
        let last = Picture { width, height, rgb: Vec::new() };
        Ok(Self { path: path.into(), new, writer, n_frames, written: 0, last })
    }

    /// Appends a picture.
    pub fn push(&mut self, picture: Picture) -> Result<(), ImageError> {
        let path = &self.path;
        if self.written == self.n_frames {
            return Err(unfit(path, format!("more than the {} frames announced", self.n_frames)));
        }
        if (picture.width, picture.height) != (self.last.width, self.last.height)
            || picture.rgb.len() != picture.width as usize * picture.height as usize * 3
        {
            return Err(unfit(path, format!("frame {} has another size", self.written)));
        }
        let patch =
            if self.written == 0 { Patch::all(&picture) } else { Patch::between(&self.last, &picture) };
        let mut append = || {
            self.writer.reset_frame_position()?;
            self.writer.set_frame_dimension(patch.width, patch.height)?;
            self.writer.set_frame_position(patch.x, patch.y)?;
            self.writer.write_image_data(&patch.cut(&picture))
        };
        append().map_err(|e| encode_error(path, e))?;
        self.written += 1;
        self.last = picture;
        Ok(())
    }

    /// Completes the file and renames it.
    pub fn finish(self) -> Result<(), ImageError> {
        if self.written != self.n_frames {
            let what = format!("{} frames of the {} announced", self.written, self.n_frames);
            return Err(unfit(&self.path, what));
        }
        self.writer.finish().map_err(|e| encode_error(&self.path, e))?;
        self.new.keep().map_err(|e| io_error(&self.path, e))
    }
}

/// Makes an animation from PNG files that [`Picture::write`] wrote, one in memory at a time.
pub fn animate(path: &Path, files: &[PathBuf], fps: f64) -> Result<(), ImageError> {
    let Some(first) = files.first() else {
        return Err(unfit(path, "no frames".into()));
    };
    let Picture { width, height, .. } = Picture::read(first)?;
    let n_frames = u32::try_from(files.len()).map_err(|_| unfit(path, "too many frames".into()))?;
    let mut animation = Animation::create(path, width, height, n_frames, fps)?;
    for file in files {
        animation.push(Picture::read(file)?)?;
    }
    animation.finish()
}

fn unfit(path: &Path, what: String) -> ImageError {
    ImageError::Unfit { path: path.into(), what }
}

/// Approximates the seconds per frame by a fraction of two 16-bit numbers.
pub(super) fn delay(fps: f64) -> Option<(u16, u16)> {
    if !(fps > 0.0 && fps < 60_000.0) {
        return None;
    }
    let numerator = [1u16, 10, 100, 1001, 1000]
        .into_iter()
        .filter(|&n| f64::from(n) * fps <= 65_535.0)
        .min_by(|&a, &b| rounding(a, fps).total_cmp(&rounding(b, fps)))?;
    Some((numerator, (f64::from(numerator) * fps).round().max(1.0) as u16))
}

fn rounding(numerator: u16, fps: f64) -> f64 {
    let denominator = f64::from(numerator) * fps;
    ((denominator.round() - denominator) / denominator).abs()
}

/// A rectangle of pixels, never empty.
struct Patch {
    x: u32,
    y: u32,
    width: u32,
    height: u32,
}

impl Patch {
    fn all(picture: &Picture) -> Self {
        Self { x: 0, y: 0, width: picture.width, height: picture.height }
    }

    /// Returns the rectangle in which two pictures of one size differ; one pixel if they are equal, since a
    /// frame cannot be empty.
    fn between(old: &Picture, new: &Picture) -> Self {
        let row = 3 * new.width as usize;
        let (mut x0, mut x1, mut y0, mut y1) = (new.width, 0, new.height, 0);
        for (y, (a, b)) in (0u32..).zip(old.rgb.chunks_exact(row).zip(new.rgb.chunks_exact(row))) {
            let differs = |i: &usize| a[*i] != b[*i];
            if let (Some(first), Some(last)) = ((0..row).find(differs), (0..row).rfind(differs)) {
                x0 = x0.min(first as u32 / 3);
                x1 = x1.max(last as u32 / 3);
                y0 = y0.min(y);
                y1 = y;
            }
        }
        if x0 > x1 {
            return Self { x: 0, y: 0, width: 1, height: 1 };
        }
        Self { x: x0, y: y0, width: x1 - x0 + 1, height: y1 - y0 + 1 }
    }

    fn cut(&self, picture: &Picture) -> Vec<u8> {
        let row = 3 * picture.width as usize;
        let columns = 3 * self.x as usize..3 * (self.x + self.width) as usize;
        let rows = picture.rgb.chunks_exact(row).skip(self.y as usize).take(self.height as usize);
        rows.flat_map(|r| &r[columns.clone()]).copied().collect()
    }
}
