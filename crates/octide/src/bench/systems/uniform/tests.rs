use super::*;

#[test]
fn rows_are_those_of_a_tank() {
    for (n, level, n_rows, n_entries) in [(6_u32, -6, 108, 612), (8, 3, 256, 1536)] {
        let System { name, matrix, rhs, cells } = uniform(n).unwrap();
        assert_eq!(name, format!("uni{n}"));
        assert_eq!((matrix.n_rows(), matrix.n_entries(), rhs.len()), (n_rows, n_entries, n_rows));
        assert!(matrix.is_symmetric());
        let (edge, top) = (n as i32 - 1, n as i32 / 2 - 1);
        assert_eq!((cells[1], cells[n_rows - 1]), ([level, 1, 0, 0], [level, edge, edge, top]));
        for (row, &[_, i, j, k]) in cells.iter().enumerate() {
            let far = |&column: &u32| {
                let c = cells[column as usize];
                (c[1] - i).abs() + (c[2] - j).abs() + (c[3] - k).abs()
            };
            let (columns, values) = matrix.row(row);
            for (column, &value) in columns.iter().zip(values) {
                assert!(far(column) == 0 || far(column) == 1 && (value + 1.0).abs() < f64::EPSILON);
            }
            let sum: f64 = values.iter().sum();
            if k == top {
                assert!((1.0 - 1e-12..100.0 + 1e-9).contains(&sum), "θ = {}", 1.0 / sum);
            } else {
                assert!(sum.abs() < 1e-12);
            }
        }
    }
}

#[test]
fn the_right_hand_side_is_what_flows_in() {
    let n = 16;
    let System { rhs, .. } = uniform(n as u32).unwrap();
    // Inside, inflow and outflow cancel: what the whole tank takes in comes through the surface.
    let mut through_surface = 0.0;
    for column in 0..n * n {
        let [i, j] = [column % n, column / n];
        let x = DVec3::new(f64::from(i) + 0.5, f64::from(j) + 0.5, 0.5 * f64::from(n)) / f64::from(n);
        through_surface -= velocity(x, 2, VELOCITY_SEED, face_key(2, [i, j, n / 2]));
    }
    let sum: f64 = rhs.iter().sum();
    assert!((sum - through_surface).abs() < 1e-9, "{sum} {through_surface}");
    // Gravity alone takes in n² of it.
    assert!((sum / f64::from(n * n) - 1.0).abs() < 0.02, "{sum}");
}

#[test]
fn systems_do_not_depend_on_the_number_of_threads() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| uniform(20).unwrap())
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn a_tank_that_indices_cannot_number_is_refused() {
    assert!(matches!(uniform(1100), Err(MatrixError::TooLarge(_))));
    assert!(matches!(uniform(u32::MAX), Err(MatrixError::TooLarge(_))));
    assert_eq!(uniform(1).unwrap().matrix.n_rows(), 0);
}
