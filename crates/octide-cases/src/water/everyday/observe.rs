//! A run of a scene, and what is seen of it.

use super::scenes::{Everyday, Rest, Walls};
use crate::energies::{Energy, ball, largest_rise};
use glam::{DVec3, Vec3};
use octide_core::contract::{Frame, Method, Particles, StepReport};
use octide_core::scene::Scene;
use octide_core::speeds::{fall_time, solid_speed};
use octide_methods::Simulation;
use octide_verify::{CaseError, Context};
use std::time::Instant;

/// What is seen of a run. Relative volumes are parts of the largest volume of water that there was.
#[derive(Default)]
pub(super) struct Seen {
    /// The fraction of its time that the run reached.
    pub reached: f64,
    /// Why it ended before.
    pub trouble: String,
    /// The largest error of the books, if the method keeps books.
    pub books: f64,
    /// The largest difference between the volume of the surface's water and that there is.
    pub shown: f64,
    /// The same for what frames show outside solids, with drops.
    pub frames: f64,
    /// The most that was moved, in the time of a fall, to where the flow did not put it.
    pub moved: f64,
    /// The largest rise of the energy above that of the start, over the latter, both above the state of rest.
    pub energy: f64,
    /// The highest speed over that of a fall through the domain.
    pub speed: f64,
    /// The largest volume beyond walls, in finest cells.
    pub beyond: f64,
    /// The most cells.
    pub cells: usize,
    /// Wall time.
    pub seconds: f64,
}

/// Runs a scene to its end, or until it fails.
pub(super) fn observe(context: &Context, everyday: &Everyday, scene: &Scene) -> Result<Seen, CaseError> {
    let clock = Instant::now();
    let mut sim = Simulation::start(scene).map_err(CaseError::new)?;
    let mut log = Log::new(scene, &sim.report());
    let mut seen = Seen::default();
    let energy = |sim: &Simulation| everyday.rest.as_ref().map(|_| Energy::of(scene, sim.method()));
    let (mut energies, mut before) = (Vec::new(), energy(&sim));
    for number in 1..=scene.time.frames {
        let what = format!("{}, {} cells, frame {number}", everyday.name, scene.domain.resolution);
        context.progress(&what)?;
        let arrived = loop {
            match sim.step() {
                Ok(step) => {
                    log.add(step.time, &step.report);
                    let after = energy(&sim);
                    energies.extend(before.zip(after).map(|(before, after)| before.between(after)));
                    before = after;
                    if step.arrived {
                        break true;
                    }
                }
                Err(e) => {
                    seen.trouble = e.to_string();
                    break false;
                }
            }
        };
        if !arrived {
            break;
        }
        seen.reached = f64::from(number) / f64::from(scene.time.frames);
        let frame = sim.frame();
        let walls = everyday.walls.as_ref().filter(|w| sim.time() <= w.until);
        let shown = shown(scene, sim.method(), &frame, walls);
        seen.beyond = seen.beyond.max(shown.beyond);
        log.frames = log.frames.max((shown.volume - log.there).abs());
    }
    if let Some(rest) = &everyday.rest {
        seen.energy = rise(scene, rest, log.start, &energies);
    }
    log.settle(scene, &mut seen);
    seen.seconds = clock.elapsed().as_secs_f64();
    Ok(seen)
}

/// Returns the largest rise of the energy above that of the start, over the latter, both above the state of rest.
fn rise(scene: &Scene, rest: &Rest, volume: f64, energies: &[f64]) -> f64 {
    let weight = scene.physics.density * scene.physics.gravity.length() * volume;
    let lying = weight * rest.center(volume);
    let start = energies.first().map_or(f64::NAN, |e| e - lying);
    largest_rise(energies.iter().copied()) / start
}

/// The volumes of a run.
struct Log {
    /// The volume at the start ...
    start: f64,
    /// ... and what there is.
    there: f64,
    /// The most that there was.
    most: f64,
    books: f64,
    shown: f64,
    frames: f64,
    /// Times, and the volume that was moved by hand until then.
    moved: Vec<[f64; 2]>,
    /// The correction that was last reported.
    corrected: f64,
    speed: f64,
    cells: usize,
}

impl Log {
    fn new(scene: &Scene, report: &StepReport) -> Self {
        // Drops in the air are at most as small as this.
        let least = scene.domain.dx().powi(3);
        Self {
            start: report.volume,
            there: report.volume,
            most: report.volume.max(least),
            // Without books this stays.
            books: f64::NAN,
            shown: 0.0,
            frames: 0.0,
            moved: vec![[0.0, 0.0]],
            corrected: report.volume_correction,
            speed: 0.0,
            cells: report.cells,
        }
    }

