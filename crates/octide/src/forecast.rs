//! Forecasts what a run will hold from pilots: the same scene with larger cells.
//!
//! A pilot leaves out the finest levels: the roots stay, and the finest cells are 2, 4 or 8 times as large.
//! For a scene of low resolution the pilot is the run itself. Two pilots run: the coarse one is cheap and
//! sees the whole run; the fine one measures the counts of cells, particles, triangles and so on, for as long
//! as the user may wait. What it does not reach is extrapolated by what the coarse one saw later.
//!
//! Counts grow with a power of the resolution (`growth.rs`). The power is measured in the scene itself: its
//! start at full resolution, and as many frames as there is time for, are compared with the pilot at the same
//! frames.

mod growth;
mod pilot;

pub use pilot::run_pilots;

use crate::counts::Counts;
use crate::errors::Failure;
use crate::methods;
use octide_core::scene::Scene;

/// Pilots of a higher resolution would take too long; those of a lower one hardly coarsen, so that their
/// cells hardly grow.
const PILOT_RESOLUTION: std::ops::RangeInclusive<u32> = 64..=128;

/// Number of levels that a pilot leaves out; two levels are a quarter of the resolution.
const PILOT_LEVELS: u8 = 2;

/// Memory of a first step relative to later ones. Measured 0.90 to 1.03 on four scenes.
const FIRST_STEP_SHARE: f64 = 0.95;

/// Returns the peak memory of a first step in bytes, from that of a later one with the same counts.
pub fn first_step_bytes(step: u64) -> u64 {
    (FIRST_STEP_SHARE * step as f64) as u64
}

/// Forecasts the counts at the start from starts with larger cells; none if the scene has too few levels.
pub fn first(scene: &Scene, limit: u64) -> Result<Option<Counts>, Failure> {
    let down = pilot_levels(scene, None).max(1);
    let (Some(low), Some(lower)) = (coarser(scene, down), coarser(scene, down + 1)) else { return Ok(None) };
    let (low, lower) = (start(&low, limit)?, start(&lower, limit)?);
    let power = (low.cells as f64 / lower.cells.max(1) as f64).log2().clamp(1.0, 3.0);
    let counts = low.combine([], |n, []| growth::times(n, (power * f64::from(down)).exp2()));
    Ok(Some(Counts { cells: counts.cells.min(uniform(scene)), ..counts }))
}

/// The scene with cells `2^down` times as large, if it has that many levels.
fn coarser(scene: &Scene, down: u8) -> Option<Scene> {
    let levels = scene.domain.levels.checked_sub(down)?;
    let mut scene = scene.clone();
    scene.domain.levels = levels;
    scene.domain.resolution >>= down;
    Some(scene)
}

/// Number of levels that the fine pilot leaves out, to have at most the wanted resolution if one is wanted.
fn pilot_levels(scene: &Scene, wanted: Option<u32>) -> u8 {
    if let Some(wanted) = wanted {
        let levels = scene.domain.levels;
        return (0..levels).find(|&down| scene.domain.resolution >> down <= wanted).unwrap_or(levels);
    }
    let mut down = PILOT_LEVELS.min(scene.domain.levels);
    while scene.domain.resolution >> down > *PILOT_RESOLUTION.end() && down < scene.domain.levels {
        down += 1;
    }
    while scene.domain.resolution >> down < *PILOT_RESOLUTION.start() && down > 0 {
        down -= 1;
    }
    down
}

fn start(scene: &Scene, limit: u64) -> Result<Counts, Failure> {
    Ok(Counts::of_step(&methods::start_within(scene, limit)?.report()))
}

/// Number of cells of a uniform grid.
fn uniform(scene: &Scene) -> usize {
    (scene.domain.size / scene.domain.dx()).round().element_product() as usize
}
