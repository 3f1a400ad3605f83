//! Functions for cases that run a scene: starting a method by name, stepping, probes over time.

use glam::DVec3;
use octide_core::contract::Method;
use octide_core::geometry::Shape;
use octide_core::probes;
use octide_core::scene::{Liquid, Probe, ProbeKind, Scene, Solid};
use octide_verify::CaseError;
use octide_verify::plot::{Axis, Plot, Scale, Series};

/// Returns water at rest.
pub(crate) fn at_rest(shape: Shape) -> Liquid {
    Liquid { shape, velocity: DVec3::ZERO }
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
    while end - method.time() > 1e-9 * end {
        let left = end - method.time();
        let steps = (left / method.max_dt() - 1e-9).ceil().max(1.0);
        method.step(left / steps).map_err(CaseError::new)?;
        all.push(reading(method));
    }
    Ok(all)
}

/// Returns a plot with linear axes.
pub(crate) fn line_plot(title: &str, x: &str, y: &str, series: Vec<Series>) -> Plot {
    let axis = |label: &str| Axis { label: label.to_owned(), scale: Scale::Linear, ticks: Vec::new() };
    Plot { title: title.to_owned(), x: axis(x), y: axis(y), series }
}
