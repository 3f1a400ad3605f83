//! What `octide verify` can be asked for.

use crate::methods;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use octide_verify::SHARED;
use std::path::PathBuf;

/// Measure what is claimed: orders, errors and conservation, beside what is published
///
/// Each case states its problem, its reference and its limits before it runs. Without a case the cases are
/// listed. A limit that is broken ends with exit code 1, and so does one that was known to fail and now
/// holds; what is known to fail or not available is told and does no harm.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    octide verify                                  what there is\n  \
    octide verify poisson-t-junctions --quick      one case in its quick form\n  \
    octide verify --all --report report            all cases; open report/index.html in a browser\n  \
    octide verify --quick --json                   all quick forms, an object a quantity")]
pub struct VerifyArgs {
    /// The cases to run
    #[arg(value_name = "CASE", value_parser = PossibleValuesParser::new(cases()), hide_possible_values = true)]
    pub cases: Vec<String>,

    /// Run all cases
    #[arg(long, conflicts_with = "cases")]
    pub all: bool,

    /// Run quick forms: fewer and coarser grids; of all cases that have one where none is named
    #[arg(long)]
    pub quick: bool,

    /// Only the cases of this method; `shared` are those of what all methods share
    #[arg(long, value_name = "M", value_parser = PossibleValuesParser::new(methods::names().chain([SHARED])))]
    pub method: Option<String>,

    /// One JSON object a quantity, a line each, instead of a table
    #[arg(long)]
    pub json: bool,

    /// Write pages with articles, tables and plots into this folder; an earlier report in it is replaced
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,

    /// Write the same as Markdown with SVG files
    #[arg(long, value_name = "DIR", hide = true)]
    pub docs: Option<PathBuf>,

    /// Worker threads [default: one for each core]; the results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

/// All names; those of hidden cases are taken too.
fn cases() -> Vec<PossibleValue> {
    let is_listed = |name: &str| octide_verify::CASES.iter().any(|c| c.name == name);
    octide_verify::all().map(|c| PossibleValue::new(c.name).hide(!is_listed(c.name))).collect()
}
