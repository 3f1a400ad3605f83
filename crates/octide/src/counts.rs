//! What there is at a moment of a run, by number: what its memory depends on.

use octide_core::contract::{Frame, Particles, StepReport};

/// Numbers of cells, particles, triangles and so on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Leaves of the tree.
    pub cells: usize,
    /// Particles of the method, of all kinds.
    pub particles: usize,
    /// Triangles of the surface.
    pub triangles: usize,
    /// Particles in the frame, which need not have all of the method's.
    pub shown: usize,
    /// Spray particles.
    pub drops: usize,
    /// Cells with smoke.
    pub smoke_cells: usize,
}

/// Number of fields of [`Counts`].
const N_FIELDS: usize = 6;

impl Counts {
    /// Counts what a step reports.
    pub fn of_step(report: &StepReport) -> Self {
        Self { cells: report.cells, particles: report.particles, ..Self::default() }
    }

    /// Adds what a frame has.
    pub fn with_frame(self, frame: &Frame) -> Self {
        Self {
            triangles: frame.surface.mesh.triangles.len(),
            shown: frame.particles.len(),
            drops: frame.particles.kinds.iter().filter(|kind| **kind == Particles::SPRAY).count(),
            smoke_cells: frame.smoke.as_ref().map_or(0, |smoke| smoke.cells.len()),
            ..self
        }
    }

    /// Returns the larger of both for each number.
    pub fn max(self, other: Self) -> Self {
        self.combine([other], |a, [b]| a.max(b))
    }

    /// Combines each number with the same numbers of other counts.
    pub fn combine<const N: usize>(self, others: [Self; N], f: impl Fn(usize, [usize; N]) -> usize) -> Self {
        let others = others.map(Self::to_array);
        let mut numbers = self.to_array();
        for (i, number) in numbers.iter_mut().enumerate() {
            *number = f(*number, others.map(|other| other[i]));
        }
        Self::from_array(numbers)
    }

    fn to_array(self) -> [usize; N_FIELDS] {
        let Self { cells, particles, triangles, shown, drops, smoke_cells } = self;
        [cells, particles, triangles, shown, drops, smoke_cells]
    }

    fn from_array(numbers: [usize; N_FIELDS]) -> Self {
        let [cells, particles, triangles, shown, drops, smoke_cells] = numbers;
        Self { cells, particles, triangles, shown, drops, smoke_cells }
    }
}
