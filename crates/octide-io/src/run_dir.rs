//! The folder of a run and the names of the files in it.
//!
//! A folder with a `scene.toml` is the folder of a run. Files that Octide did not write are never removed.
//! The folder itself may be a link, which is followed once; its subfolders may not (see [`crate::files`]).

use crate::atomic::write_atomic;
use crate::file_error::DiskError;
use crate::files;
use crate::printable::printable;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Subfolders with a file per frame, and the extension of those files.
const FRAME_FOLDERS: &[(&str, &str)] =
    &[("surface", "ply"), ("cells", "ply"), ("particles", "ply"), ("volume", "vdb"), ("preview", "png")];

/// The folder of checkpoints, and their extension.
const CHECKPOINTS: (&str, &str) = ("checkpoints", "octide");

/// Files directly in the folder of a run.
const FILES: &[&str] =
    &["stats.jsonl", "frames.csv", "preview.png", "preview.mp4", "probes.csv", "octide.log", "scene.toml"];

/// Those that a resumed run continues; it writes the others anew.
const CONTINUED_FILES: &[&str] = &["stats.jsonl", "frames.csv", "probes.csv", "octide.log"];

/// What to do if the folder exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Existing {
    /// Refuse to run.
    #[default]
    Refuse,
    /// Remove the files of the earlier run.
    Overwrite,
    /// Continue the earlier run.
    Resume,
}

/// Why the folder of a run cannot be created.
#[derive(Debug, Error)]
pub enum RunDirError {
    /// It exists and must not be overwritten.
    #[error("{} exists; use --resume to continue that run, --overwrite to replace it, or choose another --out", printable(.0))]
    Exists(PathBuf),
    /// The path is a file.
    #[error("{} is a file, not a folder; choose another --out", printable(.0))]
    NotAFolder(PathBuf),
    /// The folder does not belong to a run, so it is left alone.
    #[error("{} is not the folder of an octide run (there is no scene.toml in it), so it is not overwritten; choose another --out", printable(.0))]
    NotARun(PathBuf),
    /// A subfolder, or a file that would be continued, is a link, through which files elsewhere would be written.
    #[error("{} is a link, and octide writes through no link; put what it leads to in its place, or choose another --out (which may itself be a link)", printable(.0))]
    Link(PathBuf),
    /// It cannot be created or written to.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

/// The folder of a run.
#[derive(Clone, Debug)]
pub struct RunDir {
    root: PathBuf,
    first_frame: u32,
}

impl RunDir {
    /// Creates the folder `out`; `existing` says what to do if it exists. Files are numbered from
    /// `first_frame`.
    pub fn create(out: &Path, existing: Existing, first_frame: u32) -> Result<Self, RunDirError> {
        let dir = Self { root: resolve(out)?, first_frame };
        match fs::metadata(out) {
            Ok(meta) if !meta.is_dir() => return Err(RunDirError::NotAFolder(out.to_owned())),
            Ok(_) => {
                let is_empty = fs::read_dir(out)
                    .map_err(|e| DiskError::new("read", out, e))?
                    .all(|e| e.is_ok_and(|e| is_first_file(&e.file_name().to_string_lossy())));
                match existing {
                    _ if is_empty => {}
                    Existing::Refuse => return Err(RunDirError::Exists(out.to_owned())),
                    _ if !dir.scene_file().is_file() => return Err(RunDirError::NotARun(out.to_owned())),
                    Existing::Overwrite => {
                        // All of them, before anything is removed.
                        dir.refuse_links(&[])?;
                        dir.clear()?;
                    }
                    Existing::Resume => dir.refuse_links(CONTINUED_FILES)?,
                }
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                files::make_folder(out)?;
            }
            Err(e) => return Err(DiskError::new("read", out, e).into()),
        }
        // Rather now than after the first frame.
        files::check_writable(&dir.root)?;
        Ok(dir)
    }

