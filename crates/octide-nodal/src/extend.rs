//! What the next step will sample must exist wherever it looks: φ inside solids, velocity in air and in
//! solids.
//!
//! Velocity (§6): "first defining nodal velocities, extrapolating them, and then computing the face
//! velocities". Corners without a neighbor that has a value are skipped "until one of their neighbors is
//! updated": a corner waits until then ([`extrapolate`]). A corner takes of each axis what the faces around
//! it know, and is a source where it knows all three; of others only the axes that they do not know are
//! filled in. The paper stops there; here corners inside solids are clipped as §5 has it for smoke, "so that
//! it is guaranteed to be separating". φ is continued in `extend/phi.rs`.

mod phi;

pub use phi::{Separation, extend_phi, open_separated_faces};

use crate::boundary::Boundary;
use crate::mesh::{Mesh, MeshWithoutLeaves};
use crate::open_sides::losses;
use crate::params::Params;
use crate::project::Projected;
use crate::state::State;
use crate::transfer::{corner_velocity, face_velocity, known_velocity};
use glam::{DVec3, Vec3};
use octide_core::flows::Prescribed;
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::{CornerTable, SplitFaces};
use octide_core::open_sides;
use octide_core::par;
use octide_core::solids::Solids;
use octide_core::surface::extrapolate::extrapolate;
use octide_core::surface::graph::Graph;

/// Whether some leaf around a corner is so near to a solid that the corner may be in it or at it.
#[inline]
fn is_near_solid(mesh: &Mesh, boundary: &Boundary, v: NodeId) -> bool {
    let near = |c: CellId| c.is_some() && boundary.solid_distance(c) < mesh.tree.size(c);
    mesh.nodes.cells(v).iter().any(|&c| near(c))
}

/// The velocity at corners that carries things: inside solids separating from them.
pub fn carrying_velocity(
    mesh: &Mesh,
    u: &Field<FaceId, f64>,
    boundary: &Boundary,
    solids: &Solids,
) -> Field<NodeId, DVec3> {
    let mut corners = corner_velocity(mesh, u);
    if !boundary.has_solids() {
        return corners;
    }
    let dx = mesh.tree.grid().dx();
    par::update(&mut corners, |i, v| {
        let node = NodeId(i as u32);
        if mesh.nodes.is_hanging(node) || !is_near_solid(mesh, boundary, node) {
            return;
        }
        let x = mesh.node_position(node);
        if solids.distance(x) < 0.0 {
            let n = solids.normal(x, dx);
            *v -= (*v - solids.velocity(x)).dot(n).min(0.0) * n;
        }
    });
    mesh.constrain(&mut corners);
    corners
}

/// The old velocity at corners that carries things. Short numbers are enough for paths, and where faces differ
/// in size: they are right to a ten millionth.
pub(crate) fn short_carrying_velocity(old: &State, solids: &Solids) -> Field<NodeId, Vec3> {
    let corners = carrying_velocity(&old.mesh, &old.u, &old.boundary, solids);
    par::map(corners.len(), |v: NodeId| corners[v].as_vec3())
}

/// A velocity that is known everywhere.
pub(crate) struct ExtendedVelocity {
    pub u: Field<FaceId, f64>,
    /// Pressure divided by density, in m²/s².
    pub pressure: Field<CellId, f64>,
    /// What comes to cells from inflows and, negative, leaves them through open sides, in m³/s.
    pub crossing: Vec<(CellId, f64)>,
    /// Faces whose velocity the pressure or an inflow has set.
    pub trusted: Field<FaceId, bool>,
}

/// The velocity that a projection has left and that inflows prescribe, continued into air and solids. Nothing
/// comes in through open sides.
pub(crate) fn extend_projected_velocity(
    mesh: &MeshWithoutLeaves,
    phi: &Field<NodeId, f64>,
    boundary: &Boundary,
    projected: Projected,
    prescribed: Prescribed,
    dt: f64,
    params: &Params,
) -> ExtendedVelocity {
    let Projected { mut u, mut pressure, valid, .. } = projected;
    par::update(&mut pressure, |_, p| *p /= dt);
    let mut trusted = boundary.trusted(&valid);
    drop(valid);
    prescribed.set(&mut u, &mut trusted);
    let mut u = extend_velocity(mesh, phi, boundary, u, &trusted);
    let mut crossing = prescribed.sources;
    if params.flows.open.any() {
        open_sides::keep_outward(mesh, boundary, &mut u);
        crossing.extend(losses(mesh, phi, boundary, &u));
    }
    ExtendedVelocity { u, pressure, crossing, trusted }
}

