//! The gradient of a particle's velocity in 24 bytes.

use glam::{DVec3, IVec3};

/// The gradient of each component of a velocity: whole numbers of a 32767th of the largest entry.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gradient {
    unit: f32,
    parts: [[i16; 3]; 3],
}

impl Gradient {
    /// The nearest to the given one, in 1/s.
    pub fn new(gradient: [DVec3; 3]) -> Self {
        let largest = gradient.iter().map(|g| g.abs().max_element()).fold(0.0, f64::max);
        let unit = (largest / f64::from(i16::MAX)) as f32;
        let scale = if unit > 0.0 { 1.0 / f64::from(unit) } else { 0.0 };
        // The conversion limits what rounding has made too large.
        Self { unit, parts: gradient.map(|g| (scale * g).round().to_array().map(|v| v as i16)) }
    }

    /// The gradient of one component, in 1/s.
    #[inline]
    pub fn of(&self, axis: usize) -> DVec3 {
        f64::from(self.unit) * IVec3::from_array(self.parts[axis].map(i32::from)).as_dvec3()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_gradients_are_near_and_mirror() {
        let g = [DVec3::new(310.0, -2.0, 0.5), DVec3::new(-311.0, 0.0, 9.0), DVec3::new(1e-3, 40.0, -7.0)];
        let (packed, mirrored) = (Gradient::new(g), Gradient::new(g.map(|g| -g)));
        for axis in 0..3 {
            assert!((packed.of(axis) - g[axis]).abs().max_element() < 0.51 * 311.0 / 32767.0);
            assert_eq!(packed.of(axis), -mirrored.of(axis));
        }
        assert_eq!(Gradient::new([DVec3::ZERO; 3]), Gradient::default());
        assert_eq!(Gradient::new([DVec3::splat(1e-60); 3]).of(0), DVec3::ZERO);
    }
}
