use super::*;
use crate::params::FreeSurface;
use crate::solids::Solids;
use glam::{DVec3, IVec3};
use octide_core::octree::{Grading, Octree, RootGrid};
use octide_core::scene::Scene;

fn mesh() -> Mesh {
    let grid = RootGrid::new(DVec3::ZERO, 1.0 / 32.0, 2, IVec3::ZERO, IVec3::splat(8), |_| true);
    let ball = DVec3::new(0.45, 0.55, 0.4);
    Mesh::new(Octree::build(&grid, Grading::Graded, |c| (c.center - ball).length() < 0.15 + c.size))
}

fn params() -> Params {
    Params {
        gravity: DVec3::ZERO,
        density: 1.0,
        tolerance: 1e-12,
        max_iterations: 2000,
        volume_correction: octide_core::scene::VolumeCorrection::Off,
        ..Params::from_scene(&Scene::empty("octree", DVec3::ONE, 8, 0))
    }
}

#[test]
fn the_matrix_is_symmetric_to_the_last_bit_and_rows_inside_sum_to_zero() {
    let mesh = mesh();
    let apertures = Apertures::within_walls(&mesh, &Solids::default());
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
    let apertures = Apertures::within_walls(&mesh, &Solids::default());
    for height in [0.5, 0.53, 0.5 + 1e-3 / 32.0, 0.61] {
        let phi = par::map(mesh.n_cells(), |c: CellId| mesh.tree.center(c).y - height);
        let falling = par::map(mesh.n_faces(), |k: FaceId| {
            if mesh.faces.axis(k) == 1 && !mesh.faces.is_wall(k) { -0.1 } else { 0.0 }
        });
        let none = Field::filled(mesh.n_cells(), 0.0);
        let out = project(&mesh, &phi, &apertures, falling, 0.0, none, &params());
        let out = out.unwrap();
        assert!(out.report.figure(&CUT_T_FACES).value > 0.0);
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

/// Closes all faces but one of the small cells at some T-junctions, each by a solid with a different
/// velocity. With `chained`, cells at two T-junctions stay open at both.
fn closed_behind(mesh: &Mesh, chained: bool) -> (Apertures, Vec<FaceId>) {
    let mut apertures = Apertures::within_walls(mesh, &Solids::default());
    let inside = |k: FaceId| (mesh.face_position(k) - DVec3::new(0.45, 0.55, 0.4)).length() < 0.3;
    let is_t = |k: FaceId| mesh.faces.is_t_junction(&mesh.tree, k) && inside(k);
    let all: Vec<FaceId> = (0..mesh.n_faces()).map(|i| FaceId(i as u32)).filter(|&k| is_t(k)).collect();
    let chosen: Vec<FaceId> = all.iter().copied().step_by(if chained { 1 } else { 7 }).collect();
    for &k in &chosen {
        let small = mesh.faces.stencil(&mesh.tree, k);
        for (c, _) in small.iter().filter(|&(c, _)| mesh.tree.level(c) > mesh.faces.level(k)) {
            for &other in
                mesh.faces.of_cell(c).iter().filter(|&&other| other != k && !(chained && is_t(other)))
            {
                apertures.close(other, 0.1 + 0.01 * f64::from(other.0 % 17));
            }
        }
    }
    (apertures, chosen)
}

#[test]
fn cells_that_only_t_junctions_tie_can_be_solved() {
    let mesh = mesh();
    for chained in [false, true] {
        let (apertures, faces) = closed_behind(&mesh, chained);
        assert!(faces.len() > 5);
        let phi = par::map(mesh.n_cells(), |c: CellId| mesh.tree.center(c).y - 0.85);
        let still = Field::filled(mesh.n_faces(), 0.0);
        let system = assemble(&mesh, &phi, &apertures, &still, 0.0, FreeSurface::Spd).unwrap();
        assert!(system.is_closed.contains(&true));
        let none = Field::filled(mesh.n_cells(), 0.0);
        let out = project(&mesh, &phi, &apertures, still, 0.0, none, &params()).unwrap();
        assert!(out.report.max_divergence < 1e-6, "{chained}: {:e}", out.report.max_divergence);
        if chained {
            continue;
        }
        // The face takes the total flow that is pushed into the four cells.
        for k in faces.into_iter().filter(|&k| apertures.open(k) >= 1.0) {
            let small = mesh.faces.stencil(&mesh.tree, k);
            let cells = small.iter().map(|s| s.0).filter(|&c| mesh.tree.level(c) > mesh.faces.level(k));
            let net: f64 = cells.map(|c| outflow(&mesh, &apertures, &out.u, c)).sum();
            assert!(net.abs() < 1e-9, "{net:e}");
        }
    }
}

#[test]
fn projected_velocity_is_free_of_divergence() {
    let mesh = mesh();
    let apertures = Apertures::within_walls(&mesh, &Solids::default());
    let phi = par::map(mesh.n_cells(), |c: CellId| (mesh.tree.center(c) - DVec3::splat(0.5)).length() - 0.3);
    let u = par::map(mesh.n_faces(), |k: FaceId| {
        if mesh.faces.is_wall(k) { 0.0 } else { (7.0 * mesh.face_position(k).x).sin() }
    });
    let none = Field::filled(mesh.n_cells(), 0.0);
    let out = project(&mesh, &phi, &apertures, u, 0.0, none, &params()).unwrap();
    assert!(out.report.max_divergence < 1e-8, "{}", out.report.max_divergence);
}

/// A plane through all levels whose normal is not along an axis.
fn tilted(mesh: &Mesh) -> Field<CellId, f64> {
    let normal = DVec3::new(0.3, 0.9, 0.31).normalize();
    par::map(mesh.n_cells(), |c: CellId| normal.dot(mesh.tree.center(c) - DVec3::new(0.5, 0.53, 0.5)))
}

/// Returns a pseudorandom number in −1 … 1.
fn hashed(i: usize) -> f64 {
    let h = (i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (((h ^ (h >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 11) as f64) / (1u64 << 52) as f64 - 1.0
}

#[test]
fn second_order_cancels_gravity_along_any_normal() {
    let mesh = mesh();
    let apertures = Apertures::within_walls(&mesh, &Solids::default());
    let phi = tilted(&mesh);
    let normal = DVec3::new(0.3, 0.9, 0.31).normalize();
    let falling =
        par::map(
            mesh.n_faces(),
            |k: FaceId| {
                if mesh.faces.is_wall(k) { 0.0 } else { -normal[mesh.faces.axis(k)] }
            },
        );
    let left = |free_surface| {
        let (none, params) = (Field::filled(mesh.n_cells(), 0.0), Params { free_surface, ..params() });
        let out = project(&mesh, &phi, &apertures, falling.clone(), 0.0, none, &params).unwrap();
        assert!(out.report.figure(&DEGENERATE_T_FACES).value > 0.0);
        let at = |k: usize| if out.valid[FaceId(k as u32)] { out.u[FaceId(k as u32)].abs() } else { 0.0 };
        par::max(mesh.n_faces(), at)
    };
    assert!(left(FreeSurface::SecondOrder) < 1e-9);
    assert!(left(FreeSurface::Spd) > 1e-2);
}

#[test]
fn the_matrix_is_the_divergence_of_the_gradient() {
    let mesh = mesh();
    let apertures = Apertures::within_walls(&mesh, &Solids::default());
    let still = Field::filled(mesh.n_faces(), 0.0);
    for form in [FreeSurface::Spd, FreeSurface::SecondOrder, FreeSurface::FirstOrder] {
        let system = assemble(&mesh, &tilted(&mesh), &apertures, &still, 0.0, form).unwrap();
        assert_eq!(system.symmetric.is_some(), form == FreeSurface::SecondOrder);
        assert_eq!(system.matrix.is_symmetric(), form != FreeSurface::SecondOrder);
        assert!(system.symmetric.as_ref().is_none_or(octide_solve::Csr::is_symmetric));
        let n = system.cells.len();
        let p: Vec<f64> = (0..n).map(hashed).collect();
        let gradient = system.gradient(&mesh, &p);
        let mut ap = vec![0.0; n];
        octide_solve::Operator::apply(&system.matrix, &p, &mut ap);
        for (row, &c) in system.cells.iter().enumerate() {
            let exact = -outflow(&mesh, &apertures, &gradient, c);
            let scale = system.matrix.get(row, row);
            assert!((ap[row] - exact).abs() < 1e-12 * scale, "{form:?}, row {row}: {} {exact}", ap[row]);
        }
        let of_one = system.gradient(&mesh, &vec![1.0; n]);
        for k in of_one.ids() {
            let other = system.of_constant(&mesh, k);
            assert!((of_one[k] - other).abs() <= 1e-12 * other.abs().max(1.0), "{form:?}");
        }
    }
}

#[test]
fn second_order_leaves_every_unknown_in_its_own_equation() {
    let mesh = mesh();
    let apertures = Apertures::within_walls(&mesh, &Solids::default());
    let still = Field::filled(mesh.n_faces(), 0.0);
    let mut clamped = 0;
    for seed in 0..8 {
        // Not a distance: it covers all cases of a stencil, and cells much closer to the surface than their
        // neighbors.
        let phi = par::map(mesh.n_cells(), |c: CellId| {
            let x = hashed(c.0 as usize + 100_000 * seed);
            0.02 * x.signum() * x.abs().powi(8)
        });
        let system = assemble(&mesh, &phi, &apertures, &still, 0.0, FreeSurface::SecondOrder).unwrap();
        let kinds = |kind| system.links.ids().filter(|&k| system.links[k].kind == kind).count();
        assert!(kinds(Kind::Even) > 0);
        clamped += kinds(Kind::Degenerate);
        let symmetric = system.symmetric.as_ref().unwrap();
        for row in 0..system.cells.len() {
            let (own, spd) = (system.matrix.get(row, row), symmetric.get(row, row));
            assert!(spd > 0.0 && own > 0.05 * spd, "row {row}: {own:e} {spd:e}");
        }
    }
    assert!(clamped > 0);
}

#[test]
fn second_order_beside_a_closed_pocket() {
    use octide_core::geometry::Shape;
    use octide_core::scene::Solid;
    let mesh = mesh();
    // Behind a slab all is liquid, without contact to air.
    let shape = Shape::Box { min: DVec3::new(0.62, -1.0, -1.0), max: DVec3::new(0.78, 2.0, 2.0) };
    let solids = Solids::at(&[Solid::still(shape)], 0.0);
    let apertures = Apertures::within_walls(&mesh, &solids);
    let open = tilted(&mesh);
    let phi = par::map(mesh.n_cells(), |c: CellId| if mesh.tree.center(c).x > 0.7 { -0.1 } else { open[c] });
    let u =
        par::map(mesh.n_faces(), |k: FaceId| if mesh.faces.is_wall(k) { 0.0 } else { hashed(k.0 as usize) });
    // A pocket cannot have the target divergence: its right-hand side is not consistent.
    let system = assemble(&mesh, &phi, &apertures, &u, 0.5, FreeSurface::SecondOrder).unwrap();
    assert!(system.symmetric.is_some() && system.null_space.is_some());
    let none = Field::filled(mesh.n_cells(), 0.0);
    let params = Params { free_surface: FreeSurface::SecondOrder, ..params() };
    let out = project(&mesh, &phi, &apertures, u, 0.5, none, &params).unwrap();
    assert!(out.report.max_divergence < 1e-6, "{:e}", out.report.max_divergence);
}

/// A box full of water with one open side: u* = 1 along x becomes zero, and p falls to zero on that side.
#[test]
fn the_pressure_is_zero_on_an_open_side() {
    use octide_core::scene::{Heading, OpenSides};
    let mesh = mesh();
    for forward in [true, false] {
        let sides = OpenSides::of(&[Heading { axis: 0, forward }]);
        let apertures = Apertures::new(&mesh, &Solids::default(), sides);
        let phi = Field::filled(mesh.n_cells(), -9.0);
        let u = par::map(mesh.n_faces(), |k: FaceId| {
            let moves = mesh.faces.axis(k) == 0 && apertures.open(k) > 0.0;
            if moves { 1.0 } else { 0.0 }
        });
        let none = Field::filled(mesh.n_cells(), 0.0);
        let out = project(&mesh, &phi, &apertures, u, 0.0, none, &params()).unwrap();
        let side = if forward { 1.0 } else { 0.0 };
        for c in mesh.tree.cells() {
            let exact = mesh.tree.center(c).x - side;
            assert!((out.pressure[c] - exact).abs() < 1e-8, "{} {exact}", out.pressure[c]);
        }
        assert!(out.u.iter().all(|u| u.abs() < 1e-8));
    }
}
