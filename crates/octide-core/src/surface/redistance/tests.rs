use super::*;
use crate::surface::gradient::gradient;
use crate::surface::graph::CsrGraph;
use crate::surface::test_graphs::{cpu_microseconds, mirrored, octree, random, two_level, uniform};

const CENTER: DVec3 = DVec3::new(0.47, 0.52, 0.45);
const KEEP: Params = Params { interface: Interface::Keep, rings: 4, tolerance: 1e-12 };
const NORMALIZE: Params = Params { interface: Interface::Normalize, rings: 4, tolerance: 1e-12 };

fn sphere(x: DVec3) -> f64 {
    x.distance(CENTER) - 0.3
}

/// Builds a tree that is fine at the sphere.
fn sphere_tree(n: i32, levels: u32) -> CsrGraph {
    octree(n, levels, |c, size| sphere(c).abs() < 1.8 * size)
}

fn sample(graph: &CsrGraph, f: impl Fn(DVec3) -> f64) -> Vec<f64> {
    graph.positions.iter().map(|&x| f(x)).collect()
}

/// Returns the edges that the surface crosses.
fn crossed(graph: &CsrGraph, phi: &[f64]) -> Vec<(usize, usize)> {
    let mut edges = Vec::new();
    for i in 0..graph.len() {
        graph.for_neighbors(i, |j| {
            if liquid(phi[i]) && !liquid(phi[j]) {
                edges.push((i, j));
            }
        });
    }
    edges
}

/// Returns how far crossings moved from `a` to `b`, in units of the smallest size: (mean, worst).
fn movement(graph: &CsrGraph, a: &[f64], b: &[f64]) -> (f64, f64) {
    let h = smallest_size(graph);
    mean_and_worst(crossed(graph, a).into_iter().map(|(i, j)| {
        let at = |phi: &[f64]| phi[i] / (phi[i] - phi[j]);
        (at(a) - at(b)).abs() * graph.positions[i].distance(graph.positions[j]) / h
    }))
}

/// | |∇φ| − 1 | at points closer to the sphere than `band` sizes: (mean, worst).
fn slope_error(graph: &CsrGraph, phi: &[f64], band: f64) -> (f64, f64) {
    let near = (0..graph.len()).filter(|&i| sphere(graph.positions[i]).abs() < band * graph.sizes[i]);
    mean_and_worst(near.map(|i| (gradient(graph, phi, i).length() - 1.0).abs()))
}

fn mean_and_worst(errors: impl Iterator<Item = f64>) -> (f64, f64) {
    let (mut sum, mut n, mut worst) = (0.0, 0.0, 0.0f64);
    for error in errors {
        sum += error;
        n += 1.0;
        worst = worst.max(error);
    }
    (sum / n, worst)
}

fn normals() -> impl Iterator<Item = DVec3> {
    let any = |k| DVec3::new(random(1, k), random(2, k), random(3, k)) * 2.0 - 1.0;
    [DVec3::Y, DVec3::NEG_X].into_iter().chain((0..6).map(any)).map(DVec3::normalize)
}

#[test]
fn planes_are_exact_around_the_surface_on_any_tree() {
    for graph in [uniform(12), two_level(8, 4), sphere_tree(6, 2)] {
        for n in normals() {
            let exact = sample(&graph, |x| n.dot(x - DVec3::splat(0.51)));
            let steep: Vec<f64> = exact.iter().map(|phi| phi * 1.7).collect();
            for (phi, params) in [(&exact, KEEP), (&exact, NORMALIZE), (&steep, NORMALIZE)] {
                let (out, report) = redistance(&graph, phi, &params);
                let near = |i: &usize| exact[*i].abs() < 2.0 * graph.sizes[*i];
                let off = |i: usize| (out[i] - exact[i]).abs();
                let (_, worst) = mean_and_worst((0..graph.len()).filter(near).map(off));
                assert!(worst < 1e-12, "{worst} for {n} with {params:?}");
                assert_eq!((report.unreached, report.unsettled), (0, 0));
            }
        }
    }
}

#[test]
fn level_surfaces_are_exact_throughout_trees_that_coarsen_away() {
    let graph = octree(4, 3, |c, size| (c.y - 0.51).abs() < 1.8 * size);
    let exact = sample(&graph, |x| x.y - 0.51);
    let (out, _) = redistance(&graph, &exact, &Params::default());
    let (_, worst) = mean_and_worst((0..graph.len()).map(|i| (out[i] - exact[i]).abs()));
    assert!(worst < 1e-12, "{worst}");
}

