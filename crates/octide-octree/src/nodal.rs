//! Velocity at corners, the continuous field with which points are traced, and velocity in cells.
//!
//! Around a corner that does not hang, each axis has four faces with that corner, one in each quadrant; their
//! centers lie at (±h_q/2, ±h_q/2) from it. The weights 1/h_q have no first moment, so
//!
//! ```text
//! u = Σ (u_q / h_q) / Σ (1 / h_q)
//! ```
//!
//! is exact for linear fields. Missing quadrants beyond a wall are the mirror images of those inside. Values
//! at hanging corners are interpolated between other corners, so the field is continuous across T-junctions.
//! Only the paths use these values; advected values are never taken from here (§5.1: no diffusion through
//! corners). So 32 bits are sufficient.

use crate::apertures::Apertures;
use crate::mesh::Mesh;
use crate::solids::{Barriers, Solids};
use glam::{DVec3, Vec3};
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::{CornerTable, CornersOfCells, Nodes, nodal};
use octide_core::par;

/// The velocity at corners, with the corners of each cell: all data that tracing a point needs, kept for as
/// long as points are traced.
#[derive(Clone, Debug)]
pub struct CornerVelocity {
    at: Field<NodeId, Vec3>,
    of_cell: CornersOfCells,
    /// Walls that traced points do not cross.
    barriers: Barriers,
}

impl CornerVelocity {
    /// Creates the field from a velocity at the corners of a mesh.
    pub fn new(mesh: &Mesh, at: Field<NodeId, Vec3>) -> Self {
        Self { at, of_cell: mesh.nodes().corners().cells().clone(), barriers: Barriers::default() }
    }

    /// Traces points with walls that they do not cross.
    pub(crate) fn within(mut self, barriers: impl FnOnce(f64) -> Barriers) -> Self {
        self.barriers = barriers(self.max_speed());
        self
    }

    /// Returns the walls that traced points do not cross.
    pub(crate) fn barriers(&self) -> &Barriers {
        &self.barriers
    }

    /// Returns the velocity at each corner.
    pub fn at_corners(&self) -> &Field<NodeId, Vec3> {
        &self.at
    }

    /// Returns the largest speed.
    pub fn max_speed(&self) -> f64 {
        par::max(self.at.len(), |v| f64::from(self.at[NodeId(v as u32)].length()))
    }

    /// Returns the velocity at a cell's center: the mean of its corners.
    pub fn at_center(&self, cell: CellId) -> DVec3 {
        self.of_cell.of_cell(cell).iter().map(|&v| self.at[v].as_dvec3()).sum::<DVec3>() / 8.0
    }
}

/// Returns the velocity at every corner.
pub fn corner_velocity(mesh: &Mesh, u: &Field<FaceId, f64>) -> CornerVelocity {
    CornerVelocity::new(mesh, at_corners(mesh.nodes(), mesh, u))
}

/// As [`corner_velocity`], but takes the corners from the mesh: while points are traced, only the list of
/// each cell's corners is kept.
pub fn take_corner_velocity(
    mesh: &mut Mesh,
    u: &Field<FaceId, f64>,
    bounds: (&Apertures, &Solids),
) -> CornerVelocity {
    let nodes = mesh.take_nodes();
    let at = separating(&nodes, mesh, bounds, at_corners(&nodes, mesh, u));
    CornerVelocity { at, of_cell: nodes.without_leaves().into_cells(), barriers: Barriers::default() }
}

/// As [`corner_velocity`], but inside solids it does not point into them.
pub fn separating_corner_velocity(
    mesh: &Mesh,
    u: &Field<FaceId, f64>,
    bounds: (&Apertures, &Solids),
) -> CornerVelocity {
    let at = at_corners(mesh.nodes(), mesh, u);
    CornerVelocity::new(mesh, separating(mesh.nodes(), mesh, bounds, at))
}

