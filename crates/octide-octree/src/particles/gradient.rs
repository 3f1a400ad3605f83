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
        let exponent = if largest > 0.0 { (exponent_of(largest) + 1).clamp(-100, 100) } else { 0 };
        let scale = power_of_two(BITS - exponent);
        let most = f64::from((1 << BITS) - 1);
        let pack = |v: f64| {
            // To the nearest integer, without a call.
            let [a, b, c, _] = ((scale * v + 0.5_f64.copysign(v)).clamp(-most, most) as i32).to_le_bytes();
            [a, b, c]
        };
        Self { parts: gradient.map(|g| g.to_array().map(pack)), exponent: exponent as i8 }
    }

    /// Returns the gradient of one component, in 1/s.
    #[inline]
    pub fn of(&self, axis: usize) -> DVec3 {
        let unit = power_of_two(i32::from(self.exponent) - BITS);
        // The sign is the highest of 24 bits.
        let number = |[a, b, c]: [u8; 3]| i32::from_le_bytes([0, a, b, c]) >> 8;
        DVec3::from_array(self.parts[axis].map(|p| unit * f64::from(number(p))))
    }
}

/// Returns the largest k for which 2^k is at most `x`, a positive number; −1023 below the smallest that has all digits.
#[inline]
fn exponent_of(x: f64) -> i32 {
    (x.to_bits() >> 52 & 0x7ff) as i32 - 1023
}

/// Returns 2^k, for k from −1022 to 1023.
#[inline]
fn power_of_two(k: i32) -> f64 {
    f64::from_bits(((k + 1023) as u64) << 52)
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
        assert!(
            (-200..200).all(|k| power_of_two(k) == f64::from(k).exp2() && exponent_of(power_of_two(k)) == k)
        );
        assert_eq!(Gradient::new([DVec3::ZERO; 3]), Gradient::default());
        assert_eq!(Gradient::new([DVec3::splat(1e-60); 3]).of(0), DVec3::ZERO);
        assert_eq!(Gradient::new([DVec3::splat(4.0); 3]).of(1), DVec3::splat(4.0));
    }
}
