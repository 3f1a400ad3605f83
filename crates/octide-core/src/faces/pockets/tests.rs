use super::*;
use crate::geometry::Shape;
use crate::octree::{Grading, Nodes, Octree, SplitFaces};
use crate::scene::{Domain, OpenSides, Solid};

/// A cube of 32 × 32 × 32 cells, coarse where a solid is not near the water's surface, at y = 0.4.
struct Grid {
    tree: Octree,
    faces: SplitFaces,
    nodes: Nodes,
}

impl Grid {
    fn new() -> Self {
        let domain = Domain { origin: DVec3::ZERO, size: DVec3::ONE, resolution: 32, levels: 3 };
        let tree = Octree::build(&domain.root_grid(), Grading::Graded, |b| (b.center.y - 0.4).abs() < 0.15);
        let (faces, nodes) = (SplitFaces::new(&tree), Nodes::new(&tree));
        Self { tree, faces, nodes }
    }
}

impl FaceGeometry for Grid {
    type Faces = SplitFaces;

    fn tree(&self) -> &Octree {
        &self.tree
    }

    fn faces(&self) -> &SplitFaces {
        &self.faces
    }
}

impl crate::faces::FaceCorners for Grid {
    fn nodes(&self) -> &Nodes {
        &self.nodes
    }
}

const DOWN: DVec3 = DVec3::new(0.0, -9.8, 0.0);

/// Returns a glass upside down with its rim at this height, whose walls are thinner than the coarse cells.
fn glass(rim: f64, closed: bool) -> Vec<Solid> {
    let cylinder = |from: f64, to: f64, radius| {
        let at = |y| DVec3::new(0.5, y, 0.5);
        Shape::Cylinder { from: at(from), to: at(to), radius }
    };
    let top = if closed { 0.85 } else { 1.0 };
    let of = Box::new(cylinder(rim, 0.9, 0.3));
    vec![Solid::still(Shape::Difference { of, minus: vec![cylinder(rim - 0.1, top, 0.24)] })]
}

/// Returns the pockets above water with its surface at y = 0.4.
fn pockets(grid: &Grid, solids: &[Solid], sides: OpenSides, gravity: DVec3) -> (Pockets, Apertures) {
    let solids = Solids::on_grid(solids, 0.0, grid.tree.grid().dx());
    let apertures = Apertures::new(grid, &solids, sides);
    let is_air = |c| grid.tree.center(c).y > 0.4;
    (Pockets::find(grid, &apertures, &solids, is_air, gravity), apertures)
}

#[test]
fn the_air_in_a_glass_is_shut_in_if_its_rim_is_under_water() {
    let grid = Grid::new();
    let n = |rim, closed| pockets(&grid, &glass(rim, closed), OpenSides::default(), DOWN).0.len();
    assert_eq!(n(0.3, true), 1);
    assert_eq!(n(0.5, true), 0, "air passes below the rim");
    assert_eq!(n(0.3, false), 0, "the upper end is open");
}

#[test]
fn cells_and_faces_of_a_pocket_are_inside_the_glass() {
    let grid = Grid::new();
    let (pockets, _) = pockets(&grid, &glass(0.3, true), OpenSides::default(), DOWN);
    let at = |x: f64, y: f64| pockets.of_cell(grid.tree.nearest_leaf(DVec3::new(x, y, 0.5)));
    assert_eq!([at(0.5, 0.5), at(0.5, 0.7), at(0.3, 0.6)], [Some(0); 3]);
    assert_eq!([at(0.5, 0.3), at(0.5, 0.95), at(0.1, 0.6)], [None; 3]);
    assert!(pockets.faces().all(|(k, b)| b == 0 && grid.face_position(k).distance(DVec3::splat(0.5)) < 0.6));
    let at_surface =
        pockets.faces().filter(|&(k, _)| (grid.face_position(k).y - 0.40625).abs() < 1e-9).count();
    assert!(at_surface > 100, "{at_surface} faces between air and water");
}

#[test]
fn what_flows_through_the_surface_of_a_pocket_flows_into_it() {
    let grid = Grid::new();
    let (pockets, apertures) = pockets(&grid, &glass(0.3, true), OpenSides::default(), DOWN);
    let u = |k: FaceId| if grid.axis(k) == 1 { 2.0 } else { 0.0 };
    let flow = |k: FaceId, _| grid.face_size(k).powi(2) * apertures.through(k, u(k));
    let at_surface = |k: FaceId, c| if grid.face_position(k).y < 0.41 { flow(k, c) } else { 0.0 };
    let expected = 2.0 * std::f64::consts::PI * 0.24f64.powi(2);
    let found = pockets.inflow(at_surface)[0];
    assert!((found - expected).abs() < 0.02 * expected, "{found} {expected}");
}

