//! What any method of this kind must keep: symmetry, threads, volume, closed pockets, free fall.
#![allow(clippy::unwrap_used)] // a test may fail loudly

mod common;

use common::*;
use glam::{DQuat, DVec3};
use octide_core::contract::Method;
use octide_core::geometry::{Keyframe, Motion, Pose, Shape};
use octide_core::index::CellId;
use octide_core::scene::{Scene, Solid};
use octide_octree::OctreeLiquid;

/// An oblique splash without symmetry of its own.
fn splash() -> Scene {
    let mut s = scene(DVec3::new(1.0, 0.5, 0.5), 32, 1);
    s.liquids = vec![pool(0.16), at_rest(ball([0.41, 0.28, 0.22], 0.09))];
    s.liquids[1].velocity = DVec3::new(0.3, -1.0, 0.2);
    s.solids = vec![fixed(ball([0.7, 0.1, 0.3], 0.08))];
    s.numerics.tolerance = 1e-12;
    s
}

/// A map of places under which a scene is built again: an axis mirrored, or axes turned.
#[derive(Clone, Copy)]
struct Map {
    rotation: DQuat,
    mirror_x: Option<f64>,
    shift: DVec3,
}

impl Map {
    fn vector(&self, v: DVec3) -> DVec3 {
        let v = if self.mirror_x.is_some() { DVec3::new(-v.x, v.y, v.z) } else { v };
        self.rotation * v
    }

    fn point(&self, p: DVec3) -> DVec3 {
        let p = self.mirror_x.map_or(p, |w| DVec3::new(w - p.x, p.y, p.z));
        self.rotation * p + self.shift
    }

    fn shape(&self, shape: &Shape) -> Shape {
        match shape {
            Shape::Sphere { center, radius } => {
                Shape::Sphere { center: self.point(*center), radius: *radius }
            }
            Shape::Box { min, max } => {
                let (a, b) = (self.point(*min), self.point(*max));
                Shape::Box { min: a.min(b), max: a.max(b) }
            }
            other => panic!("not used here: {other:?}"),
        }
    }

    fn scene(&self, s: &Scene) -> Scene {
        let mut out = s.clone();
        out.domain.size = self.vector(s.domain.size).abs();
        out.physics.gravity = self.vector(s.physics.gravity);
        for l in &mut out.liquids {
            l.shape = self.shape(&l.shape);
            l.velocity = self.vector(l.velocity);
        }
        for b in &mut out.solids {
            b.shape = self.shape(&b.shape);
        }
        out
    }
}

/// The largest difference of φ between two runs, in finest cells, after ten steps.
fn difference(scene: &Scene, map: Map) -> f64 {
    let mut a = OctreeLiquid::new(scene);
    let mut b = OctreeLiquid::new(&map.scene(scene));
    for _ in 0..10 {
        let dt = a.max_dt();
        a.step(dt).unwrap();
        b.step(dt).unwrap();
    }
    let (a, b) = (a.state(), b.state());
    assert_eq!(a.mesh.n_cells(), b.mesh.n_cells());
    let mut worst = 0.0f64;
    for c in a.phi.ids() {
        let there: CellId = b.mesh.tree.locate(map.point(a.mesh.tree.center(c)));
        assert_eq!(a.mesh.tree.level(c), b.mesh.tree.level(there));
        worst = worst.max((a.phi[c] - b.phi[there]).abs());
    }
    worst / scene.domain.dx()
}

#[test]
fn a_mirrored_scene_gives_the_mirrored_answer() {
    let map = Map { rotation: DQuat::IDENTITY, mirror_x: Some(1.0), shift: DVec3::ZERO };
    let worst = difference(&splash(), map);
    assert!(worst <= 1e-6, "{worst:e} dx");
}

