//! Random signs on random trees.

use super::check::{flaw, volume};
use super::*;
use crate::surface::extract::sheets::SHEETS;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn random_signs_give_closed_manifolds(seed: u64, share in 0.2..0.7f64, liquid in 0.05..0.95f64) {
        let (tree, nodes) = random_tree(seed, share);
        let mesh = contour(&tree, &nodes, |p| noise(!seed, p, 0) - liquid);
        prop_assert_eq!(flaw(&mesh), None);
        // If only a few leaves are barely liquid, the sign of the volume may be lost in the roughness.
        prop_assert!(mesh.triangles.is_empty() || liquid < 0.3 || volume(&mesh) > 0.0);
    }

    #[test]
    fn a_checkerboard_is_a_closed_manifold(seed: u64, share in 0.2..0.7f64, k in 1.0..8.0f64) {
        let (tree, nodes) = random_tree(seed, share);
        let mesh = contour(&tree, &nodes, |p| (k * p.x).sin() * (k * p.y).sin() * (k * p.z).sin());
        prop_assert_eq!(flaw(&mesh), None);
        let h = tree.grid().dx();
        let parity = |p: DVec3| (p / h).floor().as_ivec3().element_sum() & 1;
        let mesh = contour(&tree, &nodes, |p| f64::from(parity(p)) - 0.5);
        prop_assert_eq!(flaw(&mesh), None);
    }
}

#[test]
fn loops_around_a_corner() {
    // None, all, one octant, two that share a face, an edge, a corner, and all even ones.
    let octants = |list: &[u8]| list.iter().map(|o| 1u8 << o).sum::<u8>() as usize;
    for (list, count) in
        [(&[][..], 0), (&[3], 1), (&[0, 1], 1), (&[0, 3], 2), (&[0, 7], 2), (&[0, 3, 5, 6], 4)]
    {
        assert_eq!(SHEETS[octants(list)].count, count, "{list:?}");
    }
    assert_eq!(SHEETS[255].count, 0);
    // Air that touches across a corner is separate, across an edge it is connected: only liquid is kept
    // separate.
    assert_eq!(SHEETS[255 - octants(&[0, 7])].count, 2);
    assert_eq!(SHEETS[255 - octants(&[0, 3])].count, 1);
}

#[test]
fn the_mesh_is_the_same_on_any_number_of_threads() {
    let make = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (tree, nodes) = build(&unit_roots([3, 2, 2], 4), |c| noise(5, c.center, c.level) < 0.8);
            contour(&tree, &nodes, |p| noise(6, p, 0) - 0.5)
        })
    };
    let one = make(1);
    assert!(one.triangles.len() > 4 * par::CHUNK);
    for threads in [2, 3, 7] {
        assert!(one == make(threads), "{threads} threads");
    }
}
