//! §5: values between the samples.
//!
//! In a cell whose neighbours are all of its own level this is trilinear interpolation. Elsewhere it is moving
//! least squares, eqs. (33)–(35): the linear function q + g·r, r the offset from the query, that minimizes
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
//! Differs from the paper: φ is not mirrored at walls but continued linearly, because a mirrored φ bends resting
//! water under a ceiling and tilted water at a side. The kernel of a T-junction's face reaches only one small cell into the fine side (as
//! the paper's continuous variant does), so that the kernels of a coarse cell's samples end with the first layer
//! of small cells, and the switch to trilinear weights behind it is continuous. The paper adds ε-weighted samples from the one-ring of the nearest sample, here they
//! come from all touching cells. A query on the boundary between cells takes the side that it is told to
//! look to, or the mean over both, so that a mirrored scene gives mirrored values.

mod bent;
mod known;

pub use bent::Bent;
pub use known::{cells_around, fit_known};

use crate::mesh::Mesh;
use glam::{DVec3, IVec3};
use octide_core::index::{CellId, FaceId, Field, TreeId};
use octide_core::octree::Lattice;

/// ε of eq. (35).
const EPSILON: f64 = 1e-2;

/// Samples farther than this many of their sizes do not count. Not a fraction that offsets between samples
/// can have, so that rounding does not decide.
const REACH: f64 = 1.77;

/// How near to a cell boundary, in cell edges, a query counts as on it.
const TIE: f64 = 1e-9;

/// Samples that are interpolated: one kind of unknown.
trait Samples {
    /// Whether walls mirror the samples; otherwise they are continued linearly.
    const MIRRORED: bool;

    /// Trilinear interpolation in a cell with neighbours of its own level. `r` is the offset from the cell's
    /// center in cell edges.
    fn trilinear(&self, mesh: &Mesh, cell: CellId, r: DVec3) -> f64;

    /// Calls `f` once with each sample around an irregular cell.
    fn for_around(&self, mesh: &Mesh, cell: CellId, f: &mut impl FnMut(Sample));
}

struct Sample {
    place: Lattice,
    /// Its size in lattice units.
    size: i32,
    /// The direction in which its kernel is half as wide, or 6.
    narrow: usize,
    value: f64,
}

/// The value of a cell-centered field at `p`. Where `p` lies between cells, the one `toward` points to counts.
pub fn sample_cells(mesh: &Mesh, q: &Field<CellId, f64>, p: DVec3, toward: DVec3) -> f64 {
    sample(mesh, &CellSamples(q), p, toward)
}

/// The value of a cell-centered field at `p`, which lies in `cell`.
#[inline]
pub fn sample_cells_in(mesh: &Mesh, q: &Field<CellId, f64>, cell: CellId, p: DVec3) -> f64 {
    sample_in(mesh, &CellSamples(q), cell, p)
}

/// The value at `p`, which lies in `cell`, of the velocity component along `axis`.
#[inline]
pub fn sample_faces_in(mesh: &Mesh, u: &Field<FaceId, f64>, axis: usize, cell: CellId, p: DVec3) -> f64 {
    sample_in(mesh, &FaceSamples { u, axis }, cell, p)
}

/// The value at `p` of the velocity component along `axis`, from its values on faces. Where `p` lies between
/// cells, the one `toward` points to counts.
pub fn sample_faces(mesh: &Mesh, u: &Field<FaceId, f64>, axis: usize, p: DVec3, toward: DVec3) -> f64 {
    sample(mesh, &FaceSamples { u, axis }, p, toward)
}

