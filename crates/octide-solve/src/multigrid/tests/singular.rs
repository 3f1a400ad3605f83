//! Pockets closed by walls, and splashes: systems of many pieces, coupled to fixed values or not.

use super::*;
use crate::components;

/// A system, its singular pieces, and the piece of each row.
struct Pieces {
    a: Csr,
    labels: Vec<u32>,
    null_space: NullSpace,
}

impl Pieces {
    fn new(a: Csr) -> Self {
        let (labels, _) = components(&a);
        let null_space = NullSpace::from_row_sums(&a, 1e-12).unwrap();
        Self { a, labels, null_space }
    }

    /// Solves to 1e-8 with the cycle as preconditioner and inside it, checks both, and returns the solutions
    /// and iterations.
    fn solve(&self, what: &str, multigrid: &mut Multigrid) -> (Vec<f64>, [Vec<f64>; 2], [usize; 2]) {
        let mut b: Vec<f64> = noise(self.a.n_rows(), 5).iter().map(|b| b + 0.2).collect();
        let outcomes = solve_both(&self.a, multigrid, &b, 1e-8, Some(&self.null_space));
        self.null_space.make_consistent(&mut b);
        let [around, within] =
            outcomes.map(|outcome| outcome.unwrap_or_else(|error| panic!("{what}: {error}")));
        for (x, _) in [&around, &within] {
            assert!(residual(&self.a, &b, x, Norm::Scaled) <= 1.001e-8, "{what}");
            let mut mean_free = x.clone();
            self.null_space.project(&mut mean_free);
            let off = x.iter().zip(&mean_free).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs()));
            assert!(off < 1e-9, "{what}: a mean of {off}");
        }
        (b, [around.0, within.0], [around.1.iterations, within.1.iterations])
    }
}

#[test]
fn a_closed_cube_has_an_answer_of_mean_zero() {
    for m in [8, 16, 32] {
        let closed = Pieces::new(poisson(m, false));
        assert_eq!(closed.null_space.n_pieces(), 1);
        let groups = octree_groups(&cells_of_cube(m), 96);
        for (what, coarsening, most) in
            [("matrix", Coarsening::Matrix, 18), ("groups", Coarsening::Groups(&groups), 14)]
        {
            for coarsest in [1, 96] {
                let params = MultigridParams { coarsest, ..Default::default() };
                let mut multigrid = Multigrid::new(&closed.a, coarsening, &params).unwrap();
                let what = format!("{what}, {m}, {:?}", multigrid.sizes());
                let (_, _, counts) = closed.solve(&what, &mut multigrid);
                assert!(counts.iter().all(|&count| count <= most), "{what}: {counts:?}");
            }
        }
    }
}

/// Returns closed cubes next to an open one, with couplings that do not sum to zero in floating point.
fn uneven_pockets(n_pockets: usize, m: usize) -> Pieces {
    let (even, ..) = pockets(n_pockets, m);
    let n = even.n_rows();
    let edges: Vec<_> = (0..n)
        .flat_map(|i| even.row(i).0.iter().map(move |&j| (i, j as usize)))
        .filter(|(i, j)| i < j)
        .map(|(i, j)| (i, j, 0.3 + 0.1 * ((i + 3 * j) as f64).sqrt().fract()))
        .collect();
    let mut shift = vec![0.0; n];
    shift[..9].fill(1.0);
    let pieces = Pieces::new(laplacian(n, &edges, &shift));
    assert_eq!(pieces.null_space.n_pieces(), n_pockets - 1);
    pieces
}

#[test]
fn closed_pockets_next_to_an_open_one() {
    let pieces = uneven_pockets(5, 8);
    let n = pieces.a.n_rows();
    let by_eight = |n: usize| -> Vec<u32> { (0..n as u32).map(|i| i / 8).collect() };
    let groups = [by_eight(n), by_eight(n / 8), by_eight(n / 64)];
    // Constant weights that keep pockets separate, down to one unknown each.
    let of_groups = |(groups, weight): (&Vec<u32>, f64)| {
        let n_coarse = groups.len() / 8;
        let n = groups.len() as u32;
        Prolongation::from_parts(n_coarse, (0..=n).collect(), groups.clone(), vec![weight; n as usize])
            .unwrap()
    };
    let weights: Vec<Prolongation> = groups.iter().zip([1.0, 0.1, 1.0 / 3.0]).map(of_groups).collect();
    for coarsest in [1, 4, 96] {
        let params = MultigridParams { coarsest, ..Default::default() };
        for (what, coarsening) in [
            ("matrix", Coarsening::Matrix),
            ("groups", Coarsening::Groups(&groups)),
            ("weights", Coarsening::Prolongations(&weights)),
        ] {
            let mut multigrid = Multigrid::new(&pieces.a, coarsening, &params).unwrap();
            let what = format!("{what}, {:?}", multigrid.sizes());
            let (_, _, counts) = pieces.solve(&what, &mut multigrid);
            assert!(counts.iter().all(|&count| count <= 20), "{what}: {counts:?}");
        }
    }
}

