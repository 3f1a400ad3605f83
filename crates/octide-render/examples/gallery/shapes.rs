//! Water and solids made by formula: a tank with a wavy top, spheres and blocks.

use octide_core::contract::{CellSample, Surface};
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

/// Cells over the box `[0, size]³`, split down to `dx` near where `phi` is 0.
pub fn cells(size: f32, dx: f32, phi: &impl Fn([f32; 3]) -> f32) -> Vec<CellSample> {
    let mut found = Vec::new();
    let mut open =
        vec![CellSample { center: [0.5 * size; 3], size, phi: phi([0.5 * size; 3]), density: 0.0 }];
    while let Some(cell) = open.pop() {
        if cell.size < 1.5 * dx || cell.phi.abs() > 1.5 * cell.size {
            found.push(cell);
            continue;
        }
        for k in 0..8 {
            let shift = |a: usize| if k >> a & 1 == 0 { -0.25 } else { 0.25 } * cell.size;
            let center = std::array::from_fn(|a| cell.center[a] + shift(a));
            open.push(CellSample { center, size: 0.5 * cell.size, phi: phi(center), density: 0.0 });
        }
    }
    found
}