fn sample(mesh: &Mesh, samples: &impl Samples, p: DVec3, toward: DVec3) -> f64 {
    let tree = &mesh.tree;
    let grid = tree.grid();
    let p = p.clamp(grid.low(), grid.high());
    let cell = tree.locate(p);
    if mesh.contacts.is_regular(cell) {
        return sample_in(mesh, samples, cell, p);
    }
    // On which axes the query lies between cells: on the cell's own boundary, or in its middle, where a finer
    // neighbour may have one.
    let r = (p - tree.center(cell)) / tree.size(cell);
    let tied = |a: usize| r[a].abs() < TIE || (r[a].abs() - 0.5).abs() < TIE;
    if !(0..3).any(tied) {
        return least_squares(mesh, samples, cell, p);
    }
    let nudge = 4.0 * TIE * tree.size(cell);
    // A way shorter than that is rounding and points nowhere.
    let points = |a: usize| toward[a].abs() > TIE * tree.size(cell);
    let mut met = [(CellId::NONE, 0.0); 8];
    let (mut sum, mut n) = (0.0, 0);
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
        let inside = at.cmpge(grid.low()).all() && at.cmplt(grid.high()).all();
        if inside {
            let cell = tree.locate_from(cell, at);
            let known = met[..n].iter().find(|m| m.0 == cell).map(|m| m.1);
            met[n] = (cell, known.unwrap_or_else(|| sample_in(mesh, samples, cell, p)));
            sum += met[n].1;
            n += 1;
        }
    }
    if n > 0 { sum / n as f64 } else { least_squares(mesh, samples, cell, p) }
}

/// The value at `p` as seen from `cell`, which `p` lies in or on the boundary of.
fn sample_in(mesh: &Mesh, samples: &impl Samples, cell: CellId, p: DVec3) -> f64 {
    if mesh.contacts.is_regular(cell) {
        samples.trilinear(mesh, cell, (p - mesh.tree.center(cell)) / mesh.tree.size(cell))
    } else {
        least_squares(mesh, samples, cell, p)
    }
}

/// The sums of a least-squares fit about the query.
#[derive(Default)]
struct Fit {
    /// Σ N without ε, its first moment, and Σ N q.
    plain: f64,
    plain_moment: DVec3,
    plain_value: f64,
    /// Σ w, Σ w r, Σ w r rᵀ (xx xy xz yy yz zz), Σ w q, Σ w q r.
    w: f64,
    m: DVec3,
    mm: [f64; 6],
    b: f64,
    bm: DVec3,
    min: f64,
    max: f64,
}

impl Fit {
    fn new() -> Self {
        Self { min: f64::INFINITY, max: f64::NEG_INFINITY, ..Self::default() }
    }

    /// Adds a sample at `r`, in units of the query's cell, whose kernel is `h` wide in those units.
    #[inline]
    fn add(&mut self, r: DVec3, h: DVec3, q: f64, image: bool) {
        let k = 1.0 - r.abs() / h;
        if k.min_element() > 0.0 {
            let n = k.x * k.y * k.z;
            self.plain += n;
            self.plain_moment += n * r;
            self.plain_value += n * q;
        } else if image || k.min_element() <= 1.0 - REACH {
            return;
        }
        // An image fades to nothing at its kernel's edge: it only fills in for what the wall cuts off.
        let k = if image { k } else { k.max(DVec3::splat(EPSILON)) };
        let w = k.x * k.y * k.z;
        let wr = w * r;
        self.w += w;
        self.m += wr;
        self.mm[0] += wr.x * r.x;
        self.mm[1] += wr.x * r.y;
        self.mm[2] += wr.x * r.z;
        self.mm[3] += wr.y * r.y;
        self.mm[4] += wr.y * r.z;
        self.mm[5] += wr.z * r.z;
        self.b += w * q;
        self.bm += q * wr;
        self.min = self.min.min(q);
        self.max = self.max.max(q);
    }

    fn value(&self, limited: bool) -> f64 {
        if (self.plain - 1.0).abs() < 1e-9 && self.plain_moment.abs().max_element() < 1e-9 {
            return self.plain_value;
        }
        let value = self.solve();
        if limited { value.clamp(self.min, self.max) } else { value }
    }

