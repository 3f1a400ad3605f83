use super::*;
use crate::faces::FaceCorners;
use crate::geometry::{Motion, Shape};
use crate::octree::{Grading, MergedFaces, Nodes, Octree, SplitFaces};
use crate::scene::{Domain, Solid};
use crate::solids::Solids;

/// The number of cells along each edge.
const N: u32 = 16;
const H: f64 = 1.0 / 16.0;
const DT: f64 = 0.01;

/// A unit cube of equal cells.
struct Grid<F> {
    tree: Octree,
    faces: F,
    nodes: Nodes,
}

impl<F: FaceTable> Grid<F> {
    fn new(faces: impl Fn(&Octree) -> F) -> Self {
        let domain = Domain { origin: DVec3::ZERO, size: DVec3::ONE, resolution: N, levels: 1 };
        let tree = Octree::build(&domain.root_grid(), Grading::Graded, |_| true);
        Self { faces: faces(&tree), nodes: Nodes::new(&tree), tree }
    }

    fn face_at(&self, x: DVec3) -> FaceId {
        let all = (0..self.n_faces() as u32).map(FaceId);
        all.min_by(|&a, &b| {
            let d = |k| self.face_position(k).distance(x);
            d(a).total_cmp(&d(b))
        })
        .unwrap()
    }
}

impl<F: FaceTable> FaceGeometry for Grid<F> {
    type Faces = F;

    fn tree(&self) -> &Octree {
        &self.tree
    }

    fn faces(&self) -> &F {
        &self.faces
    }
}

impl<F: FaceTable> FaceCorners for Grid<F> {
    fn nodes(&self) -> &Nodes {
        &self.nodes
    }
}

fn viscous(viscosity: f64) -> Friction {
    Friction { viscosity, drag: 0.0 }
}

fn rough(slip: f64) -> Friction {
    Friction::of(&Physics { slip, film_viscosity: 0.0, ..Physics::default() })
}

/// Returns the velocity after friction has acted on one that is `velocity` everywhere, and what is left of a pressure
/// gradient on each face; φ is given everywhere.
fn slowed<F: FaceTable>(
    grid: &Grid<F>,
    friction: Friction,
    solids: &[Solid],
    phi: impl Fn(DVec3) -> f64 + Sync,
    velocity: DVec3,
) -> (Field<FaceId, f64>, Field<FaceId, f64>) {
    let solids = Solids::at(solids, 0.0);
    let mut apertures = Apertures::within_walls(grid, &solids);
    let mut u = par::map(grid.n_faces(), |k: FaceId| velocity[grid.axis(k)]);
    let walled = Walled { mesh: grid, apertures: &apertures, solids: &solids };
    let phi = |c: CellId| phi(grid.tree.center(c));
    let detached = Detached::default();
    let shore = Shore { walled, detached: &detached, open: OpenSides::default(), phi, u: &u };
    let found = friction.find(&shore, DT);
    found.slow(&mut u);
    found.set(&mut apertures);
    (u, par::map(grid.n_faces(), |k: FaceId| apertures.yields(k)))
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * b.abs().max(1e-300)
}

