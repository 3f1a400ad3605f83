//! The pressure of a cell, for those who look at it between cells.
//!
//! Air has no unknowns: a cell there takes
//!
//! ```text
//! p_air = φ_air · Σ p_i φ_i / Σ φ_i²,
//! ```
//!
//! i the liquid cells that touch it, so that p is zero on the surface and not at the centers of air cells.
//! With surface tension p is not zero there, and air has none.

use crate::index::{CellId, Field};

/// The pressure of a cell, `solid` away from the next solid, with the cells `around` it; none where nothing
/// is known.
pub fn known_pressure<A: IntoIterator<Item = CellId>>(
    pressure: &Field<CellId, f64>,
    phi: impl Fn(CellId) -> f64,
    tension: bool,
    cell: CellId,
    solid: f64,
    around: impl FnOnce() -> A,
) -> Option<f64> {
    // Cells that were left out of the solve have none.
    let is_solved = |c: CellId| phi(c) < 0.0 && pressure[c] != 0.0;
    if is_solved(cell) {
        return Some(pressure[cell]);
    }
    if tension || phi(cell) < 0.0 || solid < 0.0 {
        return None;
    }
    let (mut along, mut square) = (0.0, 0.0);
    for c in around().into_iter().filter(|&c| is_solved(c)) {
        along += pressure[c] * phi(c);
        square += phi(c) * phi(c);
    }
    Some(if square > 0.0 { phi(cell) * along / square } else { 0.0 })
}