#[test]
fn balance_finds_the_pressures_at_which_nothing_flows() {
    // Flows of two pockets that are linear in their pressures, from pressures of zero and with each raised by one.
    let flow = |p: [f64; 2]| vec![3.0 - 2.0 * p[0] + 0.5 * p[1], -1.0 + 0.5 * p[0] - 4.0 * p[1]];
    let found = balance(&flow([0.0, 0.0]), &[flow([1.0, 0.0]), flow([0.0, 1.0])], &[0.1; 2]);
    assert!(flow([found[0], found[1]]).iter().all(|x| x.abs() < 1e-12), "{found:?}");
    assert_eq!(balance(&[2.0], &[vec![2.0 + 1e-9]], &[1e-6]), [0.0], "a pressure that moves nothing");
}

#[test]
fn in_a_closed_vessel_no_pressure_is_sought() {
    let grid = Grid::new();
    let cube = |a: f64| Shape::Box { min: DVec3::splat(0.5 - a), max: DVec3::splat(0.5 + a) };
    let vessel = Shape::Difference { of: Box::new(cube(0.4)), minus: vec![cube(0.3)] };
    assert_eq!(pockets(&grid, &[Solid::still(vessel)], OpenSides::default(), DOWN).0.len(), 0);
}

/// Returns the air that collapses within a tenth of a second if water moves along y with the velocity `u`.
fn collapsing(
    solids: &[Solid],
    is_air: impl Fn(DVec3) -> bool + Sync + Send,
    u: impl Fn(DVec3) -> f64,
) -> Option<CollapsingAir> {
    let grid = Grid::new();
    let solids = Solids::on_grid(solids, 0.0, grid.tree.grid().dx());
    let apertures = Apertures::new(&grid, &solids, OpenSides::default());
    let pockets = Pockets::find(&grid, &apertures, &solids, |c| is_air(grid.tree.center(c)), DOWN);
    assert_eq!(pockets.len(), if solids.is_empty() { 0 } else { 4 });
    let along = |k: FaceId| if grid.axis(k) == 1 { u(grid.face_position(k)) } else { 0.0 };
    pockets.collapsing(0.1, |k, _| grid.face_size(k).powi(2) * apertures.through(k, along(k)))
}

#[test]
fn a_bubble_in_open_water_collapses_and_air_above_the_water_does_not() {
    let center = DVec3::new(0.5, 0.4, 0.5);
    let tank = |radius: f64| move |x: DVec3| x.y > 0.75 || x.distance(center) < radius;
    let toward_center = |speed: f64| move |x: DVec3| speed * (0.4 - x.y).signum();
    let found = collapsing(&[], tank(0.12), toward_center(0.1)).unwrap();
    let volume = 4.0 / 3.0 * std::f64::consts::PI * 0.12f64.powi(3);
    assert!(
        (found.volume - volume).abs() < 0.05 * volume && found.center.distance(center) < 0.01,
        "{found:?}"
    );
    assert_eq!(found.reason, CollapseReason::NoSolid);
    assert_eq!(collapsing(&[], tank(0.12), toward_center(-0.1)), None, "it grows");
    assert_eq!(collapsing(&[], tank(0.12), toward_center(1e-3)), None, "it loses 1e-3 of its volume");
    assert_eq!(collapsing(&[], tank(0.07), toward_center(0.1)), None, "it is small");
    let full = |x: DVec3| x.distance(center) < 0.12;
    assert_eq!(collapsing(&[], full, toward_center(0.1)), None, "a full tank has no room for it");
}

#[test]
fn of_five_pockets_the_smallest_collapses() {
    /// Between two layers of cells.
    const TOP: f64 = 0.40625;
    // Pits that open upward, filled with air below the water.
    let pit = |i: u32, depth: f64| Shape::Box {
        min: DVec3::new(0.07 + 0.19 * f64::from(i), TOP - depth, 0.2),
        max: DVec3::new(0.17 + 0.19 * f64::from(i), 0.5, 0.8),
    };
    let depths = [0.1, 0.12, 0.07, 0.13, 0.14];
    let pits: Vec<Shape> = (0..5).map(|i| pit(i, depths[i as usize])).collect();
    let floor = Shape::Box { min: DVec3::splat(-1.0), max: DVec3::new(2.0, TOP, 2.0) };
    let ground = [Solid::still(Shape::Difference { of: Box::new(floor), minus: pits })];
    let is_air = |x: DVec3| x.y < 0.4 || x.y > 0.75;
    let into_third = |x: DVec3| if (x.x - 0.5).abs() < 0.09 { -1.0 } else { 0.0 };
    let found = collapsing(&ground, is_air, into_third).unwrap();
    assert_eq!(found.reason, CollapseReason::TooMany { most: 4 });
    assert!((found.center.x - 0.5).abs() < 0.02 && found.volume < 0.1 * 0.6 * 0.1, "{found:?}");
    let found = collapsing(&ground, is_air, |_| -1.0).unwrap();
    assert_eq!(found.reason, CollapseReason::TooFast, "the largest is named");
}