fn check_film(grid: &Grid<impl FaceTable>) {
    // A film of 1.7 cells: in both of its rows the friction of its whole thickness acts on faces along the floor.
    let (nu, d) = (0.1, 1.7 * H);
    let (u, b) = slowed(grid, viscous(nu), &[], |x| x.y - d, DVec3::new(2.0, -0.5, 0.0));
    let x = 3.0 * nu * DT / (d * d);
    for row in [0.5, 1.5] {
        let k = grid.face_at(H * DVec3::new(8.0, row, 8.5));
        assert!(close(b[k], (1.0 - (-x).exp()) / x, 1e-6), "{row}: {}", b[k]);
        assert!(close(u[k], 2.0 * (-x).exp(), 1e-6), "{row}: {}", u[k]);
    }
    let normal = grid.face_at(H * DVec3::new(8.5, 1.0, 8.5));
    assert_eq!((u[normal], b[normal]), (-0.5, 1.0), "water falls freely");
    // Deep water is no film, not even where its surface meets a wall.
    let (_, b) = slowed(grid, viscous(nu), &[], |x| x.y - 8.2 * H, DVec3::X);
    assert!(b.iter().all(|&b| b == 1.0));
    // A gentle slope of the surface ends it in the same row of cells, but it does not face the wall.
    let (_, b) = slowed(grid, viscous(nu), &[], |x| x.y - (8.6 - 0.05 * x.x / H) * H, DVec3::Y);
    assert!(b.iter().all(|&b| b == 1.0));
    // A drop above the floor is none.
    let drop = |x: DVec3| x.distance(H * DVec3::new(8.5, 2.1, 8.5)) - 1.2 * H;
    let (_, b) = slowed(grid, viscous(nu), &[], drop, DVec3::X);
    assert!(b.iter().all(|&b| b == 1.0));
}

#[test]
fn a_film_has_the_friction_of_its_thickness() {
    check_film(&Grid::new(MergedFaces::new));
    check_film(&Grid::new(SplitFaces::new));
}

/// A plane through the middle of the cube, inclined in the plane of x and y.
fn slope(angle: f64) -> (Shape, DVec3) {
    let normal = DVec3::new(-angle.sin(), angle.cos(), 0.0);
    (Shape::Plane { point: DVec3::splat(0.5), normal }, normal)
}

fn check_slope(grid: &Grid<impl FaceTable>, degrees: f64) {
    let (nu, d) = (0.1, 2.2 * H);
    let (plane, normal) = slope(degrees.to_radians());
    let phi = |x: DVec3| (x - 0.5).dot(normal) - d;
    let along = DVec3::new(normal.y, -normal.x, 0.0);
    let solids = [Solid::still(plane)];
    let x = 3.0 * nu * DT / (d * d);
    let in_film = |k: FaceId| {
        let x = grid.face_position(k);
        let height = (x - 0.5).dot(normal);
        (x - 0.5).length() < 0.3 && height > 0.8 * H && height < d - 0.8 * H && grid.axis(k) != 2
    };
    let faces: Vec<FaceId> = (0..grid.n_faces() as u32).map(FaceId).filter(|&k| in_film(k)).collect();
    assert!(faces.len() > 40, "{}", faces.len());
    let (sliding, _) = slowed(grid, viscous(nu), &solids, phi, along);
    let (falling, _) = slowed(grid, viscous(nu), &solids, phi, -normal);
    for k in faces {
        let kept = |u: f64, of: DVec3| -(u / of[grid.axis(k)]).ln() / x;
        let (slides, falls) = (kept(sliding[k], along), kept(falling[k], -normal));
        assert!(close(slides, 1.0, 0.02), "{degrees}: {slides} of the friction");
        assert!(falls < 0.02, "{degrees}: water falls freely: {falls}");
    }
}

#[test]
fn an_oblique_film_has_the_same_friction_on_all_faces_and_falls_freely() {
    let grid = Grid::new(SplitFaces::new);
    for degrees in [15.0, 30.0, 45.0, 70.0] {
        check_slope(&grid, degrees);
    }
    check_slope(&Grid::new(MergedFaces::new), 45.0);
}

#[test]
fn a_mirrored_scene_has_the_same_friction() {
    let grid = Grid::new(MergedFaces::new);
    let mirror = |x: DVec3| DVec3::new(1.0 - x.x, x.y, x.z);
    let run = |mirrored: bool| {
        let side = |x: DVec3| if mirrored { mirror(x) } else { x };
        let (_, normal) = slope(0.5);
        let normal = if mirrored { DVec3::new(-normal.x, normal.y, 0.0) } else { normal };
        let plane = Shape::Plane { point: side(DVec3::new(0.4, 0.5, 0.5)), normal };
        let phi = move |x: DVec3| (side(x) - DVec3::new(0.3, 0.62, 0.4)).length() - 0.21;
        let velocity = DVec3::new(if mirrored { 0.4 } else { -0.4 }, -0.2, 0.1);
        slowed(&grid, Friction { viscosity: 0.2, drag: 0.7 }, &[Solid::still(plane)], phi, velocity).1
    };
    let (a, b) = (run(false), run(true));
    let mut n_slowed = 0;
    for k in (0..grid.n_faces() as u32).map(FaceId) {
        let twin = grid.face_at(mirror(grid.face_position(k)));
        n_slowed += usize::from(a[k] < 1.0);
        assert!((a[k] - b[twin]).abs() < 1e-6, "{k:?}");
    }
    assert!(n_slowed > 50, "{n_slowed}");
}

