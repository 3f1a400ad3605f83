//! A scene as plain data: what is simulated, for how long, and what is written of it.

mod builder;
mod numerics;
mod output;
mod smoke;
pub mod start;

pub use numerics::{
    Advection, FreeSurface, GradientDistance, Interpolation, Numerics, PressureSolver, Seeding, Transfer,
    VolumeCorrection,
};
pub use output::{Camera, Output, Up, View};
pub use smoke::{Buoyancy, HalfLife, Release, SmokeDetail, SmokeSource};

use crate::geometry::{Motion, Shape};
use crate::octree::{GridError, RootGrid};
use glam::{DVec3, IVec3};

/// Everything that a run needs to know.
#[derive(Clone, Debug)]
pub struct Scene {
    /// A short name, used for the output folder.
    pub name: String,
    /// A line about the scene.
    pub description: String,
    /// The method's name, such as `octree`.
    pub method: String,
    /// Feeds every random number of the run.
    pub seed: u64,
    /// The box that is simulated.
    pub domain: Domain,
    /// Sides of the box that the fluid leaves by.
    pub open: OpenSides,
    /// Forces and material.
    pub physics: Physics,
    /// Frames, rate and step size.
    pub time: Timing,
    /// Water that is there at the start.
    pub liquids: Vec<Liquid>,
    /// Where smoke comes from; a scene has liquids or smoke, not both.
    pub smoke: Vec<SmokeSource>,
    /// Bodies that the fluid cannot enter.
    pub solids: Vec<Solid>,
    /// Where water comes in.
    pub inflows: Vec<Inflow>,
    /// Where water is taken out.
    pub outflows: Vec<Outflow>,
    /// What is measured at every step.
    pub probes: Vec<Probe>,
    /// Where detail goes.
    pub adaptivity: Adaptivity,
    /// Numerical choices of the method.
    pub numerics: Numerics,
    /// The eye for pictures; framed from the domain where there is none.
    pub camera: Option<Camera>,
    /// What is written, and how.
    pub output: Output,
}

impl Scene {
    /// A box with a corner at the origin and nothing in it. Everything else has the defaults of a scene file.
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

    /// Whether it is smoke that is simulated, not water.
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
    /// Finest cells along the longest side.
    pub resolution: u32,
    /// The root cells of the tree span `2^levels` finest cells.
    pub levels: u8,
}

impl Domain {
    /// Edge length of the finest cells.
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

/// Forces and material.
#[derive(Clone, PartialEq, Debug)]
pub struct Physics {
    /// Acceleration in m/s².
    pub gravity: DVec3,
    /// Mass of the liquid, or of the air that smoke is in, in kg/m³.
    pub density: f64,
    /// Surface tension in N/m.
    pub surface_tension: f64,
    /// How smoke and its heat move the air.
    pub buoyancy: Buoyancy,
    /// ε, by which vorticity confinement gives back the whirls of smoke that the grid damps, in units of the
    /// scene's own speed over its size; 0 without it.
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
            buoyancy: Buoyancy::default(),
            confinement: 1.0,
            half_life: HalfLife::default(),
        }
    }
}

impl Physics {
    /// Gravity where a scene does not tell.
    pub const GRAVITY: DVec3 = DVec3::new(0.0, -9.8, 0.0);
    /// Density of water in kg/m³.
    pub const WATER: f64 = 1000.0;
    /// Density of air in kg/m³.
    pub const AIR: f64 = 1.2;

    /// The unit vector against gravity; zero without gravity.
    pub fn against_gravity(&self) -> DVec3 {
        -self.gravity.normalize_or_zero()
    }

    /// Away from gravity, along the axis that it is nearest to; +y without gravity.
    pub fn up(&self) -> Heading {
        let g = self.gravity;
        let axis = [0, 2].into_iter().fold(1, |best, a| if g[a].abs() > g[best].abs() { a } else { best });
        Heading { axis, forward: g[axis] <= 0.0 }
    }
}

/// One of the six directions along an axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Heading {
    /// 0 is x, 1 is y, 2 is z.
    pub axis: usize,
    /// Whether coordinates grow along it.
    pub forward: bool,
}

impl Heading {
    /// All six.
    pub const ALL: [Self; 6] = {
        const fn to(axis: usize, forward: bool) -> Heading {
            Heading { axis, forward }
        }
        [to(0, false), to(0, true), to(1, false), to(1, true), to(2, false), to(2, true)]
    };

    /// 1 or −1.
    pub fn sign(self) -> f64 {
        if self.forward { 1.0 } else { -1.0 }
    }

    /// `+x`, `-x`, `+y` and so on.
    pub fn name(self) -> &'static str {
        [["-x", "+x"], ["-y", "+y"], ["-z", "+z"]][self.axis][usize::from(self.forward)]
    }
}

/// Frames, rate and step size.
#[derive(Clone, PartialEq, Debug)]
pub struct Timing {
    /// Frames after frame 0.
    pub frames: u32,
    /// Frames a second.
    pub fps: f64,
    /// Finest cells that the fastest water may cross in a step.
    pub cfl: f64,
}

