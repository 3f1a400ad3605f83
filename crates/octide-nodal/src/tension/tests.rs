use super::*;
use crate::boundary::Boundary;
use crate::project::{Medium, PressureSolver, ProjectParams, Projected, project};
use octide_core::index::NodeId;
use octide_core::octree::CornerTable;
use octide_core::octree::{Grading, Octree};
use octide_core::scene::{FreeSurface, OpenSides, Scene};
use octide_core::solids::Solids;

const RADIUS: f64 = 0.25;
const CENTER: DVec3 = DVec3::new(0.503, 0.497, 0.511);
const SIGMA: f64 = 0.07;
const DENSITY: f64 = 1000.0;
const DT: f64 = 0.001;

/// Builds a ball of water, with equal cells in a band around its surface and level jumps beyond it.
fn ball(n: u32) -> (Mesh, Field<NodeId, f64>) {
    let grid = Scene::empty("nodal-octree", DVec3::ONE, n, 3).domain.root_grid();
    let distance = |p: DVec3| p.distance(CENTER) - RADIUS;
    let near = |c: DVec3, size: f64| distance(c).abs() - 0.9 * size < 4.0 * grid.dx();
    let mesh = Mesh::new(Octree::build(&grid, Grading::Unrestricted, |c| near(c.center, c.size)));
    let mut phi = par::map(mesh.n_nodes(), |v: NodeId| distance(mesh.node_position(v)));
    mesh.constrain(&mut phi);
    (mesh, phi)
}

/// Returns the largest relative error of κ within a cell of the surface. The contour through each cell's
/// center is a sphere of its own radius.
fn curvature_error(n: u32) -> f64 {
    let (mesh, phi) = ball(n);
    let centers = par::map(mesh.n_cells(), |c: CellId| mesh.at_center(&phi, c));
    let dx = mesh.tree.grid().dx();
    let wanted = par::map(mesh.n_cells(), |c: CellId| centers[c].abs() < dx);
    let kappa = curvature(&mesh, &centers, &wanted, GradientDistance::Mean);
    let error = |c: CellId| (0.5 * kappa[c] * mesh.tree.center(c).distance(CENTER) - 1.0).abs();
    mesh.tree.cells().filter(|&c| wanted[c]).map(error).fold(0.0, f64::max)
}

fn drop(mesh: &Mesh, phi: &Field<NodeId, f64>, free_surface: FreeSurface, kappa: Option<f64>) -> Projected {
    let boundary = Boundary::new(mesh, &Solids::default(), OpenSides::default());
    let medium = Medium::Water {
        phi,
        corners: mesh.nodes.corners().cells(),
        centers: None,
        free_surface,
        tension: Tension::of(SIGMA, DENSITY, kappa, DT),
        air: None,
    };
    let still = Field::filled(mesh.n_faces(), 0.0);
    let guess = Field::filled(mesh.n_cells(), 0.0);
    let params = ProjectParams { tolerance: 1e-12, ..ProjectParams::default() };
    project(mesh, &boundary, &medium, still, 0.0, guess, &params, &mut PressureSolver::default()).unwrap()
}

fn speed(out: &Projected) -> f64 {
    out.u.ids().filter(|&k| out.valid[k]).map(|k| out.u[k].abs()).fold(0.0, f64::max)
}

/// Returns the pressure at the center over dt/ρ · 2σ/R.
fn jump(n: u32, free_surface: FreeSurface) -> f64 {
    let (mesh, phi) = ball(n);
    let out = drop(&mesh, &phi, free_surface, None);
    out.pressure[mesh.tree.nearest_leaf(CENTER)] / (DT / DENSITY * 2.0 * SIGMA / RADIUS)
}

#[test]
fn a_ball_has_the_curvature_of_two_over_its_radius() {
    let [coarse, fine] = [32, 64].map(curvature_error);
    assert!(coarse < 0.025 && fine < 0.006, "{coarse:.4} {fine:.4}");
    assert!((coarse / fine).log2() > 1.8, "{coarse:.4} {fine:.4}");
}

#[test]
fn pressure_jumps_by_two_sigma_over_the_radius() {
    let second = [32, 64].map(|n| (jump(n, FreeSurface::SecondOrder) - 1.0).abs());
    assert!(second[0] < 0.01 && second[1] < 0.0025, "{second:?}");
    // At the centers of air cells the sphere is larger by a fraction of a cell.
    let first = [32, 64].map(|n| jump(n, FreeSurface::FirstOrder) - 1.0);
    assert!(
        first.iter().all(|e| *e < 0.0 && *e > -0.05) && first[1].abs() < 0.7 * first[0].abs(),
        "{first:?}"
    );
}

