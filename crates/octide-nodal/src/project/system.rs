//! The system of eq. (4): which cells are unknowns, how faces tie them, matrix and right-hand side.
//!
//! ```text
//! Σ_k A_k/Δ_k (P_i − P_j) = V_i · wanted divergence − Σ_k ±A_k u*_k,      A_k the open area of face k
//! ```
//!
//! Two cells share one face at most, so an entry off the diagonal is the coefficient of one face, computed in one way
//! from either side: the matrix is symmetric to the last bit.

use super::Medium;
use super::distance::delta;
use super::link::{at_centers, is_filled, link};
use crate::boundary::Boundary;
use crate::mesh::Mesh;
use octide_core::contract::StepError;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;
use octide_core::scene::GradientDistance;
use octide_solve::{Csr, MatrixError, NullSpace, SolveError};

/// Marks cells without an unknown.
const NONE: u32 = u32::MAX;

/// What is to be solved for P = dt p/ρ.
#[derive(Clone, Debug)]
pub struct PressureSystem {
    /// The matrix, symmetric and without negative eigenvalues.
    pub matrix: Csr,
    /// The right-hand side, consistent with `null_space`.
    pub rhs: Vec<f64>,
    /// The cell of each row.
    pub cells: Vec<CellId>,
    /// Pieces that touch neither air nor an open side, if there are any.
    pub null_space: Option<NullSpace>,
    /// The row of each cell, or `u32::MAX`.
    pub(super) row_of: Field<CellId, u32>,
    lengths: Lengths,
    /// P on the side of a face that has no unknown; empty where it is zero everywhere.
    beyond: Field<FaceId, f64>,
    /// The divergence that each row's cell is to have, and can.
    pub(super) wanted: Vec<f64>,
    /// The largest divergence that had to be granted to a closed piece.
    pub(super) unsolvable: f64,
}

/// The length that a face's difference is divided by; infinite where no pressure acts.
#[derive(Clone, Debug)]
enum Lengths {
    /// Between water and air they are of any size.
    Given(Field<FaceId, f64>),
    /// In gas they are Δ.
    Plain(GradientDistance, Field<FaceId, bool>),
}

impl Lengths {
    #[inline]
    fn at(&self, mesh: &Mesh, face: FaceId) -> f64 {
        match self {
            Self::Given(lengths) => lengths[face],
            Self::Plain(kind, acts) if acts[face] => delta(mesh, *kind, face),
            Self::Plain(..) => f64::INFINITY,
        }
    }

    #[inline]
    fn acts(&self, face: FaceId) -> bool {
        match self {
            Self::Given(lengths) => lengths[face].is_finite(),
            Self::Plain(_, acts) => acts[face],
        }
    }
}

impl PressureSystem {
    /// ∇P on every face, from the pressure of each row; zero where no pressure acts.
    pub fn gradient(&self, mesh: &Mesh, pressure: &[f64]) -> Field<FaceId, f64> {
        par::map(mesh.n_faces(), |k: FaceId| self.gradient_at(mesh, pressure, k))
    }

    /// The same on one face.
    #[inline]
    pub(super) fn gradient_at(&self, mesh: &Mesh, pressure: &[f64], face: FaceId) -> f64 {
        if !self.acts_on(face) {
            return 0.0;
        }
        let at = |c: CellId| match self.row(c) {
            None => self.beyond(face),
            Some(row) => pressure[row],
        };
        let [lo, hi] = mesh.faces.sides(face);
        (at(hi) - at(lo)) / self.lengths.at(mesh, face)
    }

    /// P on the side of a face that has no unknown.
    #[inline]
    fn beyond(&self, face: FaceId) -> f64 {
        if self.beyond.is_empty() { 0.0 } else { self.beyond[face] }
    }

    /// The row of a cell, if it has one.
    #[inline]
    pub fn row(&self, cell: CellId) -> Option<usize> {
        if cell.is_none() {
            return None;
        }
        let row = self.row_of[cell];
        (row != NONE).then_some(row as usize)
    }

    /// Whether the pressure sets the velocity of a face.
    #[inline]
    pub fn acts_on(&self, face: FaceId) -> bool {
        self.lengths.acts(face)
    }
}

