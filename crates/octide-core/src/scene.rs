//! A scene as plain data: what is simulated, for how long, and what is written.

mod adaptivity;
mod builder;
mod numerics;
mod output;
mod physics;
mod roughness;
mod sides;
mod smoke;
pub mod start;

pub use adaptivity::{Adaptivity, Region};
pub use numerics::{
    Advection, FreeSurface, GradientDistance, Interpolation, Numerics, PressureSolver, Seeding, Transfer,
    VolumeCorrection,
};
pub use output::{Camera, Output, Spray, Up, View};
pub use physics::Physics;
pub use roughness::Roughness;
pub use sides::{Heading, OpenSides};
pub use smoke::{Buoyancy, HalfLife, Release, SmokeDetail, SmokeSource};

use crate::flows::mouth_area;
use crate::geometry::{MeshSequence, Motion, SampleGrid, Samples, Shape};
use crate::octree::{GridError, RootGrid};
use crate::solids::Solids;
use glam::{DVec3, IVec3};
use std::sync::Arc;

/// The complete description of a simulation.
#[derive(Clone, Debug)]
pub struct Scene {
    /// A short name, used for the output folder.
    pub name: String,
    /// A one-line description of the scene.
    pub description: String,
    /// The method's name, such as `octree`.
    pub method: String,
    /// The seed of all random numbers in the run.
    pub seed: u64,
    /// The box that is simulated.
    pub domain: Domain,
    /// Sides of the box through which fluid can leave.
    pub open: OpenSides,
    /// Forces and material properties.
    pub physics: Physics,
    /// Number of frames, frame rate and step size.
    pub time: Timing,
    /// Water at the start.
    pub liquids: Vec<Liquid>,
    /// Smoke sources. A scene has liquids or smoke, not both.
    pub smoke: Vec<SmokeSource>,
    /// Solids, which the fluid cannot enter.
    pub solids: Vec<Solid>,
    /// Regions where water enters.
    pub inflows: Vec<Inflow>,
    /// Regions where water is removed.
    pub outflows: Vec<Outflow>,
    /// Probes that measure at every step.
    pub probes: Vec<Probe>,
    /// Where cells are refined.
    pub adaptivity: Adaptivity,
    /// Numerical options of the method.
    pub numerics: Numerics,
    /// The camera for pictures; `None` chooses a view of the whole domain.
    pub camera: Option<Camera>,
    /// What is written, and in which form.
    pub output: Output,
}

impl Scene {
    /// Returns an empty box with a corner at the origin. Everything else has the defaults of a scene file.
    ///
    /// `size` is in meters, `resolution` is the number of finest cells along the longest side, and the
    /// coarsest cells are `2^levels` finest cells wide; each side must be a whole number of coarsest cells.
    pub fn empty(method: &str, size: DVec3, resolution: u32, levels: u8) -> Self {
        Self {
            name: "empty".to_owned(),
            description: String::new(),
            method: method.to_owned(),
            seed: 1,
            domain: Domain { origin: DVec3::ZERO, size, resolution, levels },
            open: OpenSides::default(),
            physics: Physics::default(),
            time: Timing::default(),
            liquids: Vec::new(),
            smoke: Vec::new(),
            solids: Vec::new(),
            inflows: Vec::new(),
            outflows: Vec::new(),
            probes: Vec::new(),
            adaptivity: Adaptivity::default(),
            numerics: Numerics::default(),
            camera: None,
            output: Output::default(),
        }
    }

    /// Changes the defaults that differ in smoke scenes: the density is that of air, pictures show the smoke,
    /// and a volume is written for each frame, since there is no surface to write.
    pub fn set_smoke_defaults(&mut self) {
        self.physics.density = Physics::AIR;
        self.output.view = View::Smoke;
        self.output.volume = true;
    }

    /// Lets the distances of solids be sampled and interpolated, for those whose exact distance is expensive.
    /// Methods are given scenes like that.
    pub fn sample_solids(&mut self) {
        for i in 0..self.solids.len() {
            if self.solids[i].sequence.is_some() {
                self.solids[i].sampled_for = Some(self.sample_grid(&self.solids[i]));
            } else if self.solids[i].samples.is_none() {
                self.solids[i].samples = self.samples_of(&self.solids[i]).map(Arc::new);
            }
        }
    }

