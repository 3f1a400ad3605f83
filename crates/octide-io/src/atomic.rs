//! Atomic files: written under a temporary name in the same folder, then renamed, so that they appear
//! complete or not at all.

use crate::file_error::DiskError;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a file with the content that `fill` writes; `path` is unchanged until all of it has been written.
pub fn write_atomic(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), DiskError> {
    write(path, fill, |_| Ok(()))
}

/// As [`write_atomic`], but safe against power loss: content and name are on disk when it returns.
pub fn write_durable(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), DiskError> {
    write(path, fill, File::sync_all)?;
    sync_folder(path)
}

/// Syncs an existing file to disk.
pub fn sync_file(path: &Path) -> Result<(), DiskError> {
    File::open(path).and_then(|f| f.sync_all()).map_err(|e| DiskError::new("write", path, e))
}

/// Syncs the folder of a file to disk, if the system can.
pub fn sync_folder(file: &Path) -> Result<(), DiskError> {
    match file.parent() {
        Some(folder) if cfg!(unix) => {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            sync_file(folder)
        }
        _ => Ok(()),
    }
}

fn write(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
    finish: impl FnOnce(&File) -> std::io::Result<()>,
) -> Result<(), DiskError> {
    let temporary = temporary_name(path);
    let written = File::create(&temporary)
        .and_then(|file| {
            let mut out = BufWriter::with_capacity(1 << 16, file);
            fill(&mut out)?;
            out.flush()?;
            finish(out.get_ref())
        })
        .and_then(|()| fs::rename(&temporary, path));
    written.map_err(|source| {
        // Report the first error, even if the temporary file cannot be removed.
        let _ = fs::remove_file(&temporary);
        DiskError::new("write", path, source)
    })
}

/// `surface/0007.ply` is written as `surface/.0007.ply.part`.
fn temporary_name(path: &Path) -> PathBuf {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    path.with_file_name(format!(".{name}.part"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let dir = crate::test_dir("atomic");
        let path = dir.join("a.txt");
        write_atomic(&path, |out| out.write_all(b"old")).unwrap();
        let failed = write_atomic(&path, |out| {
            out.write_all(b"new")?;
            Err(io::Error::other("full"))
        });
        assert_eq!(failed.unwrap_err().to_string(), format!("cannot write {}: full", path.display()));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(&dir).unwrap().count(), 1);
    }
}
