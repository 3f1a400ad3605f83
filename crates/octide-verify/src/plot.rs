//! Plots as data and as SVG.

mod scale;
mod svg;

pub use svg::{STYLE, svg};

/// The scale of an axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// Linear.
    Linear,
    /// Logarithmic; numbers that are not positive are left out.
    Log,
}

/// An axis.
#[derive(Clone, PartialEq, Debug)]
pub struct Axis {
    /// The label, with the unit.
    pub label: String,
    /// The scale.
    pub scale: Scale,
    /// The tick positions; empty for automatic round numbers.
    pub ticks: Vec<f64>,
}

/// How a series is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// Own measurements: points joined by lines.
    Measured,
    /// Measurements or computations of others: hollow points.
    Reference,
    /// Theory: a dashed line without points.
    Guide,
    /// Many points: a line without marks.
    Line,
}

/// Points that belong together.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// How it is drawn.
    pub look: Look,
    /// The points, x and y.
    pub points: Vec<[f64; 2]>,
}

impl Series {
    /// Returns a series of own measurements.
    pub fn measured(name: impl Into<String>, points: Vec<[f64; 2]>) -> Self {
        Self { name: name.into(), look: Look::Measured, points }
    }

    /// Returns a series of results of others.
    pub fn reference(name: impl Into<String>, points: Vec<[f64; 2]>) -> Self {
        Self { name: name.into(), look: Look::Reference, points }
    }

    /// Returns a line from theory.
    pub fn guide(name: impl Into<String>, points: Vec<[f64; 2]>) -> Self {
        Self { name: name.into(), look: Look::Guide, points }
    }

    /// Returns a line without marks.
    pub fn line(name: impl Into<String>, points: Vec<[f64; 2]>) -> Self {
        Self { name: name.into(), look: Look::Line, points }
    }
}

/// A plot.
#[derive(Clone, PartialEq, Debug)]
pub struct Plot {
    /// The title.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The series, in the order in which they are drawn.
    pub series: Vec<Series>,
}

#[cfg(test)]
mod tests;
