//! The initial state: the tree is refined in rounds until the shapes are resolved (§6.4).

use crate::apertures::measured;
use crate::ceiling;
use crate::conserve;
use crate::extend::{ExtendedVelocity, extend_phi, extend_projected_velocity, inflow_flow, restore_distance};
use crate::flows::{Moment, prescribe};
use crate::memory::MODEL;
use crate::mesh::Mesh;
use crate::nodal::corner_velocity;
use crate::params::Params;
use crate::particles::Particles;
use crate::particles::activity::particle_activity;
use crate::particles::renew::{Water, renew};
use crate::project::project;
use crate::regions::initial_bodies;
use crate::sizing::{SizingInput, sizing, tree_for};
use crate::solids::{Solids, refined_at_walls};
use crate::state::State;
use crate::tension::redistance_smoothly;
use crate::volume::{VolumeControl, liquid_volume};
use octide_core::contract::StepError;
use octide_core::faces::detach::Detached;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::octree::{Grading, Octree, Refinement};
use octide_core::par;
use octide_core::scene::start::{FIRST_LOOK, InitialWater, against_walls, first_look, with_flows};
use octide_core::scene::{OpenSides, Scene, Solid, VolumeCorrection};
use octide_core::speeds::longest_step;

/// Builds the state at time 0; an error if its tree has more cells than are allowed.
pub fn initial_state(scene: &Scene, params: &Params) -> Result<State, StepError> {
    let grid = scene.domain.root_grid();
    let scene = &with_flows(scene);
    let looks: Vec<u8> = scene.liquids.iter().map(|l| first_look(&grid, l)).collect();
    let scene = &against_walls(scene);
    let solids = Solids::on_grid(&scene.solids, 0.0, grid.dx());
    let mut first = Refinement::new(&grid).at_most(params.max_cells);
    let water = InitialWater::new(scene);
    first.refine_where(|c| water.is_surface_within(c.center, 1.5 * c.size, |i| c.level < looks[i]));
    if first.is_over() {
        return Err(MODEL.refused(params.max_cells.saturating_add(1), params.max_cells));
    }
    let mut tree = first.build(Grading::Graded);
    MODEL.allow(tree.n_cells(), params.max_cells)?;
    for _ in 0..=FIRST_LOOK {
        let mesh = Mesh::new(tree);
        let (phi, u) = sample(scene, &mesh);
        let apertures = measured(&mesh, &solids, OpenSides::default());
        let none = Field::filled(mesh.n_cells(), 0.0);
        let s = sizing(&mesh, &phi, &u, &apertures, &solids, &none, params);
        let corners = corner_velocity(&mesh, &u);
        let input = SizingInput { phi: &phi, apertures: &apertures, s: &s, corners: &corners };
        tree = tree_for(&mesh, &input, &[], 0.0, params)?;
        tree = refined_at_walls(tree, Grading::Graded, &solids, |x| water.distance(x));
        MODEL.allow(tree.n_cells(), params.max_cells)?;
        // An outflow in water is a hole that no surface of a liquid shows.
        if !scene.outflows.is_empty() {
            tree = params.flows.during(beginning(scene)).refined(tree, Grading::Graded);
            MODEL.allow(tree.n_cells(), params.max_cells)?;
        }
    }
    Ok(state_on(scene, params, tree))
}

/// Returns the first moment, from which on inflows and outflows act.
fn beginning(scene: &Scene) -> Moment {
    Moment { time: 0.0, dt: 1e-3 / scene.time.fps }
}