/// The system for a velocity. `divergence` is wanted in all unknown cells.
pub fn assemble(
    mesh: &Mesh,
    boundary: &Boundary,
    medium: &Medium<'_>,
    u: &Field<FaceId, f64>,
    divergence: f64,
    distance: GradientDistance,
) -> Result<PressureSystem, StepError> {
    let n = mesh.n_cells();
    let centers = at_centers(mesh, medium);
    let is_open = |c: CellId| faces_of(mesh, c).any(|(k, _)| boundary.open(k) > 0.0);
    let is_unknown = par::map(n, |c: CellId| is_filled(mesh, medium, &centers, c) && is_open(c));
    let tension = match medium {
        Medium::Water { tension: Some(tension), .. } => {
            tension.at_surface(mesh, &centers, &is_unknown, distance)
        }
        _ => Field::default(),
    };
    let link = |k: FaceId| link(mesh, boundary, medium, &centers, &is_unknown, &tension, distance, k);
    let length = |k: FaceId| link(k).length;
    let lengths = match medium {
        Medium::Water { .. } => Lengths::Given(par::map(mesh.n_faces(), length)),
        Medium::Gas => Lengths::Plain(distance, par::map(mesh.n_faces(), |k| length(k).is_finite())),
    };
    let beyond = if tension.is_empty() {
        Field::default()
    } else {
        par::map(mesh.n_faces(), |k: FaceId| link(k).beyond)
    };
    let cells = par::collect(n, |i, out: &mut Vec<CellId>| {
        if is_unknown[CellId(i as u32)] {
            out.push(CellId(i as u32));
        }
    });
    let mut row_of = Field::filled(n, NONE);
    for (row, &c) in cells.iter().enumerate() {
        row_of[c] = row as u32;
    }
    let failed = |e: &dyn std::fmt::Display| StepError::Pressure { reason: e.to_string(), at: None };
    let (matrix, grounded) = rows(mesh, boundary, &lengths, &cells, &row_of).map_err(|e| failed(&e))?;
    let mut wanted = vec![divergence; cells.len()];
    let volume = |row: usize| mesh.tree.size(cells[row]).powi(3);
    let excess = par::map_index(cells.len(), |row| outflow(mesh, boundary, u, cells[row]));
    let (null_space, unsolvable) =
        close(&matrix, &grounded, volume, &excess, &mut wanted).map_err(|e| failed(&e))?;
    let rhs = par::map_index(cells.len(), |row| {
        let known = |k: FaceId| {
            let [lo, hi] = mesh.faces.sides(k);
            let is_edge = [lo, hi].iter().any(|&c| c.is_none() || row_of[c] == NONE);
            if lengths.acts(k) && is_edge {
                coefficient(mesh, boundary, &lengths, k) * beyond[k]
            } else {
                0.0
            }
        };
        let given = volume(row) * wanted[row] - excess[row];
        if beyond.is_empty() {
            given
        } else {
            faces_of(mesh, cells[row]).map(|(k, _)| known(k)).sum::<f64>() + given
        }
    });
    Ok(PressureSystem { matrix, rhs, cells, null_space, row_of, lengths, beyond, wanted, unsolvable })
}

/// Finds pieces that nothing ties to a known pressure, and sets what they want to what they can have: the flow
/// through their boundary, spread over their volume. The largest divergence that this grants.
fn close(
    matrix: &Csr,
    grounded: &[bool],
    volume: impl Fn(usize) -> f64,
    excess: &[f64],
    wanted: &mut [f64],
) -> Result<(Option<NullSpace>, f64), SolveError> {
    let (labels, n_pieces) = octide_solve::components(matrix);
    let mut singular = vec![true; n_pieces];
    for (&label, _) in labels.iter().zip(grounded).filter(|&(_, &grounded)| grounded) {
        singular[label as usize] = false;
    }
    if !singular.contains(&true) {
        return Ok((None, 0.0));
    }
    let (mut flow, mut size) = (vec![0.0; n_pieces], vec![0.0; n_pieces]);
    for (row, &label) in labels.iter().enumerate() {
        flow[label as usize] += excess[row];
        size[label as usize] += volume(row);
    }
    let mut unsolvable: f64 = 0.0;
    for (row, &label) in labels.iter().enumerate().filter(|&(_, &label)| singular[label as usize]) {
        let can = flow[label as usize] / size[label as usize];
        unsolvable = unsolvable.max((can - wanted[row]).abs());
        wanted[row] = can;
    }
    Ok((Some(NullSpace::new(&labels, &singular)?), unsolvable))
}

/// A/Δ of a face on which the pressure acts.
#[inline]
fn coefficient(mesh: &Mesh, boundary: &Boundary, lengths: &Lengths, face: FaceId) -> f64 {
    boundary.open(face) * mesh.face_size(face).powi(2) / lengths.at(mesh, face)
}

/// The matrix, row by row, and which rows touch a known pressure.
fn rows(
    mesh: &Mesh,
    boundary: &Boundary,
    lengths: &Lengths,
    cells: &[CellId],
    row_of: &Field<CellId, u32>,
) -> Result<(Csr, Vec<bool>), MatrixError> {
    Csr::from_rows(cells.len(), |i, row| {
        let (mut diagonal, mut is_grounded) = (0.0, false);
        for (k, side) in faces_of(mesh, cells[i]).filter(|&(k, _)| lengths.acts(k)) {
            let w = coefficient(mesh, boundary, lengths, k);
            diagonal += w;
            let other = mesh.faces.sides(k)[side];
            match other.is_some().then(|| row_of[other]) {
                Some(column) if column != NONE => row.push((column, -w)),
                _ => is_grounded = true,
            }
        }
        // No unknown is without a face on which its pressure acts, so this is positive.
        row.push((i as u32, diagonal));
        is_grounded
    })
}

/// The faces of a cell, and on which side of each the other cell is.
pub(crate) fn faces_of(mesh: &Mesh, cell: CellId) -> impl Iterator<Item = (FaceId, usize)> {
    (0..6).flat_map(move |d| mesh.faces.of_cell(cell, d).iter().map(move |&k| (k, d & 1)))
}

/// Net outflow of a cell in m³/s, what closes its faces included.
pub(super) fn outflow(mesh: &Mesh, boundary: &Boundary, u: &Field<FaceId, f64>, cell: CellId) -> f64 {
    faces_of(mesh, cell)
        .map(|(k, side)| {
            let flux = mesh.face_size(k).powi(2) * boundary.through(k, u[k]);
            if side == 1 { flux } else { -flux }
        })
        .sum()
}
