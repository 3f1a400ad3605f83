//! The parents of a tile: sums over their rows, and over the couplings between them.

/// Sums over the rows of a parent.
#[derive(Clone, Copy, Default)]
pub(super) struct Parent {
    pub n_rows: u32,
    pub excess: f64,
    pub diagonal: f64,
}

/// A coupling between parents, which are counted from the tile's first.
#[derive(Clone, Copy, Default)]
pub(super) struct Edge {
    pub from: u16,
    pub to: u16,
    /// The coupling times the matrix's scale.
    pub value: f32,
}

/// The parents of a tile and the couplings between them.
#[derive(Default)]
pub(super) struct Parents {
    pub sums: Vec<Parent>,
    /// The number of couplings of each parent to later ones, and all of these, times the matrix's scale.
    pub n_couplings: Vec<u16>,
    pub columns: Vec<u16>,
    pub values: Vec<f64>,
}

impl Parents {
    /// Sums equal edges, which lead from earlier parents to later ones.
    pub fn new(sums: Vec<Parent>, edges: &[Edge]) -> Self {
        let n = sums.len();
        let mut starts = vec![0_u32; n + 1];
        for edge in edges {
            starts[usize::from(edge.from) + 1] += 1;
        }
        for p in 0..n {
            starts[p + 1] += starts[p];
        }
        let mut sorted = vec![(0_u16, 0.0_f32); edges.len()];
        for edge in edges {
            // From here on, the start of the next entry.
            let at = &mut starts[usize::from(edge.from)];
            sorted[*at as usize] = (edge.to, edge.value);
            *at += 1;
        }
        let mut parents = Self {
            sums,
            n_couplings: Vec::with_capacity(n),
            columns: Vec::with_capacity(4 * n),
            values: Vec::with_capacity(4 * n),
        };
        let mut start = 0;
        for &end in &starts[..n] {
            let begin = parents.columns.len();
            for &(to, value) in &sorted[start..end as usize] {
                // There are only a few.
                match parents.columns[begin..].iter().position(|&c| c == to) {
                    Some(at) => parents.values[begin + at] += f64::from(value),
                    None => {
                        parents.columns.push(to);
                        parents.values.push(f64::from(value));
                    }
                }
            }
            parents.n_couplings.push((parents.columns.len() - begin) as u16);
            start = end as usize;
        }
        parents
    }
}
