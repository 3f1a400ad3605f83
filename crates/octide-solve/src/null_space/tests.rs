use super::*;
use crate::testing::{chain, laplacian, noise, on_each_thread_count};

#[test]
fn takes_the_mean_off_singular_pieces_only() {
    let null_space = NullSpace::new(&[0, 1, 0, 2, 1], &[true, false, true]).unwrap();
    assert_eq!((null_space.size(), null_space.n_pieces()), (5, 2));
    let mut v = [1.0, 5.0, 3.0, 7.0, 6.0];
    null_space.project(&mut v);
    assert_eq!(v, [-1.0, 5.0, 1.0, 0.0, 6.0]);
}

#[test]
fn a_constant_right_hand_side_becomes_exactly_zero() {
    for n in [1, 3, 10_007] {
        let null_space = NullSpace::new(&vec![0; n], &[true]).unwrap();
        let mut b = vec![0.1; n];
        let mean = null_space.make_consistent(&mut b);
        assert!(b.iter().all(|&b| b == 0.0));
        assert!((mean - 0.1).abs() < 1e-12);
    }
}

#[test]
fn a_right_hand_side_keeps_what_is_consistent() {
    let null_space = NullSpace::new(&[0; 4], &[true]).unwrap();
    let mut b = [1e8 + 1.0, 1e8 - 1.0, 1e8 + 2.0, 1e8 - 2.0];
    assert_eq!(null_space.make_consistent(&mut b), 1e8);
    assert_eq!(b, [1.0, -1.0, 2.0, -2.0]);
}

#[test]
fn finds_singular_pieces_by_their_row_sums() {
    // Two closed chains and one that is coupled to zero at row 5.
    let edges = [(0, 1, 1.0), (1, 2, 0.3), (3, 4, 2.0), (4, 5, 0.1), (6, 7, 1e-3)];
    let a = laplacian(8, &edges, &[0.0, 0.0, 0.0, 0.0, 0.0, 1e-3, 0.0, 0.0]);
    let null_space = NullSpace::from_row_sums(&a, 1e-12).unwrap();
    let mut v = [1.0; 8];
    null_space.project(&mut v);
    assert_eq!(v, [0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0]);
}

#[test]
fn sums_are_the_same_on_any_number_of_threads() {
    let labels: Vec<u32> = (0..150_000).map(|i| if i % 3 == 0 { 0 } else { 1 + i / 500 }).collect();
    let null_space = NullSpace::new(&labels, &vec![true; 301]).unwrap();
    let results = on_each_thread_count(|| {
        let mut v = noise(labels.len(), 5);
        null_space.project(&mut v);
        v
    });
    assert!(results.iter().all(|v| *v == results[0]));
    assert!(results[0].iter().step_by(3).sum::<f64>().abs() < 1e-9);
}

#[test]
fn refuses_labels_that_do_not_fit() {
    assert!(matches!(NullSpace::new(&[0, 2], &[true, true]), Err(SolveError::WrongSize { expected: 3, .. })));
    let a = chain(4, 0.0);
    for tolerance in [f64::NAN, -1.0] {
        assert!(matches!(NullSpace::from_row_sums(&a, tolerance), Err(SolveError::Parameter { .. })));
    }
}
