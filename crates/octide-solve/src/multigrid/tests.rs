//! What a hierarchy is made of, and what its cycle and the solver in it do.

use super::*;
use crate::testing::*;
use crate::{NullSpace, Pcg, Report, SolveParams};

/// Few unknowns at which a system is solved outright, so that small systems have several levels.
const SMALL: MultigridParams = MultigridParams { twice_from: 2, coarsest: 4 };

/// The cells of [`poisson`], in its order.
fn cells_of_cube(m: usize) -> Vec<Cell> {
    let bits = |v: i32| (0..10).fold(0_u64, |code, bit| code | ((v as u64 >> bit & 1) << (3 * bit)));
    let mut cells: Vec<Cell> =
        (0..m * m * m).map(|k| [9, (k / (m * m)) as i32, (k / m % m) as i32, (k % m) as i32]).collect();
    cells.sort_by_key(|c| bits(c[1]) << 2 | bits(c[2]) << 1 | bits(c[3]));
    cells
}

/// Row `k` of the result is row `order[k]` of `a`.
fn permuted(a: &Csr, order: &[usize]) -> Csr {
    let mut place = vec![0; order.len()];
    for (k, &row) in order.iter().enumerate() {
        place[row] = k;
    }
    let row = |i: usize| a.row(i).0.iter().zip(a.row(i).1).map(move |(&j, &v)| (i, j as usize, v));
    let entries: Vec<_> = (0..a.n_rows()).flat_map(row).map(|(i, j, v)| (place[i], place[j], v)).collect();
    matrix(a.n_rows(), &entries)
}

/// [`poisson`] with its cells along one axis, then the next, and the cells.
fn lexicographic(m: usize, dirichlet: bool) -> (Csr, Vec<Cell>) {
    let cells = cells_of_cube(m);
    let mut order: Vec<usize> = (0..cells.len()).collect();
    order.sort_by_key(|&k| cells[k]);
    (permuted(&poisson(m, dirichlet), &order), order.iter().map(|&k| cells[k]).collect())
}

/// Solves from zero, around the cycle and within it.
fn solve_both(
    a: &Csr,
    multigrid: &mut Multigrid,
    b: &[f64],
    goal: f64,
    null_space: Option<&NullSpace>,
) -> [Result<(Vec<f64>, Report), SolveError>; 2] {
    let params = SolveParams { max_iterations: 300, ..tolerance(goal) };
    let mut x = vec![0.0; b.len()];
    let around = Pcg::new(params).solve(a, multigrid, b, &mut x, null_space);
    let mut y = vec![0.0; b.len()];
    let within = MultigridPcg::new(params).solve(a, multigrid, b, &mut y, null_space);
    [around.map(|report| (x, report)), within.map(|report| (y, report))]
}
