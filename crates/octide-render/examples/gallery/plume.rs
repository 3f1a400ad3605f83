//! A plume of smoke made by formula, in cells of all sizes.

use glam::DVec3;
use octide_core::contract::Smoke;
use octide_core::index::{Field, NodeId};
use octide_core::octree::{Grading, Nodes, Octree};
use octide_core::par;
use octide_core::scene::Domain;

/// The unit box.
pub fn room(resolution: u32, levels: u8) -> Domain {
    Domain { origin: DVec3::ZERO, size: DVec3::ONE, resolution, levels }
}

/// A plume that rises from the middle of the floor and breaks up; cells are fine at its edge alone, and their
/// size jumps.
pub fn plume(domain: &Domain) -> Smoke {
    let tree = Octree::build(&domain.root_grid(), Grading::Unrestricted, |b| {
        let near = (0..27).map(|i| {
            let o = DVec3::new(f64::from(i % 3), f64::from(i / 3 % 3), f64::from(i / 9)) - 1.0;
            density(b.center + 0.55 * b.size * o)
        });
        let (low, high) = near.fold((f64::INFINITY, 0.0f64), |(low, high), d| (low.min(d), high.max(d)));
        high > 0.02 && (low < 0.5 || b.level < 2)
    });
    let nodes = Nodes::new(&tree);
    let dx = domain.dx();
    let place = |v: NodeId| domain.origin + 0.5 * dx * nodes.place(v).as_dvec3();
    let mut values = par::map(nodes.len(), |v: NodeId| density(place(v)));
    nodes.constrain(&tree, &mut values);
    let warm = par::map(nodes.len(), |v: NodeId| 60.0 * values[v]);
    Smoke::at_corners(&tree, &nodes, &values, &warm, &Field::filled(nodes.len(), DVec3::Y))
}

fn density(p: DVec3) -> f64 {
    let x = p - DVec3::new(0.5, 0.0, 0.5);
    // Whirls grow on the way up.
    let wild = 0.02 + 0.13 * x.y;
    let swirl = DVec3::new(fractal(4.0 * p), 0.6 * fractal(4.0 * p + 17.0), fractal(4.0 * p + 41.0));
    let q = x + wild * 2.0 * swirl;
    let radius = 0.055 + 0.13 * q.y.max(0.0);
    let out = DVec3::new(q.x, 0.0, q.z).length() / radius;
    let top = ((0.86 - q.y) / 0.12).clamp(0.0, 1.0);
    let body = ((1.0 - out) * 2.2).clamp(0.0, 1.0) * top;
    let ragged = (body + 0.45 * fractal(13.0 * p) * body.sqrt()).max(0.0);
    if x.y < -0.01 { 0.0 } else { ragged.min(1.0) }
}

/// Noise of four sizes, in about [−1, 1].
fn fractal(p: DVec3) -> f64 {
    (0..4).map(|k| 0.55 * 0.55f64.powi(k) * 2.0 * noise(2f64.powi(k) * p + 7.3 * f64::from(k))).sum()
}

/// Smooth noise in [−1, 1] with a wave of about one.
fn noise(p: DVec3) -> f64 {
    let low = p.floor();
    let s = p - low;
    let s = s * s * (3.0 - 2.0 * s);
    let mut sum = 0.0;
    for i in 0..8u32 {
        let o = DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2));
        let w = (DVec3::ONE - o) + (2.0 * o - 1.0) * s;
        sum += w.x * w.y * w.z * hashed(low + o);
    }
    sum
}

fn hashed(p: DVec3) -> f64 {
    let [x, y, z] = p.to_array().map(|c| c as i64 as u32);
    let mut h = x.wrapping_mul(0x8da6_b343) ^ y.wrapping_mul(0xd816_3841) ^ z.wrapping_mul(0xcb1a_b31f);
    h = (h ^ (h >> 15)).wrapping_mul(0x2c1b_3c6d);
    h = (h ^ (h >> 12)).wrapping_mul(0x297a_2d39);
    f64::from(h ^ (h >> 15)) / f64::from(u32::MAX) * 2.0 - 1.0
}
