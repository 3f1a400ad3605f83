//! Choices that concern the size of cells of smoke.

use glam::DVec3;
use octide_core::scene::Scene;
use octide_core::sizing::{Regions, View};

/// Half a cell's diagonal, in edges.
pub(crate) const HALF_DIAGONAL: f64 = 0.87;

/// U is at least this share of the scene's own speed: what stirs in air that is all but at rest needs no
/// detail.
const LEAST_SPEED: f64 = 0.1;

/// What a scene says of where cells are small.
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
    /// From 0, finest cells everywhere, to 1.
    pub strength: f64,
    /// How often the cells of a level are spread to their face neighbors.
    pub dilation: u32,
    /// Where the scene bounds the size of cells.
    pub regions: Regions,
    /// What can be seen; all of it without a camera.
    pub view: Option<View>,
}

impl Detail {
    /// The choices of a scene whose air is about as fast as `speed`.
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

    /// Whether some of the densities are in the band, which is empty if its ends say so.
    pub(crate) fn in_band(&self, [least, most]: [f64; 2], wider: f64) -> bool {
        let [low, high] = self.density;
        high > low && most > low / wider && least < high * wider
    }
}
