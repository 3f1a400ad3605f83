//! The system of eq. (4): which cells are unknowns, how faces tie them, matrix and right-hand side.
//!
//! ```text
//! Σ_k A_k/Δ_k (P_i − P_j) = V_i · wanted divergence − Σ_k ±A_k u*_k,      A_k the open area of face k
//! ```
//!
//! Two cells share one face at most, so an entry off the diagonal is the coefficient of one face, computed in
//! one way from either side: the matrix is symmetric to the last bit.

use super::Medium;
use super::link::{Links, NONE, at_centers, is_filled};
use crate::boundary::Boundary;
use crate::mesh::Mesh;
use octide_core::contract::StepError;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::octree::SplitFaces;
use octide_core::par;
use octide_core::scene::GradientDistance;
use octide_solve::{Csr, MatrixError, NullSpace, SolveError};

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
    /// dt σκ/ρ at the cells on both sides of the surface; empty without tension.
    tension: Field<CellId, f64>,
    distance: GradientDistance,
    divergence: f64,
    /// The divergence that each row's cell can have; empty where all can have what is wanted.
    granted: Vec<f64>,
    /// The largest divergence that had to be granted to a closed piece.
    pub(super) unsolvable: f64,
}

impl PressureSystem {
    /// The divergence that a row's cell is to have, and can.
    #[inline]
    pub(super) fn wanted(&self, row: usize) -> f64 {
        self.granted.get(row).copied().unwrap_or(self.divergence)
    }

    /// What faces are to the pressure; all must be what the system was assembled from.
    pub(super) fn links<'a, N>(
        &'a self,
        mesh: &'a Mesh<SplitFaces, N>,
        boundary: &'a Boundary,
        medium: &'a Medium<'a>,
    ) -> Links<'a, N> {
        let Self { row_of, tension: curvature, distance, .. } = self;
        Links { mesh, boundary, medium, row_of, curvature, distance: *distance }
    }
}

/// The system for a velocity. `divergence` is wanted in all unknown cells.
pub fn assemble<N: Sync>(
    mesh: &Mesh<SplitFaces, N>,
    boundary: &Boundary,
    medium: &Medium<'_>,
    u: &Field<FaceId, f64>,
    divergence: f64,
    distance: GradientDistance,
) -> Result<PressureSystem, StepError> {
    let n = mesh.n_cells();
    let centers = at_centers(n, medium);
    let is_open = |c: CellId| mesh.faces_of(c).any(|(k, _)| boundary.open(k) > 0.0);
    let is_unknown = par::map(n, |c: CellId| is_filled(mesh, medium, &centers, c) && is_open(c));
    let tension = match medium {
        Medium::Water { tension: Some(tension), .. } => {
            tension.at_surface(mesh, &centers, &is_unknown, distance)
        }
        _ => Field::default(),
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
    drop((is_unknown, centers));
    let links = Links { mesh, boundary, medium, row_of: &row_of, curvature: &tension, distance };
    let failed = |e: &dyn std::fmt::Display| StepError::Pressure { reason: e.to_string(), at: None };
    let (matrix, grounded) = rows(&links, &cells).map_err(|e| failed(&e))?;
    let volume = |row: usize| mesh.tree.size(cells[row]).powi(3);
    let excess = par::map_index(cells.len(), |row| outflow(mesh, boundary, u, cells[row]));
    let (null_space, granted, unsolvable) =
        close(&matrix, &grounded, volume, &excess, divergence).map_err(|e| failed(&e))?;
    let rhs = par::map_index(cells.len(), |row| {
        let known = mesh.faces_of(cells[row]).map(|(k, _)| {
            if mesh.faces.sides(k).iter().all(|&c| links.is_unknown(c)) {
                return 0.0;
            }
            let link = links.of(k);
            if link.acts() { links.coefficient(link, k) * link.beyond } else { 0.0 }
        });
        let wanted = granted.get(row).copied().unwrap_or(divergence);
        known.sum::<f64>() + volume(row) * wanted - excess[row]
    });
    Ok(PressureSystem {
        matrix,
        rhs,
        cells,
        null_space,
        row_of,
        tension,
        distance,
        divergence,
        granted,
        unsolvable,
    })
}

/// Finds pieces that nothing ties to a known pressure, and tells each row the divergence that it can have:
/// there the flow through the piece's boundary, spread over its volume. Nothing is told where there is no
/// such piece. Also the largest divergence that this grants.
fn close(
    matrix: &Csr,
    grounded: &[bool],
    volume: impl Fn(usize) -> f64,
    excess: &[f64],
    divergence: f64,
) -> Result<(Option<NullSpace>, Vec<f64>, f64), SolveError> {
    let (labels, n_pieces) = octide_solve::components(matrix);
    let mut singular = vec![true; n_pieces];
    for (&label, _) in labels.iter().zip(grounded).filter(|&(_, &grounded)| grounded) {
        singular[label as usize] = false;
    }
    if !singular.contains(&true) {
        return Ok((None, Vec::new(), 0.0));
    }
    let (mut flow, mut size) = (vec![0.0; n_pieces], vec![0.0; n_pieces]);
    for (row, &label) in labels.iter().enumerate() {
        flow[label as usize] += excess[row];
        size[label as usize] += volume(row);
    }
    let mut unsolvable: f64 = 0.0;
    let mut granted = vec![divergence; labels.len()];
    for (row, &label) in labels.iter().enumerate().filter(|&(_, &label)| singular[label as usize]) {
        let can = flow[label as usize] / size[label as usize];
        unsolvable = unsolvable.max((can - divergence).abs());
        granted[row] = can;
    }
    Ok((Some(NullSpace::new(&labels, &singular)?), granted, unsolvable))
}

/// The matrix, row by row, and which rows touch a known pressure.
fn rows<N: Sync>(links: &Links<'_, N>, cells: &[CellId]) -> Result<(Csr, Vec<bool>), MatrixError> {
    let mesh = links.mesh;
    Csr::from_rows(cells.len(), |i, row| {
        let (mut diagonal, mut is_grounded) = (0.0, false);
        for (k, side) in mesh.faces_of(cells[i]) {
            let link = links.of(k);
            if !link.acts() {
                continue;
            }
            let w = links.coefficient(link, k);
            diagonal += w;
            let other = mesh.faces.sides(k)[side];
            if links.is_unknown(other) {
                row.push((links.row_of[other], -w));
            } else {
                is_grounded = true;
            }
        }
        // No unknown is without a face on which its pressure acts, so this is positive.
        row.push((i as u32, diagonal));
        is_grounded
    })
}

/// Net outflow of a cell in m³/s, what closes its faces included.
pub(super) fn outflow<N>(
    mesh: &Mesh<SplitFaces, N>,
    boundary: &Boundary,
    u: &Field<FaceId, f64>,
    cell: CellId,
) -> f64 {
    mesh.faces_of(cell)
        .map(|(k, side)| {
            let flux = mesh.face_size(k).powi(2) * boundary.through(k, u[k]);
            if side == 1 { flux } else { -flux }
        })
        .sum()
}
