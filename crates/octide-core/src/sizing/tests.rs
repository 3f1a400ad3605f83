use super::propagate::{Weighted, averaged};
use super::*;
use crate::index::{CellId, Field};
use crate::octree::{Contacts, Grading, Octree, Refinement, RootGrid};
use crate::par;
use crate::scene::Camera;
use glam::{DVec3, IVec3};

struct Mesh {
    tree: Octree,
    contacts: Contacts,
}

impl Mesh {
    fn new(tree: Octree) -> Self {
        Self { contacts: Contacts::new(&tree), tree }
    }

    fn n_cells(&self) -> usize {
        self.tree.n_cells()
    }
}

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
fn propagation_reaches_all_cells_and_stays_between_the_values_it_began_with() {
    let mesh = uniform(16);
    let mut s = Field::filled(mesh.n_cells(), 0.0);
    let (low, high) = (at(&mesh, [1.5, 1.5, 1.5]), at(&mesh, [13.5, 14.5, 13.5]));
    (s[low], s[high]) = (2.0, 10.0);
    propagate(&mesh.tree, &mesh.contacts, &mut s);
    for c in s.ids() {
        assert!((2.0..=10.0).contains(&s[c]), "{} has {}", mesh.tree.center(c), s[c]);
    }
    // Far from the other value, a cell has only this one.
    assert_eq!(s[at(&mesh, [0.5, 0.5, 0.5])], 2.0);
    assert_eq!(s[at(&mesh, [15.5, 15.5, 15.5])], 10.0);
    assert_eq!((s[low], s[high]), (2.0, 10.0));
}

#[test]
fn a_cell_changes_five_times_at_most() {
    // A row of cells with one value at its end: every cell adopts it when it is reached. The larger value at
    // the other end arrives at cells that already have one, and continues for four rounds.
    let row = RootGrid::new(DVec3::ZERO, 1.0, 0, IVec3::ZERO, IVec3::new(32, 1, 1), |_| true);
    let mesh = Mesh::new(Octree::build(&row, Grading::Graded, |_| true));
    let mut s = Field::filled(mesh.n_cells(), 1.0);
    s[at(&mesh, [31.5, 0.5, 0.5])] = 3.0;
    propagate(&mesh.tree, &mesh.contacts, &mut s);
    let values: Vec<f64> = (0..32).map(|i| s[at(&mesh, [f64::from(i) + 0.5, 0.5, 0.5])]).collect();
    assert!(values[..27].iter().all(|&v| v == 1.0), "{values:?}");
    assert!(values[27] > 1.0 && values.windows(2).all(|w| w[0] <= w[1]), "{values:?}");
}

#[test]
fn neighbors_count_by_volume() {
    // A large cell with one large neighbor that has a value, and a corner of small cells with another value.
    let mesh = Mesh::new(Octree::build(&grid(1, 2), Grading::Graded, |c| c.center.max_element() < 1.5));
    let (large, small) = (at(&mesh, [3.0, 1.0, 1.0]), at(&mesh, [1.5, 0.5, 0.5]));
    let other = at(&mesh, [3.0, 3.0, 1.0]);
    let mut s = Field::filled(mesh.n_cells(), 0.0);
    (s[small], s[other]) = (9.0, 1.0);
    let new = |s: &Field<CellId, f64>| {
        let at =
            par::map(mesh.n_cells(), |c: CellId| Weighted { s: s[c], volume: mesh.tree.size(c).powi(3) });
        averaged(&mesh.contacts, &at, large)
    };
    assert!((new(&s) - (9.0 + 8.0 * 1.0) / 9.0).abs() < 1e-12);
    s[large] = 4.0;
    assert!((new(&s) - (9.0 + 8.0 * 4.0) / 9.0).abs() < 1e-12);
}

#[test]
fn a_camera_sees_what_is_before_it_and_little_more() {
    let camera = Camera { position: DVec3::new(0.0, 0.0, 5.0), target: DVec3::ZERO, fov: 90.0 };
    let view = View::new(&camera, 2.0);
    let sees = |x: f64, y: f64, z: f64| view.sees(DVec3::new(x, y, z), 0.0);
    assert!(sees(0.0, 0.0, 0.0) && sees(9.9, 4.9, 0.0) && sees(-9.9, -4.9, 0.0));
    assert!(!sees(0.0, 0.0, 6.0), "behind it");
    // The margin is a tenth of the picture's size.
    assert!(sees(0.0, 5.9, 0.0) && !sees(0.0, 6.1, 0.0) && sees(11.9, 0.0, 0.0) && !sees(12.1, 0.0, 0.0));
    assert!(view.sees(DVec3::new(0.0, 6.1, 0.0), 0.2));
}

/// Two thirds are left after each second, in one step or in four.
#[test]
fn values_decay_with_time_and_move_with_the_fluid() {
    let decay = Decay { fraction: 2.0 / 3.0, time: 1.0 };
    let s = Field::from_vec(vec![3.0, 9.0]);
    // The fluid of both new cells was in the second old cell.
    let left = decay.decayed(&s, 2, |_| CellId(1), 1.0);
    assert!(left.iter().all(|&v| (v - 6.0).abs() < 1e-6), "{left:?}");
    let quarter = decay.decayed(&s, 2, |c| c, 0.25);
    assert!((f64::from(quarter[CellId(0)]) / 3.0 - (2f64 / 3.0).powf(0.25)).abs() < 1e-6);
}

#[test]
fn a_request_refines_the_parents_within_reach_and_is_not_repeated() {
    let grid = grid(2, 2);
    let mut refinement = Refinement::new(&grid);
    let mut requests: Vec<RefinementRequest> = Vec::new();
    for x in [2.9, 3.0] {
        RefinementRequest::new(&refinement, 2, DVec3::new(x, 3.0, 3.0), 0.25).push_to(&mut requests);
    }
    assert_eq!(requests.len(), 1);
    requests[0].refine(&mut refinement);
    let tree = refinement.build(Grading::Unrestricted);
    let level = |p: [f64; 3]| tree.level(tree.nearest_leaf(DVec3::from_array(p)));
    assert_eq!((level([2.5, 3.5, 2.5]), level([1.0, 3.0, 3.0]), level([6.0, 3.0, 3.0])), (2, 1, 0));
}

#[test]
fn detail_is_at_the_surface_and_at_solids_under_water() {
    assert_eq!(distance_to_detail(0.5, 0.1, 1.0), 0.5);
    assert_eq!(distance_to_detail(-0.5, 0.1, 1.0), 0.1);
    assert_eq!(distance_to_detail(-0.5, -2.0, 1.0), f64::INFINITY);
}

#[test]
fn trees_with_more_cells_than_allowed_are_refused() {
    use crate::memory::MemoryModel;
    let model = MemoryModel {
        base: 0.0,
        state_cell: 1.0,
        kept_cell: 24.0,
        step_cell: 1.0,
        solid_cell: 0.0,
        particle: 0.0,
        frame_cell: 0.0,
    };
    let (grid, grading) = (grid(1, 2), Grading::Unrestricted);
    let built = |max_cells: usize| {
        let limit = CellLimit { model, max_cells };
        let mut refinement = limit.refinement(&grid);
        refinement.refine(0, IVec3::ZERO);
        (limit.build(refinement, grading, 0).is_ok(), limit.uniform(&grid, grading).is_ok())
    };
    assert_eq!([64, 63, 15, 14].map(built), [(true, true), (true, false), (true, false), (false, false)]);
}