    /// The constant of the fit, by Cholesky with the constant eliminated last.
    fn solve(&self) -> f64 {
        let floor = 1e-12 * self.w;
        let [xx, xy, xz, yy, yz, zz] = self.mm;
        let l00 = (xx + floor).sqrt();
        let (l10, l20, l30) = (xy / l00, xz / l00, self.m.x / l00);
        let l11 = (yy + floor - l10 * l10).max(floor).sqrt();
        let (l21, l31) = ((yz - l20 * l10) / l11, (self.m.y - l30 * l10) / l11);
        let l22 = (zz + floor - l20 * l20 - l21 * l21).max(floor).sqrt();
        let l32 = (self.m.z - l30 * l20 - l31 * l21) / l22;
        let y0 = self.bm.x / l00;
        let y1 = (self.bm.y - l10 * y0) / l11;
        let y2 = (self.bm.z - l20 * y0 - l21 * y1) / l22;
        let pivot = self.w - l30 * l30 - l31 * l31 - l32 * l32;
        if pivot > 1e-9 * self.w {
            (self.b - l30 * y0 - l31 * y1 - l32 * y2) / pivot
        } else {
            self.b / self.w
        }
    }
}

fn least_squares<S: Samples>(mesh: &Mesh, samples: &S, cell: CellId, p: DVec3) -> f64 {
    let tree = &mesh.tree;
    let grid = tree.grid();
    let at = grid.to_lattice(p);
    let scale = 1.0 / f64::from(2 * tree.half_extent(tree.node_of(cell)));
    let node = tree.node_of(cell);
    let at_wall = (0..6).any(|d| tree.neighbor(node, d).is_none());
    let low = grid.min() << (u32::from(grid.max_level()) + 1);
    let high = (grid.min() + grid.dims()) << (u32::from(grid.max_level()) + 1);
    let mut fit = Fit::new();
    samples.for_around(mesh, cell, &mut |s| {
        let r = (s.place.as_dvec3() - at) * scale;
        let mut h = DVec3::splat(f64::from(s.size) * scale);
        // The query lies on the narrow side: the sample is behind it, seen from there.
        if s.narrow < 6 && (r[s.narrow / 2] < 0.0) == (s.narrow & 1 == 1) {
            h[s.narrow / 2] *= 0.5;
        }
        fit.add(r, h, s.value, false);
        if at_wall && S::MIRRORED {
            add_images(&mut fit, &s, (low, high), r, h);
        }
    });
    // What is continued beyond the last samples leaves their range.
    fit.value(S::MIRRORED || !at_wall)
}

/// Mirror images of a sample in the first layer at a wall, also across edges and corners of the domain.
fn add_images(fit: &mut Fit, s: &Sample, (low, high): (IVec3, IVec3), r: DVec3, h: DVec3) {
    let mut shift = DVec3::ZERO;
    for a in 0..3 {
        if 2 * (s.place[a] - low[a]) == s.size {
            shift[a] = -h[a];
        } else if 2 * (high[a] - s.place[a]) == s.size {
            shift[a] = h[a];
        }
    }
    for o in 1..8 {
        let pick = DVec3::new(f64::from(o & 1), f64::from(o >> 1 & 1), f64::from(o >> 2 & 1));
        if (0..3).all(|a| pick[a] == 0.0 || shift[a] != 0.0) {
            fit.add(r + pick * shift, h, s.value, true);
        }
    }
}

/// From a regular cell one step along an axis; at a wall it stays, which mirrors the sample.
#[inline]
fn step_to(mesh: &Mesh, node: TreeId, axis: usize, side: usize) -> TreeId {
    let next = mesh.tree.neighbor(node, 2 * axis + side);
    if next.is_some() { next } else { node }
}

struct CellSamples<'a>(&'a Field<CellId, f64>);

impl CellSamples<'_> {
    /// The eight cells around a place in a regular cell, and where it is between them.
    #[inline]
    fn corners(mesh: &Mesh, cell: CellId, r: DVec3) -> ([CellId; 8], DVec3) {
        let mut t = r.abs();
        let mut nodes = [mesh.tree.node_of(cell); 8];
        for axis in 0..3 {
            let mut side = usize::from(r[axis] >= 0.0);
            if mesh.tree.neighbor(nodes[0], 2 * axis + side).is_none() {
                // Beyond the last samples before a wall: on along the line from the other side.
                side = 1 - side;
                t[axis] = -t[axis];
            }
            for i in 0..1 << axis {
                nodes[i | 1 << axis] = step_to(mesh, nodes[i], axis, side);
            }
        }
        (nodes.map(|n| mesh.tree.leaf_of(n)), t)
    }
}