/// Velocity on all faces, from those that are known.
pub fn extend_velocity<N: CornerTable>(
    mesh: &Mesh<SplitFaces, N>,
    phi: &Field<NodeId, f64>,
    boundary: &Boundary,
    mut u: Field<FaceId, f64>,
    trusted: &Field<FaceId, bool>,
) -> Field<FaceId, f64> {
    // Walls hold still.
    let known = par::map(mesh.n_faces(), |k: FaceId| trusted[k] || boundary.is_wall(mesh, k));
    par::update(&mut u, |i, u| {
        // Also where a body that passes through them brings its own volume along.
        if known[FaceId(i as u32)] && !trusted[FaceId(i as u32)] {
            *u = 0.0;
        }
    });
    // Not a number where nothing is known.
    let mut corners = mesh.nodes.map_leaves(&mesh.tree, DVec3::NAN, |_, cells| {
        let of = |axis| known_velocity(mesh, &u, &known, cells, axis).unwrap_or(f64::NAN);
        DVec3::from_array([0, 1, 2].map(of))
    });
    let is_source = par::map(mesh.n_nodes(), |v: NodeId| corners[v].is_finite());
    let in_part = par::collect(mesh.n_nodes(), |i, out: &mut Vec<(NodeId, DVec3)>| {
        let v = NodeId(i as u32);
        if !is_source[v] && !corners[v].is_nan_mask().all() {
            out.push((v, corners[v]));
        }
    });
    let order = if boundary.has_solids() {
        mesh.nodes.map_leaves(&mesh.tree, 0.0, |v, cells| {
            let solid = cells.iter().filter(|c| c.is_some());
            let deep = solid.map(|&c| -boundary.solid_distance(c)).fold(f64::NEG_INFINITY, f64::max);
            phi[v].max(deep).max(0.0)
        })
    } else {
        par::map(mesh.n_nodes(), |v: NodeId| phi[v].max(0.0))
    };
    extrapolate(&CornerGraph::new(mesh), &is_source, &order, &mut corners);
    for (v, known) in in_part {
        corners[v] = DVec3::select(known.is_nan_mask(), corners[v], known);
    }
    mesh.constrain(&mut corners);
    par::update(&mut u, |i, u| {
        let k = FaceId(i as u32);
        if !known[k] {
            *u = face_velocity(mesh, &corners, k);
        }
    });
    u
}

/// Corners, each with the next one in every direction along the shortest edge there is: hanging ones are
/// between others.
struct CornerGraph<'a, N> {
    mesh: &'a Mesh<SplitFaces, N>,
    next: Field<NodeId, [NodeId; 6]>,
}

impl<'a, N: CornerTable> CornerGraph<'a, N> {
    fn new(mesh: &'a Mesh<SplitFaces, N>) -> Self {
        let next = mesh.nodes.map_leaves(&mesh.tree, [NodeId::NONE; 6], |v, cells| {
            std::array::from_fn(|direction| {
                let (axis, side) = (direction / 2, direction & 1);
                let mut finest = (0, NodeId::NONE);
                for o in (0..8).filter(|o| o >> axis & 1 == side && cells[*o].is_some()) {
                    // In the leaf of octant o the corner is number 7 − o, unless it hangs on it.
                    let (cell, level) = (cells[o], mesh.tree.level(cells[o]) + 1);
                    let corners = mesh.nodes.of_cell(cell);
                    if level > finest.0 && corners[7 - o] == v {
                        finest = (level, corners[(7 - o) ^ (1 << axis)]);
                    }
                }
                finest.1
            })
        });
        Self { mesh, next }
    }
}

impl<N: CornerTable> Graph for CornerGraph<'_, N> {
    fn len(&self) -> usize {
        self.mesh.n_nodes()
    }

    #[inline]
    fn position(&self, i: usize) -> DVec3 {
        self.mesh.node_position(NodeId(i as u32))
    }

    /// That of the smallest leaf around a corner: its edges are the shortest.
    #[inline]
    fn size(&self, i: usize) -> f64 {
        let (nodes, v) = (self.mesh.nodes.corners(), NodeId(i as u32));
        let own = nodes.place(v);
        let next = self.next[v].iter().enumerate().filter(|(_, w)| w.is_some());
        let edge = next.map(|(direction, &w)| (nodes.place(w) - own)[direction / 2].abs()).min();
        0.5 * self.mesh.tree.grid().dx() * f64::from(edge.unwrap_or(0))
    }

    #[inline]
    fn for_neighbors(&self, i: usize, mut f: impl FnMut(usize)) {
        for v in self.next[NodeId(i as u32)].iter().filter(|v| v.is_some()) {
            f(v.0 as usize);
        }
    }
}

#[cfg(test)]
mod tests;
