//! The one place where files are created, replaced and removed. No other code of the project opens a file for
//! writing; `clippy.toml` sees to that.
//!
//! Octide writes through no link. Whoever may put a link into a run's folder could otherwise make a run
//! overwrite or delete files elsewhere, with the rights of the user who runs it.
//!
//! Promised on Linux and macOS:
//!
//! - A file is written under a new, random name (`O_EXCL`) and renamed. A link, symbolic or hard, that has the
//!   final name is replaced; the file that it leads to keeps its content.
//! - A file that is continued must be a regular file (`O_NOFOLLOW`). If it has a second name (a hard link), a
//!   copy takes its place and the other name keeps the old content.
//! - The folder of a file is opened once, and must not be a link itself; creating, renaming and removing are
//!   relative to that handle (`openat`, `renameat`, `unlinkat`). A folder that is exchanged for a link in the
//!   meantime changes nothing.
//! - Whatever is neither a regular file nor a link (a pipe, a device) is not replaced.
//!
//! A folder that the user names on the command line may be a link; [`resolve_folder`] follows it once, at the
//! start.
//!
//! Not promised: folders above the folder of a file are looked up by name each time. Whoever may rename the
//! run's folder itself can lead a run elsewhere. On Windows the checks are the same, but by name instead of by
//! handle, so that a link that is created between check and use is followed, and files with a second name
//! are continued in place. Files that are read may be links.

#![allow(clippy::disallowed_methods, reason = "this is where files are written")]

mod folder;
#[cfg(test)]
mod tests;

use crate::file_error::DiskError;
use folder::Folder;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind, Seek};
use std::path::{Path, PathBuf};

/// Number of random names that are tried for a new file.
const MAX_NAME_TRIES: usize = 16;

/// A file that is being written under a random name in the folder of its final name. It is removed when
/// dropped, unless [`NewFile::keep`] renamed it.
#[derive(Debug)]
pub struct NewFile {
    folder: Folder,
    name: OsString,
    /// None after renaming.
    temporary: Option<OsString>,
    file: File,
}

impl NewFile {
    /// Creates the file; whatever has the final name stays as it is until [`NewFile::keep`].
    pub fn create(path: &Path) -> io::Result<Self> {
        let (folder, name) = folder_and_name(path)?;
        if folder.kind(name)?.is_some_and(|kind| kind == Kind::Other) {
            return Err(not_a_file());
        }
        let mut tries = 0;
        loop {
            let temporary = temporary_name(name);
            match folder.create_new(&temporary) {
                Ok(file) => {
                    return Ok(Self { folder, name: name.to_owned(), temporary: Some(temporary), file });
                }
                Err(e) if e.kind() == ErrorKind::AlreadyExists && tries < MAX_NAME_TRIES => tries += 1,
                Err(e) => return Err(e),
            }
        }
    }

    /// Returns a handle of the file.
    pub fn handle(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    /// Returns the random name, for programs that write the file themselves.
    pub fn temporary_name(&self) -> Option<&OsStr> {
        self.temporary.as_deref()
    }

    /// Gives the file its final name.
    pub fn keep(mut self) -> io::Result<()> {
        if let Some(temporary) = &self.temporary {
            self.folder.rename(temporary, &self.name)?;
            self.temporary = None;
        }
        Ok(())
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            // An error here cannot be reported; a leftover is removed by the next run.
            let _ = self.folder.remove(temporary);
        }
    }
}

/// Creates an empty file in the place of whatever has that name, and opens it for writing.
pub fn create_in_place(path: &Path) -> io::Result<File> {
    let new = NewFile::create(path)?;
    let file = new.handle()?;
    new.keep()?;
    Ok(file)
}

/// Opens a file for reading and writing from its start, to continue it; creates it if it does not exist.
pub fn open_to_continue(path: &Path) -> io::Result<File> {
    let (folder, name) = folder_and_name(path)?;
    let mut file = match folder.kind(name)? {
        None => return create_in_place(path),
        Some(Kind::Link) => return Err(is_link("the file itself")),
        Some(Kind::Folder | Kind::Other) => return Err(not_a_file()),
        Some(Kind::File) => folder.open_existing(name)?,
    };
    if !file.metadata()?.is_file() {
        return Err(not_a_file());
    }
    if !has_second_name(&file)? {
        return Ok(file);
    }
    let new = NewFile::create(path)?;
    let mut copy = new.handle()?;
    io::copy(&mut file, &mut copy)?;
    copy.rewind()?;
    new.keep()?;
    Ok(copy)
}

/// Returns an error if files cannot be created in a folder.
pub fn check_writable(folder: &Path) -> Result<(), DiskError> {
    NewFile::create(&folder.join(PROBE)).map(drop).map_err(|e| DiskError::new("write to", folder, e))
}

