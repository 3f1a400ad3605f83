//! Pictures in memory and as PNG files. Files are written under a temporary name and then renamed, so that
//! a reader never sees an incomplete picture.

mod animation;
#[cfg(test)]
mod tests;

pub use animation::{Animation, animate};

use octide_io::files::NewFile;
use octide_io::printable;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Eight bits of red, green and blue (sRGB) for each pixel, row by row from the top left.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Picture {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// `3 · width · height` bytes.
    pub rgb: Vec<u8>,
}

/// Why a picture cannot be written or read.
#[derive(Debug, Error)]
pub enum ImageError {
    /// The file cannot be written or read.
    #[error("{path}: {source}", path = printable(path))]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The picture cannot be encoded.
    #[error("{path}: {source}", path = printable(path))]
    Encode {
        /// The file.
        path: PathBuf,
        /// The encoder's error.
        source: png::EncodingError,
    },
    /// The file cannot be decoded as PNG.
    #[error("{path}: {source}", path = printable(path))]
    Decode {
        /// The file.
        path: PathBuf,
        /// The decoder's error.
        source: png::DecodingError,
    },
    /// The picture differs in size from the others, or has an unsupported format.
    #[error("{path}: {what}", path = printable(path))]
    Unfit {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
}

impl Picture {
    /// Writes a PNG file.
    pub fn write(&self, path: &Path) -> Result<(), ImageError> {
        let (new, file) = create(path)?;
        let encoded = encoder(file, self.width, self.height).write_header().and_then(|mut writer| {
            writer.write_image_data(&self.rgb)?;
            writer.finish()
        });
        encoded.map_err(|e| encode_error(path, e))?;
        new.keep().map_err(|e| io_error(path, e))
    }

    /// Reads a PNG file as this crate writes them: eight bits, RGB. Of an animation, its first frame.
    pub fn read(path: &Path) -> Result<Self, ImageError> {
        let decode = |source| ImageError::Decode { path: path.into(), source };
        let file = File::open(path).map_err(|e| io_error(path, e))?;
        let mut reader = png::Decoder::new(BufReader::new(file)).read_info().map_err(decode)?;
        if reader.output_color_type() != (png::ColorType::Rgb, png::BitDepth::Eight) {
            let what = "not a picture with eight bits of red, green and blue".into();
            return Err(ImageError::Unfit { path: path.into(), what });
        }
        let (width, height) = (reader.info().width, reader.info().height);
        let mut rgb = vec![0; width as usize * height as usize * 3];
        reader.next_frame(&mut rgb).map_err(decode)?;
        Ok(Self { width, height, rgb })
    }
}

fn encoder<W: Write>(to: W, width: u32, height: u32) -> png::Encoder<'static, W> {
    let mut encoder = png::Encoder::new(to, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder
}

fn io_error(path: &Path, source: std::io::Error) -> ImageError {
    ImageError::Io { path: path.into(), source }
}

/// Converts an error of the encoder; I/O errors are kept apart.
fn encode_error(path: &Path, source: png::EncodingError) -> ImageError {
    match source {
        png::EncodingError::IoError(source) => io_error(path, source),
        source => ImageError::Encode { path: path.into(), source },
    }
}

/// Creates a file that appears under its name when it is kept.
fn create(path: &Path) -> Result<(NewFile, BufWriter<File>), ImageError> {
    let new = NewFile::create(path).map_err(|e| io_error(path, e))?;
    let file = new.handle().map_err(|e| io_error(path, e))?;
    Ok((new, BufWriter::new(file)))
}
