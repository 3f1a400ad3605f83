//! A framework for verification: cases that anyone can rerun, with the measured number beside the expected one.
//!
//! A [`Case`] is a short article (problem, reference, what is measured) with [`Quantity`]s that are declared
//! before it runs: the unit, the expected value, the [`Limit`], the source of the limit, and whether it is
//! expected to hold, known to fail, or not available. [`run()`] runs the case, and [`judge`] compares what was
//! [`Measured`] with what was declared. A [`Record`] is a result together with when, where and how long it
//! ran; [`report`] writes records as pages and reads them back. [`plot`] draws, and [`fit`] has orders of
//! convergence and error norms.
//!
//! Promises: a quantity that is declared but not measured, measured but not declared, or not finite fails. A
//! limit that was known to fail and now holds is an alarm. A case that returns an error or panics fails, and
//! the other cases still run. Nothing here reads or writes a file.
//!
//! The framework knows no method and no case, and depends on no other crate of octide. The cases are in
//! `octide-cases`.

mod case;
mod escape;
pub mod fit;
mod limit;
pub mod number;
pub mod plot;
mod record;
pub mod report;
mod run;
mod table;
mod verdict;

pub use case::{Article, Case, CaseError, Context, Measured, Observer, Quantity, SHARED};
pub use limit::{Expectation, Limit};
pub use record::{Record, RunInfo};
pub use run::{CaseResult, run};
pub use table::Table;
pub use verdict::{Finding, Status, judge};
