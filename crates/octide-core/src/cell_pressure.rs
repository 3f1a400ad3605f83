//! The pressure of a cell, for interpolation between cells.
//!
//! Cells of air have no unknown. Their pressure is extrapolated,
//!
//! ```text
//! p_air = φ_air · Σ p_i φ_i / Σ φ_i²,
//! ```
//!
//! where i are the liquid cells that touch the cell, so that p is zero on the surface and not at the centers
//! of air cells. With surface tension p is not zero on the surface, and air cells have no pressure.

use crate::index::{CellId, Field};

/// Returns the pressure of a cell at the distance `solid` from the nearest solid, with the cells `around` it;
/// `None` where it is not known.
pub fn known_pressure<A: IntoIterator<Item = CellId>>(
    pressure: &Field<CellId, f64>,
    phi: impl Fn(CellId) -> f64,
    tension: bool,
    cell: CellId,
    solid: f64,
    around: impl FnOnce() -> A,
) -> Option<f64> {
    // Cells that were left out of the solve have no pressure.
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
