//! What most likely helps when a simulation has failed or its volume drifts, by the names of the scene's keys.

use crate::methods;
use octide_core::DVec3;
use octide_core::contract::StepError;
use octide_core::scene::{Inflow, Scene, Seeding, Solid, VolumeCorrection};
use octide_core::solids::{Solids, thin_walls_move, thinnest_part};
use octide_methods::SimulationError;

/// A body within this many finest cells of the fastest place has most likely caused the speed.
const NEAR_CELLS: f64 = 4.0;

/// A body has most likely caused a speed if its own is more than this fraction of it, ...
const LEAST_PART: f64 = 0.05;
/// ... or of that which the step was chosen for.
const SLOW_CELLS: f64 = 0.01;

/// A higher resolution is worth proposing up to this factor.
const MAX_FINER: f64 = 8.0;

/// Returns what most likely helps against a failure, as whole sentences; `None` if the error says it itself.
pub fn for_failure(error: &SimulationError, scene: &Scene) -> Option<String> {
    match error {
        SimulationError::TooFast { time, at, .. } => Some(against_speed(scene, *at, *time)),
        SimulationError::Failed { time, source, .. } => match source {
            StepError::Volume { .. } => Some(format!(
                "{}. The run ends at `numerics.max_volume_drift`, now {}",
                against_drift(scene),
                scene.numerics.max_volume_drift
            )),
            StepError::Cfl { at, .. } => Some(against_speed(scene, *at, *time)),
            StepError::Pressure { reason, .. } => Some(against_bad_solves(scene, reason)),
            StepError::NotFinite { at, .. } => Some(against_speed(scene, *at, *time)),
            _ => None,
        },
        _ => None,
    }
}

/// Returns what most likely helps against a drift of the volume.
pub fn against_drift(scene: &Scene) -> String {
    let keeps = methods::supports_in_water(&scene.method, "numerics.volume_correction", "local");
    let correction = scene.numerics.volume_correction;
    let is_local = correction == VolumeCorrection::Local
        || correction == VolumeCorrection::Auto && !thin_walls_move(scene);
    let finer = finer(scene);
    if keeps && !is_local {
        return format!(
            "Set `numerics.volume_correction` to \"local\", which keeps volume cell by cell; or {finer}"
        );
    }
    if correction == VolumeCorrection::Off {
        return format!("Set `numerics.volume_correction` to \"auto\": it is off; or {finer}");
    }
    if let Some(thin) = thin_solid(scene) {
        return format!("{thin}; or {finer}");
    }
    if scene.numerics.particles == Seeding::Off {
        return format!(
            "Set `numerics.particles` to \"where-needed\": without them, water that is thinner than a cell is lost; or \
             {finer}"
        );
    }
    capitalized(&finer)
}

/// Returns what to do about the solid with the thinnest walls on the grid.
fn thin_solid(scene: &Scene) -> Option<String> {
    let dx = scene.domain.dx();
    let thickness =
        scene.solids.iter().enumerate().filter_map(|(i, s)| Some((i, thinnest_part(&s.shape, dx)?)));
    let (i, thickness) = thickness.min_by(|a, b| a.1.total_cmp(&b.1))?;
    let holds = Solids::holding_thickness(dx);
    let finer = holds / thickness.max(1e-9);
    // Less than this above a whole number is rounding.
    let resolution = (f64::from(scene.domain.resolution) * finer - 1e-6).ceil();
    let or =
        if finer < MAX_FINER { format!(", or raise `resolution` to {resolution}") } else { String::new() };
    Some(format!(
        "Make the walls of `solid.{i}` at least {holds:.3e} m thick: they are thinner than the cells can hold, and count \
         as so thick{or}"
    ))
}

/// Returns the advice to use smaller cells and steps.
fn finer(scene: &Scene) -> String {
    format!(
        "raise `resolution`, now {}, or lower `time.cfl`, now {}",
        scene.domain.resolution, scene.time.cfl
    )
}

