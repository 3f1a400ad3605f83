//! Random numbers that are hashed from what they belong to: the same in any order and on any number of
//! threads.

use std::f64::consts::TAU;

/// 64 bits that look random.
fn hash(seed: u64, key: u64) -> u64 {
    // The finalizer of SplitMix64 twice, so that seeds and keys that differ by little share nothing.
    let mix = |mut h: u64| {
        h = h.wrapping_add(0x9e37_79b9_7f4a_7c15);
        h = (h ^ h >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        h = (h ^ h >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        h ^ h >> 31
    };
    mix(mix(seed) ^ key)
}

/// Between 0 and 1, 1 excluded.
pub fn uniform(seed: u64, key: u64) -> f64 {
    (hash(seed, key) >> 11) as f64 / (1_u64 << 53) as f64
}

/// A normal deviate of mean 0 and variance 1, by Box and Muller.
pub fn normal(seed: u64, key: u64) -> f64 {
    let h = hash(seed, key);
    let scale = 1.0 / (1_u64 << 32) as f64;
    let (r, turn) = ((h >> 32) as f64 * scale, (h & 0xffff_ffff) as f64 * scale);
    // 1 − r is never 0.
    (-2.0 * (1.0 - r).ln()).sqrt() * (TAU * turn).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviates_have_the_moments_of_a_normal_distribution() {
        let n = 100_000;
        let moment = |p: i32| (0..n).map(|key| normal(7, key).powi(p)).sum::<f64>() / n as f64;
        let found = [1, 2, 3, 4].map(moment);
        let tolerance = [0.02, 0.02, 0.08, 0.2];
        for ((m, wanted), t) in found.iter().zip([0.0, 1.0, 0.0, 3.0]).zip(tolerance) {
            assert!((m - wanted).abs() < t, "{found:?}");
        }
    }

    #[test]
    fn seeds_and_neighbors_share_nothing() {
        let n = 100_000;
        let mean = |f: &dyn Fn(u64) -> f64| (0..n).map(f).sum::<f64>() / n as f64;
        assert!(mean(&|k| normal(1, k) * normal(2, k)).abs() < 0.02);
        assert!(mean(&|k| normal(1, k) * normal(1, k + 1)).abs() < 0.02);
        assert!((mean(&|k| uniform(1, k)) - 0.5).abs() < 0.005);
    }
}
