//! `octide bench solver`: what solvers take for linear systems that are made, read, or written for other
//! programs.
//!
//! Set-up is everything between the matrix and the first iteration, groups of cells included; a solve starts
//! from zero. Times are wall-clock seconds, the best of several runs.

use super::systems::{self, Mode, System};
use super::triad::triad;
use crate::args::{SolverArg, SolverArgs, set_threads};
use crate::errors::Failure;
use crate::stop::Stop;
use crate::text::{count, print_line};
use octide_solve::{
    Coarsening, MatrixError, Mic0, Mic0Params, Multigrid, MultigridParams, MultigridPcg, Norm, Pcg,
    Preconditioner, Report, SolveError, SolveParams, octree_groups,
};
use serde_json::json;
use std::path::Path;
use std::time::Instant;

/// Where no names are given.
const DEFAULT: [&str; 6] = ["uni128", "octA", "octB", "octC", "dam64", "dam128"];

impl From<MatrixError> for Failure {
    fn from(e: MatrixError) -> Self {
        Self::Simulation(e.to_string())
    }
}

impl From<SolveError> for Failure {
    fn from(e: SolveError) -> Self {
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
    // First of all: reading a large matrix starts the threads there are.
    set_threads(args.threads)?;
    let sources = sources(args)?;
    let stop = Stop::listen()?;
    let speed = triad();
    tell_memory(args, speed);
    // One by one, so that memory holds one at a time.
    for source in &sources {
        let system = source.system(&stop)?;
        if let Some(dir) = &args.export {
            systems::write(dir, &system)?;
        }
        let is_asked_for = |solver: &SolverArg| args.solver.is_none_or(|only| only == *solver);
        for solver in [SolverArg::Multigrid, SolverArg::Mic0].into_iter().filter(is_asked_for) {
            stop.check()?;
            tell(args, &system, solver, &measure(&system, solver, args)?);
        }
    }
    Ok(())
}

/// Where the systems that are asked for come from.
fn sources(args: &SolverArgs) -> Result<Vec<Source<'_>>, Failure> {
    let Some(dir) = &args.systems else {
        let default = DEFAULT.map(str::to_owned);
        let names = if args.names.is_empty() { &default[..] } else { &args.names[..] };
        return names.iter().map(|name| Source::parse(name)).collect();
    };
    let there = systems::names_in(dir)?;
    if let Some(name) = args.names.iter().find(|name| !there.contains(name)) {
        let dir = dir.display();
        let list = there.join(", ");
        return Err(Failure::Input(format!("there is no system '{name}' in {dir}, only {list}")));
    }
    let names = if args.names.is_empty() { there } else { args.names.clone() };
    Ok(names.into_iter().map(|name| Source::File { dir, name }).collect())
}

/// A system that is read or made.
enum Source<'a> {
    File { dir: &'a Path, name: String },
    Uniform(u32),
    Octree { name: String, finest: u8, mode: Mode },
    DamBreak(u32),
}

impl Source<'_> {
    /// A built-in system by its name.
    fn parse(name: &str) -> Result<Self, Failure> {
        let unknown = || {
            Failure::Input(format!(
                "there is no system '{name}': use uniN or damN with N cells from 8 to 1024, octA, octB or octC, \
                 or octA+1 for one level more"
            ))
        };
        let resolution = |digits: &str| digits.parse().ok().filter(|n| (8..=1024).contains(n));
        if let Some(digits) = name.strip_prefix("uni") {
            return resolution(digits).map(Self::Uniform).ok_or_else(unknown);
        }
        if let Some(digits) = name.strip_prefix("dam") {
            return resolution(digits).map(Self::DamBreak).ok_or_else(unknown);
        }
        let (base, more) = name.split_once('+').unwrap_or((name, "0"));
        let more: u8 = more.parse().ok().filter(|&more| more <= 3).ok_or_else(unknown)?;
        let (finest, mode) = match base {
            "octA" => (8, Mode::Plain),
            "octB" => (9, Mode::Adaptive),
            "octC" => (8, Mode::Sphere),
            _ => return Err(unknown()),
        };
        Ok(Self::Octree { name: name.to_owned(), finest: finest + more, mode })
    }

    fn system(&self, stop: &Stop) -> Result<System, Failure> {
        match self {
            Self::File { dir, name } => Ok(systems::read(dir, name)?),
            Self::Uniform(n) => Ok(systems::uniform(*n)?),
            Self::Octree { name, finest, mode } => Ok(systems::octree(name, 5, *finest, *mode)?),
            Self::DamBreak(n) => systems::dam_break(*n, || stop.check()),
        }
    }
}

fn name_of(solver: SolverArg) -> &'static str {
    match solver {
        SolverArg::Multigrid => "multigrid-PCG",
        SolverArg::Mic0 => "MIC(0)-PCG",
    }
}

