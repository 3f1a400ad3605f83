//! Coarsening by the caller's groups as long as there are any, and by the matrix after that.

use super::coarse::Coarse;
use super::level::Level;
use super::matching;
use super::setup::{self, Built};
use crate::csr::Rows;
use crate::error::SolveError;
use std::borrow::Cow;

/// Groups that leave more than this fraction of a level's rows are not worth a level.
const STALLED: f64 = 0.9;

/// The lists of groups that have not been used yet.
pub(super) struct Given<'a> {
    pub lists: &'a [Vec<u32>],
    /// The group that each row comes from, to which the next list applies; empty before the first.
    pub group_of_row: Vec<u32>,
}

impl<'a> Given<'a> {
    /// Builds the level of `rows` and the next matrix, which is `None` if there is nothing to coarsen.
    pub fn coarsen(
        &mut self,
        rows: Rows<'_>,
        scale: f64,
        is_first: bool,
    ) -> Result<(Level, Coarse), SolveError> {
        let enough = STALLED * rows.n() as f64;
        loop {
            let is_given = !self.lists.is_empty();
            let group_of = if is_given { self.next(rows.n())? } else { Cow::Owned(matching::groups(rows)) };
            // In an octree with few cells of the finest levels, merging only these is not enough coarsening.
            if !self.lists.is_empty() && count(&group_of) as f64 > enough {
                self.group_of_row = group_of.into_owned();
                continue;
            }
            let Built { level, next, group_of_parent } =
                setup::build(rows, Some(&group_of), scale, is_first)?;
            if next.n() as f64 <= enough {
                self.group_of_row = group_of_parent;
                return Ok((level, next));
            }
            if !is_given {
                return Ok((setup::build(rows, None, scale, is_first)?.level, Coarse::default()));
            }
            self.group_of_row = group_of.into_owned();
        }
    }

    /// Returns the group of each row according to the next list.
    fn next(&mut self, n: usize) -> Result<Cow<'a, [u32]>, SolveError> {
        let Some((list, rest)) = self.lists.split_first() else { return Ok(Cow::Owned(vec![])) };
        let is_first = self.group_of_row.is_empty();
        self.lists = rest;
        // There are at most as many groups as entries: their number decides how much memory is allocated.
        if let Some(&g) = list.iter().find(|&&g| g as usize >= list.len()) {
            return Err(SolveError::Parameter { name: "a group", value: f64::from(g) });
        }
        if is_first {
            if list.len() != n {
                let what = "the list of groups";
                return Err(SolveError::WrongSize { what, expected: n, found: list.len() });
            }
            return Ok(Cow::Borrowed(list));
        }
        let next = |&g: &u32| list.get(g as usize).copied();
        self.group_of_row.iter().map(next).collect::<Option<_>>().map(Cow::Owned).ok_or_else(|| {
            let expected = self.group_of_row.iter().max().map_or(0, |&g| g as usize + 1);
            SolveError::WrongSize { what: "a list of groups", expected, found: list.len() }
        })
    }
}

/// Returns the number of groups.
fn count(group_of: &[u32]) -> usize {
    let mut is_used = vec![false; group_of.iter().max().map_or(0, |&g| g as usize + 1)];
    group_of.iter().for_each(|&g| is_used[g as usize] = true);
    is_used.iter().filter(|&&used| used).count()
}
