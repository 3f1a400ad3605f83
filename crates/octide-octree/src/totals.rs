//! All of the liquid, summed up over cells: see [`octide_core::totals`]. A cell's velocity is the mean of its
//! faces.

use crate::frame::cell_velocity;
use crate::params::Params;
use crate::solids::Solids;
use crate::state::State;
use crate::volume::{cell_middle, cell_volume};
use octide_core::contract::Totals;
use octide_core::scene::Solid;
use octide_core::totals;

/// The sums over a state.
pub fn totals(state: &State, solids: &[Solid], params: &Params) -> Totals {
    let State { mesh, phi, u, apertures, .. } = state;
    let solids = Solids::at(solids, state.time);
    totals::totals(
        &mesh.tree,
        params.density,
        params.gravity,
        |c| cell_volume(mesh, phi, apertures, &solids, c),
        |c| cell_velocity(mesh, u, c),
        |c| cell_middle(mesh, phi, &solids, c),
    )
}
