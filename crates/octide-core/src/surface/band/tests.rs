use super::*;
use crate::contract::Sample;
use std::collections::BTreeSet;

/// A ball whose distance is wrong by a factor away from its surface.
struct Ball {
    center: DVec3,
    radius: f64,
    wrong: f64,
}

impl StateView for Ball {
    fn surface_distance(&self, p: DVec3) -> f64 {
        self.wrong * (p.distance(self.center) - self.radius)
    }
    fn surface_velocity(&self, p: DVec3) -> DVec3 {
        p - self.center
    }
    fn liquid_distance(&self, _: DVec3) -> f64 {
        unimplemented!("the band shows the frame's surface")
    }
    fn detail(&self, _: DVec3) -> f64 {
        unimplemented!("voxels are of one size")
    }
    fn sample(&self, _: DVec3) -> Sample {
        unimplemented!("the band reads distances and velocities only")
    }
}

fn domain() -> Domain {
    Domain { origin: DVec3::new(-3.0, 1.0, 0.5), size: DVec3::new(2.0, 1.0, 1.5), resolution: 80, levels: 3 }
}

/// Checks every voxel in and around the domain against the distance of the ball.
fn check(ball: &Ball) -> (usize, usize) {
    let domain = domain();
    let band = Band::find(&domain, ball);
    let bricks: BTreeSet<[i32; 3]> = band.bricks.iter().map(|b| b.to_array()).collect();
    let inside: BTreeSet<[i32; 3]> = band.inside.iter().map(|b| b.to_array()).collect();
    assert_eq!((bricks.len(), inside.len()), (band.bricks.len(), band.inside.len()), "none twice");
    let n = (domain.size / domain.dx()).round().as_ivec3() + 2 * MARGIN;
    let mut with_band = BTreeSet::new();
    for x in (-8..n.x + 8).step_by(8) {
        for y in (-8..n.y + 8).step_by(8) {
            for z in (-8..n.z + 8).step_by(8) {
                let low = IVec3::new(x, y, z);
                let brick = bricks.contains(&low.to_array()).then(|| band.brick(ball, low));
                for v in 0..N_VOXELS as i32 {
                    let voxel = low + IVec3::new(v / 64, v / 8 % 8, v % 8);
                    let p = domain.origin + domain.dx() * ((voxel - 4).as_dvec3() + 0.5);
                    let beyond = (domain.origin - p).max(p - domain.origin - domain.size);
                    let wall = beyond.max(DVec3::ZERO).length() + beyond.max_element().min(0.0);
                    let at = p.clamp(domain.origin, domain.origin + domain.size);
                    let phi = ball.surface_distance(at).max(wall).clamp(-band.width(), band.width());
                    match &brick {
                        Some(brick) => {
                            assert!((f64::from(brick.phi[v as usize]) - phi).abs() < 1e-6, "{voxel}");
                            let moves = brick.velocity[v as usize] != [0.0; 3];
                            assert_eq!(moves, band.is_active(brick.phi[v as usize]), "{voxel}");
                        }
                        None => assert_eq!(phi.abs(), band.width(), "{voxel} is in the band"),
                    }
                    if phi.abs() < 0.9999 * band.width() {
                        with_band.insert(low.to_array());
                    }
                    if brick.is_none() {
                        assert_eq!(phi < 0.0, inside.contains(&low.to_array()), "{voxel}");
                    }
                }
            }
        }
    }
    (bricks.len(), with_band.len())
}

#[test]
fn every_voxel_of_the_band_is_found_also_with_poor_distances() {
    for wrong in [1.0, 1.2, 0.8] {
        let (found, needed) = check(&Ball { center: DVec3::new(-2.1, 1.45, 1.2), radius: 0.37, wrong });
        assert!(found < 3 * needed, "{found} bricks for {needed}");
    }
}

#[test]
fn liquid_that_goes_through_walls_is_closed_by_them() {
    check(&Ball { center: DVec3::new(-2.9, 1.1, 1.6), radius: 0.7, wrong: 1.0 });
    check(&Ball { center: DVec3::new(-2.0, 1.5, 1.2), radius: 50.0, wrong: 1.0 });
}

#[test]
fn no_liquid_has_no_bricks() {
    let band = Band::find(&domain(), &Ball { center: DVec3::splat(100.0), radius: 1.0, wrong: 1.0 });
    assert!(band.bricks.is_empty() && band.inside.is_empty());
}
