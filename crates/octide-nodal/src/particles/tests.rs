//! The particle level set on the mesh of this method, with its transport and redistancing.

use super::*;
use crate::driven::Driven;
use crate::level_set::redistance;
use crate::testing::jagged;
use glam::{IVec3, Vec3};
use octide_core::octree::RootGrid;
use octide_core::random::Seed;
use octide_core::scene::Seeding;

const CENTER: DVec3 = DVec3::new(0.41, 0.52, 0.47);
const DX: f64 = 1.0 / 32.0;

fn grid() -> RootGrid {
    RootGrid::new(DVec3::ZERO, DX, 5, IVec3::ZERO, IVec3::ONE, |_| true)
}

fn params() -> ParticleParams {
    ParticleParams::new(Seeding::WhereNeeded, f64::INFINITY, Seed::default())
}

fn ball(radius: f64) -> Driven {
    Driven::new(&grid(), &|x| x.distance(CENTER) - radius, ParticleParams { spray: false, ..params() })
}

/// What making φ a distance would lose, markers bring back, and radii are those of what comes out.
#[test]
fn phi_is_corrected_again_after_redistancing() {
    let mut s = ball(0.25);
    let lost: Field<NodeId, f64> = Field::from_vec(s.phi.iter().map(|p| p + DX / 3.0).collect());
    let plain = redistance(&s.mesh, &lost, f64::INFINITY);
    let mut phi = plain.clone();
    s.particles.correct(&s.mesh, &mut phi);
    s.particles.refresh(&s.mesh, &phi);
    let off = |phi: &Field<NodeId, f64>| {
        let near = phi.ids().filter(|&v| s.phi[v].abs() < 0.5 * DX);
        near.map(|v| (phi[v] - s.phi[v]).abs()).sum::<f64>()
    };
    assert!(off(&phi) < 0.75 * off(&plain), "{} of {}", off(&phi), off(&plain));
    for m in s.particles.markers(&s.mesh.tree) {
        let d = m.sign() * s.mesh.sample(&phi, m.position());
        assert!((m.radius() - d.clamp(0.1 * DX, 0.5 * DX)).abs() < 0.016 * DX);
    }
}

#[test]
fn a_ball_carried_far_keeps_its_volume_with_markers() {
    let run = |per_cell: usize| {
        let p = ParticleParams { per_cell, spray: false, ..params() };
        let mut s = Driven::new(&grid(), &|x| x.distance(DVec3::splat(0.3)) - 0.12, p);
        let start = s.volume();
        for k in 0..40 {
            let u = if k < 20 { 1.0 } else { -1.0 } * DVec3::new(0.5, 0.35, 0.2);
            s.step(0.8 * DX, &move |_| u);
        }
        s.volume() / start - 1.0
    };
    let (with, without) = (run(16), run(0));
    // The ball is small, under four cells: half of what is lost without markers is more than they allow.
    assert!(without < -0.3, "{without}");
    assert!(with > 0.5 * without && with < 0.02, "{with} of {without}");
}

#[test]
fn threads_do_not_matter() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut s = ball(0.2);
            for _ in 0..4 {
                s.step(0.02, &|x| DVec3::new(0.5 - x.y, x.x - 0.5, 0.1));
            }
            (s.phi, s.particles)
        })
    };
    assert!(run(1) == run(3));
}

/// Three drops that fall into one cell, one of them larger than it: the same whichever comes first.
#[test]
fn momentum_of_spray_does_not_depend_on_its_order() {
    let mesh = jagged(3);
    let cell = mesh.tree.locate(DVec3::new(0.4, 0.2, 0.3));
    let h = mesh.tree.size(cell);
    let drop = |radius: f64, v: [f32; 3]| {
        let radius = (radius * h) as f32;
        let drop = Droplet { x: mesh.tree.center(cell), v: Vec3::from_array(v), radius, flight: 0.0, id: 0 };
        Landed { cell, drop }
    };
    let mut landed =
        vec![drop(0.3, [1.0, -2.0, 0.5]), drop(0.4, [-1.5, -3.0, 0.0]), drop(0.7, [0.2, 0.1, -0.7])];
    let before = Field::filled(mesh.n_faces(), 0.25);
    let (mut first, mut second) = (before.clone(), before.clone());
    deliver(&mesh, &landed, &mut first);
    landed.reverse();
    deliver(&mesh, &landed, &mut second);
    assert!(first != before);
    for k in (0..mesh.n_faces()).map(|k| FaceId(k as u32)) {
        assert!((first[k] - second[k]).abs() < 1e-14, "{} and {}", first[k], second[k]);
        // A mean of what is there and what comes.
        let comes = landed.iter().map(|l| f64::from(l.drop.v[mesh.faces.axis(k)]));
        let (low, high) = comes.fold((0.25, 0.25), |(l, h): (f64, f64), v| (l.min(v), h.max(v)));
        assert!((low..=high).contains(&first[k]), "{} from {low} to {high}", first[k]);
    }
}
