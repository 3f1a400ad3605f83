//! One block of samples, and the interpolation between them.
//!
//! Along an axis, the value at the fraction `t` between the samples 0 and 1 is
//!
//! ```text
//! f₀ + t (f₁ − f₀) − t (1 − t) / 6 · ((2 − t) Δ²₀ + (1 + t) Δ²₁),   Δ²ᵢ = fᵢ₋₁ − 2 fᵢ + fᵢ₊₁,
//! ```
//!
//! which is exact for cubics. In space, the three corrections are added to the trilinear value. At the sides of
//! the block, Δ² is that of the next sample inside.

use glam::{DVec3, UVec3};

/// Voxels along an edge of a block far from the surface.
const COARSE: usize = 2;
/// Voxels along an edge of a block near a smooth part of the surface.
const MEDIUM: usize = 4;
/// Voxels along an edge of other blocks near the surface.
const FINE: usize = 8;
/// Blocks whose center is farther from the surface than this many edges are coarse.
const FAR: f64 = 2.5;
/// Largest second difference in coarse and medium blocks, in spacings of the samples. At a kink of the
/// distance, the slope changes by up to 2.
const MAX_BEND: f32 = 0.2;
/// Largest second difference in fine blocks, whose spacing is smaller.
const MAX_BEND_FINE: f32 = 0.35;
/// How far interpolation between every second sample may miss the ones between, in edges of the block. The
/// interpolation between all samples has at most half that error at a kink, and a sixteenth where the distance
/// is smooth.
const MAX_MISS: f64 = 0.005;

/// A block.
pub(super) enum Block {
    /// All distances must be computed.
    Rough,
    /// Far from the surface.
    Coarse(Box<Lattice<COARSE>>),
    /// Near a smooth part of the surface.
    Medium(Box<Lattice<MEDIUM>>),
    /// Near the surface, with one bit for each 2 × 2 × 2 voxels: whether distances there may be interpolated.
    Fine(Box<Lattice<FINE>>, u64),
}

/// Samples at the corners of N × N × N voxels, the first coordinate fastest.
pub(super) struct Lattice<const N: usize>(Vec<f32>);

impl Block {
    /// Fills a block with an edge of `edge`, by the distance at positions in the unit cube.
    pub fn new(distance: impl Fn(DVec3) -> f64, edge: f64) -> Self {
        let center = distance(DVec3::splat(0.5));
        if !center.is_finite() {
            return Self::Rough;
        }
        if center.abs() > FAR * edge {
            let samples = Lattice::<COARSE>::new(&distance);
            if (0..samples.0.len()).all(|i| samples.bend(i, edge) <= MAX_BEND) {
                return Self::Coarse(Box::new(samples));
            }
        }
        let samples = Lattice::<MEDIUM>::new(&distance);
        let is_smooth = samples.find_good::<COARSE>(edge, MAX_BEND);
        if is_smooth.iter().all(|&good| good) {
            return Self::Medium(Box::new(samples));
        }
        let samples = Lattice::<FINE>::new(&distance);
        let smooth = samples.find_smooth(edge);
        if smooth == 0 { Self::Rough } else { Self::Fine(Box::new(samples), smooth) }
    }

    /// Returns the distance at a position in the unit cube, unless it must be computed.
    #[inline]
    pub fn interpolate(&self, q: DVec3) -> Option<f64> {
        match self {
            Self::Rough => None,
            Self::Coarse(samples) => Some(samples.interpolate(q)),
            Self::Medium(samples) => Some(samples.interpolate(q)),
            Self::Fine(samples, smooth) => {
                let at = (q * (FINE / 2) as f64).as_uvec3().min(UVec3::splat(FINE as u32 / 2 - 1));
                (smooth >> pair_index(at) & 1 == 1).then(|| samples.interpolate(q))
            }
        }
    }

    /// Returns the number of bytes that are held outside of the block itself.
    pub fn bytes(&self) -> usize {
        let of = |n: usize| size_of::<Vec<f32>>() + 4 * (n + 1).pow(3);
        match self {
            Self::Rough => 0,
            Self::Coarse(_) => of(COARSE),
            Self::Medium(_) => of(MEDIUM),
            Self::Fine(..) => of(FINE),
        }
    }
}

/// Returns the number of a cube of 2 × 2 × 2 voxels in a fine block.
fn pair_index(at: UVec3) -> u32 {
    const N: u32 = FINE as u32 / 2;
    (at.z * N + at.y) * N + at.x
}

impl<const N: usize> Lattice<N> {
    const STRIDE: [usize; 3] = [1, N + 1, (N + 1) * (N + 1)];

