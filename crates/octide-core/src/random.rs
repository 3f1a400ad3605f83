//! Random numbers by hashing: the same keys give the same number, independent of the caller and of the order
//! of calls.

use glam::{DVec3, IVec3};

/// Mixes all bits of the keys, with the finalizer of `SplitMix64` once per key.
#[inline]
pub fn hash<const N: usize>(keys: [u64; N]) -> u64 {
    keys.into_iter().fold(0, |h: u64, key| mix(h ^ key))
}

#[inline]
fn mix(x: u64) -> u64 {
    let mut x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Returns a number in [0, 1).
#[inline]
pub fn unit<const N: usize>(keys: [u64; N]) -> f64 {
    (hash(keys) >> 11) as f64 / (1u64 << 53) as f64
}

/// A scene's seed. It affects every random number of a run: the same seed gives the same numbers, another one
/// gives independent numbers of the same distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed {
    /// Mixed into keys; zero for the default seed.
    salt: u64,
}

impl Seed {
    /// Creates the seed that a scene specifies.
    pub fn new(seed: u64) -> Self {
        Self { salt: mix(seed) ^ mix(1) }
    }

    /// Returns whether this is the seed of scenes that do not specify one.
    pub fn is_default(self) -> bool {
        self.salt == 0
    }
}

impl Default for Seed {
    /// Returns the seed of scenes that do not specify one, which is 1.
    fn default() -> Self {
        Self::new(1)
    }
}

/// Random numbers for a position in a box that are mirrored and rotated with the box, so that random choices
/// preserve the symmetry of a scene.
///
/// A position is identified by its distance from the nearer side along each axis, and by which side that is.
/// Where the distances along two axes are equal, vectors have the same component along both (or 1 minus it);
/// [`spread`](Self::spread) returns many positions that are not all on the diagonal there.
///
/// ```
/// use glam::IVec3;
/// use octide_core::random::{Seed, Symmetric};
///
/// let (size, seed) = (IVec3::new(8, 4, 4), Seed::new(5));
/// let here = Symmetric::new(IVec3::new(1, 0, 2), size, seed);
/// let mirrored = Symmetric::new(IVec3::new(6, 0, 2), size, seed);
/// let (u, v) = (here.vector(7), mirrored.vector(7));
/// assert_eq!([u.x, u.y, u.z], [1.0 - v.x, v.y, v.z]);
/// assert_eq!(here.unit(7), mirrored.unit(7));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Symmetric {
    /// Hash of the position along each axis.
    axes: [u64; 3],
    /// Along which axes the nearer side is the upper one.
    upper: [bool; 3],
    /// Hash of the position, independent of the order of axes, combined with the seed.
    all: u64,
}

impl Symmetric {
    /// Creates the random numbers for the position `at`, from zero to below `size`.
    #[inline]
    pub fn new(at: IVec3, size: IVec3, seed: Seed) -> Self {
        let far = size - 1 - at;
        let upper = at.cmpgt(far).into();
        let axes = at.min(far).to_array().map(|c| mix(u64::from(c as u32)));
        Self { axes, upper, all: axes.iter().fold(0u64, |all, &a| all.wrapping_add(a)) ^ seed.salt }
    }

    /// Returns a number in (0, 1).
    #[inline]
    pub fn unit(&self, key: u64) -> f64 {
        open_unit(mix(self.all ^ mix(key)))
    }

    /// Returns a position in (0, 1)³.
    #[inline]
    pub fn vector(&self, key: u64) -> DVec3 {
        let all = mix(self.all ^ mix(key));
        let part = |a: usize| self.along(a, open_unit(mix(all ^ self.axes[a])));
        DVec3::new(part(0), part(1), part(2))
    }

    /// Returns `n` positions in (0, 1)³, each with a number in (0, 1). As a set they are mirrored and rotated
    /// with the box: if the distances along two axes are equal, they come in pairs that are images of each
    /// other.
    pub fn spread(&self, key: u64, n: usize) -> impl Iterator<Item = (DVec3, f64)> + use<> {
        let alike = self.alike();
        let (this, pairs) = (*self, if alike.is_some() { n / 2 } else { 0 });
        (0..n).map(move |i| {
            let (i, is_image) = if i < 2 * pairs { (i / 2, i % 2 == 1) } else { (i, false) };
            let key = mix(key ^ mix(i as u64));
            let mut place = this.vector(key);
            if let Some([a, b]) = alike.filter(|_| i < pairs) {
                let own = [key, key ^ 1].map(|k| this.unit(mix(k)));
                for (axis, which) in [(a, is_image), (b, !is_image)] {
                    place[axis] = this.along(axis, own[usize::from(which)]);
                }
            }
            (place, this.unit(key))
        })
    }

    /// Converts a fraction along an axis, counted from the nearer side, to one from the lower side.
    #[inline]
    fn along(&self, axis: usize, part: f64) -> f64 {
        if self.upper[axis] { 1.0 - part } else { part }
    }

    /// Returns the two axes along which the distances from the nearer sides are equal, if there are exactly
    /// two.
    fn alike(&self) -> Option<[usize; 2]> {
        let same = |a: usize, b: usize| self.axes[a] == self.axes[b];
        match [same(0, 1), same(1, 2), same(2, 0)] {
            [true, false, false] => Some([0, 1]),
            [false, true, false] => Some([1, 2]),
            [false, false, true] => Some([2, 0]),
            _ => None,
        }
    }
}

