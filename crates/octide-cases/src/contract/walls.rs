//! Walls that must hold: of any thickness, wherever they lie on the grid, still or moving.

mod suite;
#[cfg(test)]
mod tests;

use super::CONTRACT;
use super::scenes::{start, worse};
use crate::expectations;
use crate::methods::water_methods;
use glam::DVec3;
use octide_core::contract::Method;
use octide_core::scene::Scene;
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity, Table};
use suite::{Kind, Wall};

pub(crate) static CASE: Case = Case {
    name: "contract-walls",
    title: "Contract: walls hold water",
    summary: "walls from 0 to 3 cells thick, at any place and angle, still and moving: nothing gets through",
    article: Article {
        problem: "A tank of 0.5 m with 24 cells along its side, 16 in the quick form, and a wall that divides it: water on \
            one side, none on the other. Thickness, place within a cell and angle vary from wall to wall. Upright, oblique and \
            leaning walls; shelves with water on top; plates that push water ahead and stop; closed boxes that are carried \
            and turned through water, or with water in them; glasses that are tilted.",
        reference: "No water passes through a wall.",
        measured: "The number of walls of each kind that let water through, and the largest volume beyond a wall, in finest \
            cells: sample points beyond it that are in water, four a cell, and particles. How far the surface that is \
            shown comes out on the other side of the wall, in finest cells.",
    },
    methods: water_methods,
    quick: true,
    quantities,
    run,
};

/// Number of walls in the full and the quick form.
const COUNT: [usize; 2] = [200, 24];

/// How far the surface may be shown beyond a wall, in finest cells.
const SHOWN_LIMIT: f64 = 0.75;

/// How long each wall is observed, in seconds.
const END: f64 = 0.35;

fn count_name(kind: Kind) -> String {
    format!("{}: walls that leak", kind.name())
}

fn volume_name(kind: Kind) -> String {
    format!("{}: volume beyond a wall, most", kind.name())
}

const SHOWN: &str = "surface shown beyond a wall, most";

fn quantities(method: &str, quick: bool) -> Vec<Quantity> {
    let none =
        |name: String, unit| Quantity::new(name, unit).limit(Limit::AtMost(0.0), CONTRACT).expected(0.0);
    let mut all = Vec::new();
    for kind in Kind::ALL {
        all.push(none(count_name(kind), ""));
        all.push(none(volume_name(kind), "cells"));
    }
    all.push(Quantity::new(SHOWN, "cells").limit(Limit::AtMost(SHOWN_LIMIT), CONTRACT).expected(0.0));
    expectations::apply(CASE.name, method, quick, all)
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let mut m = Measured::default();
    let mut rows = Vec::new();
    let mut shown = 0.0;
    let cells = if context.quick { 16 } else { 24 };
    let walls: Vec<Wall> = (0..COUNT[usize::from(context.quick)]).map(Wall::new).collect();
    for kind in Kind::ALL {
        let (mut leaks, mut most) = (0, 0.0);
        for wall in walls.iter().filter(|w| w.kind == kind) {
            context.progress(&wall.text())?;
            let scene = wall.scene(context.method, cells);
            let outcome = observe(&scene, wall);
            let failed = match &outcome {
                Ok(seen) if seen.volume == 0.0 => None,
                Ok(seen) => Some(format!("{:.3} cells, first {}", seen.volume, seen.first)),
                Err(CaseError::Stopped) => return Err(CaseError::Stopped),
                Err(CaseError::Failed(why)) => Some(why.clone()),
            };
            let seen = outcome.unwrap_or(Seen { volume: f64::NAN, ..Seen::default() });
            leaks += u32::from(failed.is_some());
            most = worse(most, seen.volume);
            shown = worse(shown, seen.shown);
            if failed.is_some() || seen.shown > SHOWN_LIMIT {
                rows.push(vec![wall.text(), failed.unwrap_or_default(), format!("{:.2}", seen.shown)]);
            }
        }
        m.set(count_name(kind), f64::from(leaks));
        m.set(volume_name(kind), most);
    }
    m.set(SHOWN, shown);
    if !rows.is_empty() {
        let columns = ["wall", "beyond it", "shown (cells)"].map(str::to_owned).to_vec();
        m.tables.push(Table {
            title: "Walls that leak, or that show water on their other side".to_owned(),
            columns,
            rows,
        });
    }
    Ok(m)
}

/// What is beyond a wall, in finest cells.
#[derive(Default)]
struct Seen {
    volume: f64,
    /// How far the surface that is shown is beyond the wall.
    shown: f64,
    /// The first place with water.
    first: String,
}

fn observe(scene: &Scene, wall: &Wall) -> Result<Seen, CaseError> {
    let mut sim = start(scene)?;
    let mut seen = Seen::default();
    let mut next = 0.0;
    loop {
        // A step that fails is retried, as in a run.
        let step = octide_methods::step_towards(&mut *sim, END).map_err(CaseError::new)?;
        if step.arrived || sim.time() >= next {
            next = sim.time() + 0.2 * END;
            let (volume, at) = volume_beyond(scene, &*sim, wall);
            if seen.volume == 0.0 && volume > 0.0 {
                seen.first = format!("at {at:.3} after {:.3} s", sim.time());
            }
            seen.volume = worse(seen.volume, volume);
            seen.shown = worse(seen.shown, shown_beyond(scene, &*sim, wall));
        }
        if step.arrived {
            return Ok(seen);
        }
    }
}

/// Returns the volume of water beyond a wall, in finest cells, and a place of it.
fn volume_beyond(scene: &Scene, sim: &dyn Method, wall: &Wall) -> (f64, DVec3) {
    let dx = scene.domain.dx();
    let n = (scene.domain.size.x / dx).round() as u32;
    let (view, time) = (sim.view(), sim.time());
    let (mut wet, mut place) = (0.0, DVec3::NAN);
    for i in 0..8 * n * n * n {
        let m = 2 * n;
        let at = DVec3::new(f64::from(i % m), f64::from(i / m % m), f64::from(i / m / m));
        let x = 0.5 * dx * (at + 0.5);
        if wall.beyond(x, time, dx) > 0.0 && view.liquid_distance(x) < 0.0 {
            wet += 0.125;
            place = x;
        }
    }
    let particles = sim.frame().particles;
    let of = |i: usize| (4.0 / 3.0 * std::f64::consts::PI) * (f64::from(particles.radii[i]) / dx).powi(3);
    let is_beyond = |i: &usize| {
        let x = glam::Vec3::from_array(particles.positions[*i]).as_dvec3();
        wall.beyond(x, time, dx) > 0.01 * dx
    };
    for i in (0..particles.len()).filter(is_beyond) {
        wet += of(i);
        place = glam::Vec3::from_array(particles.positions[i]).as_dvec3();
    }
    (wet, place)
}

/// Returns how far the surface that is shown comes out of a wall on its other side, in finest cells.
fn shown_beyond(scene: &Scene, sim: &dyn Method, wall: &Wall) -> f64 {
    let (dx, time) = (scene.domain.dx(), sim.time());
    let out = |p: &[f32; 3]| wall.beyond(glam::Vec3::from_array(*p).as_dvec3(), time, dx);
    sim.frame().surface.mesh.positions.iter().map(out).fold(0.0, f64::max) / dx
}
