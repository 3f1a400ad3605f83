//! The narrow band of voxels around a surface, in bricks of 8³.
//!
//! Voxels are the finest cells of a domain. A voxel is in the band if its distance to the surface is less
//! than [`HALF_WIDTH`] voxels; a brick is kept if one of its voxels is in the band. There is no liquid beyond
//! the domain's walls,
//!
//! ```text
//! φ(x) = max(φ_liquid(x), d(x)),   d the signed distance to the domain's box,
//! ```
//!
//! so the surface is closed. Bricks are found from coarse to fine: a block of voxels is skipped if its center
//! is farther from the surface than the block's corners and the band extend, with a margin for distances that
//! are wrong by a fifth. Only the list of bricks is stored; values are computed brick by brick when they are
//! needed.
//!
//! Guarantees: bricks and values do not depend on the number of threads; every point without a brick is
//! entirely inside or outside the liquid, and farther from the surface than the width of the band.

#[cfg(test)]
mod tests;

use crate::contract::StateView;
use crate::par;
use crate::scene::Domain;
use glam::{DVec3, IVec3};

/// Number of voxels along a brick's edge.
pub const EDGE: i32 = 8;

/// Number of voxels in a brick.
pub const N_VOXELS: usize = 512;

/// Width of the band on each side of the surface, in voxels.
pub const HALF_WIDTH: f64 = 3.0;

/// The factor by which a distance may be too large.
const TRUST: f64 = 1.25;

/// Number of voxels along the edges of the blocks that the search starts with.
const BLOCK: i32 = 64;

/// Voxel (0, 0, 0) lies this many cells below the domain's first one, so that walls pass through the middle
/// of bricks. If a side is a multiple of 8 cells long, the band at a wall then fits into one layer of bricks
/// instead of two.
const MARGIN: i32 = EDGE / 2;

/// The bricks of a narrow band.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// The center of voxel (0, 0, 0).
    pub origin: DVec3,
    /// Edge length of voxels.
    pub dx: f64,
    low: DVec3,
    high: DVec3,
    /// The lowest voxels of bricks that the band may overlap, all multiples of 8.
    pub bricks: Vec<IVec3>,
    /// The lowest voxels of bricks that are entirely in the liquid, beyond the band.
    pub inside: Vec<IVec3>,
}

/// The values of a brick; voxel (i, j, k) has index 64 i + 8 j + k.
#[derive(Clone, Debug, PartialEq)]
pub struct Brick {
    /// Signed distances, negative in liquid, clamped to the width of the band.
    pub phi: [f32; N_VOXELS],
    /// Velocities in m/s; zero outside the band.
    pub velocity: [[f32; 3]; N_VOXELS],
}

impl Band {
    /// Finds the bricks of the liquid in a domain.
    pub fn find(domain: &Domain, liquid: &dyn StateView) -> Self {
        let dx = domain.dx();
        let mut band = Self {
            origin: domain.origin + dx * (0.5 - f64::from(MARGIN)),
            dx,
            low: domain.origin,
            high: domain.origin + domain.size,
            bricks: Vec::new(),
            inside: Vec::new(),
        };
        let n_cells = (domain.size / dx).round().as_ivec3();
        let n = (n_cells + 2 * MARGIN + BLOCK - 1) / BLOCK;
        let parts = par::map_each((n.x * n.y * n.z) as usize, |i| {
            let i = i as i32;
            let block = IVec3::new(i / (n.y * n.z), i / n.z % n.y, i % n.z);
            let mut found = (Vec::new(), Vec::new());
            band.search(liquid, BLOCK * block, BLOCK, &mut found);
            found
        });
        for (bricks, inside) in parts {
            band.bricks.extend(bricks);
            band.inside.extend(inside);
        }
        band
    }

    /// Returns the width of the band on each side of the surface, in m.
    pub fn width(&self) -> f64 {
        HALF_WIDTH * self.dx
    }

