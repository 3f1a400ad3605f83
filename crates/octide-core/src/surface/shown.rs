//! The surface that frames show: it ends at solids, and encloses the volume of the water.
//!
//! φ is continued into solids, but there is no water. The mesh ends at the walls as they are, sunk in by a small part of a
//! cell so that no gap is seen at curved walls ([`extract_outside`]). The surface beside air is then moved by a distance s,
//!
//! ```text
//! s ← s + (V − V(s)) / A,      V the volume to show, V(s) that of the mesh of φ − s, A its area beside air,
//! ```
//!
//! until V(s) is V, but not by more than half a finest cell. The grid counts thin walls as thicker than they are
//! ([`crate::solids`]). V(s) is measured where the grid has water; the mesh that is shown reaches the walls as they are,
//! and the difference of both volumes is returned. In such walls φ is not moved where there is air behind water: the surface
//! is in the middle of the wall there, and would come out at the other side.
//!
//! Not promised: that the volume is right part by part, where several bodies of water move apart.

use super::extract::{Contour, extract_outside};
use crate::index::{CellId, Field};
use crate::octree::{Nodes, Octree};
use crate::par;
use crate::solids::Solids;

/// How far the mesh reaches into walls, in finest cells.
const SUNK_CELLS: f64 = 0.02;

/// A difference in volume below this fraction is not corrected.
const EXACT: f64 = 1e-3;

/// The farthest that the surface is moved, in finest cells.
const FARTHEST_CELLS: f64 = 0.5;

/// Most attempts to find s.
const MAX_MOVES: usize = 3;

/// The least change of the volume over the distance, relative to the area: a mesh may lose what it gains elsewhere.
const LEAST_GAIN: f64 = 0.25;

/// Within this many of its edges of the surface, a cell may change sides.
const NEAR_CELLS: f64 = 2.0;

/// The walls at which the surface ends.
pub struct ShownWalls {
    /// The distance of leaf centers to solids as they are, sunk in a little; `None` without solids.
    at_walls: Option<Field<CellId, f64>>,
    /// The same of solids as the grid has them; `None` if it thickens none.
    on_grid: Option<Field<CellId, f64>>,
    /// The cells in thin walls with air on one side and water on the other.
    is_between: Option<Field<CellId, bool>>,
}

impl ShownWalls {
    /// Returns the walls of solids on a tree on which φ is given at the leaf centers.
    pub fn new(tree: &Octree, phi: &Field<CellId, f64>, solids: &Solids) -> Self {
        let n = tree.n_cells();
        let sunk = SUNK_CELLS * tree.grid().dx();
        let at_walls = (!solids.is_empty())
            .then(|| par::map(n, |c: CellId| solids.shape_distance(tree.center(c)) + sunk));
        let on_grid =
            solids.thickens().then(|| par::map(n, |c: CellId| solids.distance(tree.center(c)) + sunk));
        let is_between = on_grid.as_ref().map(|distance| {
            par::map(n, |c: CellId| {
                let (x, h) = (tree.center(c), tree.size(c));
                if distance[c] > 0.0 || phi[c].abs() > NEAR_CELLS * h {
                    return false;
                }
                let bound = solids.side_around(x, h).1;
                bound.is_some_and(|b| (phi[tree.nearest_leaf(b.beyond)] < 0.0) != (phi[c] < 0.0))
            })
        });
        Self { at_walls, on_grid, is_between }
    }

    /// Returns whether φ may be moved at a cell.
    pub fn lets_move(&self, cell: CellId) -> bool {
        self.is_between.as_ref().is_none_or(|is_between| !is_between[cell])
    }
}

/// A surface that ends at solids.
#[derive(Clone, Debug, Default)]
pub struct ShownSurface {
    /// The surface.
    pub contour: Contour,
    /// Its volume in the parts of walls by which the grid makes them thicker than they are, in m³.
    pub in_walls: f64,
}

