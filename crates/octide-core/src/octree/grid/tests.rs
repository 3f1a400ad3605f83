use super::*;

#[test]
fn places_are_near_exact_on_the_lattice_and_mirror() {
    let grid = RootGrid::new(DVec3::new(-3.0, 0.5, 1.0), 0.1, 4, IVec3::ZERO, IVec3::new(20, 3, 7), |_| true);
    let (low, high) = (grid.low(), grid.high());
    // 320 cells have 9 bits, so a cell has 2²¹ places.
    let near = 0.1 / f64::from(1 << 21);
    for p in [low, high, low - 7.0, high + 9.0, low.lerp(high, 0.1234567)] {
        let back = grid.point(grid.place(p));
        assert!((back - p).abs().max_element() < 0.51 * near, "{p} {back}");
        let mirrored = grid.point(grid.place(low + high - p));
        assert!((low + high - mirrored - back).abs().max_element() < 1e-12);
    }
    let center = grid.position(Lattice::new(3, 5, 7));
    assert_eq!(grid.point(grid.place(center)), center);
    // Far outside is outside, and nothing wraps around.
    let far = grid.point(grid.place(DVec3::new(1e30, f64::NEG_INFINITY, f64::NAN)));
    assert!(far.x > high.x && far.y < low.y && far.is_finite());
}

#[test]
fn scattered_roots_are_found_and_nothing_else() {
    let roots: Vec<IVec3> = (0..500)
        .map(|i| IVec3::new(i * 7919 % 8000 - 4000, i * 104_729 % 6000 - 3000, i * 31 % 17))
        .collect();
    let twice = roots.iter().chain(&roots).copied();
    let grid = RootGrid::from_roots(DVec3::ZERO, 0.5, 2, twice).unwrap();
    assert_eq!(grid.roots().len(), 500);
    assert!(matches!(grid.index, RootIndex::Sorted(_)));
    for (i, &root) in grid.roots().iter().enumerate() {
        assert_eq!(grid.root_at(root), Some(i as u32));
        for step in [IVec3::X, IVec3::Y, IVec3::Z] {
            let beside = root + step;
            assert_eq!(grid.root_at(beside).is_some(), roots.contains(&beside), "{beside}");
        }
    }
}

#[test]
fn both_indices_agree() {
    let present = |c: IVec3| (c.x * 3 + c.y * 5 + c.z * 7) % 4 != 0;
    let (min, dims) = (IVec3::new(-3, -2, 1), IVec3::new(7, 5, 6));
    let boxed = RootGrid::new(DVec3::ONE, 0.5, 2, min, dims, present);
    let listed = RootGrid::from_roots(DVec3::ONE, 0.5, 2, boxed.roots().iter().rev().copied()).unwrap();
    assert_eq!(boxed.roots(), listed.roots());
    // One root far away makes the box too large for a table, and changes no number.
    let far = IVec3::splat(500);
    let sparse =
        RootGrid::from_roots(DVec3::ONE, 0.5, 2, boxed.roots().iter().copied().chain([far])).unwrap();
    assert!(matches!((&boxed.index, &sparse.index), (RootIndex::Table(_), RootIndex::Sorted(_))));
    for z in -5..9 {
        for y in -5..9 {
            for x in -5..9 {
                let c = IVec3::new(x, y, z);
                assert_eq!(boxed.root_at(c), sparse.root_at(c), "{c}");
                assert_eq!(boxed.root_at(c), listed.root_at(c), "{c}");
            }
        }
    }
}

#[test]
fn what_cannot_be_addressed_is_refused() {
    let check = |levels, low: [i32; 3], high: [i32; 3]| {
        RootGrid::from_roots(DVec3::ZERO, 1.0, levels, [low, high].map(IVec3::from)).map(|g| g.roots().len())
    };
    assert_eq!(check(0, [-32768, 0, 0], [0, 0, 32767]), Ok(2));
    assert!(matches!(check(0, [-32769, 0, 0], [0, 0, 0]), Err(GridError::Range { .. })));
    assert!(matches!(check(0, [0, 0, 0], [0, 32768, 0]), Err(GridError::Range { .. })));
    assert!(matches!(check(10, [0, 0, 0], [0, 32, 0]), Err(GridError::Range { .. })));
    assert!(matches!(check(0, [-32768, 0, 0], [32767, 0, 0]), Err(GridError::Range { .. })));
    assert!(matches!(check(0, [i32::MIN, 0, 0], [i32::MAX, 0, 0]), Err(GridError::Range { .. })));
    assert_eq!(check(15, [0, 0, 0], [0, 0, 0]), Err(GridError::Levels { levels: 15 }));
    let full = |levels, n| RootGrid::check_box(levels, IVec3::ZERO, IVec3::splat(n));
    assert_eq!((full(10, 8), full(10, 32), full(3, 1024)), (Ok(()), Ok(()), Ok(())));
    assert_eq!(full(0, 8192), Err(GridError::Count { n_roots: 1 << 39 }));
    assert!(matches!(full(10, i32::MAX), Err(GridError::Range { .. })));
}