/// What a solver took.
struct Measured {
    setup_seconds: f64,
    solve_seconds: f64,
    report: Report,
    /// Memory beside the matrix and the solver's vectors.
    bytes: usize,
}

impl Measured {
    fn seconds(&self) -> f64 {
        self.setup_seconds + self.solve_seconds
    }
}

/// The best of the runs asked for.
fn measure(system: &System, solver: SolverArg, args: &SolverArgs) -> Result<Measured, Failure> {
    let params = SolveParams { tolerance: args.tolerance, norm: Norm::Plain, ..SolveParams::default() };
    let mut best: Option<Measured> = None;
    for _ in 0..args.repeat {
        let measured = match solver {
            SolverArg::Multigrid => with_multigrid(system, params)?,
            SolverArg::Mic0 => with_mic0(system, params)?,
        };
        if best.as_ref().is_none_or(|best| measured.seconds() < best.seconds()) {
            best = Some(measured);
        }
    }
    best.ok_or_else(|| Failure::Input("nothing to repeat".to_owned()))
}

fn with_multigrid(system: &System, params: SolveParams) -> Result<Measured, Failure> {
    let System { matrix, rhs, cells, .. } = system;
    let mut x = vec![0.0; rhs.len()];
    let start = Instant::now();
    let multigrid_params = MultigridParams::default();
    let groups = octree_groups(cells, multigrid_params.coarsest);
    let coarsening = if cells.is_empty() { Coarsening::Matrix } else { Coarsening::Groups(&groups) };
    let mut multigrid = Multigrid::new(matrix, coarsening, &multigrid_params)?;
    let setup_seconds = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let report = MultigridPcg::new(params).solve(matrix, &mut multigrid, rhs, &mut x, None)?;
    let solve_seconds = start.elapsed().as_secs_f64();
    Ok(Measured { setup_seconds, solve_seconds, report, bytes: multigrid.bytes() })
}

fn with_mic0(system: &System, params: SolveParams) -> Result<Measured, Failure> {
    let System { matrix, rhs, .. } = system;
    let mut x = vec![0.0; rhs.len()];
    let start = Instant::now();
    let mut mic0 = Mic0::new(matrix, &Mic0Params::default())?;
    let setup_seconds = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let report = Pcg::new(params).solve(matrix, &mut mic0, rhs, &mut x, None)?;
    let solve_seconds = start.elapsed().as_secs_f64();
    Ok(Measured { setup_seconds, solve_seconds, report, bytes: mic0.bytes() })
}

fn tell_memory(args: &SolverArgs, speed: f64) {
    let threads = rayon::current_num_threads();
    if args.json {
        print_line(&json!({ "triad_gb_per_second": speed, "threads": threads }).to_string());
    } else {
        print_line(&format!("memory: {speed:.1} GB/s (triad), {threads} threads"));
        print_line(
            "system      unknowns  solver          set-up s  solve s  iterations  residual  ns/unknown  bytes/unknown",
        );
    }
}

fn tell(args: &SolverArgs, system: &System, solver: SolverArg, measured: &Measured) {
    let Measured { setup_seconds, solve_seconds, report, bytes } = measured;
    let n = system.matrix.n_rows();
    let per_unknown = |v: f64| v / n.max(1) as f64;
    let ns = per_unknown(1e9 * measured.seconds());
    if args.json {
        let line = json!({
            "system": system.name,
            "solver": name_of(solver),
            "n": n,
            "entries": system.matrix.n_entries(),
            "tolerance": args.tolerance,
            "setup_seconds": setup_seconds,
            "solve_seconds": solve_seconds,
            "iterations": report.iterations,
            "residual": report.residual,
            "bytes": bytes,
            "ns_per_unknown": ns,
            "threads": rayon::current_num_threads(),
        });
        print_line(&line.to_string());
    } else {
        print_line(&format!(
            "{:<10} {:>9}  {:<14} {:>9.3} {:>8.3} {:>11} {:>9.1e} {:>11.0} {:>14.0}",
            system.name,
            count(n),
            name_of(solver),
            setup_seconds,
            solve_seconds,
            report.iterations,
            report.residual,
            ns,
            per_unknown(*bytes as f64),
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_understood_or_refused_with_what_there_is() {
        for name in ["uni8", "uni1024", "dam64", "octA", "octB+1", "octC+3"] {
            assert!(Source::parse(name).is_ok(), "{name}");
        }
        for name in ["uni", "uni7", "uni1025", "uni-8", "dam0", "octD", "octA+4", "octA+", "+1", ""] {
            let Err(Failure::Input(text)) = Source::parse(name) else { panic!("{name}") };
            assert!(text.contains(&format!("'{name}'")) && text.contains("octB"), "{text}");
        }
    }
}
