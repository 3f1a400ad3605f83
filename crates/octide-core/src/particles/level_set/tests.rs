//! The particle level set with φ at corners of unrestricted trees, and with φ at other samples.

mod cell_centers;

use super::*;
use crate::geometry::Shape;
use crate::index::NodeId;
use crate::octree::nodal::sample;
use crate::octree::{CellBox, Grading, Nodes, RootGrid};
use crate::scene::{Heading, Solid};
use crate::snapshot::{Snapshot, Store, Values};
use glam::IVec3;

const CENTER: DVec3 = DVec3::new(0.41, 0.52, 0.47);
const DX: f64 = 1.0 / 32.0;

fn grid() -> RootGrid {
    RootGrid::new(DVec3::ZERO, DX, 5, IVec3::ZERO, IVec3::ONE, |_| true)
}

fn params() -> ParticleParams {
    ParticleParams::new(Seeding::WhereNeeded, f64::INFINITY, Seed::default())
}

/// A tree with its corners.
struct Mesh {
    tree: Octree,
    nodes: Nodes,
}

impl Mesh {
    fn new(tree: Octree) -> Self {
        Self { nodes: Nodes::new(&tree), tree }
    }

    fn sample(&self, phi: &Field<NodeId, f64>, x: DVec3) -> f64 {
        sample(&self.tree, &self.nodes, phi, x)
    }

    fn at_center(&self, phi: &Field<NodeId, f64>, cell: CellId) -> f64 {
        self.sample(phi, self.tree.center(cell))
    }
}

impl CornerField for Mesh {
    fn tree(&self) -> &Octree {
        &self.tree
    }

    fn nodes(&self) -> &Nodes {
        &self.nodes
    }
}

/// A surface and its markers.
struct Ball {
    mesh: Mesh,
    phi: Field<NodeId, f64>,
    particles: LevelParticles,
}

fn surface(distance: impl Fn(DVec3) -> f64 + Sync, params: &ParticleParams) -> Ball {
    let is_near = |c: &CellBox| distance(c.center).abs() < 1.5 * c.size + 4.0 * DX;
    let mesh = Mesh::new(Octree::build(&grid(), Grading::Unrestricted, is_near));
    let phi = sampled(&mesh, distance);
    let particles = LevelParticles::seeded(&mesh, &phi, &nothing(), params);
    Ball { mesh, phi, particles }
}

fn sampled(mesh: &Mesh, distance: impl Fn(DVec3) -> f64 + Sync) -> Field<NodeId, f64> {
    let mut phi = par::map(mesh.nodes.len(), |v| distance(mesh.position(v)));
    mesh.constrain(&mut phi);
    phi
}

fn ball(radius: f64) -> Ball {
    surface(|x| x.distance(CENTER) - radius, &ParticleParams { spray: false, ..params() })
}

fn nothing() -> Solids {
    Solids::default()
}

fn among(solids: &Solids) -> Surroundings<'_> {
    Surroundings { solids, open: OpenSides::default(), gravity: DVec3::new(0.0, -10.0, 0.0), barriers: None }
}

/// Returns the existing markers and more.
fn with(all: &LevelParticles, mesh: &Mesh, more: &[Marker]) -> LevelParticles {
    let (tree, dx) = (&mesh.tree, mesh.tree.grid().dx());
    let mut place: Vec<CellId> = tree.cells().flat_map(|c| all.packed(c).iter().map(move |_| c)).collect();
    let mut markers = all.markers.clone();
    for m in more {
        let cell = tree.nearest_leaf(m.position());
        let t = (m.position() - tree.center(cell)) / tree.size(cell) + 0.5;
        markers.push(Packed::new(t, m.sign()).with_radius(m.radius() / dx));
        place.push(cell);
    }
    let bins = Bins::sort(&mut markers, place, mesh.tree.n_cells());
    LevelParticles { markers, bins, ..all.clone() }
}

