//! Groups of rows from the matrix alone: each row is paired with the unpaired row it is coupled to most
//! strongly, the pairs' matrix is formed, and pairs are paired in the same way; three rounds make groups of
//! up to eight.

use super::galerkin;
use crate::csr::Rows;

/// Number of pairing rounds: groups have up to two to this power rows.
const ROUNDS: usize = 3;

/// Couplings weaker than this fraction of a row's strongest do not form pairs.
const WEAK: f64 = 0.25;

/// Returns the group of each row.
pub(super) fn groups(a: Rows<'_>) -> Vec<u32> {
    let (mut group_of, mut n_groups) = pairs(a);
    let mut matrix = galerkin::sum(a, &group_of, n_groups);
    for _ in 1..ROUNDS {
        let (pair_of, n_pairs) = pairs(matrix.rows());
        if n_pairs == n_groups {
            break;
        }
        matrix = galerkin::sum(matrix.rows(), &pair_of, n_pairs);
        group_of.iter_mut().for_each(|g| *g = pair_of[*g as usize]);
        n_groups = n_pairs;
    }
    group_of
}

/// Returns the pair of each row, in the order of their first rows, and the number of pairs. Rows without a
/// partner are pairs of one.
fn pairs(a: Rows<'_>) -> (Vec<u32>, usize) {
    const FREE: u32 = u32::MAX;
    let n = a.n();
    let mut pair_of = vec![FREE; n];
    let mut n_pairs = 0;
    for i in 0..n {
        if pair_of[i] != FREE {
            continue;
        }
        let (columns, values) = a.row(i);
        let mut strongest = 0.0_f64;
        let mut partner: Option<(usize, f64)> = None;
        for (&j, &value) in columns.iter().zip(values) {
            let j = j as usize;
            if j == i || value >= 0.0 {
                continue;
            }
            strongest = strongest.max(-value);
            if pair_of[j] == FREE && partner.is_none_or(|(_, best)| -value > best) {
                partner = Some((j, -value));
            }
        }
        pair_of[i] = n_pairs;
        if let Some((j, strength)) = partner
            && strength >= WEAK * strongest
        {
            pair_of[j] = n_pairs;
        }
        n_pairs += 1;
    }
    (pair_of, n_pairs as usize)
}

#[cfg(test)]
mod tests;
