//! Collision of particles with the domain's walls.

use crate::octree::RootGrid;
use crate::scene::OpenSides;
use glam::DVec3;

/// The domain's box, slightly shrunk so that no particle lies on its sides.
#[derive(Clone, Copy, Debug)]
pub struct Walls {
    low: DVec3,
    high: DVec3,
    open: OpenSides,
}

impl Walls {
    /// Returns the box of a grid, shrunk by `margin` on each side.
    pub fn new(grid: &RootGrid, margin: f64, open: OpenSides) -> Self {
        Self { low: grid.low() + margin, high: grid.high() - margin, open }
    }

    /// Returns the nearest point inside the box.
    #[inline]
    pub fn clamped(&self, x: DVec3) -> DVec3 {
        x.clamp(self.low, self.high)
    }

    /// Returns whether a point is inside the box.
    #[inline]
    pub fn holds(&self, x: DVec3) -> bool {
        x.cmpge(self.low).all() && x.cmple(self.high).all()
    }

    /// Returns the nearest point that walls allow, which may be outside beyond open sides, and along which
    /// axes a wall was hit.
    #[inline]
    pub fn inside(&self, x: DVec3) -> (DVec3, [bool; 3]) {
        let mut to = self.clamped(x);
        let mut hit = [false; 3];
        for a in 0..3 {
            if to[a] != x[a] {
                let side = 2 * a + usize::from(x[a] > to[a]);
                if self.open.sides[side] {
                    to[a] = x[a];
                } else {
                    hit[a] = true;
                }
            }
        }
        (to, hit)
    }
}
