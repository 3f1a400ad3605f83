//! Why a step could not be taken.

use glam::DVec3;
use thiserror::Error;

/// Why a step could not be taken.
#[derive(Debug, Error)]
pub enum StepError {
    /// The pressure solve did not converge or met bad numbers.
    #[error("the pressure solve failed{}: {reason}", at.map_or_else(String::new, |at| format!(" near {at}")))]
    Pressure {
        /// What the solvers said.
        reason: String,
        /// Where the equations are met the least; none where there are no equations.
        at: Option<DVec3>,
    },
    /// A value that is not a number or infinite.
    #[error("{field} is not finite near {at} after {stage}")]
    NotFinite {
        /// The quantity.
        field: &'static str,
        /// The stage that left it.
        stage: &'static str,
        /// Where.
        at: DVec3,
    },
    /// The flow became so fast within the step that it cannot have been a good one.
    #[error("the flow near {at} would cross {cells:.0} cells in a step of {dt:.2e} s after projection")]
    Cfl {
        /// Cells that it would cross in another step of the same length.
        cells: f64,
        /// The step's length in seconds.
        dt: f64,
        /// Where it is fastest.
        at: DVec3,
    },
    /// More memory would be taken than there may be.
    #[error("{what} needs about {} in all, past the limit of {}", megabytes(*needed), megabytes(*limit))]
    Memory {
        /// What was asked for, such as `a tree of 1000 cells`.
        what: String,
        /// Bytes that the process would hold, at least.
        needed: u64,
        /// Bytes that it may hold.
        limit: u64,
    },
    /// Volume was lost or gained past the scene's limit.
    #[error("the liquid's volume drifted by {} %, past the limit of {} %", digits(*drift), digits(*limit))]
    Volume {
        /// Percent.
        drift: f64,
        /// Percent.
        limit: f64,
    },
}

/// A number with at least three digits that count.
fn digits(x: f64) -> String {
    let behind = 2.0 - x.abs().log10().floor();
    // What is not finite or next to nothing has no such number of places.
    let behind = if behind.is_finite() { behind.clamp(2.0, 20.0) as usize } else { 2 };
    format!("{x:.behind$}")
}

fn megabytes(n: u64) -> String {
    let x = n as f64;
    if n < 1_000_000_000 { format!("{:.0} MB", x / 1e6) } else { format!("{:.2} GB", x / 1e9) }
}
