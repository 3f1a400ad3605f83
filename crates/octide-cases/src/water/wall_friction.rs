//! Friction of walls: films on planes, along which nothing presses on the wall.
//!
//! ```text
//! du/dt = g − r (u − w),   r = 3 ν/d²     u = w + g d²/(3 ν) (1 − e^{−r t})  from rest,  u = U e^{−r t}  without g
//! du/dt = ln s · u |u|/ℓ                  u = U/(1 − ln s · U t/ℓ)
//! ```

use crate::expectations;
use crate::methods::water_methods;
use crate::stage::{start, step_towards};
use glam::{DQuat, DVec3};
use octide_core::geometry::{Keyframe, Motion, Pose, Shape};
use octide_core::scene::{Liquid, Scene, Seeding};
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity, Table, number};

pub(crate) static CASE: Case = Case {
    name: "wall-friction",
    title: "Friction of films on walls",
    summary: "films that fall along walls and slide on them, on the domain's side, on an oblique and on a moving plane",
    article: Article {
        problem: "A film of water, 0.5 m long and eight finest cells wide, lies on a plane: on a side of the domain, on a solid that is \
            inclined by 30 degrees against the grid, and on a belt that moves. Finest cells have an edge of 1/64 m. The film is 1.5 \
            or 2.5 of them thick; ν is chosen so that 3 ν/d² = 8 per second. Gravity acts along the plane or not at all, so \
            that nothing else drives the water. Films on rough walls have no viscosity and are one cell thick.",
        reference: "Nusselt 1916, Z. VDI 60: the mean velocity of a laminar film that falls along a wall is g d²/(3 ν). The film's \
            equation du/dt = g − 3 ν/d² (u − w) has the solutions w + g d²/(3 ν) (1 − e^(−3νt/d²)) from rest and U e^(−3νt/d²) \
            without gravity. A rough wall with the slip s takes −ln s · u²/ℓ, so u = U/(1 − ln s · U t/ℓ). Water that \
            sticks has the velocity of the wall.",
        measured: "The velocity along the plane, the mean of 16 points within 0.1 m of the film's center, half of its thickness above \
            the plane, after 0.5 s, over that of the reference; of sliding films the rate at which it decayed.",
    },
    methods: water_methods,
    quick: true,
    quantities,
    run,
};

const OURS: &str = "our own: 5 %; φ gives the thickness, whose square counts";
const EXACT: &str = "the model's own equation";

/// Edge of the finest cells in m.
const DX: f64 = 1.0 / 64.0;
/// 3 ν/d² in 1/s.
const RATE: f64 = 8.0;
/// Terminal velocity of falling films in m/s, and first velocity of those that slide.
const SPEED: f64 = 0.25;
const END: f64 = 0.5;
const SLOPE_DEGREES: f64 = 30.0;

/// A film on a plane.
struct Film {
    name: &'static str,
    /// Thickness in finest cells.
    cells: f64,
    plane: Plane,
    drive: Drive,
    limit: Limit,
    source: &'static str,
}

#[derive(Clone, Copy, PartialEq)]
enum Plane {
    /// The domain's side.
    Side,
    /// An inclined solid.
    Oblique,
    /// A solid that moves along itself.
    Belt,
}

#[derive(Clone, Copy, PartialEq)]
enum Drive {
    /// Gravity along the plane, from rest.
    Falls,
    /// The film's own velocity.
    Slides,
    /// The belt.
    Dragged,
    /// Its own velocity, on a wall with this slip.
    Rough(f64),
    /// The belt, to which it sticks.
    Sticks,
}

const WITHIN_5: Limit = Limit::Within(0.95, 1.05);
const WITHIN_1: Limit = Limit::Within(0.99, 1.01);

const FILMS: &[Film] = &[
    film("falls along the domain's side, 1.5 cells", 1.5, Plane::Side, Drive::Falls, WITHIN_5, OURS),
    film("falls along the domain's side, 2.5 cells", 2.5, Plane::Side, Drive::Falls, WITHIN_5, OURS),
    film("falls along an oblique plane, 2.5 cells", 2.5, Plane::Oblique, Drive::Falls, WITHIN_5, OURS),
    film("slides on the domain's side, 1.5 cells", 1.5, Plane::Side, Drive::Slides, WITHIN_5, OURS),
    film("slides on an oblique plane, 2.5 cells", 2.5, Plane::Oblique, Drive::Slides, WITHIN_5, OURS),
    film("is dragged by a belt, 1.5 cells", 1.5, Plane::Belt, Drive::Dragged, WITHIN_5, OURS),
    film("slides on a rough side, slip 0.5", 1.0, Plane::Side, Drive::Rough(0.5), WITHIN_1, EXACT),
    film("sticks to a belt, slip 0", 1.0, Plane::Belt, Drive::Sticks, WITHIN_1, EXACT),
];

const fn film(
    name: &'static str,
    cells: f64,
    plane: Plane,
    drive: Drive,
    limit: Limit,
    source: &'static str,
) -> Film {
    Film { name, cells, plane, drive, limit, source }
}

impl Film {
    fn quantity(&self) -> String {
        let what = if self.drive == Drive::Slides { "rate of decay" } else { "velocity" };
        format!("{}: {what} over the reference", self.name)
    }

