//! Pictures of frames, during a run and after it.

use crate::skins::skin;
use octide_core::contract::{Cells, Frame, Particles, Smoke, Surface};
use octide_core::geometry::{Pose, TriMesh};
use octide_core::scene::{Scene, View};
use octide_render::{
    CellsView, Picture, SmokeView, WaterView, render_cells, render_smoke, render_water, with_spray,
};

/// Rays more for pixels at edges.
const SAMPLES: u32 = 4;

/// Bytes that are held for a pixel while a picture is drawn: a first color with its depth, a smoothed color,
/// three bytes.
const PIXEL: u64 = 16 + 12 + 3;

/// And for a triangle: its corners and normals, the tree to find it by, and what that is built from.
const TRIANGLE: u64 = 400;

/// Triangles of a drop of spray.
const DROP: usize = 20;

/// For a cell of smoke: its corners, its place, and its share of the tree to find it by.
const SMOKE_CELL: u64 = 32 + 16 + 8;

/// For the grid that light is kept on: at most 98³ places, with the smoke that it is made from.
const LIGHT: u64 = (12 + 4) * 98 * 98 * 98;

/// Draws the frames of a scene.
pub struct Painter<'a> {
    scene: &'a Scene,
    /// The solids where they stand at rest.
    skins: Vec<TriMesh>,
    view: View,
    size: [u32; 2],
}

impl<'a> Painter<'a> {
    /// Makes ready to draw.
    pub fn new(scene: &'a Scene, view: View, size: [u32; 2]) -> Self {
        let skins = match view {
            View::Water | View::Smoke => scene.solids.iter().map(|s| skin(&s.shape, &scene.domain)).collect(),
            View::Cells => Vec::new(),
        };
        Self { scene, skins, view, size }
    }

    /// What a frame's picture is called, and about how many bytes drawing it takes.
    pub fn needs(&self, frame: &Frame) -> (String, u64) {
        let [width, height] = self.size;
        let is_spray = |kind: &&u8| **kind == Particles::SPRAY;
        let (triangles, smoke) = match self.view {
            View::Water => {
                let drops = frame.particles.kinds.iter().filter(is_spray).count();
                (frame.surface.mesh.triangles.len() + DROP * drops, 0)
            }
            View::Smoke => (0, frame.smoke.as_ref().map_or(0, |s| LIGHT + SMOKE_CELL * s.cells.len() as u64)),
            View::Cells => (0, 0),
        };
        let triangles = triangles + self.skins.iter().map(|s| s.triangles.len()).sum::<usize>();
        let bytes = PIXEL * u64::from(width) * u64::from(height) + TRIANGLE * triangles as u64 + smoke;
        (format!("a picture of {width} × {height}"), bytes)
    }

    /// A frame, in the view that was chosen.
    pub fn frame(&self, frame: &Frame) -> Picture {
        match self.view {
            View::Water => self.water(&frame.surface, &frame.particles, frame.time),
            View::Smoke => self.smoke(frame.smoke.as_ref(), frame.time),
            View::Cells => self.cells(&frame.cells),
        }
    }

    /// The solids as they stand at a time.
    fn solids(&self, time: f64) -> Vec<(&TriMesh, Pose)> {
        let poses = self.scene.solids.iter().map(|s| s.motion.pose(time));
        self.skins.iter().zip(poses).collect()
    }

    /// Smoke, where there is some, and solids.
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

    /// Water with its spray, and solids.
    pub fn water(&self, surface: &Surface, particles: &Particles, time: f64) -> Picture {
        let [width, height] = self.size;
        render_water(&WaterView {
            surface: &with_spray(surface, particles),
            solids: &self.solids(time),
            domain: &self.scene.domain,
            camera: self.scene.camera.as_ref(),
            width,
            height,
            samples: SAMPLES,
        })
    }

    /// The grid's cells.
    pub fn cells(&self, cells: &Cells) -> Picture {
        let [width, height] = self.size;
        render_cells(&CellsView { cells, domain: &self.scene.domain, width, height })
    }
}
