//! The books of volume in every step and with every method for water:
//!
//! ```text
//! start + in − out = volume − drift,   in and out never fall, nothing is negative,
//! out ≤ start + in,   start + in − out ≤ what the domain can hold.
//! ```
//!
//! [`tanks`] has tanks that were wrong once, [`moving`] sources that move, [`random`] scenes at random.
#![allow(clippy::unwrap_used)] // a test that fails may panic

mod moving;
mod random;
mod tanks;

use octide_core::contract::StepReport;

/// The methods that simulate water.
const METHODS: [&str; 2] = ["octree", "nodal-octree"];

/// Allowance for rounding, as a fraction of the largest volume.
const ROUNDING: f64 = 1e-9;

/// Checks the reports of a run, one after the other.
struct Auditor {
    start: f64,
    /// Volume of the domain in m³.
    domain: f64,
    /// The largest volume that there should have been.
    most: f64,
    last_in: f64,
    last_out: f64,
}

impl Auditor {
    fn new(first: &StepReport, domain: f64) -> Self {
        Self { start: first.volume, domain, most: first.volume, last_in: 0.0, last_out: 0.0 }
    }

    /// Returns what is wrong with a report.
    fn check(&mut self, r: &StepReport) -> Result<(), String> {
        let (volume_in, volume_out) = (r.volume_in, r.volume_out);
        let target = self.start + volume_in - volume_out;
        self.most = self.most.max(target);
        let slack = ROUNDING * self.most.max(1e-9);
        let drift = r.volume_drift * self.most;
        let rules = [
            (
                "all numbers are finite",
                [r.volume, drift, volume_in, volume_out].iter().all(|x| x.is_finite()),
            ),
            ("the volume is not negative", r.volume >= 0.0),
            ("what entered does not fall", volume_in >= self.last_in),
            ("what left does not fall", volume_out >= self.last_out),
            ("no more leaves than was there", target >= -slack),
            ("no more enters than there is room for", target <= self.domain.max(self.start) + slack),
            ("start + in - out = volume - drift", (r.volume - drift - target.max(0.0)).abs() <= slack),
        ];
        (self.last_in, self.last_out) = (volume_in, volume_out);
        match rules.iter().find(|(_, holds)| !holds) {
            Some((rule, _)) => Err(format!(
                "{rule}: start {}, in {volume_in}, out {volume_out}, volume {}, drift {drift}",
                self.start, r.volume
            )),
            None => Ok(()),
        }
    }
}
