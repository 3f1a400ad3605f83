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
        // These end a run; no step is shortened for them.
        StepError::Memory { .. }
        | StepError::Full { .. }
        | StepError::Squeezed { .. }
        | StepError::Mesh { .. } => 4,
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

/// Drift of the volume, as a fraction, from which on a run warns.
const MUCH_DRIFT: f64 = 0.05;

/// The warning about a volume that has drifted, which a run prints once.
#[derive(Clone, Copy, Debug, Default)]
pub struct DriftWarning {
    is_printed: bool,
}

impl DriftWarning {
    /// Returns the warning if the relative `drift` after a step is large for the first time; `limit` is the
    /// drift at which the run ends.
    pub fn after_step(&mut self, step: u64, drift: f64, limit: f64) -> Option<String> {
        if self.is_printed || drift.abs() <= MUCH_DRIFT {
            return None;
        }
        self.is_printed = true;
        Some(format!(
            "the liquid's volume has drifted by {:.1} % at step {step}: initial volume, inflow and outflow no longer \
             explain it; the run ends at {:.1} %. Raise `resolution`, or lower `time.cfl`",
            100.0 * drift,
            100.0 * limit
        ))
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

    #[test]
    fn a_large_drift_is_reported_once_with_its_figure() {
        let mut warning = DriftWarning::default();
        assert_eq!(warning.after_step(1, -0.049, 0.2), None);
        let text = warning.after_step(7, -0.0512, 0.2).unwrap();
        assert!(text.contains("-5.1 % at step 7") && text.contains("ends at 20.0 %"), "{text}");
        assert_eq!(warning.after_step(8, 0.19, 0.2), None);
    }
}
