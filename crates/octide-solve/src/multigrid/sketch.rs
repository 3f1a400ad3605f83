//! The first pass over a tile's rows: reads each row of the matrix once, colors it, and finds the connected
//! pieces of its group.
//!
//! Rows are visited in their order, and each takes the lowest color that no earlier neighbor has. Of the
//! couplings within the tile, which are listed in both rows, those to later rows are kept.

use super::parents::Edge;
use super::tile::{MASK, TILE, Tile};
use crate::csr::Rows;
use crate::error::SolveError;

/// Higher colors are replaced by this one.
pub(super) const LAST_COLOR: u8 = 63;

/// Marks a row without a parent, or without a leader.
pub(super) const NONE: u16 = u16::MAX;

/// The fraction of the diagonal that couplings out of a tile may add up to before `Λ` compensates for them.
const OUTER_SHARE: f64 = 0.5;

/// What is known of a tile's rows before they are sorted. Reused for the next tile: clearing a new one would
/// cost a tenth of the work.
pub(super) struct Sketch {
    pub len: usize,
    pub colors: [u8; TILE],
    /// Number of couplings to rows that come later once sorted.
    pub n_later: [u16; TILE],
    group: [u32; TILE],
    /// An earlier row of the same piece of a group, or the row itself.
    leader: [u16; TILE],
    /// The parent, counted from the tile's first.
    pub parent: [u16; TILE],
    /// The number of couplings of each row to rows that are later before sorting, and all of these.
    pub n_couplings: [u16; TILE],
    pub columns: Vec<u16>,
    pub values: Vec<f32>,
    /// `D + Λ`, or infinity if that is zero.
    pub smoothed: [f32; TILE],
    pub excess: [f64; TILE],
    pub diagonal: [f64; TILE],
    /// The position of each row once sorted.
    pub position: [u16; TILE],
    /// Where the next coupling of each sorted row is stored.
    pub next: [u32; TILE],
    /// Couplings between parents.
    pub edges: Vec<Edge>,
}

/// The matrix, its groups and how it is read.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub rows: Rows<'a>,
    /// The group of each row.
    pub group_of: &'a [u32],
    /// The factor that the matrix is multiplied by.
    pub scale: f64,
    /// Whether every diagonal entry must be positive.
    pub must_be_positive: bool,
}

impl Default for Sketch {
    fn default() -> Self {
        Self {
            len: 0,
            colors: [0; TILE],
            n_later: [0; TILE],
            group: [0; TILE],
            leader: [0; TILE],
            parent: [0; TILE],
            n_couplings: [0; TILE],
            columns: vec![],
            values: vec![],
            smoothed: [0.0; TILE],
            excess: [0.0; TILE],
            diagonal: [0.0; TILE],
            position: [0; TILE],
            next: [0; TILE],
            edges: vec![],
        }
    }
}

impl Sketch {
    /// Reads `rows`. `place_of` returns the position of a column in the tile, or a number beyond its end for
    /// other columns; couplings to those are stored in `tile` with their column.
    pub fn look(
        &mut self,
        source: Source<'_>,
        rows: impl ExactSizeIterator<Item = u32> + Clone,
        place_of: impl Fn(u32) -> usize,
        tile: &mut Tile,
    ) -> Result<(), SolveError> {
        let (mut n_entries, mut longest) = (0, 0);
        for (group, row) in self.group.iter_mut().zip(rows.clone()) {
            let length = source.rows.row(row as usize).0.len();
            n_entries += length;
            longest = longest.max(length);
            *group = source.group_of[row as usize];
        }
        self.len = rows.len();
        self.n_later[..self.len].fill(0);
        // Half of the off-diagonal entries, and space for those that the last row discards.
        let n_most = n_entries.saturating_sub(self.len) / 2 + longest;
        self.columns.resize(n_most, 0);
        self.values.resize(n_most, 0.0);
        self.read(source, rows, place_of, longest, tile)
    }

