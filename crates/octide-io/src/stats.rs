//! `stats.jsonl`: a header line with format, version and units, then one object for each step.

use crate::error::DiskError;
use octide_core::contract::StepReport;
use serde_json::{Map, Value, json};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The open statistics of a run. Each line is handed to the system at once, so that others can follow along.
#[derive(Debug)]
pub struct StatsWriter {
    file: File,
    path: PathBuf,
}

impl StatsWriter {
    /// Starts the file anew, with the header line.
    pub fn create(path: &Path) -> Result<Self, DiskError> {
        let file = File::create(path).map_err(|e| DiskError::new("write", path, e))?;
        let mut stats = Self { file, path: path.to_owned() };
        stats.line(&header())?;
        Ok(stats)
    }

    /// Goes on behind the lines that are there, as a resumed run does; starts anew where there is no file.
    pub fn append(path: &Path) -> Result<Self, DiskError> {
        if !path.is_file() {
            return Self::create(path);
        }
        let file =
            OpenOptions::new().append(true).open(path).map_err(|e| DiskError::new("write", path, e))?;
        Ok(Self { file, path: path.to_owned() })
    }

    /// Writes what a step did. `frame` is the frame that the step leads to, `time` the time after it.
    pub fn step(
        &mut self,
        frame: u32,
        step: u64,
        time: f64,
        report: &StepReport,
        memory_bytes: u64,
    ) -> Result<(), DiskError> {
        self.line(&record(frame, step, time, report, memory_bytes))
    }

    fn line(&mut self, value: &Value) -> Result<(), DiskError> {
        // One write a line: a reader never sees half of one.
        let text = format!("{value}\n");
        self.file.write_all(text.as_bytes()).map_err(|e| DiskError::new("write", &self.path, e))
    }
}

fn header() -> Value {
    json!({
        "format": "octide-stats",
        "version": 1,
        "octide": env!("CARGO_PKG_VERSION"),
        "units": {
            "time": "s",
            "dt": "s",
            "volume": "m^3",
            "volume_drift": "relative",
            "volume_correction": "relative",
            "kinetic_energy": "J",
            "max_speed": "m/s",
            "max_divergence": "1/s",
            "solver.residual": "relative",
            "seconds": "s",
            "memory_bytes": "byte",
        },
    })
}

fn record(frame: u32, step: u64, time: f64, r: &StepReport, memory_bytes: u64) -> Value {
    let mut seconds = Map::new();
    for (stage, s) in &r.stages {
        // A stage that runs twice in a step has the sum of both.
        let before = seconds.get(*stage).and_then(Value::as_f64).unwrap_or(0.0);
        seconds.insert((*stage).to_owned(), json!(before + s));
    }
    json!({
        "frame": frame,
        "step": step,
        "time": time,
        "dt": r.dt,
        "cells": r.cells,
        "liquid_cells": r.liquid_cells,
        "surface_cells": r.surface_cells,
        "surface_cells_coarse": r.surface_cells_coarse,
        "cut_t_faces": r.cut_t_faces,
        "degenerate_t_faces": r.degenerate_t_faces,
        "faces": r.faces,
        "particles": r.particles,
        "volume": r.volume,
        "volume_drift": r.volume_drift,
        "volume_correction": r.volume_correction,
        "kinetic_energy": r.kinetic_energy,
        "max_speed": r.max_speed,
        "max_divergence": r.max_divergence,
        "solver": { "iterations": r.solver_iterations, "residual": r.solver_residual },
        "seconds": seconds,
        "memory_bytes": memory_bytes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: [&str; 21] = [
        "cells",
        "cut_t_faces",
        "degenerate_t_faces",
        "dt",
        "faces",
        "frame",
        "kinetic_energy",
        "liquid_cells",
        "max_divergence",
        "max_speed",
        "memory_bytes",
        "particles",
        "seconds",
        "solver",
        "step",
        "surface_cells",
        "surface_cells_coarse",
        "time",
        "volume",
        "volume_correction",
        "volume_drift",
    ];

    #[test]
    fn lines_are_a_header_and_then_steps_with_exactly_the_promised_keys() {
        let path = crate::test_dir("stats").join("stats.jsonl");
        let report = StepReport {
            dt: 0.01,
            stages: vec![("a", 1.0), ("b", 2.0), ("a", 0.5)],
            ..StepReport::default()
        };
        let mut stats = StatsWriter::create(&path).unwrap();
        stats.step(1, 7, 0.25, &report, 1234).unwrap();
        drop(stats);
        let mut stats = StatsWriter::append(&path).unwrap();
        stats.step(2, 8, 0.5, &report, 1234).unwrap();

        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0]["format"], "octide-stats");
        let mut keys: Vec<&str> = lines[1].as_object().unwrap().keys().map(String::as_str).collect();
        keys.sort_unstable();
        assert_eq!(keys, KEYS);
        assert_eq!((&lines[1]["step"], &lines[1]["seconds"]["a"]), (&json!(7), &json!(1.5)));
        assert_eq!((&lines[2]["frame"], &lines[2]["memory_bytes"]), (&json!(2), &json!(1234)));
    }

    #[test]
    fn numbers_that_are_none_do_not_break_a_line() {
        let report = StepReport { volume: f64::NAN, ..StepReport::default() };
        let text = record(0, 0, 0.0, &report, 0).to_string();
        assert!(serde_json::from_str::<Value>(&text).unwrap()["volume"].is_null());
    }
}