    /// Creates the first of the folders `<runs>/<scene>-001`, `-002` and so on that does not exist.
    pub fn create_next(runs: &Path, scene: &str, first_frame: u32) -> Result<Self, RunDirError> {
        let runs = &resolve(runs)?;
        files::make_folder(runs)?;
        let mut number = last_number(runs, scene) + 1;
        loop {
            let root = runs.join(format!("{scene}-{number:03}"));
            match files::make_new_folder(&root) {
                Ok(()) => {
                    files::check_writable(&root)?;
                    return Ok(Self { root, first_frame });
                }
                // Another run took the number at the same moment.
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(e) => return Err(DiskError::new("create the folder", &root, e).into()),
            }
        }
    }

    /// Opens the folder of a run without creating anything.
    pub fn open(root: &Path, first_frame: u32) -> Result<Self, RunDirError> {
        let dir = Self { root: resolve(root)?, first_frame };
        if dir.scene_file().is_file() { Ok(dir) } else { Err(RunDirError::NotARun(root.to_owned())) }
    }

    /// Returns the path of the folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the path of the scene file, with all defaults.
    pub fn scene_file(&self) -> PathBuf {
        self.root.join("scene.toml")
    }

    /// Returns the path of the statistics of all steps.
    pub fn stats_file(&self) -> PathBuf {
        self.root.join("stats.jsonl")
    }

    /// Returns the path of the volumes of all frames.
    pub fn frames_file(&self) -> PathBuf {
        self.root.join("frames.csv")
    }

    /// Returns the path of the values of all probes at all steps.
    pub fn probes_file(&self) -> PathBuf {
        self.root.join("probes.csv")
    }

    /// Returns the path of the log of the run.
    pub fn log_file(&self) -> PathBuf {
        self.root.join("octide.log")
    }

    /// Returns the path of the surface of a frame, counted from 0.
    pub fn surface_file(&self, frame: u32) -> PathBuf {
        self.frame_file("surface", frame, "ply")
    }

    /// Returns the sorted numbers of the frames, counted from 0, whose surface file exists.
    pub fn surface_frames(&self) -> Result<Vec<u32>, DiskError> {
        let folder = self.root.join("surface");
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(e) => return Err(DiskError::new("read", &folder, e)),
        };
        let mut frames = Vec::new();
        for entry in entries {
            let name = entry.map_err(|e| DiskError::new("read", &folder, e))?.file_name();
            let name = name.to_string_lossy();
            if is_frame_file(&name, "ply")
                && let Some(Ok(number)) = name.strip_suffix(".ply").map(str::parse::<u32>)
                && number >= self.first_frame
            {
                frames.push(number - self.first_frame);
            }
        }
        frames.sort_unstable();
        Ok(frames)
    }

    /// Returns the path of the cells of a frame, counted from 0.
    pub fn cells_file(&self, frame: u32) -> PathBuf {
        self.frame_file("cells", frame, "ply")
    }

    /// Returns the path of the particles of a frame, counted from 0.
    pub fn particles_file(&self, frame: u32) -> PathBuf {
        self.frame_file("particles", frame, "ply")
    }

    /// Returns the path of the volume of a frame, counted from 0.
    pub fn volume_file(&self, frame: u32) -> PathBuf {
        self.frame_file("volume", frame, "vdb")
    }

    /// Returns the path of the picture of a frame, counted from 0.
    pub fn preview_file(&self, frame: u32) -> PathBuf {
        self.frame_file("preview", frame, "png")
    }

    /// Returns the path of the animation of all frames.
    pub fn animation_file(&self) -> PathBuf {
        self.root.join("preview.png")
    }

    /// Creates the folder of a file.
    pub fn prepare(&self, file: &Path) -> Result<(), DiskError> {
        files::make_folder(file.parent().unwrap_or(&self.root))
    }

    /// Writes the scene file.
    pub fn write_scene(&self, text: &str) -> Result<(), DiskError> {
        write_atomic(&self.scene_file(), |out| out.write_all(text.as_bytes()))
    }

    /// Returns the path of the folder of checkpoints.
    pub fn checkpoints(&self) -> PathBuf {
        self.root.join(CHECKPOINTS.0)
    }

