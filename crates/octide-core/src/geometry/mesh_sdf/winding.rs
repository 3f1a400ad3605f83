//! The generalized winding number `w(p) = Σ Ω_t(p) / 4π` of a mesh.
//!
//! Around a closed surface, `w` is the number of times that a ray from `p` leaves the surface, minus the
//! number of times that it enters ([`crossings`](super::crossings)): a whole number, found in a time that
//! grows with the logarithm of the number of triangles, also where all of them are long and thin. A mesh with
//! holes is closed by caps over its boundary ([`caps`](super::caps)); the solid angles of the caps, which are
//! few and well shaped, are summed up ([`dipoles`](super::dipoles)) and subtracted.

use super::build;
use super::bvh::Bvh;
use super::caps::close_boundary;
use super::crossings::Crossings;
use super::dipoles::Dipoles;
use crate::geometry::TriMesh;
use glam::DVec3;

/// What the winding number of a mesh needs besides its hierarchy.
#[derive(Clone, Debug)]
pub(super) struct Winding {
    crossings: Crossings,
    caps: Option<Caps>,
}

/// The triangles that close a mesh.
#[derive(Clone, Debug)]
struct Caps {
    triangles: Vec<[u32; 3]>,
    bvh: Bvh,
    dipoles: Dipoles,
}

impl Winding {
    /// Prepares a mesh, whose hierarchy has the given origin.
    pub fn new(mesh: &TriMesh, bvh: &Bvh, origin: DVec3) -> Self {
        let (places, triangles) = close_boundary(mesh);
        let caps = (!triangles.is_empty()).then(|| {
            let tree = build::build(&mesh.positions, &triangles, origin);
            let dipoles = Dipoles::new(&tree);
            Caps { triangles, bvh: Bvh::new(tree), dipoles }
        });
        Self { crossings: Crossings::new(bvh, places), caps }
    }

    /// Returns the winding number around `p`, which is `q` relative to the origin of the hierarchy.
    pub fn at(&self, mesh: &TriMesh, bvh: &Bvh, p: DVec3, q: DVec3) -> f64 {
        let leaving = |bvh, triangles| self.crossings.count(bvh, &mesh.positions, triangles, p, q);
        let whole = leaving(bvh, &mesh.triangles);
        match &self.caps {
            None => f64::from(whole),
            Some(caps) => {
                f64::from(whole + leaving(&caps.bvh, &caps.triangles)) - caps.dipoles.winding(&caps.bvh, q)
            }
        }
    }
}
