use super::*;
use crate::testing::{matrix, noise, on_each_thread_count, poisson};

type Parts = (Vec<u32>, Vec<u32>, Vec<f64>);

fn parts() -> Parts {
    (vec![0, 2, 4, 5], vec![0, 1, 0, 1, 2], vec![2.0, -1.0, -1.0, 2.0, 5.0])
}

#[test]
fn reads_back_what_it_was_given() {
    let (offsets, columns, values) = parts();
    let a = Csr::from_parts(3, offsets, columns, values).unwrap();
    assert_eq!((a.n_rows(), a.n_entries(), a.bytes()), (3, 5, 76));
    assert_eq!(a.row(1), (&[0, 1][..], &[-1.0, 2.0][..]));
    assert_eq!((a.get(0, 1), a.get(0, 2), a.get(2, 2)), (-1.0, 0.0, 5.0));
    let (mut y, mut d) = ([9.0; 3], [9.0; 3]);
    a.apply(&[1.0, 10.0, 100.0], &mut y);
    assert_eq!(y, [-8.0, 19.0, 500.0]);
    assert_eq!(a.apply_dot(&[1.0, 10.0, 100.0], &mut y), -8.0 + 190.0 + 50000.0);
    a.diagonal(&mut d);
    assert_eq!(d, [2.0, 2.0, 5.0]);
    assert_eq!(a.into_parts(), parts());
}

#[test]
fn refuses_parts_that_are_no_matrix() {
    let broken = |n: usize, change: fn(&mut Parts)| {
        let mut parts = parts();
        change(&mut parts);
        Csr::from_parts(n, parts.0, parts.1, parts.2).unwrap_err()
    };
    assert_eq!(broken(2, |_| ()), MatrixError::OffsetCount { expected: 3, found: 4 });
    assert_eq!(broken(3, |p| p.0[0] = 1), MatrixError::Offsets { row: 0 });
    assert_eq!(broken(3, |p| p.0[2] = 1), MatrixError::Offsets { row: 1 });
    assert_eq!(broken(3, |p| p.0[1] = 9), MatrixError::Offsets { row: 0 });
    assert_eq!(broken(3, |p| p.0[3] = 4), MatrixError::Offsets { row: 2 });
    assert_eq!(broken(3, |p| p.0.truncate(0)), MatrixError::OffsetCount { expected: 4, found: 0 });
    assert_eq!(broken(3, |p| p.2.truncate(4)), MatrixError::EntryCount { columns: 5, values: 4 });
    assert_eq!(broken(3, |p| p.1[4] = 3), MatrixError::Column { row: 2, column: 3 });
    assert_eq!(broken(3, |p| p.1.swap(2, 3)), MatrixError::Unsorted { row: 1 });
    assert_eq!(broken(3, |p| p.1[1] = 0), MatrixError::Unsorted { row: 0 });
    assert_eq!(broken(3, |p| p.2[2] = f64::NAN), MatrixError::NotFinite { row: 1 });
}

#[test]
fn names_the_first_faulty_row_on_any_number_of_threads() {
    let (offsets, columns, mut values) = poisson(48, true).into_parts();
    for row in [70_001, 90_000, 110_000] {
        values[offsets[row] as usize] = f64::INFINITY;
    }
    let n = offsets.len() - 1;
    let faults = on_each_thread_count(|| {
        Csr::from_parts(n, offsets.clone(), columns.clone(), values.clone()).unwrap_err()
    });
    assert!(faults.iter().all(|f| *f == MatrixError::NotFinite { row: 70_001 }));
}

#[test]
fn sees_what_is_symmetric_to_the_last_bit() {
    assert!(poisson(5, true).is_symmetric());
    assert!(matrix(0, &[]).is_symmetric());
    assert!(!matrix(2, &[(0, 1, 1.0), (1, 0, 1.0_f64.next_up())]).is_symmetric());
    assert!(!matrix(2, &[(0, 1, 1.0)]).is_symmetric());
}

#[test]
fn products_have_the_same_bytes_on_any_number_of_threads() {
    let a = poisson(48, true);
    let x = noise(a.n_rows(), 1);
    let products = on_each_thread_count(|| {
        let (mut y, mut y_dot) = (vec![0.0; x.len()], vec![0.0; x.len()]);
        a.apply(&x, &mut y);
        let dot = a.apply_dot(&x, &mut y_dot);
        assert_eq!(y, y_dot);
        assert_eq!(dot.to_bits(), vector::dot(&x, &y).to_bits());
        (y, dot)
    });
    assert!(products.iter().all(|p| *p == products[0]));
}

#[test]
fn rows_may_be_listed_in_any_order_and_made_by_any_number_of_threads() {
    let a = poisson(20, true);
    let results = on_each_thread_count(|| {
        Csr::from_rows(a.n_rows(), |i, row| {
            let (columns, values) = a.row(i);
            row.extend(columns.iter().copied().zip(values.iter().copied()).rev());
            3 * i
        })
        .unwrap()
    });
    for (b, others) in results {
        assert_eq!(b.clone().into_parts(), a.clone().into_parts());
        assert!(others.iter().enumerate().all(|(i, &o)| o == 3 * i));
    }
    let twice = Csr::from_rows(1, |_, row| row.extend([(0, 1.0), (0, 2.0)]));
    assert_eq!(twice.unwrap_err(), MatrixError::Unsorted { row: 0 });
}
