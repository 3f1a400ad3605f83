//! Decay of earlier sizing values, so that detail is not lost as soon as the flow calms down, and cells do
//! not alternate between two sizes:
//!
//! ```text
//! S ← max( R S*, S ),      R = f^(dt / T).
//! ```
//!
//! S* are the values advected with the flow from the old tree. Each is the value of one old cell, so that
//! they neither blur nor spread.

use crate::index::{CellId, Field};
use crate::par;

/// How fast sizing values decay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decay {
    /// The fraction f of a value that is left after `time`.
    pub fraction: f64,
    /// The time T in seconds.
    pub time: f64,
}

impl Decay {
    /// Returns R S* after `dt` on a tree of `n_cells` cells; `origin` returns the cell of the old tree that
    /// contained the fluid of a new cell.
    pub fn decayed(
        &self,
        s: &Field<CellId, f64>,
        n_cells: usize,
        origin: impl Fn(CellId) -> CellId + Sync + Send,
        dt: f64,
    ) -> Field<CellId, f32> {
        let rate = self.fraction.powf(dt / self.time);
        par::map(n_cells, |c: CellId| (rate * s[origin(c)]) as f32)
    }
}
