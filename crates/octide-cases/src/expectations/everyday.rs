//! The limits of everyday scenes that a method is known to miss, with what was measured: one file for each method,
//! one line for each quantity.
//!
//! ```text
//! form | quantity | measured | reason, where it is known
//! ```
//!
//! The lists follow from measurements, and reasons are kept:
//!
//! ```text
//! octide verify everyday --docs docs/verify                 measures the full form
//! octide verify everyday --quick --docs OUT                 measures the quick form
//! python3 tools/everyday/misses.py docs/verify/results.json OUT/results.json
//! octide verify --docs docs/verify --judge                  judges the page by the new lists, with a new binary
//! ```

use octide_verify::Quantity;

/// The lists by method.
const LISTS: &[(&str, &str)] = &[
    ("octree", include_str!("everyday/octree.txt")),
    ("nodal-octree", include_str!("everyday/nodal-octree.txt")),
];

/// A limit that is missed.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Miss {
    /// Whether it is of the quick form.
    quick: bool,
    quantity: String,
    /// What was measured.
    measured: String,
    /// Why, if it is known.
    reason: String,
}

impl Miss {
    fn read(line: &str) -> Option<Self> {
        let mut fields = line.splitn(4, '|').map(str::trim);
        let quick = match fields.next()? {
            "quick" => true,
            "full" => false,
            _ => return None,
        };
        let mut next = || fields.next().map(str::to_owned);
        Some(Self { quick, quantity: next()?, measured: next()?, reason: next().unwrap_or_default() })
    }

    /// Returns what is known about it.
    fn why(&self) -> String {
        let end = if self.reason.is_empty() { String::new() } else { format!(". {}", self.reason) };
        format!("{} was measured{end}", self.measured)
    }
}

/// Returns the limits that a method misses.
pub(crate) fn of(method: &str) -> Vec<Miss> {
    let list = LISTS.iter().find(|l| l.0 == method).map_or("", |l| l.1);
    list.lines().filter_map(Miss::read).collect()
}

/// Declares the limits that are missed.
pub(crate) fn apply(misses: &[Miss], quick: bool, quantities: Vec<Quantity>) -> Vec<Quantity> {
    let declare = |q: Quantity| match misses.iter().find(|m| m.quick == quick && m.quantity == q.name) {
        Some(miss) => q.known_to_fail(miss.why()),
        None => q,
    };
    quantities.into_iter().map(declare).collect()
}

#[cfg(test)]
mod tests;
