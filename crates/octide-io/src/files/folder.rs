//! An open folder, and what can be done with the names in it.

#[cfg(unix)]
pub(super) use by_handle::Folder;
#[cfg(not(unix))]
pub(super) use by_name::Folder;

/// Everything is relative to the handle of the folder.
#[cfg(unix)]
mod by_handle {
    use super::super::{Kind, is_link};
    use rustix::fs::{AtFlags, FileType, Mode, OFlags, openat, renameat, statat, unlinkat};
    use rustix::io::Errno;
    use std::ffi::OsStr;
    use std::fs::File;
    use std::io;
    use std::os::fd::OwnedFd;
    use std::path::Path;

    /// As the standard library creates files; the user's mask takes rights away.
    const NEW_FILE_MODE: u32 = 0o666;

    #[derive(Debug)]
    pub struct Folder(OwnedFd);

    impl Folder {
        /// Opens a folder, which must not be a link; those above it may be.
        pub fn open(path: &Path) -> io::Result<Self> {
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            match rustix::fs::open(path, flags, Mode::empty()) {
                Ok(handle) => Ok(Self(handle)),
                // Systems name a link by different errors here.
                Err(_) if super::super::is_a_link(path) => Err(is_link("a folder")),
                Err(e) => Err(e.into()),
            }
        }

        /// Returns what has that name, without following a link; none if there is nothing.
        pub fn kind(&self, name: &OsStr) -> io::Result<Option<Kind>> {
            match statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) => Ok(Some(match FileType::from_raw_mode(stat.st_mode) {
                    FileType::RegularFile => Kind::File,
                    FileType::Directory => Kind::Folder,
                    FileType::Symlink => Kind::Link,
                    _ => Kind::Other,
                })),
                Err(Errno::NOENT) => Ok(None),
                Err(e) => Err(e.into()),
            }
        }

        pub fn create_new(&self, name: &OsStr) -> io::Result<File> {
            let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            Ok(openat(&self.0, name, flags, Mode::from_raw_mode(NEW_FILE_MODE))?.into())
        }

        /// Opens a file for reading and writing; a link is an error.
        pub fn open_existing(&self, name: &OsStr) -> io::Result<File> {
            // Without NONBLOCK, a pipe that took the file's place could block here.
            let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
            Ok(openat(&self.0, name, flags, Mode::empty())?.into())
        }

        pub fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
            Ok(renameat(&self.0, from, &self.0, to)?)
        }

        pub fn remove(&self, name: &OsStr) -> io::Result<()> {
            Ok(unlinkat(&self.0, name, AtFlags::empty())?)
        }
    }
}

/// Everything is by path, after a check for links.
#[cfg(not(unix))]
mod by_name {
    use super::super::{Kind, is_a_link, is_link};
    use std::ffi::OsStr;
    use std::fs::{self, File, OpenOptions};
    use std::io;
    use std::path::{Path, PathBuf};

    #[derive(Debug)]
    pub struct Folder(PathBuf);

    impl Folder {
        /// Opens a folder, which must not be a link; those above it may be.
        pub fn open(path: &Path) -> io::Result<Self> {
            if is_a_link(path) {
                return Err(is_link("a folder"));
            }
            fs::metadata(path).map(|_| Self(path.to_owned()))
        }

        /// Returns what has that name, without following a link; none if there is nothing.
        pub fn kind(&self, name: &OsStr) -> io::Result<Option<Kind>> {
            match fs::symlink_metadata(self.0.join(name)) {
                Ok(found) if found.is_symlink() => Ok(Some(Kind::Link)),
                Ok(found) if found.is_dir() => Ok(Some(Kind::Folder)),
                Ok(found) if found.is_file() => Ok(Some(Kind::File)),
                Ok(_) => Ok(Some(Kind::Other)),
                Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(e) => Err(e),
            }
        }

        pub fn create_new(&self, name: &OsStr) -> io::Result<File> {
            OpenOptions::new().read(true).write(true).create_new(true).open(self.0.join(name))
        }

        /// Opens a file for reading and writing; a link is an error.
        pub fn open_existing(&self, name: &OsStr) -> io::Result<File> {
            let path = self.0.join(name);
            let mut options = OpenOptions::new();
            options.read(true).write(true);
            open_the_link_itself(&mut options);
            let file = options.open(path)?;
            if file.metadata()?.is_symlink() { Err(is_link("the file itself")) } else { Ok(file) }
        }

        pub fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
            fs::rename(self.0.join(from), self.0.join(to))
        }

        pub fn remove(&self, name: &OsStr) -> io::Result<()> {
            fs::remove_file(self.0.join(name))
        }
    }

    #[cfg(windows)]
    fn open_the_link_itself(options: &mut OpenOptions) {
        use std::os::windows::fs::OpenOptionsExt;
        const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
        options.custom_flags(FILE_FLAG_OPEN_REPARSE_POINT);
    }

    #[cfg(not(windows))]
    fn open_the_link_itself(_: &mut OpenOptions) {}
}
