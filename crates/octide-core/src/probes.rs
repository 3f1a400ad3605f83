//! Measurements like those of an experimenter, read from any method.
//!
//! | probe | columns |
//! |---|---|
//! | point | pressure, velocity, φ |
//! | gauge | height (highest surface) and depth (length of all water) on a vertical line ([`mod@gauge`]) |
//! | front | the farthest vertical line with half a finest cell of water on it ([`mod@front`]) |
//! | whole | volume, energies, momentum, center of mass |
//!
//! In a smoke scene, a point probe has density and temperature instead of φ, and a whole probe measures the
//! air and the smoke in it; gauges and fronts exist for water only.
//!
//! The vertical axis is the one that gravity is most nearly parallel to; the floor is the side of the domain
//! that gravity points to. A value is `None` if there is nothing to measure: velocity in air, everything in a
//! solid, pressure before the first step, a front or a center without water.

pub mod front;
pub mod gauge;

use crate::contract::{Method, Sample, SmokeTotals, Totals};
use crate::scene::{Heading, ProbeKind, Scene};
use front::front;
use gauge::column;
use glam::DVec3;

/// A function that returns the signed distance to the water, negative inside.
pub type Water<'a> = OfPlace<'a>;

/// A function that returns a number for each position.
pub type OfPlace<'a> = &'a dyn Fn(DVec3) -> f64;

/// The domain as probes see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Room {
    /// The corner with the smallest coordinates.
    pub low: DVec3,
    /// The corner with the largest coordinates.
    pub high: DVec3,
    /// Edge length of the finest cells.
    pub dx: f64,
    /// The vertical direction that points up.
    pub up: Heading,
}

impl Room {
    /// Returns the room of a scene.
    pub fn new(scene: &Scene) -> Self {
        let d = &scene.domain;
        Self { low: d.origin, high: d.origin + d.size, dx: d.dx(), up: scene.physics.up() }
    }

    /// Returns the floor's coordinate along the vertical axis.
    pub fn floor(&self) -> f64 {
        if self.up.forward { self.low[self.up.axis] } else { self.high[self.up.axis] }
    }

    /// Returns the height of the ceiling above the floor.
    pub fn height(&self) -> f64 {
        self.high[self.up.axis] - self.low[self.up.axis]
    }

    /// Projects `p` vertically onto the floor.
    pub fn foot(&self, mut p: DVec3) -> DVec3 {
        p[self.up.axis] = self.floor();
        p
    }
}

/// Returns the names of a probe's columns in a smoke or water scene, with their units.
pub fn columns(kind: &ProbeKind, is_smoke: bool) -> &'static [&'static str] {
    match kind {
        ProbeKind::Point(_) if is_smoke => &[
            "pressure_Pa",
            "velocity_x_m_per_s",
            "velocity_y_m_per_s",
            "velocity_z_m_per_s",
            "density",
            "temperature_K",
        ],
        ProbeKind::Point(_) => {
            &["pressure_Pa", "velocity_x_m_per_s", "velocity_y_m_per_s", "velocity_z_m_per_s", "phi_m"]
        }
        ProbeKind::Gauge(_) => &["height_m", "depth_m"],
        ProbeKind::Front(_) => &["front_m"],
        ProbeKind::Whole if is_smoke => &[
            "kinetic_energy_J",
            "smoke_m3",
            "heat_K_m3",
            "max_density",
            "max_temperature_K",
            "center_x_m",
            "center_y_m",
            "center_z_m",
        ],
        ProbeKind::Whole => &[
            "volume_m3",
            "kinetic_energy_J",
            "potential_energy_J",
            "momentum_x_kg_m_per_s",
            "momentum_y_kg_m_per_s",
            "momentum_z_kg_m_per_s",
            "center_x_m",
            "center_y_m",
            "center_z_m",
        ],
    }
}

/// Returns the current values of all probes of a scene, column by column.
pub fn read(scene: &Scene, method: &dyn Method) -> Vec<Option<f64>> {
    let room = Room::new(scene);
    let view = method.view();
    let water = |p: DVec3| view.liquid_distance(p);
    let detail = |p: DVec3| view.detail(p);
    let mut out = Vec::new();
    for probe in &scene.probes {
        match probe.kind {
            ProbeKind::Point(p) if scene.is_smoke() => out.extend(smoke_point(&view.sample(p), room.dx)),
            ProbeKind::Point(p) => out.extend(point(&view.sample(p), room.dx)),
            ProbeKind::Gauge(foot) => {
                let column = column(&water, foot, &room);
                out.extend([Some(column.height), Some(column.depth)]);
            }
            ProbeKind::Front(heading) => out.push(front(&water, &detail, heading, &room)),
            ProbeKind::Whole if scene.is_smoke() => out.extend(smoke_whole(&method.totals())),
            ProbeKind::Whole => out.extend(whole(&method.totals())),
        }
    }
    out
}

fn point(s: &Sample, dx: f64) -> [Option<f64>; 5] {
    // A sensor that is barely inside a solid, by rounding or because the grid blurs the solid by half a cell,
    // still measures the water.
    if s.solid < -0.5 * dx {
        return [None; 5];
    }
    let [x, y, z] = s.velocity.to_array().map(|v| (s.phi < 0.0).then_some(v));
    [s.pressure, x, y, z, Some(s.phi)]
}

fn smoke_point(s: &Sample, dx: f64) -> [Option<f64>; 6] {
    if s.solid < -0.5 * dx {
        return [None; 6];
    }
    let [x, y, z] = s.velocity.to_array().map(Some);
    [s.pressure, x, y, z, s.smoke.map(|s| s.density), s.smoke.map(|s| s.temperature)]
}

fn smoke_whole(t: &Totals) -> [Option<f64>; 8] {
    let of = |value: fn(&SmokeTotals) -> f64| t.smoke.as_ref().map(value);
    let [x, y, z] = [0, 1, 2].map(|a| t.smoke.and_then(|s| s.center).map(|c| c[a]));
    [
        Some(t.kinetic_energy),
        of(|s| s.amount),
        of(|s| s.heat),
        of(|s| s.max_density),
        of(|s| s.max_temperature),
        x,
        y,
        z,
    ]
}

fn whole(t: &Totals) -> [Option<f64>; 9] {
    let p = t.momentum;
    let [x, y, z] = [0, 1, 2].map(|a| t.center.map(|c| c[a]));
    let [volume, kinetic, potential] = [t.volume, t.kinetic_energy, t.potential_energy].map(Some);
    [volume, kinetic, potential, Some(p.x), Some(p.y), Some(p.z), x, y, z]
}

#[cfg(test)]
mod tests;
