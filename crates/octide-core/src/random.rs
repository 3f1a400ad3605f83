//! Random numbers by hashing: the same keys give the same number, whoever asks and in which order.

/// Mixes all bits of the keys, by the finalizer of `SplitMix64` once for each.
#[inline]
pub fn hash<const N: usize>(keys: [u64; N]) -> u64 {
    keys.into_iter().fold(0, |h: u64, key| {
        let mut x = (h ^ key).wrapping_add(0x9e37_79b9_7f4a_7c15);
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    })
}

/// A number in [0, 1).
#[inline]
pub fn unit<const N: usize>(keys: [u64; N]) -> f64 {
    (hash(keys) >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbors_share_nothing_and_all_parts_are_hit_alike() {
        let n = 40_000u64;
        let mut counts = [[0u32; 10]; 10];
        for i in 0..n {
            let (a, b) = (unit([7, i, 0]), unit([7, i, 1]));
            counts[(10.0 * a) as usize][(10.0 * b) as usize] += 1;
        }
        // 400 expected in each; five standard deviations.
        assert!(counts.iter().flatten().all(|&c| (300..500).contains(&c)), "{counts:?}");
    }

    #[test]
    fn the_order_of_keys_matters() {
        assert_ne!(hash([1, 2]), hash([2, 1]));
        assert_ne!(hash([0]), hash([0, 0]));
    }
}