    /// Adds the report of a step.
    fn add(&mut self, time: f64, report: &StepReport) {
        self.there = self.start + report.volume_in - report.volume_out;
        self.most = self.most.max(self.there);
        self.shown = self.shown.max((report.volume - self.there).abs());
        let balance = report.figures.iter().find(|f| f.kind.name == "volume_balance");
        self.books = self.books.max(balance.map_or(f64::NAN, |f| f.value.abs()));
        let last = self.moved.last().map_or(0.0, |m| m[1]);
        // The correction is relative to what there was.
        self.moved.push([time, last + (report.volume_correction - self.corrected).abs() * self.most]);
        self.corrected = report.volume_correction;
        self.speed = self.speed.max(report.max_speed);
        self.cells = self.cells.max(report.cells);
    }

    fn settle(self, scene: &Scene, seen: &mut Seen) {
        seen.books = self.books;
        seen.shown = self.shown / self.most;
        seen.frames = self.frames / self.most;
        seen.moved = most_within(&self.moved, fall_time(scene)) / self.most;
        seen.speed = self.speed / fall_speed(scene);
        seen.cells = self.cells;
    }
}

/// Returns the largest growth of a curve within a time.
fn most_within(curve: &[[f64; 2]], time: f64) -> f64 {
    let (mut first, mut most) = (0, 0.0f64);
    for &[t, value] in curve {
        while t - curve[first][0] > time {
            first += 1;
        }
        most = most.max(value - curve[first][1]);
    }
    most
}

/// Returns √(v² + 2 g H): the speed of what falls through the domain, starting as fast as anything in the scene.
fn fall_speed(scene: &Scene) -> f64 {
    let own = scene.liquids.iter().map(|l| l.velocity.length());
    let own = own.chain(scene.inflows.iter().map(|i| i.velocity.length())).fold(solid_speed(scene), f64::max);
    let height = (scene.physics.gravity * scene.domain.size).abs().max_element();
    (own * own + 2.0 * height).sqrt()
}

/// The water that a frame shows.
struct Shown {
    /// That of the mesh and of the drops in m³, without what the mesh shows in walls that the grid counts as thicker.
    volume: f64,
    /// Beyond walls, in finest cells.
    beyond: f64,
}

/// Measures the mesh of a frame and its drops, and what is beyond walls, at eight points a cell.
fn shown(scene: &Scene, sim: &dyn Method, frame: &Frame, walls: Option<&Walls>) -> Shown {
    let (edge, time, view) = (0.5 * scene.domain.dx(), sim.time(), sim.view());
    let is_beyond = |x: DVec3, slack: f64| walls.is_some_and(|w| (w.beyond)(scene, x, time) > slack);
    let n = (scene.domain.size / edge).round().as_uvec3();
    let mut sum = Shown { volume: frame.surface.mesh.volume() - frame.in_walls, beyond: 0.0 };
    for i in 0..n.x * n.y * n.z {
        let at = DVec3::new(f64::from(i % n.x), f64::from(i / n.x % n.y), f64::from(i / n.x / n.y));
        let x = scene.domain.origin + edge * (at + 0.5);
        if view.liquid_distance(x) < 0.0 && is_beyond(x, 0.0) {
            sum.beyond += 0.125;
        }
    }
    let p = &frame.particles;
    for i in 0..p.len() {
        let volume = ball(f64::from(p.radii[i]));
        if p.kinds[i] == Particles::SPRAY {
            sum.volume += volume;
        }
        if is_beyond(Vec3::from_array(p.positions[i]).as_dvec3(), 0.02 * edge) {
            sum.beyond += volume / (2.0 * edge).powi(3);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_within_a_time_is_that_of_the_steepest_part() {
        let curve = [[0.0, 0.0], [1.0, 1.0], [2.0, 5.0], [3.0, 6.0], [4.0, 6.0]];
        assert_eq!(most_within(&curve, 1.0), 4.0);
        assert_eq!(most_within(&curve, 2.0), 5.0);
        assert_eq!(most_within(&curve, 9.0), 6.0);
    }

    #[test]
    fn books_that_nobody_keeps_are_not_balanced() {
        let scene = Scene::empty("octree", DVec3::ONE, 16, 1);
        let mut log = Log::new(&scene, &StepReport { volume: 1.0, ..StepReport::default() });
        log.add(0.1, &StepReport { volume: 1.01, volume_in: 0.5, volume_out: 0.25, ..StepReport::default() });
        assert!((log.there - 1.25).abs() < 1e-12 && (log.shown - 0.24).abs() < 1e-12);
        let mut seen = Seen::default();
        log.settle(&scene, &mut seen);
        assert!((seen.shown - 0.24 / 1.25).abs() < 1e-12, "{}", seen.shown);
    }
}