impl Ball {
    fn advance(&mut self, velocity: DVec3, around: &Surroundings<'_>, dt: f64) {
        let tree = &self.mesh.tree;
        (self.particles, _) =
            self.particles.advanced(tree, |_| [velocity; 8], tree, around, dt, Seed::default());
    }

    fn renew(
        &mut self,
        phi: &Field<NodeId, f64>,
        velocity: DVec3,
        solids: &Solids,
        spray: bool,
    ) -> Vec<Landed> {
        let params = ParticleParams { spray, ..params() };
        self.particles.renew(&self.mesh, phi, |_| [velocity; 8], &among(solids), &params)
    }
}

#[test]
fn both_signs_are_seeded_on_their_sides_within_the_band_with_balls_that_touch() {
    let s = ball(0.25);
    let mut signs = [0; 2];
    for cell in s.mesh.tree.cells() {
        for m in s.particles.of_cell(&s.mesh.tree, cell) {
            assert_eq!(s.mesh.tree.nearest_leaf(m.position()), cell);
            let d = m.sign() * s.mesh.sample(&s.phi, m.position());
            assert!(d > 0.098 * DX && d < 3.002 * DX, "{}", d / DX);
            assert!((m.radius() - d.clamp(0.1 * DX, 0.5 * DX)).abs() < 0.016 * DX);
            signs[usize::from(m.sign() > 0.0)] += 1;
        }
    }
    assert!(signs.iter().all(|&n| n > 10_000), "{signs:?}");
    // Distances are distributed like the volume at each distance, and half as densely deep in the band.
    let deep = s
        .particles
        .markers(&s.mesh.tree)
        .filter(|m| m.sign() < 0.0 && s.mesh.sample(&s.phi, m.position()) < -1.5 * DX);
    let share = deep.count() as f64 / f64::from(signs[0]);
    assert!((0.2..0.45).contains(&share), "{share}");
}

/// Another seed gives other markers, but the same number, the same sizes, and positions anywhere in their
/// cells.
#[test]
fn another_seed_gives_other_markers_of_the_same_statistics() {
    let seeded = |seed: u64| {
        let params = ParticleParams { spray: false, seed: Seed::new(seed), ..params() };
        surface(|x| x.distance(CENTER) - 0.25, &params)
    };
    let [first, again, other] = [1, 1, 2].map(seeded);
    assert!(first.particles == again.particles && first.particles != other.particles);
    let [a, b] = [&first, &other].map(|s| s.particles.n_markers() as f64);
    assert!((a - b).abs() < 4.0 * a.sqrt(), "{a} {b}");
    let mean = |s: &Ball, of: &dyn Fn(Packed) -> f64| {
        s.particles.markers.iter().map(|&m| of(m)).sum::<f64>() / s.particles.n_markers() as f64
    };
    // Cells have the same numbers as their mirror images, up to eight, and as those with axes exchanged.
    let noise = (8.0 / 12.0 / a).sqrt();
    for s in [&first, &other] {
        for axis in 0..3 {
            let middle = mean(s, &|m| m.place()[axis]);
            assert!((middle - 0.5).abs() < 4.0 * noise, "{middle} along {axis}");
        }
    }
    let [r, q] = [&first, &other].map(|s| mean(s, &|m| m.radius()));
    assert!((r - q).abs() < 4.0 * 0.15 * (48.0 / a).sqrt(), "{r} {q}");
}

#[test]
fn particles_off_means_none() {
    let off = ParticleParams::new(Seeding::Off, 1.0, Seed::default());
    let s = surface(|x| x.distance(CENTER) - 0.25, &off);
    assert!(s.particles.is_empty());
}

#[test]
fn at_rest_nothing_has_escaped_and_nothing_moves() {
    let mut s = ball(0.25);
    let (before, mut phi) = (s.particles.clone(), s.phi.clone());
    s.advance(DVec3::ZERO, &among(&nothing()), 0.01);
    assert!(s.particles.markers == before.markers);
    assert_eq!(s.particles.correct(&s.mesh, &mut phi), 0);
    assert!(phi == s.phi);
}

