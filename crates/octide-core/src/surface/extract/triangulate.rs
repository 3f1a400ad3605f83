//! Divides polygons into triangles: quads along the shorter diagonal, larger polygons as a fan around an
//! added vertex.
//!
//! A diagonal joins opposite corners of one face and a fan's inner edges end in its middle, so no two
//! polygons create the same inner edge. If the diagonals are equal, the parity of the face's coordinates
//! decides, like the colors of a checkerboard, so that a mirrored surface gets mirrored diagonals.

use super::corners::Corners;
use super::crossing::{Crossing, Face};
use super::pinch::Pinches;
use super::polygon::FacePolygon;
use super::sheets::others;
use super::vertex::{Beside, Vertex, amid};
use crate::octree::Octree;
use crate::par::CHUNK;
use glam::DVec3;
use rayon::prelude::*;

/// Diagonals count as equal if their squared lengths differ by less than this fraction.
const EQUAL: f64 = 1e-6;

/// Returns the triangles of all faces; the middle vertices of fans are added to `vertices`.
pub fn triangulate(
    tree: &Octree,
    corners: &Corners,
    pinches: &Pinches,
    faces: &[Face],
    vertices: &mut Vec<Vertex>,
) -> Vec<[u32; 3]> {
    let known: &[Vertex] = vertices;
    let parts: Vec<(Vec<[u32; 3]>, Vec<Vertex>)> = faces
        .par_chunks(CHUNK)
        .map(|chunk| {
            let (mut triangles, mut middles) = (Vec::with_capacity(2 * chunk.len()), Vec::new());
            for face in chunk {
                let polygon = FacePolygon::new(tree, corners, pinches, face);
                if let &[a, b, c, d] = polygon.ids() {
                    triangles.extend(quad(tree, face, known, [a, b, c, d]));
                } else {
                    let center = (known.len() + middles.len()) as u32;
                    middles.push(middle(tree, face, known, polygon.ids()));
                    triangles.extend(fan(center, polygon.ids()));
                }
            }
            (triangles, middles)
        })
        .collect();
    let n_known = known.len() as u32;
    let mut all = Vec::with_capacity(parts.iter().map(|p| p.0.len()).sum());
    for (triangles, middles) in parts {
        let shift = vertices.len() as u32 - n_known;
        let moved = |i: u32| if i < n_known { i } else { i + shift };
        all.extend(triangles.into_iter().map(|t| t.map(moved)));
        vertices.extend(middles);
    }
    all
}

fn quad(tree: &Octree, face: &Face, vertices: &[Vertex], ids: [u32; 4]) -> [[u32; 3]; 2] {
    let [a, b, c, d] = ids;
    let length =
        |i: u32, j: u32| vertices[i as usize].position.distance_squared(vertices[j as usize].position);
    let (ac, bd) = (length(a, c), length(b, d));
    let first = if (ac - bd).abs() > EQUAL * ac.max(bd) {
        ac < bd
    } else {
        let (u, v) = others(face.direction / 2);
        let coord = tree.coord(tree.node_of(face.small));
        // The boundary starts at the face's low corner, or ends there if it is reversed.
        let low_first = face.small_is_liquid == (face.direction & 1 == 1);
        ((coord[u] ^ coord[v]) & 1 == 0) == low_first
    };
    if first { [[a, b, c], [a, c, d]] } else { [[b, c, d], [b, d, a]] }
}

fn fan(center: u32, polygon: &[u32]) -> impl Iterator<Item = [u32; 3]> {
    (0..polygon.len()).map(move |i| [polygon[i], polygon[(i + 1) % polygon.len()], center])
}

/// Returns the vertex in the middle of a polygon, computed from the boundary vertices; at walls it lies on
/// the wall.
fn middle(tree: &Octree, face: &Face, vertices: &[Vertex], polygon: &[u32]) -> Vertex {
    let node = vertices[polygon[0] as usize].node;
    if face.other.is_none() {
        let mut normal = DVec3::ZERO;
        normal[face.direction / 2] = if face.direction & 1 == 1 { 1.0 } else { -1.0 };
        let sum: DVec3 = polygon.iter().map(|&i| vertices[i as usize].position).sum();
        return Vertex {
            position: sum / polygon.len() as f64,
            normal,
            node,
            at: Beside { air: false, wall: true },
        };
    }
    let around: Vec<Crossing> = polygon
        .iter()
        .map(|&i| vertices[i as usize])
        .map(|v| Crossing { point: v.position, normal: v.normal, is_wall: !v.at.air })
        .collect();
    let c = amid(&around, tree.size(face.small));
    let outward = tree.center(face.other) - tree.center(face.small);
    let outward = if face.small_is_liquid { outward } else { -outward };
    let normal = c.normal.try_normalize().unwrap_or(outward.normalize_or(DVec3::Y));
    let of = |is: fn(&Beside) -> bool| polygon.iter().all(|&i| is(&vertices[i as usize].at));
    // On the surface or on a wall, as the polygon; its corners may be on the waterline.
    let wall = of(|at| at.wall) && !of(|at| at.air);
    Vertex { position: c.point, normal, node, at: Beside { air: !wall, wall } }
}
