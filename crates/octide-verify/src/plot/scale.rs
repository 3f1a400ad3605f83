//! Maps numbers to positions along an axis, and chooses its ticks.

use super::{Axis, Scale};
use crate::number;

/// An axis fitted to its numbers.
pub(super) struct Fitted {
    scale: Scale,
    /// Ends, in logarithms on a logarithmic axis.
    low: f64,
    high: f64,
    /// Number and label of each mark.
    pub(super) ticks: Vec<(f64, String)>,
}

/// Returns whether an axis can show a number.
pub(super) fn shows(scale: Scale, v: f64) -> bool {
    // Beyond these ends differences overflow.
    v.is_finite() && v.abs() < 1e300 && (scale == Scale::Linear || v > 1e-300)
}

impl Fitted {
    /// Fits an axis to those of `values` that it can show; `None` if it can show none.
    pub(super) fn new(axis: &Axis, values: impl Iterator<Item = f64>) -> Option<Self> {
        let scale = axis.scale;
        let map = |v: f64| if scale == Scale::Log { v.log10() } else { v };
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for v in values.filter(|&v| shows(scale, v)).map(map) {
            (low, high) = (low.min(v), high.max(v));
        }
        if low > high {
            return None;
        }
        let room = match scale {
            Scale::Log => (0.06 * (high - low)).max(0.1),
            // A single value, or equal ones, are centered.
            Scale::Linear if high - low <= 1e-12 * high.abs().max(low.abs()) => {
                0.5 * high.abs().max(low.abs()).max(f64::MIN_POSITIVE * 1e20)
            }
            Scale::Linear => 0.05 * (high - low),
        };
        (low, high) = (low - room, high + room);
        let mut fitted = Self { scale, low, high, ticks: Vec::new() };
        let own = axis.ticks.iter().filter(|&&v| shows(scale, v));
        let mut ticks: Vec<(f64, String)> = own.map(|&v| (v, number::short(v))).collect();
        if ticks.is_empty() {
            ticks = match scale {
                Scale::Linear => linear_ticks(low, high),
                Scale::Log => log_ticks(low, high),
            };
        }
        ticks.retain(|&(v, _)| (0.0..=1.0).contains(&fitted.place(v)));
        fitted.ticks = ticks;
        Some(fitted)
    }

    /// Returns the position of a number that the axis can show: 0 and 1 are its ends.
    pub(super) fn place(&self, v: f64) -> f64 {
        let v = if self.scale == Scale::Log { v.log10() } else { v };
        (v - self.low) / (self.high - self.low)
    }
}

/// Returns about five round numbers, 1, 2 or 5 times a power of ten apart.
fn linear_ticks(low: f64, high: f64) -> Vec<(f64, String)> {
    let rough = (high - low) / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|&s| s >= rough).unwrap_or(rough);
    let first = (low / step).ceil();
    let last = (high / step).floor();
    // A bound, whatever rounding does.
    let n = ((last - first) as usize).min(20);
    (0..=n)
        .map(|i| {
            let v = (first + i as f64) * step;
            // Rounding may leave a tiny number in place of zero.
            let v = if v.abs() < 1e-9 * step { 0.0 } else { v };
            (v, number::short(v))
        })
        .collect()
}

/// Returns powers of ten, with ticks between them if there are few.
fn log_ticks(low: f64, high: f64) -> Vec<(f64, String)> {
    let (first, last) = (low.floor() as i32, high.ceil() as i32);
    let every = ((last - first) / 8).max(1);
    let factors: &[f64] = match high - low {
        d if d < 1.0 => &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0],
        d if d < 2.0 => &[1.0, 2.0, 5.0],
        _ => &[1.0],
    };
    let mut ticks = Vec::new();
    for e in (first..=last).filter(|e| e.rem_euclid(every) == 0) {
        for &f in factors {
            let power = number::power_of_ten(e);
            let label = match (f, e) {
                (1.0, _) => power,
                (_, -2..=3) => number::short(f * 10f64.powi(e)),
                _ => format!("{f}·{power}"),
            };
            ticks.push((f * 10f64.powi(e), label));
        }
    }
    ticks
}