    /// Returns a velocity, or the rate at which it has decayed, over what it should be.
    fn ratio(&self, found: f64) -> f64 {
        if self.drive == Drive::Slides {
            (SPEED / found).ln() / (RATE * END)
        } else {
            found / self.expected()
        }
    }

    /// Returns the velocity at the end.
    fn expected(&self) -> f64 {
        match self.drive {
            Drive::Falls | Drive::Dragged => SPEED * (1.0 - (-RATE * END).exp()),
            Drive::Slides => SPEED * (-RATE * END).exp(),
            Drive::Rough(slip) => SPEED / (1.0 - slip.ln() * SPEED * END / (self.cells * DX)),
            Drive::Sticks => SPEED,
        }
    }

    /// Returns a point on the plane where the film begins, the direction along it, and that away from it.
    fn frame(&self) -> (DVec3, DVec3, DVec3) {
        match self.plane {
            Plane::Side => (DVec3::new(0.1, 0.0, 0.0), DVec3::X, DVec3::Y),
            Plane::Belt => (DVec3::new(0.1, 8.3 * DX, 0.0), DVec3::X, DVec3::Y),
            Plane::Oblique => {
                let turn = DQuat::from_rotation_z(-SLOPE_DEGREES.to_radians());
                (DVec3::new(0.1, 0.55, 0.0), turn * DVec3::X, turn * DVec3::Y)
            }
        }
    }

    fn scene(&self, method: &str) -> Scene {
        let (from, along, up) = self.frame();
        let height = if self.plane == Plane::Oblique { 40.0 } else { 16.0 };
        let mut scene = Scene::empty(method, DX * DVec3::new(64.0, height, 8.0), 64, 2);
        let d = self.cells * DX;
        let moves = matches!(self.drive, Drive::Slides | Drive::Rough(_));
        let shape = Shape::Box { min: DVec3::new(0.0, -4.0 * DX, -1.0), max: DVec3::new(0.5, d, 1.0) };
        let rotation = DQuat::from_rotation_arc(DVec3::Y, up);
        let velocity = if moves { SPEED * along } else { DVec3::ZERO };
        scene.liquids =
            vec![Liquid { shape: shape.posed(Pose { position: from, rotation }), velocity, roughness: 0.0 }];
        let plane = Shape::Plane { point: from, normal: up };
        scene = match self.plane {
            Plane::Side => scene,
            Plane::Oblique => scene.with_solid(plane),
            Plane::Belt => {
                let block = Shape::Box { min: DVec3::splat(-9.0), max: DVec3::new(9.0, from.y, 9.0) };
                scene.with_moving_solid(block, belt())
            }
        };
        scene.physics.gravity = if self.drive == Drive::Falls { RATE * SPEED * along } else { DVec3::ZERO };
        scene.physics.film_viscosity = RATE * d * d / 3.0;
        match self.drive {
            Drive::Rough(slip) => scene.physics.slip = slip,
            Drive::Sticks => scene.physics.slip = 0.0,
            _ => {}
        }
        if matches!(self.drive, Drive::Rough(_) | Drive::Sticks) {
            scene.physics.film_viscosity = 0.0;
        }
        // Nothing presses the film onto the plane.
        scene.physics.adhesion = 1e6;
        scene.numerics.particles = Seeding::Off;
        scene.adaptivity.along_surface = false;
        scene
    }

    /// Returns the velocity along the plane in the middle of the film at the end.
    fn measure(&self, method: &str) -> Result<f64, CaseError> {
        let scene = self.scene(method);
        let mut sim = start(&scene)?;
        while !step_towards(&mut *sim, END)?.arrived {}
        let (from, along, up) = self.frame();
        let center = sim.totals().center.unwrap_or_default();
        let middle = (center - from).dot(along);
        let view = sim.view();
        let at = |i: i32| {
            let x = middle + 0.1 * ((f64::from(i) + 0.5) / 8.0 - 1.0);
            let p = from + x * along + 0.5 * self.cells * DX * up + 4.0 * DX * DVec3::Z;
            view.sample(p).velocity.dot(along)
        };
        Ok((0..16).map(at).sum::<f64>() / 16.0)
    }
}

/// Constant velocity along x.
fn belt() -> Motion {
    let at = |time: f64| Keyframe {
        time,
        pose: Pose { position: time * SPEED * DVec3::X, rotation: DQuat::IDENTITY },
    };
    Motion::Keyframes([-2.0, -1.0, 0.0, 1.0, 2.0].map(at).to_vec())
}

fn quantities(method: &str, quick: bool) -> Vec<Quantity> {
    let of = |f: &Film| Quantity::new(f.quantity(), "").limit(f.limit, f.source).expected(1.0);
    expectations::apply(CASE.name, method, quick, FILMS.iter().map(of).collect())
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let mut m = Measured::default();
    let mut rows = Vec::new();
    for film in FILMS {
        context.progress(film.name)?;
        let found = film.measure(context.method)?;
        m.set(film.quantity(), film.ratio(found));
        let values = [found, film.expected()].map(number::short);
        rows.push(std::iter::once(film.name.to_owned()).chain(values).collect());
    }
    let columns = ["film", "velocity (m/s)", "reference (m/s)"].map(str::to_owned).into();
    m.tables.push(Table { title: "Velocity after 0.5 s".to_owned(), columns, rows });
    Ok(m)
}