/// If φ has lost or gained a third of a cell everywhere, the markers restore it, each sign against its own
/// loss.
#[test]
fn markers_bring_back_what_phi_lost_and_take_what_it_gained() {
    let s = ball(0.25);
    for shift in [1.0, -1.0] {
        let mut phi = s.phi.clone();
        phi.iter_mut().for_each(|p| *p += shift * DX / 3.0);
        let off = |phi: &Field<NodeId, f64>| {
            let near = phi.ids().filter(|&v| s.phi[v].abs() < 0.5 * DX);
            let all: Vec<f64> = near.map(|v| (phi[v] - s.phi[v]).abs() / DX).collect();
            all.iter().sum::<f64>() / all.len() as f64
        };
        let before = off(&phi);
        assert!(s.particles.correct(&s.mesh, &mut phi) > 1000);
        assert!(off(&phi) < 0.75 * before, "{shift}: {} of {before}", off(&phi));
        let mut constrained = phi.clone();
        s.mesh.constrain(&mut constrained);
        assert!(phi == constrained);
    }
}

#[test]
fn the_formula_at_the_corners_of_a_leaf() {
    // One marker of water in air: φ there is the distance to its ball.
    let x = DVec3::new(0.8125, 0.8125, 0.8125) + DVec3::new(0.004, -0.002, 0.001);
    let mesh = Mesh::new(Octree::build(&grid(), Grading::Unrestricted, |c| {
        (c.center - x).abs().max_element() < 0.51 * c.size + 0.1
    }));
    let lone = with(&LevelParticles::default(), &mesh, &[Marker::new(x, -1.0, 0.4 * DX)]);
    let m = lone.markers(&mesh.tree).next().unwrap();
    assert!(m.position().distance(x) < 0.002 * DX && (m.radius() - 0.4 * DX).abs() < 0.016 * DX);
    let mut phi = Field::filled(mesh.nodes.len(), 3.0 * DX);
    assert_eq!(lone.correct(&mesh, &mut phi), 1);
    let cell = mesh.tree.nearest_leaf(x);
    let touched: Vec<NodeId> = phi.ids().filter(|&v| phi[v] < 2.99 * DX).collect();
    let mut expected = mesh.nodes.of_cell(cell).to_vec();
    expected.sort();
    assert_eq!(touched, expected);
    for v in touched {
        let distance = mesh.position(v).distance(m.position()) - m.radius();
        assert!((phi[v] - distance).abs() < 1e-12);
    }
}

#[test]
fn radii_follow_the_surface() {
    let mut s = ball(0.25);
    let mut phi = s.phi.clone();
    phi.iter_mut().for_each(|p| *p += 0.3 * DX);
    s.particles.refresh(&s.mesh, &phi);
    for m in s.particles.markers(&s.mesh.tree) {
        let d = m.sign() * s.mesh.sample(&phi, m.position());
        assert!((m.radius() - d.clamp(0.1 * DX, 0.5 * DX)).abs() < 0.016 * DX);
    }
}

#[test]
fn cells_that_enter_the_band_are_filled_at_once_and_far_markers_go() {
    let mut s = ball(0.2);
    // The surface jumps by two cells.
    let phi = sampled(&s.mesh, |x| x.distance(CENTER) - 0.2 - 2.0 * DX);
    s.particles.step = 7; // not one in which all cells are filled
    s.renew(&phi, DVec3::ZERO, &nothing(), false);
    for cell in s.mesh.tree.cells().filter(|&c| s.mesh.tree.size(c) < 1.5 * DX) {
        let here = s.mesh.at_center(&phi, cell);
        let own = s.particles.of_cell(&s.mesh.tree, cell).filter(|m| m.sign() * here > 0.0).count();
        if here.abs() > 0.6 * DX && here.abs() < 2.0 * DX {
            assert!(own > 0, "{}", here / DX);
        }
    }
    let far = |m: &Marker| s.mesh.sample(&phi, m.position()).abs() > 4.1 * DX;
    assert!(!s.particles.markers(&s.mesh.tree).any(|m| far(&m)));
}

