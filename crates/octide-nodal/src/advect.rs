//! Semi-Lagrangian transport from the old tree to the new one (§4):
//!
//! ```text
//! q_new(x) = q_old(x − ∫ u dt),
//! ```
//!
//! with a path of second order through the velocity at corners. [`advect_nodes`] takes what is at corners:
//! trilinear values in the leaf around the foot. They pass through the corners, so that nothing changes at
//! rest.
//!
//! Differs from the paper for faces, where it takes the trilinear value N of the corners at the foot. Corners
//! are means of four faces, so that this blurs a face over its neighbors in every step, and at rest too.
//! Where the faces around the foot are all of one size they are interpolated themselves (`advect/faces.rs`).
//! Elsewhere it is
//!
//! ```text
//! u_new(x) = N(foot) + w (u_x − N(x)),
//! ```
//!
//! u_x what the old tree has on the new face by the rules of §3 (the face itself, or the mean of smaller
//! ones), and w = Π (1 − |foot − x|/h) what the face still covers of the foot: all of it at rest, nothing a
//! cell farther on. So nothing changes without velocity on an unchanged tree. (With w = 1 waves of a few
//! cells grow.)
//!
//! [`Advection::MacCormack`] advects forward and backward, subtracts half the round-trip error, and clamps to
//! the values around the foot. There is no way back for what leaves the domain: it keeps the semi-Lagrangian
//! value. The change has 32 bits, and the limits have 16 (`advect/limits.rs`).

mod faces;
mod limits;
#[cfg(test)]
mod tests;

use crate::mesh::{DepartureMesh, Mesh, MeshWithoutLeaves};
use crate::transfer::short_corner_velocity;
use faces::{Sampled, carried_over, sample};
use glam::{DVec2, DVec3};
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::nodal::{Vector, trilinear, vector_at, vector_in};
use octide_core::octree::{
    CellCorners, CellFaces, CornerTable, Corners, CornersOfCells, FaceCells, FaceSides, SplitFaces,
};
use octide_core::par;
pub use octide_core::scene::Advection;

/// Paths that end less than this share of a finest cell beyond the domain slide along its side.
const SLIDE_TOLERANCE: f64 = 1e-6;

/// A velocity that has arrived.
pub struct ArrivedVelocity {
    /// What is left of the old mesh.
    pub old: Mesh<(), CornersOfCells>,
    /// The new mesh.
    pub new: MeshWithoutLeaves,
    /// The velocity on its faces.
    pub u: Field<FaceId, f64>,
}

/// The velocity on those faces of `new` that have a wanted cell on a side, zero on others: `u`, told for each
/// face of `old`, which is `corners` at corners, carried along `paths`, the velocity at corners that moves it.
///
/// Takes the old mesh, whose faces nobody reads after this, and returns it without them. MacCormack needs to
/// know which faces the new leaves have, for its way back starts there; else they are found when the old
/// faces are gone.
pub fn advect_velocity<V: Vector>(
    old: DepartureMesh,
    u: impl Fn(FaceId) -> f64 + Copy + Sync + Send,
    (corners, paths): (&Field<NodeId, V>, &Field<NodeId, V>),
    new: Mesh<FaceSides, Corners>,
    dt: f64,
    advection: Advection,
    wanted: impl Fn(CellId) -> bool + Sync + Send,
) -> ArrivedVelocity {
    let any = |sides: [CellId; 2]| sides.iter().any(|&c| c.is_some() && wanted(c));
    match advection {
        Advection::SemiLagrangian => {
            let u = advect_faces(&old, u, corners, paths, &new, dt, |k| any(new.sides(k)));
            let old = old.without_faces();
            ArrivedVelocity { old, new: new.with_faces_of_cells(), u }
        }
        Advection::MacCormack => {
            let new = new.with_faces_of_cells();
            let u = advect_faces_maccormack(&old, u, corners, paths, &new, dt, |k| any(new.sides(k)));
            ArrivedVelocity { old: old.without_faces(), new, u }
        }
    }
}

