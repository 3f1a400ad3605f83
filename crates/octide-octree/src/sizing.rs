//! Where cells are small: a size rule along the surface, and the tree it asks for (§6, simple form).
//!
//! At a cell on the surface the rule is eq. (39) with the strain made free of units,
//!
//! ```text
//! S = γ_φ |∇·∇φ| + (γ_u / U) √( Σ_i (∂u_i/∂x_i)² ),      in 1/m,
//! ```
//!
//! U a speed of the scene; beside solids |∇·∇φ_solid| is added, and over a wall S is at least 3 over the depth of
//! water. S fades with time, R(dt) = 0.9^(dt / 0.01 s)
//! (eq. (36)), so that detail is not lost as soon as it is calm. A surface cell of size Δx will do where S ≤ 1/Δx.
//!
//! The new tree is gathered from the list of surface cells: each is moved with the flow to where it will be, and
//! around that place there will be cells of the level it needs, some of them on either side. Nothing else is
//! refined but what grading needs.
//!
//! Differs from the paper: S is not propagated over the volume and interpolated; the boxes around surface cells
//! do that work.

use crate::apertures::Apertures;
use crate::mesh::Mesh;
use crate::nodal::velocity_at;
use crate::params::Params;
use crate::solids::Solids;
use crate::volume::cell_gradient;
use glam::DVec3;
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::{Grading, Octree, Refinement};
use octide_core::par;

/// Cells on either side of the surface that are as small as those on it.
const BAND: f64 = 2.0;

/// Cells on the surface are at most this share of the domain's longest side, or long waves on calm water would
/// not be seen.
const COARSEST_SURFACE: f64 = 1.0 / 32.0;

/// T₁ and T₂ of eq. (36): S falls to this share ...
const FADE: f64 = 0.9;
/// ... in this many seconds.
const FADE_TIME: f64 = 0.01;

/// S at surface cells and at those that touch a solid under water; zero elsewhere. `faded` is what is left of
/// earlier values.
pub fn sizing(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    u: &Field<FaceId, f64>,
    apertures: &Apertures,
    solids: &Solids,
    faded: &Field<CellId, f64>,
    params: &Params,
) -> Field<CellId, f64> {
    par::map(mesh.n_cells(), |c: CellId| {
        let h = mesh.tree.size(c);
        let solid = apertures.solid_distance(c);
        if solid < -h {
            return 0.0;
        }
        let at_solid = solid.abs() < h;
        let mut s: f64 = 0.0;
        if mesh.is_surface(phi, c) {
            s = params.curvature * laplacian(mesh, phi, c).abs()
                + params.strain / params.reference_speed * strain(mesh, u, c);
            if at_solid {
                s += params.curvature * solid_laplacian(solids, mesh.tree.center(c), h).abs();
            }
            s = s.max(shallow(mesh, phi, c)).max(faded[c]).max(f64::MIN_POSITIVE);
        } else if at_solid && phi[c] < 0.0 {
            s = params.curvature * solid_laplacian(solids, mesh.tree.center(c), h).abs();
            s = s.max(f64::MIN_POSITIVE);
        }
        s
    })
}

/// S carried to the cells of a new mesh by the flow, faded over `dt`. Cells off the surface take the values of
/// surface cells up to two cells away, so that they are found where the surface will be; on the surface values
/// do not spread.
pub fn fade(
    old: &Mesh,
    s: &Field<CellId, f64>,
    corners: &Field<NodeId, DVec3>,
    new: &Mesh,
    dt: f64,
) -> Field<CellId, f64> {
    let spread = |s: &Field<CellId, f64>| {
        par::map(old.n_cells(), |c: CellId| if s[c] > 0.0 { s[c] } else { largest_around(old, s, c) })
    };
    let wide = spread(&spread(s));
    let rate = FADE.powf(dt / FADE_TIME);
    par::map(new.n_cells(), |c: CellId| {
        let x = new.tree.center(c);
        rate * wide[old.tree.locate(x - dt * velocity_at(old, corners, x))]
    })
}

