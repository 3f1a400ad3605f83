//! The system of eq. (3): its unknowns, how faces couple them, its matrix and its right-hand side.

use super::MAX_FACTOR;
use super::link::{Kind, Link, leaves_enough_diagonal, link, stencil};
use super::loose::Loose;
use super::uneven::{self, Uneven};
use crate::apertures::Apertures;
use crate::correct::Divergence;
use crate::mesh::Mesh;
use crate::params::FreeSurface;
use octide_core::contract::StepError;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;
use octide_solve::{Csr, NullSpace};

/// The linear system for the pressure times dt/ρ.
#[derive(Clone, Debug)]
pub struct PressureSystem {
    /// The matrix. It is symmetric positive semidefinite unless `symmetric` is set.
    pub matrix: Csr,
    /// The matrix of eq. (25) for the same rows, if eq. (24) has made `matrix` unsymmetric; preconditioners
    /// are built from it.
    pub symmetric: Option<Csr>,
    /// The right-hand side, before it is made consistent with `null_space`.
    pub rhs: Vec<f64>,
    /// The cell of each row.
    pub cells: Vec<CellId>,
    /// Components without contact to air, if there are any.
    pub null_space: Option<NullSpace>,
    /// The row of each cell, or `u32::MAX`.
    pub(super) row_of: Field<CellId, u32>,
    pub(super) links: Field<FaceId, Link>,
    /// Whether a row's component has no contact to air, or the row's right-hand side was replaced (see
    /// `loose`): its divergence may then differ from the target.
    pub(super) is_closed: Vec<bool>,
    /// The target divergence of each row's cell.
    pub(super) wanted: Vec<f64>,
    /// Rows whose right-hand sides are not independent of each other.
    loose: Loose,
    /// T-junctions whose small faces are open by different fractions.
    pub(super) uneven: Uneven,
}

impl PressureSystem {
    /// Returns F∇p of eq. (4) on every face, from the pressure of each row; zero where no pressure acts.
    pub fn gradient(&self, mesh: &Mesh, pressure: &[f64]) -> Field<FaceId, f64> {
        let at = self.pressure_at(pressure);
        par::map(mesh.n_faces(), |k: FaceId| self.gradient_at(mesh, &at, k))
    }

    /// Sets some faces of `gradient` to F∇p.
    pub(super) fn set_gradient(
        &self,
        mesh: &Mesh,
        pressure: &[f64],
        faces: &[FaceId],
        gradient: &mut Field<FaceId, f64>,
    ) {
        let at = self.pressure_at(pressure);
        let values = par::map_index(faces.len(), |i| self.gradient_at(mesh, &at, faces[i]));
        for (&k, value) in faces.iter().zip(values) {
            gradient[k] = value;
        }
    }

    /// Returns the pressure of a cell from that of each row; zero in cells without an unknown.
    fn pressure_at<'a>(&'a self, pressure: &'a [f64]) -> impl Fn(CellId) -> f64 + Sync + 'a {
        |c: CellId| match self.row_of[c] {
            u32::MAX => 0.0,
            row => pressure[row as usize],
        }
    }

    #[inline]
    fn gradient_at(&self, mesh: &Mesh, at: impl Fn(CellId) -> f64, face: FaceId) -> f64 {
        let Link { factor, kind } = self.links[face];
        if kind == Kind::Off {
            return 0.0;
        }
        if let Some([low, high]) = mesh.faces.equal_cells(&mesh.tree, face).filter(|_| kind != Kind::Even) {
            let w = 1.0 / mesh.face_size(face);
            return factor * (-w * at(low) + w * at(high));
        }
        let s = stencil(mesh, &self.uneven, face);
        // p = 0 in cells without an unknown, also where all cells have the same weight.
        let even = kind == Kind::Even;
        factor * s.iter().map(|(c, w)| if even { at(c) } else { w * at(c) }).sum::<f64>()
    }

    /// Returns F∇p on a face for a pressure of one in all unknowns: Σ F_kj over the liquid cells j.
    pub fn of_constant(&self, mesh: &Mesh, face: FaceId) -> f64 {
        let link = self.links[face];
        if !link.acts() {
            return 0.0;
        }
        let s = stencil(mesh, &self.uneven, face);
        s.iter().filter(|&(c, _)| self.row_of[c] != u32::MAX).map(|(_, w)| link.weight(w)).sum()
    }

    /// Returns whether the surface cuts a face on which the pressure acts.
    #[inline]
    pub fn is_cut(&self, face: FaceId) -> bool {
        let link = self.links[face];
        link.acts() && link.kind != Kind::Inside
    }

    /// Returns whether a cell has a pressure unknown.
    #[inline]
    pub fn is_unknown(&self, cell: CellId) -> bool {
        self.row_of[cell] != u32::MAX
    }

