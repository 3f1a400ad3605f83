//! The method `nodal-octree`.

use super::{Entry, Expectations, Fact, Form};
use crate::nodal_octree::given_trees;
use crate::water::tracking::Cells::{Distance, Particles, Uniform};
use octide_nodal::{NodalLiquid, Params};
use octide_verify::Limit;

pub(super) const EXPECTATIONS: Expectations = Expectations {
    method: "nodal-octree",
    entries: ENTRIES,
    start_with_curvature: Some(|scene, curvature| {
        let params = Params { imposed_curvature: Some(curvature), ..Params::from_scene(scene) };
        Box::new(NodalLiquid::with_params(scene, params))
    }),
    given_trees: given_trees::runs,
    // Volume correction and sizing are part of a full time step of this method, not of its surface tracking.
    deformation_runs: |quick| {
        let sides: &[u32] = if quick { &[32] } else { &[32, 64, 128] };
        sides.iter().flat_map(|&n| [(n, Distance, false), (n, Particles, false)]).collect()
    },
    zalesak_runs: |quick| {
        if quick {
            vec![(32, Uniform), (32, Distance), (32, Particles)]
        } else {
            vec![(50, Uniform), (50, Distance), (50, Particles), (128, Distance), (128, Particles)]
        }
    },
};

/// The source of limits that we set ourselves.
const PARTICLES_HELP: &str = "our own requirement: particles must help";

const ENTRIES: &[Entry] = &[
    Entry {
        case: "zalesak",
        quantity: "Σ|Δ|dV with particles over without, 32³",
        form: Form::Quick,
        fact: Fact::Limit(Limit::AtMost(0.75), PARTICLES_HELP),
    },
    Entry {
        case: "zalesak",
        quantity: "Σ|Δ|dV with particles over without, 50³",
        form: Form::Full,
        fact: Fact::Limit(Limit::AtMost(0.75), PARTICLES_HELP),
    },
    Entry {
        case: "zalesak",
        quantity: "Σ|Δ|dV with particles over without, 128³",
        form: Form::Full,
        fact: Fact::Limit(Limit::AtMost(0.75), PARTICLES_HELP),
    },
    Entry {
        case: "zalesak",
        quantity: "volume, 128³ by distance, with particles",
        form: Form::Full,
        fact: Fact::Limit(Limit::Within(-3.0, 3.0), "requirement: 3 % with particles at 128³"),
    },
    Entry {
        case: "deformation",
        quantity: "Σ|Δ|dV with particles over without, 32³",
        form: Form::Both,
        fact: Fact::Limit(Limit::AtMost(0.75), PARTICLES_HELP),
    },
    Entry {
        case: "deformation",
        quantity: "Σ|Δ|dV with particles over without, 64³",
        form: Form::Full,
        fact: Fact::Limit(Limit::AtMost(0.75), PARTICLES_HELP),
    },
    Entry {
        case: "deformation",
        quantity: "Σ|Δ|dV with particles over without, 128³",
        form: Form::Full,
        fact: Fact::Limit(Limit::AtMost(0.75), PARTICLES_HELP),
    },
    Entry {
        case: "deformation",
        quantity: "volume, 128³ by distance, with particles",
        form: Form::Full,
        fact: Fact::Limit(Limit::Within(-3.0, 3.0), "requirement: 3 % with particles in the whole band"),
    },
];
