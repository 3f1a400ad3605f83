//! What the rest of the house sees of a state.

use crate::mesh::Mesh;
use crate::params::Params;
use crate::state::State;
use crate::transfer::corner_velocity;
use crate::volume::cell_volume;
use glam::DVec3;
use octide_core::contract::{CellSample, Frame, StepReport, Surface};
use octide_core::index::{CellId, FaceId, Field};
use octide_core::octree::{Grading, Nodes, Refinement, SplitFaces};
use octide_core::par;
use octide_core::report::{self, Seen, StepFindings};
use octide_core::scene::Solid;
use octide_core::solids::Solids;
use octide_core::surface::extract::extract;

/// The surface with velocities, and the cells.
pub fn frame(state: &State, solids: &[Solid]) -> Frame {
    let mesh = &state.mesh;
    let cells = par::map_index(mesh.n_cells(), |i| {
        let c = CellId(i as u32);
        CellSample {
            center: mesh.tree.center(c).as_vec3().to_array(),
            size: mesh.tree.size(c) as f32,
            phi: mesh.at_center(&state.phi, c) as f32,
            density: 0.0,
        }
    });
    let surface = surface(state, &Solids::at(solids, state.time));
    Frame { time: state.time, surface, cells, particles: state.particles.frame_particles(), smoke: None }
}

/// The surface of φ at the centers of a graded copy of the tree.
fn surface(state: &State, solids: &Solids) -> Surface {
    let State { mesh, phi, u, .. } = state;
    let corners = corner_velocity(mesh, u);
    let tree = Refinement::of(&mesh.tree).build(Grading::Graded);
    let nodes = Nodes::new(&tree);
    let at_center = par::map(tree.n_cells(), |c: CellId| {
        let x = tree.center(c);
        outside_solids(mesh.sample(phi, x), solids, x, tree.size(c))
    });
    extract(&tree, &nodes, &at_center).to_surface(|p, _| mesh.sample(&corners, p))
}

/// φ cut off a little inside solids, where water only stands for the sake of interpolation.
pub fn outside_solids(phi: f64, solids: &Solids, x: DVec3, size: f64) -> f64 {
    if solids.is_empty() { phi } else { phi.max(-solids.distance(x) - 0.5 * size) }
}

/// The state's figures.
pub fn report(state: &State, solids: &[Solid], params: &Params, findings: &StepFindings) -> StepReport {
    let State { mesh, phi, boundary, .. } = state;
    let is_water = par::map(mesh.n_cells(), |c: CellId| mesh.at_center(phi, c) < 0.0);
    let solids = Solids::at(solids, state.time);
    let seen = |c: CellId| Seen {
        is_surface: is_surface(mesh, &is_water, c),
        is_liquid: is_water[c],
        is_open: boundary.solid_distance(c) > 0.0,
        volume: cell_volume(mesh, phi, boundary, &solids, c),
    };
    let velocity = |c: CellId| cell_velocity(mesh, &state.u, c);
    let (tree, density) = (&mesh.tree, params.density);
    StepReport {
        // The pressure's distance is one number a face: none of these is degenerate.
        cut_t_faces: cut_t_faces(mesh, &is_water),
        faces: mesh.n_faces(),
        particles: state.particles.len(),
        ..report::of_water(tree, density, state.volume, &state.control, findings, seen, velocity)
    }
}

/// Whether a neighbor through a face lies across the surface.
fn is_surface(mesh: &Mesh, is_water: &Field<CellId, bool>, cell: CellId) -> bool {
    (0..6).any(|direction| {
        mesh.faces.of_cell(cell, direction).iter().any(|&k| {
            mesh.faces.sides(k).iter().any(|&other| other.is_some() && is_water[other] != is_water[cell])
        })
    })
}

/// Faces between cells of different size, one in water and one in air.
fn cut_t_faces(mesh: &Mesh, is_water: &Field<CellId, bool>) -> usize {
    let is_cut = |i: usize| {
        let [low, high] = mesh.faces.sides(FaceId(i as u32));
        low.is_some()
            && high.is_some()
            && is_water[low] != is_water[high]
            && mesh.tree.level(low) != mesh.tree.level(high)
    };
    par::reduce(mesh.n_faces(), || 0, |n, i| n + usize::from(is_cut(i)), |a, b| a + b)
}

/// The velocity of a cell: along each axis the mean of its two sides, small faces by their areas.
pub fn cell_velocity<N>(mesh: &Mesh<SplitFaces, N>, u: &Field<FaceId, f64>, cell: CellId) -> DVec3 {
    let area = mesh.tree.size(cell).powi(2);
    let side = |direction: usize| match mesh.faces.of_cell(cell, direction) {
        &[k] => u[k],
        faces => faces.iter().map(|&k| u[k] * mesh.face_size(k).powi(2)).sum::<f64>() / area,
    };
    DVec3::from_array([0, 1, 2].map(|axis| 0.5 * (side(2 * axis) + side(2 * axis + 1))))
}
