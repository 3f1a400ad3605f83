//! Results are bitwise identical on any number of threads, including the setup.

use super::*;

fn check(what: &str, a: &Csr, coarsening: impl Fn() -> Coarsening<'static> + Sync) {
    let b = noise(a.n_rows(), 5);
    let results = on_each_thread_count(|| {
        let mut multigrid = Multigrid::new(a, coarsening(), &MultigridParams::default()).unwrap();
        let params = SolveParams { history: true, ..tolerance(1e-7) };
        let (mut x, mut y) = (vec![0.0; b.len()], vec![0.0; b.len()]);
        let around = Pcg::new(params).solve(a, &mut multigrid, &b, &mut x, None).unwrap();
        let within = MultigridPcg::new(params).solve(a, &mut multigrid, &b, &mut y, None).unwrap();
        let bits = |v: &[f64]| -> Vec<u64> { v.iter().map(|v| v.to_bits()).collect() };
        (multigrid.sizes(), bits(&x), bits(&y), around, within)
    });
    assert!(results.iter().all(|result| *result == results[0]), "{what}");
}

/// Leaks a value, so that a closure may return a reference to it.
fn keep<T>(value: Vec<T>) -> &'static [T] {
    Vec::leak(value)
}

#[test]
fn with_groups_along_a_curve_and_in_rows() {
    let groups = keep(octree_groups(&cells_of_cube(40), 96));
    check("Morton", &poisson(40, true), || Coarsening::Groups(groups));
    // Groups of two planes do not fit a tile.
    let (a, cells) = lexicographic(48, true);
    let groups = keep(octree_groups(&cells, 96));
    check("lexicographic", &a, || Coarsening::Groups(groups));
}

#[test]
fn with_the_matrix_alone_and_with_weights() {
    let a = poisson(40, true);
    check("matrix", &a, || Coarsening::Matrix);
    let weights = keep(vec![interpolation(64_000, 6), interpolation(64_000_usize.div_ceil(6), 6)]);
    check("weights", &a, || Coarsening::Prolongations(weights));
}

#[test]
fn with_the_first_fault_found() {
    let a = mapped(&poisson(30, true), |i, j, v| if i == j && i % 5000 == 4999 { -1.0 } else { v });
    let results = on_each_thread_count(|| {
        let outcome = Multigrid::new(&a, Coarsening::Matrix, &MultigridParams::default());
        outcome.map(|multigrid| multigrid.sizes()).unwrap_err()
    });
    assert!(results.iter().all(|error| *error == results[0]), "{results:?}");
}
