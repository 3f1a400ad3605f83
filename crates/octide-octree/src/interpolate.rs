//! §5: interpolation between samples.
//!
//! In a cell whose neighbors are all of its own level this is trilinear interpolation. Elsewhere it is
//! moving least squares, eqs. (33)–(35): the linear function q + g·r, r the offset from the query, that
//! minimizes
//!
//! ```text
//! Σ N(r_i, h_i) (q + g·r_i − q_i)²,   N(r, h) = Π_j max(1 − |r_j|/h, ε),   ε = 10⁻²,
//! ```
//!
//! over the samples of all cells that touch the one with the query; h_i is the sample's own size. Where the
//! samples' kernels without ε already sum to one with no first moment, they are the trilinear weights and are
//! used as they are, so that both formulas agree in uniform regions. Results are limited to the range of the
//! samples. Velocities next to a wall of the domain are mirrored at it (Fig. 8).
//!
//! Differs from the paper: φ is not mirrored at walls but extended linearly, because a mirrored φ bends
//! resting water under a ceiling and tilted water at a side. The kernel of a T-junction's face reaches only
//! one small cell into the fine side (as in the paper's continuous variant), so that the kernels of a coarse
//! cell's samples end with the first layer of small cells, and the switch to trilinear weights behind it is
//! continuous. The paper adds ε-weighted samples from the one-ring of the nearest sample; here they come from
//! all touching cells. A query on the boundary between cells is evaluated from the side that the caller's
//! `toward` selects, or as the mean over both, so that a mirrored scene gives mirrored values.

mod continuous;
mod curved;
mod fit;
mod known;
mod range;
mod samples;

pub use curved::CurvedPhi;
pub use known::{cells_around, fit_known};
pub use range::faces_range;

use crate::mesh::Mesh;
use fit::Fit;
use glam::{DVec3, IVec3};
use octide_core::index::{CellId, FaceId, Field, TreeId};
use octide_core::octree::Lattice;
use octide_core::scene::Interpolation;
use samples::{CellSamples, FaceSamples};

/// ε of eq. (35).
const EPSILON: f64 = 1e-2;

/// Samples farther away than this many of their sizes are ignored. The value is not a fraction that occurs as
/// an offset between samples, so that rounding does not decide.
const REACH: f64 = 1.77;

/// Distance from a cell boundary, in cell edges, within which a query counts as on it.
const TIE: f64 = 1e-9;

/// The samples of one kind of unknown.
trait Samples {
    /// Whether walls mirror the samples; otherwise they are extended linearly.
    const MIRRORED: bool;

    /// Interpolates trilinearly in a cell with neighbors of its own level. `r` is the offset from the cell's
    /// center in cell edges.
    fn trilinear(&self, mesh: &Mesh, cell: CellId, r: DVec3) -> f64;

    /// Returns the axis along which samples of all sizes meet without gaps: the normal of faces; 3 for cells.
    fn axis(&self) -> usize;

    /// Returns the difference between a sample's image behind the wall on a side of the domain and the
    /// sample.
    fn beyond(&self, mesh: &Mesh, s: &Sample, side: usize) -> f64;

    /// Calls `f` once with each sample around an irregular cell.
    fn for_around(&self, mesh: &Mesh, cell: CellId, f: &mut impl FnMut(Sample));
}

struct Sample {
    place: Lattice,
    /// Its size in lattice units.
    size: i32,
    /// The direction in which its kernel is half as wide, or 6.
    narrow: usize,
    /// The nodes of its size that it lies between; for a cell both are the same.
    nodes: [TreeId; 2],
    value: f64,
}

/// Returns the value of a cell-centered field at `p`. If `p` lies between cells, the cell in the direction
/// `toward` is used.
pub fn sample_cells(mesh: &Mesh, q: &Field<CellId, f64>, p: DVec3, toward: DVec3) -> f64 {
    sample(mesh, &CellSamples(q), CellId::NONE, p, toward)
}

/// Returns the value of a cell-centered field at `p`, which lies in `cell`.
#[inline]
pub fn sample_cells_in(mesh: &Mesh, q: &Field<CellId, f64>, cell: CellId, p: DVec3) -> f64 {
    sample_in(mesh, &CellSamples(q), cell, p)
}

