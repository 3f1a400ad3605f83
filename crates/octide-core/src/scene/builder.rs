//! Functions that build scenes in code, one call for each object.

use super::{Inflow, Liquid, Outflow, Probe, ProbeKind, Region, Scene, SmokeSource, Solid};
use crate::geometry::{Motion, Shape};
use glam::DVec3;

/// Each of these takes a scene and returns it with one more object. All fields are public, so options without
/// a function are assigned directly, as in `scene.physics.surface_tension = 0.073`.
///
/// ```
/// use octide_core::DVec3;
/// use octide_core::geometry::Shape;
/// use octide_core::scene::{ProbeKind, Scene};
///
/// let pool = Shape::Box { min: DVec3::ZERO, max: DVec3::new(1.0, 0.3, 1.0) };
/// let drop = Shape::Sphere { center: DVec3::new(0.5, 0.7, 0.5), radius: 0.1 };
/// let mut scene = Scene::empty("octree", DVec3::ONE, 64, 3)
///     .named("splash")
///     .with_frames(24, 24.0)
///     .with_liquid(pool)
///     .with_moving_liquid(drop, DVec3::new(0.0, -2.0, 0.0))
///     .with_probe("water", ProbeKind::Whole);
/// scene.physics.surface_tension = 0.073;
/// assert_eq!((scene.liquids.len(), scene.time.frames), (2, 24));
/// ```
impl Scene {
    /// Names the scene.
    pub fn named(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }

    /// Sets the number of frames after frame 0, and the number of frames per second.
    pub fn with_frames(mut self, frames: u32, per_second: f64) -> Self {
        (self.time.frames, self.time.fps) = (frames, per_second);
        self
    }

    /// Adds water at rest.
    pub fn with_liquid(self, shape: Shape) -> Self {
        self.with_moving_liquid(shape, DVec3::ZERO)
    }

    /// Adds water that starts with a velocity in m/s.
    pub fn with_moving_liquid(mut self, shape: Shape, velocity: DVec3) -> Self {
        self.liquids.push(Liquid { shape, velocity, roughness: 0.0 });
        self
    }

    /// Adds a source of smoke. A scene has smoke or water, not both.
    pub fn with_smoke(mut self, source: SmokeSource) -> Self {
        self.smoke.push(source);
        self
    }

    /// Adds a solid that does not move.
    pub fn with_solid(mut self, shape: Shape) -> Self {
        self.solids.push(Solid::still(shape));
        self
    }

    /// Adds a solid that moves.
    pub fn with_moving_solid(mut self, shape: Shape, motion: Motion) -> Self {
        self.solids.push(Solid::moving(shape, motion));
        self
    }

    /// Adds a region that water leaves with a velocity in m/s, during the whole run.
    pub fn with_inflow(mut self, shape: Shape, velocity: DVec3) -> Self {
        self.inflows.push(Inflow::new(shape, velocity));
        self
    }

    /// Adds a region that removes water, during the whole run.
    pub fn with_outflow(mut self, shape: Shape) -> Self {
        self.outflows.push(Outflow::new(shape));
        self
    }

    /// Adds a probe, which [`crate::probes::read`] reads.
    pub fn with_probe(mut self, name: &str, kind: ProbeKind) -> Self {
        self.probes.push(Probe { name: name.to_owned(), kind });
        self
    }

    /// Limits the size of cells in a region.
    pub fn with_region(mut self, region: Region) -> Self {
        self.adaptivity.regions.push(region);
        self
    }
}
