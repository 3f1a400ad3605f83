//! The frame and the report of a state, for writers, pictures and statistics.

use crate::liquid_cells::StateCells;
use crate::mesh::Mesh;
use crate::params::Params;
use crate::state::State;
use crate::transfer::corner_velocity;
use octide_core::contract::{Cells, Frame, StepReport, Surface};
use octide_core::faces::figures::{CUT_T_FACES, FACES, coarse_surface_cells};
use octide_core::index::{CellId, FaceId};
use octide_core::octree::{Grading, Nodes, Refinement};
use octide_core::par;
use octide_core::report::{self, LiquidCells, StepFindings};
use octide_core::scene::Solid;
use octide_core::solids::Solids;
use octide_core::surface::shown::{ShownWalls, shown_surface};

/// Returns the surface with velocities, and the cells.
pub fn frame(state: &State, solids: &[Solid]) -> Frame {
    let mesh = &state.mesh;
    let cells = Cells::of_tree(&mesh.tree, |c| mesh.at_center(&state.phi, c));
    let solids = Solids::on_grid(solids, state.time, state.mesh.tree.grid().dx());
    let (surface, in_walls) = surface(state, &solids);
    let particles = state.particles.frame_particles();
    Frame { time: state.time, surface, cells, particles, smoke: None, volume: state.volume, in_walls }
}

/// Extracts the surface from φ at the cell centers of a graded copy of the tree; with its volume in thin walls.
fn surface(state: &State, solids: &Solids) -> (Surface, f64) {
    let State { mesh, phi, u, .. } = state;
    let corners = corner_velocity(mesh, u);
    let tree = Refinement::of(&mesh.tree).build(Grading::Graded);
    let nodes = Nodes::new(&tree);
    let at_center = par::map(tree.n_cells(), |c: CellId| mesh.sample(phi, tree.center(c)));
    let walls = ShownWalls::new(&tree, &at_center, solids);
    let volume = state.volume - state.particles.spray_volume();
    let shown = shown_surface(&tree, &nodes, &at_center, &walls, volume);
    (shown.contour.to_surface(|p, _| mesh.sample(&corners, p)), shown.in_walls)
}

/// Returns the figures of a state.
pub fn report(state: &State, solids: &[Solid], params: &Params, findings: &StepFindings) -> StepReport {
    let mesh = &state.mesh;
    let cells = StateCells::new(state, solids);
    StepReport {
        particles: state.particles.len(),
        figures: vec![
            coarse_surface_cells(&mesh.tree, |c| cells.is_surface(c)),
            CUT_T_FACES.count(cut_t_faces(&cells, mesh)),
            FACES.count(mesh.n_faces()),
        ],
        ..report::of_water(&cells, params.density, state.volume, &state.control, findings)
    }
}

/// Counts the faces between cells of different size, one in water and one in air.
fn cut_t_faces(cells: &StateCells<'_>, mesh: &Mesh) -> usize {
    let is_cut = |i: usize| {
        let [low, high] = mesh.faces.sides(FaceId(i as u32));
        low.is_some()
            && high.is_some()
            && cells.is_liquid(low) != cells.is_liquid(high)
            && mesh.tree.level(low) != mesh.tree.level(high)
    };
    par::reduce(mesh.n_faces(), || 0, |n, i| n + usize::from(is_cut(i)), |a, b| a + b)
}
