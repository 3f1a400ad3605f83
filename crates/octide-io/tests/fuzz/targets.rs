//! The fuzzed readers as functions of bytes, with initial files and words for their input.
//!
//! A reader returns its message, so that inputs with new messages are kept and damaged further. Further
//! requirements on accepted inputs are asserted here: a panic is a finding.

use crate::words::{MESH_WORDS, scene_words};
use crate::{states, unprintable};
use glam::{DVec3, UVec3};
use octide_core::contract::{CellFace, Cells, Cube, Polyhedra, Smoke, SmokeCell};
use octide_core::geometry::{MeshSdf, TriMesh, mesh_report};
use octide_core::scene::{Scene, Up};
use octide_io::mesh_in::{MeshFormat, parse_mesh};
use octide_io::ply::{read_cells, read_particles, read_surface, write_cells};
use octide_io::scene_file::{LoadOptions, SceneError, builtin, builtins, load_str, to_toml};
use octide_io::vdb::{read_smoke, write_smoke};
use std::path::{Path, PathBuf};

/// The name of every file that is read.
const FOREIGN_NAME: &str = "f\x1b[31m\u{202e}\u{200b}\x07.toml";

/// A reader to be fuzzed.
pub struct Target {
    pub name: &'static str,
    /// Reads the bytes and returns the message about them.
    pub read: fn(&[u8]) -> String,
    pub seeds: fn() -> Vec<Vec<u8>>,
    pub words: fn() -> Vec<&'static str>,
}

/// All readers. To add one, add a line.
pub const ALL: &[Target] = &[
    Target { name: "scene", read: scene, seeds: scene_seeds, words: scene_words },
    Target { name: "override", read: override_, seeds: override_seeds, words: scene_words },
    Target {
        name: "obj",
        read: |b| mesh(b, MeshFormat::Obj),
        seeds: || meshes("obj"),
        words: || MESH_WORDS.to_vec(),
    },
    Target {
        name: "ply",
        read: |b| mesh(b, MeshFormat::Ply),
        seeds: || meshes("ply"),
        words: || MESH_WORDS.to_vec(),
    },
    Target {
        name: "stl",
        read: |b| mesh(b, MeshFormat::Stl),
        seeds: || meshes("stl"),
        words: || MESH_WORDS.to_vec(),
    },
    Target {
        name: "surface",
        read: |b| file(b, "surface"),
        seeds: || meshes("surface"),
        words: || MESH_WORDS.to_vec(),
    },
    Target { name: "cells", read: |b| file(b, "cells"), seeds: cell_seeds, words: || MESH_WORDS.to_vec() },
    Target {
        name: "particles",
        read: |b| file(b, "particles"),
        seeds: || meshes("particles"),
        words: || MESH_WORDS.to_vec(),
    },
    Target {
        name: "volume",
        read: |b| file(b, "volume"),
        seeds: volume_seeds,
        words: || vec!["density", "time", "up"],
    },
    Target {
        name: "checkpoint",
        read: states::checkpoint,
        seeds: states::checkpoint_seeds,
        words: || states::WORDS.to_vec(),
    },
    Target {
        name: "state",
        read: states::state,
        seeds: states::state_seeds,
        words: || states::WORDS.to_vec(),
    },
];

/// Returns the folder of initial files and of former findings: `TARGET-anything`.
pub fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus")
}

pub fn meshes(target: &str) -> Vec<Vec<u8>> {
    let Ok(entries) = std::fs::read_dir(corpus()) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    files.sort();
    let is_of =
        |p: &&PathBuf| p.file_name().is_some_and(|n| n.to_string_lossy().starts_with(&format!("{target}-")));
    files.iter().filter(is_of).filter_map(|p| std::fs::read(p).ok()).collect()
}

fn scene_seeds() -> Vec<Vec<u8>> {
    let bad = include_str!("../bad_scenes.txt");
    let cases =
        bad.split("\n## ").skip(1).filter_map(|block| block.split_once('\n')?.1.split("---\n").next());
    let scenes = builtins().iter().map(|b| b.text);
    let more = "octide = 1\nresolution = 16\ndomain.size = [1, 1, 1]\n[[liquid]]\nshape.mesh = { path = \"obj-ball.obj\", \
                scale = 2, rotate = { axis = [0, 1, 0], degrees = 30 }, translate = [0.1, 0, 0] }\n";
    let all = scenes.chain(cases).chain([more]).map(|s| s.as_bytes().to_vec());
    all.chain(meshes("scene")).collect()
}

