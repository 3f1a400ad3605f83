//! Why a simulation cannot go on.

use octide_core::DVec3;
use octide_core::contract::StepError;
use thiserror::Error;

/// Why a simulation cannot go on. It stays where it was before the step that failed.
#[derive(Debug, Error)]
pub enum SimulationError {
    /// A step needs more memory than the limit allows.
    #[error("memory would run out at {time:.6} s: {source}")]
    Memory {
        /// Simulated seconds before the step.
        time: f64,
        /// What would need how much.
        source: StepError,
    },
    /// The scene demands what no step can do.
    #[error("the simulation cannot go on at {time:.6} s: {source}")]
    Impossible {
        /// Simulated seconds before the step.
        time: f64,
        /// Why, and what to do.
        source: StepError,
    },
    /// A step failed, and shorter ones failed too.
    #[error(
        "the simulation failed at {time:.6} s: {source}; shorter steps down to {shortest:.2e} s did not help"
    )]
    Failed {
        /// Simulated seconds before the step.
        time: f64,
        /// The shortest step that was tried, in seconds.
        shortest: f64,
        /// Why that one failed.
        source: StepError,
    },
    /// The fluid is so fast that stable steps are too short to ever reach the next frame.
    #[error(
        "the simulation failed at {time:.6} s, before a step: the flow near {at} or a moving solid is so fast that \
         stable steps are only {max_dt:.2e} s long, and it would take more than {max_steps} of them to reach {end:.6} s"
    )]
    TooFast {
        /// Simulated seconds.
        time: f64,
        /// The time to reach.
        end: f64,
        /// The longest stable step in seconds.
        max_dt: f64,
        /// The number of steps that are allowed.
        max_steps: u32,
        /// Where the fluid is fastest.
        at: DVec3,
    },
    /// The time to reach is not ahead.
    #[error("the simulation is at {time:.6} s and cannot step back to {end:.6} s")]
    TimePassed {
        /// Simulated seconds.
        time: f64,
        /// The time to reach.
        end: f64,
    },
}
