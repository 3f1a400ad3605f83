use super::*;
use crate::faces::{FaceCorners, FaceTable};
use crate::geometry::Shape;
use crate::octree::{Grading, MergedFaces, Nodes, Octree, SplitFaces};
use crate::scene::{Domain, Solid};

/// The number of cells along each edge.
const N: u32 = 16;
const DX: f64 = 1.0 / 16.0;

/// A cube of equal cells.
struct Grid<F> {
    tree: Octree,
    faces: F,
    nodes: Nodes,
}

impl<F: FaceTable> Grid<F> {
    fn new(faces: impl Fn(&Octree) -> F) -> Self {
        let domain = Domain { origin: DVec3::ZERO, size: DVec3::ONE, resolution: N, levels: 1 };
        let tree = Octree::build(&domain.root_grid(), Grading::Graded, |_| true);
        Self { faces: faces(&tree), nodes: Nodes::new(&tree), tree }
    }
}

impl<F: FaceTable> FaceGeometry for Grid<F> {
    type Faces = F;

    fn tree(&self) -> &Octree {
        &self.tree
    }

    fn faces(&self) -> &F {
        &self.faces
    }
}

impl<F: FaceTable> FaceCorners for Grid<F> {
    fn nodes(&self) -> &Nodes {
        &self.nodes
    }
}

/// A floor at y = 4.6 cells, in the middle of a row of cells.
fn floor() -> Solids {
    let (min, max) = (DVec3::splat(-1.0), DVec3::new(2.0, 4.6 * DX, 2.0));
    Solids::at(&[Solid::still(Shape::Box { min, max })], 0.0)
}

/// Solves three times for a pressure of −1 in water, which ends at `x` and at y = 10 cells. Returns the walls that it
/// detached from, and φ and the apertures after it.
fn pulled<F: FaceTable>(
    grid: &Grid<F>,
    x: f64,
    holds: f64,
) -> (DetachedCells, Field<CellId, f64>, Apertures) {
    let solids = floor();
    let mut apertures = Apertures::within_walls(grid, &solids);
    let mut phi = par::map(grid.tree.n_cells(), |c: CellId| {
        let p = grid.tree.center(c);
        (p.x - x).max(p.y - 10.0 * DX)
    });
    let u_star = Field::filled(grid.n_faces(), 0.0);
    let mut detached = Detached::none(grid.tree.n_cells());
    let project = |phi: &Field<CellId, f64>, _: &mut Apertures, _| {
        Ok::<_, ()>(par::map(phi.len(), |c: CellId| if phi[c] < 0.0 { -1.0 } else { 0.0 }))
    };
    let none = Pockets::default();
    let at = (grid, &solids, &none);
    let done = detached.settle(at, &mut apertures, &mut phi, (&u_star, holds), |_| false, project, |p| p);
    assert!(done.is_ok());
    (detached.cells(), phi, apertures)
}

fn check<F: FaceTable>(grid: &Grid<F>) -> DetachedCells {
    // Air reaches two rows of cells in two solves.
    let (cells, phi, apertures) = pulled(grid, 0.5, 0.5);
    assert_eq!(cells.len(), 2 * N as usize);
    for &(c, free) in &cells {
        let p = grid.tree.center(c);
        assert!(
            free == 1 << 3 && p.x < 0.5 && p.x > 0.5 - 2.0 * DX && p.y > 4.0 * DX && p.y < 5.0 * DX,
            "{p}"
        );
        assert!((phi[c] - (4.6 * DX - p.y)).abs() < 1e-12, "φ is the depth, {}", phi[c]);
        assert_eq!(apertures.open(grid.faces.of_cell_toward(c, 3)[0]), 1.0);
    }
    // Without air at the wall, and where the wall holds as much, nothing detaches.
    assert!(pulled(grid, 2.0, 0.5).0.is_empty() && pulled(grid, 0.5, 2.0).0.is_empty());
    cells
}

#[test]
fn air_advances_along_walls_that_pull_and_does_not_come_from_nothing() {
    let merged = check(&Grid::new(MergedFaces::new));
    assert_eq!(merged, check(&Grid::new(SplitFaces::new)));
}

/// The wall is 0.1 cells deep below the cell outside, and the gap is as wide as the water is above it.
#[test]
fn walls_stay_free_while_the_water_moves_away_or_has_a_gap() {
    let grid = Grid::new(SplitFaces::new);
    let (solids, dt) = (floor(), 0.01);
    let apertures = Apertures::within_walls(&grid, &solids);
    let walled = Walled { mesh: &grid, apertures: &apertures, solids: &solids };
    let wall = grid.tree.nearest_leaf(DVec3::new(0.5, 4.5 * DX, 0.5));
    let stays = |gap: f64, speed: f64| {
        let mut phi = par::map(grid.tree.n_cells(), |c: CellId| 4.6 * DX + gap - grid.tree.center(c).y);
        let before = |c, _| if c == wall { 1 << 3 | 1 } else { 0 };
        let detached = Detached::carried(walled, &mut phi, dt, before, |_| DVec3::new(0.3, speed, 0.0));
        (detached.cells(), phi[wall])
    };
    let (cells, phi) = stays(0.2 * DX, -1.0);
    assert_eq!(cells, [(wall, 1 << 3)]);
    assert!((phi - 0.3 * DX).abs() < 1e-12, "the gap and the depth, {phi}");
    assert_eq!(stays(0.0, 0.1).0.len(), 1);
    assert!(stays(0.0, -0.1).0.is_empty() && stays(0.2 * DX, -2.0).0.is_empty());
}
