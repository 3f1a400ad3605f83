//! Detachment of water from solids.
//!
//! A wall that lets nothing through in either direction also pulls: water would follow a body that recedes, run
//! around sharp edges, and hang under ledges. At a wall with air within reach the conditions are instead
//!
//! ```text
//! p ≥ −s,   (u − u_solid)·n ≥ 0,   and one of the two is an equality,
//! ```
//!
//! with the pressure p relative to that of the air, the normal n away from the solid, and the suction s that the
//! wall can exert,
//!
//! ```text
//! s = |g| h + σ/(ρ h) + adhesion/ρ,   as pressures divided by density.
//! ```
//!
//! Less than a cell of water of edge h is not resolved, so that s vanishes with h. p is the pressure on the wall: from
//! a sample at the distance d outside, whose velocity before the pressure acts is u*,
//!
//! ```text
//! p_wall = p − (d/dt) (u* − u_solid)·n.
//! ```
//!
//! Where a wall would pull harder, and the wall beside it is already dry or detached, it is detached: its surface
//! is a surface of the water, with the pressure of the air. It stays so while there is a gap, or while the water moves
//! away. Air comes from where it is: water that fills a tube, and water below a piston, stays attached.

use crate::scene::Physics;

/// How many cells deep φ is extended into solids; there is no water deeper inside. In one step a solid may uncover
/// this many cells.
pub const SOLID_DEPTH_CELLS: f64 = 3.0;

/// Returns the suction that walls exert on water before it detaches, a pressure divided by density in m²/s², in
/// cells of edge `dx`.
pub fn least_suction(physics: &Physics, dx: f64) -> f64 {
    let Physics { gravity, density, surface_tension, adhesion, .. } = *physics;
    gravity.length() * dx + surface_tension / (density * dx) + adhesion / density
}

/// The gap between a wall and the water beside it.
#[derive(Clone, Copy, Debug)]
pub struct Gap {
    /// Its width in meters.
    pub width: f64,
    /// The velocity of the water away from the wall, in m/s.
    pub opening: f64,
}

impl Gap {
    /// Returns whether air stays in the gap for a step of length `dt`.
    pub fn stays(self, dt: f64) -> bool {
        self.width + self.opening * dt > 0.0
    }
}

/// Returns the pressure on a wall from the pressure at a point at `distance` from it, both times dt and divided by
/// density; `approach` is (u* − u_solid)·n.
pub fn wall_pressure(pressure: f64, distance: f64, approach: f64) -> f64 {
    pressure - distance * approach
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pressure_on_a_floor_is_higher_than_above_it_and_on_a_ceiling_lower() {
        // Gravity times dt before the pressure acts, half a cell of 0.1 m from the wall; n is away from the wall.
        let (u_star, h) = (-0.98, 0.1);
        let floor = wall_pressure(1.0, 0.5 * h, u_star);
        let ceiling = wall_pressure(1.0, 0.5 * h, -u_star);
        assert!((floor - 1.049).abs() < 1e-12 && (ceiling - 0.951).abs() < 1e-12, "{floor} {ceiling}");
    }

    #[test]
    fn a_gap_stays_until_the_water_crosses_it_within_a_step() {
        let gap = |width, opening| Gap { width, opening };
        assert!(gap(0.0, 1e-6).stays(0.1) && gap(0.1, -0.9).stays(0.1));
        assert!(!gap(0.1, -1.1).stays(0.1) && !gap(0.0, 0.0).stays(0.1));
    }

    #[test]
    fn walls_hold_less_on_finer_grids_but_keep_their_adhesion() {
        let physics = Physics { adhesion: 500.0, ..Physics::default() };
        let [coarse, fine] = [0.1, 1e-9].map(|dx| least_suction(&physics, dx));
        assert!((coarse - 1.48).abs() < 1e-12 && (fine - 0.5).abs() < 1e-6, "{coarse} {fine}");
    }
}