/// Returns what most likely helps if the fluid is too fast at a place and a time.
fn against_speed(scene: &Scene, at: DVec3, time: f64) -> String {
    let finer = finer(scene);
    if let Some((i, distance, speed)) = nearest_moving_solid(scene, at, time) {
        return format!(
            "`solid.{i}`, {distance:.3e} m from there, moves at {speed:.3e} m/s: give its motion more time, or leave the \
             fluid in its way more room to flow off; or {finer}"
        );
    }
    if let Some((i, speed)) = nearest_inflow(scene, at, time) {
        return format!(
            "`inflow.{i}` brings water there at {speed:.3e} m/s: lower its `velocity` or `flow`, or widen its shape; or \
             {finer}"
        );
    }
    let own = |v: DVec3| v.length();
    let fastest =
        scene.liquids.iter().map(|l| own(l.velocity)).enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
    if let Some((i, speed)) =
        fastest.filter(|&(_, speed)| speed * scene.time.fps.recip() > scene.domain.size.max_element())
    {
        return format!(
            "Lower the velocity of `liquid.{i}`, which crosses the domain within a frame at {speed:.3e} m/s"
        );
    }
    if scene.physics.surface_tension > 0.0 {
        return format!(
            "{}; surface tension (`physics.surface_tension`) may drive what is thinner than a cell",
            capitalized(&finer)
        );
    }
    let around = Solids::at(&scene.solids, time);
    let distance = around.shape_distance(at);
    if distance.abs() < NEAR_CELLS * scene.domain.dx()
        && let Some(i) = nearest_solid(scene, at, time)
    {
        return format!(
            "The place is beside `solid.{i}`: where water is squeezed through gaps narrower than a few cells, widen or close \
             them; or {finer}"
        );
    }
    capitalized(&finer)
}

/// Returns the number of the solid nearest to a place.
fn nearest_solid(scene: &Scene, at: DVec3, time: f64) -> Option<usize> {
    let distance = |s: &Solid| Solids::at(std::slice::from_ref(s), time).shape_distance(at).abs();
    let all = scene.solids.iter().map(distance).enumerate();
    all.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(i, _)| i)
}

/// Returns the moving solid near a place, its distance and its speed there.
fn nearest_moving_solid(scene: &Scene, at: DVec3, time: f64) -> Option<(usize, f64, f64)> {
    let dx = scene.domain.dx();
    let least =
        (SLOW_CELLS * dx * scene.time.fps).max(LEAST_PART * (scene.physics.gravity.length() * dx).sqrt());
    let found = scene.solids.iter().enumerate().filter_map(|(i, s)| {
        let one = Solids::at(std::slice::from_ref(s), time);
        let (distance, speed) = (one.shape_distance(at).abs(), one.velocity(at).length());
        (distance < NEAR_CELLS * dx && speed > least).then_some((i, distance, speed))
    });
    found.min_by(|a, b| a.1.total_cmp(&b.1))
}

/// Returns the inflow around a place and its speed.
fn nearest_inflow(scene: &Scene, at: DVec3, time: f64) -> Option<(usize, f64)> {
    let reach = NEAR_CELLS * scene.domain.dx();
    let is_near = |i: &Inflow| i.shape.distance(i.motion.pose(time).to_body(at)) < reach;
    let found = scene.inflows.iter().enumerate().find(|(_, i)| is_near(i) && i.velocity.length() > 0.0);
    found.map(|(k, i)| (k, i.velocity.length()))
}

/// Returns what most likely helps if the pressure cannot be solved for.
fn against_bad_solves(scene: &Scene, reason: &str) -> String {
    let numerics = &scene.numerics;
    let mut advice = Vec::new();
    if reason.contains("not converged") {
        advice.push(format!("raise `numerics.max_iterations`, now {}", numerics.max_iterations));
        advice.push(format!("raise `numerics.tolerance`, now {:e}", numerics.tolerance));
    }
    if methods::supports_in_water(&scene.method, "numerics.pressure_solver", "iccg") {
        advice.push("set `numerics.pressure_solver` to the other one".to_owned());
    }
    if let Some(thin) = thin_solid(scene) {
        advice.push(uncapitalized(&thin));
    }
    advice.push(finer(scene));
    capitalized(&advice.join(", or "))
}

fn capitalized(text: &str) -> String {
    with_first(text, |c| c.to_ascii_uppercase())
}

fn uncapitalized(text: &str) -> String {
    with_first(text, |c| c.to_ascii_lowercase())
}

