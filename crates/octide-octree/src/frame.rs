//! What the rest of the house sees of a state.

use crate::mesh::Mesh;
use crate::nodal::{corner_velocity, velocity_at};
use crate::params::Params;
use crate::particles::{Particle, RADIUS};
use crate::solids::Solids;
use crate::state::State;
use crate::volume::cell_volume;
use glam::DVec3;
use octide_core::contract::{CellSample, Frame, Particles, StepReport};
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;
use octide_core::particles::ShownParticle;
use octide_core::report::{self, Seen, StepFindings};
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
    let radius = (RADIUS * state.mesh.tree.grid().dx()) as f32;
    let shown = |p: &Particle| ShownParticle {
        x: p.x(&state.mesh),
        v: p.v,
        radius,
        is_spray: p.is_spray(),
        id: p.id,
    };
    state.particles.list().iter().map(shown).collect()
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
    let State { mesh, phi, apertures, .. } = state;
    let solids = Solids::at(solids, state.time);
    let seen = |c: CellId| Seen {
        is_surface: mesh.is_surface(phi, c),
        is_liquid: phi[c] < 0.0,
        is_open: apertures.solid_distance(c) > 0.0,
        volume: cell_volume(mesh, phi, apertures, &solids, c),
    };
    let velocity = |c: CellId| cell_velocity(mesh, &state.u, c);
    let (tree, density) = (&mesh.tree, params.density);
    StepReport {
        faces: mesh.n_faces(),
        particles: state.particles.len(),
        ..report::of_water(tree, density, state.volume, &state.control, findings, seen, velocity)
    }
}

/// The mean velocity of a cell's faces.
pub fn cell_velocity(mesh: &Mesh, u: &Field<FaceId, f64>, cell: CellId) -> DVec3 {
    let k = mesh.faces.of_cell(cell);
    DVec3::from_array(std::array::from_fn(|a| 0.5 * (u[k[2 * a]] + u[k[2 * a + 1]])))
}
