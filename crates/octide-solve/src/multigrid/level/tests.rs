//! Levels compared with their definition on full matrices.

use super::*;
use crate::multigrid::coarse::Coarse;
use crate::multigrid::setup::{self, Built};
use crate::multigrid::{Coarsening, DAMPING, Multigrid, MultigridParams, Prolongation, octree_groups};
use crate::testing::*;
use crate::{Cell, Csr, Operator, Preconditioner};

/// Builds the level of `a` without scaling.
fn build(a: &Csr, groups: &[u32]) -> Built {
    setup::build(a.rows(), Some(groups), 1.0, true).unwrap()
}

/// Gauss–Seidel in the order of a level's tiles, in 64 bits.
struct Model<'a> {
    a: &'a Csr,
    /// The rows of each tile, in the order in which they are smoothed.
    tiles: Vec<Vec<usize>>,
    tile_of: Vec<usize>,
    /// `D + Λ`.
    diagonal: Vec<f64>,
}

impl<'a> Model<'a> {
    fn new(a: &'a Csr, level: &Level) -> Self {
        let Order { bounds, members, .. } = &level.order;
        let member = |k: usize| if members.is_empty() { k } else { members[k] as usize };
        let sorted = |(t, tile): (usize, &Tile)| {
            tile.order.iter().map(|&place| member(bounds[t] + usize::from(place))).collect()
        };
        let tiles: Vec<Vec<usize>> = level.smoother.tiles.iter().enumerate().map(sorted).collect();
        let mut tile_of = vec![usize::MAX; a.n_rows()];
        for (t, rows) in tiles.iter().enumerate() {
            rows.iter().for_each(|&row| tile_of[row] = t);
        }
        let weight = |i: usize| {
            let (columns, values) = a.row(i);
            let leaves =
                |(&j, v): (&u32, &f64)| if tile_of[j as usize] == tile_of[i] { 0.0 } else { v.abs() };
            let outer: f64 = columns.iter().zip(values).map(leaves).sum();
            a.get(i, i) + (outer - 0.5 * a.get(i, i)).max(0.0)
        };
        let diagonal = (0..a.n_rows()).map(weight).collect();
        Self { a, tiles, tile_of, diagonal }
    }

    fn residual(&self, b: &[f64], x: &[f64]) -> Vec<f64> {
        let mut ax = vec![0.0; x.len()];
        self.a.apply(x, &mut ax);
        b.iter().zip(ax).map(|(b, ax)| b - ax).collect()
    }

    /// Computes `x += M⁻¹ (b − A x)`, or the same with `Mᵀ`.
    fn sweep(&self, b: &[f64], x: &mut [f64], backward: bool) {
        let r = self.residual(b, x);
        let mut change = vec![0.0; x.len()];
        for (t, rows) in self.tiles.iter().enumerate() {
            let rows: Vec<usize> = if backward { rows.iter().rev().copied().collect() } else { rows.clone() };
            for row in rows {
                let (columns, values) = self.a.row(row);
                // Rows that come later have not changed yet.
                let known: f64 = columns
                    .iter()
                    .zip(values)
                    .filter(|&(&j, _)| j as usize != row && self.tile_of[j as usize] == t)
                    .map(|(&j, v)| v * change[j as usize])
                    .sum();
                change[row] = (r[row] - known) / self.diagonal[row];
            }
        }
        x.iter_mut().zip(change).for_each(|(x, change)| *x += change);
    }

    /// Computes a cycle whose coarse correction is `correct`.
    fn cycle(&self, b: &[f64], correct: impl Fn(&[f64]) -> Vec<f64>) -> Vec<f64> {
        let mut x = vec![0.0; b.len()];
        self.sweep(b, &mut x, false);
        let correction = correct(&self.residual(b, &x));
        x.iter_mut().zip(correction).for_each(|(x, c)| *x += c);
        self.sweep(b, &mut x, true);
        x
    }
}

/// Marks a row without a parent.
pub const NO_PARENT: u32 = u32::MAX;