/// Semi-Lagrangian transport to those faces of `new` that are wanted; zero on others.
pub fn advect_faces<V: Vector, N: Sync>(
    old: &Mesh<impl CellFaces, impl CellCorners>,
    u: impl Fn(FaceId) -> f64 + Copy + Sync + Send,
    corners: &Field<NodeId, V>,
    paths: &Field<NodeId, V>,
    new: &Mesh<impl FaceCells, N>,
    dt: f64,
    wanted: impl Fn(FaceId) -> bool + Sync + Send,
) -> Field<FaceId, f64> {
    par::map(new.n_faces(), |k| {
        if wanted(k) { advect_face(old, u, corners, paths, new, dt, k).value } else { 0.0 }
    })
}

/// Semi-Lagrangian transport to one face of `new`.
#[inline]
fn advect_face<V: Vector, N>(
    old: &Mesh<impl CellFaces, impl CellCorners>,
    u: impl Fn(FaceId) -> f64 + Copy,
    corners: &Field<NodeId, V>,
    paths: &Field<NodeId, V>,
    new: &Mesh<impl FaceCells, N>,
    dt: f64,
    k: FaceId,
) -> Sampled {
    let (axis, x) = (new.axis(k), new.face_position(k));
    let end = path(old, paths, x, dt);
    let level = new.tree.level(new.small_side(k));
    let mut there = sample(old, u, corners, axis, level, end.cell, end.place);
    if there.is_between_faces {
        return there;
    }
    let left = (1.0 - (end.place - x).abs() / new.face_size(k)).max(DVec3::ZERO).element_product();
    if left > 0.0
        && let Some(here) = carried_over(old, u, new, k)
    {
        there.value += left * (here - vector_at(&old.tree, &old.nodes, corners, x)[axis]);
    }
    there
}

/// MacCormack transport to those faces of `new` that are wanted; zero on others.
pub fn advect_faces_maccormack<V: Vector>(
    old: &Mesh<impl CellFaces, impl CellCorners>,
    u: impl Fn(FaceId) -> f64 + Copy + Sync + Send,
    corners: &Field<NodeId, V>,
    paths: &Field<NodeId, V>,
    new: &Mesh<SplitFaces, impl CornerTable>,
    dt: f64,
    wanted: impl Fn(FaceId) -> bool + Sync + Send,
) -> Field<FaceId, f64> {
    // The way back reads faces around those that are wanted.
    let mut there: Field<FaceId, f64> = Field::filled(new.n_faces(), 0.0);
    // First what each may be changed by, then what it is changed by: most memory of a step is held here.
    let mut changes = Field::filled(new.n_faces(), 0u32);
    par::update_both(&mut there, &mut changes, |i, there, room| {
        let end = advect_face(old, u, corners, paths, new, dt, FaceId(i as u32));
        (*there, *room) = (end.value, limits::packed(end.value - end.low, end.high - end.value));
    });
    // Rounded as `corners` are: where nothing moves `here` and `back` are the same.
    let there_corners = short_corner_velocity(new, |k| there[k]);
    let missed = |k: FaceId| {
        let (axis, x) = (new.faces.axis(k), new.face_position(k));
        let level = new.tree.level(new.faces.small_side(&new.tree, k));
        let ahead = path(old, paths, x, -dt);
        if ahead.is_outside {
            return 0.0;
        }
        let here = sample(old, u, corners, axis, level, old.tree.nearest_leaf(x), x);
        let cell = new.tree.nearest_leaf(ahead.place);
        let back = sample(new, |k| there[k], &there_corners, axis, level, cell, ahead.place);
        if here.is_between_faces != back.is_between_faces {
            return 0.0; // two kinds of blur: their difference is no error of transport
        }
        here.value - back.value
    };
    par::update(&mut changes, |i, change| {
        let k = FaceId(i as u32);
        let by = if wanted(k) { limits::limited(0.5 * missed(k), *change) } else { 0.0 };
        *change = (by as f32).to_bits();
    });
    drop(there_corners);
    par::update(&mut there, |i, u| {
        let k = FaceId(i as u32);
        *u = if wanted(k) { *u + f64::from(f32::from_bits(changes[k])) } else { 0.0 };
    });
    there
}