fn with_first(text: &str, change: fn(char) -> char) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| change(first).to_string() + chars.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use octide_core::geometry::{Motion, Shape};
    use octide_core::scene::Liquid;

    fn scene() -> Scene {
        Scene::empty("octree", DVec3::ONE, 16, 1)
    }

    fn failed(source: StepError) -> SimulationError {
        SimulationError::Failed { time: 0.0, shortest: 1e-4, source }
    }

    #[track_caller]
    fn assert_says(error: &SimulationError, scene: &Scene, parts: &[&str]) {
        let text = for_failure(error, scene).unwrap();
        parts.iter().for_each(|part| assert!(text.contains(part), "{part} is not in: {text}"));
    }

    fn paddle() -> Solid {
        let shape = Shape::Box { min: DVec3::new(0.4, 0.0, 0.4), max: DVec3::new(0.6, 0.3, 0.6) };
        let mut solid = Solid::still(shape);
        solid.motion = Motion::Oscillation { amplitude: DVec3::X, period: 1.0 };
        solid
    }

    #[test]
    fn drift_names_the_correction_the_thin_solid_or_the_resolution() {
        let drift = failed(StepError::Volume { drift: 25.0, limit: 20.0 });
        let mut scene = scene();
        assert_says(
            &drift,
            &scene,
            &["Raise `resolution`, now 16", "`time.cfl`", "`numerics.max_volume_drift`, now 0.2"],
        );
        scene.numerics.particles = Seeding::Off;
        assert_says(&drift, &scene, &["`numerics.particles` to \"where-needed\"", "`resolution`"]);
        let plate = Shape::Box { min: DVec3::new(0.3, 0.2, 0.0), max: DVec3::new(0.7, 0.25, 1.0) };
        scene.solids =
            vec![Solid::still(Shape::Sphere { center: DVec3::ZERO, radius: 0.3 }), Solid::still(plate)];
        assert_says(&drift, &scene, &["walls of `solid.1` at least 1.125e-1 m", "`resolution` to 36"]);
        scene.solids = vec![paddle()];
        assert_says(&drift, &scene, &["`numerics.volume_correction` to \"local\""]);
        scene.solids.clear();
        scene.numerics.volume_correction = VolumeCorrection::Global;
        assert_says(&drift, &scene, &["`numerics.volume_correction` to \"local\""]);
        scene.method = "nodal-octree".to_owned();
        scene.numerics.volume_correction = VolumeCorrection::Off;
        assert_says(&drift, &scene, &["`numerics.volume_correction` to \"auto\""]);
    }

    #[test]
    fn speed_names_the_body_the_inflow_the_liquid_or_the_steps() {
        let at = DVec3::new(0.65, 0.2, 0.5);
        let fast = |at| failed(StepError::Cfl { cells: 99.0, dt: 0.01, at });
        let mut scene = scene();
        assert_says(&fast(at), &scene, &["Raise `resolution`, now 16, or lower `time.cfl`"]);
        let not_finite = failed(StepError::NotFinite { field: "φ", stage: "redistancing", at });
        assert_says(&not_finite, &scene, &["`time.cfl`"]);
        scene.physics.surface_tension = 0.07;
        assert_says(&fast(at), &scene, &["`physics.surface_tension`"]);
        scene.liquids.push(Liquid {
            shape: Shape::Sphere { center: at, radius: 0.1 },
            velocity: DVec3::new(0.0, -1e6, 0.0),
            roughness: 0.0,
        });
        let too_fast = SimulationError::TooFast { time: 0.0, end: 0.1, max_dt: 1e-9, max_steps: 100_000, at };
        assert_says(&too_fast, &scene, &["velocity of `liquid.0`", "1.000e6 m/s"]);
        scene.liquids.clear();
        scene.physics.surface_tension = 0.0;
        let shape = Shape::Sphere { center: DVec3::new(0.65, 0.4, 0.5), radius: 0.05 };
        scene.inflows.push(Inflow::new(shape, DVec3::new(0.0, -3.0, 0.0)));
        assert_says(
            &fast(at),
            &scene,
            &["`inflow.0` brings water there at 3.000e0 m/s", "`velocity` or `flow`"],
        );
        let mut still = paddle();
        still.motion = Motion::Still;
        scene.solids = vec![still, paddle()];
        assert_says(&fast(at), &scene, &["`solid.1`", "moves at 6.283e0 m/s", "more time"]);
        // A body far away has nothing to do with it.
        let far = DVec3::splat(0.95);
        assert!(!for_failure(&fast(far), &scene).unwrap().contains("solid.1"));
        scene.inflows.clear();
        scene.solids.truncate(1);
        assert_says(&fast(at), &scene, &["beside `solid.0`", "gaps"]);
    }

    #[test]
    fn a_pressure_that_does_not_converge_names_its_keys() {
        let solve = |reason: &str| failed(StepError::Pressure { reason: reason.into(), at: None });
        let scene = scene();
        let text = ["`numerics.max_iterations`, now 1000", "`numerics.tolerance`, now 1e-4", "`resolution`"];
        assert_says(&solve("not converged after 1000 iterations"), &scene, &text);
        assert!(!for_failure(&solve("not finite"), &scene).unwrap().contains("max_iterations"));
        let nodal = Scene { method: "nodal-octree".to_owned(), ..scene };
        assert_says(&solve("not finite"), &nodal, &["`numerics.pressure_solver`"]);
    }

    #[test]
    fn errors_that_say_what_to_do_get_no_second_advice() {
        let full = SimulationError::Impossible { time: 0.0, source: StepError::Full { at: None } };
        assert_eq!(for_failure(&full, &scene()), None);
        let memory = StepError::Memory { what: "a tree".into(), needed: 2, limit: 1 };
        assert_eq!(for_failure(&SimulationError::Memory { time: 0.0, source: memory }, &scene()), None);
    }
}
