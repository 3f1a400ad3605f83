//! Groups of cells from the coordinates of an octree's leaves: the leaves of the finest level are merged into
//! their parents, then those of the next finest, and so on to the root.

use std::cmp::Ordering;

/// A leaf: its level, where a higher level is finer and has half the cell size, and its position in units of
/// its own size, counted from an origin that all leaves share; positions may be negative.
pub type Cell = [i32; 4];

/// How many levels above the finest are merged together with it.
const SPAN: i32 = 1;

/// Maximum number of merges, and of levels above the finest at which a leaf is still merged.
const STEPS: i32 = 30;

/// Number of bits of a position that fit in a [`morton`] code.
const BITS: u32 = 21;

/// Returns the groups of each level, finest first: `groups[0][i]` is the group of cell `i`, and
/// `groups[l + 1][g]` the group of group `g` of the previous level.
///
/// Groups are numbered along a Morton curve, whatever the order of the cells; negative positions come first,
/// and their parents are found by rounding down. Merging ends where at most `enough` groups are left; a
/// hierarchy needs [`MultigridParams::coarsest`](super::MultigridParams::coarsest). Leaves more than 30
/// levels above the finest are not merged.
pub fn octree_groups(cells: &[Cell], enough: usize) -> Vec<Vec<u32>> {
    let Some(finest) = cells.iter().map(|c| c[0]).max() else { return vec![] };
    if cells.len() <= enough {
        return vec![];
    }
    // From here on, levels are counted upward from the finest.
    let cell = |c: &Cell| [finest.saturating_sub(c[0]).min(STEPS + 2), c[1], c[2], c[3]];
    let place = |c: &Cell| [1, 2, 3].map(|axis| i64::from(c[axis]) << cell(c)[0].min(STEPS));
    let reversed = |c: &Cell| [3, 2, 1].map(|axis| i64::from(c[axis]) << cell(c)[0].min(STEPS));
    // Either axis may be the most significant one.
    let in_order = cells.is_sorted_by(|a, b| compare(place(a), place(b)).is_le())
        || cells.is_sorted_by(|a, b| compare(reversed(a), reversed(b)).is_le());

    let mut groups = vec![];
    let mut order = None;
    let mut current: Vec<Cell>;
    if in_order {
        current = cells.iter().map(cell).collect();
    } else if let Some((map, parents)) = parents_in_box(cells) {
        groups.push(map);
        current = parents;
    } else {
        let sorted = sorted_by(cells, place);
        current = sorted.iter().map(|&i| cell(&cells[i as usize])).collect();
        order = Some(sorted);
    }
    for step in groups.len() as i32..STEPS {
        if current.len() <= enough {
            break;
        }
        let mut merged: Vec<Cell> = Vec::with_capacity(current.len() / 2);
        let mut map = Vec::with_capacity(current.len());
        // The last cell of each level: the children of a parent lie within its section of the curve, with no
        // other cell of its level in between.
        let mut last = [(Cell::default(), u32::MAX); 64];
        for &cell in &current {
            let [up, x, y, z] = cell;
            let target = if up <= step + SPAN { [up + 1, x >> 1, y >> 1, z >> 1] } else { cell };
            let last = &mut last[target[0] as usize & 63];
            if last.0 != target || last.1 == u32::MAX {
                *last = (target, merged.len() as u32);
                merged.push(target);
            }
            map.push(last.1);
        }
        if let (true, Some(order)) = (groups.is_empty(), &order) {
            let mut of_cell = vec![0; map.len()];
            for (&i, &g) in order.iter().zip(&map) {
                of_cell[i as usize] = g;
            }
            map = of_cell;
        }
        groups.push(map);
        current = merged;
    }
    groups
}

