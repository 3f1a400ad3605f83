//! Limits of measured numbers, and what is expected of them.

use crate::number;
use serde_json::{Value, json};

/// What a measured number must be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Limit {
    /// x ≤ a.
    AtMost(f64),
    /// x ≥ a.
    AtLeast(f64),
    /// a ≤ x ≤ b.
    Within(f64, f64),
    /// |x − expected| ≤ a |expected|. Nothing holds where no value other than zero is expected.
    RelativeError(f64),
    /// Nothing: the number is told.
    Reported,
}

impl Limit {
    /// Whether a number keeps to it; nothing that is not finite does.
    pub fn holds(self, x: f64, expected: Option<f64>) -> bool {
        x.is_finite()
            && match self {
                Self::AtMost(a) => x <= a,
                Self::AtLeast(a) => x >= a,
                Self::Within(a, b) => a <= x && x <= b,
                Self::RelativeError(a) => {
                    expected.is_some_and(|e| e.abs() > 0.0 && (x - e).abs() <= a * e.abs())
                }
                Self::Reported => true,
            }
    }

    /// For people, such as `≥ 1.9`; nothing where there is no limit.
    pub fn text(self) -> String {
        let n = number::short;
        match self {
            Self::AtMost(a) => format!("≤ {}", n(a)),
            Self::AtLeast(a) => format!("≥ {}", n(a)),
            Self::Within(a, b) => format!("{} to {}", n(a), n(b)),
            Self::RelativeError(a) => format!("± {} %", n(100.0 * a)),
            Self::Reported => String::new(),
        }
    }

    /// For programs.
    pub fn json(self) -> Value {
        match self {
            Self::AtMost(a) => json!({ "at_most": a }),
            Self::AtLeast(a) => json!({ "at_least": a }),
            Self::Within(a, b) => json!({ "within": [a, b] }),
            Self::RelativeError(a) => json!({ "relative_error_at_most": a }),
            Self::Reported => Value::Null,
        }
    }
}

/// What is known of a limit before the run.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Expectation {
    /// It holds.
    #[default]
    Holds,
    /// It does not hold, and why. That it does is an alarm.
    KnownToFail(String),
    /// It cannot be measured before this feature is there.
    NotAvailable(String),
}
