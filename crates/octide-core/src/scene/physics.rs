//! Forces and material properties.

use super::{Buoyancy, HalfLife, Heading};
use glam::DVec3;

/// Forces and material properties.
#[derive(Clone, PartialEq, Debug)]
pub struct Physics {
    /// Gravitational acceleration in m/s².
    pub gravity: DVec3,
    /// Density of the liquid, or of the air that carries smoke, in kg/m³.
    pub density: f64,
    /// Surface tension in N/m.
    pub surface_tension: f64,
    /// The suction in Pa that solids exert on water before it detaches from them; 0 if it does not stick.
    pub adhesion: f64,
    /// The fraction of its velocity that water keeps when it has slid along a wall by its own thickness: 1 if it slides
    /// freely, 0 if it sticks.
    pub slip: f64,
    /// Kinematic viscosity in m²/s of water in films on walls; elsewhere water is ideal.
    pub film_viscosity: f64,
    /// How smoke and its heat accelerate the air.
    pub buoyancy: Buoyancy,
    /// ε, the strength of vorticity confinement, which restores vortices of smoke that the grid damps, in
    /// units of the scene's characteristic speed divided by its size; 0 turns it off.
    pub confinement: f64,
    /// How fast smoke and its heat fade.
    pub half_life: HalfLife,
}

impl Default for Physics {
    fn default() -> Self {
        Self {
            gravity: Self::GRAVITY,
            density: Self::WATER,
            surface_tension: 0.0,
            adhesion: 0.0,
            slip: 1.0,
            film_viscosity: Self::WATER_VISCOSITY,
            buoyancy: Buoyancy::default(),
            confinement: 1.0,
            half_life: HalfLife::default(),
        }
    }
}

impl Physics {
    /// Default gravity.
    pub const GRAVITY: DVec3 = DVec3::new(0.0, -9.8, 0.0);
    /// Density of water in kg/m³.
    pub const WATER: f64 = 1000.0;
    /// Kinematic viscosity of water at 20 °C in m²/s.
    pub const WATER_VISCOSITY: f64 = 1e-6;
    /// Density of air in kg/m³.
    pub const AIR: f64 = 1.2;

    /// Returns the unit vector against gravity; zero without gravity.
    pub fn against_gravity(&self) -> DVec3 {
        -self.gravity.normalize_or_zero()
    }

    /// Returns the direction opposite to gravity, along the axis that gravity is most nearly parallel to; +y
    /// without gravity.
    pub fn up(&self) -> Heading {
        let g = self.gravity;
        let axis = [0, 2].into_iter().fold(1, |best, a| if g[a].abs() > g[best].abs() { a } else { best });
        Heading { axis, forward: g[axis] <= 0.0 }
    }
}