#[test]
fn cells_with_too_many_lose_the_deepest_but_none_that_escaped() {
    let mut s = ball(0.25);
    let escaped = Marker::new(CENTER + DVec3::new(0.25 + 1.3 * DX, 0.0, 0.0), -1.0, 0.5 * DX);
    let again: Vec<Marker> = s.particles.markers(&s.mesh.tree).chain(vec![escaped; 100]).collect();
    s.particles = with(&s.particles, &s.mesh, &again);
    let is_escaped = |m: &Marker| m.sign() < 0.0 && m.position().distance(escaped.position()) < 0.002 * DX;
    let n = s.particles.len();
    let phi = s.phi.clone();
    s.renew(&phi, DVec3::ZERO, &nothing(), false);
    assert!(s.particles.len() < n * 3 / 4);
    assert_eq!(s.particles.markers(&s.mesh.tree).filter(is_escaped).count(), 100);
}

#[test]
fn a_lone_drop_flies_falls_and_returns_with_its_momentum() {
    let solids = nothing();
    // A pool below y = 0.3 and one marker of water high above it.
    let mut s = surface(|x| x.y - 0.3, &params());
    let start = DVec3::new(0.5, 0.3 + 3.3 * DX, 0.5);
    s.particles = with(&s.particles, &s.mesh, &[Marker::new(start, -1.0, 0.2 * DX)]);
    let phi = s.phi.clone();
    assert!(s.renew(&phi, DVec3::new(0.1, 0.5, 0.0), &solids, true).is_empty());
    assert_eq!(s.particles.drops().len(), 1);
    assert!(s.particles.spray_volume() > 0.0);
    assert_eq!(s.particles.frame_particles().kinds, [Particles::SPRAY]);
    let (dt, mut landed, mut time) = (0.01, Vec::new(), 0.0);
    while landed.is_empty() && time < 1.0 {
        s.advance(DVec3::ZERO, &among(&solids), dt);
        time += dt;
        landed = s.renew(&phi, DVec3::ZERO, &solids, true);
    }
    // y₀ + ½ t − 5 t² = 0.3
    let expected = (0.5 + (0.25 + 20.0 * 3.3 * DX).sqrt()) / 10.0;
    assert!((time - expected).abs() < 1.01 * dt, "{time} {expected}");
    let d = landed[0].drop;
    assert!((d.v.y + (10.0 * time as f32 - 0.5)).abs() < 1e-4 && (d.v.x - 0.1).abs() < 1e-6);
    assert!(s.particles.drops().is_empty());
}

#[test]
fn nothing_passes_solids_or_walls_but_open_sides_let_go() {
    let wall = Shape::Box { min: DVec3::new(0.55, -1.0, -1.0), max: DVec3::new(0.7, 2.0, 2.0) };
    let solids = Solids::at(&[Solid::still(wall)], 0.0);
    let mut s = ball(0.2);
    s.particles.remove(&s.mesh.tree, |x| x.x >= 0.54);
    s.particles.launch(&Marker::new(DVec3::new(0.5, 0.5, 0.5), -1.0, 0.2 * DX), DVec3::new(5.0, 0.0, 0.0));
    let count =
        |s: &Ball, air: bool| s.particles.markers(&s.mesh.tree).filter(|m| (m.sign() > 0.0) == air).count();
    let (water, air) = (count(&s, false), count(&s, true));
    for _ in 0..20 {
        s.advance(DVec3::new(2.0, 0.3, 0.0), &among(&solids), 0.01);
    }
    assert_eq!((count(&s, false), s.particles.drops().len()), (water, 1));
    // Air markers that a solid pushes are removed; otherwise they would remain in the water that reaches the
    // solid.
    assert!(count(&s, true) < air / 3, "{} of {air}", count(&s, true));
    assert!(s.particles.markers(&s.mesh.tree).all(|m| m.position().x < 0.55));
    assert!(s.particles.drops().iter().all(|d| d.x.x < 0.55));
    let around =
        Surroundings { open: OpenSides::of(&[Heading { axis: 1, forward: true }]), ..among(&solids) };
    for _ in 0..60 {
        s.advance(DVec3::new(0.0, 2.0, 0.0), &around, 0.01);
    }
    assert_eq!(s.particles.n_markers(), 0);
}

