//! The folder of a run and the names of the files in it.
//!
//! A folder with a `scene.toml` is the folder of a run. Files that Octide did not write are never removed.

use crate::atomic::write_atomic;
use crate::file_error::DiskError;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Subfolders with a file per frame, and the extension of those files.
const FRAME_FOLDERS: &[(&str, &str)] =
    &[("surface", "ply"), ("cells", "ply"), ("particles", "ply"), ("volume", "vdb"), ("preview", "png")];

/// The folder of checkpoints, and their extension.
const CHECKPOINTS: (&str, &str) = ("checkpoints", "octide");

/// Files that a run may leave behind if it is killed before it writes its scene.
const FIRST_FILES: &[&str] = &[PROBE, ".scene.toml.part"];

/// A file that is created to test whether the folder is writable.
const PROBE: &str = ".octide-probe.part";

/// Files directly in the folder of a run.
const FILES: &[&str] =
    &["stats.jsonl", "preview.png", "preview.mp4", "probes.csv", "octide.log", "scene.toml"];

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
    #[error("{} exists; use --resume to continue that run, --overwrite to replace it, or choose another --out", .0.display())]
    Exists(PathBuf),
    /// The path is a file.
    #[error("{} is a file, not a folder; choose another --out", .0.display())]
    NotAFolder(PathBuf),
    /// The folder does not belong to a run, so it is left alone.
    #[error("{} is not the folder of an octide run (there is no scene.toml in it), so it is not overwritten; choose another --out", .0.display())]
    NotARun(PathBuf),
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
        let dir = Self { root: out.to_owned(), first_frame };
        match fs::metadata(out) {
            Ok(meta) if !meta.is_dir() => return Err(RunDirError::NotAFolder(out.to_owned())),
            Ok(_) => {
                let is_empty = fs::read_dir(out)
                    .map_err(|e| DiskError::new("read", out, e))?
                    .all(|e| e.is_ok_and(|e| FIRST_FILES.iter().any(|f| e.file_name() == *f)));
                match existing {
                    _ if is_empty => {}
                    Existing::Refuse => return Err(RunDirError::Exists(out.to_owned())),
                    _ if !dir.scene_file().is_file() => return Err(RunDirError::NotARun(out.to_owned())),
                    Existing::Overwrite => dir.clear()?,
                    Existing::Resume => {}
                }
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(out).map_err(|e| DiskError::new("create the folder", out, e))?;
            }
            Err(e) => return Err(DiskError::new("read", out, e).into()),
        }
        dir.check_writable()?;
        Ok(dir)
    }

    /// Creates the first of the folders `<runs>/<scene>-001`, `-002` and so on that does not exist.
    pub fn create_next(runs: &Path, scene: &str, first_frame: u32) -> Result<Self, RunDirError> {
        fs::create_dir_all(runs).map_err(|e| DiskError::new("create the folder", runs, e))?;
        let mut number = last_number(runs, scene) + 1;
        loop {
            let root = runs.join(format!("{scene}-{number:03}"));
            match fs::create_dir(&root) {
                Ok(()) => {
                    let dir = Self { root, first_frame };
                    dir.check_writable()?;
                    return Ok(dir);
                }
                // Another run took the number at the same moment.
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(e) => return Err(DiskError::new("create the folder", &root, e).into()),
            }
        }
    }

    /// Opens the folder of a run without creating anything.
    pub fn open(root: &Path, first_frame: u32) -> Result<Self, RunDirError> {
        let dir = Self { root: root.to_owned(), first_frame };
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
        let folder = file.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder).map_err(|e| DiskError::new("create the folder", folder, e))
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
            remove_where(&self.root.join(folder), is_late)?;
        }
        Ok(())
    }

    /// Removes temporary files of a run that was killed.
    pub fn remove_leftovers(&self) -> Result<(), DiskError> {
        for (folder, extension) in FRAME_FOLDERS.iter().chain([&CHECKPOINTS]) {
            let is_left = |name: &str| unfinished(name).is_some() && is_frame_file(name, extension);
            remove_where(&self.root.join(folder), is_left)?;
        }
        remove_where(&self.root, |name| name == PROBE || unfinished(name).is_some_and(|n| FILES.contains(&n)))
    }

    fn frame_file(&self, folder: &str, frame: u32, extension: &str) -> PathBuf {
        let number = u64::from(self.first_frame) + u64::from(frame);
        self.root.join(folder).join(format!("{number:04}.{extension}"))
    }

    /// Returns an error if files cannot be created, rather than failing after the first frame.
    fn check_writable(&self) -> Result<(), DiskError> {
        let probe = self.root.join(PROBE);
        fs::write(&probe, b"")
            .and_then(|()| fs::remove_file(&probe))
            .map_err(|e| DiskError::new("write to", &self.root, e))
    }

    /// Removes the files that a run writes and nothing else. The scene file is removed last, so that the
    /// folder still counts as that of a run if something fails before.
    fn clear(&self) -> Result<(), DiskError> {
        for (folder, extension) in FRAME_FOLDERS.iter().chain([&CHECKPOINTS]) {
            let folder = self.root.join(folder);
            remove_where(&folder, |name| is_frame_file(name, extension))?;
            // Fails if the folder contains other files, which then stay.
            let _ = fs::remove_dir(&folder);
        }
        for file in FILES {
            let file = self.root.join(file);
            if file.is_file() {
                remove(&file)?;
            }
        }
        Ok(())
    }
}

/// Removes the files in a folder whose names match; the folder need not exist.
fn remove_where(folder: &Path, wanted: impl Fn(&str) -> bool) -> Result<(), DiskError> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    for entry in entries.flatten() {
        if wanted(&entry.file_name().to_string_lossy()) {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

fn remove(file: &Path) -> Result<(), DiskError> {
    fs::remove_file(file).map_err(|e| DiskError::new("remove", file, e))
}

/// Returns the final name of a temporary file such as `.0012.ply.part` or `0012.png.tmp`.
fn unfinished(name: &str) -> Option<&str> {
    name.strip_prefix('.').and_then(|n| n.strip_suffix(".part")).or_else(|| name.strip_suffix(".tmp"))
}

/// Matches `0012.ply`, or a temporary file of it.
fn is_frame_file(name: &str, extension: &str) -> bool {
    let whole = unfinished(name).unwrap_or(name);
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
