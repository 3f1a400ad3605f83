//! Orders of convergence by least squares, error norms, tables of convergence.
//!
//! An error e = C hᵖ is a line in the logarithms, ln e = ln C + p ln h; the order p is the slope of the line by
//! least squares.

use crate::number;
use crate::plot::{Axis, Plot, Scale, Series};
use crate::table::Table;

/// Returns the order of errors `e` over sizes `h` (h, e); NaN if fewer than two sizes differ or an error is not
/// positive and finite.
pub fn order(points: &[(f64, f64)]) -> f64 {
    let usable = |x: f64| x > 0.0 && x.is_finite();
    if !points.iter().all(|&(h, e)| usable(h) && usable(e)) {
        return f64::NAN;
    }
    let n = points.len() as f64;
    let mean = |f: fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / n;
    let (x, y) = (mean(|p| p.0.ln()), mean(|p| p.1.ln()));
    let (mut xx, mut xy) = (0.0, 0.0);
    for &(h, e) in points {
        xx += (h.ln() - x).powi(2);
        xy += (h.ln() - x) * (e.ln() - y);
    }
    if xx > 1e-12 { xy / xx } else { f64::NAN }
}

/// Norms of an error, averaged over the volume.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Norms {
    /// Σ V |e| / Σ V.
    pub l1: f64,
    /// √(Σ V e² / Σ V).
    pub l2: f64,
    /// max |e|; NaN if any error is NaN.
    pub max: f64,
}

/// Returns the norms of errors given with the volumes they represent (error, volume); zero for an empty list.
pub fn norms(errors: impl IntoIterator<Item = (f64, f64)>) -> Norms {
    let (mut sum, mut squares, mut volume, mut max) = (0.0, 0.0, 0.0, 0.0);
    for (e, v) in errors {
        sum += v * e.abs();
        squares += v * e * e;
        volume += v;
        // f64::max would ignore NaN.
        max = if e.is_nan() || e.abs() > max { e.abs() } else { max };
    }
    if volume > 0.0 {
        Norms { l1: sum / volume, l2: (squares / volume).sqrt(), max }
    } else {
        Norms::default()
    }
}

/// Errors on a sequence of grids.
#[derive(Clone, Debug, Default)]
pub struct Convergence {
    grids: Vec<(u32, f64)>,
    names: Vec<String>,
    /// One row for each grid.
    errors: Vec<Vec<f64>>,
}

impl Convergence {
    /// Starts a sequence of grids for errors with these names.
    pub fn new(names: &[&str]) -> Self {
        Self { names: names.iter().map(|&n| n.to_owned()).collect(), ..Self::default() }
    }

    /// Adds a grid with `n` cells (or another count), the cell size `h`, and its errors in the order of the names.
    pub fn add(&mut self, n: u32, h: f64, errors: &[f64]) {
        debug_assert_eq!(errors.len(), self.names.len());
        self.grids.push((n, h));
        self.errors.push(errors.to_vec());
    }

    /// Returns the order of an error over all grids.
    pub fn order(&self, column: usize) -> f64 {
        let points: Vec<_> = self.grids.iter().zip(&self.errors).map(|(g, e)| (g.1, e[column])).collect();
        order(&points)
    }

    /// Returns the error on the last grid.
    pub fn last(&self, column: usize) -> f64 {
        self.errors.last().map_or(f64::NAN, |e| e[column])
    }

    /// Returns a table of errors with the orders from grid to grid, and over all grids in the last row.
    pub fn table(&self, title: &str, counts: &str) -> Table {
        let mut columns = vec![counts.to_owned()];
        columns.extend(self.names.iter().flat_map(|n| [n.clone(), "order".to_owned()]));
        let mut rows = Vec::new();
        for (i, (&(n, h), errors)) in self.grids.iter().zip(&self.errors).enumerate() {
            let mut row = vec![n.to_string()];
            for (column, &e) in errors.iter().enumerate() {
                row.push(number::error(e));
                row.push(if i == 0 {
                    String::new()
                } else {
                    order_text(order(&[(self.grids[i - 1].1, self.errors[i - 1][column]), (h, e)]))
                });
            }
            rows.push(row);
        }
        let mut all = vec!["all".to_owned()];
        all.extend((0..self.names.len()).flat_map(|c| [String::new(), order_text(self.order(c))]));
        rows.push(all);
        Table { title: title.to_owned(), columns, rows }
    }

    /// Returns a plot of the errors over the grids, with a guide line of the order `slope`; no line if it is 0.
    pub fn plot(&self, title: &str, counts: &str, error: &str, slope: f64) -> Plot {
        let ns: Vec<f64> = self.grids.iter().map(|g| f64::from(g.0)).collect();
        let mut series = Vec::new();
        for (column, name) in self.names.iter().enumerate() {
            let points: Vec<[f64; 2]> =
                ns.iter().zip(&self.errors).map(|(&n, errors)| [n, errors[column]]).collect();
            series.push(Series::measured(name.clone(), points));
        }
        // Below all errors, so that it hides none.
        let lowest = self.errors.last().into_iter().flatten().copied().filter(|&e| e > 0.0).reduce(f64::min);
        if let (true, Some(e), Some(&first), Some(&last)) = (slope.abs() > 0.0, lowest, ns.first(), ns.last())
        {
            let at = |n: f64| [n, 0.5 * e * (last / n).powf(slope)];
            series.push(Series::guide(format!("order {}", number::short(slope)), vec![at(first), at(last)]));
        }
        Plot {
            title: title.to_owned(),
            x: Axis { label: counts.to_owned(), scale: Scale::Log, ticks: ns },
            y: Axis { label: error.to_owned(), scale: Scale::Log, ticks: Vec::new() },
            series,
        }
    }
}

fn order_text(p: f64) -> String {
    if p.is_finite() { format!("{p:.2}") } else { "–".to_owned() }
}

#[cfg(test)]
mod tests;