/// The tree that the surface needs after `dt`.
pub fn tree_for(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    corners: &Field<NodeId, DVec3>,
    s: &Field<CellId, f64>,
    dt: f64,
    params: &Params,
) -> Octree {
    let grid = mesh.tree.grid();
    let max = grid.max_level();
    let longest = COARSEST_SURFACE * (grid.high() - grid.low()).max_element();
    // A cell that is as long is no longer than it: 1 % lets rounding pass.
    let coarsest = (0..max).find(|&level| grid.cell_size(level) < 1.01 * longest).unwrap_or(max);
    let wanted = par::collect(mesh.n_cells(), |i, out: &mut Vec<(DVec3, f64, u8)>| {
        let c = CellId(i as u32);
        if s[c] <= 0.0 {
            return;
        }
        let (x, h) = (mesh.tree.center(c), mesh.tree.size(c));
        let g = cell_gradient(mesh, phi, c);
        // The nearest point of the surface, if the cell is on it.
        let reach = phi[c].clamp(-h, h) / g.length_squared().max(0.25);
        let at = if mesh.is_surface(phi, c) { x - reach * g } else { x };
        let moved = at + dt * velocity_at(mesh, corners, at);
        let mut level = coarsest;
        // The largest value around counts: a feature one cell wide must not slip through.
        let s = largest_around(mesh, s, c);
        while level < max && (!params.along_surface || s * grid.cell_size(level) > 1.0) {
            level += 1;
        }
        out.push((moved, 0.5 * h, level));
    });
    let mut refinement = Refinement::new(grid);
    for (x, half, level) in wanted {
        if level > 0 {
            let reach = BAND * grid.cell_size(level) + half;
            refinement.refine_box(level - 1, x - reach, x + reach);
        }
    }
    refinement.build(Grading::Graded)
}

/// The largest S at a cell and its neighbours.
fn largest_around(mesh: &Mesh, s: &Field<CellId, f64>, cell: CellId) -> f64 {
    mesh.contacts.face_neighbors(cell).iter().map(|&j| s[CellId(j)]).fold(s[cell], f64::max)
}

/// S that resolves water over a wall by a few cells: 3 over its depth there.
fn shallow(mesh: &Mesh, phi: &Field<CellId, f64>, cell: CellId) -> f64 {
    let grid = mesh.tree.grid();
    let (x, h) = (mesh.tree.center(cell), mesh.tree.size(cell));
    let g = cell_gradient(mesh, phi, cell).normalize_or_zero();
    let at = x - phi[cell].clamp(-h, h) * g;
    // Straight into the water until the wall.
    let mut depth = f64::INFINITY;
    for axis in 0..3 {
        let room = if g[axis] > 0.0 { at[axis] - grid.low()[axis] } else { grid.high()[axis] - at[axis] };
        if g[axis].abs() > 0.5 {
            depth = depth.min(room / g[axis].abs());
        }
    }
    if depth < 4.0 * h { 3.0 / depth.max(grid.dx()) } else { 0.0 }
}

/// ∇·∇φ from the gradients on the cell's faces.
fn laplacian(mesh: &Mesh, phi: &Field<CellId, f64>, cell: CellId) -> f64 {
    let mut sum = 0.0;
    for (direction, &k) in mesh.faces.of_cell(cell).iter().enumerate() {
        if mesh.faces.is_wall(k) {
            // φ goes on as it is: no curvature from the wall.
            let back = mesh.faces.of_cell(cell)[direction ^ 1];
            if mesh.faces.is_wall(back) {
                continue; // one cell from wall to wall
            }
            let g: f64 = mesh.faces.stencil(&mesh.tree, back).iter().map(|(c, w)| w * phi[c]).sum();
            sum += if direction & 1 == 1 { g } else { -g };
            continue;
        }
        let g: f64 = mesh.faces.stencil(&mesh.tree, k).iter().map(|(c, w)| w * phi[c]).sum();
        sum += if direction & 1 == 1 { g } else { -g };
    }
    sum / mesh.tree.size(cell)
}

fn strain(mesh: &Mesh, u: &Field<FaceId, f64>, cell: CellId) -> f64 {
    let k = mesh.faces.of_cell(cell);
    let h = mesh.tree.size(cell);
    (0..3).map(|a| ((u[k[2 * a + 1]] - u[k[2 * a]]) / h).powi(2)).sum::<f64>().sqrt()
}

fn solid_laplacian(solids: &Solids, x: DVec3, h: f64) -> f64 {
    let mut sum = -6.0 * solids.distance(x);
    for a in 0..3 {
        let mut e = DVec3::ZERO;
        e[a] = h;
        sum += solids.distance(x + e) + solids.distance(x - e);
    }
    sum / (h * h)
}
