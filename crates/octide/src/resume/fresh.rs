//! Folders without a checkpoint: the run starts anew if the folder belongs to its scene.

use super::{Start, changes};
use crate::errors::Failure;
use octide_core::scene::Scene;
use octide_io::printable;
use octide_io::run_dir::RunDir;
use octide_io::scene_file::differences;
use std::fs;

/// Starts a run anew; `identity` is that of the scene.
pub fn start(dir: &RunDir, scene: &Scene, identity: &str, force: bool) -> Result<Start, Failure> {
    let mut start = Start::fresh(dir);
    if !dir.scene_file().is_file() {
        return Ok(start);
    }
    let different = fs::read_to_string(dir.scene_file()).ok().and_then(|was| differences(&was, identity));
    match different {
        Some(different) if different.is_empty() => refuse_later_frames(dir, scene)?,
        _ if force => start.clears_folder = true,
        Some(different) => return Err(changes::refusal(dir, &different)),
        None => {
            let file = dir.scene_file();
            return Err(Failure::Input(format!(
                "cannot read {}, so this may be the folder of another scene; use --force to start a new run in it anyway",
                printable(&file)
            )));
        }
    }
    start.notes.push("no checkpoint found; starting a new run".to_owned());
    Ok(start)
}

/// Refuses a folder with more frames than the run will have: they would be left behind, and removing them may
/// not be what the user wants.
fn refuse_later_frames(dir: &RunDir, scene: &Scene) -> Result<(), Failure> {
    let frames = u64::from(scene.time.frames);
    match dir.last_frame() {
        Some(last) if last > frames => Err(Failure::Input(format!(
            "there is no checkpoint in {}, and its frames go up to {last}; a new run of {frames} frames would leave the \
             others behind: use --frames {last} or more, or --overwrite to remove them all",
            printable(dir.root())
        ))),
        _ => Ok(()),
    }
}
