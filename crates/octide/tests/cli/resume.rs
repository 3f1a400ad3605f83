//! Interrupted and resumed runs give the same bytes as uninterrupted ones, whatever happens in between.

mod changes;
mod damage;
mod disk;
mod disturbed;
mod kills;

use crate::threads::steps;
use crate::{Dir, Done};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A tank with everything that a state can contain: particles and spray, a moving inflow, an outflow, an open side,
/// a moving body, bodies of water with a volume correction each, probes.
const ALL: &str = r#"octide = 1
name = "all"
resolution = 16

[domain]
size = [1.0, 0.5, 1.0]
coarsest = 2
open = ["+z"]

[time]
frames = 24
fps = 40

[[liquid]]
shape.box = { min = [0, 0, 0], max = [1, 0.12, 0.7] }

[[liquid]]
shape.sphere = { center = [0.4, 0.35, 0.4], radius = 0.1 }
velocity = [0.5, -2.0, 0.3]

[[solid]]
shape.sphere = { center = [0.7, 0.15, 0.5], radius = 0.13 }
motion = { oscillation = { amplitude = [0.1, 0.05, 0.0], period = 0.5 } }

[[inflow]]
shape.box = { min = [0, 0.3, 0.4], max = [0.125, 0.425, 0.6] }
velocity = [1.5, 0, 0]
motion = { oscillation = { amplitude = [0.0, 0.03, 0.1], period = 0.4 } }
start = 0.1

[[outflow]]
shape.box = { min = [0.875, 0, 0], max = [1, 0.0625, 0.5] }

[[probe]]
name = "wave"
gauge = { x = 0.25, z = 0.5 }

[[probe]]
name = "all"
whole = true

[numerics]
particles = "band"
volume_correction = "regional"

[output]
preview_size = [32, 18]
cells = true
volume = true
"#;

/// Creates a folder with the scene `all.toml`.
fn with_scene(name: &str) -> Dir {
    let dir = Dir::new(name);
    fs::write(dir.path("all.toml"), ALL).unwrap();
    dir
}

/// Returns the arguments of a run of `all.toml` into `out`.
fn args<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["run", "all.toml", "--out", out][..], more].concat()
}

impl Dir {
    fn run(&self, out: &str, more: &[&str]) -> Done {
        self.octide(&args(out, more))
    }

    /// Returns the files of a run by name; statistics without the times that steps took.
    fn outputs(&self, out: &str) -> BTreeMap<String, Vec<u8>> {
        let is_result = |f: &str| f != "octide.log" && !f.starts_with("checkpoints/");
        let of_run = |f: String| f.strip_prefix(&format!("{out}/")).map(str::to_owned);
        let mut all = BTreeMap::new();
        for file in self.files().into_iter().filter_map(of_run).filter(|f| is_result(f)) {
            let mut bytes = fs::read(self.path(out).join(&file)).unwrap();
            if file == "stats.jsonl" {
                bytes = format!("{:#?}", steps(&String::from_utf8(bytes).unwrap())).into_bytes();
            }
            all.insert(file, bytes);
        }
        all
    }

    /// Checks that two runs left the same files.
    #[track_caller]
    fn assert_same(&self, a: &str, b: &str) {
        let (first, second) = (self.outputs(a), self.outputs(b));
        let names = |o: &BTreeMap<String, Vec<u8>>| o.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&first), names(&second));
        for (name, bytes) in &first {
            assert!(*bytes == second[name], "{name} differs between {a} and {b}");
        }
        assert!(first.len() > 8, "{:?}", names(&first));
    }

    /// Returns the checkpoints of a run, the newest last.
    fn checkpoints(&self, out: &str) -> Vec<String> {
        let folder = format!("{out}/checkpoints/");
        self.files().into_iter().filter(|f| f.starts_with(&folder)).collect()
    }
}

/// Copies a folder.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

#[test]
fn a_restart_of_a_restart_gives_the_same_bytes_on_any_number_of_threads() {
    let dir = with_scene("restart");
    dir.run("whole", &["--threads", "2"]).expect(0);
    dir.run("cold", &["--threads", "7", "--checkpoint-every", "never"]).expect(0);
    dir.assert_same("whole", "cold");
    assert!(dir.checkpoints("cold").is_empty());

    dir.run("parts", &["--frames", "5", "--threads", "1"]).expect(0);
    let first = dir.run("parts", &["--frames", "11", "--resume", "--threads", "3"]).expect(0);
    first.tells(&["resuming from parts/checkpoints/"]);
    dir.run("parts", &["--resume", "--threads", "2"]).expect(0);
    dir.assert_same("whole", "parts");

    // Nothing is left to do, and nothing is done.
    let before = dir.outputs("parts");
    dir.run("parts", &["--resume"]).expect(0).tells(&["all frames are complete"]);
    dir.run("parts", &["--resume", "--frames", "3"]).expect(0).tells(&["all frames are complete"]);
    assert!(dir.outputs("parts") == before);
    // Everything that a state can contain occurred.
    let scene = fs::read_to_string(dir.path("whole/stats.jsonl")).unwrap();
    let last: serde_json::Value = serde_json::from_str(scene.lines().last().unwrap()).unwrap();
    for key in ["volume_in", "volume_out", "particles"] {
        assert!(last[key].as_f64().unwrap() > 0.0, "{key}: {last}");
    }
}
