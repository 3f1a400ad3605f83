//! Locks the folder of a run, so that only one process writes to it at a time.

use crate::errors::Failure;
use octide_io::printable;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::Duration;

/// A killed process may need a moment to exit, so locking is tried this often.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(100);

/// Keeps other processes out of a folder until it is dropped.
pub struct Lock {
    _folder: Option<File>,
}

impl Lock {
    /// Locks a folder. On systems that cannot lock folders, this does nothing.
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
                "another octide is running in {}; wait until it finishes, stop it with Ctrl-C, or choose another --out",
                printable(&folder)
            ))),
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Self { _folder: Some(file) }),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_locked_for_one_process() {
        let folder = std::env::temp_dir().join(format!("octide-lock-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let first = Lock::take(&folder).unwrap();
        let failure = Lock::take(&folder).err().unwrap();
        assert!(
            failure.code() == 2 && failure.message().contains("another octide is running"),
            "{failure:?}"
        );
        // A process that is about to exit is waited for.
        let going = std::thread::spawn(move || {
            std::thread::sleep(3 * PAUSE);
            drop(first);
        });
        assert!(Lock::take(&folder).is_ok());
        going.join().unwrap();
        std::fs::remove_dir(&folder).unwrap();
    }
}
