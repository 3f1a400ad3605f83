//! What the rest of the house sees of a state.

use crate::mesh::Mesh;
use crate::nodal::{corner_velocity, velocity_at};
use crate::params::Params;
use crate::particles::RADIUS;
use crate::solids::Solids;
use crate::state::State;
use crate::step::StepFindings;
use crate::volume::cell_volume;
use glam::DVec3;
use octide_core::contract::{CellSample, Frame, Particles, StepReport};
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;
use octide_core::scene::Solid;
use octide_core::surface::extract::extract;

/// The surface with velocities, and the cells.
pub fn frame(state: &State, solids: &[Solid]) -> Frame {
    let mesh = &state.mesh;
    let solids = Solids::at(solids, state.time);
    let phi = outside_solids(mesh, &state.phi, &solids);
    let corners = corner_velocity(mesh, &state.u);
    let surface = extract(&mesh.tree, mesh.nodes(), &phi).to_surface(|p, _| velocity_at(mesh, &corners, p));
    let cells = par::map_index(mesh.n_cells(), |i| {
        let c = CellId(i as u32);
        CellSample {
            center: mesh.tree.center(c).as_vec3().to_array(),
            size: mesh.tree.size(c) as f32,
            phi: state.phi[c] as f32,
            density: 0.0,
        }
    });
    Frame { time: state.time, surface, cells, particles: particles(state), smoke: None }
}

/// Particles with their kinds: 0 in water, 1 as spray.
fn particles(state: &State) -> Particles {
    let list = state.particles.list();
    let radius = (RADIUS * state.mesh.tree.grid().dx()) as f32;
    Particles {
        positions: list.iter().map(|p| p.x(&state.mesh).as_vec3().to_array()).collect(),
        velocities: list.iter().map(|p| p.v.to_array()).collect(),
        radii: vec![radius; list.len()],
        kinds: list.iter().map(|p| u8::from(p.is_spray())).collect(),
        ids: list.iter().map(|p| p.id).collect(),
    }
}

/// φ cut off a little inside solids, where liquid only stands for the sake of interpolation.
fn outside_solids(mesh: &Mesh, phi: &Field<CellId, f64>, solids: &Solids) -> Field<CellId, f64> {
    if solids.is_empty() {
        return phi.clone();
    }
    par::map(mesh.n_cells(), |c: CellId| {
        let inside = -solids.distance(mesh.tree.center(c)) - 0.5 * mesh.tree.size(c);
        phi[c].max(inside)
    })
}

/// The state's figures.
pub fn report(state: &State, solids: &[Solid], params: &Params, findings: &StepFindings) -> StepReport {
    let (mesh, phi) = (&state.mesh, &state.phi);
    let finest = mesh.tree.grid().max_level();
    let on_surface = |i: &usize| mesh.is_surface(phi, CellId(*i as u32));
    let (surface_cells, surface_cells_coarse, liquid_cells) = par::reduce(
        mesh.n_cells(),
        || (0, 0, 0),
        |(all, coarse, liquid), i| {
            let c = CellId(i as u32);
            let s = usize::from(on_surface(&i));
            let is_coarse = usize::from(mesh.tree.level(c) < finest);
            (all + s, coarse + s * is_coarse, liquid + usize::from(phi[c] < 0.0))
        },
        |a, b| (a.0 + b.0, a.1 + b.1, a.2 + b.2),
    );
    let solids = Solids::at(solids, state.time);
    let (energy, max_speed) = par::reduce(
        mesh.n_cells(),
        || (0.0, 0.0f64),
        |(energy, fastest), i| {
            let c = CellId(i as u32);
            let v = cell_velocity(mesh, &state.u, c);
            let volume = cell_volume(mesh, phi, &state.apertures, &solids, c);
            let is_water = phi[c] < 0.0 && state.apertures.solid_distance(c) > 0.0;
            let speed = if is_water { v.length() } else { 0.0 };
            (energy + 0.5 * params.density * volume * v.length_squared(), fastest.max(speed))
        },
        |a, b| (a.0 + b.0, a.1.max(b.1)),
    );
    let p = &findings.projection;
    StepReport {
        dt: 0.0,
        cells: mesh.n_cells(),
        liquid_cells: if p.n_unknowns > 0 { p.n_unknowns } else { liquid_cells },
        surface_cells,
        surface_cells_coarse,
        cut_t_faces: p.cut_t_faces,
        degenerate_t_faces: p.degenerate_t_faces,
        faces: mesh.n_faces(),
        particles: state.particles.len(),
        volume: state.volume,
        volume_drift: state.control.drift(state.volume),
        volume_in: state.control.came,
        volume_out: state.control.went,
        volume_correction: state.control.given_back,
        kinetic_energy: energy,
        max_speed,
        max_divergence: p.max_divergence,
        solver_iterations: p.iterations,
        solver_residual: p.residual,
        smoke: None,
        stages: findings.stages.clone(),
    }
}

/// The mean velocity of a cell's faces.
pub fn cell_velocity(mesh: &Mesh, u: &Field<FaceId, f64>, cell: CellId) -> DVec3 {
    let k = mesh.faces.of_cell(cell);
    DVec3::from_array(std::array::from_fn(|a| 0.5 * (u[k[2 * a]] + u[k[2 * a + 1]])))
}
