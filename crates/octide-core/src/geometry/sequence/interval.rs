//! The body between two meshes of a sequence.
//!
//! - Same triangles: vertices move straight.
//! - Other triangles, thick body: the distances are blended ([`MeshBlend`]), which lets parts join and separate.
//! - Other triangles, shell or sheet: a sheet that moves by more than its thickness would vanish from the blend. Each
//!   vertex a_i of the first mesh moves straight to the nearest point of the second, and each vertex b_j of the second
//!   comes straight from the nearest point of the first ([`correspond`](super::correspond)). The body is both of these
//!   together: it begins as the first mesh and ends as the second.

use super::correspond::{blend_loses, merged};
use crate::geometry::{MeshBlend, MeshSdf, MeshShape, TriMesh};
use glam::{DVec3, Vec3};
use std::sync::Arc;

/// Two meshes of a sequence.
#[derive(Debug)]
pub(super) struct Interval {
    pub kind: Kind,
    /// What the first mesh is called.
    pub name: String,
    pub is_shell: bool,
    way: f64,
}

#[derive(Debug)]
pub(super) enum Kind {
    /// Vertices that move straight.
    Moving {
        from: TriMesh,
        /// Positions at the end.
        to: Vec<[f32; 3]>,
        /// The checksum of the triangles if they are those of the files.
        topology: Option<u64>,
    },
    /// Distances that are blended, at a share of 0.
    Blended(MeshBlend),
}

impl Interval {
    /// Prepares the body between two meshes, whose triangles are the same if they have a `topology`.
    pub fn new(
        (from, to): (TriMesh, TriMesh),
        topology: Option<u64>,
        is_shell: bool,
        name: String,
    ) -> Result<Self, String> {
        let kind = match topology {
            Some(_) => Kind::Moving { from, to: to.positions, topology },
            None => between(&from, &to, is_shell, &name)?,
        };
        let way = match &kind {
            Kind::Moving { from, to, .. } => {
                let moved = from.positions.iter().zip(to).map(|(a, b)| way_of(*a, *b).length_squared());
                moved.fold(0.0, f64::max).sqrt()
            }
            Kind::Blended(blend) => {
                let meshes = [(blend, &blend.from, 0.0), (blend, &blend.to, 1.0)];
                let moved = meshes.into_iter().flat_map(|(blend, mesh, share)| {
                    let blend = blend.with_share(share);
                    let points = 0..mesh.sdf.mesh().positions.len() as u32;
                    points.map(move |v| blend.velocity(mesh.sdf.mesh().vertex(v), 0.0).length())
                });
                moved.fold(0.0, f64::max)
            }
        };
        Ok(Self { kind, name, is_shell, way })
    }

    /// The farthest that a point of the surface moves.
    pub fn way(&self) -> f64 {
        self.way
    }
}

/// Returns the way between two positions.
pub(super) fn way_of(a: [f32; 3], b: [f32; 3]) -> DVec3 {
    Vec3::from_array(b).as_dvec3() - Vec3::from_array(a).as_dvec3()
}

/// Prepares the body between two meshes with other triangles.
fn between(from: &TriMesh, to: &TriMesh, is_shell: bool, name: &str) -> Result<Kind, String> {
    let shape = |mesh: &TriMesh| match MeshSdf::new(mesh) {
        Ok(sdf) => Ok(Arc::new(MeshShape { source: name.to_owned(), sdf, is_shell })),
        Err(e) => Err(format!("{name}: {e}")),
    };
    let (from, to) = (shape(from)?, shape(to)?);
    let middle = |m: &MeshShape| 0.5 * (m.sdf.bounds().0 + m.sdf.bounds().1);
    let shift = middle(&to) - middle(&from);
    let blend = MeshBlend { from, to, share: 0.0, shift };
    if !is_shell && !blend_loses(&blend) {
        return Ok(Kind::Blended(blend));
    }
    let (from, to) = merged(&blend);
    Ok(Kind::Moving { from, to, topology: None })
}
