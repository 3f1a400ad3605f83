//! Parameters of the cell size in smoke.

use glam::DVec3;
use octide_core::scene::Scene;
use octide_core::sizing::{Regions, View};

/// Half of a cell's diagonal, in edges.
pub(crate) const HALF_DIAGONAL: f64 = 0.87;

/// U is at least this fraction of the scene's reference speed, because motion in air that is nearly at rest
/// needs no detail.
const LEAST_SPEED: f64 = 0.1;

/// A scene's parameters of the cell size.
#[derive(Clone, Debug)]
pub struct Detail {
    /// r, in finest cells; 0 turns it off.
    pub solids: f64,
    /// w; 0 turns it off.
    pub vorticity: f64,
    /// ρ₀ and ρ₁.
    pub density: [f64; 2],
    /// The least U, in m/s.
    pub least_speed: f64,
    /// From 0, finest cells everywhere, to 1, cells as large as allowed.
    pub strength: f64,
    /// How often the cells of a level are spread to their face neighbors.
    pub dilation: u32,
    /// Regions in which the scene bounds the cell size.
    pub regions: Regions,
    /// The camera's view; without a camera, everything is visible.
    pub view: Option<View>,
}

impl Detail {
    /// Reads the parameters from a scene whose air has a speed of about `speed`.
    pub fn of(scene: &Scene, speed: f64) -> Self {
        let (a, s) = (&scene.adaptivity, &scene.adaptivity.smoke);
        let densest = scene.smoke.iter().map(|s| s.density).fold(0.0, f64::max);
        Self {
            solids: s.solids,
            vorticity: s.vorticity,
            density: s.density.map(|share| share * densest),
            least_speed: LEAST_SPEED * speed,
            strength: a.strength,
            dilation: a.dilation,
            regions: Regions::new(scene),
            view: View::of(scene),
        }
    }

    pub(crate) fn sees(&self, p: DVec3, h: f64) -> bool {
        self.view.is_none_or(|v| v.sees(p, HALF_DIAGONAL * h))
    }

    /// Returns whether some of the densities are in the band, widened by a factor; the band is empty if ρ₁ ≤
    /// ρ₀.
    pub(crate) fn in_band(&self, [least, most]: [f64; 2], wider: f64) -> bool {
        let [low, high] = self.density;
        high > low && most > low / wider && least < high * wider
    }
}
