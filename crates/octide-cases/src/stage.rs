//! Functions for cases that run a scene: starting a method by name, stepping, probes over time.

use glam::DVec3;
use octide_core::contract::{Method, StepReport, TimeStep};
use octide_core::geometry::Shape;
use octide_core::probes;
use octide_core::scene::{Liquid, Probe, ProbeKind, Scene, Solid};
use octide_methods::Step;
use octide_verify::CaseError;
use octide_verify::plot::{Axis, Plot, Scale, Series};

/// Returns water at rest.
pub(crate) fn at_rest(shape: Shape) -> Liquid {
    Liquid { shape, velocity: DVec3::ZERO, roughness: 0.0 }
}

/// Returns a body that does not move.
pub(crate) fn fixed(shape: Shape) -> Solid {
    Solid::still(shape)
}

/// Returns a probe without a name.
pub(crate) fn probe(kind: ProbeKind) -> Probe {
    Probe { name: String::new(), kind }
}

/// Starts a scene at time 0 with the method that it names.
pub(crate) fn start(scene: &Scene) -> Result<Box<dyn Method>, CaseError> {
    octide_methods::start(scene).map_err(CaseError::new)
}

/// Returns a step of a length in seconds.
pub(crate) fn time_step(seconds: f64) -> Result<TimeStep, CaseError> {
    TimeStep::new(seconds).map_err(CaseError::new)
}

/// Takes a step of a length in seconds.
pub(crate) fn take_step(method: &mut (impl Method + ?Sized), seconds: f64) -> Result<StepReport, CaseError> {
    method.step(time_step(seconds)?).map_err(CaseError::new)
}

/// Takes one step towards `end` as a run does, as long as the method allows. A step that fails is an error even
/// if a shorter one would succeed, because the measurement would be that of another time step.
pub(crate) fn step_towards(method: &mut dyn Method, end: f64) -> Result<Step, CaseError> {
    let step = octide_methods::step_towards(method, end).map_err(CaseError::new)?;
    match step.trouble {
        Some(trouble) => Err(CaseError::new(format!("a step before {:.6} s failed: {trouble}", step.time))),
        None => Ok(step),
    }
}

/// The values of probes at a time.
pub(crate) struct Reading {
    /// Simulated seconds.
    pub(crate) time: f64,
    /// By column; NaN where there is nothing to measure.
    pub(crate) values: Vec<f64>,
}

/// Steps until `end` as a run does, each step as long as the method allows. Returns the values of the probes at
/// the start and after every step.
pub(crate) fn record(scene: &Scene, method: &mut dyn Method, end: f64) -> Result<Vec<Reading>, CaseError> {
    record_with(method, end, |method| probes::read(scene, method))
}

/// As [`record`], with a function that measures.
pub(crate) fn record_with(
    method: &mut dyn Method,
    end: f64,
    read: impl Fn(&dyn Method) -> Vec<Option<f64>>,
) -> Result<Vec<Reading>, CaseError> {
    let reading = |method: &dyn Method| Reading {
        time: method.time(),
        values: read(method).into_iter().map(|v| v.unwrap_or(f64::NAN)).collect(),
    };
    let mut all = vec![reading(method)];
    loop {
        let arrived = step_towards(method, end)?.arrived;
        all.push(reading(method));
        if arrived {
            return Ok(all);
        }
    }
}

/// Returns a plot with linear axes.
pub(crate) fn line_plot(title: &str, x: &str, y: &str, series: Vec<Series>) -> Plot {
    let axis = |label: &str| Axis { label: label.to_owned(), scale: Scale::Linear, ticks: Vec::new() };
    Plot { title: title.to_owned(), x: axis(x), y: axis(y), series }
}
