//! Parameters of the cell sizes.

use octide_core::scene::Scene;
use octide_core::sizing::{Decay, Regions, View};

/// T₂ of eq. (36) as a fraction of the time in which the scene's reference speed crosses the domain; it
/// corresponds to the paper's 0.01 s in a tank of 1 m × 0.5 m.
const DECAY_SHARE: f64 = 1.0 / 45.0;

/// How sizing values determine cells.
#[derive(Clone, Debug)]
pub struct SizingParams {
    /// α of eq. (38), from 0 (finest cells everywhere) to 1.
    pub strength: f64,
    /// How many times the cells of a level are dilated to their face neighbors (§6.3).
    pub dilation: u32,
    /// T₁ and T₂ of eq. (36).
    pub decay: Decay,
    /// Where the scene bounds the size of cells.
    pub regions: Regions,
    /// The camera's view; without a camera everything counts as seen.
    pub view: Option<View>,
}

impl Default for SizingParams {
    fn default() -> Self {
        Self {
            strength: 1.0,
            dilation: 0,
            decay: Decay { fraction: 0.9, time: 0.01 },
            regions: Regions::default(),
            view: None,
        }
    }
}

impl SizingParams {
    /// Returns the parameters of a scene whose water moves at about `speed`.
    pub fn from_scene(scene: &Scene, speed: f64) -> Self {
        let a = &scene.adaptivity;
        Self {
            strength: a.strength,
            dilation: a.dilation,
            decay: Decay {
                fraction: a.decay,
                time: a.decay_time.unwrap_or(DECAY_SHARE * scene.domain.size.max_element() / speed),
            },
            regions: Regions::new(scene),
            view: View::of(scene),
        }
    }
}
