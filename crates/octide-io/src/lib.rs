//! Octide scene files in; meshes, statistics and frames out.
//!
//! [`scene_file`] turns a TOML text into an [`octide_core::scene::Scene`] or into an error that names file,
//! line, column and remedy.
//!
//! Promises: a wrong scene never panics and never loses a key in silence; a file that is written appears whole
//! or not at all.

pub mod scene_file;
