//! A scene as plain data: what is simulated, for how long, and what is written of it.

use crate::geometry::{Motion, Shape};
use glam::DVec3;

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
    /// Forces and material.
    pub physics: Physics,
    /// Frames, rate and step size.
    pub time: Timing,
    /// Water that is there at the start.
    pub liquids: Vec<Liquid>,
    /// Bodies that water cannot enter.
    pub solids: Vec<Solid>,
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
    /// A box from the origin on without anything in it; all else as in a scene file that says nothing of it.
    pub fn empty(method: &str, size: DVec3, resolution: u32, levels: u8) -> Self {
        Self {
            name: "empty".to_owned(),
            description: String::new(),
            method: method.to_owned(),
            seed: 1,
            domain: Domain { origin: DVec3::ZERO, size, resolution, levels },
            physics: Physics::default(),
            time: Timing::default(),
            liquids: Vec::new(),
            solids: Vec::new(),
            probes: Vec::new(),
            adaptivity: Adaptivity::default(),
            numerics: Numerics::default(),
            camera: None,
            output: Output::default(),
        }
    }
}

/// The box that is simulated and its resolution. All its sides are closed walls.
#[derive(Clone, PartialEq, Debug)]
pub struct Domain {
    /// The corner with the smallest coordinates.
    pub origin: DVec3,
    /// Edge lengths in metres.
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
}

/// Forces and material.
#[derive(Clone, PartialEq, Debug)]
pub struct Physics {
    /// Acceleration in m/s².
    pub gravity: DVec3,
    /// Mass of the liquid in kg/m³.
    pub density: f64,
    /// Surface tension in N/m.
    pub surface_tension: f64,
}

impl Default for Physics {
    fn default() -> Self {
        Self { gravity: DVec3::new(0.0, -9.8, 0.0), density: 1000.0, surface_tension: 0.0 }
    }
}

impl Physics {
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

/// A body that water cannot enter.
#[derive(Clone, Debug)]
pub struct Solid {
    /// The body where it stands at rest.
    pub shape: Shape,
    /// How it moves from there.
    pub motion: Motion,
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
#[derive(Clone, PartialEq, Debug)]
pub struct Adaptivity {
    /// Weight of the surface's curvature.
    pub curvature: f64,
    /// Weight of the flow's strain at the surface.
    pub strain: f64,
    /// Finest cells everywhere on the surface where false.
    pub along_surface: bool,
}

impl Default for Adaptivity {
    fn default() -> Self {
        Self { curvature: 4.0, strain: 3.0, along_surface: true }
    }
}

/// Numerical choices.
#[derive(Clone, PartialEq, Debug)]
pub struct Numerics {
    /// Relative residual at which the pressure solve stops.
    pub tolerance: f64,
    /// Iterations after which the pressure solve has failed.
    pub max_iterations: u32,
    /// Whether lost or gained volume is given back.
    pub volume_correction: bool,
    /// Relative volume drift past which the run fails.
    pub max_volume_drift: f64,
}

impl Default for Numerics {
    fn default() -> Self {
        Self { tolerance: 1e-4, max_iterations: 1000, volume_correction: true, max_volume_drift: 0.2 }
    }
}

/// The eye for pictures.
#[derive(Clone, PartialEq, Debug)]
pub struct Camera {
    /// Where it stands.
    pub position: DVec3,
    /// What it looks at.
    pub target: DVec3,
    /// Vertical field of view in degrees.
    pub fov: f64,
}

/// The axis that points up in what is written; inside it is always y.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Up {
    /// As inside.
    #[default]
    Y,
    /// `(x, y, z)` is written as `(x, −z, y)`.
    Z,
}

/// What pictures show.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum View {
    /// Water, solids and a floor.
    #[default]
    Water,
    /// The tree's cells on a cut plane through the water.
    Cells,
}

/// What is written, and how.
#[derive(Clone, PartialEq, Debug)]
pub struct Output {
    /// The axis that points up in files.
    pub up: Up,
    /// The number of the first frame's files.
    pub first_frame: u32,
    /// Whether pictures are made during the run.
    pub preview: bool,
    /// Width and height of pictures in pixels.
    pub preview_size: [u32; 2],
    /// What pictures show.
    pub view: View,
    /// Whether the tree's cells are written beside each surface.
    pub cells: bool,
}

impl Default for Output {
    fn default() -> Self {
        Self {
            up: Up::Y,
            first_frame: 0,
            preview: true,
            preview_size: [640, 360],
            view: View::Water,
            cells: false,
        }
    }
}
