//! The air and the smoke in it, summed up over cells outside solids:
//!
//! ```text
//! V = Σ h³,   E_kin = Σ ½ ρ_air h³ |u_c|²,   P = Σ ρ_air h³ u_c,   amount = Σ h³ ρ_c,   heat = Σ h³ T_c
//! ```
//!
//! ρ_c and T_c are means of a cell's corners: sums are exact integrals of what is trilinear between them. The potential energy is that
//! of the air, 0 at the corner of the domain that is lowest along g.

use super::params::SmokeParams;
use super::state::SmokeState;
use super::vorticity::cell_velocity;
use glam::DVec3;
use octide_core::contract::{SmokeTotals, Totals};
use octide_core::index::CellId;
use octide_core::par;
use octide_core::scene::Solid;
use octide_core::solids::Solids;

#[derive(Clone, Copy, Default)]
struct Sums {
    volume: f64,
    square: f64,
    flow: DVec3,
    moment: DVec3,
    smoke: f64,
    heat: f64,
    smoke_moment: DVec3,
    fastest: f64,
}

impl Sums {
    fn plus(self, o: Self) -> Self {
        Self {
            volume: self.volume + o.volume,
            square: self.square + o.square,
            flow: self.flow + o.flow,
            moment: self.moment + o.moment,
            smoke: self.smoke + o.smoke,
            heat: self.heat + o.heat,
            smoke_moment: self.smoke_moment + o.smoke_moment,
            fastest: self.fastest.max(o.fastest),
        }
    }
}

/// The sums over a state, and the largest speed.
pub fn totals(state: &SmokeState, solids: &[Solid], params: &SmokeParams, gravity: DVec3) -> (Totals, f64) {
    let SmokeState { mesh, u, density, temperature, .. } = state;
    let solids = Solids::at(solids, state.time);
    let grid = mesh.tree.grid();
    // Places count from the middle of the domain: fewer digits are lost.
    let origin = 0.5 * (grid.low() + grid.high());
    let of_cell = |c: CellId| {
        let x = mesh.tree.center(c);
        if solids.distance(x) < 0.0 {
            return Sums::default();
        }
        let (volume, v) = (mesh.tree.size(c).powi(3), cell_velocity(mesh, u, c));
        let smoke = volume * mesh.at_center(density, c);
        let x = x - origin;
        Sums {
            volume,
            square: volume * v.length_squared(),
            flow: volume * v,
            moment: volume * x,
            smoke,
            heat: volume * mesh.at_center(temperature, c),
            smoke_moment: smoke * x,
            fastest: v.length(),
        }
    };
    let s = par::reduce(
        mesh.n_cells(),
        Sums::default,
        |sums, i| sums.plus(of_cell(CellId(i as u32))),
        Sums::plus,
    );
    let lowest = DVec3::select(gravity.cmpgt(DVec3::ZERO), grid.high(), grid.low()) - origin;
    let smoke = SmokeTotals {
        amount: s.smoke,
        heat: s.heat,
        max_density: par::max(density.len(), |v| density.as_ref()[v]),
        max_temperature: par::max(temperature.len(), |v| temperature.as_ref()[v]),
        center: (s.smoke > 0.0).then(|| origin + s.smoke_moment / s.smoke),
    };
    let totals = Totals {
        volume: s.volume,
        kinetic_energy: 0.5 * params.air * s.square,
        potential_energy: -params.air * gravity.dot(s.moment - s.volume * lowest),
        momentum: params.air * s.flow,
        center: (s.volume > 0.0).then(|| origin + s.moment / s.volume),
        smoke: Some(smoke),
    };
    (totals, s.fastest)
}
