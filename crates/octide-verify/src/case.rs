//! What a case is: an article, declared quantities, and a function that measures them.

use crate::limit::{Expectation, Limit};
use crate::plot::Plot;
use crate::table::Table;
use std::borrow::Cow;
use std::fmt::Display;

/// The method name of cases that measure code which all methods share.
pub const SHARED: &str = "shared";

/// A claim, or several that are measured together.
#[derive(Clone, Copy)]
pub struct Case {
    /// The name on the command line; lowercase letters and `-`.
    pub name: &'static str,
    /// The heading of its page.
    pub title: &'static str,
    /// One line for lists.
    pub summary: &'static str,
    /// The text of its page.
    pub article: Article,
    /// The methods that run the case, or [`SHARED`].
    pub methods: fn() -> Vec<&'static str>,
    /// Whether there is a quick form.
    pub quick: bool,
    /// The quantities that are measured with a method, in the quick or the full form, with their limits.
    pub quantities: fn(method: &str, quick: bool) -> Vec<Quantity>,
    /// Measures the quantities.
    pub run: fn(&Context) -> Result<Measured, CaseError>,
}

/// The text of a case. Empty lines separate paragraphs.
#[derive(Clone, Copy, Debug)]
pub struct Article {
    /// The problem that is solved.
    pub problem: &'static str,
    /// The reference that the result is compared with, and its source.
    pub reference: &'static str,
    /// What the numbers are.
    pub measured: &'static str,
}

/// A number that a case measures.
#[derive(Clone, PartialEq, Debug)]
pub struct Quantity {
    /// Its name, unique in the case.
    pub name: String,
    /// Its unit; empty for plain numbers.
    pub unit: Cow<'static, str>,
    /// The value that it should have, where that is known.
    pub expected: Option<f64>,
    /// The range in which it must be.
    pub limit: Limit,
    /// Where the limit and the expected value come from, in short.
    pub source: Cow<'static, str>,
    /// What is known before the run.
    pub expectation: Expectation,
}

impl Quantity {
    /// A number without a limit.
    pub fn new(name: impl Into<String>, unit: &'static str) -> Self {
        Self {
            name: name.into(),
            unit: unit.into(),
            expected: None,
            limit: Limit::Reported,
            source: "".into(),
            expectation: Expectation::Holds,
        }
    }

    /// Sets the limit and its source.
    pub fn limit(self, limit: Limit, source: &'static str) -> Self {
        Self { limit, source: source.into(), ..self }
    }

    /// Sets the value to show beside the measured one.
    pub fn expected(self, value: f64) -> Self {
        Self { expected: Some(value), ..self }
    }

    /// Declares that the limit is known not to hold.
    pub fn known_to_fail(self, why: impl Into<String>) -> Self {
        Self { expectation: Expectation::KnownToFail(why.into()), ..self }
    }

    /// Declares that the quantity cannot be measured without a feature that is missing.
    pub fn not_available(self, feature: impl Into<String>) -> Self {
        Self { expectation: Expectation::NotAvailable(feature.into()), ..self }
    }

    /// Returns whether the quantity can be measured.
    pub fn is_available(&self) -> bool {
        !matches!(self.expectation, Expectation::NotAvailable(_))
    }
}

/// The input of a case's run.
pub struct Context<'a> {
    /// Whether to run the quick form.
    pub quick: bool,
    /// One of the case's methods.
    pub method: &'a str,
    /// Number of worker threads.
    pub threads: usize,
    /// Receives progress.
    pub observer: &'a dyn Observer,
}

impl Context<'_> {
    /// Reports progress. Returns an error if the case should stop.
    pub fn progress(&self, what: &str) -> Result<(), CaseError> {
        self.observer.progress(what);
        if self.observer.stops() { Err(CaseError::Stopped) } else { Ok(()) }
    }
}

/// Receives the progress of cases and can stop them.
pub trait Observer {
    /// Receives what a case is doing now.
    fn progress(&self, what: &str);

    /// Returns whether the case should stop.
    fn stops(&self) -> bool {
        false
    }
}

/// Ignores progress.
impl Observer for () {
    fn progress(&self, _: &str) {}
}

/// Why a case has no numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CaseError {
    /// Something failed.
    Failed(String),
    /// It was asked to stop.
    Stopped,
}

impl CaseError {
    /// Turns any error into the failure of a case.
    pub fn new(e: impl Display) -> Self {
        Self::Failed(e.to_string())
    }
}

/// The measurements of a case.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Measured {
    /// Quantities by name.
    pub values: Vec<(String, f64)>,
    /// Further results for the page.
    pub tables: Vec<Table>,
    /// Plots for the page.
    pub plots: Vec<Plot>,
}

impl Measured {
    /// Records the value of a quantity.
    pub fn set(&mut self, name: impl Into<String>, value: f64) {
        self.values.push((name.into(), value));
    }
}
