//! What Martin & Moyce 1952 measured, a = 2.25 inches = 0.05715 m.

/// A column.
pub(super) struct Experiment {
    pub(super) name: &'static str,
    /// Its height over its width.
    pub(super) n2: f64,
    /// dZ/dT of the experiment from Z = 1.67 on, by least squares.
    pub(super) slope: f64,
    /// dZ/dT of potential flow at the tip, and where water is a/16 and a/32 deep, if it is known.
    pub(super) theory: Option<[f64; 3]>,
    /// Z over T = n t √(g/a).
    pub(super) front: &'static [[f64; 2]],
    /// H = h/(n² a) over τ = t √(g/a).
    pub(super) height: &'static [[f64; 2]],
}

/// Both columns.
pub(super) const ALL: &[Experiment] = &[SQUARE, TALL];

/// Read from the figures: Leakey & Xie 2021 (arXiv:2108.08769), Fig. 7; up to Z = 5.
const SQUARE: Experiment = Experiment {
    name: "n² = 1",
    n2: 1.0,
    slope: 1.400,
    // At the tip it is 1.70 to 1.75.
    theory: Some([1.725, 1.51, 1.68]),
    front: &[
        [0.43, 1.11],
        [0.62, 1.22],
        [0.8, 1.44],
        [0.97, 1.67],
        [1.14, 1.89],
        [1.29, 2.11],
        [1.45, 2.33],
        [1.62, 2.56],
        [1.76, 2.78],
        [1.93, 3.0],
        [2.07, 3.22],
        [2.24, 3.44],
        [2.4, 3.67],
        [2.54, 3.89],
        [2.71, 4.11],
        [2.87, 4.33],
        [3.04, 4.56],
        [3.21, 4.78],
        [3.29, 4.89],
        [3.32, 5.0],
    ],
    height: &[
        [0.0, 1.0],
        [0.8, 0.89],
        [1.29, 0.78],
        [1.74, 0.67],
        [2.15, 0.56],
        [2.57, 0.44],
        [3.08, 0.33],
        [4.27, 0.22],
        [6.29, 0.11],
    ],
};

/// Tables 2 and 6 of the paper.
const TALL: Experiment = Experiment {
    name: "n² = 2",
    n2: 2.0,
    slope: 1.319,
    theory: None,
    front: &[
        [0.41, 1.11],
        [0.84, 1.22],
        [1.19, 1.44],
        [1.43, 1.67],
        [1.63, 1.89],
        [1.83, 2.11],
        [1.98, 2.33],
        [2.2, 2.56],
        [2.32, 2.78],
        [2.51, 3.0],
        [2.65, 3.22],
        [2.83, 3.44],
        [2.98, 3.67],
        [3.11, 3.89],
        [3.33, 4.11],
    ],
    height: &[
        [0.56, 0.94],
        [0.77, 0.89],
        [0.93, 0.83],
        [1.08, 0.78],
        [1.28, 0.72],
        [1.46, 0.67],
        [1.66, 0.61],
        [1.84, 0.56],
        [2.0, 0.5],
        [2.21, 0.44],
        [2.45, 0.39],
        [2.7, 0.33],
        [3.06, 0.28],
        [3.44, 0.22],
        [4.2, 0.17],
        [5.25, 0.11],
        [7.4, 0.06],
    ],
};
