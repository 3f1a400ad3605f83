//! Progress for programs: one JSON object per line, each with an `event`.
//!
//! `begin`, then for each step a `step` and for each frame a `frame`, notes in between, and finally `end` or
//! `error`. Later versions only add keys. Seconds are wall-clock time, except `time`, which is simulated.

use super::time_left::Estimate;
use crate::errors::Failure;
use crate::memory;
use octide_core::contract::StepReport;
use octide_core::scene::Scene;
use serde_json::json;
use std::path::Path;

/// What is run.
pub fn begin(scene: &Scene, root: &Path, max_memory: u64) -> String {
    json!({
        "event": "begin",
        "octide": env!("CARGO_PKG_VERSION"),
        "scene": scene.name,
        "method": scene.method,
        "resolution": scene.domain.resolution,
        "total": scene.time.frames,
        "fps": scene.time.fps,
        "first_file": scene.output.first_frame,
        "threads": rayon::current_num_threads(),
        "max_memory": max_memory,
        "out": root.to_string_lossy(),
    })
    .to_string()
}

/// A step toward frame `of[0]` of `of[1]`.
pub fn step(of: [u32; 2], step: u64, time: f64, report: &StepReport, seconds: f64, memory: u64) -> String {
    json!({
        "event": "step",
        "step": step,
        "frame": of[0],
        "total": of[1],
        "time": time,
        "dt": report.dt,
        "cells": report.cells,
        "particles": report.particles,
        "seconds": seconds,
        "memory": memory,
    })
    .to_string()
}

/// Frame `of[0]` of `of[1]` is written; `left` are the seconds that are left, if they can be estimated.
pub fn frame(
    of: [u32; 2],
    step: u64,
    time: f64,
    report: &StepReport,
    seconds: f64,
    left: Option<Estimate>,
) -> String {
    json!({
        "event": "frame",
        "frame": of[0],
        "total": of[1],
        "time": time,
        "step": step,
        "cells": report.cells,
        "particles": report.particles,
        "volume_drift": report.volume_drift,
        "smoke": report.smoke.map(|s| s.amount),
        "seconds": seconds,
        "eta": left.map(|l| l.likely),
        "eta_low": left.map(|l| l.low),
        "eta_high": left.map(|l| l.high),
    })
    .to_string()
}

/// A line on the side, such as a warning.
pub fn note(text: &str) -> String {
    json!({ "event": "note", "text": text }).to_string()
}

/// All is done.
pub fn end(frames: u32, steps: u64, seconds: f64, text: &str) -> String {
    json!({
        "event": "end",
        "total": frames,
        "steps": steps,
        "seconds": seconds,
        "peak_memory": memory::peak(),
        "text": text,
        "code": 0,
    })
    .to_string()
}

/// It ended before its end.
pub fn error(failure: &Failure) -> String {
    json!({ "event": "error", "code": failure.code(), "message": failure.message() }).to_string()
}