/// Returns the parent of each row, or `NO_PARENT`.
pub fn parents(level: &Level, n: usize) -> Vec<u32> {
    let Order { bounds, members, .. } = &level.order;
    let mut parents = vec![NO_PARENT; n];
    for (t, tile) in level.smoother.tiles.iter().enumerate() {
        for (&place, &parent) in tile.order.iter().zip(&tile.parents) {
            let k = bounds[t] + usize::from(place);
            let row = if members.is_empty() { k } else { members[k] as usize };
            if usize::from(parent) < tile.n_parents {
                parents[row] = tile.first_parent as u32 + u32::from(parent);
            }
        }
    }
    parents
}

fn assert_close(what: &str, found: &[f64], expected: &[f64]) {
    let scale = expected.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() < 5e-6 * scale, "{what}, row {i}: {found} {expected}");
    }
}

fn in_order(n: usize) -> Vec<u32> {
    (0..n as u32).map(|i| i / 8).collect()
}

/// Returns systems with groups: several tiles of consecutive and of scattered rows, couplings that mostly
/// leave their tile, positive ones, and rows that are all coupled to each other.
fn systems() -> Vec<(&'static str, Csr, Vec<u32>)> {
    let cube = poisson(20, true);
    let order = noise(8000, 1);
    let mut shuffled: Vec<usize> = (0..8000).collect();
    shuffled.sort_by(|&i, &j| order[i].total_cmp(&order[j]));
    let mixed = crate::multigrid::tests::permuted(&cube, &shuffled);
    let cells: Vec<Cell> = crate::multigrid::tests::cells_of_cube(20);
    let cells: Vec<Cell> = shuffled.iter().map(|&k| cells[k]).collect();
    let full: Vec<_> =
        (0..150).flat_map(|i| (0..i).map(move |j| (i, j, 1.0 + ((i * j) % 7) as f64))).collect();
    vec![
        ("Morton", cube.clone(), in_order(8000)),
        ("shuffled", mixed, octree_groups(&cells, 1).swap_remove(0)),
        ("scattered", cube, (0..8000).map(|i| i * 619 % 1000).collect()),
        ("T-junctions", t_junctions(1700), in_order(8500)),
        ("full", laplacian(150, &full, &[0.5; 150]), in_order(150)),
    ]
}

#[test]
fn products_are_those_of_the_matrix() {
    for (what, a, groups) in systems() {
        let mut level = build(&a, &groups).level;
        assert!(level.smoother.tiles.len() > 1 || what == "full");
        let (b, z) = (noise(a.n_rows(), 2), noise(a.n_rows(), 3));
        let expected = Model::new(&a, &level).residual(&b, &z);
        let short = |v: &[f64]| -> Vec<f32> { v.iter().map(|&v| v as f32).collect() };
        let mut r = vec![9.0; b.len()];
        level.residual(&short(&b), &short(&z), &mut r);
        let r: Vec<f64> = r.iter().map(|&r| f64::from(r)).collect();
        assert_close(what, &r, &expected);
    }
}

#[test]
fn a_smooth_vector_loses_nothing_in_a_product() {
    // A million plus noise: its product is that of the noise alone.
    let a = poisson(20, false);
    let mut level = build(&a, &in_order(8000)).level;
    let z: Vec<f32> = noise(8000, 1).iter().map(|v| 1e6 + (1000.0 * v).round() as f32).collect();
    let expected =
        Model::new(&a, &level).residual(&[0.0; 8000], &z.iter().map(|&z| z.into()).collect::<Vec<_>>());
    let mut r = vec![0.0; 8000];
    level.residual(&[0.0; 8000], &z, &mut r);
    assert_close("smooth", &r.iter().map(|&r| r.into()).collect::<Vec<_>>(), &expected);
}