/// Transfers `phi` to another tree, linearly from the nearest old point.
fn carried(old: &CsrGraph, phi: &[f64], new: &CsrGraph) -> Vec<f64> {
    sample(new, |x| {
        let holds = |i: &usize| (x - old.positions[*i]).abs().max_element() <= 0.5 * old.sizes[*i];
        let i = (0..old.len()).find(holds).unwrap();
        phi[i] + gradient(old, phi, i).dot(x - old.positions[i])
    })
}

#[test]
fn a_flat_surface_stays_where_it_is_while_trees_change() {
    for params in [KEEP, NORMALIZE] {
        for n in [DVec3::Y, DVec3::new(0.1, 1.0, -0.3).normalize()] {
            let plane = |x: DVec3| n.dot(x - DVec3::splat(0.52));
            let mut graph = two_level(6, 0);
            let mut phi = sample(&graph, plane);
            for step in 1..=50 {
                let next = two_level(6, step);
                phi = redistance(&next, &carried(&graph, &phi, &next), &params).0;
                graph = next;
            }
            let (_, worst) = movement(&graph, &sample(&graph, plane), &phi);
            assert!(worst < 1e-9, "moved by {worst} sizes along {n} with {params:?}");
        }
    }
}

#[test]
fn distances_to_a_sphere_are_of_first_order_and_of_second_near_it() {
    // Errors in units of the smallest size: (mean, worst) everywhere, then within two sizes of the sphere.
    let errors = |graph: &CsrGraph| {
        let h = smallest_size(graph);
        let exact = sample(graph, sphere);
        let (out, report) = redistance(graph, &exact, &Params::default());
        assert_eq!((report.unreached, report.unsettled), (0, 0));
        let error = |i: usize| (out[i] - exact[i]).abs() / h;
        let all = mean_and_worst((0..graph.len()).map(error));
        (all, mean_and_worst((0..graph.len()).filter(|&i| exact[i].abs() < 2.0 * h).map(error)))
    };
    let grids = [16, 32, 64].map(|n| errors(&uniform(n)));
    let trees = [1, 2, 3].map(|levels| errors(&sphere_tree(8, levels)));
    println!("uniform {grids:.4?}, trees {trees:.4?}");
    for ((mean, worst), _) in grids {
        assert!(mean < 0.15 && worst < 1.2, "{mean} {worst}");
    }
    for (_, near) in [grids, trees].concat() {
        assert!(near.0 < 0.05 && near.1 < 0.2, "{near:?}");
    }
    for [_, (_, coarse), (_, fine)] in [grids, trees] {
        assert!(coarse.0 / fine.0 > 1.6 && coarse.1 / fine.1 > 1.4, "{coarse:?} {fine:?}");
    }
}

#[test]
fn distorted_spheres_become_distances_and_stay_in_place() {
    for (name, graph) in
        [("uniform", uniform(32)), ("tree", sphere_tree(8, 2)), ("two-level", two_level(16, 3))]
    {
        let start = sample(&graph, |x| sphere(x) * (1.0 + 0.5 * x.x));
        for params in [KEEP, NORMALIZE] {
            let mut phi = start.clone();
            let mut moved = Vec::new();
            for _ in 0..50 {
                phi = redistance(&graph, &phi, &params).0;
                moved.push(movement(&graph, &start, &phi));
            }
            let (first, last) = (moved[0], moved[49]);
            let (before, after) = (slope_error(&graph, &start, 1.5), slope_error(&graph, &phi, 1.5));
            match params.interface {
                Interface::Keep => assert!(last.0 < 0.001 && last.1 < 0.05, "{last:?}"),
                Interface::Normalize => {
                    assert!(last.0 < 0.005 && last.1 < 0.05, "{last:?}");
                    assert!(after.0 < 0.2 * before.0 && after.1 < 0.15, "{after:?}");
                }
            }
            println!(
                "{name} {:?}: moved {first:.4?} {last:.4?}, slope {before:.4?} {after:.4?}",
                params.interface
            );
        }
    }
}

#[test]
fn between_two_surfaces_the_nearer_one_counts() {
    // Rings of both surfaces meet in the gap, which is narrow and oblique to the grid.
    let n = DVec3::new(1.0, 2.0, 0.5).normalize();
    let gap = |x: DVec3| 0.11 - (n.dot(x) - 0.9).abs();
    for (graph, limits) in [(uniform(20), (1e-9, 1e-9)), (two_level(10, 6), (0.06, 1.0))] {
        let exact = sample(&graph, gap);
        let (out, _) = redistance(&graph, &exact, &Params::default());
        let inside = |i: &usize| {
            let x = graph.positions[*i];
            x.min_element() > 0.2 && x.max_element() < 0.8 && exact[*i] > 0.0
        };
        let error = |i: usize| (out[i] - exact[i]).abs() / graph.sizes[i];
        let (mean, worst) = mean_and_worst((0..graph.len()).filter(inside).map(error));
        assert!(mean < limits.0 && worst < limits.1, "{mean} {worst}");
    }
}