    fn new(distance: impl Fn(DVec3) -> f64) -> Self {
        let mut samples = Vec::with_capacity((N + 1).pow(3));
        for z in 0..=N {
            for y in 0..=N {
                for x in 0..=N {
                    samples.push(distance(DVec3::new(x as f64, y as f64, z as f64) / N as f64) as f32);
                }
            }
        }
        Self(samples)
    }

    fn index([x, y, z]: [usize; 3]) -> usize {
        (z * (N + 1) + y) * (N + 1) + x
    }

    /// Returns the coordinates of a sample.
    fn place(i: usize) -> [usize; 3] {
        [i % (N + 1), i / (N + 1) % (N + 1), i / (N + 1).pow(2)]
    }

    /// Returns the largest second difference along an axis at a sample, in spacings of the samples.
    fn bend(&self, i: usize, edge: f64) -> f32 {
        let along = |a: usize| {
            let mut inside = Self::place(i);
            inside[a] = inside[a].clamp(1, N - 1);
            self.second_difference(Self::index(inside), Self::STRIDE[a]).abs()
        };
        along(0).max(along(1)).max(along(2)) * (N as f64 / edge) as f32
    }

    /// Returns for each sample whether interpolation is accurate there: every second sample (`HALF` is half of
    /// `N`) leads to it, and the second difference is at most `max_bend`.
    fn find_good<const HALF: usize>(&self, edge: f64, max_bend: f32) -> Vec<bool> {
        let every_second = Lattice::<HALF>::new(|p| {
            let at = (p * N as f64).round().as_uvec3().to_array().map(|i| i as usize);
            f64::from(self.0[Self::index(at)])
        });
        let is_good = |i: usize| {
            let p = DVec3::from_array(Self::place(i).map(|i| i as f64)) / N as f64;
            let miss = every_second.interpolate(p) - f64::from(self.0[i]);
            // False for numbers that are not finite.
            miss.abs() <= MAX_MISS * edge && self.bend(i, edge) <= max_bend
        };
        (0..self.0.len()).map(is_good).collect()
    }

    #[inline]
    fn second_difference(&self, i: usize, stride: usize) -> f32 {
        self.0[i - stride] - 2.0 * self.0[i] + self.0[i + stride]
    }

    /// Returns the value at a position in the unit cube.
    #[inline]
    fn interpolate(&self, q: DVec3) -> f64 {
        let q = q * N as f64;
        let at = q.as_uvec3().min(UVec3::splat(N as u32 - 1));
        let t = (q - at.as_dvec3()).as_vec3().to_array();
        let at = at.to_array().map(|i| i as usize);
        let first = Self::index(at);
        let weights = t.map(|t| [1.0 - t, t]);
        let mut value = 0.0;
        for o in 0..8usize {
            let pick = [o & 1, o >> 1 & 1, o >> 2];
            let mut i = first;
            for a in 0..3 {
                i += pick[a] * Self::STRIDE[a];
            }
            let mut bend = 0.0;
            for a in 0..3 {
                // The second differences of samples 0 and 1 count (2 − t) / (1 − t) and (1 + t) / t times their
                // weight in the trilinear value, times t (1 − t) / 6.
                let share = if pick[a] == 0 { t[a] * (2.0 - t[a]) } else { (1.0 - t[a]) * (1.0 + t[a]) };
                let j = i + Self::STRIDE[a] * usize::from(at[a] + pick[a] == 0)
                    - Self::STRIDE[a] * usize::from(at[a] + pick[a] == N);
                bend += share * self.second_difference(j, Self::STRIDE[a]);
            }
            let weight = weights[0][pick[0]] * weights[1][pick[1]] * weights[2][pick[2]];
            value += weight * (self.0[i] - bend / 6.0);
        }
        f64::from(value)
    }
}

impl Lattice<FINE> {
    /// Returns a bit for each 2 × 2 × 2 voxels: whether the interpolation is accurate there.
    fn find_smooth(&self, edge: f64) -> u64 {
        const HALF: usize = FINE / 2;
        let good = self.find_good::<HALF>(edge, MAX_BEND_FINE);
        let mut smooth = 0;
        for pair in 0..HALF.pow(3) {
            let low = [pair % HALF, pair / HALF % HALF, pair / HALF / HALF].map(|i| 2 * i);
            let mut corners = (0..27).map(|i| [low[0] + i % 3, low[1] + i / 3 % 3, low[2] + i / 9]);
            if corners.all(|at| good[Self::index(at)]) {
                smooth |= 1u64 << pair;
            }
        }
        smooth
    }
}
