//! Makes a video with ffmpeg, if it is on the search path.

use crate::errors::Failure;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Returns an error if ffmpeg is not installed.
pub fn need_ffmpeg() -> Result<(), Failure> {
    match Command::new("ffmpeg").arg("-version").stdout(Stdio::null()).stderr(Stdio::null()).status() {
        Ok(_) => Ok(()),
        Err(e) if e.kind() == ErrorKind::NotFound => Err(Failure::Input(
            "--video needs ffmpeg, which is not on the search path; without it there is still the animation preview.png".to_owned(),
        )),
        Err(e) => Err(Failure::Input(format!("cannot start ffmpeg: {e}"))),
    }
}

/// Makes a video from pictures, in their order.
pub fn make(video: &Path, pictures: &[PathBuf], fps: f64) -> Result<(), Failure> {
    let failed = |what: String| Failure::Disk(format!("cannot make the video {}: {what}", video.display()));
    let mut ffmpeg = Command::new("ffmpeg")
        .args(["-y", "-loglevel", "error", "-f", "image2pipe", "-c:v", "png", "-framerate"])
        .arg(fps.to_string())
        // The common video codecs need even widths and heights.
        .args(["-i", "-", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p"])
        .arg(video)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .map_err(|e| failed(e.to_string()))?;
    let mut sent = Ok(());
    if let Some(mut to) = ffmpeg.stdin.take() {
        sent = pictures.iter().try_for_each(|p| to.write_all(&fs::read(p)?));
    }
    let status = ffmpeg.wait().map_err(|e| failed(e.to_string()))?;
    if !status.success() {
        return Err(failed(format!("ffmpeg ended with {status}")));
    }
    sent.map_err(|e| failed(e.to_string()))
}
