//! Conversion from the order of a level's rows to that of its tiles, and back.

use super::smoother::{by_tile, for_each};
use super::tile::{Block, TILE, Tile};

/// Which rows are in which tile.
#[derive(Clone, Debug)]
pub(super) struct Order {
    /// The start of each tile's rows, and the end of the last one.
    pub bounds: Vec<usize>,
    /// The rows tile by tile; empty if tiles consist of consecutive rows.
    pub members: Vec<u32>,
    /// The position of each row in that order, with tiles padded to [`TILE`]; empty in the same case.
    pub slots: Vec<u32>,
}

impl Order {
    /// Writes a tile's part of `b`, sorted; overwrites `unsorted`.
    pub fn load<T: Copy>(
        &self,
        t: usize,
        tile: &Tile,
        b: &[T],
        to_f32: impl Fn(T) -> f32,
        sorted: &mut Block,
        unsorted: &mut Block,
    ) {
        let rows = self.bounds[t]..self.bounds[t + 1];
        if self.members.is_empty() {
            unsorted.iter_mut().zip(&b[rows]).for_each(|(own, &b)| *own = to_f32(b));
        } else {
            let members = &self.members[rows];
            unsorted.iter_mut().zip(members).for_each(|(own, &row)| *own = to_f32(b[row as usize]));
        }
        tile.sort(unsorted, sorted);
    }

    /// Passes `padded`, which is in the order of tiles but not sorted within them, to `out`, row by row.
    pub fn store<S: Copy + Sync, T: Send>(
        &self,
        tiles: &[Tile],
        padded: &[S],
        out: &mut [T],
        store: impl Fn(&mut T, S) + Sync,
    ) {
        if self.slots.is_empty() {
            for_each(tiles, split(out, tiles.iter().map(Tile::len)), |t, _, out| {
                out.iter_mut().zip(&padded[t * TILE..]).for_each(|(out, &own)| store(out, own));
            });
        } else {
            // At most as many chunks of rows as tiles.
            for_each(tiles, by_tile(out), |t, _, out| {
                let slots = &self.slots[t * TILE..t * TILE + out.len()];
                out.iter_mut().zip(slots).for_each(|(out, &slot)| store(out, padded[slot as usize]));
            });
        }
    }

    /// Returns the allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.bounds[..]) + size_of_val(&self.members[..]) + size_of_val(&self.slots[..])
    }
}

/// Cuts a vector into parts of given lengths.
pub(super) fn split<T>(mut vector: &mut [T], lengths: impl Iterator<Item = usize>) -> Vec<&mut [T]> {
    let mut parts = Vec::new();
    for length in lengths {
        let (part, rest) = vector.split_at_mut(length);
        parts.push(part);
        vector = rest;
    }
    parts
}