    /// Replaces the right-hand side by that of another velocity.
    pub fn set_velocity(&mut self, mesh: &Mesh, apertures: &Apertures, u_star: &Field<FaceId, f64>) {
        self.rhs = right_hand_side(mesh, apertures, u_star, &self.cells, &self.wanted, &self.loose);
    }

    /// Replaces the right-hand side by that of another velocity, which differs only on faces of these cells.
    pub(super) fn set_velocity_beside(
        &mut self,
        mesh: &Mesh,
        apertures: &Apertures,
        u_star: &Field<FaceId, f64>,
        cells: &[CellId],
    ) {
        if !self.loose.is_empty() {
            return self.set_velocity(mesh, apertures, u_star);
        }
        for &c in cells.iter().filter(|&&c| self.row_of[c] != u32::MAX) {
            let row = self.row_of[c] as usize;
            self.rhs[row] = right_hand_side_of(mesh, apertures, u_star, c, self.wanted[row]);
        }
    }

    /// Returns whether the pressure sets the velocity of a face.
    #[inline]
    pub fn acts_on(&self, face: FaceId) -> bool {
        self.links[face].acts()
    }
}

/// Assembles the system for a velocity. `divergence` is the target in the liquid.
pub fn assemble(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &Apertures,
    u_star: &Field<FaceId, f64>,
    divergence: impl Into<Divergence>,
    form: FreeSurface,
) -> Result<PressureSystem, StepError> {
    let n = mesh.n_cells();
    let uneven = Uneven::find(mesh, apertures);
    let is_open =
        |c: CellId| mesh.faces.of_cell(c).iter().any(|&k| apertures.open(k) > 0.0 && uneven.ties(k, c));
    // A sample closer to the surface than θ can resolve counts as on the surface, p = 0. If the sign of its
    // rounding error made it an unknown, it and its neighbors on the same level would have values of θ that
    // differ by arbitrary factors.
    let is_liquid = |c: CellId| phi[c] * MAX_FACTOR < -mesh.tree.size(c);
    let mut is_unknown = par::map(n, |c: CellId| is_liquid(c) && is_open(c));
    let mut links =
        par::map(mesh.n_faces(), |k: FaceId| link(mesh, phi, apertures, &uneven, &is_unknown, form, k));
    let is_symmetric = form != FreeSurface::SecondOrder
        || clamp_unbearable(mesh, apertures, &uneven, &is_unknown, &mut links);
    // An unknown that no face couples to anything has no equation.
    let is_tied = |c: CellId| mesh.faces.of_cell(c).iter().any(|&k| links[k].acts() && uneven.ties(k, c));
    let tied = par::map(n, |c: CellId| is_unknown[c] && is_tied(c));
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
    let failed = |e: &dyn std::fmt::Display| StepError::Pressure { reason: e.to_string(), at: None };
    let all = |_: Kind| true;
    let spd = |kind: Kind| kind != Kind::Even;
    let (matrix, grounded) =
        rows(mesh, apertures, &uneven, &links, &cells, &row_of, all).map_err(|e| failed(&e))?;
    let symmetric = if is_symmetric {
        None
    } else {
        Some(rows(mesh, apertures, &uneven, &links, &cells, &row_of, spd).map_err(|e| failed(&e))?.0)
    };
    let is_interior =
        |c: CellId| mesh.faces.of_cell(c).iter().all(|&k| apertures.open(k) >= 1.0 || mesh.faces.is_wall(k));
    let divergence = divergence.into();
    let has_target = |c: CellId| divergence.acts_beside_solids() || is_interior(c);
    let wanted =
        par::map_index(
            cells.len(),
            |row| if has_target(cells[row]) { divergence.at(cells[row]) } else { 0.0 },
        );
    let loose = Loose::find(mesh, &uneven, &links, &cells, &row_of);
    let rhs = right_hand_side(mesh, apertures, u_star, &cells, &wanted, &loose);

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
    let mut is_closed: Vec<bool> = labels.iter().map(|&label| singular[label as usize]).collect();
    loose.mark(&mut is_closed);
    Ok(PressureSystem {
        matrix,
        symmetric,
        rhs,
        cells,
        null_space,
        row_of,
        links,
        is_closed,
        wanted,
        loose,
        uneven,
    })
}

fn right_hand_side(
    mesh: &Mesh,
    apertures: &Apertures,
    u_star: &Field<FaceId, f64>,
    cells: &[CellId],
    wanted: &[f64],
    loose: &Loose,
) -> Vec<f64> {
    let mut rhs = par::map_index(cells.len(), |row| {
        right_hand_side_of(mesh, apertures, u_star, cells[row], wanted[row])
    });
    loose.settle(&mut rhs);
    rhs
}

#[inline]
fn right_hand_side_of(
    mesh: &Mesh,
    apertures: &Apertures,
    u_star: &Field<FaceId, f64>,
    cell: CellId,
    wanted: f64,
) -> f64 {
    -outflow(mesh, apertures, u_star, cell) + mesh.tree.size(cell).powi(3) * wanted
}