    /// Removes the files of frames from `frame` on, counted from 0.
    pub fn remove_frames_from(&self, frame: u32) -> Result<(), DiskError> {
        let first = u64::from(self.first_frame) + u64::from(frame);
        for (folder, extension) in FRAME_FOLDERS {
            let is_late = |name: &str| {
                let number = name.split('.').next().and_then(|n| n.parse::<u64>().ok());
                is_frame_file(name, extension) && number.is_some_and(|n| n >= first)
            };
            files::remove_files(&self.root.join(folder), is_late)?;
        }
        Ok(())
    }

    /// Returns the last frame, counted from 0, that any file belongs to.
    pub fn last_frame(&self) -> Option<u64> {
        let mut last = None;
        for (folder, extension) in FRAME_FOLDERS {
            let Ok(entries) = fs::read_dir(self.root.join(folder)) else { continue };
            let names = entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned());
            let numbers = names
                .filter(|name| files::final_name(name).is_none() && is_frame_file(name, extension))
                .filter_map(|name| name.split('.').next().and_then(|n| n.parse::<u64>().ok()));
            last = last.max(numbers.max());
        }
        last.map(|number| number.saturating_sub(self.first_frame.into()))
    }

    /// Removes temporary files of a run that was killed.
    pub fn remove_leftovers(&self) -> Result<(), DiskError> {
        for (folder, extension) in FRAME_FOLDERS.iter().chain([&CHECKPOINTS]) {
            let is_left = |name: &str| files::final_name(name).is_some() && is_frame_file(name, extension);
            files::remove_files(&self.root.join(folder), is_left)?;
        }
        files::remove_files(&self.root, |name| {
            files::is_probe(name) || files::final_name(name).is_some_and(|n| FILES.contains(&n))
        })
    }

    fn frame_file(&self, folder: &str, frame: u32, extension: &str) -> PathBuf {
        let number = u64::from(self.first_frame) + u64::from(frame);
        self.root.join(folder).join(format!("{number:04}.{extension}"))
    }

    /// Returns an error if a subfolder or one of these files is a link.
    fn refuse_links(&self, files: &[&str]) -> Result<(), RunDirError> {
        let folders = FRAME_FOLDERS.iter().chain([&CHECKPOINTS]).map(|(name, _)| name);
        let mut paths = folders.chain(files).map(|name| self.root.join(name));
        paths.find(|path| files::is_a_link(path)).map_or(Ok(()), |link| Err(RunDirError::Link(link)))
    }

    /// Removes the files that a run writes and nothing else. The scene file is removed last, so that the
    /// folder still counts as that of a run if something fails before.
    pub fn clear(&self) -> Result<(), DiskError> {
        for (folder, extension) in FRAME_FOLDERS.iter().chain([&CHECKPOINTS]) {
            let folder = self.root.join(folder);
            files::remove_files(&folder, |name| is_frame_file(name, extension))?;
            files::remove_empty_folder(&folder);
        }
        FILES.iter().try_for_each(|file| files::remove_file(&self.root.join(file)))
    }
}

/// Follows a link that the user named.
fn resolve(folder: &Path) -> Result<PathBuf, DiskError> {
    files::resolve_folder(folder).map_err(|e| DiskError::new("read", folder, e))
}

/// Returns whether a run leaves such a file behind if it is killed before it writes its scene.
fn is_first_file(name: &str) -> bool {
    files::is_probe(name) || files::final_name(name) == Some("scene.toml")
}

/// Matches `0012.ply`, or a temporary file of it.
fn is_frame_file(name: &str, extension: &str) -> bool {
    let whole = files::final_name(name).unwrap_or(name);
    let digits = whole.strip_suffix(extension).and_then(|n| n.strip_suffix('.'));
    digits.is_some_and(|d| d.len() >= 4 && d.bytes().all(|b| b.is_ascii_digit()))
}

/// Returns the largest number of a folder `<scene>-<number>` in `runs`, or 0.
fn last_number(runs: &Path, scene: &str) -> u32 {
    let Ok(entries) = fs::read_dir(runs) else { return 0 };
    entries
        .flatten()
        .filter_map(|e| e.file_name().to_str()?.strip_prefix(scene)?.strip_prefix('-')?.parse::<u32>().ok())
        .max()
        .unwrap_or(0)
        // Leaves space for further numbers.
        .min(u32::MAX / 2)
}
