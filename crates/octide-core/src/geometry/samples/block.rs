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
/// Largest sum of second differences in medium blocks, in spacings of the samples, where the surface is near. In
/// the middle of a thin wall, the sum is 1 or more at a sample next to it, whatever the wall's direction.
const MAX_BEND_MEDIUM: f32 = 0.5;
/// The same in fine blocks, whose spacing is smaller.
const MAX_BEND_FINE: f32 = 0.9;
/// Up to this distance the surface is near, in edges of the block. Farther away, kinks are smoothed.
const NEAR: f64 = 0.5;
/// How far interpolation between every second sample may miss the ones between far from the surface, as a fraction
/// of the distance.
const MAX_MISS_FAR: f64 = 0.05;

/// Positions that miss a sample by less than this many spacings, by rounding, are on it.
const ON_SAMPLE: f64 = 1e-7;

/// A block.
pub(super) enum Block {
    /// Distances are not finite.
    Invalid,
    /// Far from the surface.
    Coarse(Box<Lattice<COARSE>>),
    /// Near a smooth part of the surface.
    Medium(Box<Lattice<MEDIUM>>),
    /// Near the surface, with one bit for each 2 × 2 × 2 voxels: whether distances there may be interpolated.
    /// Elsewhere only the samples themselves are used.
    Fine(Box<Lattice<FINE>>, u64),
}

/// Samples at the corners of N × N × N voxels, the first coordinate fastest.
pub(super) struct Lattice<const N: usize>(Vec<f32>);

impl Block {
    /// Fills a block with an edge of `edge`, by the distance at positions in the unit cube. Near the surface,
    /// interpolation between every second sample may miss the ones between by `max_miss` edges.
    pub fn new(distance: impl Fn(DVec3) -> f64, edge: f64, max_miss: f64) -> Self {
        let center = distance(DVec3::splat(0.5));
        if !center.is_finite() {
            return Self::Invalid;
        }
        if center.abs() > FAR * edge {
            return Self::Coarse(Box::new(Lattice::new(&distance)));
        }
        let samples = Lattice::<MEDIUM>::new(&distance);
        let is_smooth = samples.find_good::<COARSE>(&distance, edge, (max_miss, MAX_BEND_MEDIUM));
        if is_smooth.iter().all(|&good| good) {
            return Self::Medium(Box::new(samples));
        }
        let samples = Lattice::<FINE>::new(&distance);
        let smooth = samples.find_smooth(&distance, edge, max_miss);
        Self::Fine(Box::new(samples), smooth)
    }

    /// Returns the distance at a position in the unit cube, unless it must be computed.
    #[inline]
    pub fn interpolate(&self, q: DVec3) -> Option<f64> {
        match self {
            Self::Invalid => None,
            Self::Coarse(samples) => Some(samples.interpolate(q)),
            Self::Medium(samples) => Some(samples.interpolate(q)),
            Self::Fine(samples, smooth) => {
                if is_smooth_at(*smooth, q) {
                    Some(samples.interpolate(q))
                } else {
                    samples.sample_at(q)
                }
            }
        }
    }

    /// Returns the gradient of the interpolated distance at a position in the unit cube, per edge of the block, unless it
    /// must be computed.
    #[inline]
    pub fn gradient(&self, q: DVec3) -> Option<DVec3> {
        match self {
            Self::Invalid => None,
            Self::Coarse(samples) => Some(samples.gradient(q)),
            Self::Medium(samples) => Some(samples.gradient(q)),
            Self::Fine(samples, smooth) => is_smooth_at(*smooth, q).then(|| samples.gradient(q)),
        }
    }

    /// Returns the number of bytes that are held outside of the block itself.
    pub fn bytes(&self) -> usize {
        let of = |n: usize| size_of::<Vec<f32>>() + 4 * (n + 1).pow(3);
        match self {
            Self::Invalid => 0,
            Self::Coarse(_) => of(COARSE),
            Self::Medium(_) => of(MEDIUM),
            Self::Fine(..) => of(FINE),
        }
    }
}

