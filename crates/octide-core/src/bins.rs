//! Lists sorted by the cells that contain their items.

use crate::index::CellId;
use crate::par;
use std::ops::Range;

/// The start of each cell's items in a sorted list; empty while the list is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bins {
    start: Vec<u32>,
}

impl Bins {
    /// Sorts `list` by the cells in `place`, one for each item. The sort is deterministic but not stable.
    /// Items without a cell are dropped.
    pub fn sort<T>(list: &mut Vec<T>, place: Vec<CellId>, n_cells: usize) -> Self {
        Self::sort_with(list, &mut Vec::<()>::new(), place, n_cells)
    }

    /// Sorts a second list along with the first, unless it is empty; see [`sort`](Self::sort).
    pub fn sort_with<T, U>(
        list: &mut Vec<T>,
        second: &mut Vec<U>,
        mut place: Vec<CellId>,
        n_cells: usize,
    ) -> Self {
        debug_assert_eq!(list.len(), place.len());
        debug_assert!(second.is_empty() || second.len() == list.len());
        if list.is_empty() {
            return Self::default();
        }
        // Items without a cell come last.
        let row = |c: CellId| if c.is_some() { c.0 as usize } else { n_cells };
        let mut start = vec![0u32; n_cells + 2];
        for &c in &place {
            start[row(c) + 1] += 1;
        }
        for i in 1..start.len() {
            start[i] += start[i - 1];
        }
        let mut next = start.clone();
        for c in &mut place {
            let at = &mut next[row(*c)];
            *c = CellId(*at);
            *at += 1;
        }
        drop(next);
        // Permutes in place, without a second list.
        for i in 0..list.len() {
            while place[i].0 as usize != i {
                let to = place[i].0 as usize;
                list.swap(i, to);
                if !second.is_empty() {
                    second.swap(i, to);
                }
                place.swap(i, to);
            }
        }
        start.truncate(n_cells + 1);
        list.truncate(start[n_cells] as usize);
        second.truncate(start[n_cells] as usize);
        Self { start }
    }

    /// Creates the bins of concatenated lists, in the order of cells, from the number of items in each.
    pub fn from_counts(counts: impl IntoIterator<Item = u32>) -> Self {
        let mut start = vec![0];
        let mut end = 0;
        for n in counts {
            end += n;
            start.push(end);
        }
        if end == 0 { Self::default() } else { Self { start } }
    }

    /// Returns the range of a cell's items.
    #[inline]
    pub fn of_cell(&self, cell: CellId) -> Range<usize> {
        match self.start.get(cell.0 as usize..cell.0 as usize + 2) {
            Some(ends) => ends[0] as usize..ends[1] as usize,
            None => 0..0,
        }
    }

    /// Returns the first item of each chunk of [`par::CHUNK`] cells, followed by the number of items: parts
    /// of a list that threads may change at the same time.
    pub fn chunk_starts(&self) -> Vec<usize> {
        let n = self.start.len().saturating_sub(1);
        (0..=n.div_ceil(par::CHUNK))
            .map(|c| self.start.get((c * par::CHUNK).min(n)).map_or(0, |&s| s as usize))
            .collect()
    }

    /// Calls `f` with each item of `list` and its cell, and drops those for which it returns false.
    pub fn retain<T>(&mut self, list: &mut Vec<T>, f: impl FnMut(CellId, &T) -> bool) {
        self.retain_with(list, &mut Vec::<()>::new(), f);
    }

    /// Filters a second list along with the first, unless it is empty; see [`retain`](Self::retain).
    pub fn retain_with<T, U>(
        &mut self,
        list: &mut Vec<T>,
        second: &mut Vec<U>,
        mut f: impl FnMut(CellId, &T) -> bool,
    ) {
        let mut n = 0;
        for c in 0..self.start.len().saturating_sub(1) {
            let range = self.of_cell(CellId(c as u32));
            self.start[c] = n as u32;
            for i in range {
                if f(CellId(c as u32), &list[i]) {
                    list.swap(n, i);
                    if !second.is_empty() {
                        second.swap(n, i);
                    }
                    n += 1;
                }
            }
        }
        if let Some(end) = self.start.last_mut() {
            *end = n as u32;
        }
        list.truncate(n);
        second.truncate(n);
    }

    /// Returns the number of items in each cell; empty if there are no items.
    pub fn counts(&self) -> Vec<u32> {
        self.start.windows(2).map(|ends| ends[1] - ends[0]).collect()
    }

    /// Returns the number of bytes held.
    pub fn bytes(&self) -> usize {
        4 * self.start.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(numbers: &[u32]) -> Vec<CellId> {
        numbers.iter().map(|&n| CellId(n)).collect()
    }

    #[test]
    fn items_come_to_their_cells_and_those_without_go() {
        let mut list = vec!['a', 'b', 'c', 'd', 'e'];
        let bins = Bins::sort(&mut list, cells(&[3, 0, u32::MAX, 3, 1]), 4);
        assert_eq!(list, ['b', 'e', 'a', 'd']);
        assert_eq!([0, 1, 2, 3].map(|c| bins.of_cell(CellId(c))), [0..1, 1..2, 2..2, 2..4]);
        assert_eq!(Bins::default().of_cell(CellId(7)), 0..0);
    }

    #[test]
    fn a_second_list_keeps_step() {
        let (mut list, mut second) = (vec!['a', 'b', 'c', 'd', 'e'], vec![1, 2, 3, 4, 5]);
        let mut bins = Bins::sort_with(&mut list, &mut second, cells(&[3, 0, u32::MAX, 3, 1]), 4);
        assert_eq!(
            (list.as_slice(), second.as_slice()),
            (['b', 'e', 'a', 'd'].as_slice(), [2, 5, 1, 4].as_slice())
        );
        bins.retain_with(&mut list, &mut second, |_, &x| x != 'e');
        assert_eq!(second, [2, 1, 4]);
    }

    #[test]
    fn dropping_items_moves_the_others_up() {
        let mut list = vec![0, 1, 2, 3, 4, 5];
        let mut bins = Bins::sort(&mut list, cells(&[0, 0, 1, 2, 2, 2]), 3);
        bins.retain(&mut list, |c, &x| c != CellId(1) && x != 4);
        assert_eq!(list, [0, 1, 3, 5]);
        assert_eq!([0, 1, 2].map(|c| bins.of_cell(CellId(c))), [0..2, 2..2, 2..4]);
        assert_eq!(bins, Bins::from_counts([2, 0, 2]));
    }
}
