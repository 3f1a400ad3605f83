//! `--resume`: finds the newest checkpoint and compares its scene with the current one.

use crate::checkpoints::{Position, ResumeInfo};
use crate::errors::Failure;
use crate::methods;
use octide_core::scene::Scene;
use octide_io::checkpoint::{Checkpoints, Newest};
use octide_io::printable;
use octide_io::run_dir::RunDir;
use octide_io::scene_file::{Difference, differences, identity};
use octide_methods::Simulation;
use std::fs;

/// How a run starts: anew or from a checkpoint.
pub struct Start {
    /// The state to resume from and the progress of the run; none for a new run.
    pub from: Option<(Simulation, Position)>,
    /// The checkpoints in the folder.
    pub checkpoints: Checkpoints,
    /// Lines for the user.
    pub notes: Vec<String>,
}

impl Start {
    /// A new run.
    pub fn fresh(dir: &RunDir) -> Self {
        Self { from: None, checkpoints: Checkpoints::of(dir.checkpoints()), notes: Vec::new() }
    }
}

/// Finds the newest undamaged checkpoint in a folder. Refuses a changed scene unless `force`.
pub fn find(dir: &RunDir, scene: &Scene, force: bool) -> Result<Start, Failure> {
    let is = identity(scene);
    let mut start = Start::fresh(dir);
    let mut changes = None;
    let Newest { found, damaged } = start.checkpoints.newest(|mut snapshot| {
        let info = ResumeInfo::take(&mut snapshot).map_err(|e| e.to_string())?;
        let different = differences(&info.scene, &is).ok_or("its scene is unreadable")?;
        if !different.is_empty() && !force {
            return Ok((info, Err(refusal(dir, &different))));
        }
        // If the scene has changed, older checkpoints would not fit it either.
        let method = match methods::load(scene, &mut snapshot) {
            Ok(method) => Ok(Simulation::new(method, scene.time.fps)),
            Err(e) if different.is_empty() => return Err(e),
            Err(e) => Err(Failure::Input(format!("the checkpoint does not fit the changed scene: {e}"))),
        };
        changes = Some(different);
        Ok((info, method))
    })?;
    if let (None, Some(last)) = (&found, damaged.last()) {
        return Err(Failure::Input(format!(
            "no checkpoint in {} can be used: {last}; use --overwrite to start a new run",
            printable(&dir.checkpoints())
        )));
    }
    let Some((path, (info, method))) = found else {
        return Ok(Start { notes: start_without_checkpoint(dir, &is, force)?, ..start });
    };
    start.notes.extend(damaged.iter().map(|e| format!("warning: {e}; trying the previous checkpoint")));
    let position = info.position;
    start.notes.push(format!("resuming from {}, step {}", printable(&path), position.n_steps));
    if info.version != env!("CARGO_PKG_VERSION") {
        let version = printable(&info.version);
        start.notes.push(format!(
            "warning: the checkpoint was written by octide {version}; results may differ slightly from those of one version"
        ));
    }
    if let Some(changes) = changes.filter(|c| !c.is_empty()) {
        start.notes.push(format!("warning: the scene has changed since the checkpoint:\n{}", list(&changes)));
        // Later frames were simulated with the old scene.
        dir.remove_frames_from(position.next_frame)?;
    }
    start.from = Some((method?, position));
    Ok(start)
}

/// Handles a folder without checkpoints: the run starts anew if the scene is the one in the folder.
fn start_without_checkpoint(dir: &RunDir, is: &str, force: bool) -> Result<Vec<String>, Failure> {
    if !dir.scene_file().is_file() {
        return Ok(Vec::new());
    }
    let different = fs::read_to_string(dir.scene_file()).ok().and_then(|was| differences(&was, is));
    match different {
        Some(different) if different.is_empty() => {}
        _ if force => dir.remove_frames_from(0)?,
        Some(different) => return Err(refusal(dir, &different)),
        None => {
            let file = dir.scene_file();
            return Err(Failure::Input(format!(
                "cannot read {}, so this may be the folder of another scene; use --force to start a new run in it anyway",
                printable(&file)
            )));
        }
    }
    Ok(vec!["no checkpoint found; starting a new run".to_owned()])
}

fn refusal(dir: &RunDir, different: &[Difference]) -> Failure {
    Failure::Input(format!(
        "the run in {} has a different scene:\n{}\nundo the changes, resume with them by --force, or choose another --out",
        printable(&dir.root()),
        list(different)
    ))
}

fn list(different: &[Difference]) -> String {
    different.iter().map(|d| format!("  {d}")).collect::<Vec<_>>().join("\n")
}
