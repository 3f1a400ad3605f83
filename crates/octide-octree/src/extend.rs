//! Extension of φ and velocity to wherever the next step samples them (§7.1): φ inside solids and as a
//! distance, velocity in air and in solids.
//!
//! φ is extended into solids from just outside them, with its slope along gravity and constant across it, so
//! that a flat surface stays flat where a solid pierces it, and a wave keeps the height that it has at the
//! solid. Velocity is averaged along each axis from the faces that the pressure has set to cells,
//! extrapolated outward from cell to cell, and averaged back to the faces that have no value.

mod linear;

pub use linear::continue_velocity;

use crate::apertures::Apertures;
use crate::mesh::Mesh;
use crate::open_sides;
use crate::params::Params;
use crate::project::Projected;
use crate::solids::Solids;
use crate::volume::cell_gradient;
use glam::DVec3;
use octide_core::detach::SOLID_DEPTH_CELLS;
use octide_core::faces::detach::Detached;
use octide_core::faces::inflows::Prescribed;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;
use octide_core::surface::extrapolate::extrapolate;
use octide_core::surface::redistance::{self, redistance};

/// Extends φ into solids, as air behind walls that water has detached from. `gravity` defines the vertical direction.
pub(crate) fn extend_phi(
    mesh: &Mesh,
    phi: Field<CellId, f64>,
    apertures: &Apertures,
    solids: &Solids,
    detached: &Detached,
    gravity: DVec3,
) -> Field<CellId, f64> {
    if !apertures.has_solids() {
        return phi;
    }
    let up = -gravity.normalize_or_zero();
    par::map(mesh.n_cells(), |cell: CellId| {
        let (x, h) = (mesh.tree.center(cell), mesh.tree.size(cell));
        let depth = -apertures.solid_distance(cell);
        if depth <= 0.0 {
            return phi[cell];
        }
        let deep = depth - SOLID_DEPTH_CELLS * h;
        if deep > 0.0 {
            return phi[cell].max(deep);
        }
        let at = |x| phi[mesh.tree.nearest_leaf_from(cell, x)];
        let bounded = |phi: f64| solids.bounded_in_thin_wall(x, phi, h, at);
        if detached.contains(cell) {
            return bounded(phi[cell].max(depth));
        }
        let outside = mesh.tree.nearest_leaf_from(cell, x + (depth + h) * solids.normal(x, h));
        if apertures.solid_distance(outside) < 0.0 {
            return bounded(phi[cell].max(deep));
        }
        let (there, at) = (phi[outside], mesh.tree.center(outside));
        let slope = cell_gradient(mesh, &phi, outside);
        let rise = slope.dot(up).clamp(-1.0, 1.0);
        // If falling water has reached a solid, its underside is not extended into the solid as air, which would
        // swallow the water.
        let rise = if there < 0.0 { rise.max(0.0) } else { rise };
        let extended = there + rise * (x - at).dot(up);
        let extended = solids.phi_by_slope(at, there, slope, extended, h).max(deep);
        bounded(extended)
    })
}

/// Within this many cells of the surface, φ is kept if it is close to a distance ...
const KEPT_CELLS: f64 = 4.0;
/// ... which means that it differs from the distance by at most this fraction.
const DISTANCE_TOLERANCE: f64 = 0.1;

/// Within this many cells of a solid, φ is extended and need not be a distance.
const SOLID_CELLS: f64 = 4.0;

/// Redistances φ. Near the surface redistancing is exact for planes only, and a φ that was advected from a
/// distance is more accurate than its result. Such a φ is kept where it is within a tenth of the new
/// distance.
pub fn restore_distance(mesh: &Mesh, phi: &Field<CellId, f64>, apertures: &Apertures) -> Field<CellId, f64> {
    let (mut d, report) = redistance(mesh, phi, &redistance::Params::default());
    // The surface may lie between the last cells and a wall, where no cell has another sign: it is kept.
    if report.interface == 0 && phi.iter().all(|&phi| phi < 0.0) {
        return phi.clone();
    }
    par::update(&mut d, |i, d| {
        let c = CellId(i as u32);
        let h = mesh.tree.size(c);
        if d.abs() < KEPT_CELLS * h && apertures.solid_distance(c) > SOLID_CELLS * h {
            let (a, b) = ((1.0 - DISTANCE_TOLERANCE) * *d, (1.0 + DISTANCE_TOLERANCE) * *d);
            *d = phi[c].clamp(a.min(b), a.max(b));
        }
    });
    Field::from_vec(d)
}