/// Returns whether distances at a position in the unit cube of a fine block may be interpolated.
#[inline]
fn is_smooth_at(smooth: u64, q: DVec3) -> bool {
    let at = (q * (FINE / 2) as f64).as_uvec3().min(UVec3::splat(FINE as u32 / 2 - 1));
    smooth >> pair_index(at) & 1 == 1
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

    /// Returns the sum of the second differences along the axes at a sample, in spacings of the samples. On the
    /// sides of the block, `distance` gives the values beyond.
    fn bend(&self, i: usize, distance: impl Fn(DVec3) -> f64, edge: f64) -> f32 {
        let at = DVec3::from_array(Self::place(i).map(|i| i as f64));
        let mut sum = 0.0;
        for a in 0..3 {
            let beside = |step: f64| {
                let mut there = at;
                there[a] += step;
                if (0.0..=N as f64).contains(&there[a]) {
                    self.0[if step > 0.0 { i + Self::STRIDE[a] } else { i - Self::STRIDE[a] }]
                } else {
                    distance(there / N as f64) as f32
                }
            };
            sum += (beside(-1.0) - 2.0 * self.0[i] + beside(1.0)).abs();
        }
        sum * (N as f64 / edge) as f32
    }

    /// Returns for each sample whether interpolation is accurate there: every second sample (`HALF` is half of
    /// `N`) leads to it within `max_miss` edges, and near the surface the second differences sum up to at most
    /// `max_bend`.
    fn find_good<const HALF: usize>(
        &self,
        distance: impl Fn(DVec3) -> f64,
        edge: f64,
        (max_miss, max_bend): (f64, f32),
    ) -> Vec<bool> {
        let every_second = Lattice::<HALF>::new(|p| {
            let at = (p * N as f64).round().as_uvec3().to_array().map(|i| i as usize);
            f64::from(self.0[Self::index(at)])
        });
        let is_good = |i: usize| {
            let p = DVec3::from_array(Self::place(i).map(|i| i as f64)) / N as f64;
            let d = f64::from(self.0[i]);
            let miss = every_second.interpolate(p) - d;
            // False for numbers that are not finite.
            miss.abs() <= (max_miss * edge).max(MAX_MISS_FAR * d.abs())
                && (d.abs() > NEAR * edge || self.bend(i, &distance, edge) <= max_bend)
        };
        (0..self.0.len()).map(is_good).collect()
    }

    /// Returns the value at a position in the unit cube.
    #[inline]
    fn interpolate(&self, q: DVec3) -> f64 {
        let (at, t) = Self::voxel(q);
        let linear = t.map(|t| [1.0 - t, t]);
        let corrections: [[f32; 4]; 3] = std::array::from_fn(|a| Self::correction(at[a], t[a]));
        f64::from(self.weighted(at, linear, corrections))
    }

    /// Returns the gradient at a position in the unit cube: the interpolation is a sum of products with one factor for
    /// each axis.
    #[inline]
    fn gradient(&self, q: DVec3) -> DVec3 {
        let (at, t) = Self::voxel(q);
        let linear = t.map(|t| [1.0 - t, t]);
        let corrections: [[f32; 4]; 3] = std::array::from_fn(|a| Self::correction(at[a], t[a]));
        let along = |a: usize| {
            let (mut linear, mut corrections) = (linear, corrections);
            (linear[a], corrections[a]) = ([-1.0, 1.0], Self::correction_slope(at[a], t[a]));
            N as f64 * f64::from(self.weighted(at, linear, corrections))
        };
        DVec3::new(along(0), along(1), along(2))
    }

    /// Returns the voxel at a position in the unit cube, and the fractions in it.
    #[inline]
    fn voxel(q: DVec3) -> ([usize; 3], [f32; 3]) {
        let q = q * N as f64;
        let at = q.as_uvec3().min(UVec3::splat(N as u32 - 1));
        let t = (q - at.as_dvec3()).as_vec3().to_array();
        (at.to_array().map(|i| i as usize), t)
    }

    /// Returns the sum of the samples around a voxel with weights of linear interpolation and corrections of them.
    #[inline]
    fn weighted(&self, at: [usize; 3], linear: [[f32; 2]; 3], corrections: [[f32; 4]; 3]) -> f32 {
        let first = Self::index(at);
        let mut value = 0.0;
        for o in 0..8usize {
            let pick = [o & 1, o >> 1 & 1, o >> 2];
            let i = first + pick[0] + pick[1] * Self::STRIDE[1] + pick[2] * Self::STRIDE[2];
            let [x, y, z] = std::array::from_fn(|a| linear[a][pick[a]]);
            let [dx, dy, dz] = std::array::from_fn(|a| corrections[a][pick[a] + 1]);
            value += self.0[i] * (x * y * z + dx * y * z + x * dy * z + x * y * dz);
        }
        // The samples beyond the voxel along each axis.
        for a in 0..3 {
            let (b, c) = ((a + 1) % 3, (a + 2) % 3);
            let low = if at[a] > 0 { first - Self::STRIDE[a] } else { first };
            let high = if at[a] + 1 < N { first + 2 * Self::STRIDE[a] } else { first };
            for o in 0..4usize {
                let step = (o & 1) * Self::STRIDE[b] + (o >> 1) * Self::STRIDE[c];
                let weight = linear[b][o & 1] * linear[c][o >> 1];
                value += weight
                    * (corrections[a][0] * self.0[low + step] + corrections[a][3] * self.0[high + step]);
            }
        }
        value
    }

    /// Returns by how much the weights of four samples in a row, from the one before a voxel on, differ from
    /// those of linear interpolation.
    #[inline]
    fn correction(at: usize, t: f32) -> [f32; 4] {
        let scale = t * (1.0 - t) / 6.0;
        Self::correction_by(at, scale * (2.0 - t), scale * (1.0 + t))
    }

    /// Returns the derivative of these weights.
    #[inline]
    fn correction_slope(at: usize, t: f32) -> [f32; 4] {
        Self::correction_by(at, (2.0 - 6.0 * t + 3.0 * t * t) / 6.0, (1.0 - 3.0 * t * t) / 6.0)
    }

    #[inline]
    fn correction_by(at: usize, of_first: f32, of_second: f32) -> [f32; 4] {
        let both = of_first + of_second;
        if at == 0 {
            [0.0, -both, 2.0 * both, -both]
        } else if at + 1 == N {
            [-both, 2.0 * both, -both, 0.0]
        } else {
            [-of_first, 2.0 * of_first - of_second, 2.0 * of_second - of_first, -of_second]
        }
    }
}

impl Lattice<FINE> {
    /// Returns the sample at a position in the unit cube, if there is one.
    fn sample_at(&self, q: DVec3) -> Option<f64> {
        let q = q * FINE as f64;
        let nearest = q.round();
        let at = nearest.as_uvec3().to_array().map(|i| i as usize);
        let is_there = (q - nearest).abs().max_element() < ON_SAMPLE;
        is_there.then(|| f64::from(self.0[Self::index(at)]))
    }

    /// Returns a bit for each 2 × 2 × 2 voxels: whether the interpolation is accurate there.
    fn find_smooth(&self, distance: impl Fn(DVec3) -> f64, edge: f64, max_miss: f64) -> u64 {
        const HALF: usize = FINE / 2;
        let good = self.find_good::<HALF>(distance, edge, (max_miss, MAX_BEND_FINE));
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
