//! Meshes from files: where they are searched, how they are written again, and messages about bad ones.

#![allow(clippy::unwrap_used, reason = "the lint lets tests unwrap, but not their helpers")]

use glam::DVec3;
use octide_core::scene::Scene;
use octide_io::scene_file::{LoadOptions, load_path, load_str, to_toml};
use std::fs;
use std::path::{Path, PathBuf};

/// A pyramid that stands on the floor.
const PYRAMID: &str =
    "v 0.2 0.1 0.2\nv 0.8 0.1 0.2\nv 0.5 0.1 0.8\nv 0.5 0.4 0.5\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n";

const SCENE: &str =
    "octide = 1\nresolution = 64\ndomain.size = [1, 0.5, 1]\n[[liquid]]\nshape.mesh = { path = \"PATH\" }\n";

fn folder(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("octide-meshes-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(dir.join("scene")).unwrap();
    fs::write(dir.join("outside.obj"), PYRAMID).unwrap();
    fs::write(dir.join("scene/inside.obj"), PYRAMID).unwrap();
    dir
}

fn load(dir: &Path, mesh: &str, sandbox: bool) -> Result<Scene, String> {
    let scene = dir.join("scene/scene.toml");
    fs::write(&scene, SCENE.replace("PATH", mesh)).unwrap();
    let options = LoadOptions { sandbox, ..LoadOptions::new(octide_methods::ABILITIES) };
    let loaded = load_path(&scene, &options).map_err(|e| e.to_string())?;
    assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
    Ok(loaded.scene)
}

#[test]
fn paths_start_at_the_scene_file_and_may_lead_anywhere() {
    let dir = folder("relative");
    let absolute = dir.join("outside.obj").display().to_string();
    for path in ["inside.obj", "../outside.obj", &absolute] {
        let scene = load(&dir, path, false).unwrap();
        assert!(scene.liquids[0].shape.distance(DVec3::new(0.5, 0.2, 0.5)) < 0.0);
        assert!(scene.liquids[0].shape.distance(DVec3::new(0.5, 0.45, 0.5)) > 0.04);
    }
}

#[test]
fn the_sandbox_holds_also_against_links_and_detours() {
    let dir = folder("sandbox");
    assert!(load(&dir, "inside.obj", true).is_ok());
    assert!(load(&dir, "../scene/inside.obj", true).is_ok());
    let mut ways_out = vec!["../outside.obj".to_owned(), dir.join("outside.obj").display().to_string()];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(dir.join("outside.obj"), dir.join("scene/link.obj")).unwrap();
        std::os::unix::fs::symlink(&dir, dir.join("scene/up")).unwrap();
        ways_out.extend(["link.obj".to_owned(), "up/outside.obj".to_owned()]);
        assert!(load(&dir, "link.obj", false).is_ok(), "the link itself is good");
    }
    for path in ways_out {
        let error = load(&dir, &path, true).unwrap_err();
        assert!(error.contains("which --sandbox forbids") && error.contains("scene.toml:5:23"), "{error}");
    }
}

#[test]
fn a_scene_written_as_run_finds_its_mesh_from_any_folder() {
    let dir = folder("as-run");
    let written = to_toml(&load(&dir, "inside.obj", false).unwrap());
    let elsewhere = std::env::temp_dir();
    let again =
        load_str(&written, "scene.toml", &elsewhere, &LoadOptions::new(octide_methods::ABILITIES)).unwrap();
    assert_eq!(to_toml(&again.scene), written);
}

#[test]
fn bad_meshes_are_told_with_their_own_words_and_the_scenes_place() {
    let dir = folder("bad");
    fs::write(dir.join("scene/empty.obj"), "# nothing\n").unwrap();
    fs::write(dir.join("scene/broken.obj"), "v 0 0 0\nv 1 0 0\nf 1 2 9\n").unwrap();
    fs::write(dir.join("scene/notes.txt"), "no mesh").unwrap();
    let told = [
        ("empty.obj", "empty.obj: the mesh has no faces"),
        ("broken.obj", "broken.obj, line 3: a face refers to vertex 9"),
        ("notes.txt", "notes.txt: unknown file format; convert the mesh to .obj, .ply or .stl"),
        (".", "unknown file format"),
        ("none.obj", "cannot read the mesh"),
    ];
    for (file, what) in told {
        let error = load(&dir, file, false).unwrap_err();
        assert!(error.contains(what) && error.contains("scene.toml:5:23"), "{error}");
    }
}

#[test]
fn holes_are_a_warning() {
    let dir = folder("holes");
    fs::write(dir.join("scene/open.obj"), PYRAMID.replace("f 3 4 1\n", "")).unwrap();
    let scene = dir.join("scene/scene.toml");
    fs::write(&scene, SCENE.replace("PATH", "open.obj")).unwrap();
    let loaded = load_path(&scene, &LoadOptions::new(octide_methods::ABILITIES)).unwrap();
    assert!(loaded.warnings[0].to_string().contains("3 open edges"), "{:?}", loaded.warnings);
}
