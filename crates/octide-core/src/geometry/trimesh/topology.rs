//! Checks whether triangles form a closed surface, and counts the defects if they do not.

#[cfg(test)]
mod tests;

use super::TriMesh;

/// Counts of the defects that keep a mesh from being a closed surface.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Topology {
    /// Edges with a triangle on one side only: the boundaries of holes.
    pub boundary_edges: usize,
    /// Edges where three or more triangles meet.
    pub non_manifold_edges: usize,
    /// Edges whose two triangles have opposite orientations.
    pub misoriented_edges: usize,
    /// Vertices where more than one fan of triangles meets.
    pub split_vertices: usize,
    /// Triangles that use a vertex twice. They are excluded from the other counts.
    pub collapsed_triangles: usize,
}

impl Topology {
    /// Returns whether all counts are zero.
    pub fn is_closed_manifold(&self) -> bool {
        *self == Self::default()
    }
}

/// Properties of a mesh that a user should check before using it as a solid.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct MeshReport {
    /// Number of vertices.
    pub vertices: usize,
    /// Number of triangles.
    pub triangles: usize,
    /// Number of triangles that repeat others. They are excluded from the following counts.
    pub repeated_triangles: usize,
    /// Defects that keep it from being a closed surface.
    pub topology: Topology,
    /// Number of triangles with zero area.
    pub flat_triangles: usize,
    /// Enclosed volume; negative if the triangles face inward.
    pub volume: f64,
}

impl MeshReport {
    /// Returns one line about each defect.
    pub fn warnings(&self) -> Vec<String> {
        let t = &self.topology;
        let counted = [
            (self.repeated_triangles, "triangles that repeat others; they are ignored"),
            (
                t.boundary_edges,
                "open edges: the mesh has holes, and its inside is guessed there (if it is a plate or an open vessel without thickness, add shell = true)",
            ),
            (t.non_manifold_edges, "edges where more than two triangles meet"),
            (t.misoriented_edges, "edges whose two triangles have opposite orientations"),
            (t.split_vertices, "vertices where separate parts of the surface touch"),
            (t.collapsed_triangles, "triangles that use a vertex twice"),
            (self.flat_triangles, "triangles with zero area"),
        ];
        let mut lines: Vec<String> =
            counted.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
        if self.volume < 0.0 {
            lines.push("the triangles face inward; they are turned around".to_owned());
        }
        lines
    }
}

/// Inspects a mesh, whose vertex numbers must exist.
pub fn mesh_report(mesh: &TriMesh) -> MeshReport {
    let distinct = mesh.without_repeats();
    let (all, mesh) = (mesh, distinct.as_ref().unwrap_or(mesh));
    let flat = |t: &usize| {
        let [a, b, c] = mesh.corners(*t);
        // Only exact zeros count, since thin triangles are harmless.
        (b - a).cross(c - a).length_squared() <= 0.0
    };
    MeshReport {
        vertices: all.positions.len(),
        triangles: all.triangles.len(),
        repeated_triangles: all.triangles.len() - mesh.triangles.len(),
        topology: topology(mesh),
        flat_triangles: (0..mesh.triangles.len()).filter(flat).count(),
        volume: mesh.volume(),
    }
}

/// One side of a triangle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Side {
    /// The edge: the smaller vertex number, then the larger.
    pub edge: [u32; 2],
    /// The triangle.
    pub triangle: u32,
    /// The side runs from this corner of the triangle to the next.
    pub corner: u8,
    /// Whether it runs from the larger vertex number to the smaller.
    pub reversed: bool,
}

/// Returns the sides of all triangles that do not use a vertex twice, sorted by edge.
pub(crate) fn sides(mesh: &TriMesh) -> Vec<Side> {
    let mut sides = Vec::with_capacity(3 * mesh.triangles.len());
    for (t, v) in mesh.triangles.iter().enumerate() {
        if v[0] == v[1] || v[1] == v[2] || v[2] == v[0] {
            continue;
        }
        for k in 0..3 {
            let (a, b) = (v[k], v[(k + 1) % 3]);
            let edge = [a.min(b), a.max(b)];
            sides.push(Side { edge, triangle: t as u32, corner: k as u8, reversed: a > b });
        }
    }
    sides.sort_unstable();
    sides
}

pub(super) fn topology(mesh: &TriMesh) -> Topology {
    let sides = sides(mesh);
    let mut out = Topology {
        collapsed_triangles: mesh.triangles.len() - sides.len() / 3,
        split_vertices: split_vertices(mesh, &sides).len(),
        ..Topology::default()
    };
    for edge in sides.chunk_by(|a, b| a.edge == b.edge) {
        match edge {
            [_] => out.boundary_edges += 1,
            [a, b] if a.reversed == b.reversed => out.misoriented_edges += 1,
            [_, _] => {}
            _ => out.non_manifold_edges += 1,
        }
    }
    out
}

/// Returns the vertices where more than one fan of triangles meets, in order.
pub(crate) fn split_vertices(mesh: &TriMesh, sides: &[Side]) -> Vec<u32> {
    // Corners of triangles that are connected across an edge belong to the same fan of their vertex.
    let mut fans = Groups::new(3 * mesh.triangles.len());
    let corner_at = |s: &Side, v: u32| {
        let start = mesh.triangles[s.triangle as usize][s.corner as usize] == v;
        3 * s.triangle as usize + if start { s.corner as usize } else { (s.corner as usize + 1) % 3 }
    };
    for edge in sides.chunk_by(|a, b| a.edge == b.edge) {
        for pair in edge.windows(2) {
            for v in pair[0].edge {
                fans.join(corner_at(&pair[0], v), corner_at(&pair[1], v));
            }
        }
    }
    let mut seen: Vec<(u32, usize)> = sides
        .iter()
        .map(|s| {
            let v = mesh.triangles[s.triangle as usize][s.corner as usize];
            (v, fans.find(3 * s.triangle as usize + s.corner as usize))
        })
        .collect();
    seen.sort_unstable();
    seen.dedup();
    seen.chunk_by(|a, b| a.0 == b.0).filter(|fans| fans.len() > 1).map(|fans| fans[0].0).collect()
}

/// Disjoint groups of numbers; a group is identified by its smallest member.
pub(crate) struct Groups(Vec<u32>);

impl Groups {
    /// Creates `n` groups, one for each number of `0..n`.
    pub fn new(n: usize) -> Self {
        Self((0..n as u32).collect())
    }

    /// Returns the smallest member of the group of `i`.
    pub fn find(&mut self, i: usize) -> usize {
        let mut i = i;
        while self.0[i] as usize != i {
            self.0[i] = self.0[self.0[i] as usize];
            i = self.0[i] as usize;
        }
        i
    }

    /// Merges the groups of `a` and `b`.
    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b) as u32;
    }
}
