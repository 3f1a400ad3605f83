//! Semi-Lagrangian advection from the old tree to the new one (§4):
//!
//! ```text
//! q_new(x) = q_old(x − ∫ u dt),
//! ```
//!
//! with a second-order path through the velocity at corners. [`advect_nodes`] advects fields at corners: it
//! interpolates trilinearly in the leaf around the foot of the path. The interpolant passes through the
//! corner values, so that nothing changes at rest.
//!
//! Differs from the paper for faces, where the paper takes the trilinear interpolant N of the corner values
//! at the foot. Corner values are means of four faces, so this blurs a face over its neighbors in every step,
//! even at rest. Where the faces around the foot all have the same size, Octide interpolates the faces
//! themselves (`advect/faces.rs`). Elsewhere it uses
//!
//! ```text
//! u_new(x) = N(foot) + w (u_x − N(x)),
//! ```
//!
//! where u_x is the old tree's value at the new face by the rules of §3 (the face itself, or the mean of
//! smaller ones), and w = Π (1 − |foot − x|/h) is how much of the foot the face still covers: 1 at rest, 0
//! from a distance of one cell on. So nothing changes without velocity on an unchanged tree. (With w = 1,
//! waves of a few cells' length grow.)
//!
//! [`Advection::MacCormack`] advects forward and backward, subtracts half the round-trip error, and clamps to
//! the values around the foot. Where the backward path leaves the domain, the semi-Lagrangian value is kept.
//! The correction is stored in 32 bits, and the limits in 16 (`advect/limits.rs`).

mod faces;
mod limits;
#[cfg(test)]
mod tests;

use crate::mesh::{DepartureMesh, Mesh, MeshWithoutLeaves};
use crate::paths::Paths;
use crate::transfer::short_corner_velocity;
use faces::{Sampled, carried_over, sample};
use glam::{DVec2, DVec3};
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::nodal::{Vector, trilinear, vector_at};
use octide_core::octree::{
    CellCorners, CellFaces, CornerTable, Corners, CornersOfCells, FaceCells, FaceSides, Octree, SplitFaces,
};
use octide_core::par;
pub use octide_core::scene::Advection;

/// An advected velocity.
pub struct ArrivedVelocity<R> {
    /// What the caller made from the old mesh.
    pub retired: R,
    /// The new mesh.
    pub mesh: MeshWithoutLeaves,
    /// The velocity on its faces.
    pub u: Field<FaceId, f64>,
}

/// Advects `u`, a velocity on the faces of `old` whose values at corners are `corners`, along `paths`, the
/// velocity at corners that moves it. Returns the result on the faces of `new` that have a wanted cell on
/// either side, and zero on others.
///
/// Consumes the old mesh. Its faces are not read after this, so they are freed, and the rest is passed to
/// `retire` with the new tree. With semi-Lagrangian advection the faces of the new leaves are found only
/// then; MacCormack needs them earlier, because its backward pass starts there.
pub fn advect_velocity<V: Vector, R>(
    old: DepartureMesh,
    u: impl Fn(FaceId) -> f64 + Copy + Sync + Send,
    (corners, paths): (&Field<NodeId, V>, Paths<'_, V>),
    new: Mesh<FaceSides, Corners>,
    dt: f64,
    advection: Advection,
    wanted: impl Fn(CellId) -> bool + Sync + Send,
    retire: impl FnOnce(Mesh<(), CornersOfCells>, &Octree) -> R,
) -> ArrivedVelocity<R> {
    let any = |sides: [CellId; 2]| sides.iter().any(|&c| c.is_some() && wanted(c));
    match advection {
        Advection::SemiLagrangian => {
            let u = advect_faces(&old, u, corners, paths, &new, dt, |k| any(new.sides(k)));
            let retired = retire(old.without_faces(), &new.tree);
            ArrivedVelocity { retired, mesh: new.with_faces_of_cells(), u }
        }
        Advection::MacCormack => {
            let mesh = new.with_faces_of_cells();
            let u = advect_faces_maccormack(&old, u, corners, paths, &mesh, dt, |k| any(mesh.sides(k)));
            ArrivedVelocity { retired: retire(old.without_faces(), &mesh.tree), mesh, u }
        }
    }
}

/// Advects semi-Lagrangian to the wanted faces of `new`; others are zero.
pub fn advect_faces<V: Vector, N: Sync>(
    old: &Mesh<impl CellFaces, impl CellCorners>,
    u: impl Fn(FaceId) -> f64 + Copy + Sync + Send,
    corners: &Field<NodeId, V>,
    paths: Paths<'_, V>,
    new: &Mesh<impl FaceCells, N>,
    dt: f64,
    wanted: impl Fn(FaceId) -> bool + Sync + Send,
) -> Field<FaceId, f64> {
    par::map(new.n_faces(), |k| {
        if wanted(k) { advect_face(old, u, corners, paths, new, dt, k).value } else { 0.0 }
    })
}

/// Advects semi-Lagrangian to one face of `new`.
#[inline]
fn advect_face<V: Vector, N>(
    old: &Mesh<impl CellFaces, impl CellCorners>,
    u: impl Fn(FaceId) -> f64 + Copy,
    corners: &Field<NodeId, V>,
    paths: Paths<'_, V>,
    new: &Mesh<impl FaceCells, N>,
    dt: f64,
    k: FaceId,
) -> Sampled {
    let (axis, x) = (new.axis(k), new.face_position(k));
    let end = paths.end(old, x, dt);
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

/// Advects by MacCormack to the wanted faces of `new`; others are zero.
pub fn advect_faces_maccormack<V: Vector>(
    old: &Mesh<impl CellFaces, impl CellCorners>,
    u: impl Fn(FaceId) -> f64 + Copy + Sync + Send,
    corners: &Field<NodeId, V>,
    paths: Paths<'_, V>,
    new: &Mesh<SplitFaces, impl CornerTable>,
    dt: f64,
    wanted: impl Fn(FaceId) -> bool + Sync + Send,
) -> Field<FaceId, f64> {
    // The backward pass also reads the faces around the wanted ones.
    let mut there: Field<FaceId, f64> = Field::filled(new.n_faces(), 0.0);
    // Holds first the limits of each correction, then the correction: a step's memory use peaks here.
    let mut changes = Field::filled(new.n_faces(), 0u32);
    par::update_both(&mut there, &mut changes, |i, there, room| {
        let end = advect_face(old, u, corners, paths, new, dt, FaceId(i as u32));
        (*there, *room) = (end.value, limits::packed(end.value - end.low, end.high - end.value));
    });
    // Rounded like `corners`, so that `here` and `back` are equal where nothing moves.
    let there_corners = short_corner_velocity(new, |k| there[k]);
    let missed = |k: FaceId| {
        let (axis, x) = (new.faces.axis(k), new.face_position(k));
        let level = new.tree.level(new.faces.small_side(&new.tree, k));
        let ahead = paths.end(old, x, -dt);
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

/// Advects two fields at corners, such as density and temperature, which share their paths, to `new`.
pub fn advect_nodes<V: Vector, F: Sync, G: Sync>(
    old: &Mesh<F, impl CellCorners>,
    [a, b]: [&Field<NodeId, f64>; 2],
    paths: Paths<'_, V>,
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
        let end = paths.end(old, new.node_position(NodeId(i as u32)), dt);
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
            let ahead = paths.end(old, x, -dt);
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
