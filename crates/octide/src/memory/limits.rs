//! How much more memory the process can get: the least of what the machine, its control groups (containers)
//! and its own limit leave.

use super::{kilobytes, status};
use std::fs;
use std::path::Path;

/// Bytes that can still be had, where the system tells.
pub fn available() -> Option<u64> {
    [machine(), control_groups(), address_space()].into_iter().flatten().min()
}

fn machine() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let swap = kilobytes(&text, "SwapFree:").unwrap_or(0);
    Some(kilobytes(&text, "MemAvailable:")?.saturating_add(swap))
}

/// The least that is left in the process's control group and in those around it.
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
    // Cached files count as used, but give way.
    let stat = read("memory.stat").unwrap_or_default();
    let cached = ["inactive_file ", "active_file "]
        .iter()
        .filter_map(|key| stat.lines().find_map(|line| line.strip_prefix(key))?.trim().parse::<u64>().ok())
        .sum();
    Some(max.saturating_sub(current.saturating_sub(cached)))
}

/// What `ulimit -v` leaves.
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
    fn there_is_some_memory_and_not_more_than_the_machine_has() {
        let text = fs::read_to_string("/proc/meminfo").unwrap();
        let all = kilobytes(&text, "MemTotal:").unwrap() + kilobytes(&text, "SwapTotal:").unwrap_or(0);
        let left = available().unwrap();
        assert!(left > 1 << 20 && left <= all, "{left} of {all}");
    }
}
