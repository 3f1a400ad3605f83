//! What `octide verify` can be asked for.

use crate::methods;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use octide_verify::SHARED;
use std::path::PathBuf;

/// Measure convergence, errors and conservation, and compare with published results
///
/// Each case states its problem, its reference and its limits before it runs. Without a case the cases are
/// listed. The exit code is 1 if a limit is broken, or if one that was known to fail now holds. Quantities that
/// are known to fail or not available are listed and do not change the exit code.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    octide verify                                  list the cases\n  \
    octide verify poisson-t-junctions --quick      one case in its quick form\n  \
    octide verify --all --report report            all cases; open report/index.html in a browser\n  \
    octide verify --quick --json                   all quick forms, one object for each quantity\n  \
    octide verify --all --docs docs/verify --missing   full forms that docs/verify lacks; can be stopped and repeated")]
pub struct VerifyArgs {
    /// The cases to run
    #[arg(value_name = "CASE", value_parser = PossibleValuesParser::new(cases()), hide_possible_values = true)]
    pub cases: Vec<String>,

    /// Run all cases
    #[arg(long, conflicts_with = "cases")]
    pub all: bool,

    /// Run quick forms, with fewer and coarser grids; of all cases that have one if none is named
    #[arg(long)]
    pub quick: bool,

    /// Run only with this method; `shared` are the cases of code that all methods share
    #[arg(long, value_name = "M", value_parser = PossibleValuesParser::new(methods::names().chain([SHARED])))]
    pub method: Option<String>,

    /// Print one JSON object for each quantity, one per line, instead of tables
    #[arg(long)]
    pub json: bool,

    /// Write pages with articles, tables and plots into this folder; an earlier report in it is replaced
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,

    /// Write the same as Markdown with SVG files; results of other cases that the folder has are kept, and it is
    /// written after each case
    #[arg(long, value_name = "DIR")]
    pub docs: Option<PathBuf>,

    /// Skip what the folder of --docs already has of this version, and run the shortest cases first
    #[arg(long, requires = "docs")]
    pub missing: bool,

    /// Judge the results that the folder of --docs has by the limits and known failures of today, write its pages, and run
    /// nothing
    #[arg(long, requires = "docs", conflicts_with_all = ["cases", "all", "quick", "method", "missing", "report"])]
    pub judge: bool,

    /// Worker threads [default: one for each core]; the results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

/// Returns all names; hidden cases can be named too.
fn cases() -> Vec<PossibleValue> {
    let is_listed = |name: &str| octide_cases::CASES.iter().any(|c| c.name == name);
    octide_cases::all().map(|c| PossibleValue::new(c.name).hide(!is_listed(c.name))).collect()
}
