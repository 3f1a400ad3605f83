//! Totals of the air and its smoke, summed over the cells outside solids:
//!
//! ```text
//! amount = Σ h³ ρ_c,   heat = Σ h³ T_c
//! ```
//!
//! ρ_c and T_c are means of a cell's corners, so the sums are exact integrals of the trilinear interpolant.

use super::params::SmokeParams;
use super::state::SmokeState;
use crate::mesh::Mesh;
use crate::transfer::cell_velocity;
use glam::DVec3;
use octide_core::contract::{SmokeTotals, Totals};
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::par;
use octide_core::scene::Solid;
use octide_core::solids::Solids;
use octide_core::totals::{FluidCells, sum_up};

/// Returns the totals of a state.
pub fn totals(state: &SmokeState, solids: &[Solid], params: &SmokeParams) -> Totals {
    let SmokeState { mesh, u, .. } = state;
    let solids = Solids::on_grid(solids, state.time, state.mesh.tree.grid().dx());
    let grid = mesh.tree.grid();
    let air = AirCells { mesh, u, solids: &solids };
    let air = sum_up(&air, [grid.low(), grid.high()], params.air, params.gravity);
    Totals { smoke: Some(smoke(state, &solids)), ..air }
}

/// The air in the cells outside solids.
struct AirCells<'a> {
    mesh: &'a Mesh,
    u: &'a Field<FaceId, f64>,
    solids: &'a Solids,
}

impl FluidCells for AirCells<'_> {
    fn n_cells(&self) -> usize {
        self.mesh.n_cells()
    }

    fn volume(&self, cell: CellId) -> f64 {
        let tree = &self.mesh.tree;
        if self.solids.distance(tree.center(cell)) >= 0.0 { tree.size(cell).powi(3) } else { 0.0 }
    }

    fn velocity(&self, cell: CellId) -> DVec3 {
        cell_velocity(self.mesh, self.u, cell)
    }

    fn centroid(&self, cell: CellId, _: f64) -> DVec3 {
        self.mesh.tree.center(cell)
    }
}

fn smoke(state: &SmokeState, solids: &Solids) -> SmokeTotals {
    let SmokeState { mesh, density, temperature, .. } = state;
    let grid = mesh.tree.grid();
    // Positions are relative to the center of the domain, to lose fewer digits.
    let origin = 0.5 * (grid.low() + grid.high());
    let (amount, heat, moment) = par::reduce(
        mesh.n_cells(),
        || (0.0, 0.0, DVec3::ZERO),
        |(amount, heat, moment), i| {
            let c = CellId(i as u32);
            let x = mesh.tree.center(c);
            if solids.distance(x) < 0.0 {
                return (amount, heat, moment);
            }
            let volume = mesh.tree.size(c).powi(3);
            let smoke = volume * mesh.at_center(density, c);
            (amount + smoke, heat + volume * mesh.at_center(temperature, c), moment + smoke * (x - origin))
        },
        |a, b| (a.0 + b.0, a.1 + b.1, a.2 + b.2),
    );
    let largest = |q: &Field<NodeId, f64>| par::max(q.len(), |v| q[NodeId(v as u32)]);
    SmokeTotals {
        amount,
        heat,
        max_density: largest(density),
        max_temperature: largest(temperature),
        center: (amount > 0.0).then(|| origin + moment / amount),
    }
}

/// Returns the largest speed at a cell center outside solids.
pub fn max_speed(state: &SmokeState, solids: &[Solid]) -> f64 {
    let SmokeState { mesh, u, .. } = state;
    let solids = Solids::on_grid(solids, state.time, state.mesh.tree.grid().dx());
    par::max(mesh.n_cells(), |i| {
        let c = CellId(i as u32);
        if solids.distance(mesh.tree.center(c)) < 0.0 { 0.0 } else { cell_velocity(mesh, u, c).length() }
    })
}
