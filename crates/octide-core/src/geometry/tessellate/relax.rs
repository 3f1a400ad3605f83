//! Spreads the vertices of a mesh evenly along the zero set of a function, and projects them onto it.

use crate::geometry::TriMesh;
use crate::par;
use glam::{DVec3, Vec3};

/// Number of rounds of spreading.
const ROUNDS: usize = 4;
/// Number of projection steps after the last round.
const FINAL_STEPS: usize = 3;

/// Moves vertices by less than about a cell of size `h`; the triangles do not change.
pub(super) fn relax(mesh: &mut TriMesh, phi: &(impl Fn(DVec3) -> f64 + Sync), h: f64) {
    let around = neighbors(mesh);
    let mut points: Vec<DVec3> = mesh.positions.iter().map(|p| Vec3::from_array(*p).as_dvec3()).collect();
    for _ in 0..ROUNDS {
        points = par::map_index(points.len(), |v| {
            let ring = around.of(v);
            let mean = ring.iter().map(|&w| points[w as usize]).sum::<DVec3>() / ring.len().max(1) as f64;
            let p = points[v];
            let normal = gradient(phi, p, h).normalize_or_zero();
            project(phi, p + 0.5 * (mean - p).reject_from(normal_or_y(normal)), h)
        });
    }
    mesh.positions = par::map_index(points.len(), |v| {
        (0..FINAL_STEPS).fold(points[v], |p, _| project(phi, p, h)).as_vec3().to_array()
    });
}

fn normal_or_y(n: DVec3) -> DVec3 {
    if n == DVec3::ZERO { DVec3::Y } else { n }
}

/// Takes one step along the gradient; returns `p` if that would not come nearer to the surface.
fn project(phi: &impl Fn(DVec3) -> f64, p: DVec3, h: f64) -> DVec3 {
    let value = phi(p);
    let g = gradient(phi, p, h);
    let q = p - (g * (value / g.length_squared().max(0.25))).clamp_length_max(h);
    if phi(q).abs() <= value.abs() { q } else { p }
}

fn gradient(phi: &impl Fn(DVec3) -> f64, p: DVec3, h: f64) -> DVec3 {
    let e = 1e-3 * h;
    DVec3::from_array([0, 1, 2].map(|a| {
        let step = DVec3::AXES[a] * e;
        (phi(p + step) - phi(p - step)) / (2.0 * e)
    }))
}

/// For each vertex, those that it shares a triangle with.
struct Neighbors {
    first: Vec<usize>,
    all: Vec<u32>,
}

impl Neighbors {
    fn of(&self, v: usize) -> &[u32] {
        &self.all[self.first[v]..self.first[v + 1]]
    }
}

fn neighbors(mesh: &TriMesh) -> Neighbors {
    let mut pairs: Vec<(u32, u32)> = mesh
        .triangles
        .iter()
        .flat_map(|t| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])])
        .flat_map(|(a, b)| [(a, b), (b, a)])
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    let first = (0..=mesh.positions.len()).map(|v| pairs.partition_point(|p| (p.0 as usize) < v)).collect();
    Neighbors { first, all: pairs.into_iter().map(|p| p.1).collect() }
}
