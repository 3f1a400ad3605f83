use super::propagate::{Weighted, averaged, propagate};
use super::*;
use crate::nodal::{CornerVelocity, corner_velocity};
use glam::{DVec3, IVec3, Vec3};
use octide_core::octree::{Grading, Octree, RootGrid};
use octide_core::scene::Camera;

fn grid(levels: u8, roots: i32) -> RootGrid {
    RootGrid::new(DVec3::ZERO, 1.0, levels, IVec3::ZERO, IVec3::splat(roots), |_| true)
}

fn uniform(n: i32) -> Mesh {
    Mesh::new(Octree::build(&grid(0, n), Grading::Graded, |_| true))
}

fn at(mesh: &Mesh, p: [f64; 3]) -> CellId {
    mesh.tree.nearest_leaf(DVec3::from_array(p))
}

#[test]
fn at_rest_values_fall_to_t1_after_t2() {
    let mesh = uniform(4);
    let still = CornerVelocity::new(&mesh, Field::filled(mesh.nodes().len(), Vec3::ZERO));
    let params = SizingParams { decay: 0.7, decay_time: 0.02, ..SizingParams::default() };
    for steps in [1, 7] {
        let mut s = par::map(mesh.n_cells(), |c: CellId| 1.0 + f64::from(c.0));
        for _ in 0..steps {
            let faded = fade(&mesh, &s, &still, &mesh, 0.02 / f64::from(steps), &params);
            s = par::map(faded.len(), |c: CellId| f64::from(faded[c]));
        }
        for c in s.ids() {
            assert!((s[c] / (1.0 + f64::from(c.0)) - 0.7).abs() < 1e-6, "{steps} steps: {}", s[c]);
        }
    }
}

#[test]
fn values_are_carried_with_the_flow() {
    let mesh = uniform(8);
    // One cell along x in a second.
    let u = par::map(mesh.n_faces(), |k: FaceId| if mesh.faces.axis(k) == 0 { 1.0 } else { 0.0 });
    let corners = corner_velocity(&mesh, &u);
    let mut s = Field::filled(mesh.n_cells(), 0.0);
    s[at(&mesh, [2.5, 3.5, 3.5])] = 5.0;
    let params = SizingParams { decay_time: 1.0, ..SizingParams::default() };
    let s = fade(&mesh, &s, &corners, &mesh, 1.0, &params);
    let there = at(&mesh, [3.5, 3.5, 3.5]);
    assert!((s[there] - 4.5).abs() < 1e-6 && s.ids().all(|c| c == there || s[c] == 0.0));
}

#[test]
fn propagation_reaches_all_cells_and_stays_between_the_values_it_began_with() {
    let mesh = uniform(16);
    let mut s = Field::filled(mesh.n_cells(), 0.0);
    let (low, high) = (at(&mesh, [1.5, 1.5, 1.5]), at(&mesh, [13.5, 14.5, 13.5]));
    (s[low], s[high]) = (2.0, 10.0);
    propagate(&mesh, &mut s);
    for c in s.ids() {
        assert!((2.0..=10.0).contains(&s[c]), "{} has {}", mesh.tree.center(c), s[c]);
    }
    // Far from the other one, a value is all there is.
    assert_eq!(s[at(&mesh, [0.5, 0.5, 0.5])], 2.0);
    assert_eq!(s[at(&mesh, [15.5, 15.5, 15.5])], 10.0);
    assert_eq!((s[low], s[high]), (2.0, 10.0));
}

#[test]
fn a_cell_changes_five_times_at_most() {
    // A row of cells with one value at its end: every cell takes it over when it is reached. The larger value
    // at the other end comes to cells that have one, and goes on for four rounds.
    let row = RootGrid::new(DVec3::ZERO, 1.0, 0, IVec3::ZERO, IVec3::new(32, 1, 1), |_| true);
    let mesh = Mesh::new(Octree::build(&row, Grading::Graded, |_| true));
    let mut s = Field::filled(mesh.n_cells(), 1.0);
    s[at(&mesh, [31.5, 0.5, 0.5])] = 3.0;
    propagate(&mesh, &mut s);
    let values: Vec<f64> = (0..32).map(|i| s[at(&mesh, [f64::from(i) + 0.5, 0.5, 0.5])]).collect();
    assert!(values[..27].iter().all(|&v| v == 1.0), "{values:?}");
    assert!(values[27] > 1.0 && values.windows(2).all(|w| w[0] <= w[1]), "{values:?}");
}

#[test]
fn neighbors_count_by_volume() {
    // A large cell with one large neighbor that has a value, and a corner of small ones with another.
    let mesh = Mesh::new(Octree::build(&grid(1, 2), Grading::Graded, |c| c.center.max_element() < 1.5));
    let (large, small) = (at(&mesh, [3.0, 1.0, 1.0]), at(&mesh, [1.5, 0.5, 0.5]));
    let other = at(&mesh, [3.0, 3.0, 1.0]);
    let mut s = Field::filled(mesh.n_cells(), 0.0);
    (s[small], s[other]) = (9.0, 1.0);
    let new = |s: &Field<CellId, f64>| {
        let at =
            par::map(mesh.n_cells(), |c: CellId| Weighted { s: s[c], volume: mesh.tree.size(c).powi(3) });
        averaged(&mesh, &at, large)
    };
    assert!((new(&s) - (9.0 + 8.0 * 1.0) / 9.0).abs() < 1e-12);
    s[large] = 4.0;
    assert!((new(&s) - (9.0 + 8.0 * 4.0) / 9.0).abs() < 1e-12);
}

#[test]
fn the_pseudo_cell_size_is_the_paper_s() {
    for above in 0..8 {
        assert!((pseudo_size(0.25, above, 1.0) - 0.25 * 2f64.powi(i32::from(above))).abs() < 1e-9);
    }
    // 2^(ln 4 / ln 1.4) of eq. (38), by hand.
    let expected = 2f64.powf(4f64.ln() / 1.4f64.ln()) * 0.25;
    assert!((pseudo_size(0.25, 2, 0.4) / expected - 1.0).abs() < 1e-12);
    assert_eq!(pseudo_size(0.25, 0, 0.0), 0.25);
    assert_eq!(pseudo_size(0.25, 1, 0.0), f64::INFINITY);
}

#[test]
fn a_camera_sees_what_is_before_it_and_little_more() {
    let camera = Camera { position: DVec3::new(0.0, 0.0, 5.0), target: DVec3::ZERO, fov: 90.0 };
    let view = View::new(&camera, 2.0);
    let sees = |x: f64, y: f64, z: f64| view.sees(DVec3::new(x, y, z), 0.0);
    assert!(sees(0.0, 0.0, 0.0) && sees(9.9, 4.9, 0.0) && sees(-9.9, -4.9, 0.0));
    assert!(!sees(0.0, 0.0, 6.0), "behind it");
    // A tenth of the picture's size around it.
    assert!(sees(0.0, 5.9, 0.0) && !sees(0.0, 6.1, 0.0) && sees(11.9, 0.0, 0.0) && !sees(12.1, 0.0, 0.0));
    assert!(view.sees(DVec3::new(0.0, 6.1, 0.0), 0.2));
}
