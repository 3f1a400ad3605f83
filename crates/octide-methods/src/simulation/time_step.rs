//! The length of a step.

/// The length of a step: positive and finite by construction, so that no method is ever asked to step
/// backwards, by nothing, or without end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeStep(f64);

impl TimeStep {
    /// A step of so many seconds; none unless that is positive and finite.
    pub(super) fn new(seconds: f64) -> Option<Self> {
        (seconds > 0.0 && seconds.is_finite()).then_some(Self(seconds))
    }

    /// Its length in seconds.
    pub(super) fn seconds(self) -> f64 {
        self.0
    }

    /// One of `n ≥ 1` equal parts.
    pub(super) fn divided_by(self, n: f64) -> Self {
        debug_assert!(n >= 1.0 && n.is_finite());
        Self(self.0 / n)
    }

    /// Half of it.
    pub(super) fn halved(self) -> Self {
        Self(0.5 * self.0)
    }
}
