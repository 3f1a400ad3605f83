//! The method as a tracker of surfaces in a prescribed velocity, with the stages of
//! [`driven`](crate::driven).

use crate::params::{Params, Seeding};
use crate::simulation::OctreeLiquid;
use crate::state::State;
use crate::volume::cell_gradient;
use glam::DVec3;
use octide_core::contract::{
    PrescribedVelocity, StepError, SurfaceTracker, TimeStep, TrackingOptions, TrackingRefinement,
    UnsupportedTracking,
};
use octide_core::scene::{Scene, VolumeCorrection};
use octide_core::volume::fraction_behind_plane;

/// Relative residual of the divergence that corrects the volume, ...
const TOLERANCE: f64 = 1e-4;
/// ... and of that which the given velocity has on T-junctions.
const KEPT_TOLERANCE: f64 = 1e-6;

/// Starts tracking the surface of a scene's liquids.
pub fn track(
    scene: &Scene,
    options: &TrackingOptions,
) -> Result<Box<dyn SurfaceTracker>, UnsupportedTracking> {
    let keeps = options.volume_correction == VolumeCorrection::Local;
    let mut scene = scene.clone();
    if keeps {
        // The given velocity need not be along the sides of the domain.
        scene.open.sides = [true; 6];
    }
    let params = Params {
        volume_correction: options.volume_correction,
        along_surface: options.refinement == TrackingRefinement::SizingRule,
        particles: if options.particles { Seeding::Band } else { Seeding::Off },
        reference_speed: options.max_speed,
        fall_time: 1.0 / options.max_speed,
        tolerance: if keeps { KEPT_TOLERANCE } else { TOLERANCE },
        ..Params::from_scene(&scene)
    };
    let scene = &scene;
    let cfl = scene.time.cfl;
    Ok(Box::new(OctreeTracker { liquid: OctreeLiquid::with_params(scene, params), cfl }))
}

struct OctreeTracker {
    liquid: OctreeLiquid,
    cfl: f64,
}

impl SurfaceTracker for OctreeTracker {
    fn cfl(&self) -> f64 {
        self.cfl
    }

    fn step(&mut self, time: f64, dt: TimeStep, velocity: PrescribedVelocity<'_>) -> Result<(), StepError> {
        let seconds = dt.seconds();
        let of_step_at = |time: f64| move |x: DVec3| velocity(x, time + 0.5 * seconds);
        if time == 0.0 {
            self.liquid.drive_by(&of_step_at(0.0))?;
        }
        self.liquid.step_driven(dt, &of_step_at(time + seconds))
    }

    fn n_cells(&self) -> usize {
        self.liquid.state().mesh.n_cells()
    }

    fn volume_fraction(&self, center: DVec3, edge: f64) -> f64 {
        let mesh = &self.liquid.state().mesh;
        let cell = mesh.tree.nearest_leaf(center);
        let phi = self.liquid.state().phi[cell];
        if phi.abs() > 2.0 * mesh.tree.size(cell) {
            return if phi < 0.0 { 1.0 } else { 0.0 };
        }
        let g = cell_gradient(mesh, &self.liquid.state().phi, cell);
        fraction_behind_plane(g * edge, phi + g.dot(center - mesh.tree.center(cell)))
    }

    fn kept_fraction(&self, point: DVec3) -> Option<f64> {
        let State { mesh, content, .. } = self.liquid.state();
        let cell = mesh.tree.nearest_leaf(point);
        (!content.is_empty()).then(|| content[cell] / mesh.tree.size(cell).powi(3))
    }
}
