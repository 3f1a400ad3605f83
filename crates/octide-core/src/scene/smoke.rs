//! Smoke: where it comes from, what moves it and where detail goes for it.
//!
//! Smoke is air with two quantities in it that the flow carries along: a density ρ, which is a dimensionless
//! concentration, and a temperature T, in K above that of the air around. The flow feels both,
//!
//! ```text
//! f = (−α ρ + β T) up,   up = −g / |g|,
//! ```
//!
//! α is [`Buoyancy::weight`], β [`Buoyancy::lift`]. Without gravity nothing is up and there is no such force.

use super::Span;
use crate::geometry::Shape;
use glam::DVec3;

/// A place that smoke comes from, or that is filled with it once.
#[derive(Clone, Debug)]
pub struct SmokeSource {
    /// The region.
    pub shape: Shape,
    /// The density in it, dimensionless; 0 for air without smoke, such as that of a fan.
    pub density: f64,
    /// The temperature in it, in K above that of the air around.
    pub temperature: f64,
    /// The velocity of what is in it, in m/s; none where only the flow decides.
    pub velocity: Option<DVec3>,
    /// When it acts.
    pub when: Release,
}

/// When a source acts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Release {
    /// Its region is kept at its values all the time.
    During(Span),
    /// Its region takes its values once, at this moment in seconds.
    Puff(f64),
}

impl Default for Release {
    fn default() -> Self {
        Self::During(Span::default())
    }
}

impl Release {
    /// Whether it acts in a step between two times. A puff belongs to the step that begins with it or holds
    /// it.
    pub fn acts(self, start: f64, end: f64) -> bool {
        match self {
            Self::During(span) => span.meets(start, end),
            Self::Puff(at) => start <= at && at < end,
        }
    }

    /// Whether it has made itself felt at time 0, before any step.
    pub fn at_start(self) -> bool {
        match self {
            Self::During(span) => span.start <= 0.0,
            Self::Puff(at) => at <= 0.0,
        }
    }
}

/// How density and temperature move the air.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Buoyancy {
    /// α, in m/s² for a density of 1: how smoke sinks.
    pub weight: f64,
    /// β, in m/s² for a kelvin: how warm air rises.
    pub lift: f64,
}

impl Default for Buoyancy {
    fn default() -> Self {
        Self::under(super::Physics::GRAVITY)
    }
}

impl Buoyancy {
    /// The absolute temperature in K of the air around, for the lift that warm air has.
    const AMBIENT: f64 = 293.15;

    /// What a gas of little smoke does under gravity: β = |g| / T, and smoke weighs nothing.
    pub fn under(gravity: DVec3) -> Self {
        Self { weight: 0.0, lift: gravity.length() / Self::AMBIENT }
    }

    /// The acceleration along up, in m/s².
    pub fn along_up(&self, density: f64, temperature: f64) -> f64 {
        self.lift * temperature - self.weight * density
    }
}

/// The time in seconds in which half of it is gone; infinite where all of it stays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HalfLife {
    /// Of density.
    pub density: f64,
    /// Of temperature.
    pub temperature: f64,
}

impl Default for HalfLife {
    fn default() -> Self {
        Self { density: f64::INFINITY, temperature: f64::INFINITY }
    }
}

impl HalfLife {
    /// The shares of density and temperature that are left after a time.
    pub fn left_after(&self, dt: f64) -> [f64; 2] {
        [self.density, self.temperature].map(|half| (-dt / half).exp2())
    }
}

/// Where detail goes in smoke. What any of the three asks for is done; sources have finest cells while they
/// act.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SmokeDetail {
    /// Finest cells within this many finest cells of solids; 0 turns it off.
    pub solids: f64,
    /// Weight of vorticity: cells are at most max|u| / (weight · |ω|) large; 0 turns it off. It is about the
    /// number of cells across a layer in which the velocity changes by the largest speed.
    pub vorticity: f64,
    /// Finest cells where the density is between these two, as shares of the densest source's. Below it is
    /// not seen, above it is hidden behind smoke. An empty band, such as `[0, 0]`, turns it off.
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
