//! What the rest of the house sees of smoke.

use super::params::SmokeParams;
use super::state::SmokeState;
use super::step::SmokeFindings;
use super::totals::totals;
use crate::transfer::corner_velocity;
use glam::DVec3;
use octide_core::contract::{CellSample, Frame, Smoke, SmokeCell, StepReport};
use octide_core::index::{CellId, Field, NodeId};
use octide_core::par;
use octide_core::scene::Solid;

/// The smoke, and the cells.
pub fn frame(state: &SmokeState) -> Frame {
    let mesh = &state.mesh;
    let cells = par::map_index(mesh.n_cells(), |i| {
        let c = CellId(i as u32);
        CellSample {
            center: mesh.tree.center(c).as_vec3().to_array(),
            size: mesh.tree.size(c) as f32,
            phi: f32::INFINITY,
            density: mesh.at_center(&state.density, c) as f32,
        }
    });
    Frame { time: state.time, cells, smoke: Some(smoke(state)), ..Frame::default() }
}

/// Cells that have smoke or heat at a corner, and those corners.
fn smoke(state: &SmokeState) -> Smoke {
    let SmokeState { mesh, density, temperature, u, .. } = state;
    let grid = mesh.tree.grid();
    let has_any =
        |c: CellId| mesh.nodes.of_cell(c).iter().any(|&v| density[v] != 0.0 || temperature[v] != 0.0);
    let cells: Vec<CellId> = mesh.tree.cells().filter(|&c| has_any(c)).collect();
    let mut number = Field::filled(mesh.n_nodes(), u32::MAX);
    let mut nodes: Vec<NodeId> = Vec::new();
    for &c in &cells {
        for &v in mesh.nodes.of_cell(c) {
            if number[v] == u32::MAX {
                number[v] = nodes.len() as u32;
                nodes.push(v);
            }
        }
    }
    let corners = corner_velocity(mesh, u);
    let cube = |&c: &CellId| {
        let node = mesh.tree.node_of(c);
        let half = mesh.tree.half_extent(node);
        // Lattice points count half edges of finest cells from the origin.
        let low = (mesh.tree.lattice_center(node) - half) / 2;
        SmokeCell {
            low: low.as_uvec3(),
            size: half as u32,
            corners: mesh.nodes.of_cell(c).map(|v| number[v]),
        }
    };
    Smoke {
        origin: grid.low(),
        dx: grid.dx(),
        cells: cells.iter().map(cube).collect(),
        density: nodes.iter().map(|&v| density[v] as f32).collect(),
        temperature: nodes.iter().map(|&v| temperature[v] as f32).collect(),
        velocity: nodes.iter().map(|&v| corners[v].as_vec3().to_array()).collect(),
    }
}

/// The state's figures.
pub fn report(
    state: &SmokeState,
    solids: &[Solid],
    params: &SmokeParams,
    gravity: DVec3,
    findings: &SmokeFindings,
) -> StepReport {
    let (totals, max_speed) = totals(state, solids, params, gravity);
    let p = &findings.projection;
    StepReport {
        cells: state.mesh.n_cells(),
        liquid_cells: p.n_unknowns,
        faces: state.mesh.n_faces(),
        volume: totals.volume,
        kinetic_energy: totals.kinetic_energy,
        max_speed,
        max_divergence: p.max_divergence,
        solver_iterations: p.iterations,
        solver_residual: p.residual,
        smoke: totals.smoke,
        stages: findings.stages.clone(),
        ..StepReport::default()
    }
}