/// Returns the value at `p`, which lies in `cell`, of the velocity component along `axis`.
#[inline]
pub fn sample_faces_in(mesh: &Mesh, u: &Field<FaceId, f64>, axis: usize, cell: CellId, p: DVec3) -> f64 {
    sample_in(mesh, &FaceSamples { u, axis }, cell, p)
}

/// Returns the value at `p` of the velocity component along `axis`, from its values on faces. If `p` lies
/// between cells, the cell in the direction `toward` is used.
pub fn sample_faces(mesh: &Mesh, u: &Field<FaceId, f64>, axis: usize, p: DVec3, toward: DVec3) -> f64 {
    sample_faces_from(mesh, u, axis, CellId::NONE, p, toward)
}

/// As [`sample_faces`], with a cell near `p` or `NONE`: the cell of `p` is found sooner from there.
pub fn sample_faces_from(
    mesh: &Mesh,
    u: &Field<FaceId, f64>,
    axis: usize,
    near: CellId,
    p: DVec3,
    toward: DVec3,
) -> f64 {
    sample(mesh, &FaceSamples { u, axis }, near, p, toward)
}

/// Returns the results of [`sample_cells`] at two points if both lie in one cell at a change of level: the
/// samples around it are looked up only once. `near` is a cell near them.
pub fn sample_cells_together(
    mesh: &Mesh,
    q: &Field<CellId, f64>,
    near: CellId,
    places: [DVec3; 2],
    toward: DVec3,
) -> Option<[f64; 2]> {
    together(mesh, &CellSamples(q), near, places, toward)
}

/// Returns the results of [`sample_faces`] at two points if both lie in one cell at a change of level.
pub fn sample_faces_together(
    mesh: &Mesh,
    u: &Field<FaceId, f64>,
    axis: usize,
    near: CellId,
    places: [DVec3; 2],
    toward: DVec3,
) -> Option<[f64; 2]> {
    together(mesh, &FaceSamples { u, axis }, near, places, toward)
}

fn together(
    mesh: &Mesh,
    samples: &impl Samples,
    near: CellId,
    places: [DVec3; 2],
    toward: DVec3,
) -> Option<[f64; 2]> {
    let grid = mesh.tree.grid();
    let [p, q] = places.map(|p| p.clamp(grid.low(), grid.high()));
    let cell = only_view(mesh, near, p, toward)?;
    let apart = mesh.contacts.is_regular(cell)
        || mesh.interpolation == Interpolation::Continuous
        || only_view(mesh, cell, q, toward) != Some(cell);
    (!apart).then(|| least_squares(mesh, samples, cell, [p, q]))
}

/// Returns the cell from which a point is evaluated, if there is only one.
fn only_view(mesh: &Mesh, near: CellId, p: DVec3, toward: DVec3) -> Option<CellId> {
    let (mut only, mut n) = (CellId::NONE, 0);
    for_views(mesh, near, p, toward, |cell| {
        only = cell;
        n += 1;
    });
    (n == 1).then_some(only)
}

fn sample(mesh: &Mesh, samples: &impl Samples, near: CellId, p: DVec3, toward: DVec3) -> f64 {
    let p = p.clamp(mesh.tree.grid().low(), mesh.tree.grid().high());
    let mut met = [(CellId::NONE, 0.0); 8];
    let (mut sum, mut n) = (0.0, 0);
    for_views(mesh, near, p, toward, |cell| {
        let known = met[..n].iter().find(|m| m.0 == cell).map(|m| m.1);
        met[n] = (cell, known.unwrap_or_else(|| sample_in(mesh, samples, cell, p)));
        sum += met[n].1;
        n += 1;
    });
    sum / n as f64
}

