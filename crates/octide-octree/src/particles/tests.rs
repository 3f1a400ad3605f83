use super::activity::particle_activity;
use super::block::Eight;
use super::level::correct;
use super::renew::{Water, renew};
use super::spray::{Separated, deliver, separate_spray};
use super::transfer::{Around, Splat, gradients, take_velocity};
use super::*;
use crate::apertures::Apertures;
use crate::driven::on_faces;
use crate::params::{Params, Seeding, Transfer};
use crate::solids::Solids;
use crate::{OctreeLiquid, State};
use glam::IVec3;
use octide_core::contract::{Method, TimeStep};
use octide_core::geometry::Shape;
use octide_core::index::{FaceId, Field};
use octide_core::octree::{Grading, Octree, RootGrid};
use octide_core::random::Seed;
use octide_core::scene::{Liquid, Scene};

/// 16³ cells of one size; with `coarse` the upper half is coarser.
fn mesh(coarse: bool) -> Mesh {
    let grid = RootGrid::new(DVec3::ZERO, 1.0 / 16.0, 1, IVec3::ZERO, IVec3::splat(8), |_| true);
    Mesh::new(Octree::build(&grid, Grading::Graded, |c| !coarse || c.center.y < 0.5))
}

fn params(seeding: Seeding) -> Params {
    Params { particles: seeding, ..Params::from_scene(&Scene::empty("octree", DVec3::ONE, 16, 1)) }
}

fn at(x: DVec3) -> Particle {
    let place = mesh(false).tree.grid().place(x);
    Particle { place, v: Vec3::ZERO, phi: -0.01, life: 0.0, id: 0 }.with(Life::Water(1.0))
}

/// Water up to a height, with its band full of particles that have taken the velocity `u`.
fn pool(mesh: &Mesh, height: f64, u: &Field<FaceId, f64>) -> Particles {
    seeded_pool(mesh, height, u, Seed::default())
}

fn seeded_pool(mesh: &Mesh, height: f64, u: &Field<FaceId, f64>, seed: Seed) -> Particles {
    let phi = par::map(mesh.n_cells(), |c: CellId| mesh.tree.center(c).y - height);
    let (solids, activity) = (Solids::default(), Field::default());
    let apertures = Apertures::within_walls(mesh, &solids);
    let water = Water {
        mesh,
        phi: &phi,
        u,
        before: None,
        apertures: &apertures,
        solids: &solids,
        activity: &activity,
    };
    renew(&water, Particles::default(), &Params { seed, ..params(Seeding::Band) })
}

/// Returns the positions of the 18 faces across `axis` relative to the cell's center, in cell edges.
fn face_place(axis: usize, slot: usize) -> DVec3 {
    let mut p = DVec3::ZERO;
    p[axis] = (slot & 1) as f64 - 0.5;
    p[(axis + 1) % 3] = (slot / 2 % 3) as f64 - 1.0;
    p[(axis + 2) % 3] = (slot / 6) as f64 - 1.0;
    p
}

#[test]
fn weights_of_faces_are_those_of_interpolation() {
    let values: [f64; 18] = std::array::from_fn(|i| (i as f64 * 1.7).sin());
    for r in [DVec3::new(0.1, -0.4, 0.3), DVec3::new(-0.5, 0.5, 0.0), DVec3::new(0.49, 0.01, -0.01)] {
        for axis in 0..3 {
            let g = DVec3::new(0.3, -2.0, 0.7);
            let (mut sum, mut first, mut value) = (0.0, DVec3::ZERO, 0.0);
            Eight::around(r, axis).for_each(g, |i, w, change| {
                sum += w;
                first += w * face_place(axis, i);
                value += w * values[i];
                assert!((change - g.dot(face_place(axis, i) - r)).abs() < 1e-12);
            });
            assert!((sum - 1.0).abs() < 1e-6 && first.distance(r) < 1e-6);
            let (same, gradient) = Eight::around(r, axis).interpolate(&values);
            assert!((value - same).abs() < 1e-6);
            for b in 0..3 {
                let mut e = DVec3::ZERO;
                e[b] = if r[b] > 0.0 { -1e-2 } else { 1e-2 };
                let slope = (Eight::around(r + e, axis).interpolate(&values).0 - same) / e[b];
                assert!((slope - gradient[b]).abs() < 1e-3, "{slope} {gradient}");
            }
        }
    }
}

