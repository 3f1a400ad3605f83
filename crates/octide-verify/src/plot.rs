//! Plots as data, and as SVG.

mod scale;
mod svg;

pub use svg::{STYLE, svg};

/// How an axis spreads its numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// Evenly.
    Linear,
    /// By their logarithms; what is not positive is left out.
    Log,
}

/// An axis.
#[derive(Clone, PartialEq, Debug)]
pub struct Axis {
    /// What it shows, with its unit.
    pub label: String,
    /// How it spreads its numbers.
    pub scale: Scale,
    /// Where it is marked; empty where round numbers will do.
    pub ticks: Vec<f64>,
}

/// How a series is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// What was measured here: points, joined.
    Measured,
    /// What others measured or computed: hollow points.
    Reference,
    /// What theory says: a dashed line without points.
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
    /// What was measured here.
    pub fn measured(name: impl Into<String>, points: Vec<[f64; 2]>) -> Self {
        Self { name: name.into(), look: Look::Measured, points }
    }

    /// What others have.
    pub fn reference(name: impl Into<String>, points: Vec<[f64; 2]>) -> Self {
        Self { name: name.into(), look: Look::Reference, points }
    }

    /// What theory says.
    pub fn guide(name: impl Into<String>, points: Vec<[f64; 2]>) -> Self {
        Self { name: name.into(), look: Look::Guide, points }
    }

    /// A line.
    pub fn line(name: impl Into<String>, points: Vec<[f64; 2]>) -> Self {
        Self { name: name.into(), look: Look::Line, points }
    }
}

/// A plot.
#[derive(Clone, PartialEq, Debug)]
pub struct Plot {
    /// What it shows.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn, first to last.
    pub series: Vec<Series>,
}

#[cfg(test)]
mod tests;
