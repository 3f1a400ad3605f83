//! `--resume`: what there is to go on from, and whether it may be.

use crate::checkpoints::{Position, Told};
use crate::errors::Failure;
use crate::methods;
use octide_core::scene::Scene;
use octide_io::checkpoint::{Checkpoints, Newest};
use octide_io::run_dir::RunDir;
use octide_io::scene_file::{Difference, differences, identity};
use octide_methods::Simulation;
use std::fs;

/// How a run begins.
pub struct Start {
    /// The state to go on from, and where the run was; none from the start.
    pub from: Option<(Simulation, Position)>,
    /// The checkpoints of the folder.
    pub checkpoints: Checkpoints,
    /// What there is to tell.
    pub notes: Vec<String>,
}

impl Start {
    /// From the start.
    pub fn fresh(dir: &RunDir) -> Self {
        Self { from: None, checkpoints: Checkpoints::of(dir.checkpoints()), notes: Vec::new() }
    }
}

/// Looks for the newest state in a folder that is whole. A scene that has changed is refused unless `force`.
pub fn find(dir: &RunDir, scene: &Scene, force: bool) -> Result<Start, Failure> {
    let is = identity(scene);
    let mut start = Start::fresh(dir);
    let mut changes = None;
    let Newest { found, damaged } = start.checkpoints.newest(|mut snapshot| {
        let told = Told::take(&mut snapshot).map_err(|e| e.to_string())?;
        let different = differences(&told.scene, &is).ok_or("its scene cannot be read")?;
        if !different.is_empty() && !force {
            return Ok((told, Err(refusal(dir, &different))));
        }
        // A changed scene is not the checkpoint's fault: no older one would fit it.
        let method = match methods::load(scene, &mut snapshot) {
            Ok(method) => Ok(Simulation::new(method, scene.time.fps)),
            Err(e) if different.is_empty() => return Err(e),
            Err(e) => Err(Failure::Input(format!("the run cannot go on with the changed scene: {e}"))),
        };
        changes = Some(different);
        Ok((told, method))
    })?;
    if let (None, Some(last)) = (&found, damaged.last()) {
        return Err(Failure::Input(format!(
            "no checkpoint in {} can be used: {last}; start the run anew by --overwrite",
            dir.checkpoints().display()
        )));
    }
    let Some((path, (told, method))) = found else {
        return Ok(Start { notes: from_nothing(dir, &is, force)?, ..start });
    };
    start
        .notes
        .extend(damaged.iter().map(|e| format!("warning: {e}; going back to the checkpoint before it")));
    let position = told.position;
    start.notes.push(format!("going on from {}, step {}", path.display(), position.n_steps));
    if told.version != env!("CARGO_PKG_VERSION") {
        let version = told.version;
        start.notes.push(format!(
            "warning: the checkpoint is of octide {version}: what follows may differ in its digits"
        ));
    }
    if let Some(changes) = changes.filter(|c| !c.is_empty()) {
        start.notes.push(format!("warning: the scene has changed since\n{}", list(&changes)));
        // What the old scene has made of later frames is not part of this run.
        dir.remove_frames_from(position.next_frame)?;
    }
    start.from = Some((method?, position));
    Ok(start)
}

/// A folder without checkpoints: all begins anew, if the scene is the one that is there.
fn from_nothing(dir: &RunDir, is: &str, force: bool) -> Result<Vec<String>, Failure> {
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
                "{} cannot be read, so that this may be the folder of another scene; --force starts anew in it",
                file.display()
            )));
        }
    }
    Ok(vec!["there is no checkpoint yet: starting anew".to_owned()])
}

fn refusal(dir: &RunDir, different: &[Difference]) -> Failure {
    Failure::Input(format!(
        "the run in {} is of another scene:\n{}\nundo the changes, go on with them by --force, or choose another --out",
        dir.root().display(),
        list(different)
    ))
}

fn list(different: &[Difference]) -> String {
    different.iter().map(|d| format!("  {d}")).collect::<Vec<_>>().join("\n")
}
