//! Written files: bytes of PLY files, and the rules of a run's folder.

#![allow(clippy::unwrap_used, reason = "the lint lets tests unwrap, but not their helpers")]

use octide_core::contract::{CellFace, Cells, Cube, Particles, Polyhedra, Surface};
use octide_core::geometry::TriMesh;
use octide_core::scene::Up;
use octide_io::ply::{read_cells, read_particles, read_surface, write_cells, write_particles, write_surface};
use octide_io::run_dir::{Existing, RunDir, RunDirError};
use octide_io::{Error, ReadError};
use std::fs;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("octide-files-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}

fn triangle() -> Surface {
    Surface {
        mesh: TriMesh {
            positions: vec![[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, -8.0]],
            triangles: vec![[0, 2, 1]],
        },
        normals: vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        velocities: vec![[0.5, 0.25, 0.125], [-1.0, -2.0, -3.0], [9.0, 10.0, 11.0]],
    }
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect()
}

#[test]
fn a_surface_is_written_byte_for_byte_as_promised() {
    let path = folder("bytes").join("0000.ply");
    write_surface(&path, &triangle(), 0.25, Up::Y).unwrap();
    let bytes = fs::read(&path).unwrap();
    let header = format!(
        "ply\nformat binary_little_endian 1.0\ncomment octide {} liquid surface\ncomment up y\ncomment unit m\n\
         comment time 0.25 s\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
         property float nx\nproperty float ny\nproperty float nz\nproperty float vx\nproperty float vy\n\
         property float vz\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n",
        env!("CARGO_PKG_VERSION")
    );
    let data = bytes.strip_prefix(header.as_bytes()).expect("the header is as above");
    assert_eq!(data.len(), 3 * 9 * 4 + 13);
    assert_eq!(floats(&data[..36]), [0.0, 1.0, 2.0, 1.0, 0.0, 0.0, 0.5, 0.25, 0.125]);
    assert_eq!(data[108..], [3, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0]);
}

#[test]
fn z_up_turns_positions_normals_and_velocities() {
    let path = folder("up").join("0000.ply");
    write_surface(&path, &triangle(), 0.0, Up::Z).unwrap();
    let bytes = fs::read(&path).unwrap();
    let rows = floats(&bytes[bytes.len() - 3 * 9 * 4 - 13..bytes.len() - 13]);
    assert_eq!(rows[9..18], [3.0, -5.0, 4.0, 0.0, 0.0, 1.0, -1.0, 3.0, -2.0]);
    assert!(String::from_utf8_lossy(&bytes).contains("comment up z\n"));
}

#[test]
fn surfaces_and_cells_come_back_as_they_were() {
    let dir = folder("back");
    let cube = Cube { center: [0.5, 0.25, 0.75], size: 0.125 };
    let water = Cells { cubes: vec![cube], phi: vec![-0.5], ..Cells::default() };
    let smoke = Cells {
        cubes: vec![cube; 2],
        phi: vec![f32::INFINITY; 2],
        density: vec![0.75, 0.5],
        ..Cells::default()
    };
    for up in [Up::Y, Up::Z] {
        for surface in [triangle(), Surface::default()] {
            write_surface(&dir.join("s.ply"), &surface, 1.0 / 3.0, up).unwrap();
            assert_eq!(read_surface(&dir.join("s.ply")).unwrap(), (surface, 1.0 / 3.0));
        }
        for cells in [&water, &smoke, &Cells::default(), &mixed_cells(false), &mixed_cells(true)] {
            write_cells(&dir.join("c.ply"), cells, 0.5, up).unwrap();
            assert_eq!(read_cells(&dir.join("c.ply")).unwrap(), (cells.clone(), 0.5));
        }
    }
    assert_eq!(fs::read_dir(&dir).unwrap().count(), 2, "nothing else is left in the folder");
}

/// Returns a cube, two tetrahedra and a pyramid that share vertices, of water or of smoke.
fn mixed_cells(is_smoke: bool) -> Cells {
    let mut polyhedra = Polyhedra::default();
    let base = polyhedra.add_face(&[0, 1, 2, 3]);
    let sides = [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]].map(|v| polyhedra.add_face(&v));
    let sides = sides.map(|f| CellFace::new(f, false));
    polyhedra.add_cell(sides.into_iter().chain([CellFace::new(base, true)]));
    Cells {
        cubes: vec![Cube { center: [0.5, 0.25, 0.75], size: 0.125 }],
        vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 2.0]],
        tetrahedra: vec![[0, 1, 2, 4], [2, 3, 0, 4]],
        polyhedra,
        phi: if is_smoke { vec![f32::INFINITY; 4] } else { vec![-1.0, 0.5, 0.25, 2.0] },
        density: if is_smoke { vec![0.0, 0.25, 0.5, 1.0] } else { Vec::new() },
    }
}

