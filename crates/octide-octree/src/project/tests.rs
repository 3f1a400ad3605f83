use super::*;
use crate::params::FreeSurface;
use crate::solids::Solids;
use glam::{DVec3, IVec3};
use octide_core::octree::{Grading, Octree, RootGrid};

fn mesh() -> Mesh {
    let grid = RootGrid::new(DVec3::ZERO, 1.0 / 32.0, 2, IVec3::ZERO, IVec3::splat(8), |_| true);
    let ball = DVec3::new(0.45, 0.55, 0.4);
    Mesh::new(Octree::build(&grid, Grading::Graded, |c| (c.center - ball).length() < 0.15 + c.size))
}

fn params() -> Params {
    Params {
        gravity: DVec3::ZERO,
        density: 1.0,
        surface_tension: 0.0,
        imposed_curvature: None,
        cfl: 2.0,
        free_surface: FreeSurface::Spd,
        tolerance: 1e-12,
        max_iterations: 2000,
        volume_correction: false,
        max_volume_drift: 1.0,
        curvature: 4.0,
        strain: 3.0,
        reference_speed: 1.0,
        fall_time: 1.0,
        along_surface: true,
    }
}

#[test]
fn the_matrix_is_symmetric_to_the_last_bit_and_rows_inside_sum_to_zero() {
    let mesh = mesh();
    let apertures = Apertures::new(&mesh, &Solids::default());
    // A tilted surface through all levels.
    let phi = par::map(mesh.n_cells(), |c: CellId| mesh.tree.center(c).dot(DVec3::new(0.3, 0.9, 0.3)) - 0.7);
    let u = Field::filled(mesh.n_faces(), 0.0);
    let system = assemble(&mesh, &phi, &apertures, &u, 0.0, FreeSurface::Spd).unwrap();
    let (matrix, cells) = (&system.matrix, &system.cells);
    assert!(matrix.is_symmetric());
    for row in 0..cells.len() {
        let (columns, values) = matrix.row(row);
        let sum: f64 = values.iter().sum();
        let diagonal = matrix.get(row, row);
        assert!(columns.contains(&(row as u32)) && diagonal > 0.0);
        let kinds = mesh.faces.of_cell(cells[row]).map(|k| system.links[k].kind);
        assert!(kinds.contains(&Kind::Cut) || sum.abs() < 1e-12 * diagonal, "row {row}: {sum}");
    }
}

#[test]
fn hydrostatic_pressure_is_exact_across_t_junctions() {
    let mesh = mesh();
    let apertures = Apertures::new(&mesh, &Solids::default());
    for height in [0.5, 0.53, 0.5 + 1e-3 / 32.0, 0.61] {
        let phi = par::map(mesh.n_cells(), |c: CellId| mesh.tree.center(c).y - height);
        let falling = par::map(mesh.n_faces(), |k: FaceId| {
            if mesh.faces.axis(k) == 1 && !mesh.faces.is_wall(k) { -0.1 } else { 0.0 }
        });
        let none = Field::filled(mesh.n_cells(), 0.0);
        let out =
            project(&mesh, &phi, &apertures, falling, 0.0, none, &params(), &mut PressureSolver::default());
        let out = out.unwrap();
        assert!(out.report.cut_t_faces > 0);
        let worst = par::max(mesh.n_faces(), |k| {
            let k = FaceId(k as u32);
            if out.valid[k] { out.u[k].abs() } else { 0.0 }
        });
        assert!(worst < 1e-9, "height {height}: {worst:e}");
        for c in mesh.tree.cells().filter(|&c| phi[c] < 0.0) {
            assert!((out.pressure[c] + 0.1 * phi[c]).abs() < 1e-9);
        }
    }
}

#[test]
fn projected_velocity_is_free_of_divergence() {
    let mesh = mesh();
    let apertures = Apertures::new(&mesh, &Solids::default());
    let phi = par::map(mesh.n_cells(), |c: CellId| (mesh.tree.center(c) - DVec3::splat(0.5)).length() - 0.3);
    let u = par::map(mesh.n_faces(), |k: FaceId| {
        if mesh.faces.is_wall(k) { 0.0 } else { (7.0 * mesh.face_position(k).x).sin() }
    });
    let none = Field::filled(mesh.n_cells(), 0.0);
    let out =
        project(&mesh, &phi, &apertures, u, 0.0, none, &params(), &mut PressureSolver::default()).unwrap();
    assert!(out.report.max_divergence < 1e-8, "{}", out.report.max_divergence);
}
