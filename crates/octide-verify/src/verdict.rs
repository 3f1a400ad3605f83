//! Compares what was measured with what was declared.

use crate::case::{CaseError, Measured, Quantity};
use crate::limit::{Expectation, Limit};

/// The verdict on a quantity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// The limit holds.
    Pass,
    /// There is no limit.
    Reported,
    /// The limit does not hold, or there is no number.
    Fail,
    /// The limit does not hold, which was known before.
    KnownToFail,
    /// The limit holds although it was declared as known to fail: the declaration is out of date.
    Alarm,
    /// A feature is missing.
    NotAvailable,
}

impl Status {
    /// All of them, in the order of summaries.
    pub const ALL: [Self; 6] =
        [Self::Pass, Self::Fail, Self::Alarm, Self::KnownToFail, Self::NotAvailable, Self::Reported];

    /// Returns whether it makes a run fail.
    pub fn is_broken(self) -> bool {
        matches!(self, Self::Fail | Self::Alarm)
    }

    /// Returns the verdict in words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Reported => "reported",
            Self::Fail => "FAIL",
            Self::KnownToFail => "known to fail",
            Self::Alarm => "ALARM: passes",
            Self::NotAvailable => "not available",
        }
    }

    /// Returns the verdict as one word, for programs.
    pub fn key(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Reported => "reported",
            Self::Fail => "fail",
            Self::KnownToFail => "known_to_fail",
            Self::Alarm => "alarm",
            Self::NotAvailable => "not_available",
        }
    }
}

/// A quantity, its number and the verdict.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// The quantity as declared; only its name if it was not.
    pub quantity: Quantity,
    /// The measured value.
    pub measured: Option<f64>,
    /// The verdict.
    pub status: Status,
    /// A remark; may be empty.
    pub note: String,
}

/// Returns a verdict on each declared quantity, in order, and on each undeclared one.
pub fn judge(declared: Vec<Quantity>, outcome: &Result<Measured, CaseError>) -> Vec<Finding> {
    let none = Vec::new();
    let values = outcome.as_ref().map_or(&none, |m| &m.values);
    let mut findings = Vec::new();
    for (i, quantity) in declared.iter().enumerate() {
        let mut found = values.iter().filter(|(name, _)| *name == quantity.name).map(|&(_, x)| x);
        let (measured, again) = (found.next(), found.next().is_some());
        let (status, note) = if declared[..i].iter().any(|q| q.name == quantity.name) {
            (Status::Fail, "declared twice".to_owned())
        } else if again {
            (Status::Fail, "measured twice".to_owned())
        } else {
            verdict(quantity, measured)
        };
        findings.push(Finding { quantity: quantity.clone(), measured, status, note });
    }
    for (name, x) in values {
        if declared.iter().all(|q| q.name != *name) {
            findings.push(Finding {
                quantity: Quantity::new(name.clone(), ""),
                measured: Some(*x),
                status: Status::Fail,
                note: "measured but not declared".to_owned(),
            });
        }
    }
    findings
}

fn verdict(quantity: &Quantity, measured: Option<f64>) -> (Status, String) {
    if let Expectation::NotAvailable(feature) = &quantity.expectation {
        let stale = if measured.is_some() { "; it was measured anyway" } else { "" };
        return (Status::NotAvailable, format!("{feature}{stale}"));
    }
    let Some(x) = measured else { return (Status::Fail, "not measured".to_owned()) };
    if !x.is_finite() {
        return (Status::Fail, format!("{x} is not a finite number"));
    }
    let holds = quantity.limit.holds(x, quantity.expected);
    match (&quantity.expectation, holds) {
        _ if quantity.limit == Limit::Reported => (Status::Reported, String::new()),
        (Expectation::KnownToFail(why), true) => (Status::Alarm, format!("no longer true: {why}")),
        (Expectation::KnownToFail(why), false) => (Status::KnownToFail, why.clone()),
        (_, true) => (Status::Pass, String::new()),
        (_, false) => (Status::Fail, String::new()),
    }
}

#[cfg(test)]
mod tests;
