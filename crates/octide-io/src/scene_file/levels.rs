//! The number of levels of the tree.
//!
//! With `n_a` finest cells along side `a`, a root cell spans `2^L` of them, where `L` is the largest number
//! with `2^L | n_a` for every side, `min n_a / 2^L ≥ coarsest` and `L ≤ 10`.

use glam::DVec3;

/// Maximum number of levels.
const MAX_LEVELS: u8 = 10;

/// Tolerance for a whole number of cells, as a fraction of a cell: sizes are typed with few digits.
const SLACK: f64 = 1e-4;

/// Maximum resolution of a scene.
pub(super) const MAX_RESOLUTION: u32 = 8192;

/// Returns the number of finest cells along the sides, or the first axis that does not hold a whole number of
/// them.
pub(super) fn cells_along(size: DVec3, resolution: u32) -> Result<[u32; 3], usize> {
    let mut n = [0; 3];
    for axis in 0..3 {
        let along = size[axis] / size.max_element() * f64::from(resolution);
        if (along - along.round()).abs() > SLACK || along.round() < 1.0 {
            return Err(axis);
        }
        // No side is longer than the longest, so this is at most the resolution.
        n[axis] = along.round() as u32;
    }
    Ok(n)
}

/// Returns the number of levels above the finest for `n` cells along the sides; `None` if not even one finest
/// cell per root cell leaves `coarsest` of them.
pub(super) fn levels(n: [u32; 3], coarsest: u32) -> Option<u8> {
    let shortest = n[0].min(n[1]).min(n[2]);
    (0..=MAX_LEVELS).rev().find(|&l| n.iter().all(|n| n % (1 << l) == 0) && shortest >> l >= coarsest)
}

/// Returns the number of levels that the shortest side would allow if divisibility did not matter.
pub(super) fn levels_wished(n: [u32; 3], coarsest: u32) -> u8 {
    let shortest = n[0].min(n[1]).min(n[2]);
    (0..=MAX_LEVELS).rev().find(|&l| shortest >> l >= coarsest).unwrap_or(0)
}

/// Returns the nearest resolutions below and above that give at least `wanted` levels for this size.
pub(super) fn nearest_resolutions(size: DVec3, resolution: u32, coarsest: u32, wanted: u8) -> Vec<u32> {
    let works = |r: &u32| {
        cells_along(size, *r).is_ok_and(|n| levels(n, coarsest).is_some_and(|l| l >= wanted && l > 0))
    };
    let below = (1..resolution).rev().find(works);
    let above = (resolution + 1..=MAX_RESOLUTION).find(works);
    below.into_iter().chain(above).collect()
}

/// Returns the nearest lengths of a side that coarser cells fill: even numbers of finest cells of edge `dx`,
/// and enough for `coarsest` cells of twice that edge.
pub(super) fn nearest_sizes(side: f64, dx: f64, coarsest: u32) -> Vec<f64> {
    let below = (side / (2.0 * dx)).floor();
    let mut pairs = [below, below + 1.0].map(|n| n.max(coarsest.into())).to_vec();
    pairs.dedup();
    pairs.into_iter().map(|n| tidy(n * 2.0 * dx)).collect()
}

/// Rounds to nine significant digits, as people would type a number.
fn tidy(x: f64) -> f64 {
    format!("{x:.8e}").parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(size: [f64; 3], resolution: u32, coarsest: u32) -> Option<u8> {
        levels(cells_along(size.into(), resolution).unwrap(), coarsest)
    }

    #[test]
    fn root_cells_are_as_large_as_the_sides_and_the_coarsest_allow() {
        assert_eq!(of([1.0, 0.5, 1.0], 128, 8), Some(3));
        assert_eq!(of([1.0, 0.5, 1.0], 512, 8), Some(5));
        assert_eq!(of([1.0, 0.5, 1.0], 128, 4), Some(4));
        assert_eq!(of([1.0, 0.5, 1.0], 96, 8), Some(2)); // 48 = 8 · 6 is too few
        assert_eq!(of([1.0, 0.5, 1.0], 96, 6), Some(3));
        assert_eq!(of([1.0, 0.4375, 1.0], 128, 7), Some(3)); // 56 = 8 · 7
        assert_eq!(of([1.0, 1.0, 1.0], 8192, 1), Some(10));
        assert_eq!(of([1.0, 0.5, 1.0], 16, 8), Some(0));
        assert_eq!(of([1.0, 0.5, 1.0], 14, 8), None);
        assert_eq!(of([1.0, 0.3, 1.0], 10, 1), Some(0)); // 3 is odd
    }

    #[test]
    fn sides_are_whole_cells_up_to_typed_digits() {
        assert_eq!(cells_along(DVec3::new(3.0, 1.0, 2.0), 96), Ok([96, 32, 64]));
        assert_eq!(cells_along(DVec3::new(1.0, 0.333333333, 1.0), 96), Ok([96, 32, 96]));
        assert_eq!(cells_along(DVec3::new(1.0, 0.37, 1.0), 128), Err(1));
        assert_eq!(cells_along(DVec3::new(1.0, 1.0, 1e-6), 128), Err(2));
    }

    #[test]
    fn what_is_proposed_works() {
        let size = DVec3::new(1.0, 0.37, 1.0);
        assert_eq!(nearest_sizes(0.37, 1.0 / 128.0, 8), [0.359375, 0.375]);
        for y in nearest_sizes(0.37, 1.0 / 127.0, 8) {
            assert!(cells_along(DVec3::new(1.0, y, 1.0), 127).is_ok());
        }
        for r in nearest_resolutions(size, 128, 8, 1) {
            assert!(of(size.into(), r, 8).is_some_and(|l| l > 0), "{r}");
        }
        assert_eq!(nearest_sizes(0.001, 1.0 / 64.0, 8), [0.25]);
        assert_eq!(nearest_resolutions(size, 128, 8, 1), [200]);
        assert_eq!(nearest_resolutions(size, 300, 8, 1), [200, 400]);
    }
}
