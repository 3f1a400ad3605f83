//! Semi-Lagrangian transport from the old tree to the new one (§4):
//!
//! ```text
//! q_new(x) = q_old(x − ∫ u dt),
//! ```
//!
//! with a path of second order through the velocity at corners. [`advect_nodes`] takes what is at corners: trilinear
//! values in the leaf around the foot. They pass through the corners, so that nothing changes at rest.
//!
//! Differs from the paper for faces, where it takes the trilinear value N of the corners at the foot. Corners are means of
//! four faces, so that this blurs a face over its neighbors in every step, and at rest too. Where the faces around the
//! foot are all of one size they are interpolated themselves (`advect/faces.rs`). Elsewhere it is
//!
//! ```text
//! u_new(x) = N(foot) + w (u_x − N(x)),
//! ```
//!
//! u_x what the old tree has on the new face by the rules of §3 (the face itself, or the mean of smaller ones), and
//! w = Π (1 − |foot − x|/h) what the face still covers of the foot: all of it at rest, nothing a cell farther on. So
//! nothing changes without velocity on an unchanged tree. (With w = 1 waves of a few cells grow.)
//!
//! [`Advection::MacCormack`] goes there and back again and takes half of what was missed off, limited to what is around
//! the foot.

mod faces;
#[cfg(test)]
mod tests;

use crate::mesh::Mesh;
use crate::transfer::corner_velocity;
use faces::{carried_over, sample};
use glam::DVec3;
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::nodal::{Vector, sample_in, vector_at, vector_in};
use octide_core::par;
pub use octide_core::scene::Advection;

/// The velocity on all faces of `new`: `u`, which is `corners` at corners, carried along `paths`, the velocity at corners that
/// moves it.
pub fn advect_faces(
    old: &Mesh,
    u: &Field<FaceId, f64>,
    corners: &Field<NodeId, DVec3>,
    paths: &Field<NodeId, DVec3>,
    new: &Mesh,
    dt: f64,
    advection: Advection,
) -> Field<FaceId, f64> {
    advect_wanted_faces(old, u, corners, paths, new, dt, advection, |_| true)
}

/// The same on those faces of `new` that are wanted; zero on others.
pub fn advect_wanted_faces<V: Vector>(
    old: &Mesh,
    u: &Field<FaceId, f64>,
    corners: &Field<NodeId, V>,
    paths: &Field<NodeId, V>,
    new: &Mesh,
    dt: f64,
    advection: Advection,
    wanted: impl Fn(FaceId) -> bool + Sync + Send,
) -> Field<FaceId, f64> {
    let carried = |k: FaceId| {
        let (axis, x) = (new.faces.axis(k), new.face_position(k));
        let (cell, foot) = foot(old, paths, x, dt);
        let level = new.tree.level(new.faces.small_side(&new.tree, k));
        let there = sample(old, u, corners, axis, level, cell, foot);
        if there.is_between_faces {
            return there.value;
        }
        let left = (1.0 - (foot - x).abs() / new.face_size(k)).max(DVec3::ZERO).element_product();
        if left == 0.0 {
            return there.value;
        }
        match carried_over(old, u, new, k) {
            Some(here) => there.value + left * (here - vector_at(&old.tree, &old.nodes, corners, x)[axis]),
            None => there.value,
        }
    };
    if advection == Advection::SemiLagrangian {
        return par::map(new.n_faces(), |k| if wanted(k) { carried(k) } else { 0.0 });
    }
    // The way back reads faces around those that are wanted.
    let there = par::map(new.n_faces(), carried);
    let there_corners = corner_velocity(new, &there);
    par::map(new.n_faces(), |k: FaceId| {
        if !wanted(k) {
            return 0.0;
        }
        let (axis, x) = (new.faces.axis(k), new.face_position(k));
        let level = new.tree.level(new.faces.small_side(&new.tree, k));
        let (_, ahead) = foot(old, paths, x, -dt);
        let (cell, foot) = foot(old, paths, x, dt);
        let here = sample(old, u, corners, axis, level, old.tree.locate(x), x);
        let back = sample(new, &there, &there_corners, axis, level, new.tree.locate(ahead), ahead);
        if here.is_between_faces != back.is_between_faces {
            return there[k]; // two kinds of blur: their difference is no error of transport
        }
        let around = sample(old, u, corners, axis, level, cell, foot);
        limited(there[k], here.value - back.value, around.low, around.high)
    })
}

/// A field at corners, on the corners of `new`.
pub fn advect_nodes(
    old: &Mesh,
    q: &Field<NodeId, f64>,
    corners: &Field<NodeId, DVec3>,
    new: &Mesh,
    dt: f64,
    advection: Advection,
) -> Field<NodeId, f64> {
    let mut there = par::map(new.n_nodes(), |v: NodeId| {
        let (cell, foot) = foot(old, corners, new.node_position(v), dt);
        sample_in(&old.tree, &old.nodes, q, cell, foot)
    });
    new.constrain(&mut there);
    if advection == Advection::SemiLagrangian {
        return there;
    }
    let mut better = par::map(new.n_nodes(), |v: NodeId| {
        let x = new.node_position(v);
        let (_, ahead) = foot(old, corners, x, -dt);
        let missed = old.sample(q, x) - new.sample(&there, ahead);
        let (cell, _) = foot(old, corners, x, dt);
        let around = old.nodes.of_cell(cell).map(|c| q[c]);
        let low = around.iter().copied().fold(f64::INFINITY, f64::min);
        let high = around.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        limited(there[v], missed, low, high)
    });
    new.constrain(&mut better);
    better
}

/// A value with half of what there-and-back missed, between the values around its foot and itself.
fn limited(there: f64, missed: f64, low: f64, high: f64) -> f64 {
    (there + 0.5 * missed).clamp(low.min(there), high.max(there))
}

/// Where what is at `x` was `dt` ago, by the midpoint rule, inside the domain; and the leaf there.
#[inline]
pub fn foot<V: Vector>(mesh: &Mesh, corners: &Field<NodeId, V>, x: DVec3, dt: f64) -> (CellId, DVec3) {
    let (tree, grid) = (&mesh.tree, mesh.tree.grid());
    let velocity = |cell: CellId, p: DVec3| vector_in(tree, &mesh.nodes, corners, cell, p);
    let inside = |p: DVec3| p.clamp(grid.low(), grid.high());
    let cell = tree.locate(x);
    let half = inside(x - 0.5 * dt * velocity(cell, x));
    let cell = tree.locate_from(cell, half);
    let foot = inside(x - dt * velocity(cell, half));
    (tree.locate_from(cell, foot), foot)
}
