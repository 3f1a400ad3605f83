//! The stepping loop: from a scene to its frames.
//!
//! A [`Simulation`] picks the length of each step. The time left until the next frame is divided into `n =
//! ⌈remaining / max_dt⌉` equal steps, the first of them is taken, and then `n` is computed anew. So every
//! frame is hit exactly, no step exceeds the stable length, and no step is vanishingly short. A step that
//! fails is tried again with half its length.

mod error;
#[cfg(test)]
mod tests;

pub use error::SimulationError;

use crate::{LoadError, StartError};
use octide_core::contract::{Frame, Method, StepError, StepReport, TimeStep, Totals};
use octide_core::scene::Scene;
use octide_core::snapshot::Snapshot;
use std::num::NonZeroU32;

/// How often a failed step is tried again, each time with half the length.
const MAX_RETRIES: u32 = 4;

/// If reaching the next frame takes more steps than this, the simulation is considered to have diverged.
const MAX_STEPS_PER_FRAME: u32 = 100_000;

/// Relative rounding error that is allowed for when times are compared, in steps or in frames.
const ROUNDING: f64 = 1e-9;

/// A scene that is being simulated, frame by frame.
///
/// ```
/// use octide_core::DVec3;
/// use octide_core::geometry::Shape;
/// use octide_core::scene::{Liquid, Scene};
/// use octide_methods::Simulation;
///
/// let mut scene = Scene::empty("octree", DVec3::splat(1.0), 32, 2);
/// let shape = Shape::Sphere { center: DVec3::splat(0.5), radius: 0.2 };
/// scene.liquids.push(Liquid { shape, velocity: DVec3::ZERO, roughness: 0.0 });
///
/// let mut simulation = Simulation::start(&scene)?;
/// let frame = simulation.next_frame()?;
/// assert_eq!((simulation.frame_number(), frame.time), (1, 1.0 / 60.0));
/// assert!(!frame.surface.mesh.triangles.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Simulation {
    method: Box<dyn Method>,
    frames_per_second: f64,
}

impl Simulation {
    /// Starts a scene at time 0 with the method that it names.
    pub fn start(scene: &Scene) -> Result<Self, StartError> {
        Ok(Self::new(crate::start(scene)?, scene.time.fps))
    }

    /// Starts a scene as [`Self::start`] does, if the process can hold it and take steps in `max_bytes` of
    /// memory. Steps that would need more fail with [`SimulationError::Memory`].
    pub fn start_within(scene: &Scene, max_bytes: u64) -> Result<Self, StartError> {
        Ok(Self::new(crate::start_within(scene, max_bytes)?, scene.time.fps))
    }

    /// Continues a scene from a snapshot that [`Method::save`] has filled. The results are the same bytes as
    /// those of an uninterrupted simulation.
    pub fn load(scene: &Scene, snapshot: &mut Snapshot) -> Result<Self, LoadError> {
        Ok(Self::new(crate::load(scene, snapshot)?, scene.time.fps))
    }

    /// Steps a method that was started by other means, with this many frames per second.
    pub fn new(method: Box<dyn Method>, frames_per_second: f64) -> Self {
        Self { method, frames_per_second }
    }

    /// Simulated seconds since the start.
    pub fn time(&self) -> f64 {
        self.method.time()
    }

    /// The last frame whose time has been reached; 0 is the start.
    pub fn frame_number(&self) -> u32 {
        (self.time() * self.frames_per_second + ROUNDING).floor() as u32
    }

    /// The time of a frame in seconds.
    pub fn frame_time(&self, number: u32) -> f64 {
        f64::from(number) / self.frames_per_second
    }

    /// Takes one step towards the next frame.
    pub fn step(&mut self) -> Result<Step, SimulationError> {
        self.step_towards(self.frame_time(self.frame_number() + 1))
    }

    /// Takes one step towards a time, which [`Step::arrived`] says it has reached.
    pub fn step_towards(&mut self, time: f64) -> Result<Step, SimulationError> {
        step_towards(self.method.as_mut(), time)
    }

    /// Takes all steps to the next frame and returns what there is to see then.
    pub fn next_frame(&mut self) -> Result<Frame, SimulationError> {
        while !self.step()?.arrived {}
        Ok(self.frame())
    }

    /// Takes all steps to a frame; none if the simulation is there already.
    pub fn advance_to_frame(&mut self, number: u32) -> Result<(), SimulationError> {
        while self.frame_number() < number {
            self.step()?;
        }
        Ok(())
    }

