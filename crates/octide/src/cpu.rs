//! CPU time of the process: user and system seconds of all threads, as Linux reports them. Other systems use
//! wall time instead.

use std::fs;
use std::time::Instant;

/// Linux reports CPU time in hundredths of a second, whatever its internal clock rate is.
const TICKS_PER_SECOND: f64 = 100.0;

/// A stopwatch for CPU and wall time.
pub struct Clock {
    cpu: Option<f64>,
    wall: Instant,
}

impl Clock {
    /// Starts now.
    pub fn start() -> Self {
        Self { cpu: cpu_seconds(), wall: Instant::now() }
    }

    /// CPU and wall seconds since the start.
    pub fn read(&self) -> (f64, f64) {
        let wall = self.wall.elapsed().as_secs_f64();
        let cpu = self.cpu.zip(cpu_seconds()).map_or(wall, |(then, now)| now - then);
        (cpu, wall)
    }
}

fn cpu_seconds() -> Option<f64> {
    ticks(&fs::read_to_string("/proc/self/stat").ok()?).map(|t| t / TICKS_PER_SECOND)
}

/// Returns the sum of fields 14 and 15. The second field is a name in brackets that may contain anything, so
/// counting starts after it.
fn ticks(stat: &str) -> Option<f64> {
    let mut fields = stat[stat.rfind(')')? + 1..].split_whitespace().skip(11);
    let mut next = || fields.next()?.parse::<f64>().ok();
    Some(next()? + next()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_brackets_do_not_confuse_the_fields() {
        let stat = "7 (a) b) S 1 2 3 4 5 6 7 8 9 10 120 34 0 0";
        assert_eq!(ticks(stat), Some(154.0));
        assert_eq!(ticks("7 (a) S 1 2"), None);
    }

    #[test]
    fn work_takes_time() {
        let clock = Clock::start();
        let mut x = 1u64;
        while clock.read().1 < 0.1 {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(x >> 7);
        }
        let (cpu, wall) = clock.read();
        assert!(cpu >= 0.02 && wall >= 0.1 && x != 0, "{cpu} {wall}");
    }
}
