//! Integrals over the fluid, summed over the cells of a grid:
//!
//! ```text
//! V = Σ V_c,   E_kin = Σ ½ ρ V_c |u_c|²,   E_pot = −Σ ρ V_c g·(x_c − x_low),
//! P = Σ ρ V_c u_c,   X = Σ V_c x_c / V
//! ```
//!
//! V_c is the volume of fluid in cell c, x_c its centroid, u_c its velocity, and x_low the corner of the
//! domain that is lowest along g. Cells may have any shape, and velocity may be stored anywhere.

use crate::contract::Totals;
use crate::index::CellId;
use crate::par;
use glam::DVec3;

/// The fluid in the cells of a grid.
pub trait FluidCells: Sync {
    /// Returns the number of cells.
    fn n_cells(&self) -> usize;
    /// Returns the volume of fluid in a cell in m³.
    fn volume(&self, cell: CellId) -> f64;
    /// Returns the mean velocity in a cell in m/s.
    fn velocity(&self, cell: CellId) -> DVec3;
    /// Returns the centroid of the fluid in a cell that holds `volume` of it.
    fn centroid(&self, cell: CellId, volume: f64) -> DVec3;
}

/// Σ V, Σ V |u|², Σ V u, Σ V x.
#[derive(Default)]
struct Sums {
    volume: f64,
    square: f64,
    flow: DVec3,
    moment: DVec3,
}

impl Sums {
    fn plus(self, o: Self) -> Self {
        Self {
            volume: self.volume + o.volume,
            square: self.square + o.square,
            flow: self.flow + o.flow,
            moment: self.moment + o.moment,
        }
    }
}

/// Returns the sums over the cells of a grid in a box from `low` to `high`, for a fluid of `density` in kg/m³
/// under `gravity` in m/s².
pub fn sum_up(cells: &impl FluidCells, [low, high]: [DVec3; 2], density: f64, gravity: DVec3) -> Totals {
    // Positions relative to the center of the domain lose fewer digits.
    let origin = 0.5 * (low + high);
    let of_cell = |c: CellId| {
        let volume = cells.volume(c);
        if volume <= 0.0 {
            return Sums::default();
        }
        let (centroid, v) = (cells.centroid(c, volume), cells.velocity(c));
        Sums {
            volume,
            square: volume * v.length_squared(),
            flow: volume * v,
            moment: volume * (centroid - origin),
        }
    };
    let sums = par::reduce(
        cells.n_cells(),
        Sums::default,
        |sums, i| sums.plus(of_cell(CellId(i as u32))),
        Sums::plus,
    );
    let lowest = DVec3::select(gravity.cmpgt(DVec3::ZERO), high, low) - origin;
    Totals {
        volume: sums.volume,
        kinetic_energy: 0.5 * density * sums.square,
        potential_energy: -density * gravity.dot(sums.moment - sums.volume * lowest),
        momentum: density * sums.flow,
        center: (sums.volume > 0.0).then(|| origin + sums.moment / sums.volume),
        smoke: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two tetrahedra with velocity at their barycenters, one of them half full.
    struct Tetrahedra;

    impl FluidCells for Tetrahedra {
        fn n_cells(&self) -> usize {
            3
        }
        fn volume(&self, cell: CellId) -> f64 {
            [2.0, 1.0, 0.0][cell.0 as usize]
        }
        fn velocity(&self, cell: CellId) -> DVec3 {
            [DVec3::X, DVec3::new(0.0, -2.0, 0.0), DVec3::NAN][cell.0 as usize]
        }
        fn centroid(&self, cell: CellId, volume: f64) -> DVec3 {
            assert!(volume > 0.0, "cells without fluid are not asked");
            [DVec3::new(1.0, 1.0, 1.0), DVec3::new(1.0, 4.0, 1.0)][cell.0 as usize]
        }
    }

    #[test]
    fn cells_of_any_shape_are_summed_up() {
        let domain = [DVec3::new(-1.0, -1.0, -1.0), DVec3::splat(5.0)];
        let t = sum_up(&Tetrahedra, domain, 10.0, DVec3::new(0.0, -2.0, 0.0));
        assert_eq!(t.volume, 3.0);
        assert_eq!(t.kinetic_energy, 0.5 * 10.0 * (2.0 + 4.0));
        assert_eq!(t.momentum, DVec3::new(20.0, -20.0, 0.0));
        assert_eq!(t.center, Some(DVec3::new(1.0, 2.0, 1.0)));
        // Heights are relative to y = -1.
        assert!((t.potential_energy - 10.0 * 2.0 * (2.0 * 2.0 + 1.0 * 5.0)).abs() < 1e-12);
    }
}
