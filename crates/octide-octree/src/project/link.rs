//! §4.5: the operator [F∇] on one face, computed from φ around it, eqs. (21), (24), (25).
//!
//! ```text
//! liquid on all sides        F_kj = c_kj
//! cut, W_k > 0               F_kj = W_k c_kj                               the same in (24) and (25)
//! cut, W_k ≤ 0, degenerate   F_kj = 0                                      (25)
//!                            F_kj = Σ_all c_ki φ_i / Σ_liquid φ_i          (24), for every liquid j
//! ```
//!
//! W_k ≤ 0 occurs only with liquid on both sides of a T-junction: with liquid on one side only, Σ_all c φ and
//! Σ_liquid c φ have the same sign. So the large cell of a degenerate stencil is in the liquid, and Σ_liquid
//! φ is at least as far from zero as that cell's φ, which is at least 10⁻⁶ of its size, as for θ.
//!
//! As printed, (24) applies to every face; the text applies it where W_k < 0. Both are exact for linear p.
//! Here it applies where W_k ≤ 0: see PAPERS.md.

use super::MAX_FACTOR;
use super::uneven::{self, Uneven};
use crate::apertures::Apertures;
use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use crate::params::FreeSurface;
use crate::volume::cell_gradient;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::octree::FaceStencil;

/// The coupling of the pressures on both sides of a face.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// W of eq. (21), clamped; 1 inside the liquid, 0 outside. For [`Kind::Even`], the weight of each liquid
    /// cell.
    pub factor: f64,
    pub kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Kind {
    /// No unknown, or closed.
    Off,
    /// Liquid on all sides.
    Inside,
    /// The surface cuts it.
    Cut,
    /// The surface cuts it and the factor was clamped to zero.
    Degenerate,
    /// As `Degenerate`, but all its liquid cells have the same weight, eq. (24).
    Even,
}

impl Link {
    const OFF: Self = Self { factor: 0.0, kind: Kind::Off };

    /// The link with factor zero.
    pub const DEGENERATE: Self = Self { factor: 0.0, kind: Kind::Degenerate };

    /// Returns F_kj of an unknown j from c_kj.
    #[inline]
    pub fn weight(self, c: f64) -> f64 {
        if self.kind == Kind::Even { self.factor } else { self.factor * c }
    }

    /// Returns whether the pressure sets the velocity of the face.
    #[inline]
    pub fn acts(self) -> bool {
        self.factor != 0.0
    }
}

/// Returns the cells of a face and the weights of the gradient, eqs. (5)–(7).
#[inline]
pub(super) fn stencil(mesh: &Mesh, uneven: &Uneven, face: FaceId) -> FaceStencil {
    let mut s = mesh.faces.stencil(&mesh.tree, face);
    if s.n == 5
        && let Some(uneven) = uneven.stencil(face)
    {
        s = *uneven;
    }
    if faults::is(Fault::FlippedTJunction) && s.n == 5 {
        let small = |w: f64| w.abs() < 0.5 / s.length;
        s.weights = s.weights.map(|w| if small(w) { -w } else { w });
    }
    s
}

/// Returns [F∇] on one face; friction lets only a part of it act.
pub(super) fn link(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &Apertures,
    uneven: &Uneven,
    is_unknown: &Field<CellId, bool>,
    form: FreeSurface,
    face: FaceId,
) -> Link {
    let link = free_link(mesh, phi, apertures, uneven, is_unknown, form, face);
    Link { factor: link.factor * apertures.yields(face), ..link }
}

/// Returns [F∇] on one face without friction.
fn free_link(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &Apertures,
    uneven: &Uneven,
    is_unknown: &Field<CellId, bool>,
    form: FreeSurface,
    face: FaceId,
) -> Link {
    if apertures.open(face) <= 0.0 {
        return Link::OFF;
    }
    let s = stencil(mesh, uneven, face);
    let n_liquid = s.iter().filter(|&(c, _)| is_unknown[c]).count();
    if n_liquid == 0 {
        return Link::OFF;
    }
    if mesh.faces.is_wall(face) {
        return Link { factor: side_factor(mesh, phi, s.cells[0], face), kind: Kind::Cut };
    }
    if n_liquid == s.n {
        return Link { factor: 1.0, kind: Kind::Inside };
    }
    let is_naive = form == FreeSurface::FirstOrder && s.n == 5;
    if is_naive || faults::is(Fault::FirstOrderSurface) {
        return Link { factor: 1.0, kind: Kind::Cut };
    }
    let slope = Slope::new(phi, is_unknown, &s);
    match slope.factor() {
        Some(factor) => Link { factor, kind: Kind::Cut },
        None if form == FreeSurface::SecondOrder => slope.even(mesh.face_size(face)),
        None => Link::DEGENERATE,
    }
}

