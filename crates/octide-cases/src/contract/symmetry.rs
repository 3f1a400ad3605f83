//! Mirrored and rotated scenes give mirrored and rotated results.

use super::CONTRACT;
use super::places::centers;
use super::scenes::{splash, start, take_step, worse};
use crate::expectations;
use crate::methods::water_methods;
use glam::{DMat3, DVec3};
use octide_core::contract::Method;
use octide_core::geometry::Shape;
use octide_core::scene::Scene;
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity};

pub(crate) static CASE: Case = Case {
    name: "contract-symmetry",
    title: "Contract: mirrored and rotated scenes",
    summary: "a mirrored scene gives the mirrored result, a rotated one the rotated result",
    article: Article {
        problem: "A drop falls obliquely into a pool with a body in it; nothing about the scene is symmetric. The scene \
            runs again with one axis mirrored, rotated by a quarter turn so that gravity is along x, and with all \
            axes permuted.",
        reference: "The equations have no preferred direction but that of gravity. The order in which a method visits its \
            cells may affect rounding only, and rounding errors grow as the drop splashes.",
        measured: "The largest difference of the distance to the surface in finest cells, and of the velocity in the water \
            in units of the largest speed, at the centers of all finest cells after some steps of equal length, with \
            a pressure solve to 10⁻¹². The difference in the number of cells.",
    },
    methods: water_methods,
    quick: true,
    quantities,
    run,
};

/// A matrix of zeros and ±1 about the middle of the domain: a mirror or a turn.
struct Map {
    name: &'static str,
    /// Images of the axes.
    axes: [[f64; 3]; 3],
}

const MAPS: [Map; 5] = [
    Map { name: "mirrored along x", axes: [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] },
    Map { name: "mirrored along y", axes: [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]] },
    Map { name: "mirrored along z", axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]] },
    Map { name: "turned about z", axes: [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]] },
    Map { name: "axes exchanged", axes: [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]] },
];

fn maps(quick: bool) -> impl Iterator<Item = &'static Map> {
    MAPS.iter().filter(move |map| {
        !quick || ["mirrored along x", "turned about z", "axes exchanged"].contains(&map.name)
    })
}

fn quantities(method: &str, quick: bool) -> Vec<Quantity> {
    let at_most =
        |name: String, unit| Quantity::new(name, unit).limit(Limit::AtMost(1e-6), CONTRACT).expected(0.0);
    let all = maps(quick)
        .flat_map(|map| {
            [
                at_most(format!("{}: distance", map.name), "cells"),
                at_most(format!("{}: velocity", map.name), ""),
                at_most(format!("{}: cells more or fewer", map.name), ""),
            ]
        })
        .collect();
    expectations::apply(CASE.name, method, quick, all)
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let mut scene = splash(context.method);
    scene.numerics.tolerance = 1e-12;
    let n = if context.quick { 8 } else { 16 };
    let mut plain = start(&scene)?;
    let mut dts = Vec::new();
    context.progress("as it is")?;
    for _ in 0..n {
        let dt = plain.max_dt();
        take_step(&mut *plain, dt)?;
        dts.push(dt);
    }
    let mut m = Measured::default();
    for map in maps(context.quick) {
        context.progress(map.name)?;
        let mut other = start(&map.scene(&scene)?)?;
        for &dt in &dts {
            take_step(&mut *other, dt)?;
        }
        let (distance, velocity) = difference(&scene, &*plain, &*other, map);
        m.set(format!("{}: distance", map.name), distance / scene.domain.dx());
        m.set(format!("{}: velocity", map.name), velocity / plain.report().max_speed);
        let cells = [plain.report().cells, other.report().cells];
        m.set(format!("{}: cells more or fewer", map.name), cells[0].abs_diff(cells[1]) as f64);
    }
    Ok(m)
}

/// The largest differences of distance and velocity.
fn difference(scene: &Scene, plain: &dyn Method, other: &dyn Method, map: &Map) -> (f64, f64) {
    let (a, b) = (plain.view(), other.view());
    let (mut distance, mut velocity) = (0.0, 0.0);
    for x in centers(&scene.domain) {
        let (there, here) = (a.sample(x), b.sample(map.point(scene, x)));
        distance = worse(distance, (there.phi - here.phi).abs());
        if there.phi < 0.0 && there.solid > 0.0 {
            velocity = worse(velocity, (map.vector(there.velocity) - here.velocity).length());
        }
    }
    (distance, velocity)
}

impl Map {
    fn vector(&self, v: DVec3) -> DVec3 {
        DMat3::from_cols_array_2d(&self.axes) * v
    }

    /// About the middle of the domain, whose image starts at the same corner.
    fn point(&self, scene: &Scene, p: DVec3) -> DVec3 {
        let half = 0.5 * scene.domain.size;
        self.vector(p - scene.domain.origin - half) + scene.domain.origin + self.vector(half).abs()
    }

    fn shape(&self, scene: &Scene, shape: &Shape) -> Result<Shape, CaseError> {
        match shape {
            Shape::Sphere { center, radius } => {
                Ok(Shape::Sphere { center: self.point(scene, *center), radius: *radius })
            }
            Shape::Box { min, max } => {
                let (a, b) = (self.point(scene, *min), self.point(scene, *max));
                Ok(Shape::Box { min: a.min(b), max: a.max(b) })
            }
            _ => Err(CaseError::new("only balls and boxes are mapped")),
        }
    }

    fn scene(&self, scene: &Scene) -> Result<Scene, CaseError> {
        let mut out = scene.clone();
        out.domain.size = self.vector(scene.domain.size).abs();
        out.physics.gravity = self.vector(scene.physics.gravity);
        for l in &mut out.liquids {
            l.shape = self.shape(scene, &l.shape)?;
            l.velocity = self.vector(l.velocity);
        }
        for b in &mut out.solids {
            b.shape = self.shape(scene, &b.shape)?;
        }
        Ok(out)
    }
}
