//! §4: the velocity made free of divergence by a pressure, eqs. (2)–(7), (21), (25).
//!
//! ```text
//! [∇]ᵀ [VA] [F∇] {p} = [∇]ᵀ [V] (A u* + (1 − A) u_solid) + volume · wanted divergence      (3)
//! u = u* − [F∇] {p}                                                                         (4)
//! [F∇]_k = max(W_k, 0) [∇]_k,   W_k = Σ_all c_kj φ_j / Σ_liquid c_kj φ_j                (25), (21)
//! ```
//!
//! k is a face, j a cell of its stencil, c_kj the weights of the gradient (5)–(7), V_k the face's volume, A_k
//! its open share, p the pressure times dt/ρ. V_k |c_kj| is the area that cell j has of face k. Between equal
//! cells W is the ghost-fluid factor 1/θ.
//!
//! Differs from the paper: θ is floored at 10⁻⁶, not 10⁻², and W is not raised to 10⁻² near solids, because
//! either floor sets resting water in motion; |Σ c φ| below rounding counts as W = 0. Unknowns whose faces are all
//! degenerate are left out (p = 0). Pieces without contact to air are singular: their right-hand side is made
//! consistent.

use crate::apertures::Apertures;
use crate::mesh::Mesh;
use crate::params::{FreeSurface, Params};
use octide_core::contract::StepError;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::octree::FaceStencil;
use octide_core::par;
use octide_solve::{Csr, Mic0, Mic0Params, NullSpace, Pcg, SolveParams};

/// The largest gradient factor, 1/θ.
const MAX_FACTOR: f64 = 1e6;

/// What a projection leaves.
pub struct Projected {
    /// Velocity on faces; only meaningful where `valid`.
    pub u: Field<FaceId, f64>,
    /// Faces whose velocity the pressure has set.
    pub valid: Field<FaceId, bool>,
    /// Pressure times dt/ρ; zero where there is no unknown.
    pub pressure: Field<CellId, f64>,
    /// What was found on the way.
    pub report: ProjectReport,
}

/// Figures of a projection.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProjectReport {
    /// Pressure unknowns.
    pub n_unknowns: usize,
    /// T-junction faces that the surface cuts.
    pub cut_t_faces: usize,
    /// Those whose factor W was clamped to zero.
    pub degenerate_t_faces: usize,
    /// Iterations of the solve.
    pub iterations: usize,
    /// Its true relative residual.
    pub residual: f64,
    /// The largest divergence left, in 1/s, beside what was wanted.
    pub max_divergence: f64,
}

/// A face as the pressure sees it.
#[derive(Clone, Copy)]
struct Link {
    /// W of eq. (21), clamped; 1 inside the liquid, 0 outside.
    factor: f64,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// No unknown, or closed.
    Off,
    /// Liquid on all sides.
    Inside,
    /// The surface cuts it.
    Cut,
    /// The surface cuts it and the factor was clamped to zero.
    Degenerate,
}

/// Projects `u_star`. `divergence` is wanted in the liquid away from solids, to correct its volume;
/// `pressure` is a first guess.
pub fn project(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &Apertures,
    u_star: Field<FaceId, f64>,
    divergence: f64,
    mut pressure: Field<CellId, f64>,
    params: &Params,
    solver: &mut Pcg,
) -> Result<Projected, StepError> {
    let n = mesh.n_cells();
    let is_open = |c: CellId| mesh.faces.of_cell(c).iter().any(|&k| apertures.open[k] > 0.0);
    let mut is_unknown = par::map(n, |c: CellId| phi[c] < 0.0 && is_open(c));
    let links =
        par::map(mesh.n_faces(), |k: FaceId| link(mesh, phi, apertures, &is_unknown, params.free_surface, k));
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
    let (matrix, grounded) = assemble(mesh, apertures, &links, &cells, &row_of).map_err(|e| failed(&e))?;
    let is_interior =
        |c: CellId| mesh.faces.of_cell(c).iter().all(|&k| apertures.open[k] >= 1.0 || mesh.faces.is_wall(k));
    let wanted = |c: CellId| if is_interior(c) { divergence } else { 0.0 };
    let rhs = par::map_index(cells.len(), |row| {
        let c = cells[row];
        -outflow(mesh, apertures, &u_star, c) + mesh.tree.size(c).powi(3) * wanted(c)
    });

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

    let mut x: Vec<f64> = cells.iter().map(|&c| pressure[c]).collect();
    let mut report = ProjectReport { n_unknowns: cells.len(), ..ProjectReport::default() };
    if !cells.is_empty() {
        let mut preconditioner = Mic0::new(&matrix, &Mic0Params::default()).map_err(|e| failed(&e))?;
        solver.params = SolveParams {
            tolerance: params.tolerance,
            max_iterations: params.max_iterations,
            ..SolveParams::default()
        };
        let solved = solver
            .solve(&matrix, &mut preconditioner, &rhs, &mut x, null_space.as_ref())
            .map_err(|e| failed(&e))?;
        report.iterations = solved.iterations;
        report.residual = solved.residual;
    }

    pressure = par::map(n, |c: CellId| if row_of[c] == u32::MAX { 0.0 } else { x[row_of[c] as usize] });
    let u = par::map(mesh.n_faces(), |k: FaceId| {
        let Link { factor, kind } = links[k];
        if kind == Kind::Off {
            return u_star[k];
        }
        let s = mesh.faces.stencil(&mesh.tree, k);
        u_star[k] - factor * s.iter().map(|(c, w)| w * pressure[c]).sum::<f64>()
    });
    let valid = par::map(mesh.n_faces(), |k: FaceId| links[k].factor > 0.0);
    report.max_divergence = par::max(cells.len(), |row| {
        // What a closed pocket cannot undo is not the solver's: leave it out.
        if singular[labels[row] as usize] {
            return 0.0;
        }
        let c = cells[row];
        (outflow(mesh, apertures, &u, c) / mesh.tree.size(c).powi(3) - wanted(c)).abs()
    });
    let is_t = |k: FaceId| mesh.faces.is_t_junction(&mesh.tree, k);
    let (cut, degenerate) = par::reduce(
        mesh.n_faces(),
        || (0, 0),
        |(cut, degenerate), i| {
            let k = FaceId(i as u32);
            match links[k].kind {
                Kind::Cut if is_t(k) => (cut + 1, degenerate),
                Kind::Degenerate if is_t(k) => (cut + 1, degenerate + 1),
                _ => (cut, degenerate),
            }
        },
        |a, b| (a.0 + b.0, a.1 + b.1),
    );
    report.cut_t_faces = cut;
    report.degenerate_t_faces = degenerate;
    Ok(Projected { u, valid, pressure, report })
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
    let s = mesh.faces.stencil(&mesh.tree, face);
    let n_liquid = s.iter().filter(|&(c, _)| is_unknown[c]).count();
    if n_liquid == 0 {
        return OFF;
    }
    if n_liquid == s.n {
        return Link { factor: 1.0, kind: Kind::Inside };
    }
    match form {
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
    Some((all / liquid).abs().min(MAX_FACTOR))
}

/// The matrix of eq. (3), row by row, and which rows touch air.
fn assemble(
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
            let s = mesh.faces.stencil(&mesh.tree, k);
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
fn outflow(mesh: &Mesh, apertures: &Apertures, u: &Field<FaceId, f64>, cell: CellId) -> f64 {
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

#[cfg(test)]
mod tests;
