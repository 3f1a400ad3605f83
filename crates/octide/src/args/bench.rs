//! Arguments of `octide bench`.

use crate::methods;
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Measure time and memory by stage, per cell
///
/// Each case is a built-in scene with 24 frames at 120/s and a CFL number of 2. Only the steps are timed: no
/// files are written and no pictures are rendered. The start is timed separately. CPU seconds are user and
/// system time of the whole process; systems that do not report them show wall time.
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Example:\n  octide bench water-drop --resolution 256 --threads 1 --json"
)]
pub struct BenchArgs {
    #[command(subcommand)]
    pub command: Option<BenchCommand>,

    /// Built-in scenes, or dam-break-mesh [default: water-drop dam-break dam-break-mesh]
    #[arg(value_name = "CASE")]
    pub cases: Vec<String>,

    /// Finest cells along the domain's longest side [default: from the scene]
    #[arg(long, value_name = "N")]
    pub resolution: Option<u32>,

    /// The simulation method [default: from the scene]
    #[arg(long, value_name = "M", value_parser = PossibleValuesParser::new(methods::names()))]
    pub method: Option<String>,

    /// Worker threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Print one JSON object per case and line instead of a table
    #[arg(long)]
    pub json: bool,
}

/// Other benchmarks.
#[derive(Subcommand, Debug)]
pub enum BenchCommand {
    Solver(SolverArgs),
    Memory(MemoryArgs),
}

/// Measure the memory of each step, compare it with the forecast, and fit the constants of the model
///
/// The steps are those of `octide bench`. With --frames, the memory of frames, volumes and pictures. Works on
/// Linux only.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  octide bench memory dam-break waterfall --resolution 128")]
pub struct MemoryArgs {
    /// Built-in scenes [default: water-drop dam-break moving-cylinder waterfall]
    #[arg(value_name = "CASE")]
    pub cases: Vec<String>,

    /// Finest cells along the domain's longest side [default: from the scene]
    #[arg(long, value_name = "N")]
    pub resolution: Option<u32>,

    /// The simulation method [default: from the scene]
    #[arg(long, value_name = "M", value_parser = PossibleValuesParser::new(methods::names()))]
    pub method: Option<String>,

    /// Worker threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Measure what frames, volumes and pictures take instead of steps
    #[arg(long)]
    pub frames: bool,

    /// Print one JSON object per case and line
    #[arg(long)]
    pub json: bool,
}

/// Measure the linear solvers: set-up and solve times, iterations, memory
///
/// Systems are a uniform tank (uni128), waves on octrees (octA, octB, octC), and pressure in a breaking dam
/// (dam64, dam128); or those in a folder. --export writes them for other programs: NAME.A.bin is the matrix
/// in compressed rows, NAME.b.bin the right-hand side, NAME.cells.bin the level and position of the cell of
/// each row.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  octide bench solver --threads 1\n  octide bench solver uni202 octA+1 --tolerance 1e-10\n  octide bench solver --export systems --json"
)]
pub struct SolverArgs {
    /// Systems: uniN, damN (N finest cells along the longest side), octA, octB, octC (octA+1: one level more)
    #[arg(value_name = "SYSTEM")]
    pub names: Vec<String>,

    /// Read the systems from this folder: all of them, or those named
    #[arg(long, value_name = "DIR")]
    pub systems: Option<PathBuf>,

    /// Write the systems to this folder
    #[arg(long, value_name = "DIR")]
    pub export: Option<PathBuf>,

    /// Use only this solver; MIC(0) takes minutes for several million unknowns
    #[arg(long, value_name = "S")]
    pub solver: Option<SolverArg>,

    /// The relative residual to reach, in the two-norm
    #[arg(long, value_name = "R", default_value_t = 1e-4, value_parser = tolerance)]
    pub tolerance: f64,

    /// Number of runs, of which the fastest counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub repeat: u16,

    /// Worker threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Print one JSON object per system and solver, one per line
    #[arg(long)]
    pub json: bool,
}

/// A pressure solver.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolverArg {
    /// Multigrid with conjugate gradients inside
    Multigrid,
    /// Conjugate gradients, preconditioned by an incomplete Cholesky factor
    Mic0,
}

/// Parses a relative residual.
fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(t) if (1e-14..1.0).contains(&t) => Ok(t),
        _ => Err("write a number from 1e-14 to below 1".to_owned()),
    }
}
