//! Pictures of frames, during a run and after it.

use crate::counts::Counts;
use octide_core::contract::{Cells, Frame, Particles, Smoke, Surface};
use octide_core::geometry::{MeshSequence, Pose, Shape, TriMesh};
use octide_core::scene::{Scene, View};
use octide_render::{
    CellsView, Picture, SmokeView, SolidDetail, WaterView, render_cells, render_smoke, render_water,
    solid_details, solid_mesh,
};
use std::borrow::Cow;

/// Extra rays for pixels at edges.
const SAMPLES: u32 = 4;

/// Bytes per pixel while a picture is drawn: a first color with its depth, a smoothed color, three bytes.
const BYTES_PER_PIXEL: u64 = 16 + 12 + 3;

/// Bytes of every picture of water or smoke: the maps of light on the floor.
const FLOOR_BYTES: u64 = 1_500_000;

/// Bytes per triangle: positions, normals, the hierarchy of boxes, and what that is built from.
const BYTES_PER_TRIANGLE: u64 = 120;

/// Bytes per triangle of a solid: normals at its corners come on top.
const BYTES_PER_SOLID_TRIANGLE: u64 = 200;

/// Bytes per drop of spray: a sphere, the hierarchy of boxes, and what that is built from.
const BYTES_PER_DROP: u64 = 70;

/// Bytes per cell of smoke: corners, position, and its share of the search tree.
const BYTES_PER_SMOKE_CELL: u64 = 32 + 16 + 8;

/// Bytes of the grid of light in smoke: at most 98³ cells, with the smoke that it is computed from, and the
/// depth and the light toward the sky.
const LIGHT_BYTES: u64 = (12 + 4 + 4 + 4) * 98 * 98 * 98;

/// Draws the frames of a scene.
pub struct Painter<'a> {
    scene: &'a Scene,
    /// Meshes of the solids in their rest pose; of deforming ones, the first.
    meshes: Vec<TriMesh>,
    details: Vec<SolidDetail>,
    view: View,
    size: [u32; 2],
}

impl<'a> Painter<'a> {
    /// Prepares to draw a scene.
    pub fn new(scene: &'a Scene, view: View, size: [u32; 2]) -> Self {
        let shapes: Vec<&Shape> = match view {
            View::Water | View::Smoke => scene.solids.iter().map(|s| &s.shape).collect(),
            View::Cells => Vec::new(),
        };
        let details = solid_details(&shapes, &scene.domain);
        let mesh = |(shape, detail): (&&Shape, _)| solid_mesh(shape, &scene.domain, detail);
        let meshes = shapes.iter().zip(details.iter().copied()).map(mesh).collect();
        Self { scene, meshes, details, view, size }
    }

    /// Returns about how many bytes drawing a frame takes, besides the frame and the solids' meshes.
    pub fn bytes(&self, frame: &Counts) -> u64 {
        let [width, height] = self.size.map(u64::from);
        let solids = BYTES_PER_SOLID_TRIANGLE * self.solid_triangles() as u64;
        let content = match self.view {
            View::Water => {
                let Counts { triangles, drops, .. } = *frame;
                FLOOR_BYTES + solids + BYTES_PER_TRIANGLE * triangles as u64 + BYTES_PER_DROP * drops as u64
            }
            View::Smoke if frame.smoke_cells == 0 => FLOOR_BYTES + solids,
            View::Smoke => {
                FLOOR_BYTES + solids + LIGHT_BYTES + BYTES_PER_SMOKE_CELL * frame.smoke_cells as u64
            }
            View::Cells => 0,
        };
        BYTES_PER_PIXEL * width * height + content
    }

    /// Number of triangles of all solids.
    fn solid_triangles(&self) -> usize {
        // A shell has two sides, and between two files with other triangles it has those of both.
        let most = |s: &MeshSequence| 4 * s.facts().iter().map(|f| f.n_triangles).max().unwrap_or(0);
        let of_sequences = self.scene.solids.iter().map(|s| s.sequence.as_ref().map_or(0, |s| most(s)));
        self.meshes.iter().zip(of_sequences).map(|(s, most)| s.triangles.len().max(most)).sum()
    }

    /// What a picture is called in messages.
    pub fn picture_name(&self) -> String {
        let [width, height] = self.size;
        format!("a picture of {width} × {height}")
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
    fn solids(&self, time: f64) -> Vec<(Cow<'_, TriMesh>, Pose)> {
        let each = self.scene.solids.iter().zip(self.meshes.iter().zip(&self.details));
        each.map(|(solid, (mesh, detail))| {
            let mesh = match &solid.sequence {
                Some(sequence) => {
                    let deformed = sequence.at(time, None);
                    Cow::Owned(solid_mesh(deformed.shape(), &self.scene.domain, *detail))
                }
                None => Cow::Borrowed(mesh),
            };
            (mesh, solid.motion.pose(time))
        })
        .collect()
    }

    /// Draws smoke and solids.
    pub fn smoke(&self, smoke: Option<&Smoke>, time: f64) -> Picture {
        let [width, height] = self.size;
        let solids = self.solids(time);
        render_smoke(&SmokeView {
            smoke,
            solids: &borrowed(&solids),
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
        let solids = self.solids(time);
        render_water(&WaterView {
            surface,
            particles: Some(particles),
            solids: &borrowed(&solids),
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

/// Returns meshes with their poses as the renderer takes them.
fn borrowed<'a>(solids: &'a [(Cow<'_, TriMesh>, Pose)]) -> Vec<(&'a TriMesh, Pose)> {
    solids.iter().map(|(mesh, pose)| (mesh.as_ref(), *pose)).collect()
}