    /// Returns what there is to see now: the surface, the cells, particles and smoke.
    pub fn frame(&self) -> Frame {
        let mut frame = self.method.frame();
        // The method's clock may differ from the time of the frame by rounding.
        let exact = self.frame_time(self.frame_number());
        if (frame.time - exact).abs() * self.frames_per_second < ROUNDING {
            frame.time = exact;
        }
        frame
    }

    /// Returns the figures of the state, such as the number of cells and the volume, without taking a step.
    pub fn report(&self) -> StepReport {
        self.method.report()
    }

    /// Returns volume, energies, momentum and center of mass of all fluid.
    pub fn totals(&self) -> Totals {
        self.method.totals()
    }

    /// The method, to sample its state at points or to save it.
    pub fn method(&self) -> &dyn Method {
        self.method.as_ref()
    }

    /// From now on, steps that would need more than `max_bytes` of memory fail with
    /// [`SimulationError::Memory`].
    pub fn limit_memory(&mut self, max_bytes: u64) {
        self.method.limit_memory(max_bytes);
    }

    /// Returns whether the flow is slow enough that the next frame can be reached. A state from which it
    /// cannot is not worth keeping.
    pub fn can_step(&self) -> bool {
        step_count(self.frame_time(1), self.method.max_dt()).is_some()
    }
}

/// A step that was taken.
#[derive(Debug)]
pub struct Step {
    /// The figures of the step and of the state after it.
    pub report: StepReport,
    /// The time after it in seconds.
    pub time: f64,
    /// If longer steps were tried first: why the last of them failed.
    pub trouble: Option<StepError>,
    /// Whether it has reached the time that it was taken towards.
    pub arrived: bool,
}

/// Takes one step of a method towards the time `end`; [`Simulation`] does this for frames.
///
/// ```
/// use octide_core::DVec3;
/// use octide_core::contract::Method;
/// use octide_core::scene::Scene;
/// use octide_methods::{start, step_towards};
///
/// let mut method = start(&Scene::empty("octree", DVec3::ONE, 16, 1))?;
/// while !step_towards(method.as_mut(), 0.1)?.arrived {}
/// assert!((method.time() - 0.1).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn step_towards(method: &mut dyn Method, end: f64) -> Result<Step, SimulationError> {
    let (time, max_dt) = (method.time(), method.max_dt());
    let Ok(remaining) = TimeStep::new(end - time) else {
        return Err(SimulationError::TimePassed { time, end });
    };
    let Some(n) = step_count(remaining.seconds(), max_dt) else {
        return Err(SimulationError::TooFast {
            time,
            end,
            max_dt,
            max_steps: MAX_STEPS_PER_FRAME,
            at: method.fastest(),
        });
    };
    let (report, trouble) = take_with_retries(method, remaining.divided_by(n))?;
    // The last step arrives by its length; the clock may differ by rounding.
    let arrived = n == NonZeroU32::MIN && trouble.is_none();
    Ok(Step { report, time: method.time(), trouble, arrived })
}

/// The number of equal steps of at most `max_dt` that make up `remaining`; none if there would be too many.
fn step_count(remaining: f64, max_dt: f64) -> Option<NonZeroU32> {
    let n = (remaining / max_dt - ROUNDING).ceil().max(1.0);
    let allowed = max_dt > 0.0 && n <= f64::from(MAX_STEPS_PER_FRAME);
    NonZeroU32::new(n as u32).filter(|_| allowed)
}

/// Takes a step, or the longest shorter one that succeeds; with it, why the last one failed.
fn take_with_retries(
    method: &mut dyn Method,
    mut dt: TimeStep,
) -> Result<(StepReport, Option<StepError>), SimulationError> {
    let mut trouble = None;
    let mut retries = 0;
    loop {
        match method.step(dt) {
            Ok(report) => return Ok((report, trouble)),
            // A shorter step needs as much memory.
            Err(source @ StepError::Memory { .. }) => {
                return Err(SimulationError::Memory { time: method.time(), source });
            }
            // A shorter step finds as little room, and the same mesh.
            Err(source @ (StepError::Full { .. } | StepError::Squeezed { .. } | StepError::Mesh { .. })) => {
                return Err(SimulationError::Impossible { time: method.time(), source });
            }
            Err(source) if retries == MAX_RETRIES => {
                return Err(SimulationError::Failed { time: method.time(), shortest: dt.seconds(), source });
            }
            Err(e) => trouble = Some(e),
        }
        dt = dt.halved();
        retries += 1;
    }
}
