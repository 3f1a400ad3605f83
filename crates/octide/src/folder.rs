//! Creates the folder of a run, and lists the frames in one.

use crate::args::RunArgs;
use crate::errors::Failure;
use crate::lock::Lock;
use octide_core::scene::Scene;
use octide_io::run_dir::{Existing, RunDir, RunDirError};
use std::fs;
use std::path::Path;

/// The parent folder of runs without `--out`.
const DEFAULT_PARENT: &str = "runs";

/// Creates and locks the folder of a run, or opens the one to resume in. A folder that cannot be created is
/// an input error, unless the disk is full.
pub fn create(args: &RunArgs, scene: &Scene) -> Result<(RunDir, Lock), Failure> {
    let first_frame = scene.output.first_frame;
    // An existing folder is locked before anything in it is removed.
    let there = match args.out.as_deref().filter(|out| out.is_dir()) {
        Some(out) => Some(Lock::take(out)?),
        None => None,
    };
    let made = match &args.out {
        None => RunDir::create_next(Path::new(DEFAULT_PARENT), &scene.name, first_frame),
        Some(out) => {
            let existing = match (args.overwrite, args.resume) {
                (true, _) => Existing::Overwrite,
                (_, true) => Existing::Resume,
                _ => Existing::Refuse,
            };
            RunDir::create(out, existing, first_frame)
        }
    };
    let dir = made.map_err(|e| match e {
        RunDirError::Disk(full) if full.is_full() => full.into(),
        e => Failure::Input(e.to_string()),
    })?;
    let lock = match there {
        Some(lock) => lock,
        None => Lock::take(dir.root())?,
    };
    Ok((dir, lock))
}

/// Returns the sorted numbers of the files `NNNN.extension` in a folder; none if the folder does not exist.
pub fn numbers(folder: &Path, extension: &str) -> Vec<u32> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut numbers: Vec<u32> = entries
        .flatten()
        .filter_map(|e| {
            let name = e.file_name();
            let digits = name.to_str()?.strip_suffix(extension)?.strip_suffix('.')?;
            let plain = digits.len() >= 4 && digits.bytes().all(|b| b.is_ascii_digit());
            plain.then(|| digits.parse().ok())?
        })
        .collect();
    numbers.sort_unstable();
    numbers
}
