//! One run in a folder at a time: the folder is locked for as long as the process lives.

use crate::errors::Failure;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::Duration;

/// A process that was killed may take a moment to be gone.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(100);

/// Keeps others out of a folder until it is dropped.
pub struct Lock {
    _folder: Option<File>,
}

impl Lock {
    /// Locks a folder. Systems that lock no folders let everyone in.
    pub fn take(folder: &Path) -> Result<Self, Failure> {
        let Ok(file) = File::open(folder) else { return Ok(Self { _folder: None }) };
        for _ in 1..TRIES {
            if !matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
                return Ok(Self { _folder: Some(file) });
            }
            std::thread::sleep(PAUSE);
        }
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(Failure::Input(format!(
                "another octide is running in {}; wait for its end, end it by Ctrl-C, or choose another --out",
                folder.display()
            ))),
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Self { _folder: Some(file) }),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_for_one() {
        let folder = std::env::temp_dir().join(format!("octide-lock-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let first = Lock::take(&folder).unwrap();
        let told = Lock::take(&folder).err().unwrap();
        assert!(told.code() == 2 && told.message().contains("another octide is running"), "{told:?}");
        // One that is just going away is waited for.
        let going = std::thread::spawn(move || {
            std::thread::sleep(3 * PAUSE);
            drop(first);
        });
        assert!(Lock::take(&folder).is_ok());
        going.join().unwrap();
        std::fs::remove_dir(&folder).unwrap();
    }
}