    /// Computes the values of the brick whose lowest voxel is `low`.
    pub fn brick(&self, liquid: &dyn StateView, low: IVec3) -> Brick {
        let mut brick = Brick { phi: [0.0; N_VOXELS], velocity: [[0.0; 3]; N_VOXELS] };
        let half = EDGE / 2;
        for octant in 0..8 {
            let at = half * IVec3::new(octant >> 2, octant >> 1 & 1, octant & 1);
            // Far from the liquid's surface, such as along the floor, only the distance to walls varies.
            let far = self.far(half, self.liquid(liquid, self.middle(low + at, half)));
            for v in 0..half * half * half {
                let v = at + IVec3::new(v / (half * half), v / half % half, v % half);
                let p = self.position((low + v).as_dvec3());
                let phi = far.unwrap_or_else(|| self.liquid(liquid, p)).max(self.wall(p));
                let slot = ((v.x * EDGE + v.y) * EDGE + v.z) as usize;
                brick.phi[slot] = phi.clamp(-self.width(), self.width()) as f32;
                if self.is_active(brick.phi[slot]) {
                    brick.velocity[slot] =
                        liquid.surface_velocity(p.clamp(self.low, self.high)).as_vec3().to_array();
                }
            }
        }
        brick
    }

    /// Returns whether a voxel with this value is in the band.
    pub fn is_active(&self, phi: f32) -> bool {
        phi.abs() < self.width() as f32
    }

    fn search(&self, liquid: &dyn StateView, low: IVec3, edge: i32, found: &mut (Vec<IVec3>, Vec<IVec3>)) {
        match self.is_far(liquid, low, edge) {
            Some(phi) if phi < 0.0 => {
                let n = edge / EDGE;
                let all = (0..n * n * n).map(|i| low + EDGE * IVec3::new(i / (n * n), i / n % n, i % n));
                found.1.extend(all);
            }
            Some(_) => {}
            None if edge == EDGE => found.0.push(low),
            None => {
                let half = edge / 2;
                for o in 0..8 {
                    let child = low + half * IVec3::new(o >> 2, o >> 1 & 1, o & 1);
                    self.search(liquid, child, half, found);
                }
            }
        }
    }

    /// Returns the distance at the center of a block of voxels if it implies that none of them is in the
    /// band.
    fn is_far(&self, liquid: &dyn StateView, low: IVec3, edge: i32) -> Option<f64> {
        let p = self.middle(low, edge);
        let wall = self.wall(p);
        // If the wall decides, the liquid need not be sampled.
        self.far(edge, wall)
            .filter(|&phi| phi > 0.0)
            .or_else(|| self.far(edge, wall.max(self.liquid(liquid, p))))
    }

    /// Returns `phi`, the distance at the center of a block, if it implies that the block is beyond the band.
    fn far(&self, edge: i32, phi: f64) -> Option<f64> {
        let reach = 0.5 * f64::from(edge - 1) * self.dx * 3f64.sqrt() + self.width();
        (phi.abs() > TRUST * reach).then_some(phi)
    }

    fn middle(&self, low: IVec3, edge: i32) -> DVec3 {
        self.position(low.as_dvec3() + 0.5 * f64::from(edge - 1))
    }

    fn position(&self, voxel: DVec3) -> DVec3 {
        self.origin + self.dx * voxel
    }

    /// Returns the distance to the liquid at the point of the domain nearest to `p`.
    fn liquid(&self, liquid: &dyn StateView, p: DVec3) -> f64 {
        liquid.surface_distance(p.clamp(self.low, self.high))
    }

    /// Returns the signed distance to the domain's box, negative inside.
    fn wall(&self, p: DVec3) -> f64 {
        let beyond = (self.low - p).max(p - self.high);
        let nearest = beyond.max_element();
        if nearest > 0.0 { beyond.max(DVec3::ZERO).length() } else { nearest }
    }
}