/// Two fields at corners, such as density and temperature, on the corners of `new`: their paths are the same.
pub fn advect_nodes<V: Vector, F: Sync, G: Sync>(
    old: &Mesh<F, impl CellCorners>,
    [a, b]: [&Field<NodeId, f64>; 2],
    corners: &Field<NodeId, V>,
    new: &Mesh<G, impl CornerTable>,
    dt: f64,
    advection: Advection,
) -> [Field<NodeId, f64>; 2] {
    let around = |cell: CellId| old.nodes.of_cell(cell).map(|v| DVec2::new(a[v], b[v]));
    let in_old = |cell: CellId, p: DVec3| {
        let values = around(cell);
        trilinear(|c| values[c], old.tree.place_in(cell, p))
    };
    let mut there: Field<NodeId, DVec2> = Field::filled(new.n_nodes(), DVec2::ZERO);
    let mut cells: Field<NodeId, CellId> = Field::filled(new.n_nodes(), CellId::NONE);
    par::update_both(&mut there, &mut cells, |i, there, cell| {
        let end = path(old, corners, new.node_position(NodeId(i as u32)), dt);
        (*there, *cell) = (in_old(end.cell, end.place), end.cell);
    });
    new.constrain(&mut there);
    if advection == Advection::MacCormack {
        let mut better = par::map(new.n_nodes(), |v: NodeId| {
            let values = around(cells[v]);
            let low = values.iter().copied().fold(DVec2::INFINITY, DVec2::min);
            let high = values.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max);
            if low == high && low == there[v] {
                return there[v]; // nothing to be limited to: most of the air is clean
            }
            let x = new.node_position(v);
            let ahead = path(old, corners, x, -dt);
            if ahead.is_outside {
                return there[v];
            }
            let missed = in_old(old.tree.nearest_leaf(x), x) - new.sample(&there, ahead.place);
            (there[v] + 0.5 * missed).clamp(low.min(there[v]), high.max(there[v]))
        });
        new.constrain(&mut better);
        there = better;
    }
    [0, 1].map(|i| par::map(new.n_nodes(), |v: NodeId| there[v][i]))
}

/// Where a path ends.
pub struct End {
    /// The leaf there.
    pub cell: CellId,
    /// The place, inside the domain.
    pub place: DVec3,
    /// Whether the path leaves the domain: the place is where it would be moved to on the rim.
    pub is_outside: bool,
}

/// Where what is at `x` was `dt` ago, by the midpoint rule.
#[inline]
pub fn path<V: Vector, F>(
    mesh: &Mesh<F, impl CellCorners>,
    corners: &Field<NodeId, V>,
    x: DVec3,
    dt: f64,
) -> End {
    let (tree, grid) = (&mesh.tree, mesh.tree.grid());
    let velocity = |cell: CellId, p: DVec3| vector_in(tree, &mesh.nodes, corners, cell, p);
    let inside = |p: DVec3| p.clamp(grid.low(), grid.high());
    let cell = tree.nearest_leaf(x);
    let half = inside(x - 0.5 * dt * velocity(cell, x));
    let cell = tree.nearest_leaf_from(cell, half);
    let end = x - dt * velocity(cell, half);
    let place = inside(end);
    let is_outside = (end - place).abs().max_element() > SLIDE_TOLERANCE * grid.dx();
    End { cell: tree.nearest_leaf_from(cell, place), place, is_outside }
}
