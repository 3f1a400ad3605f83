//! Speeds and step lengths that follow from a scene before anything is simulated.

use crate::geometry::{Motion, Shape};
use crate::octree::RootGrid;
use crate::scene::{Domain, Liquid, Scene, Solid};
use crate::solids::Solids;
use std::f64::consts::PI;

/// Returns the reference speed of a scene's flow in m/s: a fall through the domain reaches about √(g H);
/// surface tension, initial velocities, inflows and solids are also considered.
pub fn reference_speed(scene: &Scene) -> f64 {
    let fall = (scene.physics.gravity.abs() * scene.domain.size).max_element().sqrt();
    let inflows =
        scene.inflows.iter().map(|i| i.velocity.length() + body_speed(&scene.domain, &i.shape, &i.motion));
    let own = scene.liquids.iter().map(|l| l.velocity.length()).chain(inflows).fold(0.0, f64::max);
    fall.max(own).max(capillary_speed(scene)).max(solid_speed(scene)).max(1e-6)
}

/// Returns √(σ/(ρD)), the speed that surface tension gives a drop as wide as the narrowest liquid.
pub fn capillary_speed(scene: &Scene) -> f64 {
    (scene.physics.surface_tension / (scene.physics.density * narrowest(scene))).sqrt()
}

/// Returns the seconds that a fall through the domain takes, or the capillary time of the narrowest liquid,
/// its width divided by [`capillary_speed`], if that is less.
pub fn fall_time(scene: &Scene) -> f64 {
    let fall = scene.domain.size.max_element() / reference_speed(scene);
    fall.min(narrowest(scene) / capillary_speed(scene))
}

/// Returns √(ρ dx³/(4πσ)), the longest step in which waves of a cell's length do not outrun it; infinite
/// without surface tension.
pub fn capillary_step(dx: f64, density: f64, tension: f64) -> f64 {
    if tension > 0.0 { (density * dx.powi(3) / (4.0 * PI * tension)).sqrt() } else { f64::INFINITY }
}

/// The speed that a fall from rest gains in the first step may carry water this many finest cells in as long a step.
const FIRST_FALL_CELLS: f64 = 0.5;

/// The longest step over √(dx/g). Surface and velocity advance in turns, which is stable for waves of frequency ω while
/// ω dt < 2; the shortest waves of a grid have ω² = 2g/dx.
const WAVE_STEP: f64 = 1.0;

/// Returns the longest step from `time` on in which neither the fluid, with speed `speed` and falling, nor a
/// solid crosses more than the scene's number of finest cells; at most `limit` and one frame.
///
/// A step moves the surface with the velocity at its start, which is zero in the first step from rest. So that this
/// step is short, g dt² is at most half a finest cell at time 0, and steps grow to at most twice the time that has passed.
pub fn longest_step(scene: &Scene, grid: &RootGrid, time: f64, speed: f64, limit: f64) -> f64 {
    let (dx, cfl) = (grid.dx(), scene.time.cfl);
    // Fluid at rest will fall: within a step it may reach √(g dx).
    let speed = speed + (scene.physics.gravity.length() * dx).sqrt();
    let frame = 1.0 / scene.time.fps;
    let dt = if speed > 0.0 { (cfl * dx / speed).min(frame) } else { frame };
    let since_rest = time + (FIRST_FALL_CELLS * dx / scene.physics.gravity.length()).sqrt();
    let wave = WAVE_STEP * (dx / scene.physics.gravity.length()).sqrt();
    limit_by_motion(scene, grid, time, dt.min(limit).min(since_rest).min(wave))
}

/// Returns `dt`, or a shorter step from `time` on in which neither a solid nor an inflow, outflow or smoke
/// source crosses more than the scene's number of finest cells.
pub fn limit_by_motion(scene: &Scene, grid: &RootGrid, time: f64, dt: f64) -> f64 {
    let way = scene.time.cfl * grid.dx();
    let dt = Solids::limit(&scene.solids, time, dt, way, grid);
    Solids::limit(&moving_sources(scene, time, dt), time, dt, way, grid)
}

