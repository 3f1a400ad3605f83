//! The system of eq. (3): which cells are unknowns, how faces tie them, matrix and right-hand side.

use crate::apertures::Apertures;
use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use crate::params::FreeSurface;
use octide_core::contract::StepError;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::octree::FaceStencil;
use octide_core::par;
use octide_solve::{Csr, NullSpace};

/// The largest gradient factor, 1/θ.
const MAX_FACTOR: f64 = 1e6;

/// What is to be solved for the pressure times dt/ρ.
#[derive(Clone, Debug)]
pub struct PressureSystem {
    /// The matrix, symmetric and without negative eigenvalues.
    pub matrix: Csr,
    /// The right-hand side, not made consistent with `null_space`.
    pub rhs: Vec<f64>,
    /// The cell of each row.
    pub cells: Vec<CellId>,
    /// Pieces without contact to air, if there are any.
    pub null_space: Option<NullSpace>,
    /// The row of each cell, or `u32::MAX`.
    pub(super) row_of: Field<CellId, u32>,
    pub(super) links: Field<FaceId, Link>,
    /// Whether a row's piece is without contact to air.
    pub(super) is_closed: Vec<bool>,
    /// The divergence that each row's cell is to have.
    pub(super) wanted: Vec<f64>,
}

impl PressureSystem {
    /// F∇ of eq. (4) on every face, from the pressure of each row; zero where no pressure acts.
    pub fn gradient(&self, mesh: &Mesh, pressure: &[f64]) -> Field<FaceId, f64> {
        let at = |c: CellId| match self.row_of[c] {
            u32::MAX => 0.0,
            row => pressure[row as usize],
        };
        par::map(mesh.n_faces(), |k: FaceId| {
            let Link { factor, kind } = self.links[k];
            if kind == Kind::Off {
                return 0.0;
            }
            let s = stencil(mesh, k);
            factor * s.iter().map(|(c, w)| w * at(c)).sum::<f64>()
        })
    }

    /// Σ F_kj over the liquid cells of a face: F∇ of the pressure 1, or what a pressure of −1 on the surface does.
    pub fn of_constant(&self, mesh: &Mesh, face: FaceId) -> f64 {
        let Link { factor, kind } = self.links[face];
        if kind != Kind::Cut {
            return 0.0;
        }
        let s = stencil(mesh, face);
        let factor = if faults::is(Fault::TensionWithoutFactor) { 1.0 } else { factor };
        factor * s.iter().filter(|&(c, _)| self.is_unknown(c)).map(|(_, w)| w).sum::<f64>()
    }

    /// Whether a cell has a pressure.
    #[inline]
    pub fn is_unknown(&self, cell: CellId) -> bool {
        self.row_of[cell] != u32::MAX
    }

    /// The right-hand side for another velocity.
    pub fn set_velocity(&mut self, mesh: &Mesh, apertures: &Apertures, u_star: &Field<FaceId, f64>) {
        self.rhs = right_hand_side(mesh, apertures, u_star, &self.cells, &self.wanted);
    }

    /// Whether the pressure sets the velocity of a face.
    #[inline]
    pub fn acts_on(&self, face: FaceId) -> bool {
        self.links[face].factor > 0.0
    }
}

/// A face as the pressure sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// W of eq. (21), clamped; 1 inside the liquid, 0 outside.
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
}

