//! Ranges of numbers, and how messages and the reference state them.

/// The numbers that a key accepts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Range {
    pub min: f64,
    pub max: f64,
    /// Whether the two ends themselves are excluded.
    pub open: bool,
}

impl Range {
    pub const ANY: Self = Self { min: f64::NEG_INFINITY, max: f64::INFINITY, open: true };
    pub const POSITIVE: Self = Self { min: 0.0, max: f64::INFINITY, open: true };
    pub const NOT_NEGATIVE: Self = Self { min: 0.0, max: f64::INFINITY, open: false };

    /// Returns the range from `min` to `max`, both included.
    pub const fn within(min: f64, max: f64) -> Self {
        Self { min, max, open: false }
    }

    /// Returns the range from `min` to `max`, both excluded.
    pub const fn between(min: f64, max: f64) -> Self {
        Self { min, max, open: true }
    }

    /// Returns whether `x` is a finite number in the range.
    pub fn contains(self, x: f64) -> bool {
        x.is_finite() && if self.open { x > self.min && x < self.max } else { x >= self.min && x <= self.max }
    }

    /// Completes the sentence "the number must be …".
    pub fn in_words(self) -> String {
        let Self { min, max, open } = self;
        match (min.is_finite(), max.is_finite(), open) {
            (false, _, _) => "finite".to_owned(),
            (true, false, true) => format!("greater than {min}"),
            (true, false, false) => format!("at least {min}"),
            (true, true, true) => format!("greater than {min} and less than {max}"),
            (true, true, false) => format!("from {min} to {max}"),
        }
    }

    /// Returns the range as the tables of the reference show it; `None` if every number is accepted.
    pub fn in_symbols(self) -> Option<String> {
        let Self { min, max, open } = self;
        Some(match (min.is_finite(), max.is_finite(), open) {
            (false, _, _) => return None,
            (true, false, true) => format!("> {min}"),
            (true, false, false) => format!("≥ {min}"),
            (true, true, true) => format!("> {min}, < {max}"),
            (true, true, false) => format!("{min} to {max}"),
        })
    }
}
