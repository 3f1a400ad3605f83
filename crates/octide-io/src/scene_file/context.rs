//! The context that all functions that read a scene share.

use super::place::Fault;
use std::path::Path;

pub(super) struct Context<'a> {
    /// The folder that mesh paths are relative to.
    pub folder: &'a Path,
    /// Whether meshes must lie in that folder.
    pub sandbox: bool,
    /// Warnings about values that are valid but suspicious.
    pub warnings: Vec<Fault>,
}