/// The system for a velocity. `divergence` is wanted in the liquid away from solids.
pub fn assemble(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &Apertures,
    u_star: &Field<FaceId, f64>,
    divergence: f64,
    form: FreeSurface,
) -> Result<PressureSystem, StepError> {
    let n = mesh.n_cells();
    let is_open = |c: CellId| mesh.faces.of_cell(c).iter().any(|&k| apertures.open[k] > 0.0);
    // A sample nearer to the surface than θ can tell is on it: p = 0 there. Were it an unknown by the sign of its
    // rounding, it and its neighbors on the same level would disagree about θ by any factor.
    let is_liquid = |c: CellId| phi[c] * MAX_FACTOR < -mesh.tree.size(c);
    let mut is_unknown = par::map(n, |c: CellId| is_liquid(c) && is_open(c));
    let links = par::map(mesh.n_faces(), |k: FaceId| link(mesh, phi, apertures, &is_unknown, form, k));
    // An unknown that no face ties to anything has no equation.
    let tied = par::map(n, |c: CellId| {
        is_unknown[c] && mesh.faces.of_cell(c).iter().any(|&k| links[k].factor > 0.0)
    });
    is_unknown = tied;

    let cells = par::collect(n, |i, out: &mut Vec<CellId>| {
        if is_unknown[CellId(i as u32)] {
            out.push(CellId(i as u32));
        }
    });
    let mut row_of = Field::filled(n, u32::MAX);
    for (row, &c) in cells.iter().enumerate() {
        row_of[c] = row as u32;
    }
    let failed = |e: &dyn std::fmt::Display| StepError::Pressure(e.to_string());
    let (matrix, grounded) = rows(mesh, apertures, &links, &cells, &row_of).map_err(|e| failed(&e))?;
    let is_interior =
        |c: CellId| mesh.faces.of_cell(c).iter().all(|&k| apertures.open[k] >= 1.0 || mesh.faces.is_wall(k));
    let wanted = par::map_index(cells.len(), |row| if is_interior(cells[row]) { divergence } else { 0.0 });
    let rhs = right_hand_side(mesh, apertures, u_star, &cells, &wanted);

    let (labels, n_pieces) = octide_solve::components(&matrix);
    let mut singular = vec![true; n_pieces];
    for (&label, &grounded) in labels.iter().zip(&grounded) {
        if grounded {
            singular[label as usize] = false;
        }
    }
    let null_space = if singular.iter().any(|&s| s) {
        Some(NullSpace::new(&labels, &singular).map_err(|e| failed(&e))?)
    } else {
        None
    };
    let is_closed = labels.iter().map(|&label| singular[label as usize]).collect();
    Ok(PressureSystem { matrix, rhs, cells, null_space, row_of, links, is_closed, wanted })
}

fn right_hand_side(
    mesh: &Mesh,
    apertures: &Apertures,
    u_star: &Field<FaceId, f64>,
    cells: &[CellId],
    wanted: &[f64],
) -> Vec<f64> {
    par::map_index(cells.len(), |row| {
        let c = cells[row];
        -outflow(mesh, apertures, u_star, c) + mesh.tree.size(c).powi(3) * wanted[row]
    })
}

/// The cells of a face and the weights of the gradient, eqs. (5)–(7).
fn stencil(mesh: &Mesh, face: FaceId) -> FaceStencil {
    let mut s = mesh.faces.stencil(&mesh.tree, face);
    if faults::is(Fault::FlippedTJunction) && s.n == 5 {
        let small = |w: f64| w.abs() < 0.5 / s.length;
        s.weights = s.weights.map(|w| if small(w) { -w } else { w });
    }
    s
}

/// Eq. (25) for one face.
fn link(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &Apertures,
    is_unknown: &Field<CellId, bool>,
    form: FreeSurface,
    face: FaceId,
) -> Link {
    const OFF: Link = Link { factor: 0.0, kind: Kind::Off };
    if apertures.open[face] <= 0.0 {
        return OFF;
    }
    let s = stencil(mesh, face);
    let n_liquid = s.iter().filter(|&(c, _)| is_unknown[c]).count();
    if n_liquid == 0 {
        return OFF;
    }
    if n_liquid == s.n {
        return Link { factor: 1.0, kind: Kind::Inside };
    }
    let naive = faults::is(Fault::FirstOrderSurface);
    match if naive { FreeSurface::FirstOrder } else { form } {
        FreeSurface::FirstOrder => Link { factor: 1.0, kind: Kind::Cut },
        FreeSurface::Spd => match gradient_factor(phi, is_unknown, &s) {
            Some(factor) => Link { factor, kind: Kind::Cut },
            None => Link { factor: 0.0, kind: Kind::Degenerate },
        },
    }
}

