//! The initial state that a scene describes.

use super::{Liquid, Scene, Span};
use crate::octree::RootGrid;
use glam::DVec3;

/// Number of levels above the finest at which the search for the surface starts.
pub const FIRST_LOOK: u8 = 2;

/// Returns the level at which the search for a liquid starts, which is fine enough to find it however small
/// or flat it is.
pub fn first_look(grid: &RootGrid, liquid: &Liquid) -> u8 {
    let usual = grid.max_level().saturating_sub(FIRST_LOOK);
    let extent = liquid
        .shape
        .bounds()
        .map_or(f64::INFINITY, |(low, high)| (high.min(grid.high()) - low.max(grid.low())).min_element());
    (usual..grid.max_level()).find(|&level| grid.cell_size(level) < 0.2 * extent).unwrap_or(grid.max_level())
}

/// Returns the scene with the inflows that are active at time 0 converted to liquids, and without the
/// outflows that are not active at time 0.
pub fn with_flows(scene: &Scene) -> Scene {
    let mut scene = scene.clone();
    let begins = |when: Span| when.start <= 0.0 && when.end > 0.0;
    for inflow in std::mem::take(&mut scene.inflows).into_iter().filter(|i| begins(i.when)) {
        scene.liquids.push(Liquid { shape: inflow.shape, velocity: inflow.velocity });
    }
    scene.outflows.retain(|o| begins(o.when));
    scene
}

/// Returns the scene with liquids and outflows that touch a wall extended through it, so that they have no
/// surface there.
pub fn against_walls(scene: &Scene) -> Scene {
    let mut scene = scene.clone();
    let (low, high) = (scene.domain.origin, scene.domain.origin + scene.domain.size);
    for liquid in &mut scene.liquids {
        liquid.shape = liquid.shape.beyond_walls(low, high);
    }
    for outflow in &mut scene.outflows {
        outflow.shape = outflow.shape.beyond_walls(low, high);
    }
    scene
}

/// Returns the signed distance to the water at the start.
pub fn liquid_distance(scene: &Scene, p: DVec3) -> f64 {
    let full = scene.liquids.iter().map(|l| l.shape.distance(p)).fold(f64::INFINITY, f64::min);
    scene.outflows.iter().map(|o| -o.shape.distance(p)).fold(full, f64::max)
}

/// Returns the velocity of the nearest liquid.
pub fn liquid_velocity(scene: &Scene, p: DVec3) -> DVec3 {
    let mut nearest = (f64::INFINITY, DVec3::ZERO);
    for l in &scene.liquids {
        let d = l.shape.distance(p);
        if d < nearest.0 {
            nearest = (d, l.velocity);
        }
    }
    nearest.1
}
