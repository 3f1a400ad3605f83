//! The sizing function, eq. (39), with a dimensionless strain term:
//!
//! ```text
//! S = γ_φ |∇·∇φ| + (γ_u / U) √( ⅖ Σ_ij e_ij² ),      e_ij = ½ (∂u_i/∂x_j + ∂u_j/∂x_i),      in 1/m,
//! ```
//!
//! U is a speed of the scene. The norm of the whole tensor is the same however the flow is turned against the
//! grid; ⅖ is the mean of Σ_i e_ii² / Σ_ij e_ij² over all orientations, for strain without divergence. S is evaluated on the surface. Beside solids γ_φ |∇·∇φ_solid| is added, which
//! is the only term where a solid is under water. Above a wall S is at least 3 over the depth of water. S is
//! nowhere less than the value that keeps the surface's cells below a fraction of the domain's size.
//!
//! Differs from the paper: U; the strain, of which eq. (39) has only √(Σ_i (∂u_i/∂x_i)²), which depends on the
//! axes: flow along a diagonal would get cells half as fine as flow along an axis; |∇·∇φ| + |∇·∇φ_solid|, as in the authors' code, instead of |∇·∇(φ + φ_solid)|;
//! solids under water; the lower bounds.

use crate::apertures::Apertures;
use crate::mesh::Mesh;
use crate::nodal::cell_velocity;
use crate::params::Params;
use crate::solids::Solids;
use crate::volume::cell_gradient;
use glam::DVec3;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::octree::RootGrid;
use octide_core::par;

/// Largest size of cells on the surface as a fraction of the domain's longest side; larger cells would not
/// resolve long waves on calm water.
const COARSEST_SURFACE: f64 = 1.0 / 32.0;

/// Returns S on the surface and where solids are under water; zero elsewhere.
pub(super) fn at_sources(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    u: &Field<FaceId, f64>,
    apertures: &Apertures,
    solids: &Solids,
    params: &Params,
) -> Field<CellId, f64> {
    let least = least(mesh.tree.grid());
    par::map(mesh.n_cells(), |c: CellId| {
        let (x, h) = (mesh.tree.center(c), mesh.tree.size(c));
        let solid = apertures.solid_distance(c);
        let (on_surface, at_solid) = (mesh.is_surface(phi, c), solid.abs() < h);
        if solid < -h || !(on_surface || at_solid && phi[c] < 0.0) {
            return 0.0;
        }
        if params.sizing.view.is_some_and(|view| !view.sees(x, h)) {
            return least;
        }
        let mut s = 0.0;
        if on_surface {
            if !params.along_surface {
                return FINEST / mesh.tree.grid().dx();
            }
            s = params.curvature * laplacian(mesh, phi, c).abs()
                + params.strain / params.reference_speed * strain(mesh, u, c);
            s = s.max(shallow(mesh, phi, c));
        }
        if at_solid {
            s += params.curvature * solid_laplacian(mesh, apertures, solids, c).abs();
        }
        s.max(least)
    })
}

/// A solid moves by fewer finest cells than this in a step.
const MOST_MOVED: f64 = 8.0;

/// A multiple of 1/dx that demands finest cells, even after it is averaged with the values of neighbors.
const FINEST: f64 = 8.0;

/// Returns the lower bound of S, for which surface cells larger than the maximum are subdivided.
fn least(grid: &RootGrid) -> f64 {
    let longest = COARSEST_SURFACE * (grid.high() - grid.low()).max_element();
    // Cells of this length are kept and cells of twice the length are subdivided; the factor leaves room for
    // rounding on both sides.
    1.0 / (1.5 * longest)
}

/// Returns the S that resolves shallow water over a wall by a few cells: 3 over its depth there.
fn shallow(mesh: &Mesh, phi: &Field<CellId, f64>, cell: CellId) -> f64 {
    let grid = mesh.tree.grid();
    let (x, h) = (mesh.tree.center(cell), mesh.tree.size(cell));
    let g = cell_gradient(mesh, phi, cell).normalize_or_zero();
    let at = x - phi[cell].clamp(-h, h) * g;
    // Go along the surface normal into the water until the wall.
    let mut depth = f64::INFINITY;
    for axis in 0..3 {
        let room = if g[axis] > 0.0 { at[axis] - grid.low()[axis] } else { grid.high()[axis] - at[axis] };
        if g[axis].abs() > 0.5 {
            depth = depth.min(room / g[axis].abs());
        }
    }
    if depth < 4.0 * h { 3.0 / depth.max(grid.dx()) } else { 0.0 }
}

