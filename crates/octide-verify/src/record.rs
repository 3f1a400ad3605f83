//! A result that can be kept: what was found, and when, where and how long it ran.

mod json;
#[cfg(test)]
mod tests;

use crate::case::{Measured, Quantity};
use crate::plot::Plot;
use crate::run::CaseResult;
use crate::table::Table;
use crate::verdict::{Finding, Status, judge};

/// When, where and how a case ran.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RunInfo {
    /// Version of octide.
    pub version: String,
    /// Date and time of the start.
    pub date: String,
    /// Processor, number of cores and operating system.
    pub machine: String,
    /// Number of worker threads.
    pub threads: usize,
    /// Whether the quick form ran.
    pub quick: bool,
    /// CPU time of all threads in seconds.
    pub cpu_seconds: f64,
    /// Wall time in seconds.
    pub wall_seconds: f64,
}

impl RunInfo {
    /// Returns `quick form` or `full form`.
    pub fn form(&self) -> &'static str {
        if self.quick { "quick form" } else { "full form" }
    }

    /// Returns all of it in one line.
    pub(crate) fn line(&self) -> String {
        format!(
            "octide {} · {} · {} · {} · {} threads · {:.1} s CPU, {:.1} s wall",
            self.version,
            self.form(),
            self.date,
            self.machine,
            self.threads,
            self.cpu_seconds,
            self.wall_seconds
        )
    }
}

/// The result of a case with a method, as reports keep it.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The name of the case.
    pub case: String,
    /// The name of the method.
    pub method: String,
    /// When, where and how it ran.
    pub info: RunInfo,
    /// A verdict for each quantity.
    pub findings: Vec<Finding>,
    /// Tables for the page.
    pub tables: Vec<Table>,
    /// Plots for the page.
    pub plots: Vec<Plot>,
    /// Why there are no numbers, if the case failed.
    pub error: Option<String>,
}

impl Record {
    /// Combines a result with when, where and how it ran.
    pub fn new(result: CaseResult, info: RunInfo) -> Self {
        Self {
            case: result.case.name.to_owned(),
            method: result.method,
            info,
            findings: result.findings,
            tables: result.measured.tables,
            plots: result.measured.plots,
            error: result.error,
        }
    }

    /// Judges what was measured by other declarations.
    pub fn judge(&mut self, declared: Vec<Quantity>) {
        let values = self.findings.iter().filter_map(|f| Some((f.quantity.name.clone(), f.measured?)));
        let measured = Measured { values: values.collect(), ..Measured::default() };
        self.findings = judge(declared, &Ok(measured));
    }

    /// Returns whether a limit is broken or the case failed.
    pub fn is_broken(&self) -> bool {
        self.error.is_some() || self.findings.iter().any(|f| f.status.is_broken())
    }

    /// Returns the number of findings with a status.
    pub fn count(&self, status: Status) -> usize {
        self.findings.iter().filter(|f| f.status == status).count()
    }

    /// Returns whether both are of the same case and method.
    pub fn is_of_same_pair(&self, other: &Self) -> bool {
        self.case == other.case && self.method == other.method
    }
}