    /// Returns a forecast of the bytes that samples of all solids take, and the meshes of deforming ones.
    pub fn sample_bytes(&self) -> u64 {
        let of = |s: &Solid| self.samples_of(s).map_or(0, |samples| samples.forecast_bytes(&s.shape));
        let of_deforming = |s: &MeshSequence, samples: u64| s.forecast_bytes() + SAMPLED_MOMENTS * samples;
        let bytes = |s: &Solid| s.sequence.as_ref().map_or(of(s), |sequence| of_deforming(sequence, of(s)));
        self.solids.iter().map(bytes).sum()
    }

    /// Returns new samples of a solid, if its distance is expensive.
    fn samples_of(&self, solid: &Solid) -> Option<Samples> {
        let SampleGrid { dx, bounds } = self.sample_grid(solid);
        Samples::new(&solid.shape, dx, bounds)
    }

    fn sample_grid(&self, solid: &Solid) -> SampleGrid {
        let low = self.domain.origin;
        let bounds = solid.motion.is_still().then_some((low, low + self.domain.size));
        SampleGrid { dx: self.domain.dx(), bounds }
    }

    /// Returns whether the scene simulates smoke, not water.
    pub fn is_smoke(&self) -> bool {
        !self.smoke.is_empty()
    }
}

/// The box that is simulated and its resolution.
#[derive(Clone, PartialEq, Debug)]
pub struct Domain {
    /// The corner with the smallest coordinates.
    pub origin: DVec3,
    /// Edge lengths in meters.
    pub size: DVec3,
    /// Number of finest cells along the longest side.
    pub resolution: u32,
    /// The root cells of the tree are `2^levels` finest cells wide.
    pub levels: u8,
}

impl Domain {
    /// Returns the edge length of the finest cells.
    pub fn dx(&self) -> f64 {
        self.size.max_element() / f64::from(self.resolution)
    }

    /// Returns the grid of root cells that fill the domain.
    pub fn root_grid(&self) -> RootGrid {
        RootGrid::new(self.origin, self.dx(), self.levels, IVec3::ZERO, self.n_roots(), |_| true)
    }

    /// Returns an error if the domain has more or finer cells than a tree can address.
    pub fn check_grid(&self) -> Result<(), GridError> {
        RootGrid::check_box(self.levels, IVec3::ZERO, self.n_roots())
    }

    /// Returns the number of root cells along each axis.
    fn n_roots(&self) -> IVec3 {
        let root = self.dx() * f64::from(1u32 << self.levels);
        (self.size / root).round().as_ivec3().max(IVec3::ONE)
    }
}

/// Number of frames, frame rate and step size.
#[derive(Clone, PartialEq, Debug)]
pub struct Timing {
    /// Number of frames after frame 0.
    pub frames: u32,
    /// Frames per second.
    pub fps: f64,
    /// Number of finest cells that the fastest water may cross in a step.
    pub cfl: f64,
}

impl Default for Timing {
    fn default() -> Self {
        Self { frames: 60, fps: 60.0, cfl: 2.0 }
    }
}

/// Water at the start.
#[derive(Clone, Debug)]
pub struct Liquid {
    /// The region it fills.
    pub shape: Shape,
    /// Its velocity in m/s.
    pub velocity: DVec3,
    /// The root mean square in meters by which its surface deviates from the shape, see [`Roughness`].
    pub roughness: f64,
}

/// Number of times at which a deforming solid is sampled: before and after a step, and one that was kept.
const SAMPLED_MOMENTS: u64 = 3;

/// A solid, which the fluid cannot enter.
#[derive(Clone, Debug)]
pub struct Solid {
    /// The solid in its rest pose; of a deforming one, its first mesh.
    pub shape: Shape,
    /// How it deforms in its own frame; `None` if it is rigid. Copies share it.
    pub sequence: Option<Arc<MeshSequence>>,
    /// Its motion relative to the rest pose.
    pub motion: Motion,
    /// Its temperature in K above ambient; only smoke is affected by it.
    pub temperature: f64,
    /// Samples of its distance in its rest pose, see [`Scene::sample_solids`]. Copies share them.
    pub samples: Option<Arc<Samples>>,
    /// The grid that the distance of a deforming solid is sampled for.
    pub sampled_for: Option<SampleGrid>,
}