/// Returns ∇·∇φ from the gradients on the cell's faces.
fn laplacian(mesh: &Mesh, phi: &Field<CellId, f64>, cell: CellId) -> f64 {
    let mut sum = 0.0;
    for (direction, &k) in mesh.faces.of_cell(cell).iter().enumerate() {
        if mesh.faces.is_wall(k) {
            // φ is extended linearly: the wall adds no curvature.
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

/// The mean of Σ_i e_ii² / Σ_ij e_ij² over all orientations of a strain without divergence.
const ON_THE_AXES: f64 = 0.4;

/// Returns √(⅖ Σ_ij e_ij²) in 1/s. Derivatives across an axis are those between the velocities at the centers of
/// both neighbors along it, or between the cell and its neighbor beside a wall.
pub(super) fn strain(mesh: &Mesh, u: &Field<FaceId, f64>, cell: CellId) -> f64 {
    let (k, h) = (mesh.faces.of_cell(cell), mesh.tree.size(cell));
    // gradient[j] is ∂u/∂x_j.
    let gradient: [DVec3; 3] = std::array::from_fn(|j| {
        let [(low, a), (high, b)] = [k[2 * j], k[2 * j + 1]].map(|face| beyond(mesh, u, cell, face));
        if b > a { (high - low) / (b - a) } else { DVec3::ZERO }
    });
    let on_axes: f64 = (0..3).map(|i| ((u[k[2 * i + 1]] - u[k[2 * i]]) / h).powi(2)).sum();
    let across = [(0, 1), (1, 2), (2, 0)].map(|(i, j)| (gradient[j][i] + gradient[i][j]).powi(2));
    (ON_THE_AXES * (on_axes + 0.5 * (across[0] + across[1] + across[2]))).sqrt()
}

/// Returns the mean velocity of the cells beyond a face of `cell`, and the coordinate of their centers along the
/// face's axis; at a wall those of the cell itself.
fn beyond(mesh: &Mesh, u: &Field<FaceId, f64>, cell: CellId, face: FaceId) -> (DVec3, f64) {
    let axis = mesh.faces.axis(face);
    let at = |c: CellId| (cell_velocity(mesh, u, c), mesh.tree.center(c)[axis]);
    if mesh.faces.is_wall(face) {
        return at(cell);
    }
    let is_low = mesh.faces.of_cell(cell)[2 * axis] == face;
    let (mut velocity, mut place, mut n) = (DVec3::ZERO, 0.0, 0.0);
    for (c, weight) in mesh.faces.stencil(&mesh.tree, face).iter() {
        if (weight < 0.0) == is_low {
            let (v, x) = at(c);
            (velocity, place, n) = (velocity + v, place + x, n + 1.0);
        }
    }
    (velocity / n, place / n)
}

/// Returns ∇·∇φ_solid by differences over the cell's own size. Bodies, edges and points that are small
/// compared to the cell give about 1/h, however sharp they are, and so request the next level: nothing sharp
/// is missed at the start (§6.4).
///
/// Distances of the last step are those of cells of the same size beside it, unless a solid moves nearby.
fn solid_laplacian(mesh: &Mesh, apertures: &Apertures, solids: &Solids, cell: CellId) -> f64 {
    let (x, h) = (mesh.tree.center(cell), mesh.tree.size(cell));
    let moves = solids.may_move_within(x, 3.0 * h + MOST_MOVED * mesh.tree.grid().dx());
    let at = |there: CellId, x: DVec3| {
        let is_known =
            !moves && mesh.tree.size(there) == h && (mesh.tree.center(there) - x).length() < 0.5 * h;
        if is_known { apertures.solid_distance(there) } else { solids.distance(x) }
    };
    let mut sum = -6.0 * at(cell, x);
    for a in 0..3 {
        for e in [h, -h] {
            let mut beside = x;
            beside[a] += e;
            sum += at(mesh.tree.nearest_leaf_from(cell, beside), beside);
        }
    }
    sum / (h * h)
}
