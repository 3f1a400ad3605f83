//! Solids on the faces of a grid: the open share of each face and the velocity of what closes the rest.
//!
//! The open share is that part of the face where the distance to solids, linear between the face's corners,
//! is not negative. The domain's walls are closed, its open sides are open. Shares below one in 200 count as
//! closed: they carry no water, but would carry any speed.

mod changed;

pub use changed::Changed;

use crate::geometry::negative_share;
use crate::index::{CellId, FaceId, Field, NodeId};
use crate::octree::{Nodes, Octree};
use crate::par;
use crate::scene::OpenSides;
use crate::solids::Solids;
use glam::DVec3;

/// Shares below this count as closed.
const CLOSED: f64 = 0.005;

/// Which faces of a grid lie on the sides of the domain.
pub trait FaceGeometry: Sync {
    /// Number of faces.
    fn n_faces(&self) -> usize;
    /// The side of the domain that a face lies on, −x, +x, −y, …; none inside.
    fn side_of(&self, face: FaceId) -> Option<usize>;
}

/// Where the faces of a grid are, and their corners.
pub trait FaceCorners: FaceGeometry {
    /// The tree.
    fn tree(&self) -> &Octree;
    /// Its corners.
    fn nodes(&self) -> &Nodes;
    /// The axis that a face is normal to.
    fn axis(&self, face: FaceId) -> usize;
    /// A face's center.
    fn face_position(&self, face: FaceId) -> DVec3;
    /// A face's corners, in order around it.
    fn face_corners(&self, face: FaceId) -> [NodeId; 4];
}

/// How solids close the faces. By default those of no grid at all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Apertures {
    /// The open share of each face: of 32 bits, for they are geometry, and what a matrix and its right-hand
    /// side both read cannot leak.
    open: Field<FaceId, f32>,
    /// The velocity along each face's axis of what closes it, the mean over walls that a solid covers in
    /// part; empty without solids.
    solid_velocity: Field<FaceId, f64>,
    /// Distance to solids at cell centers; empty without solids.
    distance: Field<CellId, f64>,
}

/// Faces open by a smaller share than this do not carry their velocity on.
const SLIVER: f64 = 0.25;

impl Apertures {
    /// The faces whose velocity may be carried on, of those that the pressure has set. What squeezes through
    /// a sliver is fast and means little: it counts in the balance of its cells, but fluid elsewhere is not
    /// carried by it.
    pub fn trusted(&self, valid: &Field<FaceId, bool>) -> Field<FaceId, bool> {
        par::map(valid.len(), |k: FaceId| valid[k] && self.open(k) >= SLIVER)
    }

    /// Measures the faces of a grid whose sides are all walls.
    pub fn within_walls(faces: &impl FaceCorners, solids: &Solids) -> Self {
        Self::new(faces, solids, OpenSides::default())
    }

    /// The faces of a grid without solids.
    pub fn without_solids(faces: &impl FaceGeometry, sides: OpenSides) -> Self {
        let is_wall = |k: FaceId| faces.side_of(k).is_some_and(|side| !sides.sides[side]);
        let open = par::map(faces.n_faces(), |k: FaceId| f32::from(u8::from(!is_wall(k))));
        Self { open, solid_velocity: Field::default(), distance: Field::default() }
    }

    /// Measures the faces of a grid.
    pub fn new(faces: &impl FaceCorners, solids: &Solids, sides: OpenSides) -> Self {
        if solids.is_empty() {
            return Self::without_solids(faces, sides);
        }
        let n_faces = faces.n_faces();
        let is_wall = |k: FaceId| faces.side_of(k).is_some_and(|side| !sides.sides[side]);
        let (tree, nodes) = (faces.tree(), faces.nodes());
        let distance = par::map(tree.n_cells(), |c: CellId| solids.distance(tree.center(c)));
        // Distance changes by at most the way gone: away from solids the corners need not be asked.
        let near = |c: CellId| distance[c].abs() < tree.size(c);
        let at_corner = par::map(nodes.len(), |v: NodeId| {
            let first = nodes.cells(v).iter().find(|c| c.is_some());
            let wanted = nodes.cells(v).iter().any(|&c| c.is_some() && near(c));
            match first {
                Some(&c) if !wanted => distance[c],
                _ => solids.distance(tree.grid().position(nodes.place(v))),
            }
        });
        let covered = |k: FaceId| negative_share(faces.face_corners(k).map(|v| at_corner[v]));
        let open = par::map(n_faces, |k: FaceId| {
            let open = if is_wall(k) { 0.0 } else { 1.0 - covered(k) };
            if open < CLOSED { 0.0 } else { open as f32 }
        });
        let solid_velocity = par::map(n_faces, |k: FaceId| {
            if open[k] >= 1.0 {
                return 0.0;
            }
            // A body that passes through a wall brings its own volume along; the rest of the wall stands
            // still.
            let moving = if is_wall(k) { covered(k) } else { 1.0 };
            if moving > 0.0 { moving * solids.velocity(faces.face_position(k))[faces.axis(k)] } else { 0.0 }
        });
        Self { open, solid_velocity, distance }
    }

    /// The open share of a face.
    #[inline]
    pub fn open(&self, face: FaceId) -> f64 {
        f64::from(self.open[face])
    }

    /// Sets it.
    pub fn set_open(&mut self, face: FaceId, share: f64) {
        self.open[face] = share as f32;
    }

    /// The velocity along a face's axis of what closes it.
    #[inline]
    pub fn solid_velocity(&self, face: FaceId) -> f64 {
        if self.solid_velocity.is_empty() { 0.0 } else { self.solid_velocity[face] }
    }

    /// Distance from a cell's center to the nearest solid.
    #[inline]
    pub fn solid_distance(&self, cell: CellId) -> f64 {
        if self.distance.is_empty() { f64::INFINITY } else { self.distance[cell] }
    }

    /// Whether a face is part of a side of the domain that is closed.
    #[inline]
    pub fn is_wall(&self, faces: &impl FaceGeometry, face: FaceId) -> bool {
        self.open[face] <= 0.0 && faces.side_of(face).is_some()
    }

    /// Closes a face by what moves with `velocity` along its axis; a part that a solid covers stays the
    /// solid's. The velocity of all of it.
    pub fn close(&mut self, face: FaceId, velocity: f64) -> f64 {
        if self.solid_velocity.is_empty() {
            self.solid_velocity = Field::filled(self.open.len(), 0.0);
        }
        let open = self.open(face);
        let velocity = open * velocity + (1.0 - open) * self.solid_velocity[face];
        self.open[face] = 0.0;
        self.solid_velocity[face] = velocity;
        velocity
    }

    /// Closes all of a face, also one of the domain's walls, by what moves with `velocity` along its axis: an
    /// opening that something comes in by.
    pub fn prescribe(&mut self, face: FaceId, velocity: f64) {
        if self.solid_velocity.is_empty() {
            self.solid_velocity = Field::filled(self.open.len(), 0.0);
        }
        self.open[face] = 0.0;
        self.solid_velocity[face] = velocity;
    }

    /// The velocity that water and what closes the rest have together through all of a face, where water has
    /// `u`.
    #[inline]
    pub fn through(&self, face: FaceId, u: f64) -> f64 {
        let open = self.open(face);
        open * u + (1.0 - open) * self.solid_velocity(face)
    }

    /// Whether there are solids.
    pub fn has_solids(&self) -> bool {
        !self.distance.is_empty()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        4 * self.open.len() + 8 * (self.solid_velocity.len() + self.distance.len())
    }
}
