//! A set of cells of one level as bits, in bricks of 8³ cells: memory follows the cells, not their box.
//!
//! Bricks are found through a hash table, which is only ever asked for a brick by its coordinates; whoever
//! visits all bricks does so in the order in which they were made. So nothing depends on the hash.

use glam::IVec3;

/// Cells along an edge of a brick, as a power of two.
const EDGE_BITS: u32 = 3;

/// The bits of a brick: a word for each z, in it a byte for each y, in that a bit for each x.
pub(super) type Bits = [u64; 8];

/// Marks a free place of the hash table.
const FREE: u32 = u32::MAX;

/// A set of cells of one level.
#[derive(Clone, Debug)]
pub(super) struct Mask {
    /// The coordinates of each brick, in bricks.
    places: Vec<IVec3>,
    bits: Vec<Bits>,
    /// Numbers of bricks; its length is a power of two, at least twice the number of bricks.
    table: Vec<u32>,
    /// The brick that was written last: the next write most likely goes there.
    recent: u32,
}

impl Mask {
    /// The empty set.
    pub(super) fn new() -> Self {
        Self { places: Vec::new(), bits: Vec::new(), table: vec![FREE; 16], recent: FREE }
    }

    /// Adds a cell; returns whether it is new.
    #[inline]
    pub(super) fn insert(&mut self, cell: IVec3) -> bool {
        let (brick, local) = (cell >> EDGE_BITS, cell & 7);
        self.insert_row(brick, local.y, local.z, 1 << local.x) > 0
    }

    /// Adds those cells of a row of a brick whose bit is set; returns how many are new.
    #[inline]
    pub(super) fn insert_row(&mut self, brick: IVec3, y: i32, z: i32, row: u8) -> u32 {
        let number = self.brick_to_write(brick);
        let word = &mut self.bits[number][z as usize];
        let added = u64::from(row) << (8 * y) & !*word;
        *word |= added;
        added.count_ones()
    }

    /// Adds all cells from `first` to `last`; returns how many are new.
    pub(super) fn insert_range(&mut self, first: IVec3, last: IVec3) -> usize {
        let mut n_new = 0;
        let (low, high) = (first.x >> EDGE_BITS, last.x >> EDGE_BITS);
        for z in first.z..=last.z {
            for y in first.y..=last.y {
                for x in low..=high {
                    let from = (first.x - (x << EDGE_BITS)).max(0);
                    let to = (last.x - (x << EDGE_BITS)).min(7);
                    let row = (0xff_u8 >> (7 - to)) & (0xff << from);
                    let brick = IVec3::new(x, y >> EDGE_BITS, z >> EDGE_BITS);
                    n_new += self.insert_row(brick, y & 7, z & 7, row) as usize;
                }
            }
        }
        n_new
    }

    /// All bricks with the coordinates of their first cells, in the order in which they were made.
    pub(super) fn bricks(&self) -> impl Iterator<Item = (IVec3, &Bits)> {
        self.places.iter().map(|&p| p << EDGE_BITS).zip(&self.bits)
    }

    /// A reader that remembers where it was.
    pub(super) fn reader(&self) -> Reader<'_> {
        Reader { mask: self, place: IVec3::ZERO, number: self.find(IVec3::ZERO).ok() }
    }

    /// The number of a brick, which is made if there is none.
    #[inline]
    fn brick_to_write(&mut self, place: IVec3) -> usize {
        if self.recent != FREE && self.places[self.recent as usize] == place {
            return self.recent as usize;
        }
        self.find_or_make(place)
    }

    #[inline(never)]
    fn find_or_make(&mut self, place: IVec3) -> usize {
        let number = self.find(place).unwrap_or_else(|free| self.make(place, free));
        self.recent = number as u32;
        number
    }

    /// The number of the brick at `place`, or the free place of the table where its number belongs.
    fn find(&self, place: IVec3) -> Result<usize, usize> {
        let last = self.table.len() - 1;
        let mut i = hash(place) as usize & last;
        loop {
            match self.table[i] {
                FREE => return Err(i),
                number if self.places[number as usize] == place => return Ok(number as usize),
                _ => i = (i + 1) & last,
            }
        }
    }

    fn make(&mut self, place: IVec3, free: usize) -> usize {
        let number = self.places.len();
        self.places.push(place);
        self.bits.push([0; 8]);
        self.table[free] = number as u32;
        if 2 * self.places.len() > self.table.len() {
            let longer = 2 * self.table.len();
            self.table.clear();
            self.table.resize(longer, FREE);
            for i in 0..self.places.len() {
                if let Err(free) = self.find(self.places[i]) {
                    self.table[free] = i as u32;
                }
            }
        }
        number
    }
}