/// A velocity that has a value on every face.
pub(crate) struct ExtendedVelocity {
    pub u: Field<FaceId, f64>,
    /// Flow into cells from inflows and, negative, out of them through open sides, in m³/s.
    pub crossing: Vec<(CellId, f64)>,
    /// The largest component among the faces that the pressure or an inflow has set.
    pub max_component: f64,
}

/// Extends the projected velocity, and the velocity that inflows prescribe, into air and solids; with surface
/// tension the extension is linear. Nothing enters through open sides.
pub(crate) fn extend_projected_velocity(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &Apertures,
    mut projected: Projected,
    prescribed: Prescribed,
    params: &Params,
) -> ExtendedVelocity {
    let mut trusted = apertures.trusted(&projected.valid);
    prescribed.set(&mut projected.u, &mut trusted);
    let extend = if params.surface_tension > 0.0 { continue_velocity } else { extend_velocity };
    let mut u = extend(mesh, phi, apertures, projected.u, &trusted);
    let mut crossing = prescribed.sources;
    if params.flows.open.any() {
        open_sides::keep_outward(mesh, apertures, &mut u);
        crossing.extend(open_sides::losses(mesh, phi, apertures, &u));
    }
    let max_component = par::max(mesh.n_faces(), |k| {
        let k = FaceId(k as u32);
        if trusted[k] { u[k].abs() } else { 0.0 }
    });
    ExtendedVelocity { u, crossing, max_component }
}

/// Extends the velocity from the valid faces to all faces.
pub fn extend_velocity(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &Apertures,
    mut u: Field<FaceId, f64>,
    valid: &Field<FaceId, bool>,
) -> Field<FaceId, f64> {
    let n = mesh.n_cells();
    let order = par::map(n, |c: CellId| phi[c].max(-apertures.solid_distance(c)).max(0.0));
    // Each component is treated separately: a cell outside that has a valid face takes that face's velocity.
    // The mean of the cell inside would be half of it in a thin sheet, and the sheet would thicken.
    let at_cell: Vec<Field<CellId, f64>> = par::map_each(3, |axis| {
        let pair = |c: CellId| &mesh.faces.of_cell(c)[2 * axis..2 * axis + 2];
        let is_set = par::map(n, |c: CellId| pair(c).iter().any(|&k| valid[k]));
        let mut values = par::map(n, |c: CellId| {
            // Walls have zero velocity and are included if the other face is valid.
            let known = pair(c).iter().filter(|&&k| valid[k] || apertures.is_wall(mesh, k));
            let (sum, count) = known.fold((0.0, 0.0), |(sum, n), &k| (sum + u[k], n + 1.0));
            if is_set[c] { sum / count } else { 0.0 }
        });
        extrapolate(mesh, &is_set, &order, &mut values);
        values
    });
    fill_faces(mesh, apertures, valid, &at_cell, &mut u);
    u
}

/// Sets faces that are not valid to the mean of the adjacent cells' velocity along their axis, and walls to
/// zero.
fn fill_faces(
    mesh: &Mesh,
    apertures: &Apertures,
    valid: &Field<FaceId, bool>,
    at_cell: &[Field<CellId, f64>],
    u: &mut Field<FaceId, f64>,
) {
    par::update(u, |i, u| {
        let k = FaceId(i as u32);
        if valid[k] {
            return;
        }
        if apertures.is_wall(mesh, k) {
            *u = 0.0;
            return;
        }
        let values = &at_cell[mesh.faces.axis(k)];
        let (mut sum, mut weights) = (0.0, 0.0);
        for (c, w) in mesh.faces.stencil(&mesh.tree, k).iter() {
            sum += w.abs() * values[c];
            weights += w.abs();
        }
        *u = sum / weights;
    });
}