#[test]
fn sweeps_are_those_of_gauss_and_seidel() {
    for (what, a, groups) in systems() {
        let Built { mut level, .. } = build(&a, &groups);
        let parent_of = parents(&level, a.n_rows());
        let model = Model::new(&a, &level);
        let (b, n_coarse) = (noise(a.n_rows(), 2), level.n_coarse);
        let mut slack = level.smoother.tiles.iter().flat_map(|tile| &tile.slack).map(|&(_, slack)| slack);
        assert!(slack.any(|slack| slack > 0.0) || what != "scattered");

        let mut x = vec![0.0; b.len()];
        model.sweep(&b, &mut x, false);
        let mut expected = vec![0.0; n_coarse];
        let parent = |i: usize| parent_of[i] as usize;
        model.residual(&b, &x).iter().enumerate().for_each(|(i, r)| expected[parent(i)] += r);
        let mut coarse = vec![9.0; n_coarse];
        level.down(&b, |b| b as f32, &mut coarse);
        assert_close(what, &coarse.iter().map(|&c| c.into()).collect::<Vec<_>>(), &expected);

        let correction: Vec<f32> = noise(n_coarse, 4).iter().map(|&c| c as f32).collect();
        x.iter_mut().enumerate().for_each(|(i, x)| *x += f64::from(correction[parent(i)]));
        model.sweep(&b, &mut x, true);
        let mut z = vec![9.0; b.len()];
        level.up(&b, |b| b as f32, &correction, &mut z, f64::from);
        assert_close(what, &z, &x);
    }
}

/// Returns a matrix of the next level with its columns sorted.
fn sorted(a: &Coarse) -> Csr {
    let row =
        |i: usize| a.rows().row(i).0.iter().zip(a.rows().row(i).1).map(move |(&j, &v)| (i, j as usize, v));
    matrix(a.n(), &(0..a.n()).flat_map(row).collect::<Vec<_>>())
}

fn apply(multigrid: &mut Multigrid, r: &[f64]) -> Vec<f64> {
    let mut z = vec![9.0; r.len()];
    multigrid.apply(r, &mut z);
    z
}

#[test]
fn a_cycle_over_weights_is_that_of_the_definition() {
    let a = poisson(8, true);
    let p: Prolongation = crate::multigrid::tests::interpolation(512, 6);
    let given = [p.clone()];
    let params = MultigridParams { coarsest: 90, ..Default::default() };
    let mut multigrid = Multigrid::new(&a, Coarsening::Prolongations(&given), &params).unwrap();
    assert_eq!(multigrid.sizes(), [512, 86]);
    let coarse = dense(&sorted(&p.galerkin(a.rows()).unwrap()));
    let b = noise(512, 1);
    let expected = Model::new(&a, &multigrid.levels[0]).cycle(&b, |r| {
        let mut sums = vec![0.0; 86];
        (0..512).for_each(|i| p.row(i).for_each(|(c, w)| sums[c] += w * r[i]));
        let e = solve_dense(&coarse, &sums);
        (0..512).map(|i| p.row(i).map(|(c, w)| w * e[c]).sum()).collect()
    });
    assert_close("weights", &apply(&mut multigrid, &b), &expected);
}

#[test]
fn second_cycles_are_damped_and_take_what_the_first_left() {
    let a = poisson(8, true);
    let groups = [in_order(512), in_order(64)];
    let coarse = sorted(&build(&a, &groups[0]).next);
    let b = noise(512, 1);
    for twice_from in [1, 2] {
        let params = MultigridParams { coarsest: 8, twice_from };
        let mut multigrid = Multigrid::new(&a, Coarsening::Groups(&groups), &params).unwrap();
        assert_eq!(multigrid.sizes(), [512, 64, 8]);
        let single = MultigridParams { coarsest: 8, twice_from: usize::MAX };
        let next = Multigrid::new(&coarse, Coarsening::Groups(&groups[1..]), &single).unwrap();
        let expected = Model::new(&a, &multigrid.levels[0]).cycle(&b, |r| {
            let mut next = next.clone();
            let mut sums = vec![0.0; 64];
            (0..512).for_each(|i| sums[i / 8] += r[i]);
            let mut e = apply(&mut next, &sums);
            if twice_from == 1 {
                let omega = f64::from(DAMPING);
                e.iter_mut().for_each(|e| *e *= omega);
                let mut left = vec![0.0; 64];
                coarse.apply(&e, &mut left);
                left.iter_mut().zip(&sums).for_each(|(left, b)| *left = b - *left);
                e.iter_mut().zip(apply(&mut next, &left)).for_each(|(e, more)| *e += omega * more);
            }
            (0..512).map(|i| e[i / 8]).collect()
        });
        assert_close(&format!("twice from {twice_from}"), &apply(&mut multigrid, &b), &expected);
    }
}
