//! Memory of this process and of the machine, in bytes, as Linux tells it under `/proc`. Other systems are
//! not asked: every figure is `None` there.

mod limits;

pub use limits::available;

use std::fs;

/// What the process holds now.
pub fn resident() -> Option<u64> {
    kilobytes(&status()?, "VmRSS:")
}

/// The most that the process held since it began or since [`reset_peak`].
pub fn peak() -> Option<u64> {
    kilobytes(&status()?, "VmHWM:")
}

/// Starts [`peak`] anew from what is held now. Where that is not possible the peak stays that of the process.
pub fn reset_peak() {
    if cfg!(target_os = "linux") {
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
    fn what_is_held_shows() {
        let before = resident().unwrap();
        let held = vec![1u8; 200 << 20];
        let after = resident().unwrap();
        assert!(after > before + (150 << 20), "{before} {after}");
        assert!(peak().unwrap() >= after - (10 << 20));
        assert_eq!(held.iter().map(|&b| u64::from(b)).sum::<u64>(), 200 << 20);
    }

    #[test]
    fn lines_without_a_value_are_none() {
        assert_eq!(kilobytes("VmRSS:\t  12 kB\n", "VmRSS:"), Some(12 * 1024));
        assert_eq!(kilobytes("VmRSS:\t  many\n", "VmRSS:"), None);
        assert_eq!(kilobytes("", "VmRSS:"), None);
    }
}
