//! Runs that fail keep the results that they have.

use crate::Dir;
use std::fs;

#[test]
fn a_simulation_that_fails_is_code_3_and_keeps_its_frames() {
    let dir = Dir::new("simulation");
    let done = dir.small("a", &["--set", "numerics.max_volume_drift=1e-12"]).expect(3);
    let done = done.tells(&["error: the simulation failed at ", "volume", "shorter steps", " in a"]);
    let done = done.tells(&["the last checkpoint is a/checkpoints/0000000", ".octide; use --resume"]);
    assert!(dir.path("a/surface/0000.ply").is_file() && dir.path("a/preview.png").is_file());
    assert!(!dir.path("a/surface/0002.ply").exists());
    let log = fs::read_to_string(dir.path("a/octide.log")).unwrap();
    let error = done.err().lines().find(|l| l.starts_with("error: ")).unwrap().to_owned();
    assert!(log.contains(&error), "{log}");
}

/// Whatever the method, the message says where the fluid is too fast.
#[test]
fn a_flow_that_no_step_is_short_enough_for_is_told_with_its_place() {
    let dir = Dir::new("too-fast");
    for method in octide_methods::NAMES {
        let wild =
            dir.small(method, &["--method", method, "--set", "liquid.1.velocity=[0,-1e6,0]"]).expect(3);
        let kept = format!("frame 0 is in {method}");
        wild.tells(&["failed at 0.000000 s, before a step: the flow near [0.", "s long", &kept])
            .tells(&["what most likely helps: Lower the velocity of `liquid.1`"]);
    }
    let jet = "octide = 1
        resolution = 16
        domain = { size = [1, 1, 1] }
        [[smoke]]
        shape.sphere = { center = [0.5, 0.3, 0.5], radius = 0.2 }
        velocity = [0, 1e6, 0]";
    fs::write(dir.path("jet.toml"), jet).unwrap();
    for method in octide_methods::ALL.iter().filter(|m| m.abilities.smoke.is_some()) {
        let args =
            ["run", "jet.toml", "--no-pictures", "--overwrite", "--out", "jet", "--method", method.name()];
        dir.octide(&args).expect(3).tells(&["before a step: the flow near [0."]);
    }
}

/// Every kind of failure is reported with its stage, and with its position if it has one.
#[test]
fn trouble_is_told_with_stage_and_place() {
    let dir = Dir::new("trouble");
    let solve = ["--set", "numerics.max_iterations=1", "--set", "numerics.tolerance=1e-12"];
    let solve = dir.small("b", &solve).expect(3);
    solve.tells(&[
        "the pressure solve failed near [0.",
        "]: not converged after 1 iterations",
        "shorter steps down to",
        "what most likely helps: Raise `numerics.max_iterations`, now 1, or raise `numerics.tolerance`",
    ]);
    let tight = dir.small("c", &["--set", "numerics.max_volume_drift=1e-9"]).expect(3);
    tight.tells(&[
        "the liquid's volume drifted by ",
        " %, past the limit of 0.000000100 %",
        "`numerics.max_volume_drift`",
    ]);
}

/// Volume drifts past a limit, shorter steps help for a while, and then no longer.
#[test]
fn shortened_steps_are_told_once_and_counted() {
    let dir = Dir::new("shortened");
    let told: Vec<String> = ["0.003", "0.006", "0.005"]
        .iter()
        .map(|limit| {
            let drift = format!("numerics.max_volume_drift={limit}");
            let args = ["run", "dam-break", "--resolution", "32", "--frames", "12", "--no-pictures"];
            let global = "numerics.volume_correction=global";
            dir.octide(&[&args[..], &["--out", limit, "--set", &drift, "--set", global]].concat()).err()
        })
        .filter(|told| told.contains("had to be shortened"))
        .collect();
    assert!(!told.is_empty(), "none of the limits shortens a step: choose others");
    for text in told {
        assert_eq!(text.matches("warning: step ").count(), 1, "{text}");
        assert!(text.contains("further steps shortened for this reason are only counted"), "{text}");
    }
}

#[test]
fn a_disk_that_refuses_is_code_5() {
    let dir = Dir::new("disk");
    fs::create_dir(dir.path("a")).unwrap();
    fs::write(dir.path("a/scene.toml"), "").unwrap();
    // Someone's file has the name of the folder of surfaces.
    fs::write(dir.path("a/surface"), "mine").unwrap();
    dir.small("a", &["--overwrite"]).expect(5).tells(&["error: cannot", "surface"]);
    assert_eq!(fs::read_to_string(dir.path("a/surface")).unwrap(), "mine");
    fs::create_dir(dir.path("b")).unwrap();
    fs::write(dir.path("b/scene.toml"), "").unwrap();
    fs::write(dir.path("b/volume"), "mine").unwrap();
    dir.small("b", &["--overwrite", "--set", "output.volume=true"])
        .expect(5)
        .tells(&["error: cannot", "volume"]);
    assert_eq!(fs::read_to_string(dir.path("b/volume")).unwrap(), "mine");
}

/// A lid that comes down on water in a closed tank: the drift is reported once before it ends the run.
#[test]
fn a_drift_beyond_5_percent_is_a_warning_before_it_is_the_end() {
    let dir = Dir::new("drift");
    let scene = "octide = 1\nmethod = \"octree\"\nresolution = 16\n[domain]\nsize = [1, 1, 1]\n\
        [time]\nframes = 24\nfps = 24\n[output]\npreview = false\n\
        [[liquid]]\nshape.box = { min = [0, 0, 0], max = [1, 0.7, 1] }\n\
        [[solid]]\nshape.box = { min = [-1, 0.8, -1], max = [2, 3, 2] }\n\
        motion.keyframes = [{ time = 0, position = [0, 0, 0] }, { time = 1, position = [0, -0.7, 0] }]\n";
    std::fs::write(dir.path("lid.toml"), scene).unwrap();
    let done = dir.octide(&["run", "lid.toml", "--out", "run"]).expect(3);
    let said = done.out() + &done.err();
    assert_eq!(said.matches("the liquid's volume has drifted by").count(), 1, "{said}");
    assert!(said.contains("the run ends at 20.0 %"), "{said}");
    let log = std::fs::read_to_string(dir.path("run/octide.log")).unwrap();
    assert!(log.contains("warning: the liquid's volume has drifted by"), "{log}");
}
