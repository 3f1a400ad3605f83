//! The small faces of T-junctions that are merged to the large face.
//!
//! ```text
//!   large face   A u + (1 − A) v,        A = ¼ Σ A_i,    (1 − A) v = ¼ Σ (1 − A_i) v_i
//!   small face   A_i u + (1 − A_i) v_i
//! ```
//!
//! A_i is the open fraction of small face i and v_i the velocity of the solid that closes the rest of it; u is
//! the one velocity of all four. The flow through the large face is the sum of the flows through the small
//! ones. The table has only the faces where the A_i or the v_i differ, so that it takes memory along the lines
//! where solids cross changes of level, and nowhere else.

use super::at_least_closed;
use crate::faces::{FaceCorners, FaceTable};
use crate::geometry::negative_part;
use crate::index::{FaceId, Field, NodeId};
use crate::par;
use crate::solids::Solids;
use glam::DVec3;

/// How the four small faces of a T-junction are open.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SmallOpenings {
    open: [f32; 4],
    velocity: [f64; 4],
}

impl SmallOpenings {
    /// Returns the open fraction of a small face.
    #[inline]
    pub fn open(&self, i: usize) -> f64 {
        f64::from(self.open[i])
    }

    /// Returns the open fraction of a small face, divided by the sum of all four; zero if all are closed.
    #[inline]
    pub fn weight(&self, i: usize) -> f64 {
        let sum = self.sum();
        if sum > 0.0 { self.open(i) / sum } else { 0.0 }
    }

    /// Returns the velocity along the face's axis of the solid that closes a small face.
    #[inline]
    pub fn velocity(&self, i: usize) -> f64 {
        self.velocity[i]
    }

    /// Returns the mean velocity through a small face: `u` in the open part, the solid's in the rest.
    #[inline]
    pub fn through(&self, i: usize, u: f64) -> f64 {
        self.open(i) * u + (1.0 - self.open(i)) * self.velocity[i]
    }

    /// Returns the open fraction of the large face.
    pub fn mean_open(&self) -> f64 {
        0.25 * self.sum()
    }

    /// Returns the mean velocity of the closed part of the large face.
    pub fn mean_velocity(&self) -> f64 {
        let closed = [0, 1, 2, 3].map(|i| 1.0 - self.open(i));
        let sum: f64 = closed.iter().sum();
        let flow: f64 = closed.iter().zip(&self.velocity).map(|(closed, v)| closed * v).sum();
        if sum > 0.0 { flow / sum } else { 0.0 }
    }

    #[inline]
    fn sum(&self) -> f64 {
        self.open.iter().map(|&open| f64::from(open)).sum()
    }

    fn differ(&self) -> bool {
        let [a, v] = [self.open[0], self.velocity[0] as f32];
        self.open.iter().any(|&open| open != a) || self.velocity.iter().any(|&u| u as f32 != v)
    }
}

/// The T-junctions whose small faces differ.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SmallFaces {
    /// The faces in ascending order.
    faces: Vec<FaceId>,
    openings: Vec<SmallOpenings>,
}

impl SmallFaces {
    /// Measures the T-junctions of a grid from the distance to solids at its corners.
    pub(super) fn measure(mesh: &impl FaceCorners, solids: &Solids, at_corner: &Field<NodeId, f64>) -> Self {
        let found = par::collect(mesh.n_faces(), |i, out: &mut Vec<(FaceId, SmallOpenings)>| {
            let k = FaceId(i as u32);
            let Some(small) = mesh.faces().small_corners(mesh.tree(), mesh.nodes(), k) else { return };
            // No difference where no solid is, which is where most T-junctions are.
            if small.iter().flatten().all(|&v| at_corner[v] >= 0.0) {
                return;
            }
            let mut openings = SmallOpenings::default();
            for (i, corners) in small.into_iter().enumerate() {
                let covered = negative_part(corners.map(|v| at_corner[v]));
                openings.open[i] = at_least_closed(1.0 - covered.share);
                if covered.share > 0.0 {
                    let at = position(mesh, corners, covered.center);
                    openings.velocity[i] = solids.velocity_within(at, mesh.face_size(k))[mesh.axis(k)];
                }
            }
            if openings.differ() {
                out.push((k, openings));
            }
        });
        let (faces, openings) = found.into_iter().unzip();
        Self { faces, openings }
    }

    /// Returns how the small faces of a face are open, if they differ.
    #[inline]
    pub(super) fn of(&self, face: FaceId) -> Option<&SmallOpenings> {
        if self.faces.is_empty() {
            return None;
        }
        self.faces.binary_search(&face).ok().map(|i| &self.openings[i])
    }

    pub(super) fn faces(&self) -> &[FaceId] {
        &self.faces
    }

    pub(super) fn remove(&mut self, face: FaceId) {
        if let Ok(i) = self.faces.binary_search(&face) {
            self.faces.remove(i);
            self.openings.remove(i);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.faces.len() * (size_of::<FaceId>() + size_of::<SmallOpenings>())
    }
}

/// Returns a place in a square with the given corners, from its coordinates in the unit square.
pub(super) fn position(mesh: &impl FaceCorners, corners: [NodeId; 4], at: [f64; 2]) -> DVec3 {
    let [a, b, _, d] = corners.map(|v| mesh.tree().grid().position(mesh.nodes().place(v)));
    a + at[0] * (b - a) + at[1] * (d - a)
}
