//! A wave in the unit cube, on an octree graded 2:1 that is finest L levels down, where the surface is near.
//!
//! ```text
//! A = 2^L [∇]ᵀ [V W] [∇],   b = 4^L [∇]ᵀ [V] u*                 over liquid cells, φ < 0
//! W_k = Σ_all c_kj φ_j / Σ_liquid c_kj φ_j, between 0 and 100   (21), (25)
//! ```
//!
//! Equations are those of Ando & Batty 2020: c_kj are the weights of the gradient (6), (7) across face k, at
//! a T-junction after Losasso et al. 2006; V_k is the face's volume times the share of it that is open. The
//! power of two makes −1 of what couples two finest cells. Between equal cells W = 1/θ, so that θ is at least
//! 0.01. A cell whose faces all have W = 0 would have no equation: theirs become 0.01.
//!
//! Rows are liquid cells in Morton order with x as the slowest axis. The tree's own order has its first axis
//! fastest, so the tree's axes are z, y, x: `zyx` leads from one world to the other.

use super::{System, face_key, velocity};
use glam::{DVec3, IVec3, Vec3Swizzles};
use octide_core::index::{CellId, FaceId, Field};
use octide_core::octree::{CellBox, Grading, MergedFaces, Octree, RootGrid};
use octide_core::par;
use octide_solve::{Csr, MatrixError};
use std::f64::consts::TAU;

const SEED: u64 = 3;

/// W is at most this.
const MAX_FACTOR: f64 = 100.0;

/// W around a cell that would have no equation.
const SMALL_FACTOR: f64 = 0.01;

/// What makes the tree and the surface.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Finest cells all along the surface.
    Plain,
    /// Finest cells along the surface at low x, by up to two levels coarser ones toward high x.
    Adaptive,
    /// Finest cells along the surface and along a sphere below it, and air only over a hole in a lid.
    Sphere,
}

/// The system on a tree with levels from `coarsest` to `finest`; a cell of level l has the edge 2^−l.
pub fn octree(name: &str, coarsest: u8, finest: u8, mode: Mode) -> Result<System, MatrixError> {
    let wave = Wave::new(coarsest, finest, mode);
    let rows = par::collect(wave.phi.len(), |i, out: &mut Vec<CellId>| {
        let cell = CellId(i as u32);
        if wave.is_liquid[cell] {
            out.push(cell);
        }
    });
    let mut row_of = Field::filled(wave.phi.len(), u32::MAX);
    for (row, &cell) in rows.iter().enumerate() {
        row_of[cell] = row as u32;
    }
    let tree = &wave.tree;
    let cells = par::map_index(rows.len(), |row| {
        let node = tree.node_of(rows[row]);
        let [i, j, k] = tree.coord(node).zyx().to_array();
        [i32::from(coarsest + tree.node_level(node)), i, j, k]
    });
    let scale = f64::from(finest).exp2();
    let matrix = wave.matrix(&rows, &row_of, scale)?;
    let rhs = par::map_index(rows.len(), |row| scale * scale * wave.net_inflow(rows[row]));
    Ok(System { name: name.to_owned(), matrix, rhs, cells })
}

/// The tree and what is known on it.
struct Wave {
    tree: Octree,
    faces: MergedFaces,
    phi: Field<CellId, f64>,
    is_liquid: Field<CellId, bool>,
    /// V: 0 at walls and where solids close the face.
    volume: Field<FaceId, f64>,
    /// W; only meaningful next to liquid.
    factor: Field<FaceId, f64>,
}

impl Wave {
    fn new(coarsest: u8, finest: u8, mode: Mode) -> Self {
        debug_assert!(coarsest <= finest && finest < 18, "face keys hold places below 2²⁰");
        let roots = IVec3::splat(1 << coarsest);
        let dx = (-f64::from(finest)).exp2();
        let grid = RootGrid::new(DVec3::ZERO, dx, finest - coarsest, IVec3::ZERO, roots, |_| true);
        let tree = Octree::build(&grid, Grading::Graded, |c| wants_split(c, coarsest, finest, mode));
        let faces = MergedFaces::new(&tree);
        let phi = par::map(tree.n_cells(), |c: CellId| phi(tree.center(c).zyx(), tree.size(c), mode));
        let volume = par::map(faces.len(), |k: FaceId| volume(&tree, &faces, mode, k));
        let is_liquid = par::map(tree.n_cells(), |c: CellId| {
            phi[c] < 0.0 && faces.of_cell(c).iter().any(|&k| volume[k] > 0.0)
        });
        let mut wave = Self { tree, faces, phi, is_liquid, volume, factor: Field::default() };
        wave.factor = par::map(wave.faces.len(), |k| wave.gradient_factor(k));
        wave.tie_all();
        wave
    }

    /// W of eq. (21), clamped.
    fn gradient_factor(&self, face: FaceId) -> f64 {
        let s = self.faces.stencil(&self.tree, face);
        let is_liquid = |c: CellId| self.is_liquid[c];
        let n_liquid = s.iter().filter(|&(c, _)| is_liquid(c)).count();
        if n_liquid == 0 || n_liquid == s.n {
            return 1.0;
        }
        let all: f64 = s.iter().map(|(c, w)| w * self.phi[c]).sum();
        let liquid: f64 = s.iter().filter(|&(c, _)| is_liquid(c)).map(|(c, w)| w * self.phi[c]).sum();
        (all / liquid).clamp(0.0, MAX_FACTOR)
    }

