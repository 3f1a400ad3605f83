//! Extension of φ and velocity to wherever the next step samples them (§7.1): φ inside solids and as a
//! distance, velocity in air and in solids.
//!
//! φ is extended into solids from just outside them, with its slope along gravity and constant across it, so
//! that a flat surface stays flat where a solid pierces it, and a wave keeps the height that it has at the
//! solid. Velocity is averaged along each axis from the faces that the pressure has set to cells,
//! extrapolated outward from cell to cell as planes ([`continue_velocity`]), and averaged back to the faces that have
//! no value.

mod linear;

use linear::STEEPEST;
pub use linear::continue_velocity;

use crate::apertures::Apertures;
use crate::mesh::Mesh;
use crate::open_sides;
use crate::params::Params;
use crate::project::Projected;
use crate::solids::{Solids, ThinBound};
use crate::state::ExactFlow;
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
    PhiExtension::new(mesh, apertures, solids, detached, gravity).apply(mesh, solids, phi)
}

/// Where φ in each cell inside a solid comes from.
pub(crate) struct PhiExtension {
    up: DVec3,
    cells: Vec<InnerCell>,
}

/// A cell inside a solid.
struct InnerCell {
    cell: CellId,
    /// The cell outside that φ is extended from, or `NONE`.
    outside: CellId,
    /// The cell outside that is next to the wall, or `NONE`.
    near: CellId,
    /// The cell on the other side of a thin wall, and the bound of φ in the wall.
    bound: Option<(CellId, ThinBound)>,
    /// φ is at least this.
    least: f64,
}

impl PhiExtension {
    /// Finds the cells inside solids and those outside that they are extended from.
    pub fn new(
        mesh: &Mesh,
        apertures: &Apertures,
        solids: &Solids,
        detached: &Detached,
        gravity: DVec3,
    ) -> Self {
        let n = if apertures.has_solids() { mesh.n_cells() } else { 0 };
        let cells = par::collect(n, |i, out: &mut Vec<InnerCell>| {
            let cell = CellId(i as u32);
            let depth = -apertures.solid_distance(cell);
            if depth <= 0.0 {
                return;
            }
            let (x, h) = (mesh.tree.center(cell), mesh.tree.size(cell));
            let deep = depth - SOLID_DEPTH_CELLS * h;
            if deep > 0.0 {
                return out.push(InnerCell {
                    cell,
                    outside: CellId::NONE,
                    near: CellId::NONE,
                    bound: None,
                    least: deep,
                });
            }
            let (normal, bound) = solids.side_around(x, h);
            let bound = bound.map(|b| (mesh.tree.nearest_leaf_from(cell, b.beyond), b));
            if detached.contains(cell) {
                return out.push(InnerCell {
                    cell,
                    outside: CellId::NONE,
                    near: CellId::NONE,
                    bound,
                    least: depth,
                });
            }
            let outside = |x: DVec3| {
                let leaf = mesh.tree.nearest_leaf_from(cell, x);
                (apertures.solid_distance(leaf) >= 0.0).then_some(leaf)
            };
            let beside = x + (depth + h) * normal;
            let corner = || outside(solids.out_of_corner(x, beside, h)?);
            let near = outside(x + (depth + 0.5 * h) * normal).unwrap_or(CellId::NONE);
            let outside = outside(beside).or_else(corner).unwrap_or(CellId::NONE);
            out.push(InnerCell { cell, outside, near, bound, least: deep });
        });
        Self { up: -gravity.normalize_or_zero(), cells }
    }

    /// Returns φ extended into solids.
    pub fn apply(&self, mesh: &Mesh, solids: &Solids, mut phi: Field<CellId, f64>) -> Field<CellId, f64> {
        let values = par::map_index(self.cells.len(), |i| self.value(mesh, solids, &phi, &self.cells[i]));
        for (inner, value) in self.cells.iter().zip(values) {
            phi[inner.cell] = value;
        }
        phi
    }

