//! Where the bodies of water are, and how they move.

use octide_core::DVec3;
use octide_core::contract::Totals;
use octide_core::geometry::Shape;
use octide_core::scene::{Domain, Scene};

/// A liquid of the scene on its way.
pub struct Body {
    shape_at_start: Shape,
    /// Center of mass at the start.
    center_at_start: DVec3,
    /// Volume in m³.
    pub volume: f64,
    /// How far it has moved.
    pub offset: DVec3,
    /// Velocity in m/s.
    pub velocity: DVec3,
}

impl Body {
    /// Returns the center of mass.
    pub fn center(&self) -> DVec3 {
        self.center_at_start + self.offset
    }

    /// Returns the shape where it is now.
    pub fn shape(&self) -> Shape {
        Shape::Transformed {
            shape: Box::new(self.shape_at_start.clone()),
            scale: 1.0,
            rotation: Default::default(),
            translation: self.offset,
        }
    }

    /// Returns the signed distance to the body.
    pub fn distance(&self, p: DVec3) -> f64 {
        self.shape_at_start.distance(p - self.offset)
    }

    /// Returns the unit vector that points out of the body.
    pub fn outward(&self, p: DVec3) -> DVec3 {
        const STEP: f64 = 1e-5;
        let along = |e: DVec3| self.distance(p + STEP * e) - self.distance(p - STEP * e);
        DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z)).normalize_or(DVec3::Y)
    }
}

/// All of them.
pub struct Bodies {
    pub list: Vec<Body>,
}

impl Bodies {
    /// The liquids of a scene, their volume and center of mass measured by the finest cells inside.
    pub fn new(scene: &Scene) -> Self {
        let body = |liquid: &octide_core::scene::Liquid| {
            let inside = cell_centers(&scene.domain).filter(|&x| liquid.shape.distance(x) < 0.0);
            let (n, sum) = inside.fold((0.0, DVec3::ZERO), |(n, sum), x| (n + 1.0, sum + x));
            Body {
                shape_at_start: liquid.shape.clone(),
                center_at_start: sum / f64::max(n, 1.0),
                volume: n * scene.domain.dx().powi(3),
                offset: DVec3::ZERO,
                velocity: liquid.velocity,
            }
        };
        Self { list: scene.liquids.iter().map(body).collect() }
    }

    /// Free fall for `dt`, which is exact, and stops at walls.
    pub fn advance(&mut self, dt: f64, gravity: DVec3, domain: &Domain) {
        for body in &mut self.list {
            body.offset += dt * body.velocity + 0.5 * dt * dt * gravity;
            body.velocity += dt * gravity;
            let Some((low, high)) = body.shape_at_start.bounds() else { continue };
            let (least, most) = (domain.origin - low, domain.origin + domain.size - high);
            for axis in 0..3 {
                let free = body.offset[axis];
                body.offset[axis] = free.min(most[axis]).max(least[axis]);
                if body.offset[axis] != free {
                    body.velocity[axis] = 0.0;
                }
            }
        }
    }

    /// Returns the signed distance to the nearest body.
    pub fn distance(&self, p: DVec3) -> f64 {
        self.list.iter().map(|b| b.distance(p)).fold(f64::INFINITY, f64::min)
    }

    /// Returns the velocity of the nearest body.
    pub fn velocity(&self, p: DVec3) -> DVec3 {
        let nearest = self.list.iter().min_by(|a, b| a.distance(p).total_cmp(&b.distance(p)));
        nearest.map_or(DVec3::ZERO, |b| b.velocity)
    }

    /// Returns the sums over all bodies.
    pub fn totals(&self, scene: &Scene) -> Totals {
        let (gravity, density, domain) = (scene.physics.gravity, scene.physics.density, &scene.domain);
        // The corner of the domain with the least potential.
        let lowest =
            domain.origin + domain.size * DVec3::select(gravity.cmpgt(DVec3::ZERO), DVec3::ONE, DVec3::ZERO);
        let mut totals = Totals::default();
        let mut moment = DVec3::ZERO;
        for body in &self.list {
            let mass = density * body.volume;
            totals.volume += body.volume;
            totals.kinetic_energy += 0.5 * mass * body.velocity.length_squared();
            totals.potential_energy += mass * gravity.dot(lowest - body.center());
            totals.momentum += mass * body.velocity;
            moment += body.volume * body.center();
        }
        totals.center = (totals.volume > 0.0).then(|| moment / totals.volume);
        totals
    }
}

/// Returns the centers of all finest cells, x fastest.
pub fn cell_centers(domain: &Domain) -> impl Iterator<Item = DVec3> {
    let (origin, dx) = (domain.origin, domain.dx());
    let [nx, ny, nz] = (domain.size / dx).round().to_array().map(|n| n as usize);
    let at = move |i: usize| DVec3::new((i % nx) as f64, (i / nx % ny) as f64, (i / nx / ny) as f64);
    (0..nx * ny * nz).map(move |i| origin + dx * (at(i) + 0.5))
}

/// Returns all components, one vector after the other.
pub fn flat(vectors: impl Iterator<Item = DVec3>) -> Vec<f64> {
    vectors.flat_map(|v| v.to_array()).collect()
}
