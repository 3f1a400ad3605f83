//! The gradient of a particle's velocity in 28 bytes.

use glam::DVec3;

/// The gradient of each component of a velocity, as 24-bit integers with a common power of two as scale. With
/// fewer bits the rounding of a scene and of its mirror image would differ visibly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gradient {
    parts: [[[u8; 3]; 3]; 3],
    exponent: i8,
}

/// Bits of a number without its sign.
const BITS: i32 = 23;

impl Gradient {
    /// Rounds a gradient in 1/s to the nearest that can be stored.
    pub fn new(gradient: [DVec3; 3]) -> Self {
        let largest = gradient.iter().map(|g| g.abs().max_element()).fold(0.0, f64::max);
        // The smallest power of two above all entries, within the range of the exponent.
        let exponent = if largest > 0.0 { (largest.log2().floor() + 1.0).clamp(-100.0, 100.0) } else { 0.0 };
        let scale = (f64::from(BITS) - exponent).exp2();
        let most = f64::from((1 << BITS) - 1);
        let pack = |v: f64| {
            let [a, b, c, _] = ((scale * v).round().clamp(-most, most) as i32).to_le_bytes();
            [a, b, c]
        };
        Self { parts: gradient.map(|g| g.to_array().map(pack)), exponent: exponent as i8 }
    }

    /// Returns the gradient of one component, in 1/s.
    #[inline]
    pub fn of(&self, axis: usize) -> DVec3 {
        let unit = f64::from(i32::from(self.exponent) - BITS).exp2();
        // The sign is the highest of 24 bits.
        let number = |[a, b, c]: [u8; 3]| i32::from_le_bytes([0, a, b, c]) >> 8;
        DVec3::from_array(self.parts[axis].map(|p| unit * f64::from(number(p))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_gradients_are_near_and_mirror() {
        let g = [DVec3::new(310.0, -2.0, 0.5), DVec3::new(-511.99, 0.0, 9.0), DVec3::new(1e-3, 40.0, -7.0)];
        let (packed, mirrored) = (Gradient::new(g), Gradient::new(g.map(|g| -g)));
        for axis in 0..3 {
            assert!((packed.of(axis) - g[axis]).abs().max_element() < 0.51 * 512.0 / f64::from(1 << BITS));
            assert_eq!(packed.of(axis), -mirrored.of(axis));
        }
        assert_eq!(Gradient::new([DVec3::ZERO; 3]), Gradient::default());
        assert_eq!(Gradient::new([DVec3::splat(1e-60); 3]).of(0), DVec3::ZERO);
        assert_eq!(Gradient::new([DVec3::splat(4.0); 3]).of(1), DVec3::splat(4.0));
    }
}