/// Returns the factor 1/θ at an open side of the domain, where p = 0 on the side, half a cell from the
/// center, or on the surface if that is closer.
fn side_factor(mesh: &Mesh, phi: &Field<CellId, f64>, cell: CellId, face: FaceId) -> f64 {
    let axis = mesh.faces.axis(face);
    let rise = cell_gradient(mesh, phi, cell)[axis] * mesh.tree.size(cell);
    let out = if mesh.faces.sides(face)[1].is_none() { rise } else { -rise };
    (-out / phi[cell]).clamp(2.0, MAX_FACTOR)
}

/// Returns whether all liquid cells of a [`Kind::Even`] face have a sufficient diagonal without it. The
/// diagonal is Σ V A c_ki F_ki over the cell's faces; of the faces of this kind only the negative terms
/// count. If it is insufficient, the factor of the face should be zero.
pub(super) fn leaves_enough_diagonal(
    mesh: &Mesh,
    apertures: &Apertures,
    uneven: &Uneven,
    is_unknown: &Field<CellId, bool>,
    links: &Field<FaceId, Link>,
    face: FaceId,
) -> bool {
    stencil(mesh, uneven, face).iter().filter(|&(c, _)| is_unknown[c]).all(|(cell, _)| {
        let (mut sum, mut even) = (0.0, 0.0);
        for &k in mesh.faces.of_cell(cell).iter().filter(|&&k| links[k].acts()) {
            let s = stencil(mesh, uneven, k);
            let own = s.iter().find(|&(c, _)| c == cell).map_or(0.0, |(_, w)| w);
            let volume = s.length * mesh.face_size(k).powi(2);
            let term = volume * uneven::open(apertures, k) * own * links[k].weight(own);
            if links[k].kind == Kind::Even { even += term.min(0.0) } else { sum += term }
        }
        // A small cell needs no other face as long as no term is negative.
        even >= 0.0 || sum + even >= LEAST_DIAGONAL * sum && sum > 0.0
    })
}

/// Fraction of the diagonal of eq. (25) that must remain with eq. (24).
const LEAST_DIAGONAL: f64 = 0.1;

/// Sums over a stencil that the surface cuts.
struct Slope {
    /// Σ c φ over all cells: the slope of φ across the face.
    all: f64,
    /// Σ c φ over the liquid cells.
    liquid: f64,
    /// Σ |c φ|.
    scale: f64,
    /// Σ φ over the liquid cells.
    depth: f64,
}

impl Slope {
    fn new(phi: &Field<CellId, f64>, is_unknown: &Field<CellId, bool>, stencil: &FaceStencil) -> Self {
        let mut s = Self { all: 0.0, liquid: 0.0, scale: 0.0, depth: 0.0 };
        for (c, w) in stencil.iter() {
            s.all += w * phi[c];
            s.scale += (w * phi[c]).abs();
            if is_unknown[c] {
                s.liquid += w * phi[c];
            }
            if is_unknown[c] || faults::is(Fault::DepthOfAll) {
                s.depth += phi[c];
            }
        }
        s
    }

    /// Returns W of eq. (21), or `None` where it is not positive.
    fn factor(&self) -> Option<f64> {
        if self.all.abs() <= 1e-9 * self.scale || self.all * self.liquid < 0.0 {
            return None;
        }
        let most = if faults::is(Fault::ThetaFloor) { 1e2 } else { MAX_FACTOR };
        Some((self.all / self.liquid).abs().min(most))
    }

    /// Returns the link of eq. (24) for a face of this size.
    fn even(&self, size: f64) -> Link {
        if self.all.abs() <= 1e-9 * self.scale {
            return Link::DEGENERATE;
        }
        Link { factor: self.all / self.depth.min(-size / MAX_FACTOR), kind: Kind::Even }
    }
}
