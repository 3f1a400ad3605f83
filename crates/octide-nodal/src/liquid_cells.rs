//! The water in the cells of a state, for sums and reports over cells.

use crate::mesh::Mesh;
use crate::state::State;
use crate::transfer::cell_velocity;
use crate::volume::{cell_middle, cell_volume};
use glam::DVec3;
use octide_core::index::{CellId, Field};
use octide_core::par;
use octide_core::report::LiquidCells;
use octide_core::scene::Solid;
use octide_core::solids::Solids;
use octide_core::totals::FluidCells;

/// The cells of a state, with the solids at its time.
pub struct StateCells<'a> {
    state: &'a State,
    solids: Solids,
    /// Which cells have their center in water.
    is_water: Field<CellId, bool>,
}

impl<'a> StateCells<'a> {
    /// Creates the cells of a state.
    pub fn new(state: &'a State, solids: &[Solid]) -> Self {
        let State { mesh, phi, .. } = state;
        let is_water = par::map(mesh.n_cells(), |c: CellId| mesh.at_center(phi, c) < 0.0);
        Self { state, solids: Solids::on_grid(solids, state.time, state.mesh.tree.grid().dx()), is_water }
    }
}

impl FluidCells for StateCells<'_> {
    fn n_cells(&self) -> usize {
        self.state.mesh.n_cells()
    }

    fn volume(&self, cell: CellId) -> f64 {
        let State { mesh, phi, boundary, .. } = self.state;
        cell_volume(mesh, phi, boundary, &self.solids, cell)
    }

    fn velocity(&self, cell: CellId) -> DVec3 {
        cell_velocity(&self.state.mesh, &self.state.u, cell)
    }

    fn centroid(&self, cell: CellId, volume: f64) -> DVec3 {
        let State { mesh, phi, .. } = self.state;
        let is_full = volume >= mesh.tree.size(cell).powi(3);
        if is_full { mesh.tree.center(cell) } else { cell_middle(mesh, phi, &self.solids, cell) }
    }
}

impl LiquidCells for StateCells<'_> {
    fn is_surface(&self, cell: CellId) -> bool {
        is_surface(&self.state.mesh, &self.is_water, cell)
    }

    fn is_liquid(&self, cell: CellId) -> bool {
        self.is_water[cell]
    }

    fn is_outside_solids(&self, cell: CellId) -> bool {
        self.state.boundary.solid_distance(cell) > 0.0
    }
}

/// Returns whether a neighbor through a face lies across the surface.
fn is_surface(mesh: &Mesh, is_water: &Field<CellId, bool>, cell: CellId) -> bool {
    (0..6).any(|direction| {
        mesh.faces.of_cell(cell, direction).iter().any(|&k| {
            mesh.faces.sides(k).iter().any(|&other| other.is_some() && is_water[other] != is_water[cell])
        })
    })
}
