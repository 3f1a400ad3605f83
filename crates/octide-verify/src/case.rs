//! What a case is: an article, declared quantities, and a function that measures them.

use crate::limit::{Expectation, Limit};
use crate::plot::Plot;
use crate::table::Table;
use std::fmt::Display;

/// The method of cases that measure what all methods share.
pub const SHARED: &str = "shared";

/// A claim, or some that are measured together.
#[derive(Clone, Copy)]
pub struct Case {
    /// What it is called by; small letters and `-`.
    pub name: &'static str,
    /// The heading of its page.
    pub title: &'static str,
    /// One line for lists.
    pub summary: &'static str,
    /// The text of its page.
    pub article: Article,
    /// The methods it applies to, or [`SHARED`].
    pub methods: &'static [&'static str],
    /// Whether there is a quick form.
    pub quick: bool,
    /// What is measured with a method, in the quick form or the full one, and what it must be.
    pub quantities: fn(method: &str, quick: bool) -> Vec<Quantity>,
    /// Measures.
    pub run: fn(&Context) -> Result<Measured, CaseError>,
}

/// The text of a case. Paragraphs are parted by empty lines.
#[derive(Clone, Copy, Debug)]
pub struct Article {
    /// What is solved.
    pub problem: &'static str,
    /// What it is compared with, and who says so.
    pub reference: &'static str,
    /// What the numbers are.
    pub measured: &'static str,
}

/// A number that a case will measure.
#[derive(Clone, PartialEq, Debug)]
pub struct Quantity {
    /// Its name, the only one of that name in the case.
    pub name: String,
    /// Its unit; empty for plain numbers.
    pub unit: &'static str,
    /// What it should be, where that is known.
    pub expected: Option<f64>,
    /// What it must be.
    pub limit: Limit,
    /// Where limit and expected value come from, in short.
    pub source: &'static str,
    /// What is known before the run.
    pub expectation: Expectation,
}

impl Quantity {
    /// A number that is reported only.
    pub fn new(name: impl Into<String>, unit: &'static str) -> Self {
        Self {
            name: name.into(),
            unit,
            expected: None,
            limit: Limit::Reported,
            source: "",
            expectation: Expectation::Holds,
        }
    }

    /// The same with a limit and its source.
    pub fn limit(self, limit: Limit, source: &'static str) -> Self {
        Self { limit, source, ..self }
    }

    /// The same with a value to set beside the measured one.
    pub fn expected(self, value: f64) -> Self {
        Self { expected: Some(value), ..self }
    }

    /// The same, known to fail.
    pub fn known_to_fail(self, why: impl Into<String>) -> Self {
        Self { expectation: Expectation::KnownToFail(why.into()), ..self }
    }

    /// The same, not available before a feature is there.
    pub fn not_available(self, feature: impl Into<String>) -> Self {
        Self { expectation: Expectation::NotAvailable(feature.into()), ..self }
    }
}

/// What a case is told.
pub struct Context<'a> {
    /// Whether the quick form is wanted.
    pub quick: bool,
    /// One of the case's methods.
    pub method: &'a str,
    /// Worker threads.
    pub threads: usize,
    /// Who is told how far it is.
    pub observer: &'a dyn Observer,
}

impl Context<'_> {
    /// Tells how far the case is; an error where it shall stop.
    pub fn progress(&self, what: &str) -> Result<(), CaseError> {
        self.observer.progress(what);
        if self.observer.stops() { Err(CaseError::Stopped) } else { Ok(()) }
    }
}

/// Who looks on.
pub trait Observer {
    /// What a case does now.
    fn progress(&self, what: &str);

    /// Whether to stop.
    fn stops(&self) -> bool {
        false
    }
}

/// Nobody looks on.
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
    /// The failure that an error tells of.
    pub fn new(e: impl Display) -> Self {
        Self::Failed(e.to_string())
    }
}

/// What a case has measured.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Measured {
    /// Quantities by name.
    pub values: Vec<(String, f64)>,
    /// More of what was found, for the page.
    pub tables: Vec<Table>,
    /// Pictures of it.
    pub plots: Vec<Plot>,
}

impl Measured {
    /// Notes a quantity.
    pub fn set(&mut self, name: impl Into<String>, value: f64) {
        self.values.push((name.into(), value));
    }
}