#[test]
fn an_imposed_curvature_is_balanced_to_the_last_digit() {
    let (mesh, phi) = ball(32);
    for free_surface in [FreeSurface::FirstOrder, FreeSurface::SecondOrder] {
        let out = drop(&mesh, &phi, free_surface, Some(2.0 / RADIUS));
        // Without balance the speed would be σκ dt/ρ over a cell, 1.8e-5.
        assert!(speed(&out) < 1e-14, "{free_surface:?} {:.3e}", speed(&out));
    }
}

#[test]
fn no_bend_is_sharper_than_a_cell() {
    let mesh = crate::testing::jagged(3);
    let rough = par::map(mesh.n_cells(), |c: CellId| crate::testing::noise(mesh.tree.center(c), 0, 7) - 0.5);
    let all = Field::filled(mesh.n_cells(), true);
    let kappa = curvature(&mesh, &rough, &all, GradientDistance::Mean);
    let scaled = par::map(mesh.n_cells(), |c: CellId| kappa[c].abs() * mesh.tree.size(c));
    assert!(scaled.iter().all(|&k| k <= 1.0 + 1e-12));
    // A drop not much larger than a cell has a higher curvature than that.
    let drop = largest_bend(|p| p.distance(DVec3::splat(0.512)) - 1.2 / 32.0);
    assert!(drop > 0.999 && drop < 1.0 + 1e-12, "{drop}");
}

/// φ of half a cylinder that meets a wall at a right angle: the curvature is as if the wall were not there.
#[test]
fn water_meets_walls_at_a_right_angle() {
    let grid = Scene::empty("nodal-octree", DVec3::ONE, 32, 1).domain.root_grid();
    let mesh = Mesh::new(Octree::build(&grid, Grading::Unrestricted, |_| true));
    let distance = |p: DVec3| (p.x.powi(2) + (p.y - 0.5).powi(2)).sqrt() - 0.3;
    let centers = par::map(mesh.n_cells(), |c: CellId| distance(mesh.tree.center(c)));
    let at_wall = |c: CellId| mesh.tree.center(c).x < grid.dx() && centers[c].abs() < grid.dx();
    let wanted = par::map(mesh.n_cells(), at_wall);
    let kappa = curvature(&mesh, &centers, &wanted, GradientDistance::Mean);
    for c in mesh.tree.cells().filter(|&c| wanted[c]) {
        let exact = 1.0 / (0.3 + centers[c]);
        assert!((kappa[c] / exact - 1.0).abs() < 0.05, "{} {exact}", kappa[c]);
    }
    assert!(wanted.iter().any(|&w| w));
}

/// Returns the largest κ times the cell edge at the surface of a body given by its distance.
fn largest_bend(distance: impl Fn(DVec3) -> f64 + Sync) -> f64 {
    let grid = Scene::empty("nodal-octree", DVec3::ONE, 32, 3).domain.root_grid();
    let mesh = Mesh::new(Octree::build(&grid, Grading::Unrestricted, |_| true));
    let phi = par::map(mesh.n_nodes(), |v: NodeId| distance(mesh.node_position(v)));
    let centers = par::map(mesh.n_cells(), |c: CellId| mesh.at_center(&phi, c));
    let is_water = par::map(mesh.n_cells(), |c: CellId| centers[c] < 0.0);
    let tension = Tension { strength: grid.dx(), imposed_curvature: None };
    let bend = tension.at_surface(&mesh, &centers, &is_water, GradientDistance::Mean);
    bend.iter().fold(0.0, |most: f64, k| most.max(k.abs()))
}

/// φ has a ridge in the middle of a sheet and, mirrored at the floor, under a film; neither adds curvature.
#[test]
fn flat_sheets_and_films_have_no_curvature_however_thin() {
    let dx = 1.0 / 32.0;
    for cells in [0.8, 1.2, 1.5, 2.0, 2.7, 3.5] {
        let film = largest_bend(|p| p.y - cells * dx);
        assert!(film < 1e-9, "a film of {cells} cells: {film}");
        for middle in [0.5, 0.507, 0.515, 0.523] {
            let sheet = largest_bend(|p| (p.x - middle).abs() - 0.5 * cells * dx);
            assert!(sheet < 1e-9, "a sheet of {cells} cells at {middle}: {sheet}");
        }
    }
}

/// A straight contact line on the floor is still pulled to a right angle.
#[test]
fn water_still_meets_walls_at_a_right_angle() {
    let upright = largest_bend(|p| p.x - 0.51);
    let wedge = largest_bend(|p| 0.8 * (p.x - 0.51) + 0.6 * p.y);
    assert!(upright < 1e-9 && wedge > 0.3, "{upright} {wedge}");
}
