//! Parsers for arguments such as `5min`, `8G` and `1280x720`.

use std::ops::RangeInclusive;

/// File numbers, both ends included.
pub type FrameRange = RangeInclusive<u32>;

/// Allowed width and height of pictures, in pixels.
const PICTURE_SIDE: RangeInclusive<u32> = 16..=8192;

/// How often a checkpoint is written.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum CheckpointInterval {
    /// After this many frames.
    Frames(u32),
    /// After this many seconds.
    Seconds(f64),
    /// Never.
    Never,
}

/// Parses `20`, `5min`, `30s` or `never`.
pub fn parse_checkpoint_interval(text: &str) -> Result<CheckpointInterval, String> {
    let seconds = |number: &str, unit: f64| {
        let s = number.trim().parse::<f64>().ok()? * unit;
        (0.0..=1e9).contains(&s).then_some(CheckpointInterval::Seconds(s))
    };
    let every = match text {
        "never" => Some(CheckpointInterval::Never),
        _ if text.ends_with("min") => seconds(&text[..text.len() - 3], 60.0),
        _ if text.ends_with('s') => seconds(&text[..text.len() - 1], 1.0),
        _ => text.parse().ok().filter(|n| *n > 0).map(CheckpointInterval::Frames),
    };
    every.ok_or_else(|| "write a number of frames, or a time such as 5min or 30s, or never".to_owned())
}

/// Parses `KEY=VALUE`.
pub fn parse_override(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().to_owned(), value.trim().to_owned())),
        _ => Err("write KEY=VALUE, such as time.frames=24".to_owned()),
    }
}

/// Parses a number of bytes such as `500M` or `1.5G`; K, M, G and T are powers of a thousand.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let upper = text.trim().to_ascii_uppercase();
    let upper = upper.strip_suffix('B').unwrap_or(&upper);
    let (digits, unit) = match upper.char_indices().last() {
        Some((at, c)) if c.is_ascii_alphabetic() => (&upper[..at], "KMGT".find(c).map(|i| i + 1)),
        _ => (upper, Some(0)),
    };
    let number = digits.trim().parse::<f64>().ok().filter(|x| x.is_finite() && *x > 0.0);
    match (number, unit) {
        (Some(x), Some(power)) => Ok((x * 1000f64.powi(power as i32)) as u64),
        _ => Err("write a number of bytes, with K, M, G or T for thousands, such as 500M or 8G".to_owned()),
    }
}

/// Parses `WxH`.
pub fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let size = text.split_once(['x', 'X', '×']).and_then(|(w, h)| Some([w.parse().ok()?, h.parse().ok()?]));
    match size {
        Some(size) if size.iter().all(|n| PICTURE_SIDE.contains(n)) => Ok(size),
        Some(_) => {
            Err(format!("each side must have {} to {} pixels", PICTURE_SIDE.start(), PICTURE_SIDE.end()))
        }
        None => Err("write width and height, such as 1280x720".to_owned()),
    }
}

/// Parses `A..B`, `A..`, `..B`, or one number.
pub fn parse_range(text: &str) -> Result<FrameRange, String> {
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    let number = |part: &str, default: u32| if part.is_empty() { Some(default) } else { part.parse().ok() };
    match (number(from, 0), number(to, u32::MAX)) {
        (Some(a), Some(b)) if a <= b && !text.is_empty() => Ok(a..=b),
        (Some(a), Some(b)) if a > b => Err(format!("{a} comes after {b}")),
        _ => Err("write the first and the last number, such as 10..20".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkpoint_intervals_are_frames_or_times() {
        assert_eq!(parse_checkpoint_interval("20"), Ok(CheckpointInterval::Frames(20)));
        assert_eq!(parse_checkpoint_interval("1.5min"), Ok(CheckpointInterval::Seconds(90.0)));
        assert_eq!(parse_checkpoint_interval("30s"), Ok(CheckpointInterval::Seconds(30.0)));
        assert_eq!(parse_checkpoint_interval("never"), Ok(CheckpointInterval::Never));
        for bad in ["", "0", "-1", "min", "s", "-3s", "nans", "5h", "infmin"] {
            assert!(parse_checkpoint_interval(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn overrides_need_a_key() {
        assert_eq!(parse_override("a.b = [1=2]"), Ok(("a.b".into(), "[1=2]".into())));
        assert!(parse_override("=3").is_err());
        assert!(parse_override("a").is_err());
    }

    #[test]
    fn bytes_take_powers_of_a_thousand() {
        let good = [
            ("500M", 500_000_000),
            ("1.5g", 1_500_000_000),
            ("2 GB", 2_000_000_000),
            ("4096", 4096),
            ("3K", 3000),
        ];
        for (text, bytes) in good {
            assert_eq!(parse_bytes(text), Ok(bytes), "{text}");
        }
        for bad in ["", "G", "-1G", "0", "nan", "1X", "infG", "1.5.2M", "ü"] {
            assert!(parse_bytes(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sizes_are_two_numbers_within_limits() {
        assert_eq!(parse_size("640x360"), Ok([640, 360]));
        for bad in ["640", "640x", "8x8", "100000x100", "-3x40", "axb"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn ranges_include_both_ends() {
        assert_eq!(parse_range("3..5"), Ok(3..=5));
        assert_eq!(parse_range("3.."), Ok(3..=u32::MAX));
        assert_eq!(parse_range("..5"), Ok(0..=5));
        assert_eq!(parse_range("7"), Ok(7..=7));
        for bad in ["", "5..3", "a..b", "-1..2"] {
            assert!(parse_range(bad).is_err(), "{bad}");
        }
    }
}
