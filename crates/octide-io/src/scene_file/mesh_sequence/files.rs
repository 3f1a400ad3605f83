//! The files of a sequence: which there are, and how they are read when they are needed.

use super::pattern::Pattern;
use super::unreadable;
use crate::mesh_in::read_mesh;
use crate::printable::printable;
use crate::scene_file::context::Context;
use crate::scene_file::place::{At, Fault};
use crate::scene_file::write::{quaternion, vector_to_toml};
use glam::{DQuat, DVec3};
use octide_core::geometry::{MeshSource, TriMesh};
use std::path::{Path, PathBuf};

/// How meshes are placed in the body's frame.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Placement {
    pub scale: f64,
    pub rotation: DQuat,
    pub translation: DVec3,
}

impl Placement {
    const NONE: Self = Self { scale: 1.0, rotation: DQuat::IDENTITY, translation: DVec3::ZERO };
}

/// Files with numbers without a gap.
#[derive(Debug)]
pub(super) struct MeshFiles {
    /// The folder with links resolved.
    folder: PathBuf,
    pattern: Pattern,
    first: u32,
    last: u32,
    /// The folder that all files must be in, if there is one.
    sandbox: Option<PathBuf>,
    pub placement: Placement,
}

/// Finds the files of a sequence from number `first` to `last`, or all that there are.
pub(super) fn find_files(
    pattern: Pattern,
    given: &Path,
    (first, last): (Option<u32>, Option<u32>),
    at: At,
    context: &Context<'_>,
) -> Result<MeshFiles, Fault> {
    let joined = context.folder.join(given);
    let named = joined.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let no_folder = |e: std::io::Error| {
        Fault::new(at, unreadable("folder of meshes", named, &e))
            .help("check the path, which is relative to the scene file")
    };
    let folder = named.canonicalize().map_err(no_folder)?;
    if folder.to_str().is_none() {
        return Err(Fault::new(at, format!("the path {} is not valid UTF-8", printable(&folder))));
    }
    let sandbox = match context.sandbox {
        true => Some(context.folder.canonicalize().map_err(no_folder)?),
        false => None,
    };
    if sandbox.as_ref().is_some_and(|root| !folder.starts_with(root)) {
        let message = format!(
            "the meshes {} are outside the scene's folder, which --sandbox forbids",
            printable(&given)
        );
        return Err(
            Fault::new(at, message).help("copy the files into the scene's folder, or run without --sandbox")
        );
    }
    let mut numbers: Vec<u32> = std::fs::read_dir(&folder)
        .map_err(no_folder)?
        .filter_map(|entry| pattern.number(entry.ok()?.file_name().to_str()?))
        .collect();
    numbers.sort_unstable();
    let (Some(&lowest), Some(&highest)) = (numbers.first(), numbers.last()) else {
        let message = format!("there is no file {} in {}", pattern.text(), printable(&folder));
        return Err(Fault::new(at, message).help(format!(
            "check the path, which is relative to the scene file; the name of frame 1 would be {}",
            pattern.name(1)
        )));
    };
    let (first, last) = (first.unwrap_or(lowest), last.unwrap_or(highest));
    if last < first {
        let message = format!("the sequence ends with frame {last}, before it begins with frame {first}");
        let help =
            format!("there are files from {lowest} to {highest}: choose `first` and `last` from these");
        return Err(Fault::new(at, message).help(help));
    }
    if let Some(missing) = first_missing(&numbers, first, last) {
        let name = pattern.name(missing);
        let message = format!(
            "the sequence misses frame {missing}: there are files from {lowest} to {highest}, but not {name}"
        );
        let end = if missing > first {
            format!(", or end before it with last = {}", missing - 1)
        } else {
            String::new()
        };
        return Err(Fault::new(at, message).help(format!("export this frame again{end}")));
    }
    Ok(MeshFiles { folder, pattern, first, last, sandbox, placement: Placement::NONE })
}

/// Returns the first number from `first` to `last` that is not among sorted numbers.
fn first_missing(numbers: &[u32], first: u32, last: u32) -> Option<u32> {
    let from = numbers.partition_point(|n| *n < first);
    let present =
        numbers[from..].iter().zip(first..=last).take_while(|(n, wanted)| *n == wanted).count() as u32;
    (present < last - first + 1).then_some(first + present)
}

impl MeshFiles {
    /// Returns the number of files.
    pub fn len(&self) -> usize {
        (self.last - self.first + 1) as usize
    }

    fn path(&self, k: usize) -> PathBuf {
        self.folder.join(self.pattern.name(self.first + k as u32))
    }

    /// Returns an error if a file is outside the folder that it must be in, through a link.
    fn check_place(&self, path: &Path) -> Result<(), String> {
        let Some(root) = &self.sandbox else { return Ok(()) };
        let real = path.canonicalize().map_err(|e| unreadable("mesh", path, &e))?;
        if real.starts_with(root) {
            return Ok(());
        }
        Err(format!(
            "the mesh {} is a link out of the scene's folder, which --sandbox forbids",
            printable(&path)
        ))
    }
}

impl MeshSource for MeshFiles {
    fn read(&self, k: usize) -> Result<TriMesh, String> {
        let path = self.path(k);
        self.check_place(&path)?;
        let mesh = read_mesh(&path).map_err(|e| format!("the mesh {e}"))?;
        let Placement { scale, rotation, translation } = self.placement;
        if self.placement == Placement::NONE {
            return Ok(mesh);
        }
        Ok(mesh.mapped(|p| rotation * (scale * p) + translation))
    }

    fn name(&self, k: usize) -> String {
        self.path(k).to_string_lossy().into_owned()
    }

    fn reference(&self) -> String {
        let path = self.folder.join(self.pattern.text()).to_string_lossy().into_owned();
        let Placement { scale, rotation, translation } = self.placement;
        format!(
            "path = {}, first = {}, last = {}, scale = {scale:?}, rotate = {}, translate = {}",
            toml::Value::String(path),
            self.first,
            self.last,
            quaternion(rotation),
            vector_to_toml(translation)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::first_missing;

    #[test]
    fn gaps_are_found() {
        let numbers = [1, 2, 3, 5, 6, 9];
        let missing = |first, last| first_missing(&numbers, first, last);
        assert_eq!((missing(1, 3), missing(5, 6), missing(9, 9), missing(2, 2)), (None, None, None, None));
        assert_eq!(
            (missing(1, 9), missing(0, 3), missing(6, 7), missing(9, 12)),
            (Some(4), Some(0), Some(7), Some(10))
        );
        assert_eq!(missing(20, 30), Some(20));
    }
}
