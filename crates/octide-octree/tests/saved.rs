//! A run that is saved and loaded continues with the same bytes, for all features of a scene.
#![allow(clippy::unwrap_used)] // a test may fail loudly

use glam::DVec3;
use octide_core::contract::{Method, TimeStep};
use octide_core::geometry::{Motion, Shape};
use octide_core::scene::{
    Advection, FreeSurface, GivenFlow, Heading, Inflow, Interpolation, Liquid, OpenSides, Outflow, Scene,
    Seeding, Solid, Span, Transfer, VolumeCorrection,
};
use octide_core::snapshot::{Column, Snapshot, SnapshotError, Store, Values};
use octide_octree::OctreeLiquid;

fn solid_box(min: [f64; 3], max: [f64; 3]) -> Shape {
    Shape::Box { min: min.into(), max: max.into() }
}

/// A block of water that falls into a pool.
fn splash() -> Scene {
    let mut scene = Scene::empty("octree", DVec3::new(1.0, 0.5, 1.0), 32, 2);
    let still = |shape| Liquid { shape, velocity: DVec3::ZERO, roughness: 0.0 };
    scene.liquids.push(still(solid_box([0.0; 3], [1.0, 0.15, 1.0])));
    scene.liquids.push(Liquid {
        shape: Shape::Sphere { center: DVec3::new(0.45, 0.3, 0.5), radius: 0.1 },
        velocity: DVec3::new(0.5, -3.0, 0.0),
        roughness: 0.0,
    });
    scene
}

fn saved(sim: &OctreeLiquid) -> Snapshot {
    let mut out = Snapshot::default();
    sim.save(&mut out);
    out
}

/// Compares two snapshots bit for bit.
fn difference(a: &Snapshot, b: &Snapshot) -> Option<String> {
    if !a.columns().map(|c| c.0).eq(b.columns().map(|c| c.0)) {
        return Some("names".into());
    }
    let same = |a: &Column, b: &Column| match (a.values(), b.values()) {
        (Values::F64(a), Values::F64(b)) => a.iter().map(|v| v.to_bits()).eq(b.iter().map(|v| v.to_bits())),
        (Values::F32(a), Values::F32(b)) => a.iter().map(|v| v.to_bits()).eq(b.iter().map(|v| v.to_bits())),
        (a, b) => a == b,
    };
    a.columns().zip(b.columns()).find(|(a, b)| !same(a.1, b.1)).map(|(a, _)| a.0.to_owned())
}

/// Runs a scene without interruption, and again with the state saved and loaded before every step.
fn check(name: &str, scene: &Scene, n_steps: usize) -> OctreeLiquid {
    let mut whole = OctreeLiquid::new(scene);
    let mut broken = OctreeLiquid::new(scene);
    for step in 0..n_steps {
        broken = OctreeLiquid::load(scene, &mut saved(&broken)).unwrap();
        assert_eq!(broken.state().apertures, whole.state().apertures, "{name}, step {step}");
        assert!(broken.state().mesh.tree == whole.state().mesh.tree, "{name}, step {step}");
        let dt = whole.max_dt();
        assert_eq!(dt.to_bits(), broken.max_dt().to_bits());
        let reports = [
            whole.step(TimeStep::new(dt).unwrap()).unwrap(),
            broken.step(TimeStep::new(dt).unwrap()).unwrap(),
        ];
        assert_eq!(reports[0].solver_iterations, reports[1].solver_iterations, "{name}, step {step}");
        assert_eq!(difference(&saved(&whole), &saved(&broken)), None, "{name}, step {step}");
    }
    let surface = |sim: &OctreeLiquid| sim.frame().surface;
    assert!(surface(&whole) == surface(&broken), "{name}");
    whole
}

#[test]
fn particles_and_spray() {
    let mut scene = splash();
    scene.numerics.particles = Seeding::Band;
    let end = check("band", &scene, 12);
    let spray = end.state().particles.list().iter().filter(|p| p.is_spray()).count();
    assert!(end.state().particles.len() > 1000 && spray > 0, "{spray}");
    scene.numerics.particles = Seeding::WhereNeeded;
    scene.numerics.transfer = Transfer::Flip(0.95);
    check("FLIP", &scene, 6);
    scene.numerics.particles = Seeding::Off;
    check("none", &scene, 3);
}

