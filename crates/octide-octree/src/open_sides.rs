//! Open sides of the domain, through which water leaves and nothing enters.
//!
//! Beyond an open side there is air, so that the pressure on it is zero: a face there couples its cell to p =
//! 0 half a cell away, or at the surface if that is closer (`project/system.rs`). Such faces have a velocity
//! like those inside, which is advected and changed by gravity; where no water touches them it is extended
//! from the cell.
//!
//! A face through which water would enter is closed, as if by a flap, and the pressure is solved again, until
//! there is no such face. So fluid can only be lost through open sides, and the loss is known:
//!
//! ```text
//! Q = Σ A_k a_k u_k·n,   a_k the fraction of face k that is under water.
//! ```

use crate::advect::advect_face;
use crate::apertures::Apertures;
use crate::correct::Divergence;
use crate::mesh::Mesh;
use crate::nodal::CornerVelocity;
use crate::params::Params;
use crate::project::{Guess, Projected};
use crate::tension::{Tension, project_under_tension};
use crate::volume::{cell_gradient, fraction_behind_plane};
use glam::DVec3;
use octide_core::contract::StepError;
pub use octide_core::faces::open_sides::keep_outward;
use octide_core::faces::open_sides::{self, faces, solve_outwards};
use octide_core::faces::pockets::Pockets;
use octide_core::index::{CellId, FaceId, Field};

/// Advects the velocity of open sides to the new mesh and adds `change`, the contribution of gravity.
pub fn advect_velocity(
    (old, u_old, corners): (&Mesh, &Field<FaceId, f64>, &CornerVelocity),
    new: &Mesh,
    apertures: &Apertures,
    dt: f64,
    change: DVec3,
    u: &mut Field<FaceId, f64>,
) {
    for (k, _) in faces(new, apertures) {
        u[k] = advect_face(old, u_old, corners, new, dt, k) + change[new.faces.axis(k)];
    }
}

/// Projects with open sides through which nothing enters; those that had to be closed are closed in
/// `apertures`.
pub fn project_outwards(
    on_surface: (Option<Tension>, &Pockets),
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &mut Apertures,
    u_star: Field<FaceId, f64>,
    divergence: Divergence,
    guess: Guess,
    params: &Params,
) -> Result<Projected, StepError> {
    let mut iterations = 0;
    let solve = |apertures: &Apertures, before: Option<Projected>| {
        let (u, wanted) = (u_star.clone(), divergence.clone());
        let pressure = before.map_or_else(|| guess.pressure.clone(), |p| p.pressure);
        let guess = Guess { pressure, slope: guess.slope };
        let mut out = project_under_tension(on_surface, mesh, phi, apertures, u, wanted, guess, params)?;
        iterations += out.report.iterations;
        out.report.iterations = iterations;
        Ok(out)
    };
    solve_outwards(mesh, apertures, solve, |p: &mut Projected| (&mut p.u, &p.valid))
}

/// Returns the flow through open sides into each cell in m³/s, which is negative because water only leaves.
pub fn losses(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &Apertures,
    u: &Field<FaceId, f64>,
) -> Vec<(CellId, f64)> {
    open_sides::losses(mesh, apertures, u, |k, cell, way| wet_share(mesh, phi, cell, mesh.faces.axis(k), way))
}

/// Returns the fraction of a cell's side that is under water.
fn wet_share(mesh: &Mesh, phi: &Field<CellId, f64>, cell: CellId, axis: usize, way: f64) -> f64 {
    let h = mesh.tree.size(cell);
    if phi[cell].abs() > 2.0 * h {
        return if phi[cell] < 0.0 { 1.0 } else { 0.0 };
    }
    let mut g = cell_gradient(mesh, phi, cell) * h;
    let there = phi[cell] + 0.5 * way * g[axis];
    g[axis] = 0.0;
    fraction_behind_plane(g, there)
}
