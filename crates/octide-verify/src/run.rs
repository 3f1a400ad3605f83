//! Runs a case. Errors and panics inside the case become failed verdicts.

use crate::case::{Case, CaseError, Context, Measured, Quantity};
use crate::verdict::{Finding, Status, judge};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

/// The result of a case with a method.
#[derive(Clone)]
pub struct CaseResult {
    /// The case.
    pub case: &'static Case,
    /// The method.
    pub method: String,
    /// A verdict for each quantity.
    pub findings: Vec<Finding>,
    /// Tables and plots.
    pub measured: Measured,
    /// Why there are no numbers, if so.
    pub error: Option<String>,
    /// Wall time in seconds.
    pub seconds: f64,
}

impl CaseResult {
    /// Returns whether a limit is broken or the case failed.
    pub fn is_broken(&self) -> bool {
        self.error.is_some() || self.findings.iter().any(|f| f.status.is_broken())
    }

    /// Returns the number of findings with a status.
    pub fn count(&self, status: Status) -> usize {
        self.findings.iter().filter(|f| f.status == status).count()
    }
}

/// Runs a case and judges it. Returns an error only if it was asked to stop. A case without any available
/// quantity is not run.
pub fn run(case: &'static Case, context: &Context) -> Result<CaseResult, CaseError> {
    let start = Instant::now();
    let declared = (case.quantities)(context.method, context.quick);
    let outcome = if declared.is_empty() {
        Err(CaseError::Failed("the case declares nothing".to_owned()))
    } else if declared.iter().any(Quantity::is_available) {
        catch_unwind(AssertUnwindSafe(|| (case.run)(context)))
            .unwrap_or_else(|payload| Err(CaseError::Failed(format!("panicked: {}", message(&*payload)))))
    } else {
        Ok(Measured::default())
    };
    if outcome == Err(CaseError::Stopped) {
        return Err(CaseError::Stopped);
    }
    let findings = judge(declared, &outcome);
    let seconds = start.elapsed().as_secs_f64();
    let (measured, error) = match outcome {
        Ok(measured) => (measured, None),
        Err(CaseError::Failed(e)) => (Measured::default(), Some(e)),
        Err(CaseError::Stopped) => (Measured::default(), None),
    };
    Ok(CaseResult { case, method: context.method.to_owned(), findings, measured, error, seconds })
}

fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

#[cfg(test)]
mod tests;
