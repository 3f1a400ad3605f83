//! How far a run is: a bar on a terminal, a line a frame elsewhere, and the same lines in the log.

use crate::errors::Failure;
use crate::log::Log;
use crate::text::{count, duration, percent, say};
use indicatif::{ProgressBar, ProgressStyle};
use octide_core::contract::StepReport;
use std::collections::VecDeque;
use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

/// The time left is told by this many frames before: water gets slower to simulate as it breaks up.
const RECENT: usize = 5;

/// Tells how far a run is.
pub struct Progress {
    bar: Option<ProgressBar>,
    quiet: bool,
    log: Log,
    n_frames: u32,
    recent: VecDeque<f64>,
    last: Instant,
}

impl Progress {
    /// Begins to tell of a run with `n_frames` after frame 0.
    pub fn new(n_frames: u32, quiet: bool, log: Log) -> Self {
        let bar = (!quiet && stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new(u64::from(n_frames));
            let style = ProgressStyle::with_template("{bar:24} {pos}/{len} {wide_msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        Self { bar, quiet, log, n_frames, recent: VecDeque::new(), last: Instant::now() }
    }

    /// Tells a line on the side.
    pub fn note(&mut self, line: &str) -> Result<(), Failure> {
        match &self.bar {
            Some(bar) => bar.println(line),
            None => self.print(line),
        }
        self.log.line(line)
    }

    /// A step was taken on the way to a frame.
    pub fn step(&self, step: u64, report: &StepReport) {
        if let Some(bar) = &self.bar {
            bar.set_message(format!("step {step} · {}{}", figures(report), self.left_text()));
        }
    }

    /// A frame is written.
    pub fn frame(&mut self, frame: u32, time: f64, step: u64, report: &StepReport) -> Result<(), Failure> {
        let took = self.last.elapsed().as_secs_f64();
        self.last = Instant::now();
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
        if !self.quiet {
            say(line);
        }
        self.log.line(line)
    }

    /// A line that only the log gets: the user is told by other means.
    pub fn log(&mut self, line: &str) -> Result<(), Failure> {
        self.log.line(line)
    }

    fn print(&self, line: &str) {
        if !self.quiet {
            let _ = writeln!(stderr(), "{line}");
        }
    }

    fn left_text(&self) -> String {
        self.bar.as_ref().map_or(String::new(), |bar| self.left_text_after(bar.position() as u32))
    }

    fn left_text_after(&self, frame: u32) -> String {
        let n = self.n_frames.saturating_sub(frame);
        if self.recent.is_empty() || n == 0 {
            return String::new();
        }
        let mean = self.recent.iter().sum::<f64>() / self.recent.len() as f64;
        format!(" · about {} left", duration(mean * f64::from(n)))
    }
}

fn figures(report: &StepReport) -> String {
    format!("{} cells · volume {}", count(report.cells), percent(report.volume_drift))
}