#[test]
fn a_linear_flow_survives_the_way_to_particles_and_back() {
    let mesh = mesh(false);
    let flow = |x: DVec3| DVec3::new(x.y - 0.3 * x.z, 2.0 * x.x + x.y, -x.y + 0.5 * x.x - x.z);
    let u = on_faces(&mesh, &flow);
    let mut particles = pool(&mesh, 0.8, &u);
    particles.gradients = gradients(&mesh, &u, &particles, Transfer::Apic);
    let splat = Splat::new(&mesh, &particles);
    let mut seen = 0;
    for k in u.ids() {
        let x = mesh.face_position(k);
        // The inside of the band, away from walls, where velocities are mirrored.
        let inside = x.y > 0.66 && x.y < 0.72 && (x - 0.5).abs().max_element() < 0.3;
        if inside {
            seen += 1;
            assert!((splat.mass(k) - 1.0).abs() < 1e-5, "{x} {}", splat.mass(k));
            assert!((splat.blend(k, 1.0, 99.0) - u[k]).abs() < 1e-5, "{x} {}", u[k]);
        }
    }
    assert!(seen > 50);
}

#[test]
fn flip_keeps_what_the_grid_cannot_hold() {
    let mesh = mesh(false);
    let (before, now) = (on_faces(&mesh, &|_| DVec3::ONE), on_faces(&mesh, &|_| 3.0 * DVec3::ONE));
    let cell = mesh.tree.nearest_leaf(DVec3::splat(0.47));
    let (before, now) = (Around::new(&mesh, &before, cell), Around::new(&mesh, &now, cell));
    let mut p = Particle { v: Vec3::splat(5.0), ..at(DVec3::splat(0.47)) };
    take_velocity(&mut p, &now, Some(&before), Transfer::Flip(0.5));
    assert!(p.v.distance(Vec3::splat(5.0)) < 1e-5, "{}", p.v); // 3 + (5 − 1)/2
    take_velocity(&mut p, &now, Some(&before), Transfer::Apic);
    assert!(p.v.distance(Vec3::splat(3.0)) < 1e-5);
}

#[test]
fn each_eighth_of_a_cell_in_the_band_has_a_particle() {
    let mesh = mesh(false);
    let u = on_faces(&mesh, &|_| DVec3::ZERO);
    let particles = pool(&mesh, 0.77, &u);
    for c in mesh.tree.cells() {
        let depth = (0.77 - mesh.tree.center(c).y) * 16.0;
        let expected = match depth {
            d if d > 0.5 && d < 3.0 => Some(8),
            d if !(-1.0..3.0).contains(&d) => Some(0),
            _ => None,
        };
        if let Some(n) = expected {
            assert_eq!(particles.of_cell(c).len(), n, "{depth}");
        }
    }
    let mut ids: Vec<u32> = particles.list().iter().map(|p| p.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), particles.len());
}

/// There are as many particles, one in each eighth of a cell, and on average in its middle.
#[test]
fn another_seed_gives_other_places_of_the_same_statistics() {
    let mesh = mesh(false);
    let u = on_faces(&mesh, &|_| DVec3::ZERO);
    // No eighth has its center near the lower end of the band.
    let of_seed = |seed: u64| seeded_pool(&mesh, 12.6 / 16.0, &u, Seed::new(seed));
    let [plain, first, again, other] = [1, 2, 2, 3].map(of_seed);
    assert!(first == again && first != other && first != plain);
    let n = plain.len() as f64;
    let eighth = 0.5 / 16.0;
    for particles in [&first, &other] {
        assert!((particles.len() as f64 - n).abs() < n.sqrt(), "{n} {}", particles.len());
        let mut sum = DVec3::ZERO;
        for p in particles.list() {
            let inside = (p.x(&mesh) / eighth).fract() - 0.5;
            assert!(inside.abs().max_element() <= 0.25, "{inside}");
            sum += inside;
        }
        // Eight cells that are mirror images of each other have the same random numbers.
        let noise = 0.25 * (8.0 / (3.0 * n)).sqrt();
        assert!((sum / n).abs().max_element() < 4.0 * noise, "{}", sum / n);
    }
}