/// Builds the state at time 0 on a given tree.
pub fn state_on(scene: &Scene, params: &Params, tree: Octree) -> State {
    let scene = &against_walls(&with_flows(scene));
    let mesh = Mesh::new(tree).with_interpolation(params.interpolation);
    let (phi, mut u) = sample(scene, &mesh);
    let solids = Solids::on_grid(&scene.solids, 0.0, mesh.tree.grid().dx());
    let apertures = measured(&mesh, &solids, scene.open);
    let phi = extend_phi(&mesh, phi, &apertures, &solids, &Detached::default(), scene.physics.gravity);
    let phi = if params.surface_tension > 0.0 {
        redistance_smoothly(&mesh, &phi, &apertures)
    } else {
        restore_distance(&mesh, &phi, &apertures)
    };
    let volume = liquid_volume(&mesh, &phi, &apertures, &solids);
    let none = Field::filled(mesh.n_cells(), 0.0);
    let max_component = par::max(mesh.n_faces(), |k| u[FaceId(k as u32)].abs());
    // Inflows have their velocity from the start, and the volume they bring is counted.
    let prescribed = prescribe(&params.flows, &mesh, &mut apertures.clone(), beginning(scene));
    prescribed.set(&mut u, &mut Field::filled(mesh.n_faces(), false));
    let (crossing, exact_flow) = match pushed_velocity(scene, params, &mesh, &phi, &u, max_component) {
        Some(pushed) => {
            u = pushed.u;
            (pushed.crossing, pushed.exact_flow)
        }
        None => (prescribed.sources.clone(), inflow_flow(&mesh, &prescribed)),
    };
    let regions = (params.volume_correction == VolumeCorrection::Regional)
        .then(|| initial_bodies(&mesh, &phi, &apertures, &solids));
    let content = conserve::initial_content(&mesh, &phi, &apertures, &solids, params);
    let clear_ceiling = ceiling::is_clear(&mesh, &phi, scene.physics.gravity);
    let activity = particle_activity(&mesh, &phi, &u, params);
    let water = Water {
        mesh: &mesh,
        phi: &phi,
        u: &u,
        before: None,
        apertures: &apertures,
        solids: &solids,
        activity: &activity,
    };
    let particles = renew(&water, Particles::default(), params);
    State {
        detached: Vec::new(),
        time: 0.0,
        apertures,
        phi,
        u,
        pressure: none,
        decayed_sizing: Field::filled(mesh.n_cells(), 0.0),
        particles,
        clear_ceiling,
        max_component,
        volume,
        control: VolumeControl::new(volume),
        content,
        exact_flow,
        crossing,
        regions,
        mesh: mesh.into(),
    }
}

/// Returns the velocity of water that solids or inflows push from the start: the first step moves the surface with this
/// velocity. `None` if nothing pushes, or if there is no such velocity; the first step will say why.
fn pushed_velocity(
    scene: &Scene,
    params: &Params,
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    u: &Field<FaceId, f64>,
    speed: f64,
) -> Option<ExtendedVelocity> {
    let grid = mesh.tree.grid();
    let dt = longest_step(scene, grid, 0.0, speed, f64::INFINITY);
    let moves = |s: &Solid| !s.motion.is_still() || s.deforming_speed(0.0, dt) > 0.0;
    if scene.inflows.is_empty() && !scene.solids.iter().any(moves) {
        return None;
    }
    let solids = Solids::between_steps(&scene.solids, 0.0, dt, grid.dx());
    let mut apertures = measured(mesh, &solids, scene.open);
    let prescribed = prescribe(&params.flows, mesh, &mut apertures, beginning(scene));
    let rest = Field::filled(mesh.n_cells(), 0.0);
    let projected = project(mesh, phi, &apertures, u.clone(), 0.0, rest, params).ok()?;
    Some(extend_projected_velocity(mesh, phi, &apertures, projected, prescribed, params))
}

fn sample(scene: &Scene, mesh: &Mesh) -> (Field<CellId, f64>, Field<FaceId, f64>) {
    // If there is no liquid, every distance is the size of the domain.
    let far = scene.domain.size.length();
    let water = InitialWater::new(scene);
    let phi = par::map(mesh.n_cells(), |c: CellId| water.distance(mesh.tree.center(c)).clamp(-far, far));
    let u = par::map(mesh.n_faces(), |k: FaceId| {
        if mesh.side_of(k).is_some_and(|side| !scene.open.sides[side]) {
            0.0
        } else {
            water.velocity(mesh.face_position(k))[mesh.faces.axis(k)]
        }
    });
    (phi, u)
}
