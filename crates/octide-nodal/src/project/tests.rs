use super::*;
use crate::testing::{jagged, noise};
use glam::DVec3;
use octide_core::geometry::{Motion, Shape};
use octide_core::octree::CornerTable;
use octide_core::octree::{CellBox, Grading, Octree};
use octide_core::scene::{Heading, OpenSides, Scene, Solid};
use octide_core::solids::Solids;
use proptest::prelude::*;

const KINDS: [GradientDistance; 4] =
    [GradientDistance::Mean, GradientDistance::Large, GradientDistance::Small, GradientDistance::Euclidean];

fn tight() -> ProjectParams {
    ProjectParams { tolerance: 1e-13, ..ProjectParams::default() }
}

/// Returns noise on every face.
fn stirred(mesh: &Mesh, seed: u64) -> Field<FaceId, f64> {
    par::map(mesh.n_faces(), |k: FaceId| {
        2.0 * noise(mesh.face_position(k), mesh.faces.axis(k) as u8, seed) - 1.0
    })
}

fn project_it(
    mesh: &Mesh,
    boundary: &Boundary,
    medium: &Medium<'_>,
    u: Field<FaceId, f64>,
    params: &ProjectParams,
) -> Projected {
    let guess = Field::filled(mesh.n_cells(), 0.0);
    project(mesh, boundary, medium, u, 0.0, guess, params, &mut PressureSolver::default()).unwrap()
}

/// Returns φ of a wave of water.
fn wave(mesh: &Mesh) -> Field<NodeId, f64> {
    par::map(mesh.n_nodes(), |v: NodeId| {
        let p = mesh.node_position(v);
        p.y - 0.27 - 0.05 * (4.0 * p.x).sin() * (3.0 * p.z).cos()
    })
}

fn ball() -> Solids {
    let shape = Shape::Sphere { center: DVec3::new(0.45, 0.2, 0.5), radius: 0.17 };
    let motion = Motion::Oscillation { amplitude: DVec3::new(0.3, 0.1, -0.2), period: 6.0 };
    Solids::at(&[Solid::moving(shape, motion)], 0.0)
}