#[test]
fn a_rough_wall_slows_by_the_way_that_water_slides() {
    let grid = Grid::new(SplitFaces::new);
    let (u, b) = slowed(&grid, rough(0.3), &[], |x| x.y - 8.2 * H, DVec3::new(1.5, 0.0, 2.0));
    let kept = 1.0 / (1.0 - 0.3f64.ln() * 2.5 * DT / H);
    let expected = (1.0 - kept) / -kept.ln();
    let (first, second) =
        (grid.face_at(H * DVec3::new(8.0, 0.5, 8.5)), grid.face_at(H * DVec3::new(8.0, 1.5, 8.5)));
    assert!(close(b[first], expected, 1e-6) && close(u[first], 1.5 * kept, 1e-6));
    assert_eq!(b[second], 1.0, "it does not touch the wall");
    // Nothing slows water that slides freely.
    let (_, b) = slowed(&grid, rough(1.0), &[], |x| x.y - 8.2 * H, DVec3::X);
    assert!(b.iter().all(|&b| b == 1.0));
    assert!(!rough(1.0).acts());
}

#[test]
fn water_that_sticks_has_the_velocity_of_the_wall() {
    let grid = Grid::new(MergedFaces::new);
    let velocity = DVec3::new(0.7, 0.0, -0.3);
    let at = |time: f64| crate::geometry::Keyframe {
        time,
        pose: crate::geometry::Pose { position: time * velocity, ..crate::geometry::Pose::IDENTITY },
    };
    let motion = Motion::Keyframes([-2.0, -1.0, 0.0, 1.0, 2.0].map(at).to_vec());
    let floor = Shape::Box { min: DVec3::splat(-9.0), max: DVec3::new(9.0, 4.0 * H, 9.0) };
    let (u, b) = slowed(
        &grid,
        rough(0.0),
        &[Solid::moving(floor, motion)],
        |x| x.y - 9.0 * H,
        DVec3::new(-1.0, 0.0, 1.0),
    );
    for (axis, x) in [(0, DVec3::new(8.0, 4.5, 8.5)), (2, DVec3::new(8.5, 4.5, 8.0))] {
        let k = grid.face_at(H * x);
        assert!(b[k] < 1.01 / MOST && (u[k] - velocity[axis]).abs() < 1e-9, "{} {}", u[k], b[k]);
    }
}

#[test]
fn friction_speeds_no_face_up() {
    let grid = Grid::new(MergedFaces::new);
    let (plane, _) = slope(0.6);
    let velocity = DVec3::new(0.9, -0.7, 0.2);
    let phi = |x: DVec3| x.distance(DVec3::splat(0.5)) - 0.3;
    let friction = Friction { viscosity: 0.3, drag: 2.0 };
    let (u, b) = slowed(&grid, friction, &[Solid::still(plane)], phi, velocity);
    let mut n_slowed = 0;
    for k in (0..grid.n_faces() as u32).map(FaceId) {
        let kept = u[k] / velocity[grid.axis(k)];
        n_slowed += usize::from(kept < 0.99);
        // e^(−x) ≤ m ≤ 1: a step adds no energy.
        assert!((0.0..=1.0).contains(&kept) && b[k] >= kept - 1e-6 && b[k] <= 1.0, "{k:?}: {kept} {}", b[k]);
    }
    assert!(n_slowed > 50, "{n_slowed}");
}
