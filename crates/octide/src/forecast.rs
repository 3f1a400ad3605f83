//! Forecasts the cells and the memory of a scene from the same scene with larger cells.
//!
//! The finest levels are removed: the roots stay, and the finest cells are 2, 4 or 8 times as large. The
//! number of cells grows with a power of the resolution, between 2 for a surface and 3 for a volume; two such
//! starts give the power, and so the number at full resolution. A pilot run finds the maximum while the water
//! moves; for a scene of low resolution the pilot is the run itself.

use crate::errors::Failure;
use crate::methods;
use crate::stop::Stop;
use octide_core::scene::Scene;
use octide_methods::{Simulation, SimulationError};
use std::time::{Duration, Instant};

/// Number of levels that a pilot leaves out; two levels are a quarter of the resolution.
const PILOT_LEVELS: u8 = 2;

/// The power of the resolution with which the cells of moving water grow: 1.8 to 1.9 from 64 to 128 in
/// water-drop and dam-break.
const GROWTH_POWER: f64 = 1.9;

/// Pilots of a higher resolution would take too long; those of a lower one hardly coarsen, so that their
/// cells hardly grow.
const PILOT_RESOLUTION: std::ops::RangeInclusive<u32> = 64..=128;

/// How long a pilot may take, because the user waits for the forecast.
const MAX_PILOT_TIME: Duration = Duration::from_secs(30);

/// Memory of a first step relative to later ones. Measured 0.90 to 1.03 on four scenes.
const FIRST_STEP_SHARE: f64 = 0.95;

/// Numbers of cells and particles.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Size {
    /// Leaves of the tree.
    pub cells: usize,
    /// Particles.
    pub particles: usize,
}

impl Size {
    /// Peak memory of a step in bytes.
    pub fn bytes(self, scene: &Scene) -> Result<u64, Failure> {
        Ok(methods::memory_model(scene)?.step_bytes(scene, self.cells, self.cells, self.particles))
    }

    /// Peak memory of a first step in bytes.
    pub fn first_bytes(self, scene: &Scene) -> Result<u64, Failure> {
        Ok((FIRST_STEP_SHARE * self.bytes(scene)? as f64) as u64)
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
    /// Number of steps taken.
    pub steps: u64,
    /// Number of frames that it reached.
    pub frames: u32,
    /// The size at its start.
    pub first: Size,
    /// The maximum numbers of cells and of particles.
    pub most: Size,
}

impl Pilot {
    /// Forecasts the maximum of the scene itself, which has `first` at its start.
    pub fn of_run(&self, scene: &Scene, first: Size) -> Size {
        let finer = f64::from(scene.domain.resolution) / f64::from(self.resolution);
        // At the start most cells are coarse; in moving water most are at the surface.
        let most = self
            .most
            .times((first.cells as f64 / self.first.cells.max(1) as f64).max(finer.powf(GROWTH_POWER)));
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

/// Forecasts the size at the start from starts with larger cells; none if the scene has too few levels.
pub fn first(scene: &Scene, limit: u64) -> Result<Option<Size>, Failure> {
    let down = pilot_levels(scene).max(1);
    let (Some(low), Some(lower)) = (coarser(scene, down), coarser(scene, down + 1)) else { return Ok(None) };
    let (low, lower) = (start(&low, limit)?, start(&lower, limit)?);
    let power = (low.cells as f64 / lower.cells.max(1) as f64).log2().clamp(1.0, 3.0);
    let size = low.times((power * f64::from(down)).exp2());
    Ok(Some(Size { cells: size.cells.min(uniform(scene)), ..size }))
}

/// Runs the scene with larger cells for at most [`MAX_PILOT_TIME`]; none if it has too few levels.
pub fn pilot(scene: &Scene, stop: &Stop) -> Result<Option<Pilot>, Failure> {
    let Some(scene) = coarser(scene, pilot_levels(scene)) else { return Ok(None) };
    let mut simulation = Simulation::new(methods::start_within(&scene, stop.memory_limit())?, scene.time.fps);
    let report = simulation.report();
    let first = Size { cells: report.cells, particles: report.particles };
    let resolution = scene.domain.resolution;
    let mut pilot = Pilot { resolution, steps: 0, frames: 0, first, most: first };
    let start = Instant::now();
    while pilot.frames < scene.time.frames && start.elapsed() <= MAX_PILOT_TIME {
        match simulation.step() {
            Ok(step) => {
                pilot.steps += 1;
                pilot.most.cells = pilot.most.cells.max(step.report.cells);
                pilot.most.particles = pilot.most.particles.max(step.report.particles);
                pilot.frames = simulation.frame_number();
            }
            Err(e @ SimulationError::Memory { .. }) => return Err(e.into()),
            // With cells this large the simulation may fail where one with smaller cells would not.
            Err(_) => break,
        }
        stop.check()?;
    }
    Ok(Some(pilot))
}

fn pilot_levels(scene: &Scene) -> u8 {
    let mut down = PILOT_LEVELS.min(scene.domain.levels);
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

/// Number of cells of a uniform grid.
fn uniform(scene: &Scene) -> usize {
    (scene.domain.size / scene.domain.dx()).round().element_product() as usize
}
