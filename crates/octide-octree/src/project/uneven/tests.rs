use crate::apertures::Apertures;
use crate::mesh::Mesh;
use crate::params::{FreeSurface, Params};
use crate::project::system::outflow;
use crate::project::{Guess, Projected, assemble, project};
use crate::solids::Solids;
use glam::{DVec3, IVec3};
use octide_core::geometry::{Motion, Shape};
use octide_core::index::{CellId, FaceId, Field};
use octide_core::octree::{Grading, Octree, RootGrid};
use octide_core::par;
use octide_core::scene::{Scene, Solid};

/// A block of small cells in large ones.
fn mesh() -> Mesh {
    let grid = RootGrid::new(DVec3::ZERO, 1.0 / 32.0, 1, IVec3::ZERO, IVec3::splat(16), |_| true);
    Mesh::new(Octree::build(&grid, Grading::Graded, |c| c.center.cmplt(DVec3::splat(0.5)).all()))
}

fn ball(motion: Motion) -> Solids {
    let shape = Shape::Sphere { center: DVec3::new(0.48, 0.44, 0.51), radius: 0.21 };
    Solids::at(&[Solid { motion, ..Solid::still(shape) }], 0.1)
}

fn params() -> Params {
    Params {
        density: 1.0,
        tolerance: 1e-12,
        max_iterations: 2000,
        free_surface: FreeSurface::Spd,
        ..Params::from_scene(&Scene::empty("octree", DVec3::ONE, 8, 0))
    }
}

/// Water that falls everywhere in a full tank, before the projection.
fn falling(mesh: &Mesh, g: DVec3) -> Field<FaceId, f64> {
    par::map(mesh.n_faces(), |k: FaceId| if mesh.faces.is_wall(k) { 0.0 } else { g[mesh.faces.axis(k)] })
}

fn fastest(out: &Projected) -> f64 {
    out.u.ids().filter(|&k| out.valid[k]).fold(0.0, |most, k| f64::max(most, out.u[k].abs()))
}

/// Gravity that is not along an axis.
const G: DVec3 = DVec3::new(0.03, -0.09, 0.05);

#[test]
fn still_water_stays_still_where_a_solid_cuts_t_junctions() {
    let mesh = mesh();
    let apertures = Apertures::within_walls(&mesh, &ball(Motion::Still));
    assert!(apertures.uneven().len() > 20);
    let full = Field::filled(mesh.n_cells(), -1.0);
    let at_rest = |slope: DVec3| {
        let guess = Guess { pressure: Field::filled(mesh.n_cells(), 0.0), slope };
        project(&mesh, &full, &apertures, falling(&mesh, G), 0.0, guess, &params()).unwrap()
    };
    let known = at_rest(G);
    assert!(fastest(&known) < 1e-9 * G.length(), "{:e}", fastest(&known));
    // Without knowing gravity, slopes are found by solving again.
    let found = at_rest(DVec3::ZERO);
    assert!(fastest(&found) < 0.02 * G.length(), "{:e}", fastest(&found));
    assert!(found.report.iterations > known.report.iterations);
}

#[test]
fn flows_balance_in_every_cell_and_the_matrix_is_symmetric() {
    let mesh = mesh();
    let turning = Motion::Orbit {
        center: DVec3::new(0.5, 0.4, 0.45),
        axis: DVec3::new(0.2, 0.5, 0.8),
        period: 1.0,
        turning: true,
    };
    for motion in [Motion::Still, turning] {
        let apertures = Apertures::within_walls(&mesh, &ball(motion.clone()));
        let phi = par::map(mesh.n_cells(), |c: CellId| mesh.tree.center(c).y - 0.63);
        let before = par::map(mesh.n_faces(), |k: FaceId| {
            if mesh.faces.is_wall(k) { 0.0 } else { (9.0 * mesh.face_position(k).x).sin() }
        });
        let system = assemble(&mesh, &phi, &apertures, &before, 0.0, FreeSurface::Spd).unwrap();
        assert!(system.matrix.is_symmetric());
        let guess = Field::filled(mesh.n_cells(), 0.0);
        let out = project(&mesh, &phi, &apertures, before, 0.0, guess, &params()).unwrap();
        assert!(out.report.max_divergence < 1e-6, "{motion:?}: {:e}", out.report.max_divergence);
        // What leaves the small cells through a T-junction enters the large one.
        for &k in apertures.uneven() {
            let mut only = Field::filled(mesh.n_faces(), 0.0);
            only[k] = 1.0;
            let none = Field::filled(mesh.n_faces(), 0.0);
            let s = mesh.faces.stencil(&mesh.tree, k);
            let net: f64 = s
                .iter()
                .map(|(c, _)| outflow(&mesh, &apertures, &only, c) - outflow(&mesh, &apertures, &none, c))
                .sum();
            assert!(net.abs() < 1e-15, "{k:?}: {net:e}");
        }
        // Slivers have no large velocities: the solid's speed and that of the water are about one.
        assert!(fastest(&out) < 20.0, "{motion:?}: {}", fastest(&out));
    }
}
