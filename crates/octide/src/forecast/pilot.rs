//! Pilot runs.

use super::growth::Comparison;
use super::{coarser, pilot_levels, uniform};
use crate::counts::Counts;
use crate::errors::Failure;
use crate::methods;
use crate::stop::Stop;
use octide_core::particles::show_spray;
use octide_core::scene::Scene;
use octide_methods::{Simulation, SimulationError};
use std::time::{Duration, Instant};

/// Shares of the time that the user waits for the forecast: for the coarse pilot, the fine one, and the first
/// frames of the scene itself.
const TIME_SHARES: [f64; 3] = [0.2, 0.6, 0.2];

/// The coarse pilot leaves out this many levels more than the fine one.
const COARSER_LEVELS: u8 = 1;

/// A run of a scene, in most cases with larger cells.
pub struct Pilot {
    /// Its finest cells along the longest side.
    pub resolution: u32,
    /// The largest counts up to each frame; frame 0 is the start.
    pub most: Vec<Counts>,
}

impl Pilot {
    /// The number of frames after frame 0 that it reached.
    pub fn frames(&self) -> usize {
        self.most.len().saturating_sub(1)
    }

    /// The largest counts up to a frame, or up to its last one if it did not reach the frame.
    pub fn most_until(&self, frame: usize) -> Counts {
        let last = self.most.len().saturating_sub(1);
        self.most.get(frame.min(last)).copied().unwrap_or_default()
    }

    /// Runs a scene for at most some time.
    fn run(scene: &Scene, time: Duration, stop: &Stop) -> Result<Self, Failure> {
        let limit = stop.memory_limit();
        let mut simulation = Simulation::new(methods::start_within(scene, limit)?, scene.time.fps);
        let frame = |simulation: &Simulation| {
            let mut frame = simulation.frame();
            show_spray(&mut frame, scene.output.spray);
            frame
        };
        let mut most = Counts::of_step(&simulation.report()).with_frame(&frame(&simulation));
        let mut pilot = Self { resolution: scene.domain.resolution, most: vec![most] };
        let start = Instant::now();
        while pilot.frames() < scene.time.frames as usize && start.elapsed() <= time {
            match simulation.step() {
                Ok(step) => {
                    most = most.max(Counts::of_step(&step.report));
                    if step.arrived {
                        let now = Counts::of_step(&step.report).with_frame(&frame(&simulation));
                        most = most.max(now);
                        pilot.most.push(most);
                    }
                }
                Err(e @ SimulationError::Memory { .. }) => return Err(e.into()),
                // With cells this large the simulation may fail where one with smaller cells would not.
                Err(_) => break,
            }
            stop.check()?;
        }
        Ok(pilot)
    }
}

/// The pilots of a scene.
pub struct Pilots {
    /// The one with the largest cells; none if the scene has too few levels, or if the fine one saw
    /// everything.
    pub coarse: Option<Pilot>,
    /// The one that counts are extrapolated from.
    pub fine: Pilot,
    /// The first frames of the scene itself; none if the fine pilot is the scene itself, or if memory does
    /// not suffice.
    pub own: Option<Pilot>,
}

/// Runs the pilots of a scene for at most `time`, the fine one with the wanted resolution if one is wanted.
pub fn run_pilots(
    scene: &Scene,
    wanted: Option<u32>,
    time: Duration,
    stop: &Stop,
) -> Result<Pilots, Failure> {
    let [coarse_time, fine_time, own_time] = TIME_SHARES.map(|share| time.mul_f64(share));
    let down = pilot_levels(scene, wanted);
    let fine_scene = coarser(scene, down);
    let fine = Pilot::run(fine_scene.as_ref().unwrap_or(scene), fine_time, stop)?;
    let own = match down {
        0 => None,
        _ => match Pilot::run(scene, own_time, stop) {
            // Then the forecast will say so; the limit is compared with the whole run.
            Err(Failure::Memory(_)) => None,
            own => Some(own?),
        },
    };
    let coarse = match coarser(scene, down + COARSER_LEVELS) {
        Some(coarse) if fine.frames() < scene.time.frames as usize => {
            Some(Pilot::run(&coarse, coarse_time, stop)?)
        }
        _ => None,
    };
    Ok(Pilots { coarse, fine, own })
}

impl Pilots {
    /// The number of frames that the fine one saw.
    pub fn frames(&self) -> usize {
        self.fine.frames()
    }

    /// Forecasts the largest counts of the scene's run.
    pub fn forecast(&self, scene: &Scene) -> Counts {
        let Self { coarse, fine, own } = self;
        let n_frames = scene.time.frames as usize;
        let resolution = scene.domain.resolution;
        let seen = fine.most_until(fine.frames());
        let most_of_fine = match coarse {
            // It may have failed earlier.
            Some(coarse) if coarse.frames() > fine.frames() => {
                extrapolate(coarse, coarse.most_until(n_frames), fine, n_frames).max(seen)
            }
            _ => seen,
        };
        let most = match own {
            Some(own) => extrapolate(fine, most_of_fine, own, n_frames).max(own.most_until(n_frames)),
            None if fine.resolution == resolution => most_of_fine,
            None => {
                let finer = f64::from(resolution) / f64::from(fine.resolution);
                let unknown = Counts::default();
                Comparison { coarse: unknown, fine: unknown, finer, seen: 0.0 }.to_fine(most_of_fine)
            }
        };
        Counts { cells: most.cells.min(uniform(scene)), ..most }
    }
}

/// Extrapolates the counts that a pilot has at most in `n_frames` frames to the resolution of another one,
/// which need not have seen as much.
fn extrapolate(coarse: &Pilot, most: Counts, fine: &Pilot, n_frames: usize) -> Counts {
    let common = coarse.frames().min(fine.frames());
    Comparison {
        coarse: coarse.most_until(common),
        fine: fine.most_until(common),
        finer: f64::from(fine.resolution) / f64::from(coarse.resolution),
        seen: common as f64 / n_frames.max(1) as f64,
    }
    .to_fine(most)
}
