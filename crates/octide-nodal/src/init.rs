//! The initial state: the tree is built from the scene's shapes, from the roots down.

use crate::boundary::Boundary;
use crate::detach::Gaps;
use crate::extend::{extend_phi, extend_projected_velocity};
use crate::level_set::redistance;
use crate::memory::WATER;
use crate::mesh::Mesh;
use crate::params::Params;
use crate::particles::LevelParticles;
use crate::pressure::{Water, close_faces, project_water};
use crate::project::PressureSolver;
use crate::sizing::first_tree;
use crate::state::State;
use crate::volume::liquid_volume;
use octide_core::ceiling;
use octide_core::contract::StepError;
use octide_core::faces::detach::Detached;
use octide_core::faces::inflows::prescribe;
use octide_core::flows::Moment;
use octide_core::index::{FaceId, Field, NodeId};
use octide_core::octree::{Grading, Octree};
use octide_core::par;
use octide_core::scene::Scene;
use octide_core::scene::start::{InitialWater, against_walls, with_flows};
use octide_core::solids::{Solids, refined_at_walls};
use octide_core::speeds::longest_step;
use octide_core::volume::VolumeControl;

/// Returns the state at time 0, or an error if its tree would have more cells than allowed.
pub fn initial_state(scene: &Scene, params: &Params) -> Result<State, StepError> {
    let grid = scene.domain.root_grid();
    let at_start = against_walls(&with_flows(scene));
    let solids = Solids::on_grid(&scene.solids, 0.0, grid.dx());
    let water = InitialWater::new(&at_start);
    let tree = first_tree(&grid, |p| water.distance(p), |p| solids.distance(p), params)?;
    let tree = params.flows.during(beginning(scene)).refined(tree, Grading::Unrestricted);
    let tree = refined_at_walls(tree, Grading::Unrestricted, &solids, |x| water.distance(x));
    WATER.allow(tree.n_cells(), params.max_cells)?;
    Ok(state_on(scene, params, tree))
}

/// Returns the first moment, from which on inflows have their velocity and the volume they add is counted.
fn beginning(scene: &Scene) -> Moment {
    Moment { time: 0.0, dt: 1e-3 / scene.time.fps }
}

/// Returns the state at time 0 on a given tree.
pub fn state_on(scene: &Scene, params: &Params, tree: Octree) -> State {
    let at_start = against_walls(&with_flows(scene));
    let mesh = Mesh::new(tree);
    let solids = Solids::on_grid(&scene.solids, 0.0, mesh.tree.grid().dx());
    let boundary = Boundary::new(&mesh, &solids, scene.open);
    // If there is no liquid, every distance is the domain's size.
    let far = scene.domain.size.length();
    let water = InitialWater::new(&at_start);
    let mut phi =
        par::map(mesh.n_nodes(), |v: NodeId| water.distance(mesh.node_position(v)).clamp(-far, far));
    mesh.constrain(&mut phi);
    let phi = extend_phi(&mesh, phi, &boundary, &solids, params.gravity, &Gaps::default(), None);
    let phi = redistance(&mesh, &phi, f64::INFINITY);
    let mut u = par::map(mesh.n_faces(), |k: FaceId| {
        if boundary.is_wall(&mesh, k) {
            0.0
        } else {
            water.velocity(mesh.face_position(k))[mesh.faces.axis(k)]
        }
    });
    let max_component = par::max(mesh.n_faces(), |k| u[FaceId(k as u32)].abs());
    let prescribed = prescribe(&params.flows, &mesh, &mut boundary.clone(), beginning(scene));
    prescribed.set(&mut u, &mut Field::filled(mesh.n_faces(), false));
    let (mesh, pushed) = pushed_velocity(scene, params, mesh, &phi, &u, max_component);
    let u = pushed.unwrap_or(u);
    let volume = liquid_volume(&mesh, &phi, &boundary, &solids);
    let particles = LevelParticles::seeded(&mesh, &phi, &solids, &params.particles);
    let position = |v| mesh.node_position(v);
    State {
        time: 0.0,
        clear_ceiling: ceiling::is_clear(mesh.tree.grid(), &phi, position, params.gravity),
        pressure: Field::filled(mesh.n_cells(), 0.0),
        control: VolumeControl::new(volume),
        crossing: prescribed.sources,
        detached: Vec::new(),
        boundary: boundary.into(),
        phi,
        u,
        particles,
        max_component,
        volume,
        mesh: mesh.into(),
    }
}

/// Returns the velocity of water that solids push from the start, if some deform: they push it in the first step, which
/// moves the surface with this velocity. None also if there is no such velocity; the first step will say why.
fn pushed_velocity(
    scene: &Scene,
    params: &Params,
    mesh: Mesh,
    phi: &Field<NodeId, f64>,
    u: &Field<FaceId, f64>,
    speed: f64,
) -> (Mesh, Option<Field<FaceId, f64>>) {
    let grid = mesh.tree.grid();
    let dt = longest_step(scene, grid, 0.0, speed, f64::INFINITY);
    if scene.solids.iter().all(|s| s.deforming_speed(0.0, dt) <= 0.0) {
        return (mesh, None);
    }
    let solids = Solids::between_steps(&scene.solids, 0.0, dt, grid.dx());
    let boundary = Boundary::new(&mesh, &solids, scene.open);
    let mut detached = Detached::none(mesh.n_cells());
    let (mut closed, prescribed) =
        close_faces(&mesh, &boundary, &solids, &detached, beginning(scene), params);
    let rest = Field::filled(mesh.n_cells(), 0.0);
    let mesh = mesh.without_leaves();
    let solver = &mut PressureSolver::default();
    let mut phi = phi.clone();
    let water = Water {
        phi: &mut phi,
        solids: &solids,
        closed: &mut closed,
        detached: &mut detached,
        prescribed: &prescribed,
    };
    let projected = project_water(&mesh, water, u.clone(), 0.0, rest, dt, false, params, solver).ok();
    let u = projected.map(|p| extend_projected_velocity(&mesh, &phi, &closed, p, prescribed, dt, params).u);
    (mesh.with_leaves(), u)
}
