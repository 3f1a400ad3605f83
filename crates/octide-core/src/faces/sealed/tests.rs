use super::*;
use crate::faces::FaceGeometry;
use crate::octree::{Grading, MergedFaces, Octree};
use crate::scene::{Domain, OpenSides};
use glam::DVec3;

/// A cube of 8 × 8 × 8 cells.
struct Grid {
    tree: Octree,
    faces: MergedFaces,
}

impl Grid {
    fn new() -> Self {
        let domain = Domain { origin: DVec3::ZERO, size: DVec3::ONE, resolution: 8, levels: 1 };
        let tree = Octree::build(&domain.root_grid(), Grading::Graded, |_| true);
        let faces = MergedFaces::new(&tree);
        Self { tree, faces }
    }
}

impl FaceGeometry for Grid {
    type Faces = MergedFaces;

    fn tree(&self) -> &Octree {
        &self.tree
    }

    fn faces(&self) -> &MergedFaces {
        &self.faces
    }
}

/// Two rooms, x < 0.5 and x > 0.5, with all faces between them closed, and the faces of the side −x.
fn rooms(grid: &Grid, sides: OpenSides) -> (Apertures, Vec<FaceId>) {
    let mut apertures = Apertures::without_solids(grid, sides);
    let mut left = Vec::new();
    for k in (0..grid.n_faces() as u32).map(FaceId) {
        if grid.axis(k) == 0 && grid.face_position(k).x == 0.5 {
            apertures.set_open(k, 0.0);
        }
        if grid.side_of(k) == Some(0) {
            left.push(k);
        }
    }
    (apertures, left)
}

#[test]
fn water_is_sealed_unless_it_touches_air_or_an_open_side() {
    let grid = Grid::new();
    let mut open = OpenSides::default();
    open.sides[0] = true;
    let at = |x: f64| grid.tree.nearest_leaf(DVec3::new(x, 0.5, 0.5));
    for (sides, has_air, expected) in [
        (OpenSides::default(), false, [true, true]),
        (OpenSides::default(), true, [true, false]),
        (open, false, [false, true]),
    ] {
        let (apertures, _) = rooms(&grid, sides);
        let pieces = Pieces::find(&grid, &apertures, |c| !has_air || grid.tree.center(c).x < 0.9);
        assert_eq!([at(0.2), at(0.7)].map(|c| pieces.is_sealed(c)), expected);
        assert!(pieces.are_joined(at(0.1), at(0.4)) && !pieces.are_joined(at(0.4), at(0.6)));
        assert_eq!(pieces.n_cells(at(0.2)), 256);
    }
}

#[test]
fn flaps_and_walls_decide_where_the_pressure_of_sealed_water_is_zero() {
    let grid = Grid::new();
    let (apertures, left) = rooms(&grid, OpenSides::default());
    let pieces = Pieces::find(&grid, &apertures, |_| true);
    // Hydrostatic pressure of mean zero in both rooms; the flaps are in the upper half of −x.
    let height = |c: CellId| grid.tree.center(c).y;
    let hydrostatic = |c: CellId| 0.5 - height(c);
    let mut pressure = Field::from_vec(grid.tree.cells().map(hydrostatic).collect());
    let flaps: Vec<FaceId> = left.into_iter().filter(|&k| grid.face_position(k).y > 0.5).collect();
    pieces.settle_pressure(&grid, &flaps, &mut pressure);
    for c in grid.tree.cells() {
        // Zero is in the lowest row of flaps, or, without flaps, below the ceiling.
        let zero = if grid.tree.center(c).x < 0.5 { 0.5625 } else { 0.9375 };
        assert!((pressure[c] - (zero - height(c))).abs() < 1e-12);
    }
    // Water that touches air keeps its pressure.
    let before = pressure.clone();
    let airy = Pieces::find(&grid, &apertures, |c| height(c) < 0.9);
    airy.settle_pressure(&grid, &flaps, &mut pressure);
    assert_eq!(pressure, before);
}