/// Returns the moving inflows, outflows and smoke sources that act at some time of a step, as bodies.
fn moving_sources(scene: &Scene, time: f64, dt: f64) -> Vec<Solid> {
    let inflows = scene.inflows.iter().map(|i| (&i.shape, &i.motion, i.when.meets(time, time + dt)));
    let outflows = scene.outflows.iter().map(|o| (&o.shape, &o.motion, o.when.meets(time, time + dt)));
    let smoke = scene.smoke.iter().map(|s| (&s.shape, &s.motion, s.when.acts(time, time + dt)));
    let moves = |motion: &Motion, acts: bool| acts && !motion.is_still();
    let all = inflows.chain(outflows).chain(smoke).filter(|(_, motion, acts)| moves(motion, *acts));
    all.map(|(shape, motion, _)| Solid::moving(shape.clone(), motion.clone())).collect()
}

/// Returns the width of the narrowest liquid.
pub fn narrowest(scene: &Scene) -> f64 {
    let width = |l: &Liquid| l.shape.bounds().map_or(f64::INFINITY, |(low, high)| (high - low).min_element());
    let widest = scene.domain.size.min_element();
    scene.liquids.iter().map(width).fold(widest, f64::min).max(scene.domain.dx())
}

/// Returns the largest speed of a solid over its whole motion: extending a run must not change the part
/// already simulated.
pub fn solid_speed(scene: &Scene) -> f64 {
    let deforming = |s: &Solid| s.sequence.as_ref().map_or(0.0, |sequence| sequence.fastest_moment().0);
    let speed = |s: &Solid| body_speed(&scene.domain, &s.shape, &s.motion) + deforming(s);
    scene.solids.iter().map(speed).fold(0.0, f64::max)
}

/// Returns the largest speed that a body has in the domain over its whole motion.
pub fn body_speed(domain: &Domain, shape: &Shape, motion: &Motion) -> f64 {
    if motion.is_still() {
        return 0.0;
    }
    let (low, high) = (domain.origin, domain.origin + domain.size);
    let body = Solid::moving(shape.clone(), motion.clone());
    let keys = if let Motion::Keyframes(keys) = motion { keys.len() } else { 0 };
    let (n, span) = (LOOKS.max(8 * keys), motion.span());
    let speed = |i: usize| {
        let t = span * i as f64 / n as f64;
        Solids::at(std::slice::from_ref(&body), t).max_speed(low, high)
    };
    (0..=n).map(speed).fold(0.0, f64::max)
}

/// Returns the largest speed in m/s that a solid has inside the domain until `end`, and when it has it,
/// however short the motion is.
pub fn fastest_moment(solid: &Solid, domain: &Domain, end: f64) -> (f64, f64) {
    let (low, high) = (domain.origin, domain.origin + domain.size);
    let regular = (0..=LOOKS).map(|i| end * i as f64 / LOOKS as f64);
    let brief = solid.motion.brief_moments(0.0, end).into_iter().map(|(_, t)| t);
    let speed = |t: f64| solid.rigid_speed(t, low, high);
    let larger = |a: (f64, f64), b: (f64, f64)| if b.0 > a.0 { b } else { a };
    let rigid = regular.chain(brief).map(|t| (speed(t), t)).fold((0.0, 0.0), larger);
    let deforming = solid.sequence.as_ref().map(|s| s.fastest_moment()).filter(|(_, t)| *t < end);
    deforming.map_or(rigid, |(own, t)| larger(rigid, (own + speed(t), t)))
}

