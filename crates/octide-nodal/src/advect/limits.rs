//! How far a value may be changed, down and up, in 16 bits each: the upper half of a 32-bit float, rounded
//! up. Limits need not be sharp: 1 % too wide is good enough. A limit of zero stays zero to within 10⁻³⁸.

/// Packs the limits below and above a value; negative ones count as zero.
#[inline]
pub fn packed(below: f64, above: f64) -> u32 {
    half(below) << 16 | half(above)
}

/// Returns `change` clamped to the packed limits.
#[inline]
pub fn limited(change: f64, room: u32) -> f64 {
    let [below, above] = [room & 0xffff_0000, room << 16].map(|bits| f64::from(f32::from_bits(bits)));
    change.max(-below).min(above)
}

/// Returns the upper half of the bits, rounded to no less than `room`.
#[inline]
fn half(room: f64) -> u32 {
    let bits = (room.max(0.0) as f32).next_up().to_bits();
    (bits + 0xffff) >> 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_no_narrower_and_hardly_wider() {
        for i in 0..2000 {
            let room = 1e-9 * 1.02f64.powi(i);
            for (change, packed) in [(-1e30, packed(room, 0.0)), (1e30, packed(0.0, room))] {
                let wide = limited(change, packed).abs();
                assert!(wide >= room && wide < 1.008 * room, "{room}: {wide}");
                assert!(limited(-change, packed).abs() < 1e-38);
                assert_eq!(limited(0.3 * room * change.signum(), packed), 0.3 * room * change.signum());
            }
        }
        // Fails if the limits were rounded in the wrong direction, or swapped.
        assert!(limited(-1.0, packed(-2.0, 3.0)).abs() < 1e-38 && limited(2.0, packed(-2.0, 3.0)) == 2.0);
    }

    /// Values that are not finite are found later, by the step's own check.
    #[test]
    fn no_number_makes_it_panic() {
        for x in [f64::NAN, f64::INFINITY, f64::MAX, -0.0, f64::MIN_POSITIVE] {
            for y in [f64::NAN, f64::INFINITY, f64::MAX, -0.0, f64::MIN_POSITIVE] {
                assert_eq!(limited(0.0, packed(x, y)), 0.0);
            }
        }
    }
}
