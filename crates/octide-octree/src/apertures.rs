//! Solids on the grid: the open share A of each face and the velocity of what closes the rest (§4.4).
//!
//! A is the share of the face where the distance to solids, linear between the face's corners, is not negative.
//! At a T-junction the corners are those of the large face. The domain's walls are closed, its open sides are open.
//!
//! Shares below one in 200 count as closed: they carry no water, but would carry any speed.

mod changed;

pub use changed::Changed;

use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use crate::solids::Solids;
use octide_core::geometry::negative_share;
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::par;
use octide_core::scene::OpenSides;

/// Shares below this count as closed.
const CLOSED: f64 = 0.005;

/// How solids close the faces.
#[derive(Clone, Debug, PartialEq)]
pub struct Apertures {
    /// The open share of each face: of 32 bits, for they are geometry, and what a matrix and its right-hand side both read
    /// cannot leak.
    open: Field<FaceId, f32>,
    /// The velocity along each face's axis of what closes it, the mean over walls that a solid covers in part; empty
    /// without solids.
    solid_velocity: Field<FaceId, f64>,
    /// Distance to solids at cell centers; empty without solids.
    distance: Field<CellId, f64>,
}

impl Apertures {
    /// Measures the faces of a mesh whose sides are all walls.
    pub fn new(mesh: &Mesh, solids: &Solids) -> Self {
        Self::with_open_sides(mesh, solids, OpenSides::default())
    }

    /// Measures the faces of a mesh.
    pub fn with_open_sides(mesh: &Mesh, solids: &Solids, sides: OpenSides) -> Self {
        let is_wall = |k: FaceId| mesh.side_of(k).is_some_and(|side| !sides.sides[side]);
        if solids.is_empty() {
            let open = par::map(mesh.n_faces(), |k: FaceId| f32::from(u8::from(!is_wall(k))));
            return Self { open, solid_velocity: Field::default(), distance: Field::default() };
        }
        let tree = &mesh.tree;
        let distance = par::map(mesh.n_cells(), |c: CellId| solids.distance(tree.center(c)));
        // Distance changes by at most the way gone: away from solids the corners need not be asked.
        let near = |c: CellId| distance[c].abs() < tree.size(c);
        let at_corner = par::map(mesh.nodes().len(), |v: NodeId| {
            let first = mesh.nodes().cells(v).iter().find(|c| c.is_some());
            let wanted = mesh.nodes().cells(v).iter().any(|&c| c.is_some() && near(c));
            match first {
                Some(&c) if !wanted => distance[c],
                _ => solids.distance(tree.grid().position(mesh.nodes().place(v))),
            }
        });
        let open = par::map(mesh.n_faces(), |k: FaceId| {
            if is_wall(k) {
                return 0.0;
            }
            if faults::is(Fault::VolumeFractions) {
                let middle = solids.distance(mesh.face_position(k));
                return (0.5 + middle / mesh.face_size(k)).clamp(0.0, 1.0) as f32;
            }
            open_share(mesh, &at_corner, k) as f32
        });
        let solid_velocity = par::map(mesh.n_faces(), |k: FaceId| {
            if open[k] >= 1.0 {
                return 0.0;
            }
            // A body that passes through a wall brings its own volume along; the rest of the wall stands still.
            let moving = if is_wall(k) { covered_share(mesh, &at_corner, k) } else { 1.0 };
            if moving > 0.0 {
                moving * solids.velocity(mesh.face_position(k))[mesh.faces.axis(k)]
            } else {
                0.0
            }
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
    pub fn is_wall(&self, mesh: &Mesh, face: FaceId) -> bool {
        self.open[face] <= 0.0 && mesh.faces.is_wall(face)
    }

    /// Closes a face by what moves with `velocity` along its axis; a part that a solid covers stays the solid's. The
    /// velocity of all of it.
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

    /// Whether there are solids.
    pub fn has_solids(&self) -> bool {
        !self.distance.is_empty()
    }
}

fn open_share(mesh: &Mesh, at_corner: &Field<NodeId, f64>, face: FaceId) -> f64 {
    let open = 1.0 - covered_share(mesh, at_corner, face);
    if open < CLOSED { 0.0 } else { open }
}

/// The share of a face that lies inside solids, of walls too.
fn covered_share(mesh: &Mesh, at_corner: &Field<NodeId, f64>, face: FaceId) -> f64 {
    let axis = mesh.faces.axis(face);
    let sides = mesh.faces.sides(face);
    let side = usize::from(sides[0].is_none() || !mesh.tree.is_leaf(sides[0]));
    let corners = mesh.nodes().of_cell(mesh.tree.leaf_of(sides[side]));
    // Around the side of the large cell that faces the other one.
    let (b, c) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
    let base = (1 - side) << axis;
    let values = [base, base | b, base | b | c, base | c].map(|o| at_corner[corners[o]]);
    negative_share(values)
}