/// W of eq. (21), none where it is not positive.
fn gradient_factor(
    phi: &Field<CellId, f64>,
    is_unknown: &Field<CellId, bool>,
    stencil: &FaceStencil,
) -> Option<f64> {
    let (mut all, mut liquid, mut scale) = (0.0, 0.0, 0.0);
    for (c, w) in stencil.iter() {
        all += w * phi[c];
        scale += (w * phi[c]).abs();
        if is_unknown[c] {
            liquid += w * phi[c];
        }
    }
    if all.abs() <= 1e-9 * scale || all * liquid < 0.0 {
        return None;
    }
    let most = if faults::is(Fault::ThetaFloor) { 1e2 } else { MAX_FACTOR };
    Some((all / liquid).abs().min(most))
}

/// The matrix of eq. (3), row by row, and which rows touch air.
fn rows(
    mesh: &Mesh,
    apertures: &Apertures,
    links: &Field<FaceId, Link>,
    cells: &[CellId],
    row_of: &Field<CellId, u32>,
) -> Result<(Csr, Vec<bool>), octide_solve::MatrixError> {
    struct Row {
        columns: [u32; 32],
        values: [f64; 32],
        n: usize,
        grounded: bool,
    }
    let row = |i: usize| {
        let cell = cells[i];
        let mut row = Row { columns: [0; 32], values: [0.0; 32], n: 0, grounded: false };
        for &k in mesh.faces.of_cell(cell) {
            let Link { factor, kind } = links[k];
            if factor <= 0.0 {
                continue;
            }
            row.grounded |= kind == Kind::Cut;
            let s = stencil(mesh, k);
            let volume = s.length * mesh.face_size(k).powi(2);
            let weight = volume * apertures.open[k] * factor;
            let own = s.iter().find(|&(c, _)| c == cell).map_or(0.0, |(_, w)| w);
            for (c, w) in s.iter().filter(|&(c, _)| row_of[c] != u32::MAX) {
                let column = row_of[c];
                let at = row.columns[..row.n].iter().position(|&j| j == column).unwrap_or_else(|| {
                    row.columns[row.n] = column;
                    row.n += 1;
                    row.n - 1
                });
                row.values[at] += weight * (own * w);
            }
        }
        row
    };
    let parts = par::map_chunks(cells.len(), |range| {
        let (mut lengths, mut columns, mut values, mut grounded) = (vec![], vec![], vec![], vec![]);
        for i in range {
            let row = row(i);
            let mut order: [u8; 32] = std::array::from_fn(|j| j as u8);
            order[..row.n].sort_unstable_by_key(|&j| row.columns[j as usize]);
            for &j in &order[..row.n] {
                columns.push(row.columns[j as usize]);
                values.push(row.values[j as usize]);
            }
            lengths.push(row.n as u32);
            grounded.push(row.grounded);
        }
        (lengths, columns, values, grounded)
    });
    let mut offsets = Vec::with_capacity(cells.len() + 1);
    offsets.push(0u32);
    let (mut columns, mut values, mut grounded) = (vec![], vec![], vec![]);
    let mut end = 0;
    for (l, c, v, g) in parts {
        for length in l {
            end += length;
            offsets.push(end);
        }
        columns.extend(c);
        values.extend(v);
        grounded.extend(g);
    }
    Ok((Csr::from_parts(cells.len(), offsets, columns, values)?, grounded))
}

/// Net outflow of a cell in m³/s, solids' included.
pub(super) fn outflow(mesh: &Mesh, apertures: &Apertures, u: &Field<FaceId, f64>, cell: CellId) -> f64 {
    // A small cell at a T-junction has its own share of the large face.
    let area = mesh.tree.size(cell).powi(2);
    let mut sum = 0.0;
    for (direction, &k) in mesh.faces.of_cell(cell).iter().enumerate() {
        let open = apertures.open[k];
        let flux = open * u[k] + (1.0 - open) * apertures.solid_velocity(k);
        sum += if direction & 1 == 1 { flux } else { -flux };
    }
    area * sum
}
