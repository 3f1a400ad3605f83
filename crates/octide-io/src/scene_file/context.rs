//! What is at hand while a scene is read.

use super::place::Fault;
use std::path::Path;

pub(super) struct Context<'a> {
    /// Where mesh paths start from.
    pub folder: &'a Path,
    /// Whether meshes must lie in that folder.
    pub sandbox: bool,
    /// What is odd, though possible.
    pub warnings: Vec<Fault>,
}
