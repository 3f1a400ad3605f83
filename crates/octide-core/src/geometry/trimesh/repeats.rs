//! Triangles that are there several times, corner for corner, as when a part was exported twice.
//!
//! A triangle counts once, however often it is repeated with the same orientation. Repeats of opposite
//! orientation cancel: where two bodies touch in a face, the face lies inside and encloses nothing.

use super::{Groups, TriMesh};

/// Returns the mesh without repeated triangles; `None` if there are none. Of triangles with opposite
/// orientations, one remains of the more frequent, or one of each. Vertices keep their numbers, but triangles
/// that used a vertex of a removed triangle share the vertex of the remaining one.
pub(super) fn without_repeats(mesh: &TriMesh) -> Option<TriMesh> {
    let places = places(mesh);
    let mut faces: Vec<Face> = (0..mesh.triangles.len()).map(|t| Face::new(mesh, &places, t)).collect();
    faces.sort_unstable();
    let mut shared = Groups::new(mesh.positions.len());
    let mut removed = vec![false; mesh.triangles.len()];
    for repeats in faces.chunk_by(|a, b| a.places == b.places).filter(|f| f.len() > 1) {
        // Sorted by orientation, then by number.
        let (forward, backward) = repeats.split_at(repeats.partition_point(|f| !f.is_reversed));
        let (more, fewer) =
            if forward.len() >= backward.len() { (forward, backward) } else { (backward, forward) };
        let n_kept = usize::from(more.len() == fewer.len());
        for (faces, n_kept) in [(more, 1), (fewer, n_kept)] {
            for face in faces.iter().skip(n_kept) {
                removed[face.triangle as usize] = true;
                join(mesh, &places, &mut shared, more[0].triangle as usize, face.triangle as usize);
            }
        }
    }
    if !removed.contains(&true) {
        return None;
    }
    let kept = mesh.triangles.iter().zip(&removed).filter(|(_, removed)| !**removed);
    let triangles = kept.map(|(t, _)| t.map(|v| shared.find(v as usize) as u32)).collect();
    Some(TriMesh { positions: mesh.positions.clone(), triangles })
}

/// A triangle by its place.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Face {
    /// The places of its corners, in ascending order.
    places: [u32; 3],
    /// Whether the corners in their own order are an odd permutation of `places`.
    is_reversed: bool,
    triangle: u32,
}

impl Face {
    fn new(mesh: &TriMesh, places: &[u32], triangle: usize) -> Self {
        let corners = mesh.triangles[triangle].map(|v| places[v as usize]);
        let mut sorted = corners;
        sorted.sort_unstable();
        let [a, b, c] = sorted;
        // A triangle without area has no orientation.
        let is_flat = a == b || b == c;
        let is_reversed = !is_flat && ![[a, b, c], [b, c, a], [c, a, b]].contains(&corners);
        Self { places: sorted, is_reversed, triangle: triangle as u32 }
    }
}

/// Returns the number of each vertex's place: the first vertex there.
pub(crate) fn places(mesh: &TriMesh) -> Vec<u32> {
    // Adding zero makes −0 and 0 the same.
    let key = |v: u32| mesh.positions[v as usize].map(|x| (x + 0.0).to_bits());
    let mut order: Vec<([u32; 3], u32)> = (0..mesh.positions.len() as u32).map(|v| (key(v), v)).collect();
    order.sort_unstable();
    let mut places = vec![0; order.len()];
    for same in order.chunk_by(|a, b| a.0 == b.0) {
        for (_, v) in same {
            places[*v as usize] = same[0].1;
        }
    }
    places
}

/// Makes two triangles at the same place share their vertices.
fn join(mesh: &TriMesh, places: &[u32], shared: &mut Groups, a: usize, b: usize) {
    for v in mesh.triangles[a] {
        let at_same_place = mesh.triangles[b].into_iter().find(|&w| places[w as usize] == places[v as usize]);
        if let Some(w) = at_same_place {
            shared.join(v as usize, w as usize);
        }
    }
}