fn scene(bytes: &[u8]) -> String {
    let Ok(text) = std::str::from_utf8(bytes) else { return "not text".to_owned() };
    let options = LoadOptions { sandbox: true, ..LoadOptions::new(octide_methods::ABILITIES) };
    let load = |text: &str| load_str(text, FOREIGN_NAME, &corpus(), &options);
    match load(text) {
        Err(SceneError::Invalid(d)) => {
            assert_eq!(unprintable(&d.to_string()), None, "{d}");
            d.message().to_owned()
        }
        Err(e) => e.to_string(),
        Ok(loaded) => {
            use_scene(&loaded.scene);
            let said: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
            assert_eq!(unprintable(&said.concat()), None, "{said:?}");
            let written = to_toml(&loaded.scene);
            match load(&written) {
                Ok(again) => assert_eq!(to_toml(&again.scene), written, "not the same when read again"),
                Err(e) => panic!("the scene as written is refused: {e}\n{written}"),
            }
            format!("fine {}", said.first().map_or("", |s| s.split(" --> ").next().unwrap_or_default()))
        }
    }
}

/// Evaluates the shapes and motions of an accepted scene, which must give numbers.
fn use_scene(scene: &Scene) {
    let d = &scene.domain;
    let shapes = scene.liquids.iter().map(|l| &l.shape).chain(scene.inflows.iter().map(|i| &i.shape));
    let shapes =
        shapes.chain(scene.outflows.iter().map(|o| &o.shape)).chain(scene.solids.iter().map(|s| &s.shape));
    for shape in shapes {
        for t in [0.0, 0.4, 1.0] {
            let x = shape.distance(d.origin + d.size * DVec3::new(t, 0.8 * t, 1.0 - t));
            assert!(x.is_finite(), "the distance to {} is {x}", shape.name());
        }
    }
    for solid in &scene.solids {
        for t in [0.0, 0.31, 7.0] {
            let pose = solid.motion.pose(t);
            let p = pose.to_body(d.origin);
            assert!(p.is_finite() && pose.rotation.is_finite(), "the body is at {p}");
            let v = solid.motion.velocity(d.origin, t);
            assert!(v.is_finite(), "the body moves with {v}");
        }
    }
}

fn override_seeds() -> Vec<Vec<u8>> {
    let sets = [
        "time.frames=3",
        "liquid.0.velocity=[0, 0, 0]",
        "domain={ size = [1, 1, 1] }",
        "camera.fov=30",
        "name=drop",
        "liquid.0.shape={ sphere = { center = [0.5, 0.3, 0.5], radius = 0.1 } }",
        "resolution.x=3",
    ];
    sets.iter().map(|s| s.as_bytes().to_vec()).collect()
}

fn override_(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let (key, value) = text.split_once('=').unwrap_or((&text, ""));
    let overrides = vec![(key.to_owned(), value.to_owned())];
    let options = LoadOptions { sandbox: true, overrides, ..LoadOptions::new(octide_methods::ABILITIES) };
    match load_str(builtin("water-drop").unwrap_or_default(), FOREIGN_NAME, &corpus(), &options) {
        Err(SceneError::Invalid(d)) => {
            assert_eq!(unprintable(&d.to_string()), None, "{d}");
            d.message().to_owned()
        }
        Err(e) => e.to_string(),
        Ok(loaded) => format!("fine {}", loaded.warnings.len()),
    }
}

fn mesh(bytes: &[u8], format: MeshFormat) -> String {
    match parse_mesh(bytes, format, Path::new(FOREIGN_NAME)) {
        Err(e) => reason(&e.to_string()),
        Ok(mesh) => {
            let n = mesh.positions.len();
            assert!(!mesh.triangles.is_empty(), "no triangles");
            assert!(mesh.triangles.iter().flatten().all(|&v| (v as usize) < n), "a vertex that is not there");
            assert!(mesh.positions.iter().flatten().all(|x| x.is_finite()), "a position that is not finite");
            use_mesh(&mesh)
        }
    }
}

