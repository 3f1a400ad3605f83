//! Every failure is returned as an error.

use super::*;
use crate::{MatrixError, Operator};

fn error(a: &Csr, coarsening: Coarsening<'_>, params: &MultigridParams) -> SolveError {
    Multigrid::new(a, coarsening, params).map(|multigrid| multigrid.sizes()).unwrap_err()
}

#[test]
fn a_diagonal_that_is_not_positive_names_its_row() {
    // More rows than a tile has, few enough to be solved directly, and in between.
    for m in [20, 5, 3] {
        let a = poisson(m, true);
        let bad = a.n_rows() - 5;
        for value in [0.0, -2.0] {
            let a = mapped(&a, |i, j, v| if i == j && i == bad { value } else { v });
            let expected = SolveError::NonPositiveDiagonal { row: bad, value };
            let scattered = [(0..a.n_rows() as u32).map(|i| i % a.n_rows().min(300) as u32).collect()];
            for coarsest in [4, 100] {
                let params = MultigridParams { coarsest, ..Default::default() };
                assert_eq!(error(&a, Coarsening::Matrix, &params), expected);
                assert_eq!(error(&a, Coarsening::Groups(&scattered), &params), expected);
            }
        }
    }
    // Rows without a diagonal entry, and empty rows.
    let missing =
        matrix(6, &[(0, 0, 1.0), (1, 2, -1.0), (2, 1, -1.0), (2, 2, 3.0), (3, 3, 1.0), (5, 5, 1.0)]);
    for coarsest in [4, 100] {
        let params = MultigridParams { coarsest, ..Default::default() };
        let expected = SolveError::NonPositiveDiagonal { row: 1, value: 0.0 };
        assert_eq!(error(&missing, Coarsening::Matrix, &params), expected);
        let nothing = SolveError::NonPositiveDiagonal { row: 0, value: 0.0 };
        assert_eq!(error(&matrix(9, &[]), Coarsening::Matrix, &params), nothing);
    }
}

#[test]
fn groups_must_fit() {
    let a = poisson(4, true);
    let of = |groups: &[Vec<u32>]| error(&a, Coarsening::Groups(groups), &SMALL);
    let what = "the list of groups";
    assert_eq!(of(&[vec![0; 63]]), SolveError::WrongSize { what, expected: 64, found: 63 });
    assert_eq!(of(&[vec![]]), SolveError::WrongSize { what, expected: 64, found: 0 });
    let mut far = vec![0; 64];
    far[9] = 64;
    assert_eq!(of(&[far]), SolveError::Parameter { name: "a group", value: 64.0 });
    let halves: Vec<u32> = (0..64).map(|i| i / 2).collect();
    let short = of(&[halves.clone(), vec![0; 31]]);
    assert_eq!(short, SolveError::WrongSize { what: "a list of groups", expected: 32, found: 31 });
    let mut far = vec![0; 32];
    far[31] = 32;
    assert_eq!(of(&[halves, far]), SolveError::Parameter { name: "a group", value: 32.0 });
    // An empty list is the same as coarsening by the matrix.
    let none = Multigrid::new(&a, Coarsening::Groups(&[]), &SMALL).unwrap();
    assert_eq!(none.sizes(), Multigrid::new(&a, Coarsening::Matrix, &SMALL).unwrap().sizes());
}

#[test]
fn prolongations_must_fit() {
    let a = poisson(4, true);
    let of = |given: &[Prolongation]| error(&a, Coarsening::Prolongations(given), &SMALL);
    let what = "a prolongation";
    assert_eq!(of(&[interpolation(63, 4)]), SolveError::WrongSize { what, expected: 64, found: 63 });
    let next = of(&[interpolation(64, 4), interpolation(17, 4)]);
    assert_eq!(next, SolveError::WrongSize { what, expected: 16, found: 17 });
}

#[test]
fn parameters_have_ranges() {
    let a = poisson(4, true);
    for coarsest in [0, 1001, usize::MAX] {
        let params = MultigridParams { coarsest, ..Default::default() };
        let found = error(&a, Coarsening::Matrix, &params);
        assert_eq!(found, SolveError::Parameter { name: "coarsest", value: coarsest as f64 });
    }
    let params = MultigridParams { twice_from: 0, ..Default::default() };
    assert_eq!(
        error(&a, Coarsening::Matrix, &params),
        SolveError::Parameter { name: "twice_from", value: 0.0 }
    );
    for coarsest in [1, 1000] {
        let params = MultigridParams { coarsest, twice_from: 1 };
        assert_eq!(Multigrid::new(&a, Coarsening::Matrix, &params).unwrap().params(), &params);
    }
}

