//! Checkpoints, and states built from them.
//!
//! The reader detects most damage by checksums. To also reach the code behind it, a damaged file is read a
//! second time with corrected checksums: other programs may write such files, and so may bugs in Octide.

use crate::targets::meshes;
use flate2::Crc;
use octide_core::contract::TimeStep;
use octide_core::scene::Scene;
use octide_core::snapshot::{Store, Values};
use octide_io::checkpoint::{read_checkpoint_bytes, write_checkpoint_to};
use octide_io::scene_file::{LoadOptions, load_str};
use std::path::Path;
use std::sync::OnceLock;

pub const WORDS: &[&str] = &[
    "octideCP",
    "octide",
    "tree",
    "phi",
    "u",
    "grid",
    "state",
    "pressure",
    "crossing.cell",
    "regions.body",
    "apertures.face",
    "particles.id",
    "particles.x",
    "run.position",
];

/// A tank with everything that a state can contain.
const SCENE: &str = r#"octide = 1
resolution = 8
[domain]
size = [1, 0.5, 1]
coarsest = 4
open = ["+z"]
[[liquid]]
shape.box = { min = [0, 0, 0], max = [1, 0.15, 0.7] }
[[liquid]]
shape.sphere = { center = [0.4, 0.35, 0.4], radius = 0.1 }
velocity = [0.5, -2.0, 0.3]
[[solid]]
shape.sphere = { center = [0.7, 0.15, 0.5], radius = 0.13 }
motion = { oscillation = { amplitude = [0.1, 0.05, 0.0], period = 0.5 } }
[[inflow]]
shape.box = { min = [0, 0.25, 0.4], max = [0.125, 0.5, 0.6] }
velocity = [1.5, 0, 0]
[numerics]
particles = "band"
volume_correction = "regional"
"#;

/// Reads a checkpoint as it is and with corrected checksums.
pub fn checkpoint(bytes: &[u8]) -> String {
    let read = |bytes: &[u8]| match read_checkpoint_bytes(bytes) {
        Ok(snapshot) => format!("{} columns", snapshot.columns().count()),
        Err(e) => e,
    };
    let mut sealed = bytes.to_vec();
    seal(&mut sealed);
    format!("{}: {}", read(bytes), read(&sealed))
}

/// Builds a state from a checkpoint with corrected checksums, and takes a step from there.
pub fn state(bytes: &[u8]) -> String {
    let mut sealed = bytes.to_vec();
    seal(&mut sealed);
    let mut snapshot = match read_checkpoint_bytes(&sealed) {
        Ok(snapshot) => snapshot,
        Err(e) => return e,
    };
    match octide_methods::load(scene(), &mut snapshot) {
        Err(e) => e.to_string(),
        Ok(mut method) => {
            let dt = method.max_dt().min(0.01);
            let stepped = method.step(TimeStep::new(dt).unwrap()).map(|report| report.cells);
            let frame = method.frame();
            assert!(frame.surface.mesh.positions.iter().flatten().all(|x| x.is_finite()));
            stepped.map_or_else(|e| format!("loaded: {e}"), |_| "stepped".to_owned())
        }
    }
}

fn scene() -> &'static Scene {
    static SCENE_OF_STATES: OnceLock<Scene> = OnceLock::new();
    SCENE_OF_STATES.get_or_init(|| {
        load_str(SCENE, "state.toml", Path::new("."), &LoadOptions::new(octide_methods::ABILITIES))
            .unwrap()
            .scene
    })
}

pub fn checkpoint_seeds() -> Vec<Vec<u8>> {
    let some = |store: &mut dyn Store| {
        store.put("numbers", Values::F64(&[0.5, -1.0, f64::MAX]));
        store.put("counts", Values::U64(&[1, 2, u64::MAX]));
    };
    [written(|_| {}), written(some)].into_iter().chain(meshes("checkpoint")).collect()
}

pub fn state_seeds() -> Vec<Vec<u8>> {
    let mut method = octide_methods::start(scene()).unwrap();
    let first = written(|store| method.save(store));
    for _ in 0..3 {
        method.step(TimeStep::new(method.max_dt().min(0.02)).unwrap()).unwrap();
    }
    [first, written(|store| method.save(store))].into_iter().chain(meshes("state")).collect()
}

fn written(fill: impl FnOnce(&mut dyn Store)) -> Vec<u8> {
    let mut out = Vec::new();
    write_checkpoint_to(&mut out, fill).unwrap();
    out
}

/// Writes correct checksums into a file, as far as it has the expected structure.
fn seal(bytes: &mut [u8]) {
    let mut from = 0;
    let mut end = 12;
    while seal_one(bytes, from, end) {
        from = end + 4;
        let Some(&[a, b, c, d, e, f, g, h, ref n @ ..]) = bytes.get(from..from + 16) else { return };
        let kind = u32::from_le_bytes([e, f, g, h]);
        let name = u32::from_le_bytes([a, b, c, d]) as usize;
        let n = n.try_into().map_or(0, u64::from_le_bytes) as usize;
        let size = match kind {
            1 => 1,
            2 | 4 => 4,
            _ => 8,
        };
        let length = if name == 0 { Some(0) } else { n.checked_mul(size) };
        match length.and_then(|l| l.checked_add(name + 16 + from)) {
            Some(next) => end = next,
            None => return,
        }
    }
}

/// Writes the checksum of `from..end` after it; returns whether there is space.
fn seal_one(bytes: &mut [u8], from: usize, end: usize) -> bool {
    if end.checked_add(4).is_none_or(|behind| behind > bytes.len()) {
        return false;
    }
    let mut sum = Crc::new();
    sum.update(&bytes[from..end]);
    bytes[end..end + 4].copy_from_slice(&sum.sum().to_le_bytes());
    true
}

#[test]
fn damage_reaches_what_lies_behind_the_sums() {
    let good = &state_seeds()[1];
    assert_eq!(state(good), "stepped");
    let at = good.windows(5).position(|w| w == b"phi\0\0" || &w[..3] == b"phi").unwrap() + 11;
    let mut flipped = good.clone();
    flipped[at] ^= 1;
    assert!(read_checkpoint_bytes(&flipped).is_err());
    assert_ne!(checkpoint(&flipped), checkpoint(good));
    assert!(checkpoint(&flipped).ends_with("columns"), "{}", checkpoint(&flipped));
    // A number of all one bits is NaN.
    flipped[at - 8..at + 8].fill(255);
    assert!(state(&flipped).contains("\"phi\""), "{}", state(&flipped));
}
