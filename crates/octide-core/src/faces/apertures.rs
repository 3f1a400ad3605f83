//! Solids on the faces of a grid: the open fraction of each face and the velocity of the solid that closes
//! the rest.
//!
//! The open fraction is the part of the face where the distance to solids, linear between the face's corners,
//! is not negative. The domain's walls are closed, its open sides are open. Fractions below one in 200 count
//! as closed: they let no water through, but their velocity would be unbounded.

mod changed;

pub use changed::Changed;

use super::{FaceCorners, FaceGeometry};
use crate::geometry::negative_share;
use crate::index::{CellId, FaceId, Field, NodeId};
use crate::par;
use crate::scene::OpenSides;
use crate::solids::Solids;

/// Open fractions below this count as closed.
const CLOSED: f64 = 0.005;

/// How solids close the faces. The default is an empty table, without a grid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Apertures {
    /// The open fraction of each face. 32 bits suffice because this is geometry: the matrix and its
    /// right-hand side read the same number, so rounding cannot cause a leak.
    open: Field<FaceId, f32>,
    /// The velocity of the closed part along each face's axis; on walls that a solid covers in part, the mean
    /// over the wall. Empty without solids.
    solid_velocity: Field<FaceId, f64>,
    /// Distance to solids at cell centers; empty without solids.
    distance: Field<CellId, f64>,
}

/// Velocities of faces with a smaller open fraction than this are not used for advection or extrapolation.
const SLIVER: f64 = 0.25;

impl Apertures {
    /// Returns the faces whose velocity may be used elsewhere, among those that the pressure has set. Flow
    /// through a sliver is fast and not meaningful: it counts in the balance of its cells, but does not
    /// advect fluid elsewhere.
    pub fn trusted(&self, valid: &Field<FaceId, bool>) -> Field<FaceId, bool> {
        par::map(valid.len(), |k: FaceId| valid[k] && self.open(k) >= SLIVER)
    }

    /// Measures the faces of a grid whose sides are all walls.
    pub fn within_walls(faces: &impl FaceCorners, solids: &Solids) -> Self {
        Self::new(faces, solids, OpenSides::default())
    }

    /// Returns the apertures of a grid without solids.
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
        // Distance changes by at most the distance moved, so corners far from solids need not be evaluated.
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
            // A solid that passes through a wall brings its own volume along; the rest of the wall is at
            // rest.
            let moving = if is_wall(k) { covered(k) } else { 1.0 };
            if moving <= 0.0 {
                return 0.0;
            }
            // A corner of the face is inside a solid.
            moving * solids.velocity_within(faces.face_position(k), faces.face_size(k))[faces.axis(k)]
        });
        Self { open, solid_velocity, distance }
    }

    /// Replaces the open fractions of faces inside the domain by volume fractions, which is a fault: methods
    /// use it where their tests switch that fault on.
    pub fn use_volume_fractions(&mut self, faces: &impl FaceGeometry, solids: &Solids) {
        let inside = (0..faces.n_faces() as u32).map(FaceId).filter(|&k| faces.side_of(k).is_none());
        for k in inside {
            let middle = solids.distance(faces.face_position(k));
            self.set_open(k, (0.5 + middle / faces.face_size(k)).clamp(0.0, 1.0));
        }
    }

    /// Returns the open fraction of a face.
    #[inline]
    pub fn open(&self, face: FaceId) -> f64 {
        f64::from(self.open[face])
    }

    /// Sets the open fraction of a face.
    pub fn set_open(&mut self, face: FaceId, share: f64) {
        self.open[face] = share as f32;
    }

    /// Returns the velocity of the closed part of a face along its axis.
    #[inline]
    pub fn solid_velocity(&self, face: FaceId) -> f64 {
        if self.solid_velocity.is_empty() { 0.0 } else { self.solid_velocity[face] }
    }

    /// Returns the distance from a cell's center to the nearest solid.
    #[inline]
    pub fn solid_distance(&self, cell: CellId) -> f64 {
        if self.distance.is_empty() { f64::INFINITY } else { self.distance[cell] }
    }

    /// Returns whether a face is part of a closed side of the domain.
    #[inline]
    pub fn is_wall(&self, faces: &impl FaceGeometry, face: FaceId) -> bool {
        self.open[face] <= 0.0 && faces.side_of(face).is_some()
    }

    /// Closes a face by something that moves with `velocity` along its axis; a part that a solid covers keeps
    /// the solid's velocity. Returns the mean velocity over the whole face.
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

    /// Closes a whole face, also one of the domain's walls, by something that moves with `velocity` along its
    /// axis: an opening through which fluid enters.
    pub fn prescribe(&mut self, face: FaceId, velocity: f64) {
        if self.solid_velocity.is_empty() {
            self.solid_velocity = Field::filled(self.open.len(), 0.0);
        }
        self.open[face] = 0.0;
        self.solid_velocity[face] = velocity;
    }

    /// Returns the mean velocity through the whole face: `u` in the open part, the solid's velocity in the
    /// rest.
    #[inline]
    pub fn through(&self, face: FaceId, u: f64) -> f64 {
        let open = self.open(face);
        open * u + (1.0 - open) * self.solid_velocity(face)
    }

    /// Returns whether there are solids.
    pub fn has_solids(&self) -> bool {
        !self.distance.is_empty()
    }

    /// Returns the number of bytes held.
    pub fn bytes(&self) -> usize {
        4 * self.open.len() + 8 * (self.solid_velocity.len() + self.distance.len())
    }
}
