//! All of the liquid, summed up over cells:
//!
//! ```text
//! V = Σ V_c,   E_kin = Σ ½ ρ V_c |u_c|²,   E_pot = −Σ ρ V_c g·(x_c − x_low),   P = Σ ρ V_c u_c,   X = Σ V_c x_c / V
//! ```
//!
//! V_c is the liquid in cell c, x_c its middle, u_c the mean of the cell's faces, x_low the corner of the domain that
//! is lowest along g.

use crate::frame::cell_velocity;
use crate::params::Params;
use crate::solids::Solids;
use crate::state::State;
use crate::volume::{cell_middle, cell_volume};
use glam::DVec3;
use octide_core::contract::Totals;
use octide_core::index::CellId;
use octide_core::par;
use octide_core::scene::Solid;

/// Σ V, Σ V |u|², Σ V u, Σ V x.
#[derive(Default)]
struct Sums {
    volume: f64,
    square: f64,
    flow: DVec3,
    moment: DVec3,
}

impl Sums {
    fn plus(self, o: Self) -> Self {
        Self {
            volume: self.volume + o.volume,
            square: self.square + o.square,
            flow: self.flow + o.flow,
            moment: self.moment + o.moment,
        }
    }
}

/// The sums over a state.
pub fn totals(state: &State, solids: &[Solid], params: &Params) -> Totals {
    let State { mesh, phi, u, apertures, .. } = state;
    let solids = Solids::at(solids, state.time);
    let grid = mesh.tree.grid();
    // Places count from the middle of the domain: fewer digits are lost.
    let origin = 0.5 * (grid.low() + grid.high());
    let of_cell = |c: CellId| {
        let volume = cell_volume(mesh, phi, apertures, &solids, c);
        if volume <= 0.0 {
            return Sums::default();
        }
        let v = cell_velocity(mesh, u, c);
        let is_full = volume >= mesh.tree.size(c).powi(3);
        let x = if is_full { mesh.tree.center(c) } else { cell_middle(mesh, phi, &solids, c) } - origin;
        Sums { volume, square: volume * v.length_squared(), flow: volume * v, moment: volume * x }
    };
    let sums = par::reduce(
        mesh.n_cells(),
        Sums::default,
        |sums, i| sums.plus(of_cell(CellId(i as u32))),
        Sums::plus,
    );
    let (rho, g) = (params.density, params.gravity);
    let lowest = DVec3::select(g.cmpgt(DVec3::ZERO), grid.high(), grid.low()) - origin;
    Totals {
        volume: sums.volume,
        kinetic_energy: 0.5 * rho * sums.square,
        potential_energy: -rho * g.dot(sums.moment - sums.volume * lowest),
        momentum: rho * sums.flow,
        center: (sums.volume > 0.0).then(|| origin + sums.moment / sums.volume),
        smoke: None,
    }
}