#[test]
fn inflows_outflows_and_open_sides() {
    let mut scene = splash();
    let nozzle = solid_box([0.0, 0.25, 0.4], [0.1, 0.4, 0.6]);
    scene.inflows.push(Inflow {
        when: Span { start: 0.02, end: 0.1 },
        ..Inflow::new(nozzle, DVec3::new(2.0, 0.0, 0.0))
    });
    let hose = Shape::Sphere { center: DVec3::new(0.6, 0.45, 0.3), radius: 0.08 };
    let flow = GivenFlow { rate: 0.01, direction: DVec3::NEG_Y };
    let motion = Motion::Oscillation { amplitude: DVec3::new(0.1, 0.0, 0.05), period: 0.3 };
    scene.inflows.push(Inflow { motion, ..Inflow::with_flow(hose, flow, &scene.domain) });
    scene.outflows.push(Outflow::new(solid_box([0.8, 0.0, 0.0], [1.0, 0.05, 1.0])));
    scene.open = OpenSides::of(&[Heading { axis: 2, forward: true }]);
    let end = check("flows", &scene, 12);
    assert!(
        !end.state().crossing.is_empty() && end.report().volume_in > 0.0 && end.report().volume_out > 0.0
    );
}

#[test]
fn regional_correction_and_moving_solids() {
    let mut scene = splash();
    scene.numerics.volume_correction = VolumeCorrection::Regional;
    // The drop stays a separate body.
    scene.liquids[1].shape = Shape::Sphere { center: DVec3::new(0.45, 0.38, 0.5), radius: 0.1 };
    scene.liquids[1].velocity = DVec3::ZERO;
    let amplitude = DVec3::new(0.1, 0.0, 0.05);
    scene.solids.push(Solid::moving(
        Shape::Sphere { center: DVec3::new(0.7, 0.12, 0.5), radius: 0.12 },
        Motion::Oscillation { amplitude, period: 0.3 },
    ));
    let end = check("regional", &scene, 5);
    assert!(end.state().regions.as_ref().unwrap().bodies.len() > 1);
}

#[test]
fn other_choices() {
    let mut scene = splash();
    scene.numerics.free_surface = FreeSurface::SecondOrder;
    scene.numerics.advection = Advection::MacCormack;
    check("second order", &scene, 5);
    scene.numerics.free_surface = FreeSurface::Spd;
    scene.numerics.interpolation = Interpolation::Continuous;
    scene.physics.surface_tension = 0.07;
    check("tension", &scene, 5);
}

#[test]
fn what_fits_no_scene_is_told() {
    let scene = splash();
    let mut sim = OctreeLiquid::new(&scene);
    sim.step(TimeStep::new(sim.max_dt()).unwrap()).unwrap();
    let load =
        |scene: &Scene, mut from: Snapshot| OctreeLiquid::load(scene, &mut from).map(|_| ()).unwrap_err();

    let mut other = scene.clone();
    other.domain.resolution = 16;
    assert!(load(&other, saved(&sim)).to_string().contains("another domain or resolution"));
    assert!(matches!(load(&scene, Snapshot::default()), SnapshotError::Missing { .. }));

    // Each column in turn is removed, truncated, or given an invalid value.
    for (name, column) in saved(&sim).columns() {
        let with = |column: Option<Column>| {
            let mut out = Snapshot::default();
            for (other, values) in saved(&sim).columns() {
                match &column {
                    _ if other != name => out.put(other, values.values()),
                    Some(column) => out.put(other, column.values()),
                    None => {}
                }
            }
            out
        };
        let error = load(&scene, with(None));
        assert!(error.to_string().contains(name), "{name}: {error}");
        let (short, bad) = match column.clone() {
            Column::U8(v) => (Column::U8(v[1..].to_vec()), None),
            Column::U32(v) => (Column::U32(v.get(1..).unwrap_or(&[7]).to_vec()), None),
            Column::U64(v) => (Column::U64(v[1..].to_vec()), None),
            Column::F32(v) => (
                Column::F32(v.get(1..).unwrap_or(&[7.0]).to_vec()),
                Some(Column::F32(vec![f32::NAN; v.len()])),
            ),
            Column::F64(v) => {
                let nan = Column::F64(vec![f64::INFINITY; v.len()]);
                (Column::F64(v.get(1..).unwrap_or(&[7.0]).to_vec()), (!v.is_empty()).then_some(nan))
            }
        };
        if name != "clear_ceiling" {
            load(&scene, with(Some(short)));
        }
        if let Some(bad) = bad {
            let error = load(&scene, with(Some(bad)));
            assert!(error.to_string().contains(name), "{name}: {error}");
        }
    }
}
