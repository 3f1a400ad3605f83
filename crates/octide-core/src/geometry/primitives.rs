//! Closed meshes made by code.

#[cfg(test)]
mod tests;

use super::TriMesh;
use glam::{DVec3, Vec3, dvec3};
use std::collections::BTreeMap;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// The names that [`builtin_mesh`] knows.
pub const BUILTIN_MESHES: [&str; 2] = ["lump", "bowl"];

/// A mesh that scenes can name without a file: `lump`, a lumpy blob of about radius 1 around the origin, or
/// `bowl`, half a hollow ball of radius 1 with a wall of 0.15 and a round rim that opens toward +y.
pub fn builtin_mesh(name: &str) -> Option<TriMesh> {
    match name {
        "lump" => Some(lump()),
        "bowl" => Some(bowl()),
        _ => None,
    }
}

/// A ball with `20 · 4^subdivisions` triangles, its vertices on the sphere.
pub fn icosphere(center: DVec3, radius: f64, subdivisions: u32) -> TriMesh {
    let (points, triangles) = unit_icosphere(subdivisions);
    let positions = points.iter().map(|&n| store(center + radius * n)).collect();
    TriMesh { positions, triangles }
}

fn store(p: DVec3) -> [f32; 3] {
    p.as_vec3().to_array()
}

fn unit_icosphere(subdivisions: u32) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    // Corners of three golden rectangles: (0, ±1, ±g) and its two rotations of the axes.
    let g = 0.5 * (1.0 + 5f64.sqrt());
    let mut points = Vec::new();
    for turn in 0..3 {
        for (s, t) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            let mut p = [0.0; 3];
            (p[(turn + 1) % 3], p[(turn + 2) % 3]) = (s, t * g);
            points.push(DVec3::from_array(p).normalize());
        }
    }
    // Faces are the triples of neighbors; all neighbors are equally near.
    let near = |a: usize, b: usize| points[a].dot(points[b]) > 0.4;
    let mut triangles = Vec::new();
    for a in 0..12 {
        for b in a + 1..12 {
            for c in b + 1..12 {
                if near(a, b) && near(b, c) && near(c, a) {
                    let outward = points[a].dot(points[b].cross(points[c])) > 0.0;
                    let (b, c) = if outward { (b, c) } else { (c, b) };
                    triangles.push([a as u32, b as u32, c as u32]);
                }
            }
        }
    }
    for _ in 0..subdivisions {
        let mut middles = BTreeMap::new();
        let mut finer = Vec::with_capacity(4 * triangles.len());
        for [a, b, c] in triangles {
            let mut middle = |i: u32, j: u32| {
                *middles.entry((i.min(j), i.max(j))).or_insert_with(|| {
                    points.push((points[i as usize] + points[j as usize]).normalize());
                    points.len() as u32 - 1
                })
            };
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            finer.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        triangles = finer;
    }
    (points, triangles)
}

/// A ball whose radius swells and sinks in smooth bumps around fixed directions.
fn lump() -> TriMesh {
    // Direction, height, and sharpness of each bump.
    let bumps = [
        (dvec3(1.0, 0.3, 0.2), 0.35, 6.0),
        (dvec3(-0.7, 0.6, 0.5), 0.3, 8.0),
        (dvec3(-0.2, -0.4, -1.0), 0.4, 7.0),
        (dvec3(0.1, 1.0, -0.4), -0.22, 7.0),
        (dvec3(-0.8, -0.7, 0.3), 0.25, 10.0),
        (dvec3(0.4, -0.8, 0.7), -0.2, 9.0),
        (dvec3(0.3, 0.5, 0.9), 0.22, 12.0),
    ];
    let (points, triangles) = unit_icosphere(4);
    let radius = |n: DVec3| {
        0.85 + bumps.iter().map(|(d, h, k)| h * (k * (n.dot(d.normalize()) - 1.0)).exp()).sum::<f64>()
    };
    TriMesh { positions: points.iter().map(|&n| store(n * radius(n))).collect(), triangles }
}

/// Half a hollow ball, opening up.
fn bowl() -> TriMesh {
    const WALL: f64 = 0.15;
    let (outer, rim, inner) = (22, 8, 20);
    // From the outer pole over the rim to the inner pole, as distance from the axis and height.
    let mut profile = Vec::new();
    for i in 1..outer {
        let angle = FRAC_PI_2 * i as f64 / outer as f64;
        profile.push((angle.sin(), -angle.cos()));
    }
    for i in 0..=rim {
        let angle = PI * i as f64 / rim as f64;
        profile.push((1.0 - 0.5 * WALL + 0.5 * WALL * angle.cos(), 0.5 * WALL * angle.sin()));
    }
    for i in (1..inner).rev() {
        let angle = FRAC_PI_2 * i as f64 / inner as f64;
        profile.push(((1.0 - WALL) * angle.sin(), -(1.0 - WALL) * angle.cos()));
    }
    revolve(-1.0, &profile, WALL - 1.0, 56)
}

/// The surface that `profile`, pairs of radius and height, sweeps around y between poles at the heights
/// `start` and `end`. It faces outward where the profile climbs on the outside.
fn revolve(start: f64, profile: &[(f64, f64)], end: f64, around: u32) -> TriMesh {
    let mut mesh = TriMesh::default();
    mesh.positions.push(Vec3::new(0.0, start as f32, 0.0).to_array());
    for &(r, y) in profile {
        for k in 0..around {
            let angle = TAU * f64::from(k) / f64::from(around);
            mesh.positions.push(store(dvec3(r * angle.cos(), y, r * angle.sin())));
        }
    }
    mesh.positions.push(Vec3::new(0.0, end as f32, 0.0).to_array());
    let last = mesh.positions.len() as u32 - 1;
    let rings = profile.len() as u32;
    let at = |ring: u32, k: u32| 1 + ring * around + k % around;
    for k in 0..around {
        mesh.triangles.push([0, at(0, k), at(0, k + 1)]);
        for ring in 0..rings - 1 {
            let (a, b) = (at(ring, k), at(ring, k + 1));
            let (c, d) = (at(ring + 1, k), at(ring + 1, k + 1));
            mesh.triangles.extend([[a, c, b], [b, c, d]]);
        }
        mesh.triangles.push([at(rings - 1, k), last, at(rings - 1, k + 1)]);
    }
    mesh
}
