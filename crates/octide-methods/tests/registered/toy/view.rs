//! The water at any point.

use super::bodies::Bodies;
use octide_core::DVec3;
use octide_core::contract::{LevelSet, Sample, Sampler};

/// The bodies as probes and files of voxels see them.
pub struct View<'a> {
    pub bodies: &'a Bodies,
    /// Edge length of a cell in m.
    pub detail: f64,
}

impl LevelSet for View<'_> {
    fn distance(&self, p: DVec3) -> f64 {
        self.bodies.distance(p)
    }

    fn velocity(&self, p: DVec3) -> DVec3 {
        self.bodies.velocity(p)
    }
}

impl Sampler for View<'_> {
    fn distance(&self, p: DVec3) -> f64 {
        self.bodies.distance(p)
    }

    fn detail(&self, _: DVec3) -> f64 {
        self.detail
    }

    /// Water that falls freely is without pressure.
    fn sample(&self, p: DVec3) -> Sample {
        Sample {
            phi: self.bodies.distance(p),
            solid: f64::INFINITY,
            velocity: self.bodies.velocity(p),
            pressure: Some(0.0),
            smoke: None,
        }
    }
}
