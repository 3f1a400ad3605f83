//! Valid scenes: the built-in ones, overrides, and scenes written with all defaults filled in.

#![allow(clippy::unwrap_used, reason = "the lint lets tests unwrap, but not their helpers")]

mod builtin;
mod read;
mod smoke;
mod written;

use octide_core::scene::Scene;
use octide_io::scene_file::{LoadOptions, Loaded, load_str};
use std::path::{Path, PathBuf};

const POOL: &str = "octide = 1\nresolution = 64\ndomain.size = [1, 0.5, 1]\n\
    [[liquid]]\nshape.box = { min = [0, 0, 0], max = [1, 0.2, 1] }\n";

fn read(text: &str) -> Loaded {
    load_str(text, "pool.toml", Path::new("."), &LoadOptions::new(octide_methods::ABILITIES))
        .unwrap_or_else(|e| panic!("{e}"))
}

fn with(overrides: &[(&str, &str)]) -> Scene {
    let options = LoadOptions::new(octide_methods::ABILITIES).with_overrides(overrides.iter().copied());
    load_str(POOL, "pool.toml", Path::new("."), &options).unwrap_or_else(|e| panic!("{e}")).scene
}

fn folder(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("octide-scenes-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    dir
}
