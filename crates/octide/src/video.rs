//! Makes a video with ffmpeg, if it is on the search path.

use crate::errors::Failure;
use octide_io::files::NewFile;
use octide_io::printable;
use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind, Read, Write};
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
    make_new(video, pictures, fps)
        .map_err(|e| Failure::Disk(format!("cannot make the video {}: {e}", printable(video))))
}

fn make_new(video: &Path, pictures: &[PathBuf], fps: f64) -> io::Result<()> {
    // ffmpeg follows links, so it gets a new name.
    let new = NewFile::create(video)?;
    // With the protocol, a name such as -x or http:x is a file, too.
    let mut target = OsString::from("file:");
    target.push(video.with_file_name(new.temporary_name().unwrap_or_default()));
    let mut ffmpeg = Command::new("ffmpeg")
        .args(["-y", "-loglevel", "error", "-f", "image2pipe", "-c:v", "png", "-framerate"])
        .arg(fps.to_string())
        // The common video codecs need even widths and heights.
        .args(["-i", "-", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-f", "mp4"])
        .arg(target)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    let (pipe, errors) = (ffmpeg.stdin.take(), ffmpeg.stderr.take());
    // Both at once: either pipe may fill up.
    let (sent, said) = std::thread::scope(|scope| {
        let said = std::thread::Builder::new().spawn_scoped(scope, || {
            let mut said = Vec::new();
            let _ = errors.map(|mut errors| errors.read_to_end(&mut said));
            said
        });
        let sent =
            pipe.map_or(Ok(()), |mut to| pictures.iter().try_for_each(|p| to.write_all(&fs::read(p)?)));
        (sent, said.map_or_else(|_| Vec::new(), |said| said.join().unwrap_or_default()))
    });
    let status = ffmpeg.wait()?;
    if !status.success() {
        let said = String::from_utf8_lossy(&said);
        let last = said.lines().last().map_or(String::new(), |line| format!(": {}", printable(line)));
        return Err(io::Error::other(format!("ffmpeg ended with {status}{last}")));
    }
    sent.and_then(|()| new.keep())
}
