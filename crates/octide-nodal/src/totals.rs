//! All of the water, summed up over cells: see [`octide_core::totals`].

use crate::frame::cell_velocity;
use crate::params::Params;
use crate::state::State;
use crate::volume::{cell_middle, cell_volume};
use octide_core::contract::Totals;
use octide_core::scene::Solid;
use octide_core::solids::Solids;
use octide_core::totals::{self, Wet};

/// The sums over a state.
pub fn totals(state: &State, solids: &[Solid], params: &Params) -> Totals {
    let State { mesh, phi, u, boundary, .. } = state;
    let solids = Solids::at(solids, state.time);
    totals::totals(&mesh.tree, params.density, params.gravity, |c| {
        let volume = cell_volume(mesh, phi, boundary, &solids, c);
        if volume <= 0.0 {
            return None;
        }
        let is_full = volume >= mesh.tree.size(c).powi(3);
        let middle = if is_full { mesh.tree.center(c) } else { cell_middle(mesh, phi, &solids, c) };
        Some(Wet { volume, velocity: cell_velocity(mesh, u, c), middle })
    })
}
