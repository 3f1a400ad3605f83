//! The energy of water, with that of spray.
//!
//! A step moves the water by the velocity of its start and then accelerates it at its new place. So the velocity belongs to
//! the middle of the step in which the water moves with it, and the energy there is
//!
//! ```text
//! E_n = K_n + ½ (P_n + P_{n+1})
//! ```
//!
//! with the kinetic energy K and the potential energy P at the ends of steps.

use glam::Vec3;
use octide_core::contract::{Method, Particles};
use octide_core::scene::Scene;
use std::f64::consts::PI;

/// The energy of the water at the end of a step.
#[derive(Clone, Copy)]
pub(crate) struct Energy {
    pub(crate) time: f64,
    pub(crate) kinetic: f64,
    pub(crate) potential: f64,
}

impl Energy {
    /// Measures the water in cells and the spray.
    pub(crate) fn of(scene: &Scene, sim: &dyn Method) -> Self {
        let totals = sim.totals();
        let spray = sim.frame().particles;
        let (mut kinetic, mut potential) = (totals.kinetic_energy, totals.potential_energy);
        let g = scene.physics.gravity;
        for i in (0..spray.len()).filter(|&i| spray.kinds[i] == Particles::SPRAY) {
            let to_f64 = |v: [f32; 3]| Vec3::from_array(v).as_dvec3();
            let mass = scene.physics.density * ball(f64::from(spray.radii[i]));
            kinetic += 0.5 * mass * to_f64(spray.velocities[i]).length_squared();
            potential -= mass * g.dot(to_f64(spray.positions[i]) - scene.domain.origin);
        }
        Self { time: sim.time(), kinetic, potential }
    }

    /// Returns the sum at the end of the step.
    pub(crate) fn at_once(self) -> f64 {
        self.kinetic + self.potential
    }

    /// Returns the energy in the middle of the step that ends as `next`.
    pub(crate) fn between(self, next: Self) -> f64 {
        self.kinetic + 0.5 * (self.potential + next.potential)
    }
}

/// Returns the volume of a ball.
pub(crate) fn ball(radius: f64) -> f64 {
    4.0 / 3.0 * PI * radius.powi(3)
}

/// Returns the largest rise above an earlier value.
pub(crate) fn largest_rise(values: impl Iterator<Item = f64>) -> f64 {
    let (mut least, mut rise) = (f64::INFINITY, 0.0f64);
    for e in values {
        least = least.min(e);
        rise = rise.max(e - least);
    }
    rise
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_energy_of_free_fall_as_steps_take_it_is_constant_in_their_middle_only() {
        let (g, dt) = (9.8, 0.01);
        let (mut v, mut y) = (0.0, 1.0);
        let mut all = Vec::new();
        for step in 0..20 {
            all.push(Energy { time: dt * f64::from(step), kinetic: 0.5 * v * v, potential: g * y });
            y -= v * dt;
            v += g * dt;
        }
        let between = largest_rise(all.windows(2).map(|e| e[0].between(e[1])));
        assert!(between < 1e-12, "{between}");
        let at_once = largest_rise(all.iter().map(|e| e.at_once()));
        // ½ dt times the power of gravity, g v.
        assert!((at_once - 0.5 * dt * g * (g * dt * 19.0)).abs() < 1e-12, "{at_once}");
    }
}
