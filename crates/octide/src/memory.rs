//! Memory of this process and of the machine in bytes, read from `/proc` on Linux; `None` on other systems.

mod limits;

pub use limits::available;

use crate::errors::Failure;
use std::fs;

/// Bytes that a process needs to start besides its worker threads: three threads that wait for Ctrl-C, watch
/// memory and draw progress, and what they read.
pub const START_BYTES: u64 = 8 << 20;

/// Address space of a thread: its stack and the page that guards it.
pub const THREAD_BYTES: u64 = (2 << 20) + (4 << 10);

/// Returns an error if so many bytes are not left, which are needed `to` do something.
pub fn require(needed: u64, to: &str) -> Result<(), Failure> {
    match available() {
        Some(left) if left < needed => Err(Failure::Memory(format!(
            "not enough memory to {to}: that needs {:.1} MB more, and {:.1} MB are left; allow octide more memory \
             (ulimit -v, or the limit of its container), or close other programs",
            needed as f64 / 1e6,
            left as f64 / 1e6
        ))),
        _ => Ok(()),
    }
}

/// Memory that the process uses now.
pub fn resident() -> Option<u64> {
    kilobytes(&status()?, "VmRSS:")
}

/// The most memory that the process has used since it started or since [`reset_peak`].
pub fn peak() -> Option<u64> {
    kilobytes(&status()?, "VmHWM:")
}

/// Resets [`peak`] to the memory used now. If the system cannot do that, the peak remains that of the
/// process.
pub fn reset_peak() {
    if cfg!(target_os = "linux") {
        #[allow(clippy::disallowed_methods, reason = "this is no file, but a switch of the system")]
        let _ = fs::write("/proc/self/clear_refs", "5");
    }
}

fn status() -> Option<String> {
    fs::read_to_string("/proc/self/status").ok()
}

/// The value of a line such as `VmRSS:   1234 kB`.
fn kilobytes(text: &str, key: &str) -> Option<u64> {
    let value = text.lines().find_map(|line| line.strip_prefix(key))?;
    value.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn allocated_memory_is_measured() {
        let before = resident().unwrap();
        let held = vec![1u8; 200 << 20];
        let after = resident().unwrap();
        assert!(after > before + (150 << 20), "{before} {after}");
        assert!(peak().unwrap() >= after - (10 << 20));
        assert_eq!(held.iter().map(|&b| u64::from(b)).sum::<u64>(), 200 << 20);
    }

    #[test]
    fn malformed_lines_give_none() {
        assert_eq!(kilobytes("VmRSS:\t  12 kB\n", "VmRSS:"), Some(12 * 1024));
        assert_eq!(kilobytes("VmRSS:\t  many\n", "VmRSS:"), None);
        assert_eq!(kilobytes("", "VmRSS:"), None);
    }
}
