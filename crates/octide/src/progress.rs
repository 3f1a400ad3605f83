//! Progress of a run: a bar on a terminal, one line per frame elsewhere, JSON objects for programs. The log
//! gets the lines, too.

pub mod json;
mod time_left;

use crate::args::{ProgressArg, RunArgs};
use crate::errors::Failure;
use crate::log::Log;
use crate::stage_notice::StageNotice;
use crate::text::{bytes, count, duration, percent, print_json, print_line, print_to_stderr};
use indicatif::{ProgressBar, ProgressStyle};
use octide_core::contract::StepReport;
use octide_core::scene::Scene;
use octide_io::{printable, printable_lines};
use std::io::IsTerminal;
use std::path::Path;
use std::time::{Duration, Instant};
use time_left::TimeLeft;

/// How progress is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProgressFormat {
    /// Only errors are printed.
    Quiet,
    /// A bar on a terminal.
    Bar {
        /// Whether each step gets a line, too.
        verbose: bool,
    },
    /// One line per frame.
    Lines {
        /// Whether each step gets a line, too.
        verbose: bool,
    },
    /// JSON objects on standard output, for programs.
    Json,
}

impl ProgressFormat {
    /// The format that the arguments ask for; by default it depends on whether standard error is a terminal.
    pub fn of(args: &RunArgs) -> Self {
        let verbose = args.verbose;
        match args.progress {
            ProgressArg::Json => Self::Json,
            _ if args.quiet => Self::Quiet,
            ProgressArg::Auto if is_stderr_a_terminal() => Self::Bar { verbose },
            _ => Self::Lines { verbose },
        }
    }
}

#[allow(clippy::disallowed_methods, reason = "nothing is printed")]
fn is_stderr_a_terminal() -> bool {
    std::io::stderr().is_terminal()
}

/// Shows the progress of a run.
pub struct Progress {
    bar: Option<ProgressBar>,
    how: ProgressFormat,
    log: Log,
    n_frames: u32,
    n_steps: u64,
    start: Instant,
    /// When the previous step ended.
    last_step: Instant,
    left: TimeLeft,
    last: Instant,
    /// The number of steps since the last frame.
    steps_since_frame: u64,
}

impl Progress {
    /// Starts to show the run of a scene.
    pub fn new(scene: &Scene, how: ProgressFormat, log: Log) -> Self {
        let n_frames = scene.time.frames;
        let bar = matches!(how, ProgressFormat::Bar { .. }).then(|| {
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
            left: TimeLeft::new(scene),
            last: now,
            steps_since_frame: 0,
        }
    }

    /// Prints what is run and where it is written.
    pub fn begin(&mut self, scene: &Scene, root: &Path, max_memory: u64) -> Result<(), Failure> {
        let line = format!(
            "{}: {} frames at {}/s, resolution {}, into {}",
            printable(&scene.name),
            scene.time.frames,
            scene.time.fps,
            scene.domain.resolution,
            printable(&root)
        );
        if self.how == ProgressFormat::Json {
            print_json(&json::begin(scene, root, max_memory));
            return self.log.line(&line);
        }
        self.note(&line)
    }

    /// Names a stage of the start if it takes long: on the bar at once, else in lines after a while.
    pub fn notice(&self, what: &'static str) -> Option<StageNotice> {
        match &self.bar {
            Some(bar) => {
                bar.set_message(what);
                None
            }
            None => Some(StageNotice::new(what, self.how)),
        }
    }

    /// Prints a line between the progress output.
    pub fn note(&mut self, line: &str) -> Result<(), Failure> {
        match &self.bar {
            Some(bar) => bar.println(printable_lines(line)),
            None if self.how == ProgressFormat::Json => print_json(&json::note(line)),
            None => self.print(line),
        }
        self.log.line(line)
    }

    /// Shows a step on the way to a frame, after which the process uses `memory` bytes.
    pub fn step(
        &mut self,
        frame: u32,
        step: u64,
        time: f64,
        report: &StepReport,
        memory: u64,
    ) -> Result<(), Failure> {
        self.n_steps = step;
        self.steps_since_frame += 1;
        let took = self.last_step.elapsed().as_secs_f64();
        self.last_step = Instant::now();
        match self.how {
            ProgressFormat::Json => {
                print_json(&json::step([frame, self.n_frames], step, time, report, took, memory))
            }
            ProgressFormat::Bar { verbose: true } | ProgressFormat::Lines { verbose: true } => {
                let (dt, n, residual) = (report.dt, report.solver_iterations, report.solver_residual);
                self.note(&format!(
                    "step {step} to frame {frame} · {time:.6} s · dt {dt:.2e} s · {} · {n} iterations to {residual:.1e} · \
                     memory {} · took {}",
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

    /// Shows that a frame was written.
    pub fn frame(&mut self, frame: u32, time: f64, step: u64, report: &StepReport) -> Result<(), Failure> {
        let took = self.last.elapsed().as_secs_f64();
        self.last = Instant::now();
        self.last_step = self.last;
        self.left.record(frame, took, std::mem::take(&mut self.steps_since_frame), report);
        if let Some(bar) = &self.bar {
            bar.set_position(u64::from(frame));
        }
        if self.how == ProgressFormat::Json {
            let left = self.left.after(frame);
            print_json(&json::frame([frame, self.n_frames], step, time, report, took, left));
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

    /// Removes the bar.
    pub fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    /// Prints the final line to standard output.
    pub fn end(&mut self, line: &str) -> Result<(), Failure> {
        self.clear();
        match self.how {
            ProgressFormat::Quiet => {}
            ProgressFormat::Json => {
                print_json(&json::end(self.n_frames, self.n_steps, self.start.elapsed().as_secs_f64(), line))
            }
            _ => print_line(line),
        }
        self.log.line(line)
    }

    /// Writes a line to the log only.
    pub fn log(&mut self, line: &str) -> Result<(), Failure> {
        self.log.line(line)
    }

    fn print(&self, line: &str) {
        if !matches!(self.how, ProgressFormat::Quiet | ProgressFormat::Json) {
            print_to_stderr(line);
        }
    }

    fn left_text(&self) -> String {
        self.bar.as_ref().map_or(String::new(), |bar| self.left_text_after(bar.position() as u32))
    }

    fn left_text_after(&self, frame: u32) -> String {
        match self.left.after(frame) {
            Some(left) if left.likely > 0.0 => format!(" · {}", left.text()),
            _ => String::new(),
        }
    }
}

/// The number of cells, and the drift of the volume or the amount of smoke.
fn figures(report: &StepReport) -> String {
    let cells = count(report.cells);
    match report.smoke {
        Some(smoke) => {
            format!("{cells} cells · smoke {:.4} m³, up to {:.1} m/s", smoke.amount, report.max_speed)
        }
        None => format!("{cells} cells · volume {}", percent(report.volume_drift)),
    }
}
