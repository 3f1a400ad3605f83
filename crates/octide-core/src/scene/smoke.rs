//! Smoke: its sources, the forces on it and the refinement for it.
//!
//! Smoke is air with two quantities that are advected by the flow: a density ρ, which is a dimensionless
//! concentration, and a temperature T, in K above ambient. Both accelerate the flow,
//!
//! ```text
//! f = (−α ρ + β T) up,   up = −g / |g|,
//! ```
//!
//! where α is [`Buoyancy::weight`] and β is [`Buoyancy::lift`]. Without gravity there is no up direction and
//! no such force.

use super::Span;
use crate::geometry::{Motion, Shape};
use glam::DVec3;

/// A region that emits smoke, or that is filled with smoke once.
#[derive(Clone, Debug)]
pub struct SmokeSource {
    /// The region, in its rest pose.
    pub shape: Shape,
    /// The density in the region, dimensionless; 0 for air without smoke, such as that of a fan.
    pub density: f64,
    /// The temperature in the region, in K above ambient.
    pub temperature: f64,
    /// The velocity in the region, in m/s, relative to the region and turning with it; `None` leaves the
    /// velocity to the flow.
    pub velocity: Option<DVec3>,
    /// The motion of the region relative to the rest pose.
    pub motion: Motion,
    /// When it acts.
    pub when: Release,
}

/// When a source acts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Release {
    /// The region is held at the source's values during the span.
    During(Span),
    /// The region is set to the source's values once, at this time in seconds.
    Puff(f64),
}

impl Default for Release {
    fn default() -> Self {
        Self::During(Span::default())
    }
}

impl Release {
    /// Returns whether the source acts in the step from `start` to `end`. A puff acts in the step that starts
    /// at its time or contains it.
    pub fn acts(self, start: f64, end: f64) -> bool {
        match self {
            Self::During(span) => span.meets(start, end),
            Self::Puff(at) => start <= at && at < end,
        }
    }

    /// Returns whether the source has acted at time 0, before any step.
    pub fn at_start(self) -> bool {
        match self {
            Self::During(span) => span.start <= 0.0,
            Self::Puff(at) => at <= 0.0,
        }
    }
}

/// How density and temperature accelerate the air.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Buoyancy {
    /// α, the downward acceleration by smoke, in m/s² per unit of density.
    pub weight: f64,
    /// β, the upward acceleration by heat, in m/s² per kelvin.
    pub lift: f64,
}

impl Default for Buoyancy {
    fn default() -> Self {
        Self::under(super::Physics::GRAVITY)
    }
}

impl Buoyancy {
    /// The absolute ambient temperature in K, from which the lift of warm air follows.
    const AMBIENT: f64 = 293.15;

    /// Returns the buoyancy of thin smoke under gravity: β = |g| / T, and smoke has no weight.
    pub fn under(gravity: DVec3) -> Self {
        Self { weight: 0.0, lift: gravity.length() / Self::AMBIENT }
    }

    /// Returns the upward acceleration in m/s².
    pub fn along_up(&self, density: f64, temperature: f64) -> f64 {
        self.lift * temperature - self.weight * density
    }
}

/// Half-lives in seconds; infinite if nothing decays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HalfLife {
    /// Half-life of the density.
    pub density: f64,
    /// Half-life of the temperature.
    pub temperature: f64,
}

impl Default for HalfLife {
    fn default() -> Self {
        Self { density: f64::INFINITY, temperature: f64::INFINITY }
    }
}

impl HalfLife {
    /// Returns the fractions of density and temperature that are left after `dt` seconds.
    pub fn left_after(&self, dt: f64) -> [f64; 2] {
        [self.density, self.temperature].map(|half| (-dt / half).exp2())
    }
}

/// Where cells are refined in smoke. A cell is refined if any of the three criteria requests it; active
/// sources always have finest cells.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SmokeDetail {
    /// Distance from solids, in finest cells, within which cells are finest; 0 turns it off.
    pub solids: f64,
    /// Weight of vorticity: the cell size is at most max|u| / (weight · |ω|); 0 turns it off. The weight is
    /// about the number of cells across a layer in which the velocity changes by the largest speed.
    pub vorticity: f64,
    /// The range of densities with finest cells, as fractions of the density of the densest source. Thinner
    /// smoke is hardly visible, and denser smoke is hidden behind other smoke. An empty range, such as `[0,
    /// 0]`, turns it off.
    pub density: [f64; 2],
}

impl Default for SmokeDetail {
    fn default() -> Self {
        Self { solids: 3.0, vorticity: 10.0, density: [0.1, 0.3] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_puff_acts_in_one_step_and_a_source_in_all_of_its_span() {
        let puff = Release::Puff(0.5);
        let steps = [(0.0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1.0)];
        assert_eq!(steps.map(|(a, b)| puff.acts(a, b)), [false, false, true, false]);
        assert_eq!([(0.0, 0.4), (0.4, 0.8)].map(|(a, b)| puff.acts(a, b)), [false, true]);
        let during = Release::During(Span { start: 0.25, end: 0.75 });
        assert_eq!(steps.map(|(a, b)| during.acts(a, b)), [false, true, true, false]);
        assert!(Release::Puff(0.0).at_start() && Release::default().at_start());
        assert!(!puff.at_start() && !during.at_start());
    }

    #[test]
    fn warm_air_rises_smoke_sinks_and_both_fade_by_halves() {
        let b = Buoyancy { weight: 2.0, lift: 0.5 };
        assert_eq!(b.along_up(1.0, 6.0), 1.0);
        assert_eq!(Buoyancy::default().along_up(1.0, 293.15), 9.8);
        assert_eq!(HalfLife { density: 2.0, ..HalfLife::default() }.left_after(4.0), [0.25, 1.0]);
    }
}