#[test]
fn calm_water_is_not_active_and_a_shear_is() {
    let mesh = mesh(false);
    let phi = par::map(mesh.n_cells(), |c: CellId| mesh.tree.center(c).y - 0.77);
    let params = params(Seeding::WhereNeeded);
    let sloshing = |x: DVec3| 8.0 * DVec3::new(x.x, -x.y, 0.0);
    let calm = particle_activity(&mesh, &phi, &on_faces(&mesh, &sloshing), &params);
    // The flow does not stop at the wall at x = 1.
    let inner = |c: &CellId| mesh.tree.center(*c).x < 0.6;
    assert!(mesh.tree.cells().filter(inner).all(|c| calm[c] < 1e-6));
    let torn = on_faces(&mesh, &|x| if x.x > 0.5 { 3.0 * DVec3::Y } else { DVec3::ZERO });
    let torn = particle_activity(&mesh, &phi, &torn, &params);
    let active = mesh.tree.cells().filter(|&c| torn[c] > 0.0);
    let spread = active.map(|c| (mesh.tree.center(c).x - 0.5).abs()).fold(0.0, f64::max);
    assert!(spread > 1.0 / 16.0 && spread < 6.0 / 16.0, "{spread}");
}

#[test]
fn water_that_the_grid_loses_is_put_back() {
    let mesh = mesh(false);
    let cell = mesh.tree.nearest_leaf(DVec3::splat(0.47));
    let x = mesh.tree.center(cell);
    let lost = Particle { phi: -0.4 / 16.0, ..at(x) };
    let particles = Particles::sorted(&mesh, vec![lost], &Particles::default());
    let air = Field::filled(mesh.n_cells(), 0.05);
    let phi = correct(&mesh, air.clone(), &particles);
    assert!((phi[cell] + 0.4 / 16.0).abs() < 1e-6, "{}", phi[cell]);
    let spray = Particles::sorted(&mesh, vec![lost.with(Life::Spray(0.1))], &Particles::default());
    assert_eq!(correct(&mesh, air.clone(), &spray), air);
}

#[test]
fn particles_outside_are_dropped_and_the_rest_sorted() {
    let mesh = mesh(true);
    let list: Vec<Particle> =
        (0..40).map(|i| Particle { id: i, ..at(DVec3::splat(f64::from(i * 7 % 40) / 36.0)) }).collect();
    let outside = list.iter().filter(|p| p.x(&mesh).max_element() > 1.0).count();
    let particles = Particles::sorted(&mesh, list, &Particles::default());
    assert!(outside > 0 && particles.len() == 40 - outside);
    for c in mesh.tree.cells() {
        assert!(particles.of_cell(c).iter().all(|p| mesh.tree.nearest_leaf(p.x(&mesh)) == c));
    }
}

