//! The particle level set on this method's mesh, with its advection and redistancing.

use super::*;
use crate::driven::Driven;
use crate::level_set::redistance;
use glam::IVec3;
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

/// Markers restore what redistancing would lose, and their radii fit the corrected φ.
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
        let start = volume(&s);
        for k in 0..40 {
            let u = if k < 20 { 1.0 } else { -1.0 } * DVec3::new(0.5, 0.35, 0.2);
            s.step(0.8 * DX, &move |_| u);
        }
        volume(&s) / start - 1.0
    };
    let (with, without) = (run(16), run(0));
    // The ball is small, less than four cells: even so, markers prevent at least half of the loss.
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

/// Returns the volume behind the surface, in m³.
fn volume(s: &Driven) -> f64 {
    let of_cell = |i: u32| {
        let (x, h) = (s.mesh.tree.center(CellId(i)), s.mesh.tree.size(CellId(i)));
        h.powi(3) * s.fraction(x, h)
    };
    (0..s.mesh.n_cells() as u32).map(of_cell).sum()
}
