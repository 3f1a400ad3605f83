//! The cycle `B` is symmetric and positive.

use super::*;
use crate::Operator;

fn apply(multigrid: &mut Multigrid, r: &[f64]) -> Vec<f64> {
    let mut z = vec![9.0; r.len()];
    multigrid.apply(r, &mut z);
    z
}

/// Checks `r·Bs = s·Br` and `r·Br > 0` on some vectors.
fn check(what: &str, multigrid: &mut Multigrid) {
    let n = multigrid.size();
    // Rough vectors, a smooth one, and one with a single nonzero entry.
    let smooth = noise(n, 4).iter().map(|v| 1.0 + 1e-3 * v).collect();
    let mut spike = vec![0.0; n];
    spike[n / 3] = 1e5;
    let vectors: Vec<Vec<f64>> = vec![noise(n, 1), noise(n, 2), smooth, spike];
    let products: Vec<Vec<f64>> = vectors.iter().map(|r| apply(multigrid, r)).collect();
    let dot = |i: usize, j: usize| vector::dot(&vectors[i], &products[j]);
    for i in 0..vectors.len() {
        assert!(dot(i, i) > 0.0, "{what}: r·Br = {}", dot(i, i));
        for j in 0..i {
            let (ij, ji, scale) = (dot(i, j), dot(j, i), (dot(i, i) * dot(j, j)).sqrt());
            assert!((ij - ji).abs() < 5e-5 * scale, "{what}: {ij} {ji} of {scale}");
        }
    }
}

/// Checks all kinds of cycles, coarsened by the matrix and by groups and weights made of neighbors in the
/// order of rows.
fn check_all(what: &str, a: &Csr) {
    let n = a.n_rows();
    let sizes: Vec<usize> = std::iter::successors(Some(n), |n| (*n > 4).then(|| n.div_ceil(6))).collect();
    let groups: Vec<Vec<u32>> = sizes.iter().map(|&n| (0..n as u32).map(|i| i / 6).collect()).collect();
    let weights: Vec<Prolongation> = sizes.iter().map(|&n| interpolation(n, 6)).collect();
    let coarsenings = [
        ("matrix", Coarsening::Matrix),
        ("groups", Coarsening::Groups(&groups)),
        ("weights", Coarsening::Prolongations(&weights)),
    ];
    for (name, coarsening) in coarsenings {
        for twice_from in [1, 2, usize::MAX] {
            let params = MultigridParams { twice_from, coarsest: 4 };
            let mut multigrid = Multigrid::new(a, coarsening, &params).unwrap();
            check(
                &format!("{what}, {name}, twice from {twice_from}: {:?}", multigrid.sizes()),
                &mut multigrid,
            );
        }
    }
}

#[test]
fn for_cubes() {
    check_all("open", &poisson(17, true));
    check_all("lexicographic", &lexicographic(12, true).0);
    let cells = cells_of_cube(24);
    let groups = octree_groups(&cells, 10);
    let octree = Multigrid::new(&poisson(24, true), Coarsening::Groups(&groups), &MultigridParams::default());
    check("octree", &mut octree.unwrap());
}

#[test]
fn for_positive_couplings() {
    check_all("T-junctions", &t_junctions(300));
}

#[test]
fn for_rows_of_very_different_scale() {
    let plain = poisson(12, true);
    let scale = |i: usize| if i.is_multiple_of(3) { 1e3 } else { 1.0 };
    let scaled = mapped(&plain, |i, j, v| v * scale(i) * scale(j));
    check_all("scaled on both sides", &scaled);
    let tied = mapped(&plain, |i, j, v| if i == j && i % 7 < 2 { v + 1e6 } else { v });
    check_all("tied", &tied);
}

#[test]
fn for_clusters_within_clusters() {
    // Each cluster is coupled a hundred times as tightly as the one around it, and weakly or strongly to
    // zero.
    for (size, tie) in [(8, 1e-5), (8, 1e-2), (8, 1.0), (16, 1e-7), (16, 1e-9)] {
        let (a, groups) = clusters(size, 3, 1e-2, tie);
        for twice_from in [1, 2, usize::MAX] {
            let params = MultigridParams { twice_from, coarsest: 4 };
            for (name, coarsening) in
                [("matrix", Coarsening::Matrix), ("groups", Coarsening::Groups(&groups))]
            {
                let what = format!("{name}, clusters of {size} tied by {tie}, twice from {twice_from}");
                let mut multigrid = Multigrid::new(&a, coarsening, &params).unwrap();
                check(&what, &mut multigrid);
                // A correction may overshoot on vectors that are constant on clusters.
                for level in 1..3 {
                    let by_cluster = noise(a.n_rows(), 6);
                    let v: Vec<f64> = (0..a.n_rows()).map(|i| by_cluster[i / size.pow(level)]).collect();
                    let mut r = vec![0.0; v.len()];
                    a.apply(&v, &mut r);
                    let rz = vector::dot(&r, &apply(&mut multigrid, &r));
                    assert!(rz > 0.0, "{what}, constant on clusters {level}: {rz}");
                }
                for outcome in solve_both(&a, &mut multigrid, &noise(a.n_rows(), 5), 1e-6, None) {
                    let (_, report) = outcome.unwrap_or_else(|error| panic!("{what}: {error}"));
                    assert!(report.iterations <= 65, "{what}: {}", report.iterations);
                }
            }
        }
    }
}

#[test]
fn a_first_level_alone_is_one_sweep_down_and_up() {
    // Nothing to coarsen by: all couplings are positive.
    let a = mapped(&poisson(6, true), |_, _, v| v.abs());
    let groups = [(0..216).collect()];
    let mut multigrid = Multigrid::new(&a, Coarsening::Groups(&groups), &SMALL).unwrap();
    assert_eq!(multigrid.sizes(), [216, 0]);
    check("one level", &mut multigrid);
}

#[test]
fn nothing_gives_nothing_and_scale_does_not_matter() {
    let a = poisson(8, true);
    let mut multigrid = Multigrid::new(&a, Coarsening::Matrix, &SMALL).unwrap();
    assert_eq!(apply(&mut multigrid, &[0.0; 512]), [0.0; 512]);
    let r = noise(512, 1);
    let z = apply(&mut multigrid, &r);
    let huge: Vec<f64> = r.iter().map(|r| r * 1e120).collect();
    for (z, huge) in z.iter().zip(apply(&mut multigrid, &huge)) {
        assert!((z * 1e120 - huge).abs() <= 1e-5 * huge.abs() + 1e110);
    }
}