#[test]
fn gravity_along_another_axis_gives_the_turned_answer() {
    // −y becomes −x: x → −y … turned so that all coordinates stay positive.
    let rotation = DQuat::from_rotation_z(-std::f64::consts::FRAC_PI_2);
    let map = Map { rotation, mirror_x: None, shift: DVec3::new(0.0, 1.0, 0.0) };
    assert!((map.vector(DVec3::NEG_Y) - DVec3::NEG_X).length() < 1e-12);
    let worst = difference(&splash(), map);
    assert!(worst <= 1e-6, "{worst:e} dx");
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut s = splash();
            s.numerics.tolerance = 1e-4;
            let mut sim = OctreeLiquid::new(&s);
            for _ in 0..5 {
                let dt = sim.max_dt();
                sim.step(dt).unwrap();
            }
            let frame = sim.frame();
            let bits: Vec<u64> =
                sim.state().phi.iter().chain(sim.state().u.iter()).map(|v| v.to_bits()).collect();
            (bits, frame.surface)
        })
    };
    let one = run(1);
    for threads in [2, 3, 7] {
        assert!(one == run(threads), "{threads} threads");
    }
}

#[test]
fn volume_stays_within_one_percent_and_the_surface_holds_it() {
    let scene = drop_over_pool(64);
    let mut sim = OctreeLiquid::new(&scene);
    for frame in 1..=24 {
        for report in run(&mut sim, f64::from(frame) / 120.0) {
            assert!(report.volume_drift.abs() < 0.01, "{}", report.volume_drift);
        }
        let surface = sim.frame().surface;
        let topology = surface.mesh.topology();
        assert!(topology.is_closed_manifold(), "frame {frame}: {topology:?}");
        let ratio = surface.mesh.volume() / sim.state().volume;
        assert!((ratio - 1.0).abs() < 0.01, "frame {frame}: {ratio}");
    }
}

/// The middle of the liquid, by whole cells.
fn center_of_mass(sim: &OctreeLiquid) -> DVec3 {
    let st = sim.state();
    let (mut m, mut n) = (DVec3::ZERO, 0.0);
    for c in st.phi.ids().filter(|&c| st.phi[c] < 0.0) {
        let v = st.mesh.tree.size(c).powi(3);
        m += v * st.mesh.tree.center(c);
        n += v;
    }
    m / n
}

#[test]
fn a_body_in_free_fall_follows_its_parabola() {
    let mut s = scene(DVec3::new(0.5, 1.0, 0.5), 64, 2);
    s.liquids = vec![at_rest(ball([0.26, 0.75, 0.24], 0.12))];
    let error = |dt: f64| {
        let mut sim = OctreeLiquid::new(&s);
        let start = center_of_mass(&sim);
        for _ in 0..(0.2 / dt) as usize {
            sim.step(dt).unwrap();
        }
        (center_of_mass(&sim) - start - 0.5 * s.physics.gravity * 0.04).length()
    };
    let (coarse, fine) = (error(0.02), error(0.01));
    assert!(fine < 0.6 * coarse + 1e-3 && fine < 0.02, "{coarse} {fine}");
}

#[test]
fn a_solid_moves_in_a_full_closed_tank() {
    let mut s = scene(DVec3::new(0.5, 0.5, 0.5), 16, 1);
    s.liquids = vec![pool(9.0)];
    let key = |time, x| Keyframe {
        time,
        pose: Pose { position: DVec3::new(x, 0.0, 0.0), rotation: DQuat::IDENTITY },
    };
    s.solids = vec![Solid {
        shape: ball([0.2, 0.25, 0.25], 0.09),
        motion: Motion::Keyframes(vec![key(0.0, 0.0), key(0.4, 0.1)]),
    }];
    let mut sim = OctreeLiquid::new(&s);
    let reports = run(&mut sim, 0.2);
    let last = reports.last().unwrap();
    assert!(last.volume_drift.abs() < 0.01, "{}", last.volume_drift);
    assert!(last.max_speed > 0.05 && last.max_speed < 2.0, "{}", last.max_speed);
}

#[test]
fn a_pocket_closed_in_by_solids_stays_solvable() {
    let mut s = scene(DVec3::new(0.5, 0.5, 0.5), 32, 1);
    s.liquids = vec![pool(0.4)];
    // A thick shell full of water inside the pool.
    s.solids = vec![fixed(Shape::Difference {
        of: Box::new(ball([0.25, 0.2, 0.25], 0.15)),
        minus: vec![ball([0.25, 0.2, 0.25], 0.08)],
    })];
    let mut sim = OctreeLiquid::new(&s);
    let reports = run(&mut sim, 0.1);
    for report in &reports {
        assert!(report.volume_drift.abs() < 1e-3, "{}", report.volume_drift);
        assert!(report.max_speed < 0.02, "{}", report.max_speed);
    }
}

