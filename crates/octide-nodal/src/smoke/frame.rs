//! The frame and the report of smoke, for writers, pictures and statistics.

use super::params::SmokeParams;
use super::state::SmokeState;
use super::totals::{max_speed, totals};
use crate::transfer::corner_velocity;
use octide_core::contract::{Cells, Frame, Smoke, StepReport};
use octide_core::faces::figures::FACES;
use octide_core::index::CellId;
use octide_core::par;
use octide_core::report::StepFindings;
use octide_core::scene::Solid;

/// Returns the smoke and the cells.
pub fn frame(state: &SmokeState) -> Frame {
    let SmokeState { mesh, density, temperature, u, .. } = state;
    let smoke = Smoke::at_corners(&mesh.tree, &mesh.nodes, density, temperature, &corner_velocity(mesh, u));
    let cells = Cells {
        density: par::map_index(mesh.n_cells(), |i| mesh.at_center(density, CellId(i as u32)) as f32),
        ..Cells::of_tree(&mesh.tree, |_| f64::INFINITY)
    };
    Frame { time: state.time, cells, smoke: Some(smoke), ..Frame::default() }
}

/// Returns the figures of a state.
pub fn report(
    state: &SmokeState,
    solids: &[Solid],
    params: &SmokeParams,
    findings: &StepFindings,
) -> StepReport {
    let totals = totals(state, solids, params);
    let p = &findings.projection;
    StepReport {
        cells: state.mesh.n_cells(),
        liquid_cells: p.n_unknowns,
        volume: totals.volume,
        kinetic_energy: totals.kinetic_energy,
        max_speed: max_speed(state, solids),
        max_divergence: p.max_divergence,
        solver_iterations: p.iterations,
        solver_residual: p.residual,
        smoke: totals.smoke,
        figures: vec![FACES.count(state.mesh.n_faces())],
        stages: findings.stages.clone(),
        ..StepReport::default()
    }
}
