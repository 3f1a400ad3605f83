//! What the next step will sample must exist wherever it looks: φ inside solids and as distance, velocity in
//! air and in solids (§7.1).
//!
//! φ continues into solids from just outside, with its own slope along gravity and level across it, so that a
//! flat surface stays flat where a solid pierces it, and a wave stays as high as it is at the solid. Velocity
//! goes from the faces that the pressure has set to cells (the mean along each axis), from cell to cell
//! outwards, and back to the faces that have none.

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
use octide_core::flows::Prescribed;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;
use octide_core::surface::extrapolate::extrapolate;
use octide_core::surface::redistance::{self, redistance};

/// How many cells deep φ is continued into solids; deeper there is no liquid. A body may bare as many in a
/// step.
const SOLID_DEPTH_CELLS: f64 = 3.0;

/// φ continued into solids. `gravity` tells which way is up.
pub fn extend_phi(
    mesh: &Mesh,
    phi: Field<CellId, f64>,
    apertures: &Apertures,
    solids: &Solids,
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
        let outside = mesh.tree.nearest_leaf_from(cell, x + (depth + h) * solids.normal(x, h));
        if apertures.solid_distance(outside) < 0.0 {
            return phi[cell].max(deep);
        }
        let rise = cell_gradient(mesh, &phi, outside).dot(up).clamp(-1.0, 1.0);
        (phi[outside] + rise * (x - mesh.tree.center(outside)).dot(up)).max(deep)
    })
}

/// How far from the surface, in cells, a φ that is nearly a distance stays as it is ...
const KEPT_CELLS: f64 = 4.0;
/// ... and what nearly means.
const DISTANCE_TOLERANCE: f64 = 0.1;

/// Beside solids, as many cells away, φ is continued and may be anything but a distance.
const SOLID_CELLS: f64 = 4.0;

/// φ made a distance. Near the surface redistancing knows planes only, and a φ that has been carried from a
/// distance is better than what it finds; it is kept within a tenth of it.
pub fn restore_distance(mesh: &Mesh, phi: &Field<CellId, f64>, apertures: &Apertures) -> Field<CellId, f64> {
    let (mut d, _) = redistance(mesh, phi, &redistance::Params::default());
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

/// A velocity that is known everywhere.
pub(crate) struct ExtendedVelocity {
    pub u: Field<FaceId, f64>,
    /// What comes to cells from inflows and, negative, leaves them through open sides, in m³/s.
    pub crossing: Vec<(CellId, f64)>,
    /// The largest component of what the pressure or an inflow has set.
    pub max_component: f64,
}

/// The velocity that a projection has left and that inflows prescribe, continued into air and solids; with
/// surface tension by its slope. Nothing comes in through open sides.
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

/// Velocity on all faces, from those that are valid.
pub fn extend_velocity(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &Apertures,
    mut u: Field<FaceId, f64>,
    valid: &Field<FaceId, bool>,
) -> Field<FaceId, f64> {
    let n = mesh.n_cells();
    let order = par::map(n, |c: CellId| phi[c].max(-apertures.solid_distance(c)).max(0.0));
    // One component at a time: a cell outside with a valid face has that face's velocity, not the mean of the
    // cell inside, which in a thin sheet is half of it and would let the sheet grow thick.
    let at_cell: Vec<Field<CellId, f64>> = par::map_each(3, |axis| {
        let pair = |c: CellId| &mesh.faces.of_cell(c)[2 * axis..2 * axis + 2];
        let is_set = par::map(n, |c: CellId| pair(c).iter().any(|&k| valid[k]));
        let mut values = par::map(n, |c: CellId| {
            // Walls hold still: they count beside a valid face.
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

/// Gives faces that are not valid the mean of the cells beside them, of velocity along each axis; walls hold
/// still.
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
