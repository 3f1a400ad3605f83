//! Pictures of frames, during a run and after it.

use octide_core::contract::{Cells, Frame, Particles, Smoke, Surface};
use octide_core::geometry::{Pose, TriMesh};
use octide_core::scene::{Scene, View};
use octide_render::{
    CellsView, Picture, SmokeView, WaterView, render_cells, render_smoke, render_water, solid_mesh,
};

/// Extra rays for pixels at edges.
const SAMPLES: u32 = 4;

/// Bytes per pixel while a picture is drawn: a first color with its depth, a smoothed color, three bytes.
const BYTES_PER_PIXEL: u64 = 16 + 12 + 3;

/// Bytes per triangle: corners, normals, the tree of bounding boxes, and what that is built from.
const BYTES_PER_TRIANGLE: u64 = 400;

/// Triangles per spray particle.
const TRIANGLES_PER_DROP: usize = 20;

/// Bytes per cell of smoke: corners, position, and its share of the search tree.
const BYTES_PER_SMOKE_CELL: u64 = 32 + 16 + 8;

/// Bytes of the grid of light in smoke: at most 98³ cells, with the smoke that it is computed from.
const LIGHT_BYTES: u64 = (12 + 4) * 98 * 98 * 98;

/// Draws the frames of a scene.
pub struct Painter<'a> {
    scene: &'a Scene,
    /// Meshes of the solids in their rest pose.
    meshes: Vec<TriMesh>,
    view: View,
    size: [u32; 2],
}

impl<'a> Painter<'a> {
    /// Prepares to draw a scene.
    pub fn new(scene: &'a Scene, view: View, size: [u32; 2]) -> Self {
        let meshes = match view {
            View::Water | View::Smoke => {
                scene.solids.iter().map(|s| solid_mesh(&s.shape, &scene.domain)).collect()
            }
            View::Cells => Vec::new(),
        };
        Self { scene, meshes, view, size }
    }

    /// Returns a description of the picture of a frame, and about how many bytes drawing it takes.
    pub fn needs(&self, frame: &Frame) -> (String, u64) {
        let [width, height] = self.size;
        let is_spray = |kind: &&u8| **kind == Particles::SPRAY;
        let (triangles, smoke) = match self.view {
            View::Water => {
                let drops = frame.particles.kinds.iter().filter(is_spray).count();
                (frame.surface.mesh.triangles.len() + TRIANGLES_PER_DROP * drops, 0)
            }
            View::Smoke => (
                0,
                frame.smoke.as_ref().map_or(0, |s| LIGHT_BYTES + BYTES_PER_SMOKE_CELL * s.cells.len() as u64),
            ),
            View::Cells => (0, 0),
        };
        let triangles = triangles + self.meshes.iter().map(|s| s.triangles.len()).sum::<usize>();
        let bytes = BYTES_PER_PIXEL * u64::from(width) * u64::from(height)
            + BYTES_PER_TRIANGLE * triangles as u64
            + smoke;
        (format!("a picture of {width} × {height}"), bytes)
    }

    /// Draws a frame in the chosen view.
    pub fn frame(&self, frame: &Frame) -> Picture {
        match self.view {
            View::Water => self.water(&frame.surface, &frame.particles, frame.time),
            View::Smoke => self.smoke(frame.smoke.as_ref(), frame.time),
            View::Cells => self.cells(&frame.cells),
        }
    }

    /// The meshes of the solids with their poses at a time.
    fn solids(&self, time: f64) -> Vec<(&TriMesh, Pose)> {
        let poses = self.scene.solids.iter().map(|s| s.motion.pose(time));
        self.meshes.iter().zip(poses).collect()
    }

    /// Draws smoke and solids.
    pub fn smoke(&self, smoke: Option<&Smoke>, time: f64) -> Picture {
        let [width, height] = self.size;
        render_smoke(&SmokeView {
            smoke,
            solids: &self.solids(time),
            domain: &self.scene.domain,
            camera: self.scene.camera.as_ref(),
            width,
            height,
            samples: SAMPLES,
        })
    }

    /// Draws water with its spray, and solids.
    pub fn water(&self, surface: &Surface, particles: &Particles, time: f64) -> Picture {
        let [width, height] = self.size;
        render_water(&WaterView {
            surface,
            particles: Some(particles),
            solids: &self.solids(time),
            domain: &self.scene.domain,
            camera: self.scene.camera.as_ref(),
            width,
            height,
            samples: SAMPLES,
        })
    }

    /// Draws the cells of the grid.
    pub fn cells(&self, cells: &Cells) -> Picture {
        let [width, height] = self.size;
        render_cells(&CellsView { cells, domain: &self.scene.domain, width, height })
    }
}
