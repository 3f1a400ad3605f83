//! The figures of a case.

use crate::text::{bytes, count, percent};
use octide_core::contract::StepReport;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// What was found in all steps of a case.
#[derive(Default)]
pub struct BenchResult {
    case: String,
    resolution: u32,
    threads: usize,
    steps: u64,
    sum_cells: u64,
    sum_liquid: u64,
    cells_last: usize,
    cells_max: usize,
    drift_last: f64,
    drift_max: f64,
    /// Wall seconds of each stage, in the order in which stages came.
    stages: Vec<(&'static str, f64)>,
    /// Wall seconds until the first step.
    pub init_seconds: f64,
    /// CPU seconds of all steps.
    pub cpu_seconds: f64,
    /// Wall seconds of all steps.
    pub wall_seconds: f64,
    /// Bytes; 0 where the system does not tell.
    pub peak_memory: u64,
}

impl BenchResult {
    /// Nothing found yet.
    pub fn new(case: &str, resolution: u32) -> Self {
        let threads = rayon::current_num_threads();
        Self { case: case.to_owned(), resolution, threads, ..Self::default() }
    }

    /// Counts a step in.
    pub fn add(&mut self, report: &StepReport) {
        self.steps += 1;
        self.sum_cells += report.cells as u64;
        self.sum_liquid += report.liquid_cells as u64;
        self.cells_last = report.cells;
        self.cells_max = self.cells_max.max(report.cells);
        self.drift_last = report.volume_drift;
        self.drift_max = self.drift_max.max(report.volume_drift.abs());
        for &(stage, seconds) in &report.stages {
            match self.stages.iter_mut().find(|(name, _)| *name == stage) {
                Some((_, sum)) => *sum += seconds,
                None => self.stages.push((stage, seconds)),
            }
        }
    }

    /// CPU microseconds for a cell in a step.
    fn cost(&self) -> f64 {
        self.cpu_seconds * 1e6 / self.sum_cells.max(1) as f64
    }

    fn mean(&self, sum: u64) -> f64 {
        sum as f64 / self.steps.max(1) as f64
    }

    /// As an object for programs.
    pub fn json(&self) -> Value {
        let stages: Map<String, Value> =
            self.stages.iter().map(|(n, s)| ((*n).to_owned(), json!(s))).collect();
        json!({
            "case": self.case,
            "resolution": self.resolution,
            "threads": self.threads,
            "steps": self.steps,
            "cells": self.mean(self.sum_cells),
            "cells_last": self.cells_last,
            "cells_max": self.cells_max,
            "liquid_cells": self.mean(self.sum_liquid),
            "init_seconds": self.init_seconds,
            "cpu_seconds": self.cpu_seconds,
            "wall_seconds": self.wall_seconds,
            "cpu_us_per_cell_step": self.cost(),
            "stages": stages,
            "peak_memory_bytes": self.peak_memory,
            "volume_drift": self.drift_last,
            "volume_drift_max": self.drift_max,
        })
    }

    /// As a table for people.
    pub fn table(&self) -> String {
        let mut out = String::new();
        let mut row = |name: &str, value: String| {
            // Writing into a string cannot fail.
            let _ = writeln!(out, "  {name:<16} {value}");
        };
        let mean_cells = count(self.mean(self.sum_cells).round() as usize);
        let mean_liquid = count(self.mean(self.sum_liquid).round() as usize);
        row("steps", self.steps.to_string());
        let (last, max) = (count(self.cells_last), count(self.cells_max));
        row("cells", format!("{mean_cells} mean · {last} last · {max} most · {mean_liquid} liquid mean"));
        row("CPU", format!("{:.2} s · {:.2} µs a cell a step", self.cpu_seconds, self.cost()));
        let a_step = self.wall_seconds / self.steps.max(1) as f64;
        row("wall", format!("{:.2} s · {a_step:.3} s a step", self.wall_seconds));
        row("start", format!("{:.2} s", self.init_seconds));
        row("memory, most", bytes(self.peak_memory));
        row(
            "volume drift",
            format!("{} last · {:.2} % most", percent(self.drift_last), 100.0 * self.drift_max),
        );
        let total: f64 = self.stages.iter().map(|(_, s)| s).sum();
        for (stage, s) in &self.stages {
            let share = 100.0 * s / total.max(f64::MIN_POSITIVE);
            let each = s * 1e6 / self.sum_cells.max(1) as f64;
            row(stage, format!("{s:7.3} s  {share:4.1} %  {each:6.3} µs a cell a step (wall)"));
        }
        format!("{} at {}, {} threads\n{out}", self.case, self.resolution, self.threads)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cost_is_cpu_time_over_all_cells_of_all_steps() {
        let mut result = BenchResult::new("x", 64);
        for (cells, drift) in [(100, -0.5), (300, 0.25)] {
            let stages = vec![("a", 1.0), ("b", 2.0), ("a", 1.0)];
            result.add(&StepReport { cells, volume_drift: drift, stages, ..StepReport::default() });
        }
        result.cpu_seconds = 8e-3;
        let v = result.json();
        assert_eq!(v["cpu_us_per_cell_step"], 20.0);
        assert_eq!(
            (&v["cells"], &v["cells_last"], &v["cells_max"]),
            (&json!(200.0), &json!(300), &json!(300))
        );
        assert_eq!((&v["volume_drift"], &v["volume_drift_max"]), (&json!(0.25), &json!(0.5)));
        assert_eq!(v["stages"], json!({ "a": 4.0, "b": 4.0 }));
        assert!(result.table().contains("20.00 µs"));
    }
}