#[test]
fn spray_returns_with_its_momentum_into_coarse_water() {
    let mesh = mesh(true);
    let phi = Field::filled(mesh.n_cells(), -0.2);
    let fast = at(DVec3::new(0.5, 0.8, 0.4)).with(Life::Spray(0.2));
    let fast = Particle { v: Vec3::new(0.0, -4.0, 0.0), ..fast };
    let slow = at(DVec3::new(0.2, 0.2, 0.2)).with(Life::Spray(9.0));
    let mut particles = Particles::sorted(&mesh, vec![fast, slow], &Particles::default());
    let Separated { ended: gone, landed, .. } = separate_spray(&mesh, &phi, &mut particles, 1.0);
    assert_eq!(landed.len(), 2);
    assert_eq!((gone.len(), particles.len()), (1, 1));
    assert!(!particles.list()[0].is_spray());
    let mut u = Field::filled(mesh.n_faces(), 0.0);
    deliver(&mesh, &gone, &mut u);
    let momentum = par::sum(mesh.n_faces(), |i| {
        let k = FaceId(i as u32);
        let s = mesh.faces.stencil(&mesh.tree, k);
        if mesh.faces.axis(k) == 1 { s.length * mesh.face_size(k).powi(2) * u[k] } else { 0.0 }
    });
    let brought = -4.0 * 0.125 / 16f64.powi(3);
    assert!((momentum / brought - 1.0).abs() < 0.05, "{momentum} {brought}");
    // In the air, spray is removed after some time.
    let air = Field::filled(mesh.n_cells(), 0.2);
    let old = fast.with(Life::Spray(2.1));
    let mut particles = Particles::sorted(&mesh, vec![fast, old], &Particles::default());
    let separated = separate_spray(&mesh, &air, &mut particles, 1.0);
    assert_eq!((separated.ended.len(), separated.expired.len()), (0, 1));
    assert_eq!(particles.len(), 1);
}

#[test]
fn drops_have_their_own_volume() {
    let mesh = mesh(false);
    let x = DVec3::splat(0.47);
    let mut particles = Particles::sorted(&mesh, vec![at(x).with(Life::Spray(0.1))], &Particles::default());
    particles.add_spray(&mesh, &[(x, Vec3::ZERO, 0.25), (x, Vec3::ZERO, 2.0)]);
    let drop = 0.125 / 16f64.powi(3);
    assert!((spray::volume(&mesh, &particles) / drop - 3.25).abs() < 1e-6);
    // They keep it while they fly, and give it back where they land.
    let air = Field::filled(mesh.n_cells(), 0.2);
    separate_spray(&mesh, &air, &mut particles, 1.0);
    level::refresh(&mesh, &Field::filled(mesh.n_cells(), -0.2), &mut particles);
    assert!((spray::volume(&mesh, &particles) / drop - 3.25).abs() < 1e-6);
    let water = Field::filled(mesh.n_cells(), -0.2);
    let landed = separate_spray(&mesh, &water, &mut particles, 1.0).landed;
    let volume: f64 = landed.iter().map(|(_, volume)| volume).sum();
    assert!((volume / 0.125 - 3.25).abs() < 1e-6);
}

fn ball_in_flight(seeding: Seeding, steps: usize) -> (State, f64) {
    let mut scene = Scene::empty("octree", DVec3::ONE, 32, 2);
    scene.physics.gravity = DVec3::ZERO;
    let shape = Shape::Sphere { center: DVec3::new(0.3, 0.5, 0.5), radius: 0.15 };
    scene.liquids = vec![Liquid { shape, velocity: DVec3::new(1.0, 0.3, -0.2), roughness: 0.0 }];
    scene.numerics.particles = seeding;
    let mut sim = OctreeLiquid::new(&scene);
    let start = sim.totals().kinetic_energy;
    for _ in 0..steps {
        sim.step(TimeStep::new(0.02).unwrap()).unwrap();
    }
    let kept = sim.totals().kinetic_energy / start;
    (sim.state().clone(), kept)
}

#[test]
fn a_ball_in_flight_keeps_its_energy_at_the_edge_of_the_band() {
    let (state, kept) = ball_in_flight(Seeding::Band, 15);
    assert!((kept - 1.0).abs() < 0.02, "{kept}");
    let inside = |c: &CellId| state.phi[*c] < 0.0;
    let v = Vec3::new(1.0, 0.3, -0.2);
    for c in state.mesh.tree.cells().filter(inside) {
        for p in state.particles.of_cell(c).iter().filter(|p| !p.is_spray()) {
            assert!(p.v.distance(v) < 0.02, "{} at {}", p.v, p.x(&state.mesh));
        }
    }
    let spray = state.particles.list().iter().filter(|p| p.is_spray()).count();
    assert!(spray * 100 < state.particles.len(), "{spray} of {}", state.particles.len());
}
