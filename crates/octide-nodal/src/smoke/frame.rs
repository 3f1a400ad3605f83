//! What the rest of the house sees of smoke.

use super::params::SmokeParams;
use super::state::SmokeState;
use super::totals::{max_speed, totals};
use crate::transfer::corner_velocity;
use octide_core::contract::{CellSample, Frame, Smoke, StepReport};
use octide_core::index::CellId;
use octide_core::par;
use octide_core::report::StepFindings;
use octide_core::scene::Solid;

/// The smoke, and the cells.
pub fn frame(state: &SmokeState) -> Frame {
    let SmokeState { mesh, density, temperature, u, .. } = state;
    let smoke = Smoke::at_corners(&mesh.tree, &mesh.nodes, density, temperature, &corner_velocity(mesh, u));
    let cells = par::map_index(mesh.n_cells(), |i| {
        let c = CellId(i as u32);
        CellSample {
            center: mesh.tree.center(c).as_vec3().to_array(),
            size: mesh.tree.size(c) as f32,
            phi: f32::INFINITY,
            density: mesh.at_center(density, c) as f32,
        }
    });
    Frame { time: state.time, cells, smoke: Some(smoke), ..Frame::default() }
}

/// The state's figures.
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
        faces: state.mesh.n_faces(),
        volume: totals.volume,
        kinetic_energy: totals.kinetic_energy,
        max_speed: max_speed(state, solids),
        max_divergence: p.max_divergence,
        solver_iterations: p.iterations,
        solver_residual: p.residual,
        smoke: totals.smoke,
        stages: findings.stages.clone(),
        ..StepReport::default()
    }
}