    /// Gives an equation to liquid cells without one.
    fn tie_all(&mut self) {
        let of_cell = |c: CellId| self.faces.of_cell(c);
        let is_loose = |c: CellId| {
            self.is_liquid[c] && of_cell(c).iter().all(|&k| self.volume[k] * self.factor[k] <= 0.0)
        };
        let loose: Vec<CellId> = self.tree.cells().filter(|&c| is_loose(c)).collect();
        for cell in loose {
            for &k in self.faces.of_cell(cell) {
                self.factor[k] = if self.factor[k] > 0.0 { self.factor[k] } else { SMALL_FACTOR };
            }
        }
    }

    /// `2^L [∇]ᵀ [V W] [∇]`, row by row.
    fn matrix(&self, rows: &[CellId], row_of: &Field<CellId, u32>, scale: f64) -> Result<Csr, MatrixError> {
        let parts = par::map_chunks(rows.len(), |range| {
            let (mut lengths, mut columns, mut values) = (vec![], vec![], vec![]);
            let mut terms: Vec<(u32, f64)> = Vec::new();
            for &cell in &rows[range] {
                terms.clear();
                for &k in self.faces.of_cell(cell) {
                    let weight = scale * self.volume[k] * self.factor[k];
                    if weight <= 0.0 {
                        continue;
                    }
                    let s = self.faces.stencil(&self.tree, k);
                    let own = s.iter().find(|&(c, _)| c == cell).map_or(0.0, |(_, w)| w);
                    let liquid = s.iter().filter(|&(c, _)| self.is_liquid[c]);
                    terms.extend(liquid.map(|(c, w)| (row_of[c], weight * (own * w))));
                }
                // The sort is stable: both halves of the matrix are summed in the same order.
                terms.sort_by_key(|term| term.0);
                let before = columns.len();
                for same in terms.chunk_by(|a, b| a.0 == b.0) {
                    columns.push(same[0].0);
                    values.push(same.iter().map(|term| term.1).sum::<f64>());
                }
                lengths.push((columns.len() - before) as u32);
            }
            (lengths, columns, values)
        });
        let n_entries: usize = parts.iter().map(|part| part.1.len()).sum();
        let mut offsets = Vec::with_capacity(rows.len() + 1);
        let (mut columns, mut values) = (Vec::with_capacity(n_entries), Vec::with_capacity(n_entries));
        let mut end = 0;
        offsets.push(end);
        for (lengths, c, v) in parts {
            for length in lengths {
                end += length;
                offsets.push(end);
            }
            columns.extend(c);
            values.extend(v);
        }
        Csr::from_parts(rows.len(), offsets, columns, values)
    }

    /// A row of `[∇]ᵀ [V] u*`.
    fn net_inflow(&self, cell: CellId) -> f64 {
        let through = |&k: &FaceId| {
            let s = self.faces.stencil(&self.tree, k);
            let own = s.iter().find(|&(c, _)| c == cell).map_or(0.0, |(_, w)| w);
            let (place, axis) = (self.faces.place(&self.tree, k), 2 - self.faces.axis(k));
            let x = self.tree.grid().position(place).zyx();
            own * self.volume[k] * velocity(x, axis, SEED, face_key(axis, place.zyx().to_array()))
        };
        self.faces.of_cell(cell).iter().filter(|&&k| self.volume[k] > 0.0).map(through).sum()
    }
}

/// Whether what must be resolved is within 2.5 cells.
fn wants_split(cell: &CellBox, coarsest: u8, finest: u8, mode: Mode) -> bool {
    let x = cell.center.zyx();
    let mut near = surface_distance(x).abs();
    if mode == Mode::Sphere {
        near = near.min(sphere_distance(x).abs());
    }
    let mut wanted = f64::from(finest);
    if mode == Mode::Adaptive {
        wanted -= 2.0 * (x.x + 0.15 * (9.0 * x.y).sin());
    }
    near < 2.5 * cell.size && f64::from(coarsest + cell.level) < wanted
}

/// φ at the center of a cell; a lid closes all but a hole over the sphere.
fn phi(x: DVec3, size: f64, mode: Mode) -> f64 {
    let phi = surface_distance(x);
    let under_lid = mode == Mode::Sphere && (x.x - 0.5).hypot(x.y - 0.5) >= 0.2;
    if under_lid { phi.min(-size) } else { phi }
}

/// The volume of a face times the share of it that is open, which is linear in the distance to the sphere
/// (after Ng et al. 2009).
fn volume(tree: &Octree, faces: &MergedFaces, mode: Mode, face: FaceId) -> f64 {
    if faces.is_wall(face) {
        return 0.0;
    }
    let size = tree.grid().cell_size(faces.level(face));
    let volume = faces.stencil(tree, face).length * size * size;
    if mode != Mode::Sphere {
        return volume;
    }
    let x = tree.grid().position(faces.place(tree, face)).zyx();
    volume * (0.5 + sphere_distance(x) / size).clamp(0.0, 1.0)
}

/// About the signed distance to z = 0.5 + 0.1 sin(4πx) cos(2πy).
fn surface_distance(x: DVec3) -> f64 {
    let (a, b) = (2.0 * TAU * x.x, TAU * x.y);
    let above = x.z - 0.5 - 0.1 * a.sin() * b.cos();
    let slope_x = -0.2 * TAU * a.cos() * b.cos();
    let slope_y = 0.1 * TAU * a.sin() * b.sin();
    above / (1.0 + slope_x * slope_x + slope_y * slope_y).sqrt()
}

/// Signed distance to the submerged sphere.
fn sphere_distance(x: DVec3) -> f64 {
    (x - DVec3::new(0.5, 0.5, 0.25)).length() - 0.12
}

#[cfg(test)]
mod tests;
