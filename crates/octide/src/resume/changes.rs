//! What has changed between the scene of a checkpoint and the current one, and whether a run can continue with it.

use crate::checkpoints::Position;
use crate::errors::Failure;
use octide_core::scene::Scene;
use octide_io::printable;
use octide_io::run_dir::RunDir;
use octide_io::scene_file::Difference;

/// Keys that say which frame is at which time and in which file. The frames that are there follow the old
/// values, so no run can continue with others.
const NUMBERING: [&str; 2] = ["time.fps", "output.first_frame"];

/// Keys that pictures depend on and nothing else.
const PICTURES: [&str; 3] = ["output.view", "output.preview_size", "camera"];

/// Returns an error if the run cannot continue with these changes.
pub fn check(
    dir: &RunDir,
    scene: &Scene,
    position: &Position,
    changes: &[Difference],
    force: bool,
) -> Result<(), Failure> {
    if changes.is_empty() {
        return Ok(());
    }
    let root = printable(dir.root());
    let fixed: Vec<Difference> =
        changes.iter().filter(|c| NUMBERING.contains(&c.key.as_str())).cloned().collect();
    if !fixed.is_empty() {
        return Err(Failure::Input(format!(
            "the run in {root} cannot continue with this change, not even by --force:\n{}\n\
             its frames are numbered and timed by the old value; keep that, choose another --out, or start again \
             with --overwrite",
            list(&fixed)
        )));
    }
    if !force {
        return Err(refusal(dir, changes));
    }
    let has_table = position.probes.length > 0 && dir.probes_file().exists();
    if has_table && !scene.probes.is_empty() && changes.iter().any(is_of_probes) {
        let file = dir.probes_file();
        return Err(Failure::Input(format!(
            "the probes have changed, and {} has the values of the old ones, which a table of the new ones would \
             replace:\n{}\nkeep the probes, or move that file away, and the run starts a new table",
            printable(&file),
            list(&changes.iter().filter(|c| is_of_probes(c)).cloned().collect::<Vec<_>>())
        )));
    }
    Ok(())
}

/// Returns whether pictures, and only they, depend on a key.
pub fn is_of_pictures(change: &Difference) -> bool {
    PICTURES.iter().any(|key| is_below(&change.key, key))
}

fn is_of_probes(change: &Difference) -> bool {
    is_below(&change.key, "probe")
}

/// Returns whether a key is `section` or below it.
fn is_below(key: &str, section: &str) -> bool {
    key.strip_prefix(section).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The refusal of a changed scene.
pub fn refusal(dir: &RunDir, changes: &[Difference]) -> Failure {
    Failure::Input(format!(
        "the run in {} has a different scene:\n{}\nundo the changes, resume with them by --force, or choose another --out",
        printable(dir.root()),
        list(changes)
    ))
}

/// Lists changes, one per line.
pub fn list(changes: &[Difference]) -> String {
    changes.iter().map(|d| format!("  {d}")).collect::<Vec<_>>().join("\n")
}
