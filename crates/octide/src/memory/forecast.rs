//! What a scene will need, told from the same scene with larger cells.
//!
//! The finest levels are taken away: the roots stay, the finest cells are 2, 4 or 8 times as large. From two
//! such starts the number of cells at the full resolution follows by the power of the resolution that they
//! grow with, which lies between 2 for a surface and 3 for a volume. A pilot run tells how many there are at
//! most while the water moves; for a scene of low resolution it is the run itself.

use crate::errors::Failure;
use crate::methods;
use crate::stepping::advance;
use crate::stop::Stop;
use octide_core::scene::Scene;
use std::time::{Duration, Instant};

/// Levels that a pilot does without: a quarter of the resolution.
const PILOT: u8 = 2;

/// The power of the resolution that the cells of moving water grow with: 1.8 to 1.9 from 64 to 128 in
/// water-drop and dam-break.
const MOVED: f64 = 1.9;

/// Pilots of a higher resolution would take too long; those of a lower one hardly coarsen, so that their
/// cells hardly grow.
const PILOT_RESOLUTION: std::ops::RangeInclusive<u32> = 64..=128;

/// How long a pilot may take: who asks for a forecast waits for it.
const PATIENCE: Duration = Duration::from_secs(30);

/// Of what a step holds, the first one holds so much. Measured 0.90 to 1.03 on four scenes.
const FIRST: f64 = 0.95;

/// Cells and particles at a moment.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Size {
    /// Leaves of the tree.
    pub cells: usize,
    /// Particles.
    pub particles: usize,
}

impl Size {
    /// Bytes that a step holds at most.
    pub fn bytes(self, scene: &Scene) -> Result<u64, Failure> {
        methods::step_bytes(scene, self.cells, self.particles)
    }

    /// Bytes that a first step holds at most.
    pub fn first_bytes(self, scene: &Scene) -> Result<u64, Failure> {
        Ok((FIRST * self.bytes(scene)? as f64) as u64)
    }

    fn times(self, factor: f64) -> Self {
        let times = |n: usize| (n as f64 * factor).round() as usize;
        Self { cells: times(self.cells), particles: times(self.particles) }
    }
}

/// A run with larger cells.
pub struct Pilot {
    /// Its finest cells along the longest side.
    pub resolution: u32,
    /// Its steps.
    pub steps: u64,
    /// Frames that it came to.
    pub frames: u32,
    /// At its start.
    pub first: Size,
    /// The most cells and the most particles.
    pub most: Size,
}

impl Pilot {
    /// What the scene itself will have at most, when it has `first` at its start.
    pub fn of_run(&self, scene: &Scene, first: Size) -> Size {
        let finer = f64::from(scene.domain.resolution) / f64::from(self.resolution);
        // A start is mostly coarse; what moves is mostly surface.
        let most =
            self.most.times((first.cells as f64 / self.first.cells.max(1) as f64).max(finer.powf(MOVED)));
        Size { cells: most.cells.min(uniform(scene)), particles: most.particles }
    }
}

/// The scene with cells `2^down` times as large, if it has that many levels.
pub fn coarser(scene: &Scene, down: u8) -> Option<Scene> {
    let levels = scene.domain.levels.checked_sub(down)?;
    let mut scene = scene.clone();
    scene.domain.levels = levels;
    scene.domain.resolution >>= down;
    Some(scene)
}

/// The size at the start, told from starts with larger cells; none where the scene has too few levels.
pub fn first(scene: &Scene, limit: u64) -> Result<Option<Size>, Failure> {
    let down = pilot_levels(scene).max(1);
    let (Some(low), Some(lower)) = (coarser(scene, down), coarser(scene, down + 1)) else { return Ok(None) };
    let (low, lower) = (start(&low, limit)?, start(&lower, limit)?);
    let power = (low.cells as f64 / lower.cells.max(1) as f64).log2().clamp(1.0, 3.0);
    let size = low.times((power * f64::from(down)).exp2());
    Ok(Some(Size { cells: size.cells.min(uniform(scene)), ..size }))
}

/// Runs the scene with larger cells, as far as that goes in [`PATIENCE`]; none where it has too few levels.
pub fn pilot(scene: &Scene, stop: &Stop) -> Result<Option<Pilot>, Failure> {
    let Some(scene) = coarser(scene, pilot_levels(scene)) else { return Ok(None) };
    let mut method = methods::start_within(&scene, stop.memory_limit())?;
    let report = method.report();
    let first = Size { cells: report.cells, particles: report.particles };
    let resolution = scene.domain.resolution;
    let mut pilot = Pilot { resolution, steps: 0, frames: 0, first, most: first };
    let start = Instant::now();
    for frame in 1..=scene.time.frames {
        if start.elapsed() > PATIENCE {
            break;
        }
        let there = advance(method.as_mut(), f64::from(frame) / scene.time.fps, |step, _| {
            pilot.steps += 1;
            pilot.most.cells = pilot.most.cells.max(step.report.cells);
            pilot.most.particles = pilot.most.particles.max(step.report.particles);
            stop.check()
        });
        match there {
            Ok(()) => pilot.frames = frame,
            // With cells that large the water may do what it would not do with smaller ones.
            Err(Failure::Simulation(_)) => break,
            Err(other) => return Err(other),
        }
    }
    Ok(Some(pilot))
}

fn pilot_levels(scene: &Scene) -> u8 {
    let mut down = PILOT.min(scene.domain.levels);
    while scene.domain.resolution >> down > *PILOT_RESOLUTION.end() && down < scene.domain.levels {
        down += 1;
    }
    while scene.domain.resolution >> down < *PILOT_RESOLUTION.start() && down > 0 {
        down -= 1;
    }
    down
}

fn start(scene: &Scene, limit: u64) -> Result<Size, Failure> {
    let report = methods::start_within(scene, limit)?.report();
    Ok(Size { cells: report.cells, particles: report.particles })
}

/// Cells of a uniform grid.
fn uniform(scene: &Scene) -> usize {
    (scene.domain.size / scene.domain.dx()).round().element_product() as usize
}