/// Number of samples of a solid's motion.
const LOOKS: usize = 240;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Keyframe, Pose, Shape};
    use crate::scene::{Inflow, Outflow, Solid};
    use glam::{DQuat, DVec3};

    /// A ball that moves by 0.3 m along x from `start` on, within `duration`.
    fn pulse(start: f64, duration: f64) -> Solid {
        let key = |time, x| Keyframe {
            time,
            pose: Pose { position: DVec3::new(x, 0.0, 0.0), rotation: DQuat::IDENTITY },
        };
        let motion = Motion::Keyframes(vec![key(start, 0.0), key(start + duration, 0.3)]);
        Solid::moving(Shape::Sphere { center: DVec3::splat(0.3), radius: 0.1 }, motion)
    }

    #[test]
    fn a_motion_between_two_step_times_is_not_missed() {
        let mut scene = Scene::empty("octree", DVec3::ONE, 16, 1);
        scene.solids = vec![pulse(0.01, 1e-6)];
        let (grid, way) = (scene.domain.root_grid(), scene.time.cfl * scene.domain.dx());
        let step = |time| longest_step(&scene, &grid, time, 0.0, f64::INFINITY);
        // The first step ends where the motion begins; those within it follow it.
        assert!((step(0.0) - 0.01).abs() < 1e-12, "{}", step(0.0));
        let fastest = 1.5 * 0.3 / 1e-6;
        assert!((step(0.01) * fastest / way - 1.0).abs() < 0.1, "{}", step(0.01));
        assert!(step(0.010002) > 1e-3);
        let (speed, when) = fastest_moment(&scene.solids[0], &scene.domain, 1.0);
        assert!((speed / fastest - 1.0).abs() < 0.05 && (when - 0.01).abs() < 2e-6, "{speed} {when}");
        // An oscillation whose period is a fraction of the distance of two samples.
        let motion = Motion::Oscillation { amplitude: DVec3::new(0.1, 0.0, 0.0), period: 1e-5 };
        scene.solids = vec![Solid { motion, ..pulse(0.0, 1.0) }];
        let dt = longest_step(&scene, &grid, 2.5e-6, 0.0, f64::INFINITY);
        assert!(dt < 1e-5, "{dt}");
    }

    #[test]
    fn the_first_steps_from_rest_are_limited_by_gravity() {
        let mut scene = Scene::empty("octree", DVec3::splat(100.0), 16, 1);
        scene.time.fps = 0.1;
        let (grid, dx, g) = (scene.domain.root_grid(), scene.domain.dx(), scene.physics.gravity.length());
        let step = |time| longest_step(&scene, &grid, time, g * time, f64::INFINITY);
        let first = step(0.0);
        assert!((g * first * first / dx - FIRST_FALL_CELLS).abs() < 1e-9, "{first}");
        let growth = step(first) / first;
        assert!(growth > 1.0 && growth < 2.0 + 1e-9, "{growth}");
        // What has fallen for long is limited by its speed, and what has been at rest for long by the shortest waves.
        let long = 100.0 * first;
        assert!(step(long) * g * long <= scene.time.cfl * dx);
        let rest = longest_step(&scene, &grid, long, 0.0, f64::INFINITY);
        assert!((rest - WAVE_STEP * (dx / g).sqrt()).abs() < 1e-9, "{rest}");
        // Without gravity nothing falls.
        scene.physics.gravity = DVec3::ZERO;
        assert_eq!(longest_step(&scene, &grid, 0.0, 0.0, f64::INFINITY), 10.0);
    }

    #[test]
    fn steps_follow_moving_sources_while_they_act() {
        let mut scene = Scene::empty("octree", DVec3::ONE, 16, 1);
        scene.physics.gravity = DVec3::ZERO;
        let (grid, way) = (scene.domain.root_grid(), scene.time.cfl * scene.domain.dx());
        let Solid { shape, .. } = pulse(0.0, 1.0);
        let motion = Motion::Oscillation { amplitude: DVec3::new(0.2, 0.0, 0.0), period: 0.05 };
        let fastest = 0.2 * std::f64::consts::TAU / 0.05;
        let step = |scene: &Scene, time| longest_step(scene, &grid, time, 0.0, f64::INFINITY);
        let mut inflow = scene.clone();
        let when = crate::scene::Span { start: 0.0, end: 0.5 };
        inflow.inflows =
            vec![Inflow { motion: motion.clone(), when, ..Inflow::new(shape.clone(), DVec3::X) }];
        let mut outflow = scene.clone();
        outflow.outflows = vec![Outflow { motion, when, ..Outflow::new(shape) }];
        for scene in [inflow, outflow] {
            let dt = step(&scene, 0.0);
            assert!((dt * fastest / way - 1.0).abs() < 0.2, "{dt}");
            assert_eq!(step(&scene, 0.6), 1.0 / scene.time.fps);
        }
    }

    #[test]
    fn a_longer_run_has_the_same_reference_speed() {
        let mut scene = Scene::empty("octree", DVec3::ONE, 16, 1);
        scene.physics.gravity = DVec3::ZERO;
        let motion = Motion::Oscillation { amplitude: DVec3::new(0.2, 0.0, 0.0), period: 1.7 };
        scene.solids.push(Solid::moving(Shape::Sphere { center: DVec3::splat(0.5), radius: 0.1 }, motion));
        let speed = |frames| {
            scene.time.frames = frames;
            reference_speed(&scene)
        };
        let speeds = [3, 17, 400].map(speed);
        assert_eq!(speeds, [speeds[0]; 3]);
        let largest = 0.2 * std::f64::consts::TAU / 1.7;
        assert!((speeds[0] / largest - 1.0).abs() < 1e-3, "{speeds:?}");
    }
}
