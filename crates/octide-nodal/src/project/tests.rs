use super::*;
use crate::testing::{jagged, noise};
use glam::DVec3;
use octide_core::geometry::{Motion, Shape};
use octide_core::scene::{Heading, OpenSides, Solid};
use octide_core::solids::Solids;
use proptest::prelude::*;

const KINDS: [GradientDistance; 4] =
    [GradientDistance::Mean, GradientDistance::Large, GradientDistance::Small, GradientDistance::Euclidean];

fn tight() -> ProjectParams {
    ProjectParams { tolerance: 1e-13, ..ProjectParams::default() }
}

/// Noise on every face.
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

/// A wave of water.
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

/// Water, gas, solids and open sides.
fn cases(mesh: &Mesh, mut f: impl FnMut(&Boundary, &Medium<'_>)) {
    let phi = wave(mesh);
    let up = Heading { axis: 1, forward: true };
    for solids in [Solids::default(), ball()] {
        for sides in [OpenSides::default(), OpenSides::of(&[up])] {
            let boundary = Boundary::new(mesh, &solids, sides);
            for free_surface in [FreeSurface::FirstOrder, FreeSurface::SecondOrder] {
                let tension = Tension::of(0.07, 1000.0, None, 0.01);
                f(&boundary, &Medium::Water { phi: &phi, free_surface, tension });
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
                // Speeds of 1 across the smallest cells are 32 /s.
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
