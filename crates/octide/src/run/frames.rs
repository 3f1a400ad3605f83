//! The files of frames: surfaces, cells, volumes, particles and pictures.

use super::Run;
use crate::counts::Counts;
use crate::errors::Failure;
use crate::frame_files::FrameOutput;
use crate::memory;
use crate::painter::Painter;
use crate::render_cmd;
use crate::run_memory::RunMemory;
use octide_core::contract::{Frame, StepReport};
use octide_core::particles::show_spray;
use octide_core::scene::{Output, Spray, View};
use octide_io::frames::FrameVolumes;
use octide_io::ply::{write_cells, write_particles, write_surface};
use octide_io::vdb::{write_smoke, write_volume};
use octide_methods::Simulation;
use octide_render::animate;
use std::path::PathBuf;

/// Returns what a frame shows of the liquid, in the files that the run writes.
fn volumes_to_show(frame: &Frame, k: u32, output: &Output) -> FrameVolumes {
    let (n_drops, drops) = match output.spray {
        Spray::None => (0, 0.0),
        Spray::Particles if !output.particles => (0, 0.0),
        Spray::Particles | Spray::Surface => frame.particles.spray(),
    };
    let (mesh, in_walls) = (frame.surface.mesh.volume(), frame.in_walls);
    FrameVolumes { frame: k, time: frame.time, liquid: frame.volume, mesh, in_walls, drops, n_drops }
}

impl Run<'_> {
    /// Writes a frame.
    pub(super) fn frame(
        &mut self,
        k: u32,
        simulation: &Simulation,
        report: &StepReport,
        run_memory: &RunMemory,
    ) -> Result<(), Failure> {
        self.check_folder()?;
        let time = self.time(k);
        let counts = Counts::of_step(report);
        self.stop.allow("a frame", run_memory.making_frame(&counts), "use a lower --resolution")?;
        let mut frame = simulation.frame();
        frame.time = time;
        let volumes = volumes_to_show(&frame, k, &self.scene.output);
        show_spray(&mut frame, self.scene.output.spray);
        let counts = counts.with_frame(&frame);
        if k == 0 {
            self.stats.step(0, 0, time, report, memory::resident().unwrap_or(0))?;
            self.read_probes(time, simulation)?;
        }
        let up = self.scene.output.up;
        // Smoke has no surface.
        if !self.scene.is_smoke() {
            let surface = self.dir.surface_file(k);
            self.dir.prepare(&surface)?;
            write_surface(&surface, &frame.surface, time, up)?;
            self.checkpoints.record_file(&self.dir, FrameOutput::Surface, k)?;
        }
        if self.scene.output.cells {
            let cells = self.dir.cells_file(k);
            self.dir.prepare(&cells)?;
            write_cells(&cells, &frame.cells, time, up)?;
            self.checkpoints.record_file(&self.dir, FrameOutput::Cells, k)?;
        }
        if self.scene.output.volume {
            self.stop.allow(
                "a volume",
                run_memory.writing_volume(&counts),
                "use --set output.volume=false",
            )?;
            let volume = self.dir.volume_file(k);
            self.dir.prepare(&volume)?;
            match &frame.smoke {
                Some(smoke) => write_smoke(&volume, smoke, time, up)?,
                None => {
                    write_volume(&volume, simulation.method().view().as_ref(), &self.scene.domain, time, up)?
                }
            }
            self.checkpoints.record_file(&self.dir, FrameOutput::Volume, k)?;
        }
        // Once a frame has had particles, every later frame gets a file, even an empty one.
        self.at.has_particles |= !frame.particles.is_empty();
        if self.scene.output.particles && self.at.has_particles {
            let particles = self.dir.particles_file(k);
            self.dir.prepare(&particles)?;
            write_particles(&particles, &frame.particles, time, up)?;
            self.checkpoints.record_file(&self.dir, FrameOutput::Particles, k)?;
        }
        if let Some(painter) = run_memory.painter() {
            let remedy = "use --no-pictures or a smaller output.preview_size";
            self.stop.allow(&painter.picture_name(), painter.bytes(&counts), remedy)?;
            let picture = self.dir.preview_file(k);
            self.dir.prepare(&picture)?;
            let drawn = painter.frame(&frame);
            // From the first picture on, a run that is interrupted keeps its state.
            self.stop.keep_steps();
            drawn.write(&picture)?;
            self.checkpoints.record_file(&self.dir, FrameOutput::Picture, k)?;
        }
        if let Some(frames) = &mut self.frames {
            frames.frame(&volumes)?;
        }
        // A checkpoint needs memory of its own.
        drop(frame);
        (self.at.next_frame, self.at.arrived) = (k + 1, false);
        self.progress.frame(k, time, self.at.n_steps, report)?;
        if k > 0 && self.checkpoints.is_due(Some(k)) {
            self.write_checkpoint(simulation)?;
        }
        self.stop.check()
    }

    /// Draws pictures that are missing or damaged again, from the files of their frames.
    pub(super) fn draw_lost_pictures(&mut self, painter: &Painter) -> Result<(), Failure> {
        let lost = std::mem::take(&mut self.lost_pictures);
        if lost.is_empty() {
            return Ok(());
        }
        let n = lost.len();
        let what = if n == 1 { "a picture" } else { "pictures" };
        self.progress.note(&format!("drawing {what} of earlier frames again: {n}"))?;
        let view = self.scene.output.view;
        let source = match view {
            View::Water => FrameOutput::Surface,
            View::Smoke => FrameOutput::Volume,
            View::Cells => FrameOutput::Cells,
        };
        for k in lost {
            let picture = self.dir.preview_file(k);
            self.dir.prepare(&picture)?;
            render_cmd::paint(painter, view, &source.file(&self.dir, k))?.write(&picture)?;
            self.checkpoints.record_file(&self.dir, FrameOutput::Picture, k)?;
            self.stop.check()?;
        }
        Ok(())
    }

    pub(super) fn animate(&self) -> Result<(), Failure> {
        let pictures = self.pictures();
        if pictures.is_empty() {
            return Ok(());
        }
        Ok(animate(&self.dir.animation_file(), &pictures, self.scene.time.fps)?)
    }

    pub(super) fn pictures(&self) -> Vec<PathBuf> {
        self.checkpoints.frames().picture_frames().into_iter().map(|k| self.dir.preview_file(k)).collect()
    }
}
