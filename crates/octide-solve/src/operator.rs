//! The traits of matrices and preconditioners. They require so little that a stencil without stored entries,
//! a matrix, or a cycle of another solver can implement them.

use crate::vector;

/// A square linear map `y = A x`.
pub trait Operator: Sync {
    /// Returns the number of unknowns.
    fn size(&self) -> usize;

    /// Computes `y = A x`. Both vectors have [`Self::size`] entries, and `y` is overwritten.
    fn apply(&self, x: &[f64], y: &mut [f64]);

    /// Writes the diagonal of `A`; 0 for missing entries.
    fn diagonal(&self, d: &mut [f64]);

    /// Computes `y = A x` and returns `x·y`. Worth overriding if the product is cheap while `y` is written.
    fn apply_dot(&self, x: &[f64], y: &mut [f64]) -> f64 {
        self.apply(x, y);
        vector::dot(x, y)
    }
}

/// An approximate inverse `z = M⁻¹ r`. Every solver needs it linear; conjugate gradients also need it
/// symmetric and positive definite.
pub trait Preconditioner: Sync {
    /// Returns the number of unknowns.
    fn size(&self) -> usize;

    /// Computes `z = M⁻¹ r`. Both vectors have [`Self::size`] entries, and `z` is overwritten.
    fn apply(&mut self, r: &[f64], z: &mut [f64]);

    /// Returns the allocated memory in bytes.
    fn bytes(&self) -> usize;

    /// Computes `z = M⁻¹ r` and returns `r·z`. Worth overriding if the product is cheap while `z` is written.
    fn apply_dot(&mut self, r: &[f64], z: &mut [f64]) -> f64 {
        self.apply(r, z);
        vector::dot(r, z)
    }
}
