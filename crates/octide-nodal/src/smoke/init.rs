//! The initial state: sources that act at the start have filled their regions and set the velocity of the
//! air.

use super::objects;
use super::params::SmokeParams;
use super::sizing::first_tree;
use super::sources::Moment;
use super::state::SmokeState;
use crate::boundary::Boundary;
use crate::mesh::Mesh;
use octide_core::contract::StepError;
use octide_core::index::{FaceId, Field};
use octide_core::octree::Octree;
use octide_core::par;
use octide_core::scene::Scene;
use octide_core::solids::Solids;

/// Returns the state at time 0, or an error if its tree would have more cells than allowed.
pub fn initial_state(scene: &Scene, params: &SmokeParams) -> Result<SmokeState, StepError> {
    let grid = scene.domain.root_grid();
    let tree =
        first_tree(&grid, &Solids::on_grid(&scene.solids, 0.0, scene.domain.dx()), Moment::Start, params)?;
    Ok(state_on(scene, params, tree))
}

/// Returns the state at time 0 on a given tree.
pub fn state_on(scene: &Scene, params: &SmokeParams, tree: Octree) -> SmokeState {
    let mesh = Mesh::new(tree);
    let solids = Solids::on_grid(&scene.solids, 0.0, scene.domain.dx());
    let mut boundary = Boundary::new(&mesh, &solids, params.open);
    let mut density = Field::filled(mesh.n_nodes(), 0.0);
    let mut temperature = Field::filled(mesh.n_nodes(), 0.0);
    params.sources.fill(&mesh, &mut density, &mut temperature, Moment::Start);
    objects::empty(&mesh, &boundary, &solids, &mut density, &mut temperature);
    let mut u = Field::filled(mesh.n_faces(), 0.0);
    for (k, velocity) in params.sources.blow(&mesh, &mut boundary, &mut u, params.open.any(), Moment::Start) {
        u[k] = velocity;
    }
    let max_component = par::max(mesh.n_faces(), |k| u[FaceId(k as u32)].abs());
    let pressure = Field::filled(mesh.n_cells(), 0.0);
    SmokeState { time: 0.0, mesh: mesh.into(), u, density, temperature, pressure, push: None, max_component }
}
