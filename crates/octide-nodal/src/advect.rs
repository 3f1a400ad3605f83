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
//! four faces, and N at a face's center blurs the face over its neighbors, in every step and at rest too. So what
//! a face has beyond its corners, r = u − N(x), is carried along ([`Beyond`]):
//!
//! ```text
//! u_new(x) = N(foot) + r(foot).
//! ```
//!
//! Without velocity and on an unchanged tree this is the identity; where the tree became coarser the mean of the old faces,
//! as in §3. Where it became finer there is the part of r besides what §3 has, so that
//! parts of a face still add up to it.
//!
//! [`Advection::MacCormack`] goes there and back again and takes half of what was missed off, limited to what is around
//! the foot.

mod beyond;
#[cfg(test)]
mod tests;

use crate::mesh::Mesh;
use crate::transfer::corner_velocity;
use beyond::Beyond;
use glam::DVec3;
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::nodal::{sample_in, trilinear};
use octide_core::par;
pub use octide_core::scene::Advection;

/// The velocity on all faces of `new`.
pub fn advect_faces(
    old: &Mesh,
    u: &Field<FaceId, f64>,
    corners: &Field<NodeId, DVec3>,
    new: &Mesh,
    dt: f64,
    advection: Advection,
) -> Field<FaceId, f64> {
    advect_wanted_faces(old, u, corners, new, dt, advection, |_| true)
}

/// The velocity on those faces of `new` that are wanted; zero on others.
pub fn advect_wanted_faces(
    old: &Mesh,
    u: &Field<FaceId, f64>,
    corners: &Field<NodeId, DVec3>,
    new: &Mesh,
    dt: f64,
    advection: Advection,
    wanted: impl Fn(FaceId) -> bool + Sync + Send,
) -> Field<FaceId, f64> {
    let beyond = Beyond::new(old, u, corners);
    let carried = |k: FaceId| {
        let axis = new.faces.axis(k);
        let (cell, foot) = foot(old, corners, new.face_position(k), dt);
        let level = new.tree.level(new.faces.small_side(&new.tree, k));
        sample_in(&old.tree, &old.nodes, corners, cell, foot)[axis] + beyond.at(axis, level, cell, foot)
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
        let (_, ahead) = foot(old, corners, x, -dt);
        let missed = old.sample(corners, x)[axis] - new.sample(&there_corners, ahead)[axis];
        let (cell, _) = foot(old, corners, x, dt);
        let around = old.nodes.of_cell(cell).map(|v| corners[v][axis]);
        limited(there[k], missed, &around)
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
        limited(there[v], missed, &old.nodes.of_cell(cell).map(|c| q[c]))
    });
    new.constrain(&mut better);
    better
}

/// A value with half of what there-and-back missed, between the values around its foot and itself.
fn limited(there: f64, missed: f64, around: &[f64; 8]) -> f64 {
    let low = around.iter().copied().fold(there, f64::min);
    let high = around.iter().copied().fold(there, f64::max);
    (there + 0.5 * missed).clamp(low, high)
}

/// Where what is at `x` was `dt` ago, by the midpoint rule, inside the domain; and the leaf there.
#[inline]
pub fn foot(mesh: &Mesh, corners: &Field<NodeId, DVec3>, x: DVec3, dt: f64) -> (CellId, DVec3) {
    let (tree, grid) = (&mesh.tree, mesh.tree.grid());
    let velocity = |cell: CellId, p: DVec3| {
        let t = (p - tree.center(cell)) / tree.size(cell) + 0.5;
        let v = mesh.nodes.of_cell(cell);
        trilinear(|c| corners[v[c]], t)
    };
    let inside = |p: DVec3| p.clamp(grid.low(), grid.high());
    let cell = tree.locate(x);
    let half = inside(x - 0.5 * dt * velocity(cell, x));
    let cell = tree.locate_from(cell, half);
    let foot = inside(x - dt * velocity(cell, half));
    (tree.locate_from(cell, foot), foot)
}
