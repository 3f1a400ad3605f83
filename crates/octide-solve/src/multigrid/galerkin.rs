//! `Pᵀ A P` for a `P` of ones and zeros: sums over the rows and columns of each group.

use super::coarse::Coarse;
use crate::csr::Rows;
use rayon::prelude::*;

/// Number of groups in one task.
const CHUNK: usize = 1024;

/// Sums `a` over groups; each row is in one group.
pub(super) fn sum(a: Rows<'_>, group_of: &[u32], n_groups: usize) -> Coarse {
    let mut starts = vec![0_u32; n_groups + 1];
    for &g in group_of {
        starts[g as usize + 1] += 1;
    }
    for g in 0..n_groups {
        starts[g + 1] += starts[g];
    }
    let mut members = vec![0_u32; group_of.len()];
    let mut next = starts.clone();
    for (row, &g) in group_of.iter().enumerate() {
        members[next[g as usize] as usize] = row as u32;
        next[g as usize] += 1;
    }
    let sum_chunk = |marker: &mut Vec<u32>, chunk: usize| {
        let (mut lengths, mut columns, mut values) = (vec![], Vec::<u32>::new(), Vec::<f64>::new());
        for g in chunk * CHUNK..n_groups.min((chunk + 1) * CHUNK) {
            let start = columns.len();
            for &row in &members[starts[g] as usize..starts[g + 1] as usize] {
                let (row_columns, row_values) = a.row(row as usize);
                for (&j, &value) in row_columns.iter().zip(row_values) {
                    let other = group_of[j as usize];
                    // The marker may be left over from another row, so it is checked.
                    let at = marker[other as usize] as usize;
                    if at >= start && at < columns.len() && columns[at] == other {
                        values[at] += value;
                    } else {
                        marker[other as usize] = columns.len() as u32;
                        columns.push(other);
                        values.push(value);
                    }
                }
            }
            lengths.push((columns.len() - start) as u32);
        }
        (lengths, columns, values)
    };
    let parts: Vec<_> =
        (0..n_groups.div_ceil(CHUNK)).into_par_iter().map_init(|| vec![0; n_groups], sum_chunk).collect();
    let mut matrix = Coarse { offsets: vec![0], ..Coarse::default() };
    let mut end = 0;
    for (lengths, columns, values) in parts {
        for length in lengths {
            end += length;
            matrix.offsets.push(end);
        }
        matrix.columns.extend(columns);
        matrix.values.extend(values);
    }
    matrix
}

#[cfg(test)]
mod tests;
