//! Spheres: convergence of volume, area, positions and normals.

use super::check::{area, flaw, smallest_angle, volume};
use super::*;

/// Relative errors of volume and area, largest distance from the sphere, mean error of normals.
struct Errors([f64; 4]);

fn sphere(levels: u8, refine: impl Fn(&CellBox) -> bool + Sync) -> Errors {
    let (center, radius) = (DVec3::new(0.512, 0.487, 0.531), 0.31);
    let (tree, nodes) = build(&unit_roots([1, 1, 1], levels), refine);
    let mesh = contour(&tree, &nodes, |p| p.distance(center) - radius);
    assert_eq!(flaw(&mesh), None);
    assert!(volume(&mesh) > 0.0);
    assert!(smallest_angle(&mesh) > 10.0);
    let pi = std::f64::consts::PI;
    let n = mesh.positions.len();
    let off = |i: usize| (mesh.positions[i].distance(center) - radius).abs();
    let turned = |i: usize| mesh.normals[i].distance((mesh.positions[i] - center).normalize());
    let e = Errors([
        (volume(&mesh) / (4.0 / 3.0 * pi * radius.powi(3)) - 1.0).abs(),
        (area(&mesh) / (4.0 * pi * radius * radius) - 1.0).abs(),
        (0..n).map(off).fold(0.0, f64::max),
        (0..n).map(turned).sum::<f64>() / n as f64,
    ]);
    // The error of linear interpolation between two centers.
    let h = tree.grid().dx();
    assert!(e.0[2] < 0.125 * h * h / radius);
    println!("{levels}: {:?}, {:.4} h, smallest angle {:.1}°", e.0, e.0[2] / h, smallest_angle(&mesh));
    e
}

/// Returns the orders of convergence over two halvings of the cells.
fn orders(coarse: &Errors, fine: &Errors) -> [f64; 4] {
    let orders = std::array::from_fn(|k| (coarse.0[k] / fine.0[k]).log2() / 2.0);
    println!("orders {orders:.2?}");
    orders
}

#[test]
fn a_sphere_converges_on_a_uniform_tree() {
    let at = |levels| sphere(levels, |_| true);
    let orders = orders(&at(4), &at(6));
    assert!(orders[..2].iter().all(|&o| o > 1.9) && orders[2] > 2.3 && orders[3] > 0.8);
}

#[test]
fn a_sphere_converges_across_changes_of_level() {
    // Octants of the cube alternate between two levels.
    let at = |levels: u8| {
        sphere(levels, |c| {
            c.level + 1 < levels || c.center.cmpgt(DVec3::splat(0.5)).bitmask().count_ones() % 2 == 0
        })
    };
    let orders = orders(&at(5), &at(7));
    assert!(orders[..2].iter().all(|&o| o > 1.7) && orders[2] > 1.9 && orders[3] > 0.8);
}
