//! The liquid in the cells of a state, for sums and reports over cells. A cell's velocity is the mean of its
//! faces.

use crate::nodal::cell_velocity;
use crate::solids::Solids;
use crate::state::State;
use crate::volume::{cell_middle, cell_volume};
use glam::DVec3;
use octide_core::index::CellId;
use octide_core::report::LiquidCells;
use octide_core::scene::Solid;
use octide_core::totals::FluidCells;

/// The cells of a state, with the solids at its time.
pub struct StateCells<'a> {
    state: &'a State,
    solids: Solids,
}

impl<'a> StateCells<'a> {
    /// Creates a view of a state.
    pub fn new(state: &'a State, solids: &[Solid]) -> Self {
        Self { state, solids: Solids::on_grid(solids, state.time, state.mesh.tree.grid().dx()) }
    }
}

impl FluidCells for StateCells<'_> {
    fn n_cells(&self) -> usize {
        self.state.mesh.n_cells()
    }

    fn volume(&self, cell: CellId) -> f64 {
        let State { mesh, phi, apertures, .. } = self.state;
        cell_volume(mesh, phi, apertures, &self.solids, cell)
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
        self.state.mesh.is_surface(&self.state.phi, cell)
    }

    fn is_liquid(&self, cell: CellId) -> bool {
        self.state.phi[cell] < 0.0
    }

    fn is_outside_solids(&self, cell: CellId) -> bool {
        self.state.apertures.solid_distance(cell) > 0.0
    }
}
