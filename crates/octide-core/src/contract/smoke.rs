//! Smoke as the rest of the house sees it: cells with values at their corners.
//!
//! Within a cell every value is the trilinear mix of its eight corners', so that pictures and files know the field exactly
//! without knowing the method. Cells are cubes of `2^k` finest cells and do not overlap; where none is, there is no smoke.

use glam::{DVec3, UVec3};

/// Smoke in cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Smoke {
    /// Where cells are counted from: the domain's corner with the smallest coordinates.
    pub origin: DVec3,
    /// Edge length of the finest cells in m.
    pub dx: f64,
    /// The cells, at least all that have a density or a temperature at one of their corners.
    pub cells: Vec<SmokeCell>,
    /// Densities at corners.
    pub density: Vec<f32>,
    /// Temperatures at corners, in K above that of the air around.
    pub temperature: Vec<f32>,
    /// Velocities at corners in m/s.
    pub velocity: Vec<[f32; 3]>,
}

/// A cube of smoke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmokeCell {
    /// Its lowest corner, counted in finest cells.
    pub low: UVec3,
    /// Its edge length in finest cells, a power of two.
    pub size: u32,
    /// Its corners by their number; bits 0, 1 and 2 of the place in this list are the sides in x, y and z.
    pub corners: [u32; 8],
}

impl SmokeCell {
    /// The weights of the eight corners at a point of the cell, given in `[0, 1]³`.
    pub fn weights(at: [f32; 3]) -> [f32; 8] {
        let [x, y, z] = at;
        let (a, b, c) = ([1.0 - x, x], [1.0 - y, y], [1.0 - z, z]);
        std::array::from_fn(|i| a[i & 1] * b[i >> 1 & 1] * c[i >> 2])
    }

    /// The mix of its corners' values at a point of the cell, given in `[0, 1]³`.
    pub fn mix(&self, values: &[f32], at: [f32; 3]) -> f32 {
        let w = Self::weights(at);
        self.corners.iter().zip(w).map(|(&c, w)| w * values[c as usize]).sum()
    }

    /// The mix of its corners' vectors at a point of the cell, given in `[0, 1]³`.
    pub fn mix_vector(&self, values: &[[f32; 3]], at: [f32; 3]) -> [f32; 3] {
        let w = Self::weights(at);
        let of = |axis: usize| self.corners.iter().zip(w).map(|(&c, w)| w * values[c as usize][axis]).sum();
        [of(0), of(1), of(2)]
    }
}

/// Smoke at a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SmokeSample {
    /// Dimensionless.
    pub density: f64,
    /// In K above that of the air around.
    pub temperature: f64,
}

/// All of the smoke, summed up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SmokeTotals {
    /// The density's integral over the domain, in m³.
    pub amount: f64,
    /// The temperature's integral over the domain, in K m³.
    pub heat: f64,
    /// The largest density.
    pub max_density: f64,
    /// The largest temperature, in K above that of the air around.
    pub max_temperature: f64,
    /// Where the smoke is in the mean, weighted by density; none without smoke.
    pub center: Option<DVec3>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_field_is_itself_between_corners() {
        let value = |p: [f32; 3]| 1.0 + 2.0 * p[0] - 3.0 * p[1] + 0.5 * p[2];
        let corner = |i: usize| [0, 1, 2].map(|a| (i >> a & 1) as f32);
        let values: Vec<f32> = (0..8).map(|i| value(corner(i))).collect();
        let vectors: Vec<[f32; 3]> = values.iter().map(|&v| [v, -v, 2.0 * v]).collect();
        let cell = SmokeCell { low: UVec3::ZERO, size: 1, corners: std::array::from_fn(|i| i as u32) };
        let at = [0.25, 0.75, 0.125];
        assert!((cell.mix(&values, at) - value(at)).abs() < 1e-6);
        assert!((cell.mix_vector(&vectors, at)[1] + value(at)).abs() < 1e-6);
    }
}
