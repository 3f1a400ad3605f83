//! How much more memory the process can get: the minimum of what is left on the machine, in its control
//! groups (containers), and of its own address space limit.

use super::{kilobytes, status};
use std::fs;
use std::path::Path;

/// Bytes that are still available, if the system reports it.
pub fn available() -> Option<u64> {
    [machine(), control_groups(), address_space()].into_iter().flatten().min()
}

fn machine() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let swap = kilobytes(&text, "SwapFree:").unwrap_or(0);
    Some(kilobytes(&text, "MemAvailable:")?.saturating_add(swap))
}

/// The least memory left in the control group of the process and its parents.
fn control_groups() -> Option<u64> {
    let own = fs::read_to_string("/proc/self/cgroup").ok()?;
    let path = own.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let root = Path::new("/sys/fs/cgroup");
    root.join(path).ancestors().take_while(|p| p.starts_with(root)).filter_map(left_in).min()
}

fn left_in(group: &Path) -> Option<u64> {
    let read = |name: &str| fs::read_to_string(group.join(name)).ok();
    let max: u64 = read("memory.max")?.trim().parse().ok()?;
    let current: u64 = read("memory.current")?.trim().parse().ok()?;
    // Cached files count as used, but can be evicted.
    let stat = read("memory.stat").unwrap_or_default();
    let cached = ["inactive_file ", "active_file "]
        .iter()
        .filter_map(|key| stat.lines().find_map(|line| line.strip_prefix(key))?.trim().parse::<u64>().ok())
        .sum();
    Some(max.saturating_sub(current.saturating_sub(cached)))
}

/// What `ulimit -v` leaves to the process.
fn address_space() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let limit: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(limit.saturating_sub(kilobytes(&status()?, "VmSize:")?))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn available_memory_is_positive_and_at_most_that_of_the_machine() {
        let text = fs::read_to_string("/proc/meminfo").unwrap();
        let all = kilobytes(&text, "MemTotal:").unwrap() + kilobytes(&text, "SwapTotal:").unwrap_or(0);
        let left = available().unwrap();
        assert!(left > 1 << 20 && left <= all, "{left} of {all}");
    }
}