/// Returns each cell's parent and the parents along the curve, one level up, for cells of one level that fill
/// a large part of a box, such as a grid in row order. Parents are found by their position in the box, and
/// sorted afterward because there are fewer of them.
fn parents_in_box(cells: &[Cell]) -> Option<(Vec<u32>, Vec<Cell>)> {
    let level = cells.first()?[0];
    let (mut low, mut high) = ([i32::MAX; 3], [i32::MIN; 3]);
    for cell in cells {
        if cell[0] != level {
            return None;
        }
        for axis in 0..3 {
            low[axis] = low[axis].min(cell[axis + 1] >> 1);
            high[axis] = high[axis].max(cell[axis + 1] >> 1);
        }
    }
    let dims = [0, 1, 2].map(|axis| (i64::from(high[axis]) - i64::from(low[axis]) + 1) as u64);
    let volume = dims[0].checked_mul(dims[1])?.checked_mul(dims[2])?;
    if volume > cells.len() as u64 {
        return None;
    }
    let at = |cell: &Cell| {
        let [x, y, z] = [0, 1, 2].map(|axis| ((cell[axis + 1] >> 1) - low[axis]) as usize);
        (z * dims[1] as usize + y) * dims[0] as usize + x
    };
    let mut number = vec![u32::MAX; volume as usize];
    let mut parents = vec![];
    for cell in cells {
        let number = &mut number[at(cell)];
        if *number == u32::MAX {
            *number = parents.len() as u32;
            parents.push([1, cell[1] >> 1, cell[2] >> 1, cell[3] >> 1]);
        }
    }
    let order = sorted_by(&parents, |p| [1, 2, 3].map(|axis| i64::from(p[axis])));
    let mut rank = vec![0; parents.len()];
    for (k, &p) in order.iter().enumerate() {
        rank[p as usize] = k as u32;
    }
    number.iter_mut().filter(|n| **n != u32::MAX).for_each(|n| *n = rank[*n as usize]);
    let map = cells.iter().map(|cell| number[at(cell)]).collect();
    Some((map, order.into_iter().map(|p| parents[p as usize]).collect()))
}

/// Compares positions along a Morton curve: the axis with the highest differing bit decides, the first of
/// equals.
fn compare(a: [i64; 3], b: [i64; 3]) -> Ordering {
    let mut decisive = 0;
    let differing = [0, 1, 2].map(|axis| (a[axis] ^ b[axis]) as u64);
    for axis in 1..3 {
        let (high, other) = (differing[decisive], differing[axis]);
        if high < other && high < (high ^ other) {
            decisive = axis;
        }
    }
    a[decisive].cmp(&b[decisive])
}

/// Interleaves the bits of three numbers: the first axis has the highest of each three.
fn morton(place: [i64; 3]) -> u64 {
    let spread = |v: i64| {
        let mut v = v as u64 & ((1 << BITS) - 1);
        v = (v | v << 32) & 0x1f_0000_0000_ffff;
        v = (v | v << 16) & 0x1f_0000_ff00_00ff;
        v = (v | v << 8) & 0x100f_00f0_0f00_f00f;
        v = (v | v << 4) & 0x10c3_0c30_c30c_30c3;
        (v | v << 2) & 0x1249_2492_4924_9249
    };
    spread(place[0]) << 2 | spread(place[1]) << 1 | spread(place[2])
}

/// Returns the order of cells along a Morton curve, by a radix sort of eleven bits at a time.
fn sorted_by(cells: &[Cell], place: impl Fn(&Cell) -> [i64; 3]) -> Vec<u32> {
    const DIGIT: u32 = 11;
    // Where positions differ in more bits than a code has, or in their sign.
    let above = |c: &Cell| place(c).map(|p| p >> BITS);
    if cells.iter().any(|c| above(c) != above(&cells[0])) {
        let mut order: Vec<u32> = (0..cells.len() as u32).collect();
        order.sort_by(|&i, &j| compare(place(&cells[i as usize]), place(&cells[j as usize])));
        return order;
    }
    let code = |c: &Cell| morton(place(c));
    let mut keyed: Vec<(u64, u32)> = cells.iter().enumerate().map(|(i, c)| (code(c), i as u32)).collect();
    let highest = keyed.iter().map(|k| k.0).max().unwrap_or(0);
    let mut other = vec![(0, 0); keyed.len()];
    let mut shift = 0;
    while shift < u64::BITS && highest >> shift > 0 {
        let digit = |key: u64| (key >> shift) as usize & ((1 << DIGIT) - 1);
        let mut starts = [0_usize; 1 << DIGIT];
        for &(key, _) in &keyed {
            starts[digit(key)] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += std::mem::replace(start, sum);
        }
        for &item in &keyed {
            let at = &mut starts[digit(item.0)];
            other[*at] = item;
            *at += 1;
        }
        std::mem::swap(&mut keyed, &mut other);
        shift += DIGIT;
    }
    keyed.into_iter().map(|(_, i)| i).collect()
}

#[cfg(test)]
mod tests;
