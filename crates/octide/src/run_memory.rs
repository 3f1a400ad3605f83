//! Forecast of the memory of a whole run from counts of cells, particles, triangles and so on.
//!
//! A run holds most during a step, while a frame is made, while its volume is written, or while its picture
//! is drawn. The constants are measured by `octide bench memory --frames`.

use crate::counts::Counts;
use crate::errors::Failure;
use crate::methods;
use crate::painter::Painter;
use octide_core::memory::MemoryModel;
use octide_core::scene::Scene;

/// Bytes per cell in a frame: a cube with its distance from the surface.
const FRAME_CELL: u64 = 20;

/// Bytes per triangle in a frame: three indices, and half a vertex with normal and velocity.
const FRAME_TRIANGLE: u64 = 30;

/// Bytes per triangle while the surface is extracted, besides those in the frame.
const EXTRACT_TRIANGLE: u64 = 150;

/// Bytes per particle in a frame: position, velocity, radius, kind and identifier.
const FRAME_PARTICLE: u64 = 33;

/// Bytes per cell of smoke in a frame: its place, the indices of its corners, and their values.
const FRAME_SMOKE_CELL: u64 = 80;

/// Bytes of every volume: its nodes.
const VOLUME_BYTES: u64 = 600_000;

/// Bytes per triangle while a volume is written: compressed bricks of the band around the surface, and the
/// file's parts.
const VOLUME_TRIANGLE: u64 = 80;

/// Bytes per cell of smoke while a volume is written.
const VOLUME_SMOKE_CELL: u64 = 300;

/// The memory of a scene's run.
pub struct RunMemory<'a> {
    scene: &'a Scene,
    model: MemoryModel,
    /// None if the run draws no pictures.
    painter: Option<Painter<'a>>,
    /// Bytes of the scene's meshes and their distances.
    of_meshes: u64,
}

/// What a run does when it holds most, and the bytes that it holds then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Peak {
    /// Such as "taking a step".
    pub during: &'static str,
    /// Bytes of the process.
    pub bytes: u64,
}

impl<'a> RunMemory<'a> {
    /// The memory of a scene's run, with pictures if the scene wants them. Reading the scene took `of_meshes`
    /// bytes.
    pub fn new(scene: &'a Scene, of_meshes: u64) -> Result<Self, Failure> {
        let output = &scene.output;
        let painter = output.preview.then(|| Painter::new(scene, output.view, output.preview_size));
        Ok(Self { scene, model: methods::memory_model(scene)?, painter, of_meshes })
    }

    /// Draws the pictures of the run; none if it draws no pictures.
    pub fn painter(&self) -> Option<&Painter<'a>> {
        self.painter.as_ref()
    }

    /// Bytes of the process during a step from and to the same number of cells.
    pub fn step(&self, at: &Counts) -> u64 {
        self.of_meshes + self.model.step_bytes(self.scene, at.cells, at.cells, at.particles)
    }

    /// Bytes of the process between steps.
    fn between(&self, at: &Counts) -> u64 {
        self.of_meshes + self.model.bytes_between_steps(&self.scene.domain, at.cells, at.particles)
    }

    /// Bytes of a frame.
    fn frame(at: &Counts) -> u64 {
        let of = |n: usize, bytes: u64| n as u64 * bytes;
        of(at.cells, FRAME_CELL)
            + of(at.triangles, FRAME_TRIANGLE)
            + of(at.shown, FRAME_PARTICLE)
            + of(at.smoke_cells, FRAME_SMOKE_CELL)
    }

    /// Bytes that making a frame takes, with the frame. The triangles need not be known yet.
    pub fn making_frame(&self, at: &Counts) -> u64 {
        (self.model.frame_cell * at.cells as f64) as u64
            + at.triangles as u64 * (FRAME_TRIANGLE + EXTRACT_TRIANGLE)
            + at.shown as u64 * FRAME_PARTICLE
            + at.smoke_cells as u64 * FRAME_SMOKE_CELL
    }

    /// Bytes that writing a frame's volume takes, besides the frame.
    pub fn writing_volume(&self, at: &Counts) -> u64 {
        VOLUME_BYTES + at.triangles as u64 * VOLUME_TRIANGLE + at.smoke_cells as u64 * VOLUME_SMOKE_CELL
    }

    /// The most that the process holds with a state and a frame of these counts.
    pub fn peak(&self, at: &Counts) -> Peak {
        let between = self.between(at);
        let with_frame = between + Self::frame(at);
        let mut parts = vec![
            Peak { during: "taking a step", bytes: self.step(at) },
            Peak { during: "making a frame", bytes: between + self.making_frame(at) },
        ];
        if self.scene.output.volume {
            let bytes = with_frame + self.writing_volume(at);
            parts.push(Peak { during: "writing a volume", bytes });
        }
        if let Some(painter) = &self.painter {
            parts.push(Peak { during: "drawing a picture", bytes: with_frame + painter.bytes(at) });
        }
        // There is always a step.
        parts
            .into_iter()
            .max_by_key(|part| part.bytes)
            .unwrap_or(Peak { during: "taking a step", bytes: between })
    }
}