fn use_mesh(mesh: &TriMesh) -> String {
    let warnings = mesh_report(mesh).warnings().join(", ");
    match MeshSdf::new(mesh) {
        Err(e) => format!("{e}, {warnings}"),
        Ok(sdf) => {
            let (min, max) = sdf.bounds();
            for t in [-0.5, 0.0, 0.3, 0.5, 1.2] {
                let p = min + (max - min) * DVec3::new(t, 1.0 - t, 0.7 * t);
                let d = sdf.distance(p);
                assert!(d.is_finite(), "the distance at {p} is {d}");
            }
            format!("fine {warnings}")
        }
    }
}

/// Returns a message without the name of the file, which would make all messages alike.
fn reason(message: &str) -> String {
    assert_eq!(unprintable(message), None, "{message}");
    message.split_once(": ").map_or(message, |(_, reason)| reason).to_owned()
}

/// Reads a file of a run from disk.
fn file(bytes: &[u8], what: &str) -> String {
    let shm = Path::new("/dev/shm");
    let folder = if shm.is_dir() { shm.to_owned() } else { std::env::temp_dir() };
    let path = folder.join(format!("octide-fuzz-{}-{FOREIGN_NAME}", std::process::id()));
    if std::fs::write(&path, bytes).is_err() {
        return String::new();
    }
    let said = match what {
        "surface" => read_surface(&path).map(|(s, _)| {
            let n = s.mesh.positions.len();
            assert!(
                s.mesh.triangles.iter().flatten().all(|&v| (v as usize) < n),
                "a vertex that is not there"
            );
        }),
        // Accepted files can be processed.
        "cells" => read_cells(&path).map(|(cells, _)| {
            for cell in 0..cells.len() {
                let _ = (cells.center(cell), cells.size(cell), cells.reach(cell), cells.density(cell));
            }
        }),
        "volume" => read_smoke(&path).map(|(smoke, _)| {
            let n = smoke.density.len();
            let corners = smoke.cells.iter().flat_map(|c| c.corners);
            assert!(corners.into_iter().all(|c| (c as usize) < n), "a corner that is not there");
        }),
        _ => read_particles(&path).map(|_| ()),
    };
    let _ = std::fs::remove_file(&path);
    said.map_or_else(|e| reason(&e.to_string()), |()| "fine".to_owned())
}

/// Returns files of cubes, and a file with cells of all shapes.
fn cell_seeds() -> Vec<Vec<u8>> {
    let mut polyhedra = Polyhedra::default();
    let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]].map(|v| polyhedra.add_face(&v));
    polyhedra.add_cell(faces.map(|f| CellFace::new(f, false)));
    let cells = Cells {
        cubes: vec![Cube { center: [0.5; 3], size: 1.0 }],
        vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        tetrahedra: vec![[0, 1, 2, 3]],
        polyhedra,
        phi: vec![-1.0, 0.5, 0.25],
        density: Vec::new(),
    };
    let path = std::env::temp_dir().join(format!("octide-fuzz-seed-{}.ply", std::process::id()));
    let _ = write_cells(&path, &cells, 0.5, Up::Y);
    let shapes = std::fs::read(&path).unwrap_or_default();
    let _ = std::fs::remove_file(&path);
    meshes("cells").into_iter().chain([shapes]).collect()
}

/// Returns two cells of smoke, far enough apart for two bricks.
fn volume_seeds() -> Vec<Vec<u8>> {
    let cell = |x: u32, size: u32| SmokeCell {
        low: UVec3::new(x, 0, 8),
        size,
        corners: std::array::from_fn(|i| i as u32),
    };
    let smoke = Smoke {
        origin: DVec3::ZERO,
        dx: 0.125,
        cells: vec![cell(2, 2), cell(16, 8)],
        density: (0..8u8).map(|i| f32::from(i) / 8.0).collect(),
        temperature: vec![20.0; 8],
        velocity: vec![[0.0, 1.0, 0.0]; 8],
    };
    let path = std::env::temp_dir().join(format!("octide-fuzz-seed-{}.vdb", std::process::id()));
    let bytes = [Up::Y, Up::Z].map(|up| {
        let _ = write_smoke(&path, &smoke, 0.5, up);
        std::fs::read(&path).unwrap_or_default()
    });
    let _ = std::fs::remove_file(&path);
    bytes.into_iter().chain(meshes("volume")).collect()
}