#[test]
fn nothing_but_closed_pairs_and_triangles() {
    let mut edges = vec![];
    for i in (0..15_000).step_by(5) {
        edges.extend([(i, i + 1, 0.7), (i + 2, i + 3, 1.3), (i + 3, i + 4, 0.1), (i + 2, i + 4, 2.9)]);
    }
    let pieces = Pieces::new(laplacian(15_000, &edges, &[0.0; 15_000]));
    assert_eq!(pieces.null_space.n_pieces(), 6000);
    let mut multigrid = Multigrid::new(&pieces.a, Coarsening::Matrix, &MultigridParams::default()).unwrap();
    // Every piece is reduced to one unknown at once, and then has no equation left.
    assert_eq!(multigrid.sizes(), [15_000, 6000, 0]);
    let (_, _, counts) = pieces.solve("pairs and triangles", &mut multigrid);
    assert!(counts.iter().all(|&count| count <= 12), "{counts:?}");
}

/// Returns thousands of connected clusters of 1 to 50 cells, each in its own corner of a grid, and the cells.
/// A third of them are closed, the others coupled to zero at one cell, weakly or strongly.
fn splash() -> (Pieces, Vec<Cell>) {
    let random = |k: usize| (noise(1, k as u64)[0] * 0.5 + 0.5).min(0.999_999);
    let (mut cells, mut edges, mut shift): (Vec<Cell>, Vec<_>, Vec<f64>) = (vec![], vec![], vec![]);
    for heap in 0..3000 {
        let corner = [heap % 15, heap / 15 % 15, heap / 225].map(|c| 5 * c as i32);
        let size = 1 + (random(heap) * 50.0) as usize;
        let first = cells.len();
        let mut own = vec![[1, 1, 1]];
        let mut try_number = 100 * heap;
        while own.len() < size {
            try_number += 1;
            let mut next = own[(random(try_number) * own.len() as f64) as usize];
            let direction = (random(try_number + 1_000_000) * 6.0) as usize;
            next[direction / 2] += if direction.is_multiple_of(2) { 1 } else { -1 };
            if next.iter().all(|c| (0..4).contains(c)) && !own.contains(&next) {
                own.push(next);
            }
        }
        for (i, a) in own.iter().enumerate() {
            let near = |b: &[i32; 3]| (0..3).map(|axis| (a[axis] - b[axis]).abs()).sum::<i32>() == 1;
            let before = own[..i].iter().enumerate().filter(|(_, b)| near(b));
            edges.extend(before.map(|(j, _)| (first + i, first + j, 0.2 + random(7 * (first + i) + j))));
            cells.push([9, corner[0] + a[0], corner[1] + a[1], corner[2] + a[2]]);
        }
        shift.resize(cells.len(), 0.0);
        if size == 1 || heap % 3 > 0 {
            shift[first] = [0.01, 1.0, 50.0][heap % 3];
        }
    }
    (Pieces::new(laplacian(cells.len(), &edges, &shift)), cells)
}

#[test]
fn a_splash_of_thousands_of_pieces() {
    let (pieces, cells) = splash();
    let n = pieces.a.n_rows();
    let n_pieces = *pieces.labels.iter().max().unwrap() as usize + 1;
    assert!(n_pieces == 3000 && n > 60_000 && (900..1000).contains(&pieces.null_space.n_pieces()));
    let groups = octree_groups(&cells, 96);
    for (what, coarsening) in [("matrix", Coarsening::Matrix), ("groups", Coarsening::Groups(&groups))] {
        let mut multigrid = Multigrid::new(&pieces.a, coarsening, &MultigridParams::default()).unwrap();
        let sizes = multigrid.sizes();
        assert!(sizes.len() <= 8, "{what}: {sizes:?}");
        let (b, answers, counts) = pieces.solve(what, &mut multigrid);
        assert!(counts.iter().all(|&count| count <= 55), "{what}: {counts:?}");

        let mut rows = vec![vec![]; n_pieces];
        pieces.labels.iter().enumerate().for_each(|(row, &piece)| rows[piece as usize].push(row));
        for rows in &rows {
            let singular = rows.iter().all(|&i| pieces.a.row(i).1.iter().sum::<f64>().abs() < 1e-12);
            // The constants added to a singular piece make its solution of mean zero the only one.
            let entry = |i: usize, j: usize| pieces.a.get(i, j) + if singular { 1.0 } else { 0.0 };
            let full: Vec<Vec<f64>> =
                rows.iter().map(|&i| rows.iter().map(|&j| entry(i, j)).collect()).collect();
            let expected = solve_dense(&full, &rows.iter().map(|&i| b[i]).collect::<Vec<_>>());
            let scale = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
            for x in &answers {
                for (&i, expected) in rows.iter().zip(&expected) {
                    assert!((x[i] - expected).abs() < 1e-4 * scale, "{what}: {} {expected}", x[i]);
                }
            }
        }
    }
}
