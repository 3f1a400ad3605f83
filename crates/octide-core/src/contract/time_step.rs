//! The length of a step.

use std::num::NonZeroU32;
use thiserror::Error;

/// The length of a step: positive and finite by construction, so that no method can be asked to step
/// backwards, by nothing, or without end.
///
/// ```
/// use octide_core::contract::TimeStep;
///
/// assert_eq!(TimeStep::new(0.25)?.halved().seconds(), 0.125);
/// assert!(TimeStep::new(0.0).is_err() && TimeStep::new(-0.25).is_err() && TimeStep::new(f64::NAN).is_err());
/// # Ok::<(), octide_core::contract::InvalidTimeStep>(())
/// ```
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct TimeStep(f64);

/// The error of a length that no step can have.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
#[error("a time step must be positive and finite, not {seconds} s")]
pub struct InvalidTimeStep {
    /// The length in seconds.
    pub seconds: f64,
}

impl TimeStep {
    /// Returns a step of a length in seconds; an error unless it is positive and finite.
    pub fn new(seconds: f64) -> Result<Self, InvalidTimeStep> {
        if seconds > 0.0 && seconds.is_finite() {
            Ok(Self(seconds))
        } else {
            Err(InvalidTimeStep { seconds })
        }
    }

    /// Returns its length in seconds.
    pub fn seconds(self) -> f64 {
        self.0
    }

    /// Returns one of `n` equal parts.
    pub fn divided_by(self, n: NonZeroU32) -> Self {
        // Parts of the shortest steps would be rounded to nothing.
        Self((self.0 / f64::from(n.get())).max(f64::from_bits(1)))
    }

    /// Returns half of it.
    pub fn halved(self) -> Self {
        const TWO: NonZeroU32 = NonZeroU32::MIN.saturating_add(1);
        self.divided_by(TWO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_positive_finite_lengths_are_steps() {
        for seconds in [0.0, -0.0, -1e-300, -0.0417, f64::NEG_INFINITY, f64::INFINITY, f64::NAN] {
            let error = TimeStep::new(seconds).unwrap_err();
            assert!(error.to_string().contains(&format!("not {seconds} s")), "{error}");
        }
        for seconds in [f64::from_bits(1), 1e-300, 0.1, f64::MAX] {
            assert_eq!(TimeStep::new(seconds).unwrap().seconds(), seconds);
        }
    }

    #[test]
    fn parts_are_positive_too() {
        for seconds in [f64::from_bits(1), f64::MIN_POSITIVE, 0.1, f64::MAX] {
            let mut step = TimeStep::new(seconds).unwrap();
            for _ in 0..2000 {
                assert!(step.divided_by(NonZeroU32::MAX).seconds() > 0.0);
                step = step.halved();
                assert!(step.seconds() > 0.0);
            }
        }
        let third = TimeStep::new(0.3).unwrap().divided_by(NonZeroU32::new(3).unwrap());
        assert_eq!(third.seconds(), 0.3 / 3.0);
    }
}
