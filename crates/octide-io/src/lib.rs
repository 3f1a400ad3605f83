//! Reads Octide scene files; writes meshes, statistics and frames.
//!
//! Reading a scene and writing its first surface:
//!
//! ```
//! use octide_core::scene::Up;
//! use octide_io::ply::{read_surface, write_surface};
//! use octide_io::scene_file::{LoadOptions, load_str};
//!
//! let text = "octide = 1
//!     resolution = 16
//!     domain.size = [1, 1, 1]
//!     liquid = [{ shape.sphere = { center = [0.5, 0.5, 0.5], radius = 0.3 } }]";
//! let options = LoadOptions::new(octide_methods::ABILITIES);
//! let scene = load_str(text, "ball.toml", ".".as_ref(), &options)?.scene;
//!
//! let surface = octide_methods::start(&scene)?.frame().surface;
//! let file = std::env::temp_dir().join("octide-io-example.ply");
//! write_surface(&file, &surface, 0.0, Up::Z)?;
//! let (read, time) = read_surface(&file)?;
//! assert_eq!((read.mesh.triangles, time), (surface.mesh.triangles, 0.0));
//! # std::fs::remove_file(&file)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`scene_file`] turns a TOML text into an [`octide_core::scene::Scene`] or into an error that states file,
//! line, column and remedy. [`run_dir`] creates the folder of a run; [`ply`], [`vdb`], [`stats`], [`frames`],
//! [`probes`] and [`checkpoint`] write its files.
//!
//! Promises: a wrong scene never causes a panic, and no key is silently ignored; a frame's file is either
//! complete or absent. [`Error`] distinguishes mistakes in the input, which the user can correct, from
//! failures of the disk.

#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr))]

mod atomic;
pub mod checkpoint;
mod error;
mod file_error;
mod file_record;
pub mod files;
pub mod frames;
mod lines;
pub mod mesh_in;
pub mod ply;
mod printable;
pub mod probes;
pub mod run_dir;
pub mod scene_file;
pub mod stats;
pub mod vdb;

pub use atomic::{sync_file, sync_folder, write_atomic, write_durable};
pub use error::Error;
pub use file_error::{DiskError, ReadError};
pub use file_record::{Damage, FileRecord, Mark};
pub use printable::{Printable, is_unsafe_to_print, printable, printable_json, printable_lines};

/// Creates a new, empty folder for a test.
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "the lint lets tests unwrap, but not their helpers")]
fn test_dir(name: &str) -> std::path::PathBuf {
    let dir = std::env::temp_dir().join(format!("octide-io-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

/// The examples of the README are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