/// Sets the factor of [`Kind::Even`] faces to zero where they would leave too small a diagonal. Returns
/// whether no face of this kind remains.
fn clamp_unbearable(
    mesh: &Mesh,
    apertures: &Apertures,
    uneven: &Uneven,
    is_unknown: &Field<CellId, bool>,
    links: &mut Field<FaceId, Link>,
) -> bool {
    let even = par::collect(mesh.n_faces(), |i, out: &mut Vec<FaceId>| {
        if links[FaceId(i as u32)].kind == Kind::Even {
            out.push(FaceId(i as u32));
        }
    });
    let kept = par::map_index(even.len(), |i| {
        leaves_enough_diagonal(mesh, apertures, uneven, is_unknown, links, even[i])
    });
    for (&k, _) in even.iter().zip(&kept).filter(|&(_, &kept)| !kept) {
        links[k] = Link::DEGENERATE;
    }
    kept.iter().all(|&kept| !kept)
}

/// Returns the matrix of eq. (3), built from the faces whose kind `counts`, and for each row whether it
/// touches air. A row that has no such face keeps the diagonal terms of its other faces.
fn rows(
    mesh: &Mesh,
    apertures: &Apertures,
    uneven: &Uneven,
    links: &Field<FaceId, Link>,
    cells: &[CellId],
    row_of: &Field<CellId, u32>,
    counts: impl Fn(Kind) -> bool + Sync,
) -> Result<(Csr, Vec<bool>), octide_solve::MatrixError> {
    struct Row {
        columns: [u32; 32],
        values: [f64; 32],
        n: usize,
        grounded: bool,
    }
    impl Row {
        /// Adds to the entry of an unknown; `u32::MAX` is none.
        #[inline]
        fn add(&mut self, column: u32, value: f64) {
            if column == u32::MAX {
                return;
            }
            let at = self.columns[..self.n].iter().position(|&j| j == column).unwrap_or_else(|| {
                self.columns[self.n] = column;
                self.n += 1;
                self.n - 1
            });
            self.values[at] += value;
        }
    }
    let counts_plainly = |kind: Kind| kind != Kind::Even && counts(kind);
    let row = |i: usize| {
        let cell = cells[i];
        let mut row = Row { columns: [0; 32], values: [0.0; 32], n: 0, grounded: false };
        let mut alone = 0.0;
        for &k in mesh.faces.of_cell(cell) {
            let link = links[k];
            if !link.acts() || !uneven.ties(k, cell) {
                continue;
            }
            row.grounded |= link.kind != Kind::Inside;
            if let Some(sides) = mesh.faces.equal_cells(&mesh.tree, k).filter(|_| counts_plainly(link.kind)) {
                // What follows, for two cells.
                let length = mesh.face_size(k);
                let weight = length * length.powi(2) * apertures.open(k) * link.factor;
                let w = [-1.0 / length, 1.0 / length];
                let own = w[usize::from(sides[1] == cell)];
                for (c, w) in sides.into_iter().zip(w) {
                    row.add(row_of[c], weight * (own * w));
                }
                continue;
            }
            let s = stencil(mesh, uneven, k);
            let volume = s.length * mesh.face_size(k).powi(2);
            let weight = volume * uneven::open(apertures, k) * link.factor;
            let even = link.kind == Kind::Even;
            let own = s.iter().find(|&(c, _)| c == cell).map_or(0.0, |(_, w)| w);
            if !counts(link.kind) {
                alone += weight * own;
                continue;
            }
            for (c, w) in s.iter() {
                row.add(row_of[c], weight * if even { own } else { own * w });
            }
        }
        if row.n == 0 {
            (row.columns[0], row.values[0], row.n) = (i as u32, alone, 1);
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

/// Returns the net outflow of a cell in m³/s, including the flow of moving solids.
pub(super) fn outflow(mesh: &Mesh, apertures: &Apertures, u: &Field<FaceId, f64>, cell: CellId) -> f64 {
    // A small cell at a T-junction covers only its own part of the large face.
    let area = mesh.tree.size(cell).powi(2);
    let mut sum = 0.0;
    for (direction, &k) in mesh.faces.of_cell(cell).iter().enumerate() {
        let flux = uneven::through(mesh, apertures, k, cell, u[k]);
        sum += if direction & 1 == 1 { flux } else { -flux };
    }
    area * sum
}

/// Returns the flow along the axis through the part of a face that belongs to a cell, in m³/s, including the flow of
/// moving solids; `u` is the velocity on the face.
pub(crate) fn flow_through(mesh: &Mesh, apertures: &Apertures, face: FaceId, cell: CellId, u: f64) -> f64 {
    mesh.tree.size(cell).powi(2) * uneven::through(mesh, apertures, face, cell, u)
}
