//! 16-bit floats: a sign, 5 bits of exponent, 10 of mantissa.

/// Returns the nearest 16-bit float, ties to even; numbers that are too large become the largest, NaN becomes
/// 0.
pub(super) fn half(value: f32) -> u16 {
    const LARGEST: f32 = 65504.0;
    const SMALLEST_NORMAL: f32 = 6.103_515_6e-5;
    if value.is_nan() {
        return 0;
    }
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let size = value.abs().min(LARGEST);
    if size < SMALLEST_NORMAL {
        // Multiples of 2⁻²⁴; a full count is the smallest normal number.
        return sign | (size * 16_777_216.0).round_ties_even() as u16;
    }
    let bits = size.to_bits();
    let rounded = bits + 0x0fff + (bits >> 13 & 1);
    sign | ((rounded - (112 << 23)) >> 13) as u16
}
