use super::*;

fn close(found: f64, wanted: f64, tolerance: f64) -> bool {
    (found - wanted).abs() <= tolerance * wanted.abs()
}

/// Figures of systems on levels 2 to 4 that another program, written for the same formulas, found.
#[test]
fn systems_are_those_of_an_independent_program() {
    struct Known {
        mode: Mode,
        liquid_by_level: [usize; 3],
        entries: usize,
        positive_links: usize,
        trace: f64,
        sum: f64,
        squares: f64,
        middle: [i32; 4],
        last: [i32; 4],
        rhs_norm: f64,
    }
    let known = [
        Known {
            mode: Mode::Plain,
            liquid_by_level: [0, 48, 1664],
            entries: 11552,
            positive_links: 304,
            trace: 13758.251676380394,
            sum: 4432.918343047061,
            squares: 754554.9710018563,
            middle: [3, 4, 0, 0],
            last: [4, 14, 10, 8],
            rhs_norm: 35.42,
        },
        Known {
            mode: Mode::Adaptive,
            liquid_by_level: [4, 130, 786],
            entries: 6406,
            positive_links: 308,
            trace: 9083.888408273273,
            sum: 3692.6435622216104,
            squares: 659108.3930745713,
            middle: [4, 2, 8, 4],
            last: [3, 7, 4, 4],
            rhs_norm: 54.2,
        },
        Known {
            mode: Mode::Sphere,
            liquid_by_level: [0, 62, 3312],
            entries: 22972,
            positive_links: 484,
            trace: 19979.543854203464,
            sum: 1372.6649483393144,
            squares: 241570.77649841332,
            middle: [4, 7, 13, 13],
            last: [3, 7, 7, 7],
            rhs_norm: 44.41,
        },
    ];
    for k in known {
        let System { matrix, rhs, cells, .. } = octree("s", 2, 4, k.mode).unwrap();
        let n = matrix.n_rows();
        let values = || (0..n).flat_map(|i| matrix.row(i).1.iter().copied());
        let by_level = [2, 3, 4].map(|l| cells.iter().filter(|c| c[0] == l).count());
        assert_eq!(by_level, k.liquid_by_level, "{:?}", k.mode);
        assert_eq!((matrix.n_entries(), rhs.len(), cells.len()), (k.entries, n, n));
        assert_eq!(values().filter(|&v| v > 0.0).count() - n, k.positive_links);
        assert!(close((0..n).map(|i| matrix.get(i, i)).sum(), k.trace, 1e-12));
        assert!(close(values().sum(), k.sum, 1e-12));
        assert!(close(values().map(|v| v * v).sum(), k.squares, 1e-12));
        assert_eq!((cells[0], cells[n / 2], cells[n - 1]), ([3, 0, 0, 0], k.middle, k.last));
        // The noise is another.
        let norm = rhs.iter().map(|b| b * b).sum::<f64>().sqrt();
        assert!(close(norm, k.rhs_norm, 0.02), "{:?}: {norm}", k.mode);
    }
}

#[test]
fn matrices_are_symmetric_and_rows_away_from_air_sum_to_zero() {
    for mode in [Mode::Plain, Mode::Adaptive, Mode::Sphere] {
        let System { matrix, cells, .. } = octree("s", 3, 5, mode).unwrap();
        assert!(matrix.is_symmetric());
        let mut n_inside = 0;
        for (row, &[level, i, j, k]) in cells.iter().enumerate() {
            let size = (-f64::from(level)).exp2();
            let x = (DVec3::new(i.into(), j.into(), k.into()) + 0.5) * size;
            let sum: f64 = matrix.row(row).1.iter().sum();
            let diagonal = matrix.get(row, row);
            assert!(diagonal > 0.0);
            if phi(x, size, mode) < -2.0 * size {
                n_inside += 1;
                assert!(sum.abs() < 1e-12 * diagonal, "{mode:?}, row {row}: {sum}");
            }
        }
        assert!(n_inside > 100, "{mode:?}: {n_inside}");
    }
}

#[test]
fn the_finest_cells_are_coupled_by_minus_one() {
    let System { matrix, cells, .. } = octree("s", 3, 5, Mode::Plain).unwrap();
    // Two neighbors along y that touch nothing coarse.
    let row_of = |cell: [i32; 4]| cells.iter().position(|&c| c == cell).unwrap();
    let (a, b) = (row_of([5, 4, 2, 15]), row_of([5, 4, 3, 15]));
    assert_eq!(matrix.get(a, b), -1.0);
}

#[test]
fn systems_do_not_depend_on_the_number_of_threads() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| octree("s", 3, 5, Mode::Sphere).unwrap())
    };
    assert_eq!(on(1), on(3));
}
