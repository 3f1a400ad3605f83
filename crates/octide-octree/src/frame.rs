//! The output of a state for writers, pictures and statistics.

use crate::liquid_cells::StateCells;
use crate::nodal::{corner_velocity, velocity_at};
use crate::params::Params;
use crate::particles::{Particle, RADIUS, spray};
use crate::project::DEGENERATE_T_FACES;
use crate::shown::shown_phi;
use crate::solids::Solids;
use crate::state::State;
use octide_core::contract::{Cells, Figure, FigureKind, Frame, Particles, StepReport};
use octide_core::faces::figures::{CUT_T_FACES, FACES, coarse_surface_cells};
use octide_core::index::CellId;
use octide_core::par;
use octide_core::particles::ShownParticle;
use octide_core::report::{self, LiquidCells, StepFindings};
use octide_core::scene::Solid;
use octide_core::surface::shown::{ShownWalls, shown_surface};
use std::f64::consts::PI;

/// The water in cells, as the fluxes through their faces have left it.
pub const VOLUME_IN_CELLS: FigureKind = FigureKind {
    name: "volume_in_cells",
    unit: "m3",
    meaning: "water in the cells, kept by the flow through their faces; with another volume_correction than local, that inside the surface",
};

/// The water in spray.
pub const VOLUME_IN_SPRAY: FigureKind =
    FigureKind { name: "volume_in_spray", unit: "m3", meaning: "water in spray" };

/// The error of the books.
pub const VOLUME_BALANCE: FigureKind = FigureKind {
    name: "volume_balance",
    unit: "1",
    meaning: "water in cells and spray less what there should be, relative to the largest volume that there should have been",
};

/// Returns the surface with velocities, and the cells.
pub fn frame(state: &State, solids: &[Solid]) -> Frame {
    let mesh = &state.mesh;
    let solids = Solids::on_grid(solids, state.time, state.mesh.tree.grid().dx());
    let in_spray = spray::volume(mesh, &state.particles);
    let in_cells = volume_in_cells(state, in_spray);
    let walls = ShownWalls::new(&mesh.tree, &state.phi, &solids);
    let phi = shown_phi(state, &solids, &walls);
    let corners = corner_velocity(mesh, &state.u);
    let shown = shown_surface(&mesh.tree, mesh.nodes(), &phi, &walls, in_cells);
    let surface = shown.contour.to_surface(|p, _| velocity_at(mesh, &corners, p));
    let cells = Cells::of_tree(&mesh.tree, |c| state.phi[c]);
    Frame {
        time: state.time,
        surface,
        cells,
        particles: particles(state),
        smoke: None,
        volume: in_cells + in_spray,
        in_walls: shown.in_walls,
    }
}

/// Returns the volume of the water in the cells, in m³.
fn volume_in_cells(state: &State, in_spray: f64) -> f64 {
    if state.content.is_empty() {
        return state.volume - in_spray;
    }
    par::sum(state.content.len(), |i| state.content[CellId(i as u32)])
}

/// Returns the particles with their kinds: 0 in water, 1 as spray.
fn particles(state: &State) -> Particles {
    let dx = state.mesh.tree.grid().dx();
    let radius = |p: &Particle| {
        let cells = if p.is_spray() { drop_radius(p.volume()) } else { RADIUS };
        (cells * dx) as f32
    };
    let shown = |p: &Particle| ShownParticle {
        x: p.x(&state.mesh),
        v: p.v,
        radius: radius(p),
        is_spray: p.is_spray(),
        id: p.id,
    };
    state.particles.list().iter().map(shown).collect()
}

/// Returns the radius in finest cells of a ball with this volume.
fn drop_radius(volume: f64) -> f64 {
    (0.75 / PI * volume).cbrt()
}

/// Returns the state's figures.
pub fn report(state: &State, solids: &[Solid], params: &Params, findings: &StepFindings) -> StepReport {
    let cells = StateCells::new(state, solids);
    let projection = &findings.projection;
    let in_spray = spray::volume(&state.mesh, &state.particles);
    let in_cells = volume_in_cells(state, in_spray);
    let most = state.control.most.max(f64::MIN_POSITIVE);
    let balance = (in_cells + in_spray - state.control.target) / most;
    StepReport {
        particles: state.particles.len(),
        figures: vec![
            coarse_surface_cells(&state.mesh.tree, |c| cells.is_surface(c)),
            projection.figure(&CUT_T_FACES),
            projection.figure(&DEGENERATE_T_FACES),
            FACES.count(state.mesh.n_faces()),
            Figure { kind: &VOLUME_IN_CELLS, value: in_cells },
            Figure { kind: &VOLUME_IN_SPRAY, value: in_spray },
            Figure { kind: &VOLUME_BALANCE, value: balance },
        ],
        ..report::of_water(&cells, params.density, state.volume, &state.control, findings)
    }
}
