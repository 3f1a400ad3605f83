//! Tracking of surfaces in a prescribed velocity, with the stages of [`driven`](crate::driven).

use crate::driven::Driven;
use crate::particles::ParticleParams;
use glam::DVec3;
use octide_core::contract::{
    PrescribedVelocity, StepError, SurfaceTracker, TimeStep, TrackingOptions, TrackingRefinement,
    UnsupportedTracking,
};
use octide_core::random::Seed;
use octide_core::scene::start::InitialWater;
use octide_core::scene::{Scene, Seeding, VolumeCorrection};

/// How many finest cells the fastest point crosses in a step.
const CFL: f64 = 3.0;

/// Starts tracking the surface of a scene's liquids. There is no sizing rule along the surface, and without
/// pressure there is no volume correction.
pub fn track(
    scene: &Scene,
    options: &TrackingOptions,
) -> Result<Box<dyn SurfaceTracker>, UnsupportedTracking> {
    if options.refinement == TrackingRefinement::SizingRule {
        return Err(UnsupportedTracking("a sizing rule"));
    }
    if !matches!(options.volume_correction, VolumeCorrection::Auto | VolumeCorrection::Off) {
        return Err(UnsupportedTracking("volume correction"));
    }
    let seeding = if options.particles { Seeding::WhereNeeded } else { Seeding::Off };
    // There is no spray, because the velocity is prescribed everywhere.
    let seed = Seed::new(scene.seed);
    let params = ParticleParams { spray: false, ..ParticleParams::new(seeding, f64::INFINITY, seed) };
    let water = InitialWater::new(scene);
    Ok(Box::new(Driven::new(&scene.domain.root_grid(), &|x| water.distance(x), params)))
}

impl SurfaceTracker for Driven {
    fn cfl(&self) -> f64 {
        CFL
    }

    fn step(&mut self, time: f64, dt: TimeStep, velocity: PrescribedVelocity<'_>) -> Result<(), StepError> {
        let dt = dt.seconds();
        Driven::step(self, dt, &|x| velocity(x, time + 0.5 * dt));
        Ok(())
    }

    fn n_cells(&self) -> usize {
        self.mesh.n_cells()
    }

    fn volume_fraction(&self, center: DVec3, edge: f64) -> f64 {
        self.fraction(center, edge)
    }
}
