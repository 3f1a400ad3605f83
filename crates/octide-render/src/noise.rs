//! Pseudorandom numbers that depend only on their seed.

/// Returns a pseudorandom number in [0, 1).
pub fn unit(seed: u32) -> f32 {
    let mut x = seed.wrapping_mul(0x9e37_79b1);
    x = (x ^ (x >> 16)).wrapping_mul(0x21f0_aaad);
    x = (x ^ (x >> 15)).wrapping_mul(0x735a_2d97);
    (x ^ (x >> 15)) as f32 / 4_294_967_296.0
}