/// Asks a mask for cells one after the other, of which most lie in the brick of the one before.
pub(super) struct Reader<'a> {
    mask: &'a Mask,
    place: IVec3,
    number: Option<usize>,
}

impl Reader<'_> {
    /// Whether a cell is in the set.
    #[inline]
    pub(super) fn has(&mut self, cell: IVec3) -> bool {
        let (brick, local) = (cell >> EDGE_BITS, cell & 7);
        if brick != self.place {
            (self.place, self.number) = (brick, self.mask.find(brick).ok());
        }
        self.number.is_some_and(|n| self.mask.bits[n][local.z as usize] >> (8 * local.y + local.x) & 1 == 1)
    }
}

/// The places of the set bits of a brick, z slowest.
pub(super) fn cells_in(bits: &Bits) -> impl Iterator<Item = IVec3> + '_ {
    bits.iter().enumerate().flat_map(|(z, &word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let i = left.trailing_zeros() as i32;
            left &= left.wrapping_sub(1);
            (i < 64).then(|| IVec3::new(i & 7, i >> 3, z as i32))
        })
    })
}

/// Mixes coordinates so that neighbors spread over the table.
fn hash(place: IVec3) -> u64 {
    let [x, y, z] = place.to_array().map(|v| u64::from(v as u32));
    let packed = (x & 0x1f_ffff) | (y & 0x1f_ffff) << 21 | (z & 0x1f_ffff) << 42;
    let mixed = packed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Compares with a plain set, over cells on both sides of zero and of the sides of bricks.
    #[test]
    fn it_is_a_set() {
        let (mut mask, mut plain) = (Mask::new(), BTreeSet::new());
        let mut state = 7u64;
        let mut next = |n: i32| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as i32 % n
        };
        for _ in 0..400 {
            let first = IVec3::new(next(60) - 30, next(40) - 20, next(3000) - 1500);
            let last = first + IVec3::new(next(20), next(4), next(3)) - 1;
            let mut n_new = 0;
            for z in first.z..=last.z {
                for y in first.y..=last.y {
                    for x in first.x..=last.x {
                        n_new += usize::from(plain.insert([z, y, x]));
                    }
                }
            }
            assert_eq!(mask.insert_range(first, last), n_new);
            assert_eq!(mask.insert(first), plain.insert([first.z, first.y, first.x]));
        }
        let mut found: Vec<[i32; 3]> = mask
            .bricks()
            .flat_map(|(first, bits)| cells_in(bits).map(move |c| first + c))
            .map(|c| [c.z, c.y, c.x])
            .collect();
        found.sort_unstable();
        assert!(found.len() > 1000 && found.iter().eq(&plain));
        let mut reader = mask.reader();
        for _ in 0..5000 {
            let c = IVec3::new(next(80) - 40, next(50) - 25, next(3000) - 1500);
            assert_eq!(reader.has(c), plain.contains(&[c.z, c.y, c.x]));
        }
        assert!(found.iter().all(|c| reader.has(IVec3::new(c[2], c[1], c[0]))));
    }
}
