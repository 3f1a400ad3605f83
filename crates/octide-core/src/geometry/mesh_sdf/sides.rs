//! Inside-outside test from the closest triangle alone, where that is safe.
//!
//! The side of a closed surface that a point is on follows from the angle between its offset from the closest
//! point and the normal there; on edges and corners, the normal is the mean of the adjacent normals, weighted
//! by their angle (Bærentzen and Aanæs 2005). Whether that side is inside or outside is the same for a whole
//! patch of triangles that are connected by edges and that no other triangle intersects, so one winding
//! number decides it for the patch.
//!
//! The following cases are left to the winding number: meshes that are not closed, triangles that intersect
//! others, edges and corners where more than one sheet meets, offsets nearly perpendicular to the normal, and
//! offsets that are on different sides of the mean normal and of the closest triangle.

use super::bvh::{Bvh, Hit};
use super::triangle::Feature;
use crate::geometry::trimesh::{Groups, Side, TriMesh, sides, split_vertices};
use crate::par;
use glam::{DVec3, Vec3};

/// Relative tolerance of the search for intersections: triangles that miss each other by less count as
/// intersecting.
const SLACK: f64 = 1e-5;
/// Where more triangles than this meet in an edge, they count as intersecting.
const MAX_SHEETS: usize = 8;
/// The smallest cosine between offset and normal that is trusted.
const LEAST_COSINE: f32 = 1e-3;

/// Whether the two sides of a triangle are inside the solid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Label {
    Unknown,
    Known { front_inside: bool, back_inside: bool },
}

/// Normals of a triangle's face, edges and vertices, each of length one or zero.
#[derive(Clone, Debug)]
struct Normals {
    face: Vec3,
    edges: [Vec3; 3],
    vertices: [Vec3; 3],
}

/// The table, with one row per triangle in the hierarchy's order; empty for meshes that are not closed.
#[derive(Clone, Debug)]
pub(super) struct Sides {
    normals: Vec<Normals>,
    labels: Vec<Label>,
    /// The patch that each triangle belongs to; `None` if another triangle intersects it.
    patches: Vec<Option<u32>>,
}

impl Sides {
    /// Computes normals and patches; all labels are still unknown.
    pub fn new(mesh: &TriMesh, bvh: &Bvh) -> Self {
        let sides = sides(mesh);
        let edges: Vec<&[Side]> = sides.chunk_by(|a, b| a.edge == b.edge).collect();
        // A mesh is closed if each edge is traversed equally often in both directions. The winding number is
        // then whole everywhere.
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
            // Edges of more than two triangles keep a zero normal, which is never trusted.
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

    /// Evaluates the winding number once for each patch, in front of its largest triangle.
    pub fn label(&mut self, bvh: &Bvh, winding: impl Fn(DVec3) -> f64) {
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
            .map(|held| held.map_or(Label::Unknown, |(_, i)| label_in_front(bvh, &winding, i)))
            .collect();
        for i in 0..n {
            self.labels[i] = self.patches[i].map_or(Label::Unknown, |p| found[p as usize]);
        }
    }

    /// Returns whether the query point of `hit` is inside; `None` if the winding number must decide.
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
        if height.abs() <= f64::from(LEAST_COSINE) * hit.offset.length() {
            return None;
        }
        // Where the surface is folded over at an edge or a vertex, the mean of the normals may point to the
        // wrong side of the triangle.
        if height * hit.offset.dot(normals.face.as_dvec3()) < 0.0 {
            return None;
        }
        Some(if height > 0.0 { front_inside } else { back_inside })
    }
}

fn label_in_front(bvh: &Bvh, winding: impl Fn(DVec3) -> f64, triangle: usize) -> Label {
    let t = &bvh.triangles[triangle];
    let normal = t.normal();
    let size = normal.length().sqrt();
    // Close enough that nothing lies between, but far enough for the hierarchy's rounding.
    let step = 1e-6 * size;
    let front = winding(t.a + (t.ab + t.ac) / 3.0 + normal.normalize_or_zero() * step);
    let whole = front.round();
    if (front - whole).abs() > 0.25 {
        return Label::Unknown;
    }
    // Behind the triangle, the winding number is larger by one.
    Label::Known { front_inside: whole > 0.5, back_inside: whole + 1.0 > 0.5 }
}

/// Returns the vertex normals, weighted by angle; zero where the surface is not a single sheet.
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

/// Returns which triangles touch or cross others that they share no corner with, or are folded onto a
/// neighbor.
fn find_cuts(mesh: &TriMesh, bvh: &Bvh, row: &[usize], unit: &[DVec3], edges: &[&[Side]]) -> Vec<bool> {
    let found = par::collect(edges.len(), |e, found| {
        let rows = edges[e].iter().map(|s| row[s.triangle as usize]);
        if edges[e].len() > MAX_SHEETS {
            found.extend(rows.clone());
        } else {
            for (i, j) in rows.clone().flat_map(|i| rows.clone().map(move |j| (i, j))) {
                if unit[i].dot(unit[j]) < -0.999 {
                    found.extend([i, j]);
                }
            }
        }
        let (side, names) = (&edges[e][0], edges[e][0].edge);
        let corners = bvh.triangles[row[side.triangle as usize]].corners();
        let (p, q) = (corners[side.corner as usize], corners[(side.corner as usize + 1) % 3]);
        let mut is_met = false;
        bvh.near_edge([p, q], names, SLACK * p.distance(q), |other| {
            let others = mesh.triangles[bvh.ids[other] as usize];
            let apart = !others.contains(&names[0]) && !others.contains(&names[1]);
            if apart && bvh.triangles[other].may_meet(p, q - p, SLACK) {
                found.push(other);
                is_met = true;
            }
        });
        if is_met {
            found.extend(rows);
        }
    });
    let mut cut = vec![false; bvh.triangles.len()];
    for i in found {
        cut[i] = true;
    }
    cut
}
