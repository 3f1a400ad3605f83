use super::*;
use crate::testing::*;

/// Returns pseudorandom weights, two per row and sometimes none.
fn weights(n: usize, n_coarse: usize) -> Prolongation {
    let random = noise(3 * n, 5);
    let (mut offsets, mut columns, mut weights) = (vec![0], vec![], vec![]);
    for i in 0..n {
        let at = |r: f64| (((r + 1.0) * 0.5 * n_coarse as f64) as u32).min(n_coarse as u32 - 1);
        let (a, b) = (at(random[3 * i]), at(random[3 * i + 1]));
        if i % 11 != 0 {
            columns.push(a.min(b));
            weights.push(random[3 * i + 2]);
        }
        if i % 11 != 0 && a != b {
            columns.push(a.max(b));
            weights.push(0.1 + random[3 * i].abs());
        }
        offsets.push(columns.len() as u32);
    }
    Prolongation::from_parts(n_coarse, offsets, columns, weights).unwrap()
}

fn full(p: &Prolongation) -> Vec<Vec<f64>> {
    let mut full = vec![vec![0.0; p.n_coarse()]; p.n_fine()];
    (0..p.n_fine()).for_each(|i| p.row(i).for_each(|(c, w)| full[i][c] = w));
    full
}

#[test]
fn the_next_matrix_is_the_triple_product() {
    for (a, n_coarse) in [(poisson(5, true), 20), (t_junctions(30), 150), (chain(7, 1.0), 1)] {
        let p = weights(a.n_rows(), n_coarse);
        let (full_p, full_a) = (full(&p), dense(&a));
        let coarse = p.galerkin(a.rows()).unwrap();
        assert_eq!(coarse.n(), n_coarse);
        for i in 0..n_coarse {
            let mut row = vec![0.0; n_coarse];
            let (columns, values) = coarse.rows().row(i);
            assert!(columns.is_sorted_by(|a, b| a < b));
            columns.iter().zip(values).for_each(|(&j, v)| row[j as usize] = *v);
            for j in 0..n_coarse {
                let mut expected = 0.0;
                for k in 0..a.n_rows() {
                    for l in 0..a.n_rows() {
                        expected += full_p[k][i] * full_a[k][l] * full_p[l][j];
                    }
                }
                assert!((row[j] - expected).abs() < 1e-12, "{i}, {j}: {} {expected}", row[j]);
            }
        }
    }
}

#[test]
fn down_is_up_transposed() {
    // More rows than one task has.
    let p = weights(9000, 700);
    let mut transfer = Transfer::new(&p);
    let short = |v: Vec<f64>| -> Vec<f32> { v.iter().map(|&v| v as f32).collect() };
    let (fine, coarse) = (short(noise(9000, 1)), short(noise(700, 2)));
    let mut down = vec![9.0; 700];
    transfer.restrict(|own| own.copy_from_slice(&fine), &mut down);
    let up = transfer.prolong(&coarse).to_vec();
    for i in 0..9000 {
        let expected: f64 = p.row(i).map(|(c, w)| w * f64::from(coarse[c])).sum();
        assert!((f64::from(up[i]) - expected).abs() < 1e-6);
    }
    let mut expected = vec![0.0; 700];
    (0..9000).for_each(|i| p.row(i).for_each(|(c, w)| expected[c] += w * f64::from(fine[i])));
    for (down, expected) in down.iter().zip(expected) {
        assert!((f64::from(*down) - expected).abs() < 1e-5, "{down} {expected}");
    }
    assert_eq!(transfer.bytes(), 4 * (9001 + 701 + 4 * p.columns.len() + 9000));
}

#[test]
fn a_closed_pocket_that_has_come_down_to_one_unknown_has_no_equation() {
    // Weights that do not sum to zero in floating point, next to a pocket that is coupled to zero.
    let edges: Vec<_> = (0..60).map(|i| (i, (7 * i + 1) % 60, 0.1 + (i as f64).sqrt())).collect();
    let mut shift = vec![0.0; 61];
    shift[60] = 3.0;
    let a = laplacian(61, &edges, &shift);
    let columns: Vec<u32> = (0..61).map(|i| u32::from(i == 60)).collect();
    for weight in [1.0, 0.1, 1.0 / 3.0] {
        let p = Prolongation::from_parts(2, (0..=61).collect(), columns.clone(), vec![weight; 61]).unwrap();
        let coarse = p.galerkin(a.rows()).unwrap();
        assert_eq!([coarse.rows().diagonal(0), coarse.rows().diagonal(1)], [0.0, 3.0 * weight * weight]);
    }
}