impl Solid {
    /// Returns a solid that does not move and has the temperature of the air.
    pub fn still(shape: Shape) -> Self {
        Self::moving(shape, Motion::Still)
    }

    /// Returns a moving solid that has the temperature of the air.
    pub fn moving(shape: Shape, motion: Motion) -> Self {
        Self { shape, sequence: None, motion, temperature: 0.0, samples: None, sampled_for: None }
    }

    /// Returns a solid that deforms, does not move otherwise, and has the temperature of the air.
    pub fn deforming(sequence: MeshSequence) -> Self {
        let sequence = Arc::new(sequence);
        let start = sequence.options().start;
        let shape = sequence.at(start, None).shape().clone();
        Self { sequence: Some(sequence), ..Self::still(shape) }
    }

    /// Returns whether the solid always stays as it is, where it is.
    pub fn is_still(&self) -> bool {
        self.motion.is_still() && self.sequence.as_ref().is_none_or(|s| s.is_still())
    }
}

/// A region where water enters.
#[derive(Clone, Debug)]
pub struct Inflow {
    /// The region that is kept full of water, in its rest pose.
    pub shape: Shape,
    /// The velocity in m/s with which water leaves the region, relative to it and turning with it. If it is
    /// zero, the region is only kept full.
    pub velocity: DVec3,
    /// The flow that leaves the region, if it is given. The length of `velocity` is then only an estimate: the
    /// water is as fast as it must be.
    pub flow: Option<GivenFlow>,
    /// Its motion relative to the rest pose.
    pub motion: Motion,
    /// When it acts.
    pub when: Span,
}

impl Inflow {
    /// Returns an inflow that does not move and always acts.
    pub fn new(shape: Shape, velocity: DVec3) -> Self {
        Self { shape, velocity, flow: None, motion: Motion::Still, when: Span::default() }
    }

    /// Returns an inflow with a given flow that does not move and always acts. `domain` is where it is.
    pub fn with_flow(shape: Shape, flow: GivenFlow, domain: &Domain) -> Self {
        let direction = flow.direction.normalize_or_zero();
        let area = mouth_area(&shape, direction, domain, &Solids::default());
        // A shape without a mouth brings nothing, whatever the speed is.
        let speed = flow.rate / area.max(domain.dx() * domain.dx());
        Self { flow: Some(flow), ..Self::new(shape, speed * direction) }
    }
}

/// The flow of an inflow.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GivenFlow {
    /// The volume in m³/s.
    pub rate: f64,
    /// The direction of the water relative to the inflow, of any length.
    pub direction: DVec3,
}

/// A region where water is removed.
#[derive(Clone, Debug)]
pub struct Outflow {
    /// The region that is kept empty, in its rest pose.
    pub shape: Shape,
    /// Its motion relative to the rest pose.
    pub motion: Motion,
    /// When it acts.
    pub when: Span,
}

impl Outflow {
    /// Returns an outflow that does not move and always acts.
    pub fn new(shape: Shape) -> Self {
        Self { shape, motion: Motion::Still, when: Span::default() }
    }
}

/// A time interval in seconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Span {
    /// Its start.
    pub start: f64,
    /// Its end; may be infinite.
    pub end: f64,
}

impl Default for Span {
    fn default() -> Self {
        Self { start: 0.0, end: f64::INFINITY }
    }
}

impl Span {
    /// Returns whether the span overlaps the time from `start` to `end`. Touching at an end does not count.
    pub fn meets(self, start: f64, end: f64) -> bool {
        self.start < end && start < self.end
    }
}

/// A probe, which measures at every step.
#[derive(Clone, PartialEq, Debug)]
pub struct Probe {
    /// Its unique name, used for its columns.
    pub name: String,
    /// What it measures.
    pub kind: ProbeKind,
}

/// What a probe measures. See [`crate::probes`] for the definitions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ProbeKind {
    /// Pressure, velocity and distance to the surface at a point.
    Point(DVec3),
    /// Height and depth of the water along the vertical line through a point of the floor.
    Gauge(DVec3),
    /// The farthest position that water has reached in a direction.
    Front(Heading),
    /// All of the water: volume, energies, momentum, center of mass.
    Whole,
}
