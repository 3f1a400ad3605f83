//! The way from frame to frame.
//!
//! What remains until the frame is cut into `n = ⌈remaining / max_dt⌉` equal steps, and the first of them is
//! taken; then all is asked anew. So the frame's time is hit, no step is longer than allowed, and none is
//! ever next to nothing. A step that fails is tried again with half the length.

#[cfg(test)]
mod tests;

use crate::errors::{Failure, MORE_MEMORY};
use octide_core::contract::{Method, StepError, StepReport};
use octide_core::scene::Scene;

/// How often a failed step is tried again.
const RETRIES: u32 = 4;

/// A frame that would take more steps than this is taken for a simulation that has gone wild.
const MAX_STEPS: f64 = 100_000.0;

/// A ratio this little above a whole number is that number, spoilt by rounding.
const ROUNDING: f64 = 1e-9;

/// A step that was taken.
pub struct Step {
    /// What it did.
    pub report: StepReport,
    /// The time after it.
    pub time: f64,
    /// Why longer steps were not taken, where they failed.
    pub trouble: Option<StepError>,
    /// Whether it has reached the time that was asked for.
    pub arrived: bool,
}

/// Steps until the time `end`; `each` sees every step and the state after it, and may end it all by an error.
pub fn advance(
    method: &mut dyn Method,
    end: f64,
    mut each: impl FnMut(&Step, &dyn Method) -> Result<(), Failure>,
) -> Result<(), Failure> {
    loop {
        let remaining = end - method.time();
        let n = steps_to_take(remaining, method.max_dt()).ok_or_else(|| gone_wild(method, end))?;
        let mut step = take(method, remaining / n)?;
        // The last step has arrived by its length; the clock may differ by a rounding.
        step.arrived = n <= 1.0 && step.trouble.is_none();
        each(&step, method)?;
        if step.arrived {
            return Ok(());
        }
    }
}

/// Whether a state can be stepped from at all.
pub fn is_sane(method: &dyn Method, scene: &Scene) -> bool {
    steps_to_take(1.0 / scene.time.fps, method.max_dt()).is_some()
}

fn steps_to_take(remaining: f64, max_dt: f64) -> Option<f64> {
    let n = (remaining / max_dt - ROUNDING).ceil().max(1.0);
    (max_dt > 0.0 && n <= MAX_STEPS).then_some(n)
}

fn take(method: &mut dyn Method, mut dt: f64) -> Result<Step, Failure> {
    let mut trouble = None;
    for _ in 0..=RETRIES {
        match method.step(dt) {
            Ok(report) => return Ok(Step { report, time: method.time(), trouble, arrived: false }),
            // A shorter step needs as much.
            Err(e @ StepError::Memory { .. }) => return Err(out_of_memory(method.time(), &e)),
            Err(e) => trouble = Some(e),
        }
        dt *= 0.5;
    }
    let why = trouble.map_or(String::new(), |e| e.to_string());
    Err(Failure::Simulation(format!(
        "the simulation failed at {:.6} s: {why}; shorter steps down to {:.2e} s did not help",
        method.time(),
        2.0 * dt
    )))
}

fn out_of_memory(time: f64, e: &StepError) -> Failure {
    Failure::Memory(format!("memory would run out at {time:.6} s: {e}; {MORE_MEMORY}"))
}

/// Shorter steps are what is asked for here: there is nothing to try again.
fn gone_wild(method: &dyn Method, end: f64) -> Failure {
    let (time, max_dt) = (method.time(), method.max_dt());
    let at = method.fastest();
    Failure::Simulation(format!(
        "the simulation failed at {time:.6} s, before a step: the flow near {at} is so fast that steps would have to be \
         {max_dt:.2e} s short, more than {MAX_STEPS} of them to the frame at {end:.6} s"
    ))
}
