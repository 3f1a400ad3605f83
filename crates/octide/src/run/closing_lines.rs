//! What a run says when it ends.

use super::Run;
use crate::text::duration;
use octide_io::printable;

impl Run<'_> {
    pub(super) fn done(&self) -> String {
        let root = printable(self.dir.root());
        let took = duration(self.start.elapsed().as_secs_f64());
        let n = self.at.next_frame;
        let what = if self.pictures().is_empty() {
            let [what, folder] =
                if self.scene.is_smoke() { ["volumes", "volume"] } else { ["surfaces", "surface"] };
            format!("{what} in {}", printable(&self.dir.root().join(folder)))
        } else {
            format!("open {} in a browser to see the animation", printable(&self.dir.animation_file()))
        };
        let warnings = self.at.warnings.summary().map_or(String::new(), |w| format!(", {w}"));
        format!("done: {n} frames, {} steps in {took}{warnings}, written to {root}; {what}", self.at.n_steps)
    }

    pub(super) fn kept_files(&self) -> String {
        let root = printable(self.dir.root());
        let written = self.at.next_frame;
        let frames = match (written, self.checkpoints.frames().count_complete(&self.dir, written)) {
            _ if !self.dir.root().is_dir() => format!("{root} has been removed, with all frames in it"),
            (0, _) => format!("no frame was written; {root} contains the scene and the log"),
            (1, 1) => format!("frame 0 is in {root}"),
            (n, complete) if n == complete => format!("frames 0 to {} are in {root}", n - 1),
            (n, 0) => format!("{n} frames were written, and all have been removed from {root}"),
            (n, complete) => format!(
                "{n} frames were written; {complete} of them are complete in {root}, and files of the others have been removed"
            ),
        };
        let warnings = self.at.warnings.summary().map_or(String::new(), |w| format!("; {w}"));
        let state = match self.checkpoints.last().filter(|path| path.is_file()) {
            Some(path) => {
                format!("the last checkpoint is {}; use --resume to continue from it", printable(&path))
            }
            None => "there is no checkpoint to continue from".to_owned(),
        };
        format!("{frames}{warnings}\n{state}")
    }
}
