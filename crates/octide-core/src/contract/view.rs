//! Samples of a simulation's state at any point.

use super::SmokeSample;
use glam::DVec3;

/// The state at any point of the domain, for probes and voxel files. Several threads may read it at the same
/// time.
///
/// Distances are signed and negative in liquid. They are infinite if the method simulates smoke, since there
/// is no liquid. They may be wrong by a fifth.
pub trait StateView: Sync {
    /// Returns the signed distance to the surface that volumes show. This surface extends a little into solids.
    fn surface_distance(&self, p: DVec3) -> f64;

    /// Returns the signed distance to the liquid outside solids, which is not negative in air and inside
    /// solids. The sign is always right.
    fn liquid_distance(&self, p: DVec3) -> f64;

    /// Returns the edge length of the cell at a point in m. Distances have no detail below this scale.
    fn detail(&self, p: DVec3) -> f64;

    /// Returns the velocity in m/s that the vertices of the frame's surface have, extrapolated beyond the
    /// liquid.
    fn surface_velocity(&self, p: DVec3) -> DVec3;

    /// Returns all values at a point, interpolated by the method.
    fn sample(&self, p: DVec3) -> Sample;
}

/// Values at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Signed distance to the liquid's surface in m, negative inside; extended into solids.
    pub phi: f64,
    /// Signed distance to solids in m, negative inside; infinite if there are no solids.
    pub solid: f64,
    /// Velocity in m/s, extrapolated outside the liquid.
    pub velocity: DVec3,
    /// Pressure relative to that of the air in Pa, averaged over the last step; 0 in air, `None` before the
    /// first step.
    pub pressure: Option<f64>,
    /// Smoke; `None` if the method simulates water.
    pub smoke: Option<SmokeSample>,
}
