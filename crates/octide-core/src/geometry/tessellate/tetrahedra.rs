//! The zero set of a function on a grid whose cubes are divided into tetrahedra.
//!
//! The six tetrahedra of a cube are its monotone paths of three edges from corner 000 to corner 111. Every
//! edge therefore leads from a node along one of seven directions, the sums of some of the axes, and the
//! divisions of neighboring cubes match.

use crate::geometry::TriMesh;
use crate::par;
use glam::DVec3;

/// The orders in which a path can follow the axes, and whether each is an even permutation.
const PATHS: [([usize; 3], bool); 6] = [
    ([0, 1, 2], true),
    ([1, 2, 0], true),
    ([2, 0, 1], true),
    ([0, 2, 1], false),
    ([2, 1, 0], false),
    ([1, 0, 2], false),
];

/// The nodes of the grid, numbered with the first axis fastest.
struct Grid {
    origin: DVec3,
    h: f64,
    nodes: [usize; 3],
}

impl Grid {
    fn len(&self) -> usize {
        self.nodes.iter().product()
    }

    fn coordinates(&self, node: usize) -> [usize; 3] {
        let [nx, ny, _] = self.nodes;
        [node % nx, node / nx % ny, node / (nx * ny)]
    }

    fn position(&self, node: usize) -> DVec3 {
        let c = self.coordinates(node);
        self.origin + self.h * DVec3::new(c[0] as f64, c[1] as f64, c[2] as f64)
    }

    /// Returns the difference in node number between corner `mask` of a cube and its corner 000.
    fn stride(&self, mask: usize) -> usize {
        let [nx, ny, _] = self.nodes;
        (mask & 1) + (mask >> 1 & 1) * nx + (mask >> 2 & 1) * nx * ny
    }
}

/// Returns the surface `phi = 0` in the box between `min` and `max`, with cells of size `h`; it is closed
/// within a cell around the box.
pub(super) fn surface(phi: &(impl Fn(DVec3) -> f64 + Sync), min: DVec3, max: DVec3, h: f64) -> TriMesh {
    // At least half a cell of air on each side.
    let nodes = ((max - min) / h).to_array().map(|n| n.ceil() as usize + 2);
    let size = DVec3::from_array(nodes.map(|n| (n - 1) as f64)) * h;
    let grid = Grid { origin: 0.5 * (min + max - size), h, nodes };
    let values = par::map_index(grid.len(), |node| {
        let c = grid.coordinates(node);
        let on_boundary = (0..3).any(|a| c[a] == 0 || c[a] + 1 == grid.nodes[a]);
        let value = phi(grid.position(node));
        // Air all around closes the surface in every case.
        if on_boundary || value.is_nan() { value.max(1e-9 * h) } else { value }
    });

    let triangles: Vec<[u64; 3]> = par::collect(grid.len(), |node, out| {
        let c = grid.coordinates(node);
        if (0..3).all(|a| c[a] + 1 < grid.nodes[a]) {
            cut_cube(&grid, &values, node, out);
        }
    });

    // Vertices are numbered in the order of their edges.
    let mut edges: Vec<u64> = triangles.iter().flatten().copied().collect();
    edges.sort_unstable();
    edges.dedup();
    let number = |edge: &u64| edges.partition_point(|e| e < edge) as u32;
    let positions = par::map_index(edges.len(), |i| {
        let (from, mask) = ((edges[i] >> 3) as usize, (edges[i] & 7) as usize);
        let to = from + grid.stride(mask);
        let (a, b) = (values[from], values[to]);
        // Vertices are kept away from the nodes, so that no triangle collapses.
        let s = (a / (a - b)).clamp(0.02, 0.98);
        grid.position(from).lerp(grid.position(to), s).as_vec3().to_array()
    });
    let triangles = par::map_index(triangles.len(), |t| [0, 1, 2].map(|k| number(&triangles[t][k])));
    TriMesh { positions, triangles }
}

/// Adds the triangles in the cube whose corner 000 is `node`, each as three edges.
fn cut_cube(grid: &Grid, values: &[f64], node: usize, out: &mut Vec<[u64; 3]>) {
    let inside: [bool; 8] = std::array::from_fn(|mask| values[node + grid.stride(mask)] < 0.0);
    if inside.iter().all(|i| *i == inside[0]) {
        return;
    }
    for (axes, even) in PATHS {
        let first = 1 << axes[0];
        let path = [0, first, first | 1 << axes[1], 7];
        cut_tetrahedron(
            path,
            even,
            &inside,
            |a, b| {
                // Masks only grow along a path, so the smaller one is the edge's start.
                let (from, to) = (a.min(b), a.max(b));
                ((node + grid.stride(from)) as u64) << 3 | (from ^ to) as u64
            },
            out,
        );
    }
}

/// Adds the triangles of one tetrahedron with the corners `path`, right-handed if `even`.
fn cut_tetrahedron(
    path: [usize; 4],
    even: bool,
    inside: &[bool; 8],
    edge: impl Fn(usize, usize) -> u64,
    out: &mut Vec<[u64; 3]>,
) {
    let n_inside = path.iter().filter(|c| inside[**c]).count();
    // The less numerous corners come first; with two each, those inside.
    let first = n_inside <= 2;
    let mut order = [0; 4];
    let mut n = 0;
    for wanted in [first, !first] {
        for k in 0..4 {
            if inside[path[k]] == wanted {
                order[n] = k;
                n += 1;
            }
        }
    }
    let swaps =
        (0..4).flat_map(|i| (i + 1..4).map(move |j| (i, j))).filter(|&(i, j)| order[i] > order[j]).count();
    let [a, b, mut c, mut d] = order.map(|k| path[k]);
    // In the right-handed order (a, b, c, d), the triangles below face away from a, or from a and b.
    if (swaps % 2 == 0) != even {
        (c, d) = (d, c);
    }
    match n_inside {
        1 => out.push([edge(a, b), edge(a, c), edge(a, d)]),
        3 => out.push([edge(a, b), edge(a, d), edge(a, c)]),
        2 => {
            let (ac, ad, bd, bc) = (edge(a, c), edge(a, d), edge(b, d), edge(b, c));
            out.extend([[ac, ad, bd], [ac, bd, bc]]);
        }
        _ => {}
    }
}
