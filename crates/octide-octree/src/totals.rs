//! All of the liquid, summed up over cells: see [`octide_core::totals`]. A cell's velocity is the mean of its faces.

use crate::frame::cell_velocity;
use crate::params::Params;
use crate::solids::Solids;
use crate::state::State;
use crate::volume::{cell_middle, cell_volume};
use octide_core::contract::Totals;
use octide_core::scene::Solid;
use octide_core::totals::{self, Wet};

/// The sums over a state.
pub fn totals(state: &State, solids: &[Solid], params: &Params) -> Totals {
    let State { mesh, phi, u, apertures, .. } = state;
    let solids = Solids::at(solids, state.time);
    totals::totals(&mesh.tree, params.density, params.gravity, |c| {
        let volume = cell_volume(mesh, phi, apertures, &solids, c);
        if volume <= 0.0 {
            return None;
        }
        let is_full = volume >= mesh.tree.size(c).powi(3);
        let middle = if is_full { mesh.tree.center(c) } else { cell_middle(mesh, phi, &solids, c) };
        Some(Wet { volume, velocity: cell_velocity(mesh, u, c), middle })
    })
}
