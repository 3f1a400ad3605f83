use super::*;
use crate::geometry::{Motion, Shape};
use crate::octree::{Grading, MergedFaces, Nodes, Octree, SplitFaces};
use crate::scene::{Domain, Solid};
use std::f64::consts::PI;

/// A tree with a table of faces and one of corners.
struct Grid<F> {
    tree: Octree,
    faces: F,
    nodes: Nodes,
}

impl<F: FaceTable> Grid<F> {
    fn new(tree: Octree, faces: F) -> Self {
        let nodes = Nodes::new(&tree);
        Self { tree, faces, nodes }
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

/// A unit cube of `n` cells a side, half of them in blocks of smaller ones.
fn tree(n: u32, grading: Grading) -> Octree {
    let domain = Domain { origin: DVec3::ZERO, size: DVec3::ONE, resolution: 2 * n, levels: 1 };
    Octree::build(&domain.root_grid(), grading, |c| {
        c.center.cmpgt(DVec3::splat(0.5)).bitmask().count_ones().is_multiple_of(2)
    })
}

fn merged(n: u32) -> Grid<MergedFaces> {
    let tree = tree(n, Grading::Graded);
    let faces = MergedFaces::new(&tree);
    Grid::new(tree, faces)
}

fn split(n: u32) -> Grid<SplitFaces> {
    let tree = tree(n, Grading::Unrestricted);
    let faces = SplitFaces::new(&tree);
    Grid::new(tree, faces)
}

const MIDDLE: DVec3 = DVec3::new(0.512, 0.487, 0.531);

fn ball() -> Shape {
    Shape::Sphere { center: MIDDLE, radius: 0.21 }
}

fn brick() -> Shape {
    let half = DVec3::new(0.31, 0.17, 0.23);
    Shape::Box { min: MIDDLE - half, max: MIDDLE + half }
}

fn swinging() -> Motion {
    Motion::Oscillation { amplitude: DVec3::new(0.05, 0.03, -0.04), period: 1.0 }
}

fn turning() -> Motion {
    Motion::Orbit { center: MIDDLE, axis: DVec3::new(0.3, 0.5, 0.8), period: 1.0, turning: true }
}

fn solid(shape: Shape, motion: Motion) -> Vec<Solid> {
    vec![Solid { motion, ..Solid::still(shape) }]
}

/// Bodies, with the volume that they displace.
fn bodies() -> [(Vec<Solid>, f64); 3] {
    let volume = 8.0 * 0.31 * 0.17 * 0.23;
    [
        (solid(ball(), swinging()), 4.0 / 3.0 * PI * 0.21f64.powi(3)),
        (solid(brick(), swinging()), volume),
        (solid(brick(), turning()), volume),
    ]
}

fn max(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |most, v| most.max(v.abs()))
}

/// Checks that the open areas of cells are those of the apertures.
fn agrees<F: FaceTable>(grid: &Grid<F>, solids: &Solids) {
    let apertures = Apertures::new(grid, solids, crate::scene::OpenSides { sides: [true; 6] });
    let wet = WetCells::new(grid, solids);
    let mut open = Field::filled(grid.tree.n_cells(), [0.0; 6]);
    for k in (0..grid.n_faces() as u32).map(FaceId) {
        let (size, mut i) = (grid.face_size(k), 0);
        grid.faces.for_cells_beside(&grid.tree, k, |c, is_high| {
            let is_small = grid.tree.size(c) < size;
            let share = match apertures.small(k) {
                Some(small) if is_small => small.open(i),
                _ => apertures.open(k),
            };
            i += usize::from(is_small);
            let direction = 2 * grid.axis(k) + usize::from(!is_high);
            open[c][direction] += share * grid.tree.size(c).min(size).powi(2);
        });
    }
    for c in grid.tree.cells() {
        let (found, area) = (wet.of(c).open, grid.tree.size(c).powi(2));
        let off = max((0..6).map(|d| (found[d] - open[c][d]) / area));
        assert!(off < 1e-6, "cell {c:?}: {found:?}, {:?}", open[c]);
    }
}

#[test]
fn open_areas_are_those_of_the_apertures_of_large_and_small_faces() {
    for (solids, _) in bodies() {
        let solids = Solids::at(&solids, 0.13);
        agrees(&merged(8), &solids);
        agrees(&split(8), &solids);
    }
}

/// Returns the cut surface's vector area, by triangles, where its lines are closed.
fn cut_by_triangles(wet: &WetCells<'_, Grid<MergedFaces>>, cell: CellId) -> Option<DVec3> {
    let (_, lines) = wet.sides(cell);
    closed(&lines).map(|_| lines.iter().map(|[a, b]| 0.5 * b.cross(*a)).sum())
}

#[test]
fn the_surface_of_a_wet_part_is_closed() {
    let grid = merged(8);
    for (solids, _) in bodies() {
        let wet = WetCells::new(&grid, &Solids::at(&solids, 0.13));
        let (mut n_cut, mut n_closed) = (0, 0);
        for c in grid.tree.cells() {
            let WetCell { volume, open, cut } = wet.of(c);
            let h = grid.tree.size(c);
            assert!((0.0..=h.powi(3)).contains(&volume));
            // A constant velocity has no net flow: through open parts and through the cut.
            let u = DVec3::new(0.7, -1.3, 0.4);
            let out: f64 = (0..3).map(|a| u[a] * (open[2 * a + 1] - open[2 * a])).sum();
            assert!((out + u.dot(cut)).abs() < 1e-14 * h * h);
            if cut != DVec3::ZERO {
                n_cut += 1;
                if let Some(by_triangles) = cut_by_triangles(&wet, c) {
                    n_closed += 1;
                    assert!((by_triangles * h * h - cut).length() < 1e-9 * h * h, "{c:?}");
                }
            }
        }
        assert!(n_cut > 100 && n_closed > n_cut * 4 / 5, "{n_closed} of {n_cut}");
    }
}

#[test]
fn wet_volumes_add_up_to_what_bodies_leave_free() {
    for (solids, volume) in bodies() {
        let off = |n: u32| {
            let grid = merged(n);
            let wet = WetCells::new(&grid, &Solids::at(&solids, 0.13)).volumes();
            (1.0 - volume - wet.iter().sum::<f64>()).abs() / volume
        };
        let (coarse, fine) = (off(8), off(16));
        assert!(coarse < 0.15 && fine < 0.4 * coarse, "{coarse:e}, {fine:e}");
    }
}

#[test]
fn a_flat_solid_leaves_the_volume_behind_a_plane() {
    let grid = merged(4);
    let normal = DVec3::new(0.4, -0.7, 0.6).normalize();
    let solids = Solids::at(&[Solid::still(Shape::Plane { point: MIDDLE, normal })], 0.0);
    let wet = WetCells::new(&grid, &solids);
    let mut n_cut = 0;
    for c in grid.tree.cells() {
        let (x, h) = (grid.tree.center(c), grid.tree.size(c));
        let exact = 1.0 - crate::volume::fraction_behind_plane(normal * h, normal.dot(x - MIDDLE));
        let found = wet.of(c).volume / h.powi(3);
        assert!((found - exact).abs() < 1e-12, "{found}, {exact}");
        n_cut += usize::from(exact > 0.0 && exact < 1.0);
    }
    assert!(n_cut > 20);
}

#[test]
fn a_wall_and_a_gap_inside_a_cell_have_their_volume() {
    let grid = merged(4);
    let thin =
        |min: f64, max: f64| Shape::Box { min: DVec3::new(min, -1.0, -1.0), max: DVec3::new(max, 2.0, 2.0) };
    // A wall of 0.4 cells in the middle of a cell is thinner than corners can see: the cell is free.
    let wall = Solids::at(&[Solid::still(thin(0.3, 0.4))], 0.0);
    let c = grid.tree.locate(DVec3::new(0.35, 0.7, 0.3)).unwrap();
    assert!(WetCells::new(&grid, &wall).of(c).volume > 0.0);
    // Two opposite corners in a solid are two cuts, with what is left between them.
    let corner = |at: DVec3| Solid::still(Shape::Sphere { center: at, radius: 0.1 });
    let h = grid.tree.size(c);
    let low = grid.tree.center(c) - 0.5 * h;
    let both = Solids::at(&[corner(low), corner(low + h)], 0.0);
    let [one, other] =
        [low, low + h].map(|x| h.powi(3) - WetCells::new(&grid, &Solids::at(&[corner(x)], 0.0)).of(c).volume);
    let left = WetCells::new(&grid, &both).of(c).volume;
    assert!(one > 0.0 && (left - (h.powi(3) - one - other)).abs() < 1e-12, "{left}, {one}, {other}");
}

/// Returns the mean over cells of what the change of wet volumes differs from what closed parts of faces carry,
/// as a fraction of what they carry. The flow is integrated by Simpson's rule.
fn disagreement(grid: &Grid<MergedFaces>, solids: &[Solid], dt: f64) -> f64 {
    let at = |t: f64| Solids::at(solids, t);
    let volumes = [0.13, 0.13 + dt].map(|t| WetCells::new(grid, &at(t)).volumes());
    let swept = swept_flow(&volumes[0], &volumes[1], dt);
    let flows = [0.0, 0.5, 1.0].map(|s| {
        let open = crate::scene::OpenSides { sides: [true; 6] };
        solid_outflow(grid, &Apertures::new(grid, &at(0.13 + s * dt), open))
    });
    let (mut off, mut all) = (0.0, 0.0);
    for c in grid.tree.cells() {
        let flow = (flows[0][c] + 4.0 * flows[1][c] + flows[2][c]) / 6.0;
        off += (swept[c] - flow).abs();
        all += flow.abs();
    }
    off / all
}

#[test]
fn wet_volume_changes_by_what_bodies_sweep() {
    for (solids, _) in bodies() {
        // Steps in which bodies move a tenth of a cell.
        let [coarse, fine] = [8, 16].map(|n| disagreement(&merged(n), &solids, 0.1 / f64::from(n)));
        assert!(coarse < 0.4 && fine < 0.7 * coarse, "{coarse:e}, {fine:e}");
    }
}

#[test]
fn what_a_plane_sweeps_is_exact() {
    let grid = merged(4);
    let normal = DVec3::new(0.4, -0.7, 0.6).normalize();
    let plane = solid(Shape::Plane { point: MIDDLE, normal }, swinging());
    let off = disagreement(&grid, &plane, 1e-4);
    assert!(off < 1e-6, "{off:e}");
}

#[test]
fn bodies_inside_the_domain_sweep_as_much_in_as_out() {
    let grid = merged(16);
    for (solids, volume) in bodies() {
        let volumes = [0.13, 0.14].map(|t| WetCells::new(&grid, &Solids::at(&solids, t)).volumes());
        let swept = swept_flow(&volumes[0], &volumes[1], 0.01);
        let (net, all) = swept.iter().fold((0.0, 0.0), |(net, all), s| (net + s, all + f64::abs(*s)));
        // Edges are rounded off differently wherever they are.
        assert!(net.abs() < 0.1 * all, "{net:e} of {all:e}");
        let change: f64 = volumes[1].iter().sum::<f64>() - volumes[0].iter().sum::<f64>();
        assert!((0.01 * net - change).abs() < 1e-12 * volume);
    }
}

#[test]
fn bodies_carry_nothing_out_of_cells_that_they_fill() {
    let grid = merged(16);
    let solids = Solids::at(&solid(brick(), turning()), 0.13);
    let apertures = Apertures::within_walls(&grid, &solids);
    let (wet, out) = (WetCells::new(&grid, &solids), solid_outflow(&grid, &apertures));
    let filled: Vec<CellId> = grid.tree.cells().filter(|&c| wet.of(c).open == [0.0; 6]).collect();
    assert!(filled.len() > 100 && filled.iter().any(|&c| grid.tree.size(c) < 0.05));
    for c in filled {
        let h = grid.tree.size(c);
        // At a T-junction the small cells have velocities of their own.
        assert!(out[c].abs() < 1e-12 * h * h, "{c:?}: {:e}", out[c] / (h * h));
    }
}
