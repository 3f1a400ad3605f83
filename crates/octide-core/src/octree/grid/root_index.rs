//! Finding the number of a root by its coordinates.

use glam::IVec3;

/// Places of the bounding box for each root up to which a table of the whole box is kept.
const MAX_PLACES_PER_ROOT: usize = 8;

/// Marks an absent root.
const ABSENT: u32 = u32::MAX;

/// The number of each root in Morton order.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum RootIndex {
    /// A row for each place of the bounding box, x fastest: one load finds a root.
    Table(Vec<u32>),
    /// The Morton codes of the roots in order: memory does not depend on the box.
    Sorted(Vec<u64>),
}

impl RootIndex {
    /// The index of `roots`, which are in Morton order, inside the box from `min` to below `min + dims`.
    pub(super) fn new(min: IVec3, dims: IVec3, roots: &[IVec3]) -> Self {
        let n_places: usize = dims.to_array().iter().map(|&n| n as usize).product();
        if n_places > MAX_PLACES_PER_ROOT * roots.len() {
            return Self::Sorted(roots.iter().map(|&c| morton(c)).collect());
        }
        let mut table = vec![ABSENT; n_places];
        for (i, &root) in roots.iter().enumerate() {
            table[place(root - min, dims)] = i as u32;
        }
        Self::Table(table)
    }

    /// The number of `root`, which is `offset` from the low corner of the box and inside of it.
    #[inline]
    pub(super) fn find(&self, root: IVec3, offset: IVec3, dims: IVec3) -> Option<u32> {
        match self {
            Self::Table(table) => {
                let number = table[place(offset, dims)];
                (number != ABSENT).then_some(number)
            }
            Self::Sorted(codes) => search(codes, root),
        }
    }
}

#[inline(never)]
fn search(codes: &[u64], root: IVec3) -> Option<u32> {
    codes.binary_search(&morton(root)).ok().map(|i| i as u32)
}

/// The place of a root in a table of the box.
#[inline]
fn place(offset: IVec3, dims: IVec3) -> usize {
    offset.x as usize + dims.x as usize * (offset.y as usize + dims.y as usize * offset.z as usize)
}

/// Interleaves the bits of three coordinates, x lowest; negative ones come first. Coordinates are from −2²⁰
/// to below 2²⁰.
pub(super) fn morton(c: IVec3) -> u64 {
    let spread = |v: i32| {
        let mut v = (v + (1 << 20)) as u64 & 0x1f_ffff;
        v = (v | v << 32) & 0x1f_0000_0000_ffff;
        v = (v | v << 16) & 0x1f_0000_ff00_00ff;
        v = (v | v << 8) & 0x100f_00f0_0f00_f00f;
        v = (v | v << 4) & 0x10c3_0c30_c30c_30c3;
        (v | v << 2) & 0x1249_2492_4924_9249
    };
    spread(c.x) | spread(c.y) << 1 | spread(c.z) << 2
}
