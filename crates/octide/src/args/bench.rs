//! What `octide bench` can be asked for.

use crate::methods;
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Measure time and memory by stage, per cell
///
/// Each case is a built-in scene with 24 frames at 120/s and a CFL number of 2. Nothing is written and no
/// picture is made: only the steps are timed. The start is timed apart. CPU seconds are those of the whole
/// process, user and system; where the system does not tell them, wall time stands in.
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Example:\n  octide bench water-drop --resolution 256 --threads 1 --json"
)]
pub struct BenchArgs {
    #[command(subcommand)]
    pub command: Option<BenchCommand>,

    /// Built-in scenes [default: water-drop dam-break]
    #[arg(value_name = "CASE")]
    pub cases: Vec<String>,

    /// Finest cells along the domain's longest side [default: as in the scene]
    #[arg(long, value_name = "N")]
    pub resolution: Option<u32>,

    /// The method that simulates [default: as in the scene]
    #[arg(long, value_name = "M", value_parser = PossibleValuesParser::new(methods::names()))]
    pub method: Option<String>,

    /// Worker threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// One JSON object a case, a line each, instead of a table
    #[arg(long)]
    pub json: bool,
}

/// What else can be measured.
#[derive(Subcommand, Debug)]
pub enum BenchCommand {
    Solver(SolverArgs),
    Memory(MemoryArgs),
}

/// Memory of each step, measured and as forecast; the constants that fit
///
/// The steps are those of `octide bench`. Only Linux tells what is held.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  octide bench memory dam-break waterfall --resolution 128")]
pub struct MemoryArgs {
    /// Built-in scenes [default: water-drop dam-break moving-cylinder waterfall]
    #[arg(value_name = "CASE")]
    pub cases: Vec<String>,

    /// Finest cells along the domain's longest side [default: as in the scene]
    #[arg(long, value_name = "N")]
    pub resolution: Option<u32>,

    /// The method that simulates [default: as in the scene]
    #[arg(long, value_name = "M", value_parser = PossibleValuesParser::new(methods::names()))]
    pub method: Option<String>,

    /// Worker threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// One JSON object a case, a line each
    #[arg(long)]
    pub json: bool,
}

/// The solvers on linear systems: set-up and solve, iterations, memory
///
/// Systems are a uniform tank (uni128), waves on octrees (octA, octB, octC), and pressure in a breaking dam
/// (dam64, dam128); or those of a folder. With --export they are written for other programs: NAME.A.bin is
/// the matrix in compressed rows, NAME.b.bin the right-hand side, NAME.cells.bin level and place of each
/// row's cell.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  octide bench solver --threads 1\n  octide bench solver uni202 octA+1 --tolerance 1e-10\n  octide bench solver --export systems --json"
)]
pub struct SolverArgs {
    /// Systems: uniN, damN (N finest cells along the longest side), octA, octB, octC (octA+1: one level more)
    #[arg(value_name = "SYSTEM")]
    pub names: Vec<String>,

    /// Take the systems of this folder: all, or those that are named
    #[arg(long, value_name = "DIR")]
    pub systems: Option<PathBuf>,

    /// Write the systems into this folder
    #[arg(long, value_name = "DIR")]
    pub export: Option<PathBuf>,

    /// Only this solver; MIC(0) takes minutes for several million unknowns
    #[arg(long, value_name = "S")]
    pub solver: Option<SolverArg>,

    /// The relative residual to reach, in the two-norm
    #[arg(long, value_name = "R", default_value_t = 1e-4, value_parser = tolerance)]
    pub tolerance: f64,

    /// The best of so many runs counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub repeat: u16,

    /// Worker threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// One JSON object a system and solver, a line each
    #[arg(long)]
    pub json: bool,
}

/// A solver of pressure.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolverArg {
    /// Multigrid with conjugate gradients inside
    Multigrid,
    /// Conjugate gradients, preconditioned by an incomplete Cholesky factor
    Mic0,
}

/// A relative residual.
fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(t) if (1e-14..1.0).contains(&t) => Ok(t),
        _ => Err("a number from 1e-14 to below 1 is needed".to_owned()),
    }
}
