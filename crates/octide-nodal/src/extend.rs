//! Extension of φ into solids and of velocity into air and solids, so that the next step finds values
//! wherever it samples.
//!
//! Velocity (§6): "first defining nodal velocities, extrapolating them, and then computing the face
//! velocities". Corners that have no neighbor with a value are skipped "until one of their neighbors is
//! updated": a corner waits until then ([`extrapolate`]). For each axis, a corner takes the value known from
//! the faces around it. It is a source if all three axes are known; at other corners only the unknown axes
//! are filled in. The paper stops there. Here the velocity at corners inside solids is also clipped, as §5
//! does for smoke, "so that it is guaranteed to be separating". φ is extended in `extend/phi.rs`.

mod phi;

pub use phi::extend_phi;

use crate::boundary::Boundary;
use crate::mesh::{Mesh, MeshWithoutLeaves};
use crate::open_sides::losses;
use crate::params::Params;
use crate::project::Projected;
use crate::state::State;
use crate::transfer::{corner_velocity, face_velocity, known_velocity};
use glam::{DVec3, Vec3};
use octide_core::faces::inflows::Prescribed;
use octide_core::faces::open_sides;
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::{CornerTable, SplitFaces};
use octide_core::par;
use octide_core::solids::Solids;
use octide_core::surface::extrapolate::extrapolate;
use octide_core::surface::graph::Graph;

/// Returns whether a leaf around a corner is so near to a solid that the corner may be inside or on it.
#[inline]
fn is_near_solid(mesh: &Mesh, boundary: &Boundary, v: NodeId) -> bool {
    let near = |c: CellId| c.is_some() && boundary.solid_distance(c) < mesh.tree.size(c);
    mesh.nodes.cells(v).iter().any(|&c| near(c))
}

/// Returns the velocity at corners that is used for advection: inside solids it is separating.
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
        *v = solids.separating(mesh.node_position(node), *v, dx);
    });
    mesh.constrain(&mut corners);
    corners
}

/// Returns the old velocity at corners that is used for advection. Single precision, with a relative error of
/// 10⁻⁷, is enough for paths and where faces differ in size.
pub(crate) fn short_carrying_velocity(old: &State, solids: &Solids) -> Field<NodeId, Vec3> {
    let corners = carrying_velocity(&old.mesh, &old.u, &old.boundary, solids);
    par::map(corners.len(), |v: NodeId| corners[v].as_vec3())
}

/// A velocity that is known on all faces.
pub(crate) struct ExtendedVelocity {
    pub u: Field<FaceId, f64>,
    /// Pressure divided by density, in m²/s².
    pub pressure: Field<CellId, f64>,
    /// The volume that enters cells from inflows or, if negative, leaves them through open sides, in m³/s.
    pub crossing: Vec<(CellId, f64)>,
    /// Faces whose velocity the pressure or an inflow has set.
    pub trusted: Field<FaceId, bool>,
}

/// Extends the projected velocity, and the one that inflows prescribe, into air and solids. Nothing enters
/// through open sides.
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

/// Extends velocity from the known faces to all faces.
pub fn extend_velocity<N: CornerTable>(
    mesh: &Mesh<SplitFaces, N>,
    phi: &Field<NodeId, f64>,
    boundary: &Boundary,
    mut u: Field<FaceId, f64>,
    trusted: &Field<FaceId, bool>,
) -> Field<FaceId, f64> {
    // Walls are at rest.
    let known = par::map(mesh.n_faces(), |k: FaceId| trusted[k] || boundary.is_wall(mesh, k));
    par::update(&mut u, |i, u| {
        // This includes walls through which a moving solid passes, which displaces its own volume there.
        if known[FaceId(i as u32)] && !trusted[FaceId(i as u32)] {
            *u = 0.0;
        }
    });
    // NaN where nothing is known.
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

/// The graph of corners. Each is linked in every direction to the next one along the shortest edge, because
/// hanging corners lie between others.
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
                    // In the leaf of octant o the corner has index 7 − o, unless it hangs on that leaf.
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

    /// Returns the size of the smallest leaf around a corner, whose edges are the shortest.
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
