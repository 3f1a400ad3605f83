//! φ continued into solids from a place o just outside, a cell of edge h away from them along their normal n.
//!
//! **Water pierced by a solid**: φ goes on with its own slope along gravity and level across it, so that a
//! flat surface stays flat. The underside of falling water has reached the solid where it is water at o: it
//! goes on as it is there, else the solid would be full of air, without pressure, and take the water in (18 %
//! of mesh-in-mesh at 64 in three steps; 3 % so).
//!
//! **A film** thinner than a cell is air at o, and would be gone. It goes on by its slope along n,
//!
//! ```text
//! φ(x) = φ(o) − (h + depth) ∂φ/∂n   where φ(o) > 0 and φ(o) − h ∂φ/∂n < 0,
//! ```
//!
//! unless the solid draws back from it.
//!
//! **Water parts from a solid** that would hold it by suction, the paper's "guaranteed to be separating"
//! (§5). A wall that is no-flow both ways pulls: water climbs a blunt bow, runs over it and down behind as a
//! film that never leaves. Air comes in where
//!
//! ```text
//! p(o) < −(|g| h + σ/(ρ h)),  φ(o) > −2 h:   the last pressure, taken where o was on the solid a step ago, and air is near,
//! or φ > 0 on the solid itself and (u(o) − u_solid)·n > 0:   a gap is open, and gets wider.
//! ```
//!
//! There φ(x) = gap + depth, air from the solid's surface on, and the faces that the solid closes are open
//! ([`open_separated_faces`]), so that p = 0 on that surface and the next step carries air out of the solid. No water is
//! cleared away.

use crate::boundary::Boundary;
use crate::mesh::Mesh;
use crate::transfer::velocity_at;
use glam::DVec3;
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::nodal::{trilinear, trilinear_gradient};
use octide_core::par;
use octide_core::solids::Solids;

/// How many cells deep φ is continued into solids; deeper there is no water. A body may bare as many in a
/// step.
const SOLID_DEPTH_CELLS: f64 = 3.0;

/// Air that is at most this many cells away comes to where a solid would hold water by suction.
const VENT_CELLS: f64 = 2.0;

/// What tells whether water parts from a solid.
pub struct Separation<'a> {
    /// The water's velocity on faces.
    pub u: &'a Field<FaceId, f64>,
    /// The last pressure, times dt.
    pub pressure: &'a Field<CellId, f64>,
    /// The step's length in s.
    pub dt: f64,
    /// Suction that still holds water, in m²/s².
    pub holds: f64,
}

/// A place outside of a solid, next to a corner inside.
struct Outside {
    x: DVec3,
    cell: CellId,
    t: DVec3,
    /// φ there.
    phi: f64,
    /// φ on the solid itself.
    wall: f64,
    /// Its slope.
    slope: DVec3,
    /// Away from the solid.
    normal: DVec3,
    /// How far from the solid.
    h: f64,
}

impl Separation<'_> {
    /// Whether the water at a place leaves the solid beside it.
    fn parts(&self, mesh: &Mesh, solids: &Solids, o: &Outside) -> bool {
        if o.phi >= 0.0 {
            return false;
        }
        let velocity = solids.velocity(o.x - o.h * o.normal);
        if o.phi > -VENT_CELLS * o.h {
            let grid = mesh.tree.grid();
            let before = (o.x - self.dt * velocity).clamp(grid.low(), grid.high());
            let p = self.pressure[mesh.tree.nearest_leaf(before)] / self.dt;
            if p < -self.holds {
                return true;
            }
        }
        o.gap() > 0.0 && self.away(mesh, velocity, o) > 0.0
    }

    /// Whether a solid with this velocity moves away from its film.
    fn draws_back(&self, mesh: &Mesh, solid: DVec3, o: &Outside) -> bool {
        solid.dot(o.normal) < 0.0 && self.away(mesh, solid, o) > 0.0
    }

    /// How fast water leaves the solid.
    fn away(&self, mesh: &Mesh, solid: DVec3, o: &Outside) -> f64 {
        let corners = mesh.nodes.of_cell(o.cell).map(|v| velocity_at(mesh, self.u, v));
        (trilinear(|c| corners[c], o.t) - solid).dot(o.normal)
    }
}

