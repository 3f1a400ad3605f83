//! The state of a simulation at any point.

use super::SmokeSample;
use glam::DVec3;

/// The state at any point of the domain: what probes read, and what files of voxels are filled from. Several
/// threads may read it at the same time.
///
/// Distances are signed and negative in liquid; where a method simulates smoke there is no liquid and they are
/// infinite. They may be wrong by a fifth.
pub trait StateView: Sync {
    /// Signed distance to the surface that the frame shows. Liquid reaches a little into solids.
    fn surface_distance(&self, p: DVec3) -> f64;

    /// Signed distance to the liquid outside solids: not negative in air and inside solids. The sign is always
    /// right.
    fn liquid_distance(&self, p: DVec3) -> f64;

    /// Edge length of the cell at a point in m: distances bend at this scale, not below.
    fn detail(&self, p: DVec3) -> f64;

    /// Velocity in m/s as the vertices of the frame's surface have it, extrapolated beyond the liquid.
    fn surface_velocity(&self, p: DVec3) -> DVec3;

    /// All values at a point, by the method's own interpolation.
    fn sample(&self, p: DVec3) -> Sample;
}

/// Values at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Signed distance to the liquid's surface in m, negative inside; continued into solids.
    pub phi: f64,
    /// Distance to solids in m, negative inside; infinite without solids.
    pub solid: f64,
    /// Velocity in m/s; outside the liquid it is extrapolated.
    pub velocity: DVec3,
    /// Pressure above that of the air in Pa, the mean over the last step; 0 in air, `None` before the first
    /// step.
    pub pressure: Option<f64>,
    /// Smoke; `None` where the method simulates water.
    pub smoke: Option<SmokeSample>,
}