    fn value(&self, mesh: &Mesh, solids: &Solids, phi: &Field<CellId, f64>, inner: &InnerCell) -> f64 {
        let up = self.up;
        let &InnerCell { cell, outside, near, bound, least } = inner;
        let bounded = |value: f64| bound.map_or(value, |(beyond, bound)| bound.apply(value, phi[beyond]));
        if outside.is_none() {
            return bounded(phi[cell].max(least));
        }
        let (x, h) = (mesh.tree.center(cell), mesh.tree.size(cell));
        let (there, at) = (phi[outside], mesh.tree.center(outside));
        let slope = cell_gradient(mesh, phi, outside);
        let rise = slope.dot(up).clamp(-1.0, 1.0);
        // If falling water has reached a solid, its underside is not extended into the solid as air, which would
        // swallow the water.
        let rise = if there < 0.0 { rise.max(0.0) } else { rise };
        let level = there + rise * (x - at).dot(up);
        let extended = solids.phi_by_slope(at, there, slope, level, h).max(least);
        // Below a surface that has its air on top there is water, whatever the samples say. Toward water above, φ
        // slopes through the wall.
        let is_wet = || (rise > 0.0 && level < 0.0) || (near.is_some() && phi[near] < 0.0);
        bounded(solids.phi_beside_air(x, there, extended, is_wet))
    }
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
    /// Faces whose flow is not that of `u`, with the flow in m³/s.
    pub exact_flow: Vec<ExactFlow>,
    /// The largest component among the faces that the pressure or an inflow has set.
    pub max_component: f64,
}

/// Extends the projected velocity, and the velocity that inflows prescribe, into air and solids. Nothing enters
/// through open sides.
pub(crate) fn extend_projected_velocity(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &Apertures,
    mut projected: Projected,
    prescribed: Prescribed,
    params: &Params,
) -> ExtendedVelocity {
    let mut trusted = apertures.trusted(&projected.valid);
    let exact_flow = exact_flow(mesh, apertures, &projected, &trusted, &prescribed);
    prescribed.set(&mut projected.u, &mut trusted);
    // Drops need all of the slope.
    let steepest = (params.surface_tension <= 0.0).then_some(STEEPEST);
    let mut u = continue_velocity(mesh, phi, apertures, projected.u, &trusted, steepest);
    let mut crossing = prescribed.sources;
    if params.flows.open.any() {
        open_sides::keep_outward(mesh, apertures, &mut u);
        crossing.extend(open_sides::losses(mesh, phi, apertures, &u));
    }
    let max_component = par::max(mesh.n_faces(), |k| {
        let k = FaceId(k as u32);
        if trusted[k] { u[k].abs() } else { 0.0 }
    });
    ExtendedVelocity { u, crossing, exact_flow, max_component }
}

/// Returns the flow through the faces of inflows.
pub(crate) fn inflow_flow(mesh: &Mesh, prescribed: &Prescribed) -> Vec<ExactFlow> {
    let of_face = |&(face, velocity): &(FaceId, f64)| ExactFlow {
        face,
        rate: mesh.face_size(face).powi(2) * velocity,
        is_inflow: true,
    };
    prescribed.faces.iter().map(of_face).collect()
}

/// Returns the flow in m³/s through faces whose velocity is replaced by its extension, and through those of inflows.
fn exact_flow(
    mesh: &Mesh,
    apertures: &Apertures,
    projected: &Projected,
    trusted: &Field<FaceId, bool>,
    prescribed: &Prescribed,
) -> Vec<ExactFlow> {
    let mut flow = inflow_flow(mesh, prescribed);
    flow.extend(par::collect(mesh.n_faces(), |i, out: &mut Vec<ExactFlow>| {
        let face = FaceId(i as u32);
        if projected.valid[face] && !trusted[face] && apertures.open(face) > 0.0 {
            let rate = apertures.open(face) * mesh.face_size(face).powi(2) * projected.u[face];
            out.push(ExactFlow { face, rate, is_inflow: false });
        }
    }));
    flow.sort_by_key(|flow| flow.face.0);
    flow.dedup_by_key(|flow| flow.face.0);
    flow
}

/// Extends the velocity from the valid faces to all faces as a constant.
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

#[cfg(test)]
mod tests;
