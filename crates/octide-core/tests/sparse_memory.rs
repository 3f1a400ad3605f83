//! The memory that a tree is built in follows its cells and not its box.

#![allow(unsafe_code)] // A global allocator that counts cannot be written without.

use octide_core::octree::{Contacts, Grading, MergedFaces, Nodes, Octree, Refinement, RootGrid};
use octide_core::{DVec3, IVec3};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: all requests go to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = HELD.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(held, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Bytes that `make` holds at most at a time.
fn peak_of<T>(make: impl FnOnce() -> T) -> (T, usize) {
    let before = HELD.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let made = make();
    (made, PEAK.load(Ordering::Relaxed) - before)
}

const MEGABYTE: usize = 1 << 20;

/// One test, as nothing else may take memory meanwhile.
#[test]
fn a_puddle_in_a_box_of_8192_cells_takes_less_than_100_megabytes() {
    let dx = 1.0 / 8192.0;
    let puddle = |p: DVec3| {
        let radius = DVec3::new(p.x - 0.31, 0.0, p.z - 0.72).length();
        (radius - 40.0 * dx).max(p.y - 3.0 * dx)
    };
    let is_near = |center: DVec3, size: f64| puddle(center).abs() < 3.0 * size;
    let grid = RootGrid::new(DVec3::ZERO, dx, 10, IVec3::ZERO, IVec3::splat(8), |_| true);
    let build = |grid: &RootGrid, grading| Octree::build(grid, grading, |c| is_near(c.center, c.size));
    for grading in [Grading::Graded, Grading::Unrestricted] {
        let (tree, peak) = peak_of(|| build(&grid, grading));
        let finest = tree.cells().filter(|&c| tree.size(c) == dx).count();
        assert!(finest > 10_000, "{finest} finest cells");
        assert!(peak < 100 * MEGABYTE, "{peak} bytes for {} cells", tree.n_cells());
        // Another tree of the same cells, from marks.
        let (again, peak) = peak_of(|| Refinement::of(&tree).build(grading));
        assert!(again == tree && peak < 100 * MEGABYTE, "{peak} bytes");
        if grading == Grading::Graded {
            let tables = || (MergedFaces::new(&tree), Contacts::new(&tree), Nodes::new(&tree));
            let (_, peak) = peak_of(tables);
            assert!(peak < 100 * MEGABYTE, "{peak} bytes for tables of {} cells", tree.n_cells());
        }
    }

    // The puddle's root and one as far from it as coordinates go, with nothing between them.
    let roots = [IVec3::new(2, 0, 5), IVec3::new(-32, 31, -31)];
    let (sparse, peak) = peak_of(|| {
        let grid = RootGrid::from_roots(DVec3::ZERO, dx, 10, roots).unwrap();
        build(&grid, Grading::Graded)
    });
    assert!(sparse.n_cells() > 10_000 && peak < 100 * MEGABYTE, "{peak} bytes");
}
