//! Inside or outside from the closest triangle alone, where that is safe.
//!
//! Which side of a closed surface a point is on shows in the angle between its offset from the closest point
//! and the surface's normal there; on edges and corners that is the mean of the normals around, weighted by
//! their angle (Bærentzen and Aanæs 2005). What lies on that side, inside or outside, is the same all over a
//! patch of triangles that hang together by edges and that no other triangle cuts; one winding number tells
//! it for the patch.
//!
//! Left to the winding number: meshes that are not closed, triangles that others cut, edges and corners where
//! more than one sheet meets, and offsets that hardly lean to either side.

use super::bvh::{Bvh, Hit};
use super::triangle::Feature;
use super::winding::Winding;
use crate::geometry::trimesh::{Groups, Side, TriMesh, sides, split_vertices};
use crate::par;
use glam::{DVec3, Vec3};

/// Relative tolerance in looking for cuts: a miss this narrow counts as one.
const SLACK: f64 = 1e-5;
/// The least cosine between offset and normal that is trusted.
const LEAN: f32 = 1e-3;

/// What is on the two sides of a triangle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Label {
    Unknown,
    Known { front_inside: bool, back_inside: bool },
}

/// Normals of a triangle's parts, each of length one or zero.
#[derive(Clone, Debug)]
struct Normals {
    face: Vec3,
    edges: [Vec3; 3],
    vertices: [Vec3; 3],
}

/// The table, one row a triangle in the hierarchy's order; empty for meshes that are not closed.
#[derive(Clone, Debug)]
pub(super) struct Sides {
    normals: Vec<Normals>,
    labels: Vec<Label>,
    /// For each triangle the patch that it belongs to, or none where another cuts it.
    patches: Vec<Option<u32>>,
}

impl Sides {
    /// Normals and patches; all labels are still unknown.
    pub fn new(mesh: &TriMesh, bvh: &Bvh) -> Self {
        let sides = sides(mesh);
        let edges: Vec<&[Side]> = sides.chunk_by(|a, b| a.edge == b.edge).collect();
        // Closed: as many sides run one way as the other. Then the winding number is whole everywhere.
        let closed = |e: &&[Side]| 2 * e.iter().filter(|s| s.reversed).count() == e.len();
        if !edges.iter().all(closed) {
            return Self { normals: Vec::new(), labels: Vec::new(), patches: Vec::new() };
        }
        let n = bvh.triangles.len();
        let mut row = vec![0; n];
        for (i, &id) in bvh.ids.iter().enumerate() {
            row[id as usize] = i;
        }
        let unit: Vec<DVec3> = bvh.triangles.iter().map(|t| t.normal().normalize_or_zero()).collect();
        let vertex_normals = vertex_normals(mesh, bvh, &unit, &sides, &edges);
        let mut normals: Vec<Normals> = (0..n)
            .map(|i| Normals {
                face: unit[i].as_vec3(),
                edges: [Vec3::ZERO; 3],
                vertices: mesh.triangles[bvh.ids[i] as usize].map(|v| vertex_normals[v as usize]),
            })
            .collect();

        let cut = find_cuts(mesh, bvh, &row, &unit, &edges);
        let mut patches = Groups::new(n);
        for edge in edges {
            // Edges of more than two triangles keep a normal of zero, which is never trusted.
            let [a, b] = edge else { continue };
            let (i, j) = (row[a.triangle as usize], row[b.triangle as usize]);
            let mean = (unit[i] + unit[j]).normalize_or_zero().as_vec3();
            normals[i].edges[a.corner as usize] = mean;
            normals[j].edges[b.corner as usize] = mean;
            if !cut[i] && !cut[j] {
                patches.join(i, j);
            }
        }
        let patches = (0..n).map(|i| (!cut[i]).then(|| patches.find(i) as u32)).collect();
        Self { normals, labels: vec![Label::Unknown; n], patches }
    }

    /// Asks the winding number once for each patch, in front of its largest triangle.
    pub fn label(&mut self, bvh: &Bvh, winding: &Winding) {
        let n = self.patches.len();
        let mut largest: Vec<Option<(f64, usize)>> = vec![None; n];
        for i in 0..n {
            if let Some(patch) = self.patches[i] {
                let size = bvh.triangles[i].normal().length();
                let held = &mut largest[patch as usize];
                if held.is_none_or(|(s, _)| size > s) {
                    *held = Some((size, i));
                }
            }
        }
        let found: Vec<Label> = largest
            .iter()
            .map(|held| held.map_or(Label::Unknown, |(_, i)| label_in_front(bvh, winding, i)))
            .collect();
        for i in 0..n {
            self.labels[i] = self.patches[i].map_or(Label::Unknown, |p| found[p as usize]);
        }
    }