/// Returns a number between zero and one which, like its difference from one, is represented without
/// rounding.
#[inline]
fn open_unit(hash: u64) -> f64 {
    ((hash >> 12) as f64 + 0.5) / (1u64 << 52) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3Swizzles;

    /// Mirrored along any axes and with axes exchanged.
    #[test]
    fn mirrored_and_turned_places_have_mirrored_and_turned_numbers() {
        let size = IVec3::new(16, 10, 8);
        for i in 0..16 * 10 * 8 {
            let at = IVec3::new(i % 16, i / 16 % 10, i / 160);
            let seed = Seed::new(i as u64 % 7);
            let (s, key) = (Symmetric::new(at, size, seed), 3 + i as u64 % 5);
            let v = s.vector(key);
            for flips in 0..8 {
                let flip = |a: usize| flips >> a & 1 == 1;
                let to =
                    IVec3::from_array([0, 1, 2].map(|a| if flip(a) { size[a] - 1 - at[a] } else { at[a] }));
                let other = Symmetric::new(to, size, seed);
                let mirrored = [0, 1, 2].map(|a| if flip(a) { 1.0 - v[a] } else { v[a] });
                assert_eq!(other.vector(key).to_array(), mirrored);
                assert_eq!(other.unit(key), s.unit(key));
            }
            let turned = Symmetric::new(at.zxy(), size.zxy(), seed);
            assert_eq!((turned.vector(key), turned.unit(key)), (v.zxy(), s.unit(key)));
        }
    }

    /// If two axes have equal distances, positions are not all on the diagonal, and exchanging these axes
    /// gives the same set.
    #[test]
    fn many_places_are_turned_with_the_box_where_axes_are_alike() {
        let size = IVec3::new(8, 8, 12);
        let sorted = |mut places: Vec<[f64; 4]>| {
            places.sort_by(|a, b| a[3].total_cmp(&b[3]).then(a[0].total_cmp(&b[0])));
            places
        };
        let cases = [
            (IVec3::new(2, 2, 7), false, 1),
            (IVec3::new(2, 5, 7), true, 1),
            (IVec3::new(2, 2, 7), false, 9),
        ];
        for (at, is_mirrored, seed) in cases {
            let seed = Seed::new(seed);
            let s = Symmetric::new(at, size, seed);
            let own: Vec<(DVec3, f64)> = s.spread(9, 7).collect();
            // Exchanged, and mirrored where that maps the position to itself.
            let flip = |v: f64| if is_mirrored { 1.0 - v } else { v };
            assert!(own.iter().filter(|(p, _)| (p.x - flip(p.y)).abs() > 0.05).count() >= 4);
            let plain: Vec<[f64; 4]> = own.iter().map(|(p, g)| [p.x, p.y, p.z, *g]).collect();
            let exchanged = own.iter().map(|(p, g)| [flip(p.y), flip(p.x), p.z, *g]).collect();
            assert_eq!(sorted(exchanged), sorted(plain.clone()));
            let turned: Vec<[f64; 4]> = Symmetric::new(at.zxy(), size.zxy(), seed)
                .spread(9, 7)
                .map(|(p, g)| [p.y, p.z, p.x, g])
                .collect();
            assert_eq!(sorted(turned), sorted(plain));
        }
    }

    #[test]
    fn components_of_places_are_spread_evenly() {
        let size = IVec3::splat(512);
        for seed in [0, 1, 2, u64::MAX].map(Seed::new) {
            let mut counts = [[0u32; 10]; 10];
            for i in 0..40_000 {
                let v = Symmetric::new(IVec3::new(i % 200, 201 + i / 200, 17), size, seed).vector(1);
                counts[(10.0 * v.x) as usize][(10.0 * v.y) as usize] += 1;
            }
            assert!(counts.iter().flatten().all(|&c| (300..500).contains(&c)), "{counts:?}");
        }
    }

    /// 400 are expected in each bin, also for the numbers of two seeds at the same position.
    #[test]
    fn numbers_of_two_seeds_have_nothing_to_do_with_each_other() {
        let size = IVec3::splat(512);
        for [a, b] in [[1, 2], [2, 3], [1, 1 << 40]] {
            let mut counts = [[0u32; 10]; 10];
            for i in 0..40_000 {
                let at = IVec3::new(i % 200, 201 + i / 200, 17);
                let [a, b] = [a, b].map(|seed| Symmetric::new(at, size, Seed::new(seed)).unit(1));
                counts[(10.0 * a) as usize][(10.0 * b) as usize] += 1;
            }
            assert!(counts.iter().flatten().all(|&c| (300..500).contains(&c)), "{counts:?}");
        }
    }

    /// Scenes that do not specify a seed keep the numbers that they had before seeds existed.
    #[test]
    fn the_default_seed_changes_no_number() {
        let s = Symmetric::new(IVec3::new(3, 1, 2), IVec3::splat(16), Seed::default());
        assert_eq!(s.all, s.axes.iter().fold(0u64, |all, &a| all.wrapping_add(a)));
        assert!(Seed::new(1).is_default() && !Seed::new(0).is_default() && !Seed::new(2).is_default());
    }

    #[test]
    fn neighbors_share_nothing_and_all_parts_are_hit_alike() {
        let n = 40_000u64;
        let mut counts = [[0u32; 10]; 10];
        for i in 0..n {
            let (a, b) = (unit([7, i, 0]), unit([7, i, 1]));
            counts[(10.0 * a) as usize][(10.0 * b) as usize] += 1;
        }
        // 400 are expected in each; five standard deviations.
        assert!(counts.iter().flatten().all(|&c| (300..500).contains(&c)), "{counts:?}");
    }

    #[test]
    fn the_order_of_keys_matters() {
        assert_ne!(hash([1, 2]), hash([2, 1]));
        assert_ne!(hash([0]), hash([0, 0]));
    }
}