#[test]
fn all_is_saved_to_the_bit_and_nothing_false_is_believed() {
    let mut s = ball(0.25);
    s.particles.launch(&Marker::new(DVec3::new(0.9, 0.5, 0.5), -1.0, 0.2 * DX), DVec3::new(1.0, 2.0, 3.0));
    s.particles.step = 41;
    let saved = |p: &LevelParticles| {
        let mut snapshot = Snapshot::default();
        p.save(&mut snapshot);
        snapshot
    };
    let loaded = LevelParticles::load(s.mesh.tree.n_cells(), &mut saved(&s.particles)).unwrap();
    assert!(loaded == s.particles);
    let mut fewer = s.particles.clone();
    fewer.markers.pop();
    let error = LevelParticles::load(s.mesh.tree.n_cells(), &mut saved(&fewer)).unwrap_err().to_string();
    assert!(error.contains("as there are"), "{error}");
    let mut short = Snapshot::default();
    short.put("particles.counters", Values::U32(&[1, 2]));
    assert!(LevelParticles::load(s.mesh.tree.n_cells(), &mut short).is_err());
}

#[test]
fn what_is_put_or_taken_away_takes_its_markers_along() {
    let mut s = ball(0.25);
    s.particles.launch(&Marker::new(DVec3::new(0.9, 0.5, 0.5), -1.0, 0.2 * DX), DVec3::ZERO);
    let spray = s.particles.spray_volume();
    let (n, left) = (s.particles.len(), |x: DVec3| x.x > 0.45);
    assert_eq!(s.particles.remove(&s.mesh.tree, left), spray);
    assert!(s.particles.len() < n && !s.particles.markers(&s.mesh.tree).any(|m| left(m.position())));
    let cells: usize = s.mesh.tree.cells().map(|c| s.particles.of_cell(&s.mesh.tree, c).count()).sum();
    assert_eq!(cells, s.particles.n_markers());
}

/// A flow of a quarter of the lattice spacing per step, through four leaves.
#[test]
fn slow_flows_carry_markers_from_leaf_to_leaf() {
    let mesh = Mesh::new(Octree::build(&grid(), Grading::Graded, |c| c.level < 4));
    let start: Vec<Marker> = (0..64)
        .map(|i| DVec3::new(6.0 + f64::from(i % 8) / 4.0, 9.3 + f64::from(i / 8) / 9.0, 12.6) * DX)
        .map(|x| Marker::new(x, -1.0, 0.3 * DX))
        .collect();
    let mean =
        |all: &LevelParticles| all.markers(&mesh.tree).map(|m| m.position().x).sum::<f64>() / 64.0 / DX;
    let none = Bins::from_counts(std::iter::repeat_n(0, mesh.tree.n_cells()));
    let mut all = with(&LevelParticles { bins: none, ..LevelParticles::default() }, &mesh, &start);
    let (from, steps, dt) = (mean(&all), 8000, 0.25 / 512.0 * DX);
    let solids = nothing();
    for _ in 0..steps {
        (all, _) =
            all.advanced(&mesh.tree, |_| [DVec3::X; 8], &mesh.tree, &among(&solids), dt, Seed::default());
    }
    let gone = (mean(&all) - from) / (f64::from(steps) * dt / DX);
    assert!((gone - 1.0).abs() < 0.02, "{gone} of the way");
}