#[test]
fn a_matrix_that_does_not_fit_32_bits_is_an_error() {
    for n in [3, 100, 5000] {
        let a = mapped(&chain(n, 1.0), |i, j, v| if i == j && i == n / 2 { 1e40 } else { v });
        let found = error(&a, Coarsening::Matrix, &SMALL);
        assert!(matches!(found, SolveError::NotFinite { .. }), "{n}: {found}");
    }
    // Its smallest values are subnormal in 64 bits.
    let tiny = mapped(&chain(100, 1.0), |_, _, v| v * 1e-310);
    assert!(matches!(error(&tiny, Coarsening::Matrix, &SMALL), SolveError::NotFinite { .. }));
    // A range that just fits is solved.
    let a = mapped(&chain(100, 1.0), |i, j, v| if i == j && i == 50 { 1e30 } else { v });
    let mut multigrid = Multigrid::new(&a, Coarsening::Matrix, &SMALL).unwrap();
    let b = noise(100, 1);
    for outcome in solve_both(&a, &mut multigrid, &b, 1e-9, None) {
        assert!(residual(&a, &b, &outcome.unwrap().0, Norm::Scaled) <= 1.001e-9);
    }
}

#[test]
fn a_matrix_that_is_not_symmetric_does_no_harm() {
    // Entries on one side of the diagonal only, within a tile and across tiles.
    let one_sided = |n: usize, step: usize| {
        let entries: Vec<_> =
            (0..n).map(|i| (i, i, 4.0)).chain((step..n).map(|i| (i, i - step, -1.0))).collect();
        matrix(n, &entries)
    };
    for (n, step) in [(50, 1), (50, 7), (10_000, 1), (10_000, 5000)] {
        for upper in [false, true] {
            let a = one_sided(n, step);
            let order: Vec<usize> = if upper { (0..n).rev().collect() } else { (0..n).collect() };
            let a = permuted(&a, &order);
            let found = Multigrid::new(&a, Coarsening::Matrix, &SMALL);
            // Couplings that leave a tile are not checked from both sides.
            assert!(
                matches!(found, Err(SolveError::NotSymmetric { .. })) || step == 5000,
                "{n} {step} {:?}",
                found.map(|m| m.sizes())
            );
        }
    }
    // Different values on the other side of the diagonal: nothing is promised except that it does not panic.
    let a = mapped(&poisson(17, true), |i, j, v| if i < j { 0.9 * v } else { v });
    let mut multigrid = Multigrid::new(&a, Coarsening::Matrix, &SMALL).unwrap();
    let b = noise(a.n_rows(), 1);
    for outcome in solve_both(&a, &mut multigrid, &b, 1e-6, None) {
        assert!(outcome.is_err() || residual(&a, &b, &outcome.unwrap().0, Norm::Scaled) <= 1e-5);
    }
}

#[test]
fn weights_are_looked_at() {
    let of = |n_coarse, offsets: &[u32], columns: &[u32], weights: &[f64]| {
        Prolongation::from_parts(n_coarse, offsets.to_vec(), columns.to_vec(), weights.to_vec()).unwrap_err()
    };
    assert_eq!(of(1, &[], &[], &[]), MatrixError::OffsetCount { expected: 1, found: 0 });
    assert_eq!(of(2, &[0, 1, 1], &[0], &[]), MatrixError::EntryCount { columns: 1, values: 0 });
    assert_eq!(of(2, &[1, 1, 1], &[0], &[1.0]), MatrixError::Offsets { row: 1 });
    assert_eq!(of(2, &[0, 1, 2], &[0], &[1.0]), MatrixError::Offsets { row: 1 });
    assert_eq!(of(2, &[0, 2, 1], &[0], &[1.0]), MatrixError::Offsets { row: 0 });
    assert_eq!(of(1, &[0, 1, 1], &[1], &[1.0]), MatrixError::Column { row: 0, column: 1 });
    assert_eq!(of(2, &[0, 0, 2], &[1, 0], &[1.0; 2]), MatrixError::Unsorted { row: 1 });
    assert_eq!(of(2, &[0, 1, 2], &[0, 1], &[1.0, f64::NAN]), MatrixError::NotFinite { row: 1 });
    assert_eq!(of(3, &[0, 1, 2], &[0, 1], &[1.0; 2]), MatrixError::TooLarge(3));
    assert_eq!(of(usize::MAX, &[0, 1], &[0], &[1.0]), MatrixError::TooLarge(usize::MAX));
}

#[test]
fn bytes_are_counted() {
    let a = poisson(20, true);
    let multigrid = Multigrid::new(&a, Coarsening::Matrix, &MultigridParams::default()).unwrap();
    // Three couplings of 6 bytes and two vectors of 4 per row, and less than as much again for the rest.
    assert!((2 * 26 * 8000..3 * 26 * 8000).contains(&multigrid.bytes()), "{}", multigrid.bytes());
    assert!(multigrid.bytes() < 2 * a.bytes() && multigrid.size() == a.size());
}
