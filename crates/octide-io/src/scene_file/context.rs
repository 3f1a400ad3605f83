//! What all functions that read a scene share.

use super::place::Fault;
use std::path::Path;

pub(super) struct Context<'a> {
    /// Where mesh paths start from.
    pub folder: &'a Path,
    /// Whether meshes must lie in that folder.
    pub sandbox: bool,
    /// Values that are suspicious, though possible.
    pub warnings: Vec<Fault>,
}