    /// Whether the point that asked for the closest one is inside; none where that must be found otherwise.
    #[inline]
    pub fn is_inside(&self, hit: &Hit) -> Option<bool> {
        let Label::Known { front_inside, back_inside } = *self.labels.get(hit.triangle)? else { return None };
        let normals = &self.normals[hit.triangle];
        let normal = match hit.feature {
            Feature::Face => normals.face,
            Feature::Edge(k) => normals.edges[k as usize],
            Feature::Vertex(k) => normals.vertices[k as usize],
        };
        let height = hit.offset.dot(normal.as_dvec3());
        if height.abs() <= f64::from(LEAN) * hit.offset.length() {
            return None;
        }
        Some(if height > 0.0 { front_inside } else { back_inside })
    }
}

fn label_in_front(bvh: &Bvh, winding: &Winding, triangle: usize) -> Label {
    let t = &bvh.triangles[triangle];
    let normal = t.normal();
    let size = normal.length().sqrt();
    // Close enough that nothing lies between, far enough for the hierarchy's rounding.
    let step = 1e-6 * size;
    let front = winding.at(bvh, t.a + (t.ab + t.ac) / 3.0 + normal.normalize_or_zero() * step);
    let whole = front.round();
    if (front - whole).abs() > 0.25 {
        return Label::Unknown;
    }
    // Behind the triangle the mesh winds once more.
    Label::Known { front_inside: whole > 0.5, back_inside: whole + 1.0 > 0.5 }
}

/// Normals of the vertices, weighted by angle; zero where the surface is not one sheet.
fn vertex_normals(mesh: &TriMesh, bvh: &Bvh, unit: &[DVec3], sides: &[Side], edges: &[&[Side]]) -> Vec<Vec3> {
    let mut sum = vec![DVec3::ZERO; mesh.positions.len()];
    for (i, t) in bvh.triangles.iter().enumerate() {
        let corners = t.corners();
        for k in 0..3 {
            let (to, from) = (corners[(k + 1) % 3] - corners[k], corners[(k + 2) % 3] - corners[k]);
            if to.length_squared() > 0.0 && from.length_squared() > 0.0 {
                sum[mesh.triangles[bvh.ids[i] as usize][k] as usize] += to.angle_between(from) * unit[i];
            }
        }
    }
    let crowded = edges.iter().filter(|e| e.len() > 2).flat_map(|e| e[0].edge);
    for v in split_vertices(mesh, sides).into_iter().chain(crowded) {
        sum[v as usize] = DVec3::ZERO;
    }
    sum.into_iter().map(|v| v.normalize_or_zero().as_vec3()).collect()
}

/// Which triangles touch or cross others that they share no corner with, or lie folded onto a neighbor.
fn find_cuts(mesh: &TriMesh, bvh: &Bvh, row: &[usize], unit: &[DVec3], edges: &[&[Side]]) -> Vec<bool> {
    let found = par::collect(edges.len(), |e, found| {
        let rows = edges[e].iter().map(|s| row[s.triangle as usize]);
        for (i, j) in rows.clone().flat_map(|i| rows.clone().map(move |j| (i, j))) {
            if unit[i].dot(unit[j]) < -0.999 {
                found.extend([i, j]);
            }
        }
        let (side, names) = (&edges[e][0], edges[e][0].edge);
        let corners = bvh.triangles[row[side.triangle as usize]].corners();
        let (p, q) = (corners[side.corner as usize], corners[(side.corner as usize + 1) % 3]);
        let pad = DVec3::splat(SLACK * p.distance(q));
        bvh.overlapping(p.min(q) - pad, p.max(q) + pad, |other| {
            let others = mesh.triangles[bvh.ids[other] as usize];
            let apart = !others.contains(&names[0]) && !others.contains(&names[1]);
            if apart && bvh.triangles[other].may_meet(p, q - p, SLACK) {
                found.push(other);
                found.extend(rows.clone());
            }
        });
    });
    let mut cut = vec![false; bvh.triangles.len()];
    for i in found {
        cut[i] = true;
    }
    cut
}
