//! How counts grow with the resolution and over time.

use crate::counts::Counts;

/// Powers of the resolution with which the counts of moving water grow at least, even if it has not moved
/// much yet. Measured from 64 to 128 by `octree`, after the splash of `water-drop` and in the surge of
/// `dam-break`: 1.75 and 1.82 in cells, 2.3 and 1.8 in particles, 1.46 and 1.57 in triangles, 3.6 and 1.6 in
/// spray. At their starts cells grow by powers of 0.75 and 0.85 only. In tenths.
const MIN_POWER_TENTHS: Counts =
    Counts { cells: 18, particles: 20, triangles: 16, shown: 20, drops: 25, smoke_cells: 18 };

/// Counts grow at most as a volume does.
const MAX_POWER: f64 = 3.0;

/// Ratios between counts smaller than this say nothing.
const FEW: usize = 200;

/// Growth of a surface with twice the resolution.
const SURFACE_GROWTH: f64 = 4.0;

/// Returns a number times a factor.
pub fn times(n: usize, factor: f64) -> usize {
    (n as f64 * factor).round() as usize
}

/// Multiplies counts by how much those of a run with half the resolution still grew, from `before` to
/// `after`.
pub fn over_time(counts: Counts, before: Counts, after: Counts) -> Counts {
    counts.combine([before, after], |n, [before, after]| {
        if before < FEW {
            // Such as spray that was not there yet.
            return n.max(times(after, SURFACE_GROWTH));
        }
        times(n, after as f64 / before as f64)
    })
}

/// Extrapolates the counts of a pilot to a resolution that is `finer` times as high. At the same frame the
/// pilot had `pilot` and the scene itself had `own`.
pub fn to_resolution(counts: Counts, pilot: Counts, own: Counts, finer: f64) -> Counts {
    counts.combine([pilot, own, MIN_POWER_TENTHS], |n, [pilot, own, min_power]| {
        let measured = if pilot < FEW { 0.0 } else { own as f64 / pilot as f64 };
        times(n, measured.clamp(finer.powf(min_power as f64 / 10.0), finer.powf(MAX_POWER)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(cells: usize, drops: usize) -> Counts {
        Counts { cells, drops, ..Counts::default() }
    }

    #[test]
    fn what_a_coarse_run_sees_later_scales_what_the_fine_one_saw() {
        let later = over_time(counts(10_000, 0), counts(2_000, 3), counts(5_000, 700));
        assert_eq!(later, counts(25_000, 2_800));
        assert_eq!(
            over_time(counts(10_000, 900), counts(2_000, 300), counts(2_000, 300)),
            counts(10_000, 900)
        );
    }

    #[test]
    fn growth_is_measured_and_lies_between_that_of_moving_water_and_of_a_volume() {
        let grown =
            |own: usize| to_resolution(counts(10_000, 0), counts(5_000, 0), counts(own, 0), 2.0).cells;
        assert_eq!(grown(20_000), 40_000);
        assert_eq!(grown(6_000), times(10_000, 2f64.powf(1.8)));
        assert_eq!(grown(900_000), 80_000);
        // Nothing is known about spray that is not there yet.
        let spray = to_resolution(counts(1, 1_000), counts(1, 10), counts(1, 900), 2.0).drops;
        assert_eq!(spray, times(1_000, 2f64.powf(2.5)));
    }
}