#[test]
fn water_that_hits_the_ceiling_falls_again() {
    let mut s = scene(DVec3::new(0.25, 0.5, 0.25), 32, 1);
    s.liquids = vec![at_rest(ball([0.12, 0.3, 0.13], 0.08))];
    s.liquids[0].velocity = DVec3::new(0.0, 2.5, 0.0);
    s.numerics.max_volume_drift = 0.5; // it spreads to a film of a cell
    let mut sim = OctreeLiquid::new(&s);
    let highest = |sim: &OctreeLiquid| {
        let st = sim.state();
        let liquid = st.phi.ids().filter(|&c| st.phi[c] < 0.0);
        liquid.map(|c| st.mesh.tree.center(c).y).fold(0.0, f64::max)
    };
    let mut top = 0.0f64;
    for frame in 1..=30 {
        run(&mut sim, f64::from(frame) / 60.0);
        top = top.max(highest(&sim));
    }
    assert!(top > 0.45, "it gets up there: {top}");
    assert!(highest(&sim) < 0.3, "and comes down: {}", highest(&sim));
}

#[test]
fn small_drops_and_shallow_pools_are_there() {
    let volume = |liquid| {
        let mut s = scene(DVec3::new(1.0, 0.5, 1.0), 128, 3);
        s.liquids = vec![liquid];
        OctreeLiquid::new(&s).state().volume
    };
    let drop = volume(at_rest(ball([0.5, 0.25, 0.5], 0.025)));
    let exact = 4.0 / 3.0 * std::f64::consts::PI * 0.025f64.powi(3);
    assert!((drop / exact - 1.0).abs() < 0.1, "{drop} {exact}");
    let shallow = volume(at_rest(box_of([0.0, 0.0, 0.0], [1.0, 0.015, 1.0])));
    assert!((shallow / 0.015 - 1.0).abs() < 0.01, "{shallow}");
}

#[test]
fn steps_are_short_enough_for_a_body_that_is_about_to_move() {
    let mut s = scene(DVec3::new(1.0, 0.5, 0.5), 64, 2);
    s.liquids = vec![pool(0.2)];
    let amplitude = DVec3::new(0.2, 0.0, 0.0);
    let motion = Motion::Oscillation { amplitude, period: 0.1 };
    s.solids = vec![Solid { shape: ball([0.5, 0.2, 0.25], 0.05), motion: motion.clone() }];
    let mut sim = OctreeLiquid::new(&s);
    // Near the turning point the body stands still.
    sim.step(1e-4).unwrap();
    for t in [0.0, 0.0249, 0.025] {
        let mut at = s.clone();
        at.solids[0].motion = Motion::Keyframes(vec![
            Keyframe { time: 0.0, pose: motion.pose(t) },
            Keyframe { time: 0.01, pose: motion.pose(t + 0.01) },
        ]);
        let sim = OctreeLiquid::new(&at);
        let dt = sim.max_dt();
        let way = at.solids[0].motion.pose(dt).position.distance(at.solids[0].motion.pose(0.0).position);
        assert!(way <= 2.01 * s.domain.dx(), "{t}: {way} in {dt}");
    }
}

#[test]
fn a_tank_one_cell_thick_lets_a_drop_fall() {
    let mut s = scene(DVec3::new(0.5, 0.5, 0.5 / 16.0), 16, 0);
    s.liquids = vec![at_rest(ball([0.25, 0.35, 0.015], 0.08))];
    let mut sim = OctreeLiquid::new(&s);
    let start = center_of_mass(&sim);
    run(&mut sim, 0.2);
    let fall = (center_of_mass(&sim) - start).y;
    assert!((fall + 0.5 * 9.8 * 0.04).abs() < 0.02, "{fall}");
}

#[test]
fn no_liquid_is_no_error() {
    let s = scene(DVec3::new(0.5, 0.5, 0.5), 16, 1);
    let mut sim = OctreeLiquid::new(&s);
    let report = sim.step(0.01).unwrap();
    assert_eq!(report.liquid_cells, 0);
    assert!(sim.frame().surface.mesh.triangles.is_empty());
}
