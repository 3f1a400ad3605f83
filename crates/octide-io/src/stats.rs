//! `stats.jsonl`: a header line with format, version and units, then one object for each step.
//!
//! Figures that only the run's method reports are in an object of their own, `method`. The header describes them,
//! so it is written together with the first step.

use crate::file_error::DiskError;
use crate::lines::Lines;
use octide_core::contract::{Figure, StepReport};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use std::path::Path;

/// The version of the format. Version 1 had no separate object for the figures of a method.
const VERSION: u32 = 2;

/// All whole numbers below this are exact as `f64`.
const MAX_WHOLE: f64 = 9e15;

/// Writes `stats.jsonl` during a run. Each line is written at once, so that other programs can follow the
/// file.
#[derive(Debug)]
pub struct StatsWriter(Lines);

impl StatsWriter {
    /// Creates the file. The header line is written with the first step.
    pub fn create(path: &Path) -> Result<Self, DiskError> {
        Ok(Self(Lines::create(path)?))
    }

    /// Truncates the file to `length` bytes and appends to it, as a resumed run does.
    pub fn resume(path: &Path, length: u64) -> Result<Self, DiskError> {
        Ok(Self(Lines::cut_back(path, length)?))
    }

    /// Length of the file in bytes.
    pub fn length(&self) -> u64 {
        self.0.length()
    }

    /// Syncs all lines to disk.
    pub fn sync(&self) -> Result<(), DiskError> {
        self.0.sync()
    }

    /// Writes the report of a step. `frame` is the frame that the step leads to, `time` the time after it.
    pub fn step(
        &mut self,
        frame: u32,
        step: u64,
        time: f64,
        report: &StepReport,
        memory_bytes: u64,
    ) -> Result<(), DiskError> {
        if self.length() == 0 {
            self.line(header(&report.figures))?;
        }
        let text = record(frame, step, time, report, memory_bytes);
        self.line(text.map_err(|e| self.0.error(e.into()))?)
    }

    fn line(&mut self, mut text: String) -> Result<(), DiskError> {
        text.push('\n');
        self.0.write(&text)
    }
}

fn header(figures: &[Figure]) -> String {
    let figures = figures.iter().map(|f| {
        let about = json!({ "unit": f.kind.unit, "meaning": f.kind.meaning });
        (f.kind.name.to_owned(), about)
    });
    json!({
        "format": "octide-stats",
        "version": VERSION,
        "octide": env!("CARGO_PKG_VERSION"),
        "units": {
            "time": "s",
            "dt": "s",
            "volume": "m^3",
            "volume_drift": "relative",
            "volume_in": "m^3",
            "volume_out": "m^3",
            "volume_correction": "relative",
            "kinetic_energy": "J",
            "max_speed": "m/s",
            "max_divergence": "1/s",
            "solver.residual": "relative",
            "smoke.amount": "m^3",
            "smoke.heat": "K m^3",
            "smoke.max_density": "1",
            "smoke.max_temperature": "K",
            "seconds": "s",
            "memory_bytes": "byte",
        },
        "method": figures.collect::<Map<String, Value>>(),
    })
    .to_string()
}

/// The line for a step. Keys are written in this order; NaN and infinity become `null`.
#[derive(Serialize)]
struct Record<'a> {
    frame: u32,
    step: u64,
    time: f64,
    dt: f64,
    cells: usize,
    liquid_cells: usize,
    surface_cells: usize,
    particles: usize,
    volume: f64,
    volume_drift: f64,
    volume_in: f64,
    volume_out: f64,
    volume_correction: f64,
    kinetic_energy: f64,
    max_speed: f64,
    max_divergence: f64,
    solver: Solver,
    #[serde(skip_serializing_if = "Option::is_none")]
    smoke: Option<Smoke>,
    #[serde(serialize_with = "figures_in_order")]
    method: &'a [Figure],
    #[serde(serialize_with = "in_order")]
    seconds: Vec<(&'a str, f64)>,
    memory_bytes: u64,
}

#[derive(Serialize)]
struct Solver {
    iterations: usize,
    residual: f64,
}

/// Smoke figures; only smoke scenes have them.
#[derive(Serialize)]
struct Smoke {
    amount: f64,
    heat: f64,
    max_density: f64,
    max_temperature: f64,
}

/// The stages as an object, in the order they ran.
fn in_order<S: Serializer>(seconds: &[(&str, f64)], out: S) -> Result<S::Ok, S::Error> {
    out.collect_map(seconds.iter().copied())
}

/// A method's own figures as an object. Counts are written as whole numbers.
fn figures_in_order<S: Serializer>(figures: &[Figure], out: S) -> Result<S::Ok, S::Error> {
    out.collect_map(figures.iter().map(|f| {
        let is_whole = f.value.fract() == 0.0 && f.value.abs() < MAX_WHOLE;
        (f.kind.name, if is_whole { json!(f.value as i64) } else { json!(f.value) })
    }))
}

