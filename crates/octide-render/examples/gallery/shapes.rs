//! Water and solids made by formula: a tank with a wavy top, spheres and blocks.

use octide_core::contract::{CellFace, Cells, Cube, Surface};
use octide_core::geometry::TriMesh;
use std::collections::HashMap;

/// The closed box from `lo` to `hi` with its top at height `top(x, z)`, on a lattice of `n` cells.
pub fn tank(lo: [f32; 3], hi: [f32; 3], n: [u32; 3], top: impl Fn(f32, f32) -> f32) -> TriMesh {
    let mut mesh = TriMesh::default();
    let mut known: HashMap<[u32; 3], u32> = HashMap::new();
    let mut vertex = |at: [u32; 3], mesh: &mut TriMesh| {
        *known.entry(at).or_insert_with(|| {
            let s: [f32; 3] = std::array::from_fn(|a| at[a] as f32 / n[a] as f32);
            let (x, z) = (lo[0] + s[0] * (hi[0] - lo[0]), lo[2] + s[2] * (hi[2] - lo[2]));
            mesh.positions.push([x, lo[1] + s[1] * (top(x, z) - lo[1]), z]);
            mesh.positions.len() as u32 - 1
        })
    };
    for axis in 0..3 {
        let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
        for side in [0, n[axis]] {
            for j in 0..n[c] {
                for i in 0..n[b] {
                    let corner = |di: u32, dj: u32| {
                        let mut at = [0; 3];
                        (at[axis], at[b], at[c]) = (side, i + di, j + dj);
                        at
                    };
                    let mut q = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                    if side == 0 {
                        q.reverse();
                    }
                    let q = q.map(|at| vertex(at, &mut mesh));
                    mesh.triangles.extend([[q[0], q[1], q[2]], [q[0], q[2], q[3]]]);
                }
            }
        }
    }
    mesh
}

/// A ball of `2 · n` by `n` quads.
pub fn ball(center: [f32; 3], radius: [f32; 3], n: u32) -> TriMesh {
    let mut mesh = TriMesh::default();
    for j in 0..=n {
        for i in 0..2 * n {
            let (sin_t, cos_t) = (std::f32::consts::PI * j as f32 / n as f32).sin_cos();
            let (sin_p, cos_p) = (std::f32::consts::PI * i as f32 / n as f32).sin_cos();
            let d = [sin_t * cos_p, cos_t, sin_t * sin_p];
            mesh.positions.push(std::array::from_fn(|a| center[a] + radius[a] * d[a]));
        }
    }
    for j in 0..n {
        for i in 0..2 * n {
            let k = (i + 1) % (2 * n);
            let q = [(j, i), (j, k), (j + 1, k), (j + 1, i)].map(|(j, i)| j * 2 * n + i);
            if j > 0 {
                mesh.triangles.push([q[0], q[1], q[2]]);
            }
            if j + 1 < n {
                mesh.triangles.push([q[0], q[2], q[3]]);
            }
        }
    }
    mesh
}

/// Both meshes in one.
pub fn join(mut a: TriMesh, b: TriMesh) -> TriMesh {
    let n = a.positions.len() as u32;
    a.positions.extend(b.positions);
    a.triangles.extend(b.triangles.iter().map(|t| t.map(|i| i + n)));
    a
}

/// The mesh as a liquid's surface, with the mean normal at each vertex.
pub fn liquid(mesh: TriMesh) -> Surface {
    let mut sums = vec![[0f32; 3]; mesh.positions.len()];
    for t in &mesh.triangles {
        let [a, b, c] = t.map(|i| mesh.positions[i as usize]);
        let (e, f): ([f32; 3], [f32; 3]) =
            (std::array::from_fn(|i| b[i] - a[i]), std::array::from_fn(|i| c[i] - a[i]));
        let n = [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]];
        for &i in t {
            for axis in 0..3 {
                sums[i as usize][axis] += n[axis];
            }
        }
    }
    let unit = |n: [f32; 3]| n.map(|x| x / n.iter().map(|y| y * y).sum::<f32>().sqrt().max(1e-30));
    let velocities = vec![[0.0; 3]; mesh.positions.len()];
    Surface { normals: sums.into_iter().map(unit).collect(), velocities, mesh }
}

/// Cubes over the box `[0, size]³`, split down to `dx` near where `phi` is 0.
pub fn cells(size: f32, dx: f32, phi: &impl Fn([f32; 3]) -> f32) -> Cells {
    let mut found = Cells::default();
    let mut open = vec![Cube { center: [0.5 * size; 3], size }];
    while let Some(cube) = open.pop() {
        let here = phi(cube.center);
        if cube.size < 1.5 * dx || here.abs() > 1.5 * cube.size {
            found.cubes.push(cube);
            found.phi.push(here);
            continue;
        }
        for k in 0..8 {
            let shift = |a: usize| if k >> a & 1 == 0 { -0.25 } else { 0.25 } * cube.size;
            let center = std::array::from_fn(|a| cube.center[a] + shift(a));
            open.push(Cube { center, size: 0.5 * cube.size });
        }
    }
    found
}

/// The same cells in three shapes: cubes on the left, twelve tetrahedra for each cube in the middle, and two
/// prisms for each cube, as polyhedra, on the right.
pub fn in_three_shapes(cubes: &Cells, size: f32, phi: &impl Fn([f32; 3]) -> f32) -> Cells {
    let mut cells = Cells::default();
    let part = |cube: &Cube| (3.0 * cube.center[0] / size) as usize;
    for (i, cube) in cubes.cubes.iter().enumerate().filter(|(_, cube)| part(cube) == 0) {
        cells.cubes.push(*cube);
        cells.phi.push(cubes.phi[i]);
    }
    let one = |cube: &Cube| Cells { cubes: vec![*cube], ..Cells::default() };
    for cube in cubes.cubes.iter().filter(|cube| part(cube) == 1) {
        one(cube).for_faces(0, |face| {
            let first = cells.vertices.len() as u32;
            cells.vertices.extend(face.iter().map(|v| v.to_array()));
            cells.vertices.push(cube.center);
            cells.tetrahedra.extend([[0, 1, 2, 4], [0, 2, 3, 4]].map(|t: [u32; 4]| t.map(|v| first + v)));
        });
    }
    for cube in cubes.cubes.iter().filter(|cube| part(cube) == 2) {
        // The sides in z are the last two, with their diagonals on the same edges.
        let mut sides = Vec::new();
        one(cube).for_faces(0, |face| sides.push([0, 1, 2, 3].map(|i| face[i].to_array())));
        let first = cells.vertices.len() as u32;
        cells.vertices.extend(sides[4].iter().chain(&sides[5]));
        // Corners 0, 2, 3, 1 of the cube stand in the first of them, 4, 5, 7, 6 in the second.
        for [low, high] in [[[0, 1, 2], [4, 7, 6]], [[0, 2, 3], [4, 6, 5]]] {
            let mut faces = vec![(low.to_vec(), false), (high.to_vec(), true)];
            faces.extend((0..3).map(|i| {
                let j = (i + 1) % 3;
                (vec![low[i], high[i], high[j], low[j]], false)
            }));
            let faces: Vec<CellFace> = faces
                .into_iter()
                .map(|(vertices, reversed)| {
                    let vertices: Vec<u32> = vertices.iter().map(|v| first + v).collect();
                    CellFace::new(cells.polyhedra.add_face(&vertices), reversed)
                })
                .collect();
            cells.polyhedra.add_cell(faces);
        }
    }
    cells.phi.extend((cells.cubes.len()..cells.len()).map(|i| phi(cells.center(i))).collect::<Vec<_>>());
    cells
}
