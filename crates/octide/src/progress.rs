//! How far a run is: a bar on a terminal, a line a frame elsewhere, objects for programs, and the same lines
//! in the log.

pub mod json;

use crate::args::{ProgressArg, RunArgs};
use crate::errors::Failure;
use crate::log::Log;
use crate::text::{bytes, count, duration, percent, say};
use indicatif::{ProgressBar, ProgressStyle};
use octide_core::contract::StepReport;
use octide_core::scene::Scene;
use std::collections::VecDeque;
use std::io::{IsTerminal, Write, stderr};
use std::path::Path;
use std::time::{Duration, Instant};

/// The time left is told by this many frames before: water gets slower to simulate as it breaks up.
const RECENT: usize = 5;

/// How it is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// Only errors.
    Quiet,
    /// A bar on a terminal.
    Bar {
        /// Whether steps have lines of their own.
        verbose: bool,
    },
    /// A line a frame.
    Lines {
        /// Whether steps have lines of their own.
        verbose: bool,
    },
    /// Objects for programs, on standard output.
    Json,
}

impl How {
    /// As the user asks for, and as suits where standard error leads.
    pub fn of(args: &RunArgs) -> Self {
        let verbose = args.verbose;
        match args.progress {
            ProgressArg::Json => Self::Json,
            _ if args.quiet => Self::Quiet,
            ProgressArg::Auto if stderr().is_terminal() => Self::Bar { verbose },
            _ => Self::Lines { verbose },
        }
    }
}

/// Tells how far a run is.
pub struct Progress {
    bar: Option<ProgressBar>,
    how: How,
    log: Log,
    n_frames: u32,
    n_steps: u64,
    start: Instant,
    /// When the step before ended.
    last_step: Instant,
    recent: VecDeque<f64>,
    last: Instant,
}

impl Progress {
    /// Begins to tell of a run with `n_frames` after frame 0.
    pub fn new(n_frames: u32, how: How, log: Log) -> Self {
        let bar = matches!(how, How::Bar { .. }).then(|| {
            let bar = ProgressBar::new(u64::from(n_frames));
            let style = ProgressStyle::with_template("{bar:24} {pos}/{len} {wide_msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        let now = Instant::now();
        Self {
            bar,
            how,
            log,
            n_frames,
            n_steps: 0,
            start: now,
            last_step: now,
            recent: VecDeque::new(),
            last: now,
        }
    }

    /// The first words: what is run, and where to.
    pub fn begin(&mut self, scene: &Scene, root: &Path, max_memory: u64) -> Result<(), Failure> {
        let line = format!(
            "{}: {} frames at {}/s, resolution {}, into {}",
            scene.name,
            scene.time.frames,
            scene.time.fps,
            scene.domain.resolution,
            root.display()
        );
        if self.how == How::Json {
            say(&json::begin(scene, root, max_memory));
            return self.log.line(&line);
        }
        self.note(&line)
    }

    /// Tells a line on the side.
    pub fn note(&mut self, line: &str) -> Result<(), Failure> {
        match &self.bar {
            Some(bar) => bar.println(line),
            None if self.how == How::Json => say(&json::note(line)),
            None => self.print(line),
        }
        self.log.line(line)
    }

    /// A step was taken on the way to a frame, after which `memory` bytes are held.
    pub fn step(
        &mut self,
        frame: u32,
        step: u64,
        time: f64,
        report: &StepReport,
        memory: u64,
    ) -> Result<(), Failure> {
        self.n_steps = step;
        let took = self.last_step.elapsed().as_secs_f64();
        self.last_step = Instant::now();
        match self.how {
            How::Json => say(&json::step([frame, self.n_frames], step, time, report, took, memory)),
            How::Bar { verbose: true } | How::Lines { verbose: true } => {
                let (dt, n, residual) = (report.dt, report.solver_iterations, report.solver_residual);
                self.note(&format!(
                    "step {step} to frame {frame} · {time:.6} s · dt {dt:.2e} s · {} · {n} iterations to {residual:.1e} · \
                     holds {} · took {}",
                    figures(report),
                    bytes(memory),
                    duration(took)
                ))?;
            }
            _ => {}
        }
        if let Some(bar) = &self.bar {
            bar.set_message(format!("step {step} · {}{}", figures(report), self.left_text()));
        }
        Ok(())
    }

    /// A frame is written.
    pub fn frame(&mut self, frame: u32, time: f64, step: u64, report: &StepReport) -> Result<(), Failure> {
        let took = self.last.elapsed().as_secs_f64();
        self.last = Instant::now();
        self.last_step = self.last;
        // Frame 0 is the start, which is not like the others.
        if frame > 0 {
            self.recent.push_back(took);
            if self.recent.len() > RECENT {
                self.recent.pop_front();
            }
        }
        if let Some(bar) = &self.bar {
            bar.set_position(u64::from(frame));
        }
        if self.how == How::Json {
            let left = self.seconds_left(frame);
            say(&json::frame([frame, self.n_frames], step, time, report, took, left));
        }
        let step = if frame == 0 { String::new() } else { format!("step {step} · ") };
        let line = format!(
            "frame {frame}/{} · {time:.4} s · {step}{} · took {}{}",
            self.n_frames,
            figures(report),
            duration(took),
            self.left_text_after(frame)
        );
        if self.bar.is_none() {
            self.print(&line);
        }
        self.log.line(&line)
    }

    /// Takes the bar away.
    pub fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    /// The last words, on standard output.
    pub fn end(&mut self, line: &str) -> Result<(), Failure> {
        self.clear();
        match self.how {
            How::Quiet => {}
            How::Json => {
                say(&json::end(self.n_frames, self.n_steps, self.start.elapsed().as_secs_f64(), line))
            }
            _ => say(line),
        }
        self.log.line(line)
    }

    /// A line that only the log gets: the user is told by other means.
    pub fn log(&mut self, line: &str) -> Result<(), Failure> {
        self.log.line(line)
    }

    fn print(&self, line: &str) {
        if !matches!(self.how, How::Quiet | How::Json) {
            let _ = writeln!(stderr(), "{line}");
        }
    }

    fn left_text(&self) -> String {
        self.bar.as_ref().map_or(String::new(), |bar| self.left_text_after(bar.position() as u32))
    }

    fn left_text_after(&self, frame: u32) -> String {
        match self.seconds_left(frame) {
            Some(left) if left > 0.0 => format!(" · about {} left", duration(left)),
            _ => String::new(),
        }
    }

    /// By the last frames; none before the first of them.
    fn seconds_left(&self, frame: u32) -> Option<f64> {
        let n = self.n_frames.saturating_sub(frame);
        if n == 0 {
            return Some(0.0);
        }
        let mean = self.recent.iter().sum::<f64>() / self.recent.len() as f64;
        (!self.recent.is_empty()).then(|| mean * f64::from(n))
    }
}

/// The size of the tree, and what tells whether all is well: the volume's drift, or how much smoke there is.
fn figures(report: &StepReport) -> String {
    let cells = count(report.cells);
    match report.smoke {
        Some(smoke) => {
            format!("{cells} cells · smoke {:.4} m³, up to {:.1} m/s", smoke.amount, report.max_speed)
        }
        None => format!("{cells} cells · volume {}", percent(report.volume_drift)),
    }
}