#[test]
fn cubes_are_written_byte_for_byte_as_promised() {
    let path = folder("cubes").join("0000.ply");
    let cubes = vec![Cube { center: [1.0, 2.0, 3.0], size: 0.5 }];
    write_cells(&path, &Cells { cubes, phi: vec![-0.25], ..Cells::default() }, 0.5, Up::Z).unwrap();
    let bytes = fs::read(&path).unwrap();
    let header = format!(
        "ply\nformat binary_little_endian 1.0\ncomment octide {} octree cells\ncomment up z\ncomment unit m\n\
         comment time 0.5 s\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n\
         property float size\nproperty float phi\nend_header\n",
        env!("CARGO_PKG_VERSION")
    );
    let data = bytes.strip_prefix(header.as_bytes()).expect("the header is as above");
    assert_eq!(floats(data), [1.0, -3.0, 2.0, 0.5, -0.25]);
}

#[test]
fn cells_that_cannot_be_are_refused_with_the_reason() {
    let path = folder("bad-cells").join("0000.ply");
    write_cells(&path, &mixed_cells(false), 0.5, Up::Y).unwrap();
    let good = fs::read(&path).unwrap();
    let refused = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        read_cells(&path).unwrap_err().to_string()
    };
    assert!(refused(&good[..good.len() - 1]).contains("its length does not match its header"));
    assert!(refused(&[&good[..], &[0]].concat()).contains("its length does not match its header"));
    // The cells' values are the last 16 bytes; before them are the pyramid's six words and the last vertex of
    // the last tetrahedron.
    let mut bytes = good.clone();
    let last = good.len() - 16 - 6 * 4 - 4;
    bytes[last] = 5;
    assert!(refused(&bytes).contains("a tetrahedron has a vertex that does not exist"));
}

fn three_particles() -> Particles {
    Particles {
        positions: vec![[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [-6.0, 7.0, -8.0]],
        velocities: vec![[0.5, 0.25, 0.125], [-1.0, -2.0, -3.0], [9.0, 10.0, 11.0]],
        radii: vec![0.5, 0.25, 1e-3],
        kinds: vec![0, 1, 255],
        ids: vec![7, u32::MAX, 70_000],
    }
}

#[test]
fn particles_are_written_byte_for_byte_as_promised() {
    let path = folder("particles").join("0000.ply");
    write_particles(&path, &three_particles(), 0.25, Up::Z).unwrap();
    let bytes = fs::read(&path).unwrap();
    let header = format!(
        "ply\nformat binary_little_endian 1.0\ncomment octide {} particles\ncomment up z\ncomment unit m\n\
         comment time 0.25 s\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
         property float vx\nproperty float vy\nproperty float vz\nproperty float radius\n\
         property uchar kind\nproperty uint id\nend_header\n",
        env!("CARGO_PKG_VERSION")
    );
    let data = bytes.strip_prefix(header.as_bytes()).expect("the header is as above");
    assert_eq!(data.len(), 3 * 33);
    assert_eq!(floats(&data[33..61]), [3.0, -5.0, 4.0, -1.0, 3.0, -2.0, 0.25]);
    assert_eq!(data[61..66], [1, 255, 255, 255, 255]);
    assert_eq!(data[94..], [255, 0x70, 0x11, 1, 0]);
}

#[test]
fn particles_come_back_as_they_were_and_torn_files_do_not() {
    let path = folder("particles-back").join("p.ply");
    for up in [Up::Y, Up::Z] {
        for particles in [three_particles(), Particles::default()] {
            write_particles(&path, &particles, 1.0 / 3.0, up).unwrap();
            assert_eq!(read_particles(&path).unwrap(), (particles, 1.0 / 3.0));
        }
    }
    write_particles(&path, &three_particles(), 0.0, Up::Y).unwrap();
    let good = fs::read(&path).unwrap();
    fs::write(&path, &good[..good.len() - 1]).unwrap();
    assert!(matches!(read_particles(&path), Err(ReadError::Format { .. })));
    write_surface(&path, &triangle(), 0.0, Up::Y).unwrap();
    assert!(matches!(read_particles(&path), Err(ReadError::Format { .. })));
}

#[test]
fn no_liquid_is_a_valid_file_without_faces() {
    let path = folder("empty").join("0000.ply");
    write_surface(&path, &Surface::default(), 0.0, Up::Y).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("element vertex 0\n") && text.contains("element face 0\n"));
    assert!(text.ends_with("end_header\n"));
}

#[test]
fn files_of_others_and_torn_ones_are_refused() {
    let dir = folder("torn");
    let path = dir.join("s.ply");
    write_surface(&path, &triangle(), 0.0, Up::Y).unwrap();
    let good = fs::read(&path).unwrap();
    let refuse = |bytes: &[u8], what: &str| {
        fs::write(&path, bytes).unwrap();
        match read_surface(&path) {
            Err(ReadError::Format { reason, .. }) => assert!(reason.contains(what), "{reason}"),
            other => panic!("{other:?}"),
        }
    };
    refuse(&good[..good.len() - 1], "length");
    refuse(&good[..20], "no PLY header");
    refuse(b"ply\nformat ascii 1.0\nend_header\n", "binary");
    let mut far = good.clone();
    let last = far.len() - 4;
    far[last] = 3;
    refuse(&far, "triangle");
    let huge = String::from_utf8_lossy(&good).replace("vertex 3", &format!("vertex {}", usize::MAX));
    refuse(huge.as_bytes(), "length");
    fs::write(&path, &good).unwrap();
    assert!(matches!(read_cells(&path), Err(ReadError::Format { .. })));
    assert!(matches!(read_surface(&dir.join("none.ply")), Err(ReadError::Io { .. })));
}

