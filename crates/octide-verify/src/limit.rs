//! Limits of measured numbers, and what is expected of them.

use crate::number;
use serde_json::{Value, json};

/// The range in which a measured number must be.
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
    /// No limit: the number is reported only.
    Reported,
}

impl Limit {
    /// Returns whether a number is within the limit. A number that is not finite never is.
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

    /// Returns a text such as `≥ 1.9`; empty if there is no limit.
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

    /// Returns the limit as JSON; null if there is no limit.
    pub fn json(self) -> Value {
        match self {
            Self::AtMost(a) => json!({ "at_most": a }),
            Self::AtLeast(a) => json!({ "at_least": a }),
            Self::Within(a, b) => json!({ "within": [a, b] }),
            Self::RelativeError(a) => json!({ "relative_error_at_most": a }),
            Self::Reported => Value::Null,
        }
    }

    /// Reads what [`Limit::json`] wrote.
    pub fn from_json(value: &Value) -> Option<Self> {
        let Value::Object(map) = value else { return value.is_null().then_some(Self::Reported) };
        let (key, x) = map.iter().next()?;
        match key.as_str() {
            "at_most" => Some(Self::AtMost(x.as_f64()?)),
            "at_least" => Some(Self::AtLeast(x.as_f64()?)),
            "within" => Some(Self::Within(x.get(0)?.as_f64()?, x.get(1)?.as_f64()?)),
            "relative_error_at_most" => Some(Self::RelativeError(x.as_f64()?)),
            _ => None,
        }
    }
}

/// What is known about a limit before the run.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Expectation {
    /// It holds.
    #[default]
    Holds,
    /// It does not hold, with the reason. If it does hold, that is an alarm.
    KnownToFail(String),
    /// It cannot be measured without this feature, which is missing.
    NotAvailable(String),
}
