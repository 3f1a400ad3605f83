//! Solids on the faces of a grid: the open fraction of each face and the velocity of the solid that closes
//! the rest.
//!
//! The open fraction is the part of the face where the distance to solids, linear between the face's corners,
//! is not negative. The domain's walls are closed, its open sides are open. Where T-junctions are merged to
//! the large face, that face is the sum of its four small ones ([`small`]).
//!
//! Only fractions that rounding could have made count as closed. A cell that solids fill except for a sliver
//! has faces that are all open by very little: its balance is the balance of these small numbers, and without
//! one of them it would be wrong by as much as it is.

mod changed;
pub mod small;

pub use changed::Changed;
pub use small::{SmallFaces, SmallOpenings};

use super::{FaceCorners, FaceGeometry};
use crate::geometry::negative_part;
use crate::index::{CellId, FaceId, Field, NodeId};
use crate::par;
use crate::scene::OpenSides;
use crate::solids::Solids;

/// Open fractions below this count as closed. Distances have an error of about 10⁻¹⁵ of the domain's size;
/// the fraction is that of a strip as wide as this or a corner of its square root.
const CLOSED: f64 = 1e-10;

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
    /// The small faces of merged T-junctions, where they differ; empty without solids.
    small: SmallFaces,
    /// The fraction of a pressure gradient that accelerates the water on each face; empty where all of it does.
    yields: Field<FaceId, f32>,
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

    /// Returns whether a face is open by so little that the flow through it is not meaningful.
    #[inline]
    pub fn is_sliver(&self, face: FaceId) -> bool {
        (0.0..SLIVER).contains(&self.open(face)) && self.open(face) > 0.0
    }

    /// Measures the faces of a grid whose sides are all walls.
    pub fn within_walls(faces: &impl FaceCorners, solids: &Solids) -> Self {
        Self::new(faces, solids, OpenSides::default())
    }

    /// Returns the apertures of a grid without solids.
    pub fn without_solids(faces: &impl FaceGeometry, sides: OpenSides) -> Self {
        let is_wall = |k: FaceId| faces.side_of(k).is_some_and(|side| !sides.sides[side]);
        let open = par::map(faces.n_faces(), |k: FaceId| f32::from(u8::from(!is_wall(k))));
        Self { open, ..Self::default() }
    }

    /// Measures the faces of a grid.
    pub fn new(faces: &impl FaceCorners, solids: &Solids, sides: OpenSides) -> Self {
        Self::with_distances(faces, solids, sides, |_| None)
    }

    /// Measures the faces of a grid; `known` is the distance to solids at the center of a cell where it is known.
    pub fn with_distances(
        faces: &impl FaceCorners,
        solids: &Solids,
        sides: OpenSides,
        known: impl Fn(CellId) -> Option<f64> + Sync + Send,
    ) -> Self {
        if solids.is_empty() {
            return Self::without_solids(faces, sides);
        }
        let n_faces = faces.n_faces();
        let is_wall = |k: FaceId| faces.side_of(k).is_some_and(|side| !sides.sides[side]);
        let tree = faces.tree();
        let distance =
            par::map(tree.n_cells(), |c: CellId| known(c).unwrap_or_else(|| solids.distance(tree.center(c))));
        let at_corner = distance_at_corners(faces, solids, &distance);
        let small = SmallFaces::measure(faces, solids, &at_corner);
        // The part of a face that solids cover, and its center.
        let covered = |k: FaceId| negative_part(faces.face_corners(k).map(|v| at_corner[v]));
        let open = par::map(n_faces, |k: FaceId| match small.of(k) {
            _ if is_wall(k) => 0.0,
            Some(small) => small.mean_open() as f32,
            None => at_least_closed(1.0 - covered(k).share),
        });
        let solid_velocity = par::map(n_faces, |k: FaceId| {
            if open[k] >= 1.0 {
                return 0.0;
            }
            if let Some(small) = small.of(k) {
                return small.mean_velocity();
            }
            // No part of the face is farther from its center than its edge.
            if !solids.may_move_within(faces.face_position(k), 2.0 * faces.face_size(k)) {
                return 0.0;
            }
            let covered = covered(k);
            // A solid that passes through a wall brings its own volume along; the rest of the wall is at
            // rest.
            let moving = if is_wall(k) { covered.share } else { 1.0 };
            if moving <= 0.0 {
                return 0.0;
            }
            let at = small::position(faces, faces.face_corners(k), covered.center);
            moving * solids.velocity_within(at, faces.face_size(k))[faces.axis(k)]
        });
        Self { open, solid_velocity, distance, small, yields: Field::default() }
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

    /// Sets the open fraction of a face. The small faces of a T-junction are then open by equal fractions.
    pub fn set_open(&mut self, face: FaceId, share: f64) {
        let velocity = self.solid_velocity(face);
        self.set(face, share as f32, velocity);
    }

    /// Returns how the small faces of a merged T-junction are open, if solids make them differ. Their order
    /// is that of the cells in [`MergedFaces::stencil`](crate::octree::MergedFaces::stencil).
    #[inline]
    pub fn small(&self, face: FaceId) -> Option<&SmallOpenings> {
        if self.open[face] >= 1.0 { None } else { self.small.of(face) }
    }

    /// Returns the merged T-junctions whose small faces differ.
    pub fn uneven(&self) -> &[FaceId] {
        self.small.faces()
    }

    /// Sets a face. What was known of its small faces no longer holds if it changes.
    fn set(&mut self, face: FaceId, open: f32, velocity: f64) {
        let same = self.open[face].to_bits() == open.to_bits()
            && self.solid_velocity(face).to_bits() == velocity.to_bits();
        if same {
            return;
        }
        self.small.remove(face);
        self.open[face] = open;
        if !self.solid_velocity.is_empty() {
            self.solid_velocity[face] = velocity;
        }
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
        self.set(face, 0.0, velocity);
        velocity
    }

    /// Closes a whole face, also one of the domain's walls, by something that moves with `velocity` along its
    /// axis: an opening through which fluid enters.
    pub fn prescribe(&mut self, face: FaceId, velocity: f64) {
        if self.solid_velocity.is_empty() {
            self.solid_velocity = Field::filled(self.open.len(), 0.0);
        }
        self.set(face, 0.0, velocity);
    }

    /// Returns the mean velocity through the whole face: `u` in the open part, the solid's velocity in the
    /// rest.
    #[inline]
    pub fn through(&self, face: FaceId, u: f64) -> f64 {
        let open = self.open(face);
        open * u + (1.0 - open) * self.solid_velocity(face)
    }

    /// Returns the fraction of a pressure gradient that accelerates the water on a face; walls with
    /// [friction](super::friction) take the rest.
    #[inline]
    pub fn yields(&self, face: FaceId) -> f64 {
        if self.yields.is_empty() { 1.0 } else { f64::from(self.yields[face]) }
    }

    /// Sets the fraction of a pressure gradient that accelerates the water on some faces; on all others it is 1.
    pub fn set_yields(&mut self, shares: impl ExactSizeIterator<Item = (FaceId, f32)>) {
        if shares.len() == 0 {
            return self.yield_fully();
        }
        self.yields = Field::filled(self.open.len(), 1.0);
        shares.for_each(|(face, share)| self.yields[face] = share);
    }

    /// Lets all of a pressure gradient accelerate the water on all faces.
    pub fn yield_fully(&mut self) {
        self.yields = Field::default();
    }

    /// Returns whether there are solids.
    pub fn has_solids(&self) -> bool {
        !self.distance.is_empty()
    }

    /// Returns the number of bytes held.
    pub fn bytes(&self) -> usize {
        4 * (self.open.len() + self.yields.len())
            + 8 * (self.solid_velocity.len() + self.distance.len())
            + self.small.bytes()
    }
}

/// Returns the distance to solids at the corners of a grid near them, from that at the centers of cells; at
/// other corners it has the right sign.
pub(super) fn distance_at_corners(
    faces: &impl FaceCorners,
    solids: &Solids,
    at_center: &Field<CellId, f64>,
) -> Field<NodeId, f64> {
    let (tree, nodes) = (faces.tree(), faces.nodes());
    // Distance changes by at most the distance moved, so corners far from solids need not be evaluated.
    let near = |c: CellId| at_center[c].abs() < tree.size(c);
    par::map(nodes.len(), |v: NodeId| {
        let first = nodes.cells(v).iter().find(|c| c.is_some());
        let wanted = nodes.cells(v).iter().any(|&c| c.is_some() && near(c));
        match first {
            Some(&c) if !wanted => at_center[c],
            _ => solids.distance(tree.grid().position(nodes.place(v))),
        }
    })
}

/// Returns an open fraction without what rounding may have left of it.
fn at_least_closed(open: f64) -> f32 {
    if open < CLOSED { 0.0 } else { open as f32 }
}
