use super::*;
use crate::surface::graph::CsrGraph;
use crate::surface::test_graphs::{cpu_microseconds, mirrored, octree, random, two_level, uniform};
use glam::DVec3;

const CENTER: DVec3 = DVec3::splat(0.47);

fn sphere(graph: &CsrGraph) -> Vec<f64> {
    graph.positions.iter().map(|x| x.distance(CENTER) - 0.3).collect()
}

fn inside(phi: &[f64]) -> (Vec<bool>, Vec<f64>) {
    (phi.iter().map(|&p| p < 0.0).collect(), phi.iter().map(|p| p.abs()).collect())
}

#[test]
fn constants_are_carried_exactly() {
    for graph in [uniform(9), two_level(7, 3)] {
        let (valid, order) = inside(&sphere(&graph));
        let u = DVec3::new(0.1, -0.7, 1.0 / 3.0);
        let mut values: Vec<DVec3> =
            valid.iter().map(|&v| if v { u } else { DVec3::splat(f64::NAN) }).collect();
        let report = extrapolate(&graph, &valid, &order, &mut values);
        assert!(values.iter().all(|&v| v == u));
        assert_eq!(report.unreached, 0);
        assert_eq!(report.reached, valid.iter().filter(|&&v| !v).count());
    }
}

#[test]
fn values_follow_the_normal_and_stay_in_range() {
    for graph in [uniform(32), two_level(16, 3)] {
        let phi = sphere(&graph);
        let (valid, order) = inside(&phi);
        let f = |x: DVec3| (x - CENTER).normalize_or_zero().x;
        let mut values: Vec<f64> =
            graph.positions.iter().zip(&valid).map(|(&x, &v)| if v { f(x) } else { 9.0 }).collect();
        extrapolate(&graph, &valid, &order, &mut values);
        let near = |i: &usize| phi[*i] > 0.0 && phi[*i] < 0.2;
        let errors: Vec<f64> =
            (0..graph.len()).filter(near).map(|i| (values[i] - f(graph.positions[i])).abs()).collect();
        let mean = errors.iter().sum::<f64>() / errors.len() as f64;
        let worst = errors.iter().copied().fold(0.0, f64::max);
        println!("mean {mean:.4}, worst {worst:.4}");
        assert!(mean < 0.03 && worst < 0.2, "mean {mean}, worst {worst}");
        assert!(values.iter().all(|v| v.abs() <= 1.0));
    }
}

#[test]
fn what_no_neighbor_ties_to_a_value_is_zero_and_counted() {
    let positions = (0..6).map(|i| DVec3::X * f64::from(i)).collect();
    let graph = CsrGraph::from_edges(positions, vec![1.0; 6], &[(0, 1), (1, 2), (3, 4), (4, 5)]);
    let mut values = vec![5.0, 1.0, 1.0, 1.0, f64::NAN, 1.0];
    let valid = [true, false, false, false, false, false];
    // The farther point comes before the nearer one in the order, but must wait for it.
    let report = extrapolate(&graph, &valid, &[0.0, 9.0, 1.0, 0.0, 0.0, 0.0], &mut values);
    assert_eq!(values, [5.0, 5.0, 5.0, 0.0, 0.0, 0.0]);
    assert_eq!((report.reached, report.unreached), (2, 3));
    let mut nothing: Vec<f64> = Vec::new();
    assert_eq!(extrapolate(&CsrGraph::default(), &[], &[], &mut nothing), Extrapolated::default());
}

#[test]
fn mirrored_and_renumbered_points_get_the_same_values() {
    let graph = two_level(8, 5);
    let (valid, order) = inside(&sphere(&graph));
    let start: Vec<f64> = (0..graph.len() as u64).map(|i| random(2, i)).collect();
    let mut values = start.clone();
    extrapolate(&graph, &valid, &order, &mut values);

    let (other, old) = mirrored(&graph);
    let pick = |v: &[f64]| old.iter().map(|&i| v[i]).collect::<Vec<f64>>();
    let mut mirrored = pick(&start);
    let valid: Vec<bool> = old.iter().map(|&i| valid[i]).collect();
    extrapolate(&other, &valid, &pick(&order), &mut mirrored);
    for (a, b) in pick(&values).iter().zip(&mirrored) {
        assert!((a - b).abs() < 1e-13, "{a} {b}");
    }
}

#[test]
fn threads_do_not_matter() {
    let graph = two_level(20, 9);
    let (valid, order) = inside(&sphere(&graph));
    let start: Vec<DVec3> = graph.positions.iter().map(|x| (*x * 20.0).map(f64::sin)).collect();
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut values = start.clone();
        pool.install(|| extrapolate(&graph, &valid, &order, &mut values));
        values
    };
    let one = on(1);
    assert!([2, 3, 7].into_iter().all(|threads| on(threads) == one));
}

#[test]
#[ignore = "a measurement"]
fn speed() {
    let split = |c: DVec3, size: f64| (c.distance(CENTER) - 0.3).abs() < 1.8 * size;
    for (n, levels) in [(8, 3), (8, 4)] {
        let graph = octree(n, levels, split);
        let (valid, order) = inside(&sphere(&graph));
        let mut values: Vec<DVec3> = graph.positions.clone();
        let (micros, report) = cpu_microseconds(10, || extrapolate(&graph, &valid, &order, &mut values));
        let micros = micros / graph.len() as f64;
        println!("{} cells, {micros:.3} µs a cell, {report:?}", graph.len());
    }
}
