//! Options of files and pictures.

use glam::DVec3;

/// The camera for pictures.
#[derive(Clone, PartialEq, Debug)]
pub struct Camera {
    /// Its position.
    pub position: DVec3,
    /// The point that it looks at.
    pub target: DVec3,
    /// Vertical field of view in degrees.
    pub fov: f64,
}

/// The axis that points up in files; internally it is always y.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Up {
    /// Unchanged.
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
    /// Smoke, solids and a floor.
    Smoke,
    /// The tree's cells on a cut plane through the domain.
    Cells,
}

/// How spray is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Spray {
    /// As particles with a radius.
    #[default]
    Particles,
    /// As balls in the surface's mesh.
    Surface,
    /// Not at all.
    None,
}

/// What is written, and in which form.
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
    /// Whether the tree's cells are written with each surface.
    pub cells: bool,
    /// Whether particles, if there are any, are written with each surface.
    pub particles: bool,
    /// How spray is written.
    pub spray: Spray,
    /// Whether a volume is written for each frame: water as a level set in addition to its surface, smoke as
    /// a fog volume.
    pub volume: bool,
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
            particles: true,
            spray: Spray::Particles,
            volume: false,
        }
    }
}
