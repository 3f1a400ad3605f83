//! Apertures stored as a difference: those of the solids alone, and the faces that a step has changed.
//! Inflows close faces, and open sides are closed where water would enter.

use super::Apertures;
use crate::index::{FaceId, Field};
use crate::par;

/// Faces whose aperture differs from what solids alone give.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changed {
    /// The faces.
    pub faces: Vec<u32>,
    /// The open fraction of each of them.
    pub open: Vec<f32>,
    /// The velocity of the closed part of each of them.
    pub velocity: Vec<f64>,
}

impl Apertures {
    /// Returns the difference of these apertures from `plain` ones on the same mesh.
    pub fn changed_from(&self, plain: &Self) -> Changed {
        let value = |a: &Self, k: FaceId| (a.open[k].to_bits(), a.solid_velocity(k).to_bits());
        let faces = par::collect(self.open.len(), |i, out| {
            let k = FaceId(i as u32);
            if value(self, k) != value(plain, k) {
                out.push(i as u32);
            }
        });
        let open = faces.iter().map(|&k| self.open[FaceId(k)]).collect();
        let velocity = faces.iter().map(|&k| self.solid_velocity(FaceId(k))).collect();
        Changed { faces, open, velocity }
    }

    /// Returns these apertures with some faces changed; `None` if a face does not exist or a value is
    /// invalid.
    pub fn with_changed(mut self, changed: &Changed) -> Option<Self> {
        let Changed { faces, open, velocity } = changed;
        let n = self.open.len();
        let good = faces.len() == open.len()
            && faces.len() == velocity.len()
            && faces.iter().all(|&k| (k as usize) < n)
            && open.iter().all(|a| (0.0..=1.0).contains(a));
        if !good {
            return None;
        }
        if !faces.is_empty() && self.solid_velocity.is_empty() {
            self.solid_velocity = Field::filled(n, 0.0);
        }
        for ((&k, &open), &velocity) in faces.iter().zip(open).zip(velocity) {
            self.set(FaceId(k), open, velocity);
        }
        Some(self)
    }
}
