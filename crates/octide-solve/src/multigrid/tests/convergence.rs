//! Tests of the number of iterations, which hardly depends on size.

use super::*;

/// Returns the iterations to 1e-8, with the cycle as preconditioner and inside the hierarchy.
fn count(a: &Csr, coarsening: Coarsening<'_>, params: &MultigridParams) -> [usize; 2] {
    let mut multigrid = Multigrid::new(a, coarsening, params).unwrap();
    let b = noise(a.n_rows(), 3);
    solve_both(a, &mut multigrid, &b, 1e-8, None).map(|outcome| {
        let (x, report) = outcome.unwrap();
        assert!(residual(a, &b, &x, Norm::Scaled) <= 1.001e-8);
        report.iterations
    })
}

#[test]
fn iterations_hardly_depend_on_size() {
    let defaults = MultigridParams::default();
    for (m, most) in [(16, 12), (32, 13), (48, 13)] {
        let (cube, (rows, cells)) = (poisson(m, true), lexicographic(m, true));
        let (along_curve, in_rows) = (octree_groups(&cells_of_cube(m), 96), octree_groups(&cells, 96));
        for (what, a, coarsening, more) in [
            ("Morton", &cube, Coarsening::Groups(&along_curve), 1),
            ("lexicographic", &rows, Coarsening::Groups(&in_rows), 1),
            ("Morton, from the matrix", &cube, Coarsening::Matrix, 3),
            ("lexicographic, from the matrix", &rows, Coarsening::Matrix, 5),
        ] {
            let counts = count(a, coarsening, &defaults);
            assert!(counts.iter().all(|&count| count <= most + more), "{what}, {m}: {counts:?}");
        }
    }
}

#[test]
fn second_cycles_save_iterations() {
    let a = poisson(48, true);
    let groups = octree_groups(&cells_of_cube(48), 96);
    let of = |twice_from| {
        let params = MultigridParams { twice_from, ..Default::default() };
        count(&a, Coarsening::Groups(&groups), &params)[0]
    };
    let (w, default, v) = (of(1), of(2), of(usize::MAX));
    assert!(w < default && default < v && v <= 15, "{w} {default} {v}");
}

/// Couples cells that touch by their common area over the distance of their centers, and the first to zero.
fn mesh(cells: &[Cell]) -> Csr {
    let finest = cells.iter().map(|c| c[0]).max().unwrap();
    let extent = |c: &Cell| {
        let size = 1 << (finest - c[0]);
        [1, 2, 3].map(|axis| (c[axis] * size, (c[axis] + 1) * size))
    };
    let extents: Vec<[(i32, i32); 3]> = cells.iter().map(extent).collect();
    let mut edges = vec![];
    for (i, a) in extents.iter().enumerate() {
        for (j, b) in extents[..i].iter().enumerate() {
            let overlap = |axis: usize| a[axis].1.min(b[axis].1) - a[axis].0.max(b[axis].0);
            let overlaps = [0, 1, 2].map(overlap);
            let touching = overlaps.iter().filter(|&&o| o == 0).count();
            if touching == 1 && overlaps.iter().all(|&o| o >= 0) {
                let area: i32 = overlaps.iter().filter(|&&o| o > 0).product();
                let distance = 0.5 * f64::from(a[0].1 - a[0].0 + b[0].1 - b[0].0);
                edges.push((i, j, f64::from(area) / distance));
            }
        }
    }
    let mut shift = vec![0.0; cells.len()];
    shift[0] = 100.0;
    laplacian(cells.len(), &edges, &shift)
}

#[test]
fn a_few_fine_cells_do_not_end_the_hierarchy() {
    // 12³ cells, one of them split twice: merging the fine ones leaves more than nine tenths of the cells.
    let mut cells: Vec<Cell> = vec![];
    let children = |[l, x, y, z]: Cell| {
        (0..8).map(move |c| [l + 1, 2 * x + (c >> 2), 2 * y + (c >> 1 & 1), 2 * z + (c & 1)])
    };
    for [l, x, y, z] in cells_of_cube(12) {
        if [x, y, z] == [5, 5, 5] {
            cells.extend(children([l, x, y, z]).flat_map(children));
        } else {
            cells.push([l, x, y, z]);
        }
    }
    let a = mesh(&cells);
    let groups = octree_groups(&cells, 10);
    let params = MultigridParams { coarsest: 20, ..Default::default() };
    let multigrid = Multigrid::new(&a, Coarsening::Groups(&groups), &params).unwrap();
    let sizes = multigrid.sizes();
    assert!(sizes[1] < 300 && *sizes.last().unwrap() > 0, "{sizes:?}");
    let counts = count(&a, Coarsening::Groups(&groups), &params);
    assert!(counts.iter().all(|&count| count <= 18), "{sizes:?}: {counts:?}");
}

/// Returns lists of groups that leave three quarters of the unknowns: of each four in a row, two are merged.
fn slow_groups(n: usize, coarsest: usize) -> Vec<Vec<u32>> {
    let sizes = std::iter::successors(Some(n), |&n| (n > coarsest.max(3)).then(|| n - n / 4));
    sizes.map(|n| (0..n as u32).map(|i| i - (i + 1) / 4).collect()).collect()
}

#[test]
fn levels_that_hardly_shrink_are_not_visited_again_and_again() {
    let a = chain(3000, 1.0);
    let groups = slow_groups(3000, 4);
    for twice_from in [1, 2, 5] {
        let params = MultigridParams { twice_from, coarsest: 4 };
        let multigrid = Multigrid::new(&a, Coarsening::Groups(&groups), &params).unwrap();
        let sizes = multigrid.sizes();
        assert!(sizes.len() > 20, "{sizes:?}");
        let (mut visits, mut work) = (1_u64, 0);
        for (vectors, &n) in multigrid.vectors.iter().zip(&sizes[1..]) {
            visits *= if vectors.again.is_some() { 2 } else { 1 };
            work += visits * n as u64;
        }
        assert!(visits > 1 && work < 5 * 3000, "{visits} visits, {work} unknowns");
        // All levels after one that is visited twice are visited twice, except the one that is solved
        // directly.
        let is_twice = |vectors: &Vectors| vectors.again.is_some();
        assert!(multigrid.vectors[..sizes.len() - 2].is_sorted_by_key(is_twice));
        let counts = count(&a, Coarsening::Groups(&groups), &params);
        assert!(counts.iter().all(|&count| count < 80), "{counts:?}");
    }
}
