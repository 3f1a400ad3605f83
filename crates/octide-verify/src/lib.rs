//! Octide's claims as cases that anyone can rerun: for each the measured number beside the expected one.
//!
//! A [`Case`] is a short article (problem, reference, what is measured) with [`Quantity`]s that are declared
//! before it runs: the unit, the expected value, the [`Limit`], where the limit comes from, and whether it is
//! expected to hold, known to fail, or not available yet. [`run()`] runs it and [`judge`] sets what was
//! [`Measured`] against what was declared. [`report`] makes pages of the results, with plots by [`plot`];
//! [`fit`] has what cases share: orders, norms, tables of convergence. [`CASES`] is the one list.
//!
//! Promises: what was declared and not measured, measured and not declared, or is not a finite number, fails.
//! A limit that was known to fail and now holds is an alarm. A case that errs or panics fails, and the others
//! still run. Nothing here reads or writes a file.

mod case;
mod cases;
pub mod fit;
mod limit;
pub mod number;
pub mod plot;
pub mod report;
mod run;
mod table;
mod verdict;

pub use case::{Article, Case, CaseError, Context, Measured, Observer, Quantity, SHARED};
pub use cases::{CASES, all, find};
pub use limit::{Expectation, Limit};
pub use run::{CaseResult, run};
pub use table::Table;
pub use verdict::{Finding, Status, judge};
