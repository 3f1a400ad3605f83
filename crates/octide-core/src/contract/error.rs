//! Reasons why a step can fail.

use glam::DVec3;
use thiserror::Error;

/// The reason why a step failed.
#[derive(Debug, Error)]
pub enum StepError {
    /// The pressure solve did not converge or met values that are not finite.
    #[error("the pressure solve failed{}: {reason}", at.map_or_else(String::new, |at| format!(" near {at}")))]
    Pressure {
        /// The messages of the solvers.
        reason: String,
        /// The position where the residual is largest; `None` if there are no equations.
        at: Option<DVec3>,
    },
    /// A value is infinite or not a number.
    #[error("{field} is not finite near {at} after {stage}")]
    NotFinite {
        /// The quantity.
        field: &'static str,
        /// The stage that produced it.
        stage: &'static str,
        /// The position of the value.
        at: DVec3,
    },
    /// The flow became too fast during the step for the step to be accurate.
    #[error("the flow near {at} would cross {cells:.0} cells in a step of {dt:.2e} s after projection")]
    Cfl {
        /// The number of cells that the flow would cross in another step of the same length.
        cells: f64,
        /// The step's length in seconds.
        dt: f64,
        /// The position where the flow is fastest.
        at: DVec3,
    },
    /// The step would exceed the memory limit.
    #[error("{what} needs about {} in all, past the limit of {}", megabytes(*needed), megabytes(*limit))]
    Memory {
        /// What the memory is for, such as `a tree of 1000 cells`.
        what: String,
        /// A lower bound of the bytes that the process would hold.
        needed: u64,
        /// The bytes that the process may hold.
        limit: u64,
    },
    /// An inflow brings water to where there is no room for it. Shorter steps do not help.
    #[error(
        "there is no room{} for the water that an inflow brings: no air and no opening is left that could make room \
         for it; end the inflow earlier, open a side of the domain, or add an outflow",
        at.map_or_else(String::new, |at| format!(" near {at}"))
    )]
    Full {
        /// Where the inflow meets the water that has no room; `None` if it is all of the water.
        at: Option<DVec3>,
    },
    /// Solids have changed the volume of the air in a closed domain, which is incompressible. Shorter steps do
    /// not help.
    #[error(
        "solids have changed the volume of the air, which has no way out, to {} % of what it was, past the limit of \
         {} %; open a side of the domain, or let the solids move less",
        digits(*percent), digits(*limit)
    )]
    Squeezed {
        /// The volume of the air in percent of that at the start.
        percent: f64,
        /// The limit in percent.
        limit: f64,
    },
    /// The mesh of a deforming solid cannot be used. Shorter steps do not help.
    #[error("the mesh of a deforming solid cannot be used: {reason}")]
    Mesh {
        /// Which one, why, and what to do.
        reason: String,
    },
    /// The volume drifted past the scene's limit.
    #[error("the liquid's volume drifted by {} %, past the limit of {} %", digits(*drift), digits(*limit))]
    Volume {
        /// The volume drift in percent.
        drift: f64,
        /// The scene's limit in percent.
        limit: f64,
    },
}

/// Formats a number with at least three significant digits.
fn digits(x: f64) -> String {
    let behind = 2.0 - x.abs().log10().floor();
    // Zero and values that are not finite have no logarithm, and tiny values would need too many decimals.
    let behind = if behind.is_finite() { behind.clamp(2.0, 20.0) as usize } else { 2 };
    format!("{x:.behind$}")
}

fn megabytes(n: u64) -> String {
    let x = n as f64;
    if n < 1_000_000_000 { format!("{:.0} MB", x / 1e6) } else { format!("{:.2} GB", x / 1e9) }
}