impl Default for Timing {
    fn default() -> Self {
        Self { frames: 60, fps: 60.0, cfl: 2.0 }
    }
}

/// Water that is there at the start.
#[derive(Clone, Debug)]
pub struct Liquid {
    /// The region it fills.
    pub shape: Shape,
    /// Its velocity in m/s.
    pub velocity: DVec3,
}

/// A body that the fluid cannot enter.
#[derive(Clone, Debug)]
pub struct Solid {
    /// The body where it stands at rest.
    pub shape: Shape,
    /// How it moves from there.
    pub motion: Motion,
    /// Its temperature in K above that of the air around; only smoke feels it.
    pub temperature: f64,
}

impl Solid {
    /// A body that stays where it is, as warm as the air.
    pub fn still(shape: Shape) -> Self {
        Self::moving(shape, Motion::Still)
    }

    /// A body that moves, as warm as the air.
    pub fn moving(shape: Shape, motion: Motion) -> Self {
        Self { shape, motion, temperature: 0.0 }
    }
}

/// A place where water comes in.
#[derive(Clone, Debug)]
pub struct Inflow {
    /// The region that is kept full of water.
    pub shape: Shape,
    /// The velocity in m/s with which water leaves the region. Where it is zero the region is only kept full.
    pub velocity: DVec3,
    /// When it acts.
    pub when: Span,
}

/// A place where water is taken out.
#[derive(Clone, Debug)]
pub struct Outflow {
    /// The region that is kept empty.
    pub shape: Shape,
    /// When it acts.
    pub when: Span,
}

/// A time from a start to an end, in seconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Span {
    /// When it begins.
    pub start: f64,
    /// When it ends; infinite where it does not.
    pub end: f64,
}

impl Default for Span {
    fn default() -> Self {
        Self { start: 0.0, end: f64::INFINITY }
    }
}

impl Span {
    /// Whether the two have some time in common, ends left out.
    pub fn meets(self, start: f64, end: f64) -> bool {
        self.start < end && start < self.end
    }
}

/// Which sides of the domain are open: there water leaves and nothing comes in; smoke leaves and air without
/// smoke comes in. The others are walls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OpenSides {
    /// −x, +x, −y, +y, −z, +z.
    pub sides: [bool; 6],
}

impl OpenSides {
    /// Those that are named.
    pub fn of(headings: &[Heading]) -> Self {
        let mut open = Self::default();
        for h in headings {
            open.sides[2 * h.axis + usize::from(h.forward)] = true;
        }
        open
    }

    /// Whether there is one.
    pub fn any(self) -> bool {
        self.sides.contains(&true)
    }

    /// The open sides.
    pub fn headings(self) -> impl Iterator<Item = Heading> {
        (0..6).filter(move |&d| self.sides[d]).map(|d| Heading { axis: d / 2, forward: d & 1 == 1 })
    }
}

/// An instrument that is read at every step.
#[derive(Clone, PartialEq, Debug)]
pub struct Probe {
    /// What its columns are called by; no two are the same.
    pub name: String,
    /// What it measures.
    pub kind: ProbeKind,
}

/// What a probe measures. See [`crate::probes`] for the definitions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ProbeKind {
    /// Pressure, velocity and distance to the surface at a point.
    Point(DVec3),
    /// Height and depth of the water along the upright line over a point of the floor.
    Gauge(DVec3),
    /// The farthest place that water has reached.
    Front(Heading),
    /// All of the water: volume, energies, momentum, center of mass.
    Whole,
}

/// Where detail goes.
#[derive(Clone, Debug)]
pub struct Adaptivity {
    /// Weight of the surface's curvature.
    pub curvature: f64,
    /// Weight of the flow's strain at the surface.
    pub strain: f64,
    /// Finest cells everywhere on the surface where false.
    pub along_surface: bool,
    /// From 0, finest cells everywhere, to 1, cells as large as they may be.
    pub strength: f64,
    /// How often the cells of a level are spread to their face neighbors before the next coarser ones may
    /// follow.
    pub dilation: u32,
    /// What has asked for detail asks for this share of it ...
    pub decay: f64,
    /// ... after this many seconds; taken from the scene's size and speed where it is not given.
    pub decay_time: Option<f64>,
    /// Whether only what the camera sees asks for detail.
    pub camera: bool,
    /// Where detail goes in smoke.
    pub smoke: SmokeDetail,
    /// Places where the size of cells is bounded.
    pub regions: Vec<Region>,
}

impl Default for Adaptivity {
    fn default() -> Self {
        Self {
            curvature: 4.0,
            strain: 3.0,
            along_surface: true,
            strength: 1.0,
            dilation: 0,
            decay: 0.9,
            decay_time: None,
            camera: false,
            smoke: SmokeDetail::default(),
            regions: Vec::new(),
        }
    }
}

/// A place where the size of cells is bounded.
#[derive(Clone, Debug)]
pub struct Region {
    /// The place.
    pub shape: Shape,
    /// All cells that reach into it are at most this large, in meters; infinite without such a bound.
    pub at_most: f64,
    /// Nothing in it asks for cells smaller than this, in meters; zero without such a bound.
    pub at_least: f64,
}
