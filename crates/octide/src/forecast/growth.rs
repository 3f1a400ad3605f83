//! How counts grow with the resolution and over time.

use crate::counts::Counts;

/// Powers of the resolution with which counts grow at least in what has not been seen. Measured at the peaks
/// of `dam-break` and `water-drop` by `octree`, from 32 to 64 and from 64 to 128: 1.2 to 2.3 in particles, 0.8
/// to 1.7 in triangles, 1.6 to 3.6 in spray. That of cells is `CELL_POWER`. In tenths.
const MIN_POWER_TENTHS: Counts =
    Counts { cells: 0, particles: 20, triangles: 16, shown: 20, drops: 25, smoke_cells: 18 };

/// At the start, large parts of a surface are flat and coarse whatever the resolution is, so that cells grow
/// by a small power of the resolution; when the surface has broken up, by a larger one. This is how much
/// larger it gets, up to `CELL_POWER`. Measured by `octree`, from 32 to 64 and from 64 to 128: `dam-break` from
/// 0.84 to 2.16 and from 0.85 to 1.86, `water-drop` from 0.32 to 0.95 and from 0.75 to 1.56. With
/// `nodal-octree` the power is 1.9 to 2.5 from the start on.
const MORE_CELL_POWER: f64 = 1.15;

/// The power of a surface whose cells are all finest, and some of what surrounds it. Cells whose growth is not
/// known grow by this one.
const CELL_POWER: f64 = 2.1;

/// Counts grow at most as a volume does.
const MAX_POWER: f64 = 3.0;

/// Ratios between counts smaller than this say nothing.
const FEW: usize = 200;

/// Returns a number times a factor.
pub fn times(n: usize, factor: f64) -> usize {
    (n as f64 * factor).round() as usize
}

/// What two runs of one scene at different resolutions have in common.
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    /// The most that the coarser one had until the last frame that both have reached.
    pub coarse: Counts,
    /// The most that the finer one had until then.
    pub fine: Counts,
    /// Ratio of the resolutions.
    pub finer: f64,
    /// Fraction of the scene's frames that both have reached.
    pub seen: f64,
}

impl Comparison {
    /// Extrapolates the counts of the coarser run to the resolution of the finer one.
    pub fn to_fine(self, counts: Counts) -> Counts {
        let Self { coarse, fine, finer, seen } = self;
        let is_cells = Counts { cells: 1, ..Counts::default() };
        counts.combine(
            [coarse, fine, MIN_POWER_TENTHS, is_cells],
            |n, [coarse, fine, min_power, is_cells]| {
                let measured = if coarse < FEW || fine == 0 {
                    None
                } else {
                    Some((fine as f64 / coarse as f64).ln() / finer.ln())
                };
                let unseen = match measured {
                    Some(power) if is_cells > 0 => (power + MORE_CELL_POWER).min(CELL_POWER),
                    None if is_cells > 0 => CELL_POWER,
                    _ => min_power as f64 / 10.0,
                };
                // What was measured over the whole run needs no allowance for what comes later.
                let power = measured.map_or(unseen, |power| power + (1.0 - seen) * (unseen - power).max(0.0));
                times(n, finer.powf(power.clamp(0.0, MAX_POWER)))
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells_and_drops(cells: usize, drops: usize) -> Counts {
        Counts { cells, drops, ..Counts::default() }
    }

    /// Extrapolates 10,000 cells to twice the resolution. At the same frame the coarser run had 5000 cells
    /// and the finer one `fine`.
    fn grown(fine: usize, seen: f64) -> usize {
        let [coarse, fine] = [5000, fine].map(|n| cells_and_drops(n, 0));
        Comparison { coarse, fine, finer: 2.0, seen }.to_fine(cells_and_drops(10_000, 0)).cells
    }

    #[test]
    fn growth_is_measured_and_lies_between_that_of_moving_water_and_of_a_volume() {
        // A surface that is flat at the start.
        assert_eq!(grown(6_000, 0.0), times(12_000, 2f64.powf(MORE_CELL_POWER)));
        assert_eq!(grown(18_000, 0.0), times(10_000, 2f64.powf(CELL_POWER)));
        // One whose cells are all finest from the start on.
        assert_eq!(grown(25_000, 0.0), 50_000);
        assert_eq!(grown(900_000, 0.0), 80_000);
    }

    #[test]
    fn growth_over_the_whole_run_is_taken_as_it_is() {
        assert_eq!(grown(6_000, 1.0), 12_000);
        let half = grown(6_000, 0.5);
        assert!(half > 12_000 && half < grown(6_000, 0.0), "{half}");
    }

    #[test]
    fn spray_that_is_not_there_yet_grows_by_what_is_usual() {
        let [coarse, fine] = [10, 900].map(|n| cells_and_drops(1, n));
        let compared = Comparison { coarse, fine, finer: 2.0, seen: 0.3 };
        assert_eq!(compared.to_fine(cells_and_drops(1, 1_000)).drops, times(1_000, 2f64.powf(2.5)));
    }
}
