//! Detachment of water from ceilings.
//!
//! A closed wall holds water that touches it by suction. Below walls that gravity points away from, where the
//! pressure has become negative, half a finest cell is cleared of liquid, φ ≥ Δx/2 − distance to the wall, so
//! that there is air and the water can fall. This is not done in scenes that begin with water at a ceiling,
//! unless water can leave the domain: a full tank drains only if air takes its place. A ceiling that is an
//! open side holds water only where it is closed because water would enter.
//!
//! φ may be sampled at points of any kind.

use crate::flows::refined_where;
use crate::index::{Field, Id};
use crate::octree::{Grading, Octree, RootGrid};
use crate::par;
use glam::DVec3;

/// Water that starts nearer to a ceiling than this many finest cells may stay there.
const NEAR: f64 = 2.0;

/// Returns the walls that gravity points away from, as (axis, position, outward sign).
fn ceilings(grid: &RootGrid, gravity: DVec3) -> impl Iterator<Item = (usize, f64, f64)> {
    let up = -gravity.normalize_or_zero();
    let (low, high) = (grid.low(), grid.high());
    (0..3)
        .filter(move |&a| up[a].abs() > 0.5)
        .map(move |a| if up[a] > 0.0 { (a, high[a], 1.0) } else { (a, low[a], -1.0) })
}

/// Returns whether no liquid is near a ceiling.
pub fn is_clear<I: Id>(
    grid: &RootGrid,
    phi: &Field<I, f64>,
    position: impl Fn(I) -> DVec3,
    gravity: DVec3,
) -> bool {
    ceilings(grid, gravity).all(|(axis, wall, out)| {
        phi.ids().all(|i| {
            let room = (wall - position(i)[axis]) * out;
            phi[i] + room > NEAR * grid.dx()
        })
    })
}

/// A side of the domain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ceiling {
    /// The axis that it is normal to.
    pub axis: usize,
    /// Whether it is the side with the largest coordinate.
    pub is_high: bool,
}

/// Returns the suction, a pressure divided by density in m²/s², from which on a ceiling is said to hold water
/// that started there, in cells of edge `dx`: less than half a cell of water may be rounding.
pub fn least_suction(gravity: DVec3, dx: f64) -> f64 {
    0.5 * gravity.length() * dx
}

/// Detaches water from ceilings: sets a layer of air in φ where a ceiling `holds` the water at a point by
/// suction.
pub fn detach_from_ceiling<I: Id>(
    grid: &RootGrid,
    mut phi: Field<I, f64>,
    position: impl Fn(I) -> DVec3 + Sync + Send,
    gravity: DVec3,
    holds: impl Fn(DVec3, Ceiling) -> bool + Sync + Send,
) -> Field<I, f64> {
    for (axis, wall, out) in ceilings(grid, gravity) {
        let ceiling = Ceiling { axis, is_high: out > 0.0 };
        par::update(&mut phi, |i, phi| {
            let x = position(I::from_index(i));
            let clear = 0.5 * grid.dx() - (wall - x[axis]) * out;
            if *phi < clear && holds(x, ceiling) {
                *phi = clear;
            }
        });
    }
    phi
}

/// Refines a tree to the finest level below ceilings where they hold water: coarse cells could not show the
/// layer of air.
pub fn refined(
    tree: Octree,
    grading: Grading,
    gravity: DVec3,
    holds: impl Fn(DVec3, Ceiling) -> bool + Sync + Send,
) -> Octree {
    let grid = tree.grid().clone();
    let sides: Vec<(usize, f64, f64)> = ceilings(&grid, gravity).collect();
    refined_where(tree, grading, |x, h| {
        sides.iter().any(|&(axis, wall, out)| {
            (wall - x[axis]) * out < h && holds(x, Ceiling { axis, is_high: out > 0.0 })
        })
    })
}
