//! The velocity with which the surface of a deforming body pushes the fluid beside it.
//!
//! In a step of length τ, a triangle with the vector area A(t) whose vertices move straight with v sweeps the volume
//!
//! ```text
//! ∫ v·A dt = τ v·Ā,      Ā = A + τ/2 Ȧ + τ²/6 ė₁ × ė₂,
//! ```
//!
//! where e₁ and e₂ are two of its edges. A fluid that the surface pushes with v through A, which is where the triangle is
//! when the step begins, would be short of (v·Ā − v·A): the normal velocity gets this difference. A ball that grows by a
//! tenth of its radius in a step would displace a tenth too little without it. Of a body that turns, straight ways lead
//! into it and out of it again, and without the difference it would seem to shrink.
//!
//! Beside the surface, the velocity is that of a fluid which keeps its volume: with D, the rate at which the area grows,
//! it changes at a distance d by w = D d/|v| to first order. The flow of a ball that grows is v (R/r)², which is v/(1 −
//! w/2)² inside. Faces of a grid that the body closes are inside it, and as much has to flow through them as through the
//! surface.

use super::interval::{Interval, Kind, way_of};
use crate::geometry::mesh_sdf::SurfacePoint;
use crate::geometry::{MeshShape, Shape};
use glam::DVec3;
use std::sync::Arc;

/// The normal velocity changes by at most this share in a step.
const MAX_CHANGE: f64 = 0.5;

/// The largest w: where the body is half as wide as it is at its surface, or less, this is a guess.
const MAX_NARROWING: f64 = 0.8;

/// The velocity of a surface.
#[derive(Clone, Debug)]
pub struct Push {
    pub(super) interval: Arc<Interval>,
    /// The share of the interval that has passed.
    pub(super) share: f64,
    /// Intervals per second; 0 at rest.
    pub(super) rate: f64,
    /// The length of the step that follows, in s; 0 for the velocity at one time.
    pub(super) lead: f64,
    /// The body by the triangles of the interval, if its shape has others.
    pub(super) mesh: Option<Arc<MeshShape>>,
}

impl Push {
    /// Returns the velocity near the surface of a body, at a point of its frame.
    pub(super) fn velocity(&self, shape: &Shape, x: DVec3) -> DVec3 {
        if self.rate <= 0.0 {
            return DVec3::ZERO;
        }
        let mesh = match (&self.mesh, shape) {
            (Some(mesh), _) | (None, Shape::Mesh(mesh)) => Some(mesh),
            _ => None,
        };
        let step = self.rate * self.lead;
        let way = match (&self.interval.kind, mesh) {
            (Kind::Moving { from, to, .. }, Some(mesh)) => {
                let way = |v: u32| way_of(from.positions[v as usize], to[v as usize]);
                mesh.sdf.closest(x).map_or(DVec3::ZERO, |at| way_beside(mesh, &at, way, step, x))
            }
            (Kind::Blended(blend), _) => blend.with_share(self.share).velocity(x, step),
            _ => DVec3::ZERO,
        };
        self.rate * way
    }
}

/// Returns the velocity at `x`, beside the point `at` of a mesh, in m per interval. `step` is in intervals.
fn way_beside(mesh: &MeshShape, at: &SurfacePoint, way: impl Fn(u32) -> DVec3, step: f64, x: DVec3) -> DVec3 {
    let [a, b, c] = at.vertices().map(|v| mesh.sdf.mesh().vertex(v));
    let [va, vb, vc] = at.vertices().map(&way);
    let area = (b - a).cross(c - a);
    let rate = (vb - va).cross(c - a) + (b - a).cross(vc - va);
    let own = at.mean(&way);
    let squared = area.length_squared();
    if squared <= 0.0 {
        return own;
    }
    let swept = 0.5 * step * rate + step * step / 3.0 * (vb - va).cross(vc - va);
    let speed = own.length();
    let mean = own + (own.dot(swept) / squared * area).clamp_length_max(MAX_CHANGE * speed);
    // A shell has no inside.
    let beside = x - at.position;
    let distance = beside.length();
    if mesh.is_shell || speed <= 0.0 || distance <= 0.0 {
        return mean;
    }
    let narrowing = area.dot(rate) / squared * distance / speed;
    let w = 0.5 * narrowing.abs().min(MAX_NARROWING);
    let is_inside = beside.dot(area) < 0.0;
    let change = if is_inside { (1.0 - w).powi(-2) - 1.0 } else { 1.0 - (1.0 + w).powi(-2) };
    mean - change.copysign(narrowing) * mean.length() / distance * beside
}