impl Samples for CellSamples<'_> {
    const MIRRORED: bool = false;

    #[inline]
    fn trilinear(&self, mesh: &Mesh, cell: CellId, r: DVec3) -> f64 {
        let (corners, t) = Self::corners(mesh, cell, r);
        let v = |i: usize| self.0[corners[i]];
        let x = |i: usize| v(i) + t.x * (v(i | 1) - v(i));
        let y = |i: usize| x(i) + t.y * (x(i | 2) - x(i));
        y(0) + t.z * (y(4) - y(0))
    }

    #[inline]
    fn for_around(&self, mesh: &Mesh, cell: CellId, f: &mut impl FnMut(Sample)) {
        for &other in mesh.contacts.touching(cell) {
            let node = mesh.tree.node_of(other);
            let (place, size) = (mesh.tree.lattice_center(node), 2 * mesh.tree.half_extent(node));
            f(Sample { place, size, narrow: 6, value: self.0[other] });
        }
    }
}

struct FaceSamples<'a> {
    u: &'a Field<FaceId, f64>,
    axis: usize,
}

impl Samples for FaceSamples<'_> {
    const MIRRORED: bool = true;

    #[inline]
    fn trilinear(&self, mesh: &Mesh, cell: CellId, r: DVec3) -> f64 {
        let a = self.axis;
        let (b, c) = ((a + 1) % 3, (a + 2) % 3);
        let home = mesh.tree.node_of(cell);
        let (sb, sc) = (usize::from(r[b] >= 0.0), usize::from(r[c] >= 0.0));
        let nb = step_to(mesh, home, b, sb);
        let nc = step_to(mesh, home, c, sc);
        let nbc = step_to(mesh, nb, c, sc);
        let (tb, tc, ta) = (r[b].abs(), r[c].abs(), r[a] + 0.5);
        let along = |node: TreeId| {
            let faces = mesh.faces.of_cell(mesh.tree.leaf_of(node));
            let (lo, hi) = (self.u[faces[2 * a]], self.u[faces[2 * a + 1]]);
            lo + ta * (hi - lo)
        };
        let (v, vb, vc, vbc) = (along(home), along(nb), along(nc), along(nbc));
        let (near, far) = (v + tb * (vb - v), vc + tb * (vbc - vc));
        near + tc * (far - near)
    }

    #[inline]
    fn for_around(&self, mesh: &Mesh, cell: CellId, f: &mut impl FnMut(Sample)) {
        let (tree, faces) = (&mesh.tree, &mesh.faces);
        let home = tree.node_of(cell);
        let (center, half) = (tree.lattice_center(home), tree.half_extent(home));
        let touches = |node: TreeId| {
            let apart = (tree.lattice_center(node) - center).abs().max_element();
            apart <= half + tree.half_extent(node)
        };
        // Small cells whose large neighbour is out of touch share a face that none of them owns.
        let mut shared = [FaceId::NONE; 24];
        let mut n_shared = 0;
        for &other in mesh.contacts.touching(cell) {
            let node = tree.node_of(other);
            let own = faces.of_cell(other);
            for face in [own[2 * self.axis], own[2 * self.axis + 1]] {
                let sides = faces.sides(face);
                let fine = sides.iter().position(|&s| s.is_some() && !tree.is_leaf(s));
                let owner = match fine {
                    Some(side) => sides[1 - side],
                    None => {
                        if sides[0].is_some() {
                            sides[0]
                        } else {
                            sides[1]
                        }
                    }
                };
                if owner != node {
                    if touches(owner) || shared[..n_shared].contains(&face) {
                        continue;
                    }
                    if fine.is_some() {
                        debug_assert!(n_shared < shared.len(), "a cell meets few such faces");
                        shared[n_shared] = face;
                        n_shared += 1;
                    }
                }
                let size = 2 << (tree.grid().max_level() - faces.level(face));
                let narrow = fine.map_or(6, |side| 2 * self.axis + side);
                f(Sample { place: faces.place(face), size, narrow, value: self.u[face] });
            }
        }
    }
}

#[cfg(test)]
mod tests;