    #[inline(never)]
    fn read(
        &mut self,
        source: Source<'_>,
        rows: impl Iterator<Item = u32>,
        place_of: impl Fn(u32) -> usize,
        longest: usize,
        tile: &mut Tile,
    ) -> Result<(), SolveError> {
        let Source { rows: a, scale, must_be_positive, .. } = source;
        let len = self.len;
        let mut all_earlier = vec![0_u16; longest];
        let mut n_couplings = 0;
        for (k, row) in rows.enumerate() {
            let k = k & MASK;
            let (columns, values) = a.row(row as usize);
            let n = columns.len();
            if self.columns.len() < n_couplings + n {
                // Only happens if the matrix is not symmetric.
                self.columns.resize(2 * self.columns.len() + n, 0);
                self.values.resize(2 * self.values.len() + n, 0.0);
            }
            let earlier = &mut all_earlier[..n];
            let later = &mut self.columns[n_couplings..n_couplings + n];
            let later_values = &mut self.values[n_couplings..n_couplings + n];
            let (mut n_earlier, mut n_later, mut own, mut excess) = (0, 0, usize::MAX, 0.0);
            for (i, (&j, &value)) in columns.iter().zip(values).enumerate() {
                let place = place_of(j);
                excess += value;
                // The branch is unpredictable: always written, and kept by advancing the count.
                earlier[n_earlier] = place as u16;
                later[n_later] = place as u16;
                later_values[n_later] = (value * scale) as f32;
                n_earlier += usize::from(place < k);
                n_later += usize::from(place.wrapping_sub(k + 1) < len - k - 1);
                own = if place == k { i } else { own };
            }
            let diagonal = values.get(own).copied().unwrap_or(0.0);
            let n_inside = n_earlier + n_later + usize::from(own < n);
            let mut slack = 0.0;
            if n_inside < n {
                let mut outer = 0.0;
                for (&j, &value) in columns.iter().zip(values).filter(|&(&j, _)| place_of(j) >= len) {
                    tile.outer_rows.push(k as u16);
                    tile.outer_columns.push(j);
                    tile.outer_values.push((value * scale) as f32);
                    outer += value.abs();
                }
                slack = (outer - OUTER_SHARE * diagonal).max(0.0);
                if slack > 0.0 {
                    tile.slack.push((k as u16, (slack * scale) as f32));
                }
            }
            self.excess[k] = excess;
            self.diagonal[k] = diagonal;
            // A closed pocket that was reduced to one unknown has no equation left.
            let is_positive = diagonal > 0.0;
            if must_be_positive && !is_positive {
                return Err(SolveError::NonPositiveDiagonal { row: row as usize, value: diagonal });
            }
            self.smoothed[k] = if is_positive { ((diagonal + slack) * scale) as f32 } else { f32::INFINITY };
            n_couplings += n_later;
            self.n_couplings[k] = n_later as u16;
            // 0 if the row is coupled to anything.
            self.parent[k] = if n < 2 { NONE } else { 0 };
            self.color(k, &all_earlier[..n_earlier]);
        }
        self.columns.truncate(n_couplings);
        self.values.truncate(n_couplings);
        Ok(())
    }

    /// Assigns a color and a leader to row `k`.
    #[inline(always)]
    fn color(&mut self, k: usize, earlier: &[u16]) {
        let Self { colors, n_later, group, leader, .. } = self;
        let own_group = group[k];
        let mut used = 0_u64;
        let (mut lowest, mut highest) = (NONE, 0);
        for &place in earlier {
            let place = usize::from(place) & MASK;
            used |= 1 << (colors[place] & LAST_COLOR);
            // All bits set where groups differ; branch-free, because the branch is unpredictable.
            let differs = u16::from(group[place] == own_group).wrapping_sub(1);
            lowest = lowest.min(leader[place] | differs);
            highest = highest.max(leader[place] & !differs);
        }
        let color = (used.trailing_ones() as u8).min(LAST_COLOR);
        for &place in earlier {
            let place = usize::from(place) & MASK;
            n_later[if colors[place] <= color { place } else { k }] += 1;
        }
        colors[k] = color;
        leader[k] = if lowest == NONE { k as u16 } else { lowest };
        if lowest < highest {
            for &place in earlier.iter().filter(|&&place| group[usize::from(place) & MASK] == own_group) {
                unite(leader, k, usize::from(place));
            }
        }
    }

    /// Numbers the pieces of groups, and returns the group of each.
    pub fn find_parents(&mut self) -> Vec<u32> {
        let Self { len, group, leader, parent, .. } = self;
        let mut groups = Vec::with_capacity(*len / 4);
        for k in 0..*len {
            let first = find(leader, k);
            if parent[k] == NONE {
                continue;
            }
            parent[k] = if first == k { groups.len() as u16 } else { parent[first] };
            if first == k {
                groups.push(group[k]);
            }
        }
        groups
    }
}

/// Returns the first row of the piece that contains `k`.
fn find(leader: &mut [u16; TILE], mut k: usize) -> usize {
    while usize::from(leader[k]) != k {
        let next = leader[usize::from(leader[k])];
        leader[k] = next;
        k = usize::from(next);
    }
    k
}

/// Merges the pieces that contain `a` and `b`.
fn unite(leader: &mut [u16; TILE], a: usize, b: usize) {
    let (a, b) = (find(leader, a), find(leader, b));
    leader[a.max(b)] = a.min(b) as u16;
}
