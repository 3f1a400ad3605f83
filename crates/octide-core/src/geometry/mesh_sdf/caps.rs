//! Triangles that close a mesh.
//!
//! The edges that a mesh does not traverse equally often in both directions form its boundary, a set of
//! closed loops. Each loop is covered by triangles that cut off every second vertex, then every second one of
//! the rest, and so on. Their shape is of no importance: any surface with the same boundary makes the mesh
//! closed. But large triangles are few, and small ones are near each other, so that sums over them are fast.

use crate::geometry::TriMesh;
use crate::geometry::trimesh::places;

/// Returns the place of each vertex, and triangles over places that, together with those of the mesh, traverse
/// each edge equally often in both directions. Vertices at the same position are one place. There are never
/// more of them than triangles in the mesh.
pub(super) fn close_boundary(mesh: &TriMesh) -> (Vec<u32>, Vec<[u32; 3]>) {
    let places = places(mesh);
    let mut edges: Vec<([u32; 2], bool)> = Vec::with_capacity(3 * mesh.triangles.len());
    for t in &mesh.triangles {
        let v = t.map(|v| places[v as usize]);
        for (a, b) in [(v[0], v[1]), (v[1], v[2]), (v[2], v[0])] {
            if a != b {
                edges.push(([a.min(b), a.max(b)], a > b));
            }
        }
    }
    edges.sort_unstable();
    // The caps traverse the boundary in the other direction.
    let mut missing = Vec::new();
    for same in edges.chunk_by(|a, b| a.0 == b.0) {
        let n_reversed = same.iter().filter(|e| e.1).count();
        let n_forward = same.len() - n_reversed;
        let [a, b] = same[0].0;
        missing.extend((n_reversed..n_forward).map(|_| [b, a]));
        missing.extend((n_forward..n_reversed).map(|_| [a, b]));
    }
    let mut caps = Vec::new();
    for_each_loop(missing, places.len(), |l| cover(l, &mut caps));
    (places, caps)
}

/// Splits directed edges, of which as many end as begin at each vertex, into loops without repeated vertices.
fn for_each_loop(mut edges: Vec<[u32; 2]>, n_vertices: usize, mut f: impl FnMut(&[u32])) {
    const ABSENT: u32 = u32::MAX;
    edges.sort_unstable();
    // The next edge from each vertex that has not been used.
    let mut next = vec![0u32; if edges.is_empty() { 0 } else { n_vertices + 1 }];
    for (i, [from, _]) in edges.iter().enumerate().rev() {
        next[*from as usize] = i as u32;
    }
    let mut step = |from: u32| {
        let i = &mut next[from as usize];
        let edge = edges.get(*i as usize).filter(|e| e[0] == from)?;
        *i += 1;
        Some(edge[1])
    };
    let mut index_in_path = vec![ABSENT; n_vertices];
    for start in edges.iter().map(|e| e[0]) {
        let mut path = vec![start];
        index_in_path[start as usize] = 0;
        while let Some(to) = path.last().and_then(|&from| step(from)) {
            let first = index_in_path[to as usize];
            if first == ABSENT {
                index_in_path[to as usize] = path.len() as u32;
                path.push(to);
                continue;
            }
            f(&path[first as usize..]);
            for v in path.drain(first as usize + 1..) {
                index_in_path[v as usize] = ABSENT;
            }
        }
        debug_assert!(path == [start], "as many edges end as begin at each vertex");
        path.iter().for_each(|&v| index_in_path[v as usize] = ABSENT);
    }
}

/// Adds triangles over a loop that traverse its edges.
fn cover(vertices: &[u32], triangles: &mut Vec<[u32; 3]>) {
    let mut rest = vertices.to_vec();
    while rest.len() > 2 {
        let n = rest.len();
        triangles.extend((1..n).step_by(2).map(|i| [rest[i - 1], rest[i], rest[(i + 1) % n]]));
        rest = rest.into_iter().step_by(2).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::primitives::icosphere;
    use glam::DVec3;

    fn closed(mesh: &TriMesh) -> TriMesh {
        let (places, caps) = close_boundary(mesh);
        let mut all = mesh.clone();
        all.triangles.iter_mut().for_each(|t| *t = t.map(|v| places[v as usize]));
        all.triangles.extend(caps);
        all
    }

    #[test]
    fn caps_close_every_hole() {
        let ball = icosphere(DVec3::ZERO, 1.0, 3);
        assert!(close_boundary(&ball).1.is_empty());
        // Large holes, holes that touch in a vertex, and a single triangle.
        for every in [2, 3, 5, 7, 40] {
            let mut open = ball.clone();
            open.triangles = ball
                .triangles
                .iter()
                .enumerate()
                .filter(|(i, _)| i / 4 % every != 0)
                .map(|(_, t)| *t)
                .collect();
            let n = open.triangles.len();
            let closed = closed(&open);
            assert!(closed.triangles.len() > n && closed.triangles.len() <= 2 * n, "every {every}");
            assert!(close_boundary(&closed).1.is_empty(), "every {every}");
        }
        let one = TriMesh { positions: ball.positions.clone(), triangles: vec![ball.triangles[0]] };
        assert_eq!(closed(&one).triangles.len(), 2);
    }

    #[test]
    fn vertices_at_one_position_are_one_place() {
        let ball = icosphere(DVec3::ZERO, 1.0, 2);
        let mut soup = TriMesh::default();
        for t in &ball.triangles {
            let first = soup.positions.len() as u32;
            soup.positions.extend(t.map(|v| ball.positions[v as usize]));
            soup.triangles.push([first, first + 1, first + 2]);
        }
        assert_eq!(soup.topology().boundary_edges, 3 * ball.triangles.len());
        assert!(close_boundary(&soup).1.is_empty());
    }

    #[test]
    fn a_loop_of_n_vertices_takes_n_minus_2_triangles() {
        for n in 3..40 {
            let mut triangles = Vec::new();
            cover(&(0..n).collect::<Vec<u32>>(), &mut triangles);
            assert_eq!(triangles.len(), n as usize - 2);
            let closed = TriMesh { positions: vec![[0.0; 3]; n as usize], triangles };
            let edges = closed.topology();
            assert_eq!((edges.boundary_edges, edges.misoriented_edges), (n as usize, 0));
        }
    }
}