fn record(
    frame: u32,
    step: u64,
    time: f64,
    r: &StepReport,
    memory_bytes: u64,
) -> Result<String, serde_json::Error> {
    let mut seconds: Vec<(&str, f64)> = Vec::with_capacity(r.stages.len());
    for &(stage, s) in &r.stages {
        // A stage that runs twice in a step has the sum of both.
        match seconds.iter_mut().find(|(name, _)| *name == stage) {
            Some((_, sum)) => *sum += s,
            None => seconds.push((stage, s)),
        }
    }
    serde_json::to_string(&Record {
        frame,
        step,
        time,
        dt: r.dt,
        cells: r.cells,
        liquid_cells: r.liquid_cells,
        surface_cells: r.surface_cells,
        particles: r.particles,
        volume: r.volume,
        volume_drift: r.volume_drift,
        volume_in: r.volume_in,
        volume_out: r.volume_out,
        volume_correction: r.volume_correction,
        kinetic_energy: r.kinetic_energy,
        max_speed: r.max_speed,
        max_divergence: r.max_divergence,
        solver: Solver { iterations: r.solver_iterations, residual: r.solver_residual },
        smoke: r.smoke.map(|s| Smoke {
            amount: s.amount,
            heat: s.heat,
            max_density: s.max_density,
            max_temperature: s.max_temperature,
        }),
        method: &r.figures,
        seconds,
        memory_bytes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use octide_core::contract::{FigureKind, SmokeTotals};

    #[test]
    fn lines_are_a_header_and_then_steps_with_exactly_the_promised_keys() {
        let path = crate::test_dir("stats").join("stats.jsonl");
        const FACES: FigureKind = FigureKind { name: "faces", unit: "1", meaning: "faces" };
        const SHARE: FigureKind = FigureKind { name: "share", unit: "m", meaning: "a length" };
        let report = StepReport {
            dt: 0.01,
            figures: vec![FACES.count(12), Figure { kind: &SHARE, value: 0.5 }],
            stages: vec![("b", 1.0), ("a", 2.0), ("b", 0.5)],
            ..StepReport::default()
        };
        let mut stats = StatsWriter::create(&path).unwrap();
        stats.step(1, 7, 0.25, &report, 1234).unwrap();
        let length = stats.length();
        stats.step(2, 8, 0.25, &report, 1234).unwrap();
        drop(stats);
        let mut stats = StatsWriter::resume(&path, length).unwrap();
        stats.step(2, 8, 0.5, &report, 1234).unwrap();

        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        let header: Value = serde_json::from_str(lines[0]).unwrap();
        assert_eq!((&header["format"], &header["version"]), (&json!("octide-stats"), &json!(2)));
        let about = json!({ "faces": { "unit": "1", "meaning": "faces" }, "share": { "unit": "m", "meaning": "a length" } });
        assert_eq!(header["method"], about);
        assert_eq!(
            lines[1],
            "{\"frame\":1,\"step\":7,\"time\":0.25,\"dt\":0.01,\"cells\":0,\"liquid_cells\":0,\"surface_cells\":0,\
             \"particles\":0,\
             \"volume\":0.0,\"volume_drift\":0.0,\"volume_in\":0.0,\"volume_out\":0.0,\"volume_correction\":0.0,\"kinetic_energy\":0.0,\"max_speed\":0.0,\
             \"max_divergence\":0.0,\"solver\":{\"iterations\":0,\"residual\":0.0},\"method\":{\"faces\":12,\"share\":0.5},\"seconds\":{\"b\":1.5,\"a\":2.0},\
             \"memory_bytes\":1234}"
        );
        assert!(lines[2].starts_with("{\"frame\":2,\"step\":8,\"time\":0.5,"));
    }

    #[test]
    fn smoke_has_its_own_figures() {
        let smoke = SmokeTotals { amount: 0.5, heat: 2.0, max_density: 1.0, ..SmokeTotals::default() };
        let text = record(0, 0, 0.0, &StepReport { smoke: Some(smoke), ..StepReport::default() }, 0).unwrap();
        let part = ",\"smoke\":{\"amount\":0.5,\"heat\":2.0,\"max_density\":1.0,\"max_temperature\":0.0},\"method\":{},\"seconds\":";
        assert!(text.contains(part), "{text}");
    }

    #[test]
    fn numbers_that_are_none_do_not_break_a_line() {
        let report = StepReport { volume: f64::NAN, ..StepReport::default() };
        let text = record(0, 0, 0.0, &report, 0).unwrap();
        assert!(serde_json::from_str::<Value>(&text).unwrap()["volume"].is_null());
    }
}