#[test]
fn signs_stay_and_bad_numbers_go() {
    let graph = two_level(6, 8);
    let phi: Vec<f64> = (0..graph.len() as u64)
        .map(|i| match i % 17 {
            0 => f64::NAN,
            1 => 0.0,
            2 => -0.0,
            3 => f64::NEG_INFINITY,
            _ => random(5, i) - 0.5,
        })
        .collect();
    for params in [KEEP, NORMALIZE] {
        let (out, _) = redistance(&graph, &phi, &params);
        for (i, (&a, &b)) in phi.iter().zip(&out).enumerate() {
            assert_eq!(a < 0.0, b < 0.0, "{a} became {b}");
            assert!(b.abs() <= 2.0 * graph.sizes[i].max(1.0 / 6.0), "{a} became {b}");
        }
    }
}

#[test]
fn without_a_surface_all_is_far() {
    let graph = uniform(3);
    let (out, report) = redistance(&graph, &[-0.1; 27], &Params::default());
    assert!(out.iter().all(|d| (d + 12f64.sqrt() / 3.0).abs() < 1e-15));
    assert_eq!((report.interface, report.unreached), (0, 27));
    assert_eq!(redistance(&CsrGraph::default(), &[], &Params::default()).0, []);
}

#[test]
fn mirrored_and_renumbered_points_get_the_same_distances() {
    for graph in [two_level(10, 5), uniform(21)] {
        // Two spheres on a symmetry plane, with a ridge between them.
        let two = |x: DVec3| {
            let a = DVec3::new(0.5, 0.5, 0.25);
            x.distance(a).min(x.distance(DVec3::ONE - a)) - 0.15
        };
        let phi = sample(&graph, |x| two(x) * (1.0 + 0.3 * x.y));
        let (other, old) = mirrored(&graph);
        let turned: Vec<f64> = old.iter().map(|&i| phi[i]).collect();
        for params in [KEEP, NORMALIZE] {
            let (out, there) = (redistance(&graph, &phi, &params).0, redistance(&other, &turned, &params).0);
            for (&i, &b) in old.iter().zip(&there) {
                assert!((out[i] - b).abs() < 1e-12, "{} {b}", out[i]);
            }
        }
    }
}

#[test]
fn threads_do_not_matter() {
    let graph = two_level(20, 9);
    let phi = sample(&graph, |x| sphere(x) * (1.0 + x.y));
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| redistance(&graph, &phi, &NORMALIZE))
    };
    let one = on(1);
    assert!([2, 3, 7].into_iter().all(|threads| on(threads) == one));
}

#[test]
#[ignore = "a measurement"]
fn speed() {
    for graph in [sphere_tree(8, 3), sphere_tree(8, 4), two_level(32, 1), uniform(50)] {
        let phi = sample(&graph, |x| sphere(x) * (1.0 + 0.5 * x.x));
        for params in [KEEP, NORMALIZE] {
            let (micros, report) = cpu_microseconds(10, || redistance(&graph, &phi, &params).1);
            let micros = micros / graph.len() as f64;
            println!("{} cells, {micros:.3} µs a cell, {report:?}", graph.len());
        }
    }
}

#[test]
fn planes_are_not_continued_around_a_bend() {
    // Scattered drops: behind a drop, the planes of its front would give negative distances.
    for seed in 0..20 {
        let drop = |k: u64| {
            let r = |a| random(seed, 8 * k + a);
            (DVec3::new(r(0), r(1), r(2)), 0.03 + 0.1 * r(3))
        };
        let shape =
            |x: DVec3| (0..6).map(|k| x.distance(drop(k).0) - drop(k).1).fold(f64::INFINITY, f64::min);
        let graph = octree(8, 3, |x, h| shape(x).abs() < h);
        let phi: Vec<f64> = (0..graph.len()).map(|i| shape(graph.position(i))).collect();
        let (d, _) = redistance(&graph, &phi, &Params::default());
        for i in 0..graph.len() {
            let mut interface = false;
            graph.for_neighbors(i, |j| interface |= (phi[j] < 0.0) != (phi[i] < 0.0));
            assert!(interface || d[i].abs() > 0.3 * graph.size(i), "{} {}", graph.position(i), d[i]);
        }
    }
}