/// Creates a folder and those above it. One that exists must not be a link.
pub fn make_folder(path: &Path) -> Result<(), DiskError> {
    let failed = |e| DiskError::new("create the folder", path, e);
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => return Err(failed(is_link("a folder"))),
        Ok(found) if found.is_dir() => return Ok(()),
        _ => {}
    }
    fs::create_dir_all(path).map_err(failed)?;
    Folder::open(path).map(drop).map_err(failed)
}

/// Creates a folder that must not exist.
pub fn make_new_folder(path: &Path) -> io::Result<()> {
    fs::create_dir(path)
}

/// Returns the folder that a folder named by the user leads to: the same path, or the full path of its target
/// if it is a link.
pub fn resolve_folder(path: &Path) -> io::Result<PathBuf> {
    // Without a slash at the end, behind which the system follows a link.
    let plain: PathBuf = path.components().collect();
    match fs::symlink_metadata(&plain) {
        Ok(found) if found.is_symlink() => fs::canonicalize(&plain),
        _ => Ok(path.to_owned()),
    }
}

/// Returns whether a path is a symbolic link, or a junction on Windows.
pub fn is_a_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink())
}

/// Removes the files in a folder whose names match; links are removed, not what they lead to. The folder need
/// not exist.
pub fn remove_files(folder: &Path, wanted: impl Fn(&str) -> bool) -> Result<(), DiskError> {
    let handle = match Folder::open(folder) {
        Ok(handle) => handle,
        // Someone's file with that name is an error only where a folder is needed.
        Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(()),
        Err(e) => return Err(DiskError::new("remove files from", folder, e)),
    };
    for entry in fs::read_dir(folder).map_err(|e| DiskError::new("read", folder, e))?.flatten() {
        let name = entry.file_name();
        if wanted(&name.to_string_lossy()) {
            match handle.remove(&name) {
                Err(e) if e.kind() != ErrorKind::NotFound => {
                    return Err(DiskError::new("remove", &entry.path(), e));
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// Removes a file or a link, which need not exist. A folder with that name stays.
pub fn remove_file(path: &Path) -> Result<(), DiskError> {
    let removed = folder_and_name(path).and_then(|(folder, name)| match folder.kind(name)? {
        Some(Kind::Folder) => Ok(()),
        _ => folder.remove(name),
    });
    match removed {
        Err(e) if e.kind() != ErrorKind::NotFound => Err(DiskError::new("remove", path, e)),
        _ => Ok(()),
    }
}

/// Removes a folder if it is empty.
pub fn remove_empty_folder(path: &Path) {
    // Fails if the folder contains other files, which then stay.
    let _ = fs::remove_dir(path);
}

/// The name of the file that [`check_writable`] creates for a moment.
const PROBE: &str = "octide-probe";

/// `0007.ply` is written as `.0007.ply.0123456789abcdef.part`.
fn temporary_name(name: &OsStr) -> OsString {
    // Each state has other keys, which come from the system's source of random numbers.
    let random = RandomState::new().hash_one(0);
    let mut temporary = OsString::from(".");
    temporary.push(name);
    temporary.push(format!(".{random:016x}.part"));
    temporary
}

/// Returns the final name of a temporary file, of this version or of an earlier one: `.0007.ply.part`,
/// `0007.png.tmp`.
pub(crate) fn final_name(temporary: &str) -> Option<&str> {
    let Some(name) = temporary.strip_prefix('.').and_then(|n| n.strip_suffix(".part")) else {
        return temporary.strip_suffix(".tmp");
    };
    let is_random = |end: &str| end.len() == 16 && end.bytes().all(|b| b.is_ascii_hexdigit());
    match name.rsplit_once('.') {
        Some((start, end)) if is_random(end) => Some(start),
        _ => Some(name),
    }
}

/// Returns whether a file was left by [`check_writable`].
pub(crate) fn is_probe(name: &str) -> bool {
    final_name(name) == Some(PROBE)
}

/// What a name in a folder stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    File,
    Folder,
    Link,
    /// A pipe, a device, a socket.
    Other,
}

fn folder_and_name(path: &Path) -> io::Result<(Folder, &OsStr)> {
    let name =
        path.file_name().ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "it has no file name"))?;
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    Ok((Folder::open(folder)?, name))
}

#[cfg(unix)]
fn has_second_name(file: &File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    Ok(file.metadata()?.nlink() > 1)
}

/// The standard library cannot tell.
#[cfg(not(unix))]
fn has_second_name(_: &File) -> io::Result<bool> {
    Ok(false)
}

fn is_link(instead: &str) -> io::Error {
    let what = format!("it is a link, and octide writes through no link; put {instead} in its place");
    io::Error::new(ErrorKind::InvalidInput, what)
}

fn not_a_file() -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, "it is not a regular file; move it away")
}