/// Returns the surface of φ at the cells of a graded tree, with the given volume in m³ outside solids.
pub fn shown_surface(
    tree: &Octree,
    nodes: &Nodes,
    phi: &Field<CellId, f64>,
    walls: &ShownWalls,
    volume: f64,
) -> ShownSurface {
    let dx = tree.grid().dx();
    let ShownWalls { at_walls, on_grid, .. } = walls;
    let measured = on_grid.as_ref().or(at_walls.as_ref());
    let moved_by = |s: f64| par::map(tree.n_cells(), |c| phi[c] - if walls.lets_move(c) { s } else { 0.0 });
    let mut contour = extract_outside(tree, nodes, phi, measured);
    let mut found = contour.volume();
    let (mut s, mut gain) = (0.0, contour.free_area());
    for _ in 0..MAX_MOVES {
        let missing = volume - found;
        if missing.abs() <= EXACT * volume || gain <= 0.0 {
            break;
        }
        let next = (s + missing / gain).clamp(-FARTHEST_CELLS * dx, FARTHEST_CELLS * dx);
        let trial = extract_outside(tree, nodes, &moved_by(next), measured);
        let there = trial.volume();
        if next == s || (volume - there).abs() >= missing.abs() {
            break;
        }
        gain = ((there - found) / (next - s)).max(LEAST_GAIN * trial.free_area());
        (contour, found, s) = (trial, there, next);
    }
    if on_grid.is_none() {
        return ShownSurface { contour, in_walls: 0.0 };
    }
    let contour = extract_outside(tree, nodes, &moved_by(s), at_walls.as_ref());
    let in_walls = contour.volume() - found;
    ShownSurface { contour, in_walls }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Shape;
    use crate::octree::{Grading, RootGrid};
    use crate::scene::Solid;
    use glam::{DVec3, IVec3};
    use std::f64::consts::PI;

    /// A glass with water of the height `level`, on `n` cells across.
    fn glass(n: u32, thickness: f64, level: f64) -> (Octree, Nodes, Solids, f64) {
        const RADIUS: f64 = 0.3;
        let dx = 1.0 / f64::from(n);
        let grid = RootGrid::new(DVec3::ZERO, dx, 0, IVec3::ZERO, IVec3::splat(n as i32), |_| true);
        let tree = Octree::build(&grid, Grading::Graded, |_| false);
        let nodes = Nodes::new(&tree);
        let cylinder = |low: f64, high: f64, radius: f64| Shape::Cylinder {
            from: DVec3::new(0.51, low, 0.49),
            to: DVec3::new(0.51, high, 0.49),
            radius,
        };
        let shape = Shape::Difference {
            of: Box::new(cylinder(0.21 - thickness, 0.8, RADIUS + thickness)),
            minus: vec![cylinder(0.21, 0.9, RADIUS)],
        };
        let solids = Solids::on_grid(&[Solid::still(shape)], 0.0, dx);
        (tree, nodes, solids, PI * RADIUS * RADIUS * (level - 0.21))
    }

    fn surface(
        tree: &Octree,
        nodes: &Nodes,
        phi: &Field<CellId, f64>,
        solids: &Solids,
        volume: f64,
    ) -> ShownSurface {
        shown_surface(tree, nodes, phi, &ShownWalls::new(tree, phi, solids), volume)
    }

    fn still_water(tree: &Octree, level: f64) -> Field<CellId, f64> {
        par::map(tree.n_cells(), |c| tree.center(c).y - level)
    }

    #[test]
    fn water_in_a_glass_ends_at_its_walls_up_to_the_waterline() {
        for n in [16, 24, 40] {
            let (tree, nodes, solids, volume) = glass(n, 0.15, 0.53);
            let dx = 1.0 / f64::from(n);
            let phi = still_water(&tree, 0.53);
            let inside = par::map(tree.n_cells(), |c: CellId| {
                let x = tree.center(c);
                if (x.x - 0.51).hypot(x.z - 0.49) < 0.38 && x.y > 0.1 { phi[c] } else { 1.0 }
            });
            let shown = surface(&tree, &nodes, &inside, &solids, volume);
            let off = (shown.contour.volume() - shown.in_walls) / volume - 1.0;
            assert!(off.abs() < 0.003, "{n}: {off}");
            assert!(shown.in_walls.abs() < 1e-3 * volume, "{n}: {}", shown.in_walls);
            // No vertex is in the air beside the wall, and none is deep in it.
            for (x, at) in shown.contour.positions.iter().zip(&shown.contour.beside).filter(|(_, at)| at.wall)
            {
                let d = solids.shape_distance(*x);
                assert!(d.abs() < 0.15 * dx, "{n}: {} of a cell from the wall at {x}, {at:?}", d / dx);
            }
            // Without the waterline being sharp, the surface beside air would bend down.
            for (x, at) in shown.contour.positions.iter().zip(&shown.contour.beside).filter(|(_, at)| at.air)
            {
                assert!((x.y - 0.53).abs() < 0.15 * dx, "{n}: {at:?} {x}");
            }
        }
    }

    #[test]
    fn a_surface_has_the_volume_that_is_to_be_shown() {
        let (tree, nodes, solids, volume) = glass(24, 0.15, 0.5);
        let phi = still_water(&tree, 0.5);
        let inside = par::map(tree.n_cells(), |c: CellId| {
            let x = tree.center(c);
            if (x.x - 0.51).hypot(x.z - 0.49) < 0.38 && x.y > 0.1 { phi[c] } else { 1.0 }
        });
        for part in [0.95, 1.0, 1.05] {
            let shown = surface(&tree, &nodes, &inside, &solids, part * volume);
            assert!((shown.contour.volume() / (part * volume) - 1.0).abs() < 0.002, "{part}");
        }
        // No more than half a cell, whatever is wanted.
        let shown = surface(&tree, &nodes, &inside, &solids, 2.0 * volume);
        let highest = shown.contour.positions.iter().map(|x| x.y).fold(0.0, f64::max);
        assert!(highest < 0.5 + 0.6 / 24.0, "{highest}");
    }

    #[test]
    fn water_reaches_thin_walls_though_the_grid_makes_them_thicker() {
        let (tree, nodes, solids, volume) = glass(24, 0.02, 0.5);
        // In thin walls the surface is in the middle.
        let inside = par::map(tree.n_cells(), |c: CellId| {
            let x = tree.center(c);
            (x.y - 0.5).max((x.x - 0.51).hypot(x.z - 0.49) - 0.31).max(0.2 - x.y)
        });
        let gap = 0.5 * (Solids::holding_thickness(1.0 / 24.0) - 0.02);
        let on_grid = PI * (0.3 - gap).powi(2) * (0.29 - gap);
        for (part, farthest) in [(1.0, 0.25), (1.06, 0.6)] {
            let shown = surface(&tree, &nodes, &inside, &solids, part * on_grid);
            let off = (shown.contour.volume() - shown.in_walls) / (part * on_grid) - 1.0;
            assert!(off.abs() < 0.01, "{part}: {off}");
            assert!(shown.in_walls > 0.5 * (volume - on_grid), "{} {}", shown.in_walls, volume - on_grid);
            // At the edge of floor and wall more comes out at the other side if there is to be more water.
            for x in &shown.contour.positions {
                let r = (x.x - 0.51).hypot(x.z - 0.49);
                let out = (r - 0.32).max(0.19 - x.y) * 24.0;
                assert!(out < farthest, "{part}: {out} cells at {x}");
            }
        }
    }
}