#[test]
fn runs_count_up_from_001() {
    let runs = folder("runs").join("deep/runs");
    let next = || RunDir::create_next(&runs, "drop", 0).unwrap().root().file_name().unwrap().to_owned();
    assert_eq!((next().to_str(), next().to_str()), (Some("drop-001"), Some("drop-002")));
    fs::create_dir(runs.join("drop-041")).unwrap();
    fs::create_dir(runs.join("drop-splash-099")).unwrap();
    assert_eq!(next().to_str(), Some("drop-042"));
}

#[test]
fn frames_that_are_there_are_listed_in_order() {
    let dir = RunDir::create(&folder("frames"), Existing::Refuse, 998).unwrap();
    assert!(dir.surface_frames().unwrap().is_empty());
    for frame in [3, 0, 9002, 1] {
        dir.prepare(&dir.surface_file(frame)).unwrap();
        fs::write(dir.surface_file(frame), "x").unwrap();
    }
    fs::write(dir.root().join("surface/0005.ply"), "before the first frame").unwrap();
    fs::write(dir.root().join("surface/.1003.ply.part"), "half written").unwrap();
    assert_eq!(dir.surface_frames().unwrap(), [0, 1, 3, 9002]);
}

#[test]
fn an_existing_folder_is_refused_by_name_of_the_ways_out() {
    let out = folder("refused").join("run");
    let dir = RunDir::create(&out, Existing::Refuse, 0).unwrap();
    dir.write_scene("octide = 1\n").unwrap();
    let error = RunDir::create(&out, Existing::Refuse, 0).unwrap_err();
    assert!(error.to_string().contains("--resume") && error.to_string().contains("--overwrite"), "{error}");
    assert!(!Error::from(error).is_disk());
    assert!(RunDir::create(&out, Existing::Resume, 0).is_ok());
    assert!(out.join("scene.toml").is_file(), "resuming touches nothing");
}

#[test]
fn overwriting_removes_only_what_octide_wrote() {
    let out = folder("overwrite").join("run");
    let dir = RunDir::create(&out, Existing::Refuse, 1001).unwrap();
    dir.write_scene("octide = 1\n").unwrap();
    let surface = dir.surface_file(1);
    assert_eq!(surface, out.join("surface").join("1002.ply"));
    dir.prepare(&surface).unwrap();
    dir.prepare(&dir.preview_file(0)).unwrap();
    dir.prepare(&dir.particles_file(0)).unwrap();
    dir.prepare(&dir.volume_file(0)).unwrap();
    let own = [
        surface,
        dir.volume_file(0),
        dir.particles_file(7),
        dir.stats_file(),
        dir.preview_file(0),
        out.join("surface/.0003.ply.part"),
    ];
    let others = [out.join("notes.txt"), out.join("surface/mine.ply"), out.join("surface/12.ply")];
    for file in own.iter().chain(&others) {
        fs::write(file, "x").unwrap();
    }
    assert_eq!(dir.surface_frames().unwrap(), [1]);
    RunDir::create(&out, Existing::Overwrite, 0).unwrap();
    assert!(own.iter().all(|f| !f.exists()) && others.iter().all(|f| f.exists()));
    assert!(!out.join("scene.toml").exists() && !out.join("preview").exists());
}

#[test]
fn folders_and_files_that_are_no_run_are_left_alone() {
    let dir = folder("no-run");
    fs::write(dir.join("thesis.tex"), "x").unwrap();
    for existing in [Existing::Overwrite, Existing::Resume] {
        assert!(matches!(RunDir::create(&dir, existing, 0), Err(RunDirError::NotARun(_))));
        let file = dir.join("thesis.tex");
        assert!(matches!(RunDir::create(&file, existing, 0), Err(RunDirError::NotAFolder(_))));
    }
    assert!(matches!(RunDir::open(&dir, 0), Err(RunDirError::NotARun(_))));
    assert!(dir.join("thesis.tex").is_file());
    assert!(
        RunDir::create(&folder("empty-out"), Existing::Refuse, 0).is_ok(),
        "an empty folder is as good as none"
    );
}

#[test]
fn a_place_that_cannot_be_written_is_the_disks_fault() {
    let file = folder("unwritable").join("file");
    fs::write(&file, "x").unwrap();
    let error = Error::from(RunDir::create(&file.join("run"), Existing::Refuse, 0).unwrap_err());
    assert!(error.is_disk() && error.to_string().contains("run"), "{error}");
    let error = write_surface(Path::new("/nowhere/at/all.ply"), &triangle(), 0.0, Up::Y).unwrap_err();
    assert!(Error::from(error).is_disk());
}