/// Removes the velocity into solids at corners inside them: what is traced does not enter a solid.
fn separating(
    nodes: &Nodes,
    mesh: &Mesh,
    (apertures, solids): (&Apertures, &Solids),
    mut at: Field<NodeId, Vec3>,
) -> Field<NodeId, Vec3> {
    if !apertures.has_solids() {
        return at;
    }
    let (tree, dx) = (&mesh.tree, mesh.tree.grid().dx());
    let near = |c: CellId| c.is_some() && apertures.solid_distance(c) < tree.size(c);
    par::update(&mut at, |i, u| {
        let v = NodeId(i as u32);
        if !nodes.is_hanging(v) && nodes.cells(v).iter().any(|&c| near(c)) {
            let x = tree.grid().position(nodes.place(v));
            *u = solids.separating(x, u.as_dvec3(), dx).as_vec3();
        }
    });
    nodes.corners().constrain_as(tree, &mut at, |v| v.as_dvec3(), |v| v.as_vec3());
    at
}

fn at_corners(nodes: &Nodes, mesh: &Mesh, u: &Field<FaceId, f64>) -> Field<NodeId, Vec3> {
    let mut at = par::map(nodes.len(), |v: NodeId| {
        if nodes.is_hanging(v) { DVec3::ZERO } else { around(mesh, u, nodes.cells(v)) }
    });
    nodes.constrain(&mesh.tree, &mut at);
    par::map(at.len(), |v: NodeId| at[v].as_vec3())
}

/// Returns the velocity at a corner with these cells around it.
fn around(mesh: &Mesh, u: &Field<FaceId, f64>, cells: &[CellId; 8]) -> DVec3 {
    let mut out = DVec3::ZERO;
    for axis in 0..3 {
        let (mut sum, mut weights) = (0.0, 0.0);
        // The four cells on the low side.
        let (b, c) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
        for o in [0, b.min(c), b.max(c), b | c] {
            let (lo, hi) = (cells[o], cells[o | 1 << axis]);
            let face = if lo.is_some() {
                mesh.faces.of_cell(lo)[2 * axis + 1]
            } else if hi.is_some() {
                mesh.faces.of_cell(hi)[2 * axis]
            } else {
                continue;
            };
            let w = 1.0 / mesh.face_size(face);
            sum += w * u[face];
            weights += w;
        }
        out[axis] = sum / weights;
    }
    out
}

/// Returns the velocity of a cell: along each axis the mean of its two faces.
pub fn cell_velocity(mesh: &Mesh, u: &Field<FaceId, f64>, cell: CellId) -> DVec3 {
    let k = mesh.faces.of_cell(cell);
    DVec3::from_array(std::array::from_fn(|a| 0.5 * (u[k[2 * a]] + u[k[2 * a + 1]])))
}

/// Returns the velocity at a point: trilinear between the corners of its cell.
#[inline]
pub fn velocity_at(mesh: &Mesh, corners: &CornerVelocity, p: DVec3) -> DVec3 {
    nodal::sample_by(&mesh.tree, &corners.of_cell, |v| corners.at[v].as_dvec3(), p)
}

/// As [`velocity_at`], with a cell near the point, which is replaced by the one that the point is in: it is found sooner.
#[inline]
pub fn velocity_from(mesh: &Mesh, corners: &CornerVelocity, near: &mut CellId, p: DVec3) -> DVec3 {
    nodal::sample_from(&mesh.tree, &corners.of_cell, |v| corners.at[v].as_dvec3(), near, p)
}

/// Returns where the water at `x` was `dt` ago, by the midpoint rule, on the same side of walls.
#[inline]
pub fn trace_back(mesh: &Mesh, corners: &CornerVelocity, x: DVec3, dt: f64) -> DVec3 {
    trace_back_from(mesh, corners, &mut mesh.tree.nearest_leaf(x), x, dt)
}

/// As [`trace_back`], with a cell near `x`, which is replaced by one on the way.
#[inline]
pub fn trace_back_from(mesh: &Mesh, corners: &CornerVelocity, near: &mut CellId, x: DVec3, dt: f64) -> DVec3 {
    let half = x - 0.5 * dt * velocity_from(mesh, corners, near, x);
    let foot = x - dt * velocity_from(mesh, corners, near, half);
    if dt < 0.0 {
        corners.barriers.stop_after(&mesh.tree, x, foot)
    } else {
        corners.barriers.stop_back(&mesh.tree, x, foot)
    }
}
