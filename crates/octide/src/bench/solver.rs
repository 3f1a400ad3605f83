//! `octide bench solver`: linear systems to measure solvers with, made or read, and written for other programs.

use super::systems::{self, Mode, System};
use super::triad::triad;
use crate::args::{SolverArgs, set_threads};
use crate::errors::Failure;
use crate::stop::Stop;
use crate::text::{count, say};
use octide_solve::MatrixError;
use serde_json::json;
use std::time::Instant;

/// Makes one of the built-in systems.
type Make = fn(&Stop) -> Result<System, Failure>;

/// The built-in systems. They are made one by one, so that memory holds one at a time.
const BUILT_IN: [Make; 5] = [
    |_| Ok(systems::uniform(128)?),
    |_| Ok(systems::octree("octA", 5, 8, Mode::Plain)?),
    |_| Ok(systems::octree("octB", 5, 9, Mode::Adaptive)?),
    |_| Ok(systems::octree("octC", 5, 8, Mode::Sphere)?),
    |stop| systems::dam_break(128, || stop.check()),
];

impl From<MatrixError> for Failure {
    fn from(e: MatrixError) -> Self {
        Self::Simulation(e.to_string())
    }
}

impl From<systems::SystemError> for Failure {
    fn from(e: systems::SystemError) -> Self {
        Self::Input(e.to_string())
    }
}

/// Goes through all systems.
pub fn solver(args: &SolverArgs) -> Result<(), Failure> {
    let given = args.systems.as_deref().map(systems::read_folder).transpose()?;
    set_threads(args.threads)?;
    let stop = Stop::listen()?;
    tell_memory(args);
    let each = |system: &System, seconds: f64| -> Result<(), Failure> {
        stop.check()?;
        tell(args, system, seconds);
        match &args.export {
            Some(dir) => Ok(systems::write(dir, system)?),
            None => Ok(()),
        }
    };
    if let Some(given) = given {
        return given.iter().try_for_each(|system| each(system, 0.0));
    }
    for make in BUILT_IN {
        let start = Instant::now();
        let system = make(&stop)?;
        each(&system, start.elapsed().as_secs_f64())?;
    }
    Ok(())
}

fn tell_memory(args: &SolverArgs) {
    let (speed, threads) = (triad(), rayon::current_num_threads());
    if args.json {
        say(&json!({ "triad_gb_per_second": speed, "threads": threads }).to_string());
    } else {
        say(&format!("memory: {speed:.1} GB/s (triad), {threads} threads"));
    }
}

fn tell(args: &SolverArgs, system: &System, seconds: f64) {
    let System { name, matrix, .. } = system;
    let (rows, entries) = (matrix.n_rows(), matrix.n_entries());
    if args.json {
        say(&json!({ "system": name, "rows": rows, "entries": entries, "make_seconds": seconds }).to_string());
    } else {
        say(&format!("{name}: {} rows, {} entries", count(rows), count(entries)));
    }
}
