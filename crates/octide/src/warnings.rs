//! Warnings about shortened steps: each kind is printed once and then counted.

use octide_core::contract::StepError;

/// Number of steps that had to be shortened, by reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Warnings {
    counts: [u64; 5],
}

const REASONS: [&str; 5] = [
    "the pressure solve failed",
    "values were not finite",
    "volume drifted",
    "the flow became too fast",
    "memory was short",
];

fn reason(trouble: &StepError) -> usize {
    match trouble {
        StepError::Pressure { .. } => 0,
        StepError::NotFinite { .. } => 1,
        StepError::Volume { .. } => 2,
        StepError::Cfl { .. } => 3,
        // These two end a run; no step is shortened for them.
        StepError::Memory { .. } | StepError::Full { .. } => 4,
    }
}

impl Warnings {
    /// Restores the counts of a resumed run.
    pub fn from_counts(counts: [u64; 5]) -> Self {
        Self { counts }
    }

    /// The count for each reason.
    pub fn counts(&self) -> [u64; 5] {
        self.counts
    }

    /// Counts a shortened step; returns whether it is the first for its reason.
    pub fn count(&mut self, trouble: &StepError) -> bool {
        let count = &mut self.counts[reason(trouble)];
        *count += 1;
        *count == 1
    }

    /// Summarizes all counts in a line; none if there are no warnings.
    pub fn summary(&self) -> Option<String> {
        let all: u64 = self.counts.iter().sum();
        let part = |(n, reason): (&u64, &str)| format!("{n}× {reason}");
        let parts: Vec<String> = self.counts.iter().zip(REASONS).filter(|(n, _)| **n > 0).map(part).collect();
        let steps = if all == 1 { "step" } else { "steps" };
        (all > 0).then(|| format!("{all} {steps} had to be shortened: {}", parts.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reason_is_reported_once_and_counted() {
        let mut warnings = Warnings::default();
        assert_eq!(warnings.summary(), None);
        let solve = StepError::Pressure { reason: "so".into(), at: None };
        assert!(warnings.count(&solve) && !warnings.count(&solve));
        assert!(warnings.count(&StepError::Volume { drift: 1.0, limit: 0.5 }));
        let expected = "3 steps had to be shortened: 2× the pressure solve failed, 1× volume drifted";
        assert_eq!(warnings.summary().as_deref(), Some(expected));
        assert_eq!(Warnings::from_counts(warnings.counts()), warnings);
    }
}