impl Outside {
    /// φ on the solid itself where it rises toward it: how wide a gap is open.
    fn gap(&self) -> f64 {
        let fall = self.slope.dot(self.normal).clamp(-1.0, 0.0);
        (self.phi - fall * self.h).max(self.wall)
    }
}

/// φ continued into solids, and the corners in them from which water parts. `gravity` tells which way is up.
pub fn extend_phi(
    mesh: &Mesh,
    mut phi: Field<NodeId, f64>,
    boundary: &Boundary,
    solids: &Solids,
    gravity: DVec3,
    parting: Option<&Separation<'_>>,
) -> (Field<NodeId, f64>, Vec<NodeId>) {
    if !boundary.has_solids() {
        return (phi, Vec::new());
    }
    let (tree, up) = (&mesh.tree, -gravity.normalize_or_zero());
    let continued = |v: NodeId| {
        let around = mesh.nodes.cells(v).iter().filter(|c| c.is_some());
        let (mut nearest, mut level, mut largest) = (f64::INFINITY, 0, 0.0f64);
        for &c in around {
            nearest = nearest.min(boundary.solid_distance(c) - tree.size(c));
            level = level.max(tree.level(c));
            largest = largest.max(tree.size(c));
        }
        if nearest > 0.0 {
            return None;
        }
        let (x, h) = (mesh.node_position(v), tree.grid().cell_size(level));
        let depth = -solids.distance(x);
        if depth <= 0.0 {
            return None;
        }
        // A large leaf reaches deep into the solid and is cut by the surface all the same.
        let deep = depth - SOLID_DEPTH_CELLS * largest;
        if deep > 0.0 {
            return Some((phi[v].max(deep), false));
        }
        let grid = tree.grid();
        let normal = solids.normal(x, h);
        let outside = (x + (depth + h) * normal).clamp(grid.low(), grid.high());
        if solids.distance(outside) < 0.0 {
            return Some((phi[v].max(deep), false));
        }
        let cell = tree.nearest_leaf(outside);
        let corners = mesh.nodes.of_cell(cell);
        let size = tree.size(cell);
        let t = (outside - tree.center(cell)) / size + 0.5;
        let slope = trilinear_gradient(|c| phi[corners[c]], t, size);
        let there = mesh.sample(&phi, outside);
        let o = Outside {
            x: outside,
            cell,
            t,
            phi: there,
            wall: mesh.sample(&phi, x + depth * normal),
            slope,
            normal,
            h,
        };
        if parting.is_some_and(|p| p.parts(mesh, solids, &o)) {
            return Some((o.gap().max(0.0) + depth, true));
        }
        let rise = slope.dot(up).clamp(-1.0, 1.0);
        let out = slope.dot(normal).clamp(-1.0, 1.0);
        let way = (x - outside).dot(up);
        let is_film = there > 0.0 && there < h && there - out * h < 0.0;
        if is_film && !parting.is_some_and(|p| p.draws_back(mesh, solids.velocity(x), &o)) {
            return Some(((there - out * (h + depth)).min(there + rise * way).max(deep), false));
        }
        // The underside of water that has reached a solid does not go on into it as air: that would take the
        // water in.
        let rise = if there < 0.0 { rise.max(0.0) } else { rise };
        Some(((there + rise * way).max(deep), false))
    };
    let all = par::collect(mesh.n_nodes(), |i, out: &mut Vec<(NodeId, f64, bool)>| {
        let v = NodeId(i as u32);
        if let Some((value, parts)) = continued(v) {
            out.push((v, value, parts));
        }
    });
    let mut free = Vec::new();
    for (v, value, parts) in all {
        phi[v] = value;
        if parts {
            free.push(v);
        }
    }
    mesh.constrain(&mut phi);
    (phi, free)
}

/// Opens the faces that a solid closes where water parts from it: there the air's pressure is on its surface.
pub fn open_separated_faces(mesh: &Mesh, boundary: &mut Boundary, free: &[NodeId]) {
    for &v in free {
        for &c in mesh.nodes.cells(v).iter().filter(|c| c.is_some()) {
            for k in (0..6).flat_map(|d| mesh.faces.of_cell(c, d).iter().copied()) {
                if mesh.side_of(k).is_none() && mesh.face_corners(k).contains(&v) {
                    boundary.set_open(k, 1.0);
                }
            }
        }
    }
}
