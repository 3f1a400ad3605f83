//! The connected pieces of a system: rows are connected if a stored nonzero entry couples them.

use crate::csr::Csr;

/// Numbers the connected components of the matrix graph in the order of their first rows, and returns each
/// row's component and the number of components. An entry on either side of the diagonal couples two rows.
pub fn components(a: &Csr) -> (Vec<u32>, usize) {
    let n = a.n_rows();
    // Each row points to an earlier row of its piece or to itself: the root is always the piece's first row.
    let mut parent: Vec<u32> = (0..n as u32).collect();
    for i in 0..n {
        let (columns, values) = a.row(i);
        let mut root = find(&mut parent, i as u32);
        for (&j, &value) in columns.iter().zip(values) {
            if value == 0.0 || j as usize == i {
                continue;
            }
            let other = find(&mut parent, j);
            let (low, high) = (root.min(other), root.max(other));
            parent[high as usize] = low;
            root = low;
        }
    }
    let mut labels = vec![0; n];
    let mut count = 0;
    for i in 0..n {
        let up = parent[i] as usize;
        if up == i {
            labels[i] = count;
            count += 1;
        } else {
            // Parents come earlier, so their label is known.
            labels[i] = labels[up];
        }
    }
    (labels, count as usize)
}

/// Returns the root of `i`, halving the path along the way.
fn find(parent: &mut [u32], mut i: u32) -> u32 {
    while parent[i as usize] != i {
        let up = parent[parent[i as usize] as usize];
        parent[i as usize] = up;
        i = up;
    }
    i
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{chain, matrix};

    #[test]
    fn numbers_pieces_by_their_first_row() {
        // 0–3, 1–4–2, 5 alone; 4–1 is stored on one side only, and the entry 5–0 is zero.
        let a =
            matrix(6, &[(0, 3, -1.0), (3, 0, -1.0), (2, 4, -1.0), (4, 1, -1.0), (4, 2, -1.0), (5, 0, 0.0)]);
        assert_eq!(components(&a), (vec![0, 1, 1, 0, 1, 2], 3));
    }

    #[test]
    fn joins_pieces_that_meet_late() {
        let a = matrix(5, &[(0, 2, 1.0), (1, 3, 1.0), (4, 2, 1.0), (4, 3, 1.0)]);
        assert_eq!(components(&a), (vec![0; 5], 1));
    }

    #[test]
    fn a_long_chain_is_one_piece() {
        let (labels, n) = components(&chain(100_000, 0.0));
        assert_eq!(n, 1);
        assert!(labels.iter().all(|&l| l == 0));
    }

    #[test]
    fn an_empty_system_has_no_piece() {
        assert_eq!(components(&matrix(0, &[])), (vec![], 0));
    }
}
