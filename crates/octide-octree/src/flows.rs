//! Inflows and outflows on this mesh: see [`octide_core::flows`].

use crate::apertures::Apertures;
use crate::extend::PhiExtension;
use crate::mesh::Mesh;
use crate::solids::Solids;
use crate::state::State;
use crate::volume::{cell_gradient, cell_volume, fraction_behind_plane};
pub use octide_core::faces::inflows::{Prescribed, prescribe};
pub use octide_core::flows::{Exchange, Flows, Moment};
use octide_core::index::{CellId, Field};
use octide_core::par;

/// Fills inflows and empties outflows in φ. Returns φ and the change.
pub fn act(
    flows: &Flows,
    mesh: &Mesh,
    phi: Field<CellId, f64>,
    apertures: &Apertures,
    solids: &Solids,
    extension: &PhiExtension,
    now: Moment,
) -> (Field<CellId, f64>, Exchange) {
    flows.during(now).act(
        phi,
        |c| mesh.tree.center(c),
        |phi| extension.apply(mesh, solids, phi),
        |phi| par::map(mesh.n_cells(), |c| cell_volume(mesh, phi, apertures, solids, c)),
    )
}

/// Returns the flow from outflows into the cells beside them with the velocity of a state in m³/s, which is
/// negative because water only leaves.
pub fn sinks(flows: &Flows, state: &State, dt: f64) -> Vec<(CellId, f64)> {
    let State { mesh, phi, u, apertures, .. } = state;
    let now = Moment { time: state.time, dt };
    let Some(drains) = flows.drains(mesh.n_cells(), |c| mesh.tree.center(c), now) else {
        return Vec::new();
    };
    let is_in = &drains.is_in;
    par::collect(mesh.n_cells(), |i, out: &mut Vec<(CellId, f64)>| {
        let c = CellId(i as u32);
        if is_in[c] || phi[c] >= 0.0 {
            return;
        }
        let h = mesh.tree.size(c);
        // The faces of an inflow are closed, but it blows through them.
        let is_nozzle = drains.is_in_nozzle(mesh.tree.center(c));
        for (direction, &k) in mesh.faces.of_cell(c).iter().enumerate() {
            let stencil = mesh.faces.stencil(&mesh.tree, k);
            let way = if direction & 1 == 1 { 1.0 } else { -1.0 };
            let beyond = |w: f64| (w > 0.0) == (direction & 1 == 1);
            if !stencil.iter().any(|(c, w)| beyond(w) && is_in[c]) {
                continue;
            }
            // Relative to the outflow, which may move.
            let into = (u[k] - drains.own_velocity(mesh.face_position(k), direction / 2)) * way;
            if into > 0.0 {
                let mut g = cell_gradient(mesh, phi, c) * h;
                g[direction / 2] = 0.0;
                let wet = fraction_behind_plane(g, phi[c]);
                let open = if is_nozzle { 1.0 } else { apertures.open(k) };
                out.push((c, -wet * open * h * h * into));
            }
        }
    })
}