/// Calls `f` with the cells from which `p`, inside the domain, is evaluated, eight at most: the cell that
/// contains it, or those around it in the direction `toward`. `near` is a cell near it or `NONE`.
#[inline]
fn for_views(mesh: &Mesh, near: CellId, p: DVec3, toward: DVec3, mut f: impl FnMut(CellId)) {
    let tree = &mesh.tree;
    let grid = tree.grid();
    let cell = if near.is_some() { tree.nearest_leaf_from(near, p) } else { tree.nearest_leaf(p) };
    if mesh.contacts.is_regular(cell) {
        return f(cell);
    }
    // The axes on which the query lies between cells: on the cell's own boundary, or in its middle, where a
    // finer neighbor may have a boundary.
    let r = (p - tree.center(cell)) / tree.size(cell);
    let tied = |a: usize| r[a].abs() < TIE || (r[a].abs() - 0.5).abs() < TIE;
    if !(0..3).any(tied) {
        return f(cell);
    }
    let nudge = 4.0 * TIE * tree.size(cell);
    // A shorter displacement is rounding and has no direction.
    let points = |a: usize| toward[a].abs() > TIE * tree.size(cell);
    let mut found = false;
    for o in 0..8 {
        let side = IVec3::new(o & 1, o >> 1 & 1, o >> 2 & 1);
        let wrong = |a: usize| {
            if tied(a) { points(a) && (toward[a] > 0.0) != (side[a] == 1) } else { side[a] == 1 }
        };
        if (0..3).any(wrong) {
            continue;
        }
        let mut at = p;
        for a in (0..3).filter(|&a| tied(a)) {
            at[a] += if side[a] == 1 { nudge } else { -nudge };
        }
        if at.cmpge(grid.low()).all() && at.cmplt(grid.high()).all() {
            found = true;
            f(tree.nearest_leaf_from(cell, at));
        }
    }
    if !found {
        f(cell);
    }
}

/// Returns the value at `p` as seen from `cell`, which contains `p` or has it on its boundary.
fn sample_in(mesh: &Mesh, samples: &impl Samples, cell: CellId, p: DVec3) -> f64 {
    if mesh.contacts.is_regular(cell) {
        samples.trilinear(mesh, cell, (p - mesh.tree.center(cell)) / mesh.tree.size(cell))
    } else if mesh.interpolation == Interpolation::Continuous {
        continuous::least_squares(mesh, samples, cell, p)
    } else {
        let [value] = least_squares(mesh, samples, cell, [p]);
        value
    }
}

/// Returns the values at `N` points as seen from `cell`: the samples around it are looked up only once.
fn least_squares<S: Samples, const N: usize>(
    mesh: &Mesh,
    samples: &S,
    cell: CellId,
    p: [DVec3; N],
) -> [f64; N] {
    let tree = &mesh.tree;
    let grid = tree.grid();
    let at = p.map(|p| grid.to_lattice(p));
    let node = tree.node_of(cell);
    let extent = f64::from(2 * tree.half_extent(node));
    let scale = 1.0 / extent;
    let at_wall = (0..6).any(|d| tree.neighbor(node, d).is_none());
    let low = grid.min() << (u32::from(grid.max_level()) + 1);
    let high = (grid.min() + grid.dims()) << (u32::from(grid.max_level()) + 1);
    let mut fits = at.map(|_| Fit::new());
    samples.for_around(mesh, cell, &mut |s| {
        let place = s.place.as_dvec3();
        // Sizes are powers of two.
        let wide = DVec3::splat(extent / f64::from(s.size));
        for (fit, &at) in fits.iter_mut().zip(&at) {
            let r = (place - at) * scale;
            let mut per_h = wide;
            // The query lies on the narrow side of the sample's kernel.
            if s.narrow < 6 && (r[s.narrow / 2] < 0.0) == (s.narrow & 1 == 1) {
                per_h[s.narrow / 2] *= 2.0;
            }
            fit.add(r, per_h, s.value, false);
            if at_wall && S::MIRRORED {
                add_images(fit, &s, (low, high), r, per_h);
            }
        }
    });
    // Linear extension beyond the last samples may leave their range.
    fits.map(|fit| fit.value(S::MIRRORED || !at_wall))
}

/// Adds the mirror images of a sample in the first layer at a wall, also across edges and corners of the
/// domain.
fn add_images(fit: &mut Fit, s: &Sample, (low, high): (IVec3, IVec3), r: DVec3, per_h: DVec3) {
    let mut shift = DVec3::ZERO;
    for a in 0..3 {
        if 2 * (s.place[a] - low[a]) == s.size {
            shift[a] = -1.0 / per_h[a];
        } else if 2 * (high[a] - s.place[a]) == s.size {
            shift[a] = 1.0 / per_h[a];
        }
    }
    for o in 1..8 {
        let pick = DVec3::new(f64::from(o & 1), f64::from(o >> 1 & 1), f64::from(o >> 2 & 1));
        if (0..3).all(|a| pick[a] == 0.0 || shift[a] != 0.0) {
            fit.add(r + pick * shift, per_h, s.value, true);
        }
    }
}

#[cfg(test)]
mod tests;
