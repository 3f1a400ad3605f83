//! A framework for verification: cases that anyone can rerun, with the measured number beside the expected one.
//!
//! A [`Case`] is a short article (problem, reference, what is measured) with [`Quantity`]s that are declared
//! before it runs: the unit, the expected value, the [`Limit`], the source of the limit, and whether it is
//! expected to hold, known to fail, or not available. [`run()`] runs the case, and [`judge`] compares what was
//! [`Measured`] with what was declared. A [`Record`] is a result together with when, where and how long it
//! ran; [`report`] writes records as pages and reads them back. [`plot`] draws, and [`fit`] has orders of
//! convergence and error norms.
//!
//! A case that measures the order of the midpoint rule:
//!
//! ```
//! use octide_verify::fit::Convergence;
//! use octide_verify::{Article, Case, Context, Limit, Measured, Quantity, run};
//!
//! static CASE: Case = Case {
//!     name: "midpoint-rule",
//!     title: "Order of the midpoint rule",
//!     summary: "∫ eˣ dx over [0, 1]",
//!     article: Article {
//!         problem: "∫ eˣ dx over [0, 1] by n midpoints.",
//!         reference: "e − 1; second order.",
//!         measured: "The order of the error over n by least squares.",
//!     },
//!     methods: || vec!["midpoint"],
//!     quick: true,
//!     quantities: |_method, _quick| {
//!         vec![Quantity::new("order", "").limit(Limit::Within(1.9, 2.1), "theory").expected(2.0)]
//!     },
//!     run: |context| {
//!         let mut errors = Convergence::new(&["error"]);
//!         for n in [8, 16, 32] {
//!             context.progress(&format!("{n} points"))?;
//!             let h = 1.0 / f64::from(n);
//!             let sum: f64 = (0..n).map(|i| h * (h * (f64::from(i) + 0.5)).exp()).sum();
//!             errors.add(n, h, &[(sum - 1f64.exp_m1()).abs()]);
//!         }
//!         let mut measured = Measured::default();
//!         measured.set("order", errors.order(0));
//!         measured.tables.push(errors.table("Errors", "points"));
//!         Ok(measured)
//!     },
//! };
//!
//! let result = run(&CASE, &Context { quick: true, method: "midpoint", threads: 1, observer: &() }).unwrap();
//! assert!(!result.is_broken());
//! ```
//!
//! Promises: a quantity that is declared but not measured, measured but not declared, or not finite fails. A
//! limit that was known to fail and now holds is an alarm. A case that returns an error or panics fails, and
//! the other cases still run. Nothing here reads or writes a file.
//!
//! The framework knows no method and no case, and depends on no other crate of octide. The cases are in
//! `octide-cases`.

#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr))]

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
