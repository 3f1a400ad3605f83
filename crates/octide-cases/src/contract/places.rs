//! The places where states are compared: the centers of finest cells.

use glam::DVec3;
use octide_core::scene::Domain;

/// The centers of all finest cells of a domain.
pub fn centers(domain: &Domain) -> Vec<DVec3> {
    let dx = domain.dx();
    let n = (domain.size / dx).round().as_ivec3();
    let mut all = Vec::new();
    for k in 0..n.z {
        for j in 0..n.y {
            for i in 0..n.x {
                all.push(domain.origin + dx * (DVec3::new(f64::from(i), f64::from(j), f64::from(k)) + 0.5));
            }
        }
    }
    all
}