/// Runs `f` for combinations of water, gas, solids and open sides.
fn cases(mesh: &Mesh, mut f: impl FnMut(&Boundary, &Medium<'_>)) {
    let phi = wave(mesh);
    let up = Heading { axis: 1, forward: true };
    for solids in [Solids::default(), ball()] {
        for sides in [OpenSides::default(), OpenSides::of(&[up])] {
            let boundary = Boundary::new(mesh, &solids, sides);
            for free_surface in [FreeSurface::FirstOrder, FreeSurface::SecondOrder] {
                let tension = Tension::of(0.07, 1000.0, None, 0.01);
                f(
                    &boundary,
                    &Medium::Water {
                        phi: &phi,
                        corners: mesh.nodes.corners().cells(),
                        centers: None,
                        free_surface,
                        tension,
                        air: None,
                    },
                );
            }
            f(&boundary, &Medium::Gas);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn what_is_left_of_the_divergence_is_rounding(seed: u64) {
        let mesh = jagged(seed);
        cases(&mesh, |boundary, medium| {
            for gradient_distance in KINDS {
                let params = ProjectParams { gradient_distance, ..tight() };
                let out = project_it(&mesh, boundary, medium, stirred(&mesh, seed), &params);
                // A speed of 1 across the smallest cells is a divergence of 32 /s.
                let left = out.report.max_divergence / 32.0;
                assert!(left < 1e-11, "{left:.3e} {:?}", out.report);
            }
        });
    }

    #[test]
    fn the_matrix_is_symmetric_to_the_last_bit(seed: u64) {
        let mesh = jagged(seed);
        cases(&mesh, |boundary, medium| {
            for kind in KINDS {
                let system = assemble(&mesh, boundary, medium, &stirred(&mesh, seed), 0.0, kind).unwrap();
                assert!(system.matrix.is_symmetric());
            }
        });
    }
}

/// Builds a tank of 0.5 × 0.5 × 0.25 m with 16 finest cells along its longest side.
fn tank(refine: impl Fn(&CellBox, f64) -> bool + Sync) -> Mesh {
    let grid = Scene::empty("nodal-octree", DVec3::new(0.5, 0.5, 0.25), 16, 3).domain.root_grid();
    Mesh::new(Octree::build(&grid, Grading::Unrestricted, |c| refine(c, grid.dx())))
}

/// Returns the largest speed over g dt after a step of gravity along −`up`, with a plane surface at `height`
/// over the center.
fn stir(mesh: &Mesh, height: f64, up: DVec3, params: &ProjectParams, free_surface: FreeSurface) -> f64 {
    let at = DVec3::new(0.25, height, 0.125);
    let mut phi = par::map(mesh.n_nodes(), |v: NodeId| up.dot(mesh.node_position(v) - at));
    mesh.constrain(&mut phi);
    let boundary = Boundary::new(mesh, &Solids::default(), OpenSides::default());
    let medium = Medium::Water {
        phi: &phi,
        corners: mesh.nodes.corners().cells(),
        centers: None,
        free_surface,
        tension: None,
        air: None,
    };
    let u = par::map(mesh.n_faces(), |k: FaceId| -up[mesh.faces.axis(k)]);
    let out = project_it(mesh, &boundary, &medium, u, params);
    out.u.ids().filter(|&k| out.valid[k]).map(|k| out.u[k].abs()).fold(0.0, f64::max)
}

const FORMS: [FreeSurface; 2] = [FreeSurface::FirstOrder, FreeSurface::SecondOrder];

/// If levels change only with height, any Δ only changes the depth.
#[test]
fn water_over_level_bands_is_at_rest() {
    for height in [0.3, 0.3125, 0.328125, 0.26] {
        let mesh = tank(|c, dx| (c.center.y - height).abs() - 0.9 * c.size < 2.0 * dx);
        let sizes = par::map(mesh.n_cells(), |c: CellId| mesh.tree.level(c));
        assert!(sizes.iter().max() > sizes.iter().min());
        for form in FORMS {
            let speed = stir(&mesh, height, DVec3::Y, &tight(), form);
            assert!(speed < 1e-10, "{height} {form:?}: {speed:.3e}");
        }
    }
}

/// If levels change sideways, the centers have different heights and therefore different pressures: the known
/// defect of one gradient per small face. If this test ever fails, the documentation is out of date.
#[test]
fn water_beside_larger_cells_is_not() {
    let mesh = tank(|c, _| c.center.x < 0.2);
    for form in FORMS {
        let speed = stir(&mesh, 0.3, DVec3::Y, &tight(), form);
        assert!((0.05..2.0).contains(&speed), "{form:?}: {speed:.3e}");
    }
}

/// On equal cells θ is exact for planes, even tilted ones; p imposed in the air cells is not.
#[test]
fn a_tilted_plane_is_at_rest_at_second_order_alone() {
    let mesh = tank(|_, _| true);
    let up = DVec3::new(0.3, 0.9, -0.2).normalize();
    for height in [0.27, 0.3, 0.31] {
        let [first, second] = FORMS.map(|form| stir(&mesh, height, up, &tight(), form));
        assert!(second < 1e-9 && first > 0.05, "{height}: {first:.3e} {second:.3e}");
    }
}

/// Cells whose centers lie on the surface are all classified alike, regardless of rounding.
#[test]
fn samples_on_the_surface_count_alike() {
    let mesh = tank(|_, _| true);
    let dx = mesh.tree.grid().dx();
    let height = 9.5 * dx;
    let phi = par::map(mesh.n_nodes(), |v: NodeId| {
        let p = mesh.node_position(v);
        p.y - height + 1e-16 * (noise(p, 0, 1) - 0.5)
    });
    let boundary = Boundary::new(&mesh, &Solids::default(), OpenSides::default());
    for (form, layers) in FORMS.into_iter().zip([10, 9]) {
        let medium = Medium::Water {
            phi: &phi,
            corners: mesh.nodes.corners().cells(),
            centers: None,
            free_surface: form,
            tension: None,
            air: None,
        };
        let u = par::map(mesh.n_faces(), |k: FaceId| if mesh.faces.axis(k) == 1 { -1.0 } else { 0.0 });
        let out = project_it(&mesh, &boundary, &medium, u, &tight());
        assert_eq!(out.report.n_unknowns, layers * 16 * 8, "{form:?}");
        let speed = out.u.ids().filter(|&k| out.valid[k]).map(|k| out.u[k].abs()).fold(0.0, f64::max);
        assert!(speed < 1e-10, "{form:?}: {speed:.3e}");
    }
}

/// More enters a closed box than can leave: the excess is spread evenly over the volume.
#[test]
fn a_closed_box_spreads_what_no_pressure_can_undo() {
    let mesh = jagged(5);
    let sides = OpenSides::of(&[Heading { axis: 0, forward: false }]);
    let mut boundary = Boundary::new(&mesh, &Solids::default(), sides);
    let mut volume_in = 0.0;
    for k in (0..mesh.n_faces() as u32).map(FaceId).filter(|&k| mesh.side_of(k) == Some(0)) {
        boundary.close(k, 0.25);
        volume_in += 0.25 * mesh.face_size(k).powi(2);
    }
    let out = project_it(&mesh, &boundary, &Medium::Gas, stirred(&mesh, 1), &tight());
    assert!((out.report.unsolvable - volume_in / 0.5).abs() < 1e-12, "{:?}", out.report);
    assert!(out.report.max_divergence < 1e-10, "{:?}", out.report);
    // The inflow has no room to expand into: the divergence of every cell is short by the same amount.
    let share = -volume_in / 0.5;
    for c in mesh.tree.cells() {
        let left = outflow(&mesh, &boundary, &out.u, c) / mesh.tree.size(c).powi(3);
        assert!((left - share).abs() < 1e-10, "{left} {share}");
    }
}

#[test]
fn both_solvers_find_the_same_pressure() {
    let mesh = jagged(9);
    cases(&mesh, |boundary, medium| {
        let [a, b] = [PressureSolve::Multigrid, PressureSolve::Iccg].map(|pressure_solver| {
            project_it(
                &mesh,
                boundary,
                medium,
                stirred(&mesh, 2),
                &ProjectParams { pressure_solver, ..tight() },
            )
        });
        let largest = a.pressure.iter().fold(0.0, |m: f64, p| m.max(p.abs()));
        for c in mesh.tree.cells() {
            assert!((a.pressure[c] - b.pressure[c]).abs() < 1e-10 * largest);
        }
        // Solids and sides keep their own velocity.
        for k in a.u.ids().filter(|&k| boundary.open(k) <= 0.0) {
            assert_eq!(a.u[k], boundary.solid_velocity(k));
            assert!(!a.valid[k]);
        }
    });
}

/// If there is an open side, any target divergence is feasible, and the result matches it.
#[test]
fn a_wanted_divergence_is_met() {
    let mesh = jagged(11);
    cases(&mesh, |boundary, medium| {
        let guess = Field::filled(mesh.n_cells(), 0.0);
        let u = stirred(&mesh, 3);
        let out = project(&mesh, boundary, medium, u, 0.7, guess, &tight(), &mut PressureSolver::default())
            .unwrap();
        let is_closed = matches!(medium, Medium::Gas)
            && mesh
                .tree
                .cells()
                .all(|c| mesh.faces_of(c).all(|(k, _)| mesh.side_of(k).is_none() || boundary.open(k) <= 0.0));
        if is_closed {
            assert!(out.report.unsolvable > 0.1);
            return;
        }
        for c in mesh.tree.cells().filter(|&c| out.pressure[c] != 0.0) {
            let left = outflow(&mesh, boundary, &out.u, c) / mesh.tree.size(c).powi(3);
            assert!((left - 0.7).abs() < 1e-9, "{left}");
        }
    });
}
