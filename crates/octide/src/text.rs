//! Lines for people, and numbers in them.

use std::io::{Write, stdout};

/// Prints a line. A reader that has gone away, such as `head`, is no error.
pub fn print_line(line: &str) {
    let _ = writeln!(stdout(), "{line}");
}

/// `25.8 k`, `1.05 M`.
pub fn count(n: usize) -> String {
    let x = n as f64;
    match n {
        0..10_000 => n.to_string(),
        10_000..1_000_000 => format!("{:.1} k", x / 1e3),
        _ => format!("{:.2} M", x / 1e6),
    }
}

/// Bytes as MB or GB.
pub fn bytes(n: u64) -> String {
    let x = n as f64;
    if n < 1_000_000_000 { format!("{:.0} MB", (x / 1e6).ceil()) } else { format!("{:.2} GB", x / 1e9) }
}

/// `12 s`, `3 min 20 s`, `2 h 5 min`.
pub fn duration(seconds: f64) -> String {
    if seconds < 9.95 {
        return format!("{seconds:.1} s");
    }
    // Casting saturates; a duration that long is wrong anyway.
    let s = seconds.round() as u64;
    match s {
        0..60 => format!("{s} s"),
        60..3600 => format!("{} min {} s", s / 60, s % 60),
        _ => format!("{} h {} min", s / 3600, s % 3600 / 60),
    }
}

/// A relative change in percent with its sign.
pub fn percent(relative: f64) -> String {
    // No minus before what is shown as zero.
    let hundredths = (1e4 * relative).round() + 0.0;
    format!("{:+.2} %", hundredths / 100.0)
}

/// A length in the unit that suits it.
pub fn length(meters: f64) -> String {
    let (x, unit) = match meters {
        m if m < 1e-3 => (m * 1e6, "µm"),
        m if m < 1.0 => (m * 1e3, "mm"),
        m => (m, "m"),
    };
    let digits = (2 - x.abs().log10().floor() as i32).clamp(0, 3) as usize;
    format!("{x:.digits$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_three_figures_or_so() {
        assert_eq!([9_999, 25_812, 1_048_576].map(count), ["9999", "25.8 k", "1.05 M"]);
        assert_eq!([1, 106_000_000, 2_400_000_000].map(bytes), ["1 MB", "106 MB", "2.40 GB"]);
        assert_eq!(
            [0.49, 59.6, 200.0, 7501.0].map(duration),
            ["0.5 s", "1 min 0 s", "3 min 20 s", "2 h 5 min"]
        );
        assert_eq!([-0.0012, 0.05, -1e-6].map(percent), ["-0.12 %", "+5.00 %", "+0.00 %"]);
        assert_eq!([0.0078125, 2e-5, 12.5].map(length), ["7.81 mm", "20.0 µm", "12.5 m"]);
    }
}
