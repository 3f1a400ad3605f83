//! What differs by method in the shared cases: known failures, limits of one method only, options, and runs
//! that need a method's own functions. All of it is data, one file for each method.
//!
//! A method without a file here gets [`NEUTRAL`]: every limit that a case declares is expected to hold, and
//! only what every method can do is measured.

pub(crate) mod everyday;
mod nodal_octree;
mod octree;

use crate::water::deformation::Run;
use crate::water::rest_t_junctions::GivenTree;
use crate::water::tracking::{Cells, Volume};
use crate::water::zalesak;
use octide_core::contract::Method;
use octide_core::scene::Scene;
use octide_verify::{Limit, Quantity};

/// The methods with expectations of their own.
const ALL: &[Expectations] = &[octree::EXPECTATIONS, nodal_octree::EXPECTATIONS];

/// Starts a scene with a curvature in 1/m.
type StartWithCurvature = fn(&Scene, f64) -> Box<dyn Method>;

/// What is expected of a method, and what is run with it.
pub(crate) struct Expectations {
    /// The method's name.
    method: &'static str,
    /// What is known about single quantities.
    entries: &'static [Entry],
    /// Starts a scene with the same curvature (1/m) everywhere on the surface, if the method can.
    pub(crate) start_with_curvature: Option<StartWithCurvature>,
    /// Returns runs on trees that the case gives to the method.
    pub(crate) given_trees: fn() -> Vec<GivenTree>,
    /// Returns the runs of the deformation case in its quick or full form.
    pub(crate) deformation_runs: fn(quick: bool) -> Vec<Run>,
    /// Returns the runs of Zalesak's sphere in its quick or full form.
    pub(crate) zalesak_runs: fn(quick: bool) -> Vec<zalesak::Run>,
}

/// What is known about a quantity.
struct Entry {
    case: &'static str,
    quantity: &'static str,
    form: Form,
    fact: Fact,
}

/// The forms of a case that an entry is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Quick,
    Full,
    Both,
}

/// What is known.
enum Fact {
    /// The limit does not hold, for this reason.
    KnownToFail(&'static str),
    /// The quantity has this limit with this method, from this source.
    Limit(Limit, &'static str),
}

/// Why the pressure at a ball is not of second order in the maximum norm.
const AT_BALL: &str = "The largest error among the cells that the ball cuts is smaller than that of the others and falls \
    unevenly, by orders of 1.4 to 2.4 from grid to grid, 1.73 over all.";

/// The entry about it, the same for methods with the same faces on equal cells.
const PRESSURE_AT_BALL: Entry = Entry {
    case: "poisson-solid",
    quantity: "uniform cells: order, L∞ at the ball",
    form: Form::Both,
    fact: Fact::KnownToFail(AT_BALL),
};

/// What holds for a method about which nothing is known.
const NEUTRAL: Expectations = Expectations {
    method: "",
    entries: &[],
    start_with_curvature: None,
    given_trees: Vec::new,
    deformation_runs: |quick| {
        let sides: &[u32] = if quick { &[32] } else { &[32, 64, 128] };
        sides.iter().map(|&n| (n, Cells::Distance, Volume::Free)).collect()
    },
    zalesak_runs: |quick| {
        let n = if quick { 32 } else { 50 };
        vec![(n, Cells::Uniform, Volume::Free), (n, Cells::Distance, Volume::Free)]
    },
};

/// Returns what is expected of a method.
pub(crate) fn of(method: &str) -> &'static Expectations {
    ALL.iter().find(|e| e.method == method).unwrap_or(&NEUTRAL)
}

/// Returns the quantities that a case declares, changed by what is known about the method.
pub(crate) fn apply(case: &str, method: &str, quick: bool, mut quantities: Vec<Quantity>) -> Vec<Quantity> {
    for entry in of(method).entries.iter().filter(|e| e.case == case && e.form.includes(quick)) {
        for q in quantities.iter_mut().filter(|q| q.name == entry.quantity) {
            *q = match entry.fact {
                Fact::KnownToFail(why) => q.clone().known_to_fail(why),
                Fact::Limit(limit, source) => q.clone().limit(limit, source),
            };
        }
    }
    quantities
}

impl Form {
    fn includes(self, quick: bool) -> bool {
        match self {
            Self::Quick => quick,
            Self::Full => !quick,
            Self::Both => true,
        }
    }
}

#[cfg(test)]
mod tests;
