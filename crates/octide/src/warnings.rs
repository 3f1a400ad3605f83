//! Warnings about shortened steps, a volume that drifts and air that collapses: each kind is printed once, and steps are
//! then counted.

use crate::remedy::against_drift;
use octide_core::contract::{CollapseReason, CollapsingAir, StepError};
use octide_core::scene::Scene;

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
    /// Returns the warning if the relative `drift` after a step is large for the first time.
    pub fn after_step(&mut self, step: u64, drift: f64, scene: &Scene) -> Option<String> {
        if self.is_printed || drift.abs() <= MUCH_DRIFT {
            return None;
        }
        self.is_printed = true;
        Some(format!(
            "the liquid's volume has drifted by {:.1} % at step {step}: initial volume, inflow and outflow no longer \
             explain it; the run ends at {:.1} %. {}",
            100.0 * drift,
            100.0 * scene.numerics.max_volume_drift,
            against_drift(scene)
        ))
    }
}

/// The warning about shut-in air that collapses, which a run prints once.
#[derive(Clone, Copy, Debug, Default)]
pub struct CollapseWarning {
    is_printed: bool,
}

impl CollapseWarning {
    /// Returns the warning if shut-in air collapses in a step for the first time.
    pub fn after_step(&mut self, step: u64, air: Option<CollapsingAir>) -> Option<String> {
        let CollapsingAir { center, volume, reason } = air.filter(|_| !self.is_printed)?;
        self.is_printed = true;
        let why = match reason {
            CollapseReason::NoSolid => {
                "it touches no solid, and only air at solids has a pressure of its own. If the scene starts with this \
                 bubble, fill it with liquid"
                    .to_owned()
            }
            CollapseReason::TooMany { most } => format!(
                "only the {most} largest pockets at solids have a pressure of their own. Give the others a hole at their \
                 top, or fill them with liquid"
            ),
            CollapseReason::TooFast => {
                "water would have to flow much faster to keep it. Raise `resolution`, or lower `time.cfl`".to_owned()
            }
        };
        Some(format!(
            "water fills {volume:.2e} m³ of air that is shut in around ({:.3}, {:.3}, {:.3}) m at step {step}: {why}. Other air \
             that collapses is not reported",
            center.x, center.y, center.z
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use octide_core::geometry::{Motion, Shape};
    use octide_core::scene::{Solid, VolumeCorrection};

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
        let mut scene = Scene::empty("octree", glam::DVec3::ONE, 16, 1);
        scene.numerics.max_volume_drift = 0.2;
        let mut warning = DriftWarning::default();
        assert_eq!(warning.after_step(1, -0.049, &scene), None);
        let text = warning.after_step(7, -0.0512, &scene).unwrap();
        assert!(text.contains("-5.1 % at step 7") && text.contains("ends at 20.0 %"), "{text}");
        assert!(text.contains("Raise `resolution`"), "{text}");
        assert_eq!(warning.after_step(8, 0.19, &scene), None);
        // A body that moves keeps the volume from being kept cell by cell by default.
        let ball = Shape::Sphere { center: glam::DVec3::splat(0.5), radius: 0.1 };
        let mut body = Solid::still(ball);
        body.motion = Motion::Oscillation { amplitude: glam::DVec3::X, period: 1.0 };
        scene.solids = vec![body];
        let text = DriftWarning::default().after_step(1, 0.1, &scene).unwrap();
        assert!(text.contains("`numerics.volume_correction` to \"local\""), "{text}");
        for other in [("octree", VolumeCorrection::Local), ("nodal-octree", VolumeCorrection::Auto)] {
            (scene.method, scene.numerics.volume_correction) = (other.0.to_owned(), other.1);
            let text = DriftWarning::default().after_step(1, 0.1, &scene).unwrap();
            assert!(text.contains("Raise `resolution`"), "{text}");
        }
    }

    #[test]
    fn collapsing_air_is_reported_once_with_its_place_and_volume() {
        let mut warning = CollapseWarning::default();
        let air = |reason| {
            Some(CollapsingAir { center: glam::DVec3::new(0.5, 0.25, 0.125), volume: 0.0123, reason })
        };
        assert_eq!(warning.after_step(1, None), None);
        let text = warning.after_step(2, air(CollapseReason::NoSolid)).unwrap();
        assert!(text.contains("1.23e-2 m³") && text.contains("(0.500, 0.250, 0.125) m at step 2"), "{text}");
        assert_eq!(warning.after_step(3, air(CollapseReason::TooFast)), None);
        let text =
            CollapseWarning::default().after_step(4, air(CollapseReason::TooMany { most: 4 })).unwrap();
        assert!(text.contains("only the 4 largest"), "{text}");
    }
}
