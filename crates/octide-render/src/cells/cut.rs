//! The cut of a cell of any shape with a plane of constant z.
//!
//! Each face is cut separately, into segments that together bound the cut. A vertex on the plane counts as
//! beyond it, so that every face is crossed an even number of times, whatever its shape.

use glam::{Vec2, Vec3};
use octide_core::contract::Cells;

/// Returns the segments that bound the cut of a cell with the plane at `z`; empty if it is not cut.
pub(super) fn cut(cells: &Cells, cell: usize, z: f32) -> Vec<[Vec2; 2]> {
    let mut segments = Vec::new();
    let mut crossings = Vec::new();
    cells.for_faces(cell, |face| {
        crossings.clear();
        let next = face.iter().cycle().skip(1);
        let edges = face.iter().zip(next).filter(|(a, b)| (a.z < z) != (b.z < z));
        crossings.extend(edges.map(|(&a, &b)| crossing(a, b, z)));
        if crossings.len() > 2 {
            // The face is not convex. Its crossings lie on a line, and the cut runs along every other part.
            let along = normal(face).truncate().perp();
            crossings.sort_unstable_by(|a, b| along.dot(*a).total_cmp(&along.dot(*b)));
        }
        segments.extend(crossings.chunks_exact(2).map(|ends| [ends[0], ends[1]]));
    });
    segments
}

/// Returns the point where an edge crosses the plane. Always computed from its lower end, so that all cells
/// around it agree bitwise.
fn crossing(a: Vec3, b: Vec3, z: f32) -> Vec2 {
    let (low, high) = if a.z < b.z { (a, b) } else { (b, a) };
    low.truncate().lerp(high.truncate(), (z - low.z) / (high.z - low.z))
}

/// Returns a vector normal to a polygon, of arbitrary length (Newell).
fn normal(polygon: &[Vec3]) -> Vec3 {
    let next = polygon.iter().cycle().skip(1);
    polygon.iter().zip(next).map(|(a, b)| (*a - *b).cross(*a + *b)).sum()
}
