//! The initial state that a scene describes.

use super::{Liquid, Roughness, Scene, Span};
use crate::flows::Region;
use crate::geometry::{Motion, Pose, Shape, ShapeTree};
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
        let region = Region::at(&inflow.shape, &inflow.motion, 0.0);
        let velocity = region.turned(inflow.velocity);
        scene.liquids.push(Liquid { velocity, shape: region.shape.into_owned(), roughness: 0.0 });
    }
    scene.outflows.retain(|o| begins(o.when));
    for outflow in &mut scene.outflows {
        outflow.shape = Region::at(&outflow.shape, &outflow.motion, 0.0).shape.into_owned();
        outflow.motion = Motion::Still;
    }
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

/// The water at the start of a scene: its liquids without its outflows.
pub struct InitialWater<'a> {
    scene: &'a Scene,
    liquids: ShapeTree,
    outflows: ShapeTree,
    /// Of each liquid.
    roughness: Vec<Roughness>,
}

impl<'a> InitialWater<'a> {
    /// Prepares the distance to the water of a scene.
    pub fn new(scene: &'a Scene) -> Self {
        let tree = |shapes: &mut dyn Iterator<Item = &'a Shape>| {
            ShapeTree::new(shapes.map(|shape| (shape, Pose::IDENTITY)))
        };
        Self {
            scene,
            liquids: tree(&mut scene.liquids.iter().map(|l| &l.shape)),
            outflows: tree(&mut scene.outflows.iter().map(|o| &o.shape)),
            roughness: (0..scene.liquids.len()).map(|i| Roughness::of(scene, i)).collect(),
        }
    }

    /// Returns the signed distance to the water; infinite if there is none.
    pub fn distance(&self, p: DVec3) -> f64 {
        let full = self.nearest_liquid(p).map_or(f64::INFINITY, |(i, d)| d + self.roughness[i].at(p));
        let empty = self.outflows.nearest(p, |i| (&self.scene.outflows[i].shape, p));
        empty.map_or(full, |(_, d)| full.max(-d))
    }

    /// Returns the velocity of the nearest liquid.
    pub fn velocity(&self, p: DVec3) -> DVec3 {
        self.nearest_liquid(p).map_or(DVec3::ZERO, |(i, _)| self.scene.liquids[i].velocity)
    }

    /// Returns whether the surface of a liquid passes within `reach` of `p`, of those that `counts`.
    pub fn is_surface_within(&self, p: DVec3, reach: f64, counts: impl Fn(usize) -> bool) -> bool {
        let least = |i: usize| reach + self.roughness[i].reach();
        let is_near = |i: usize| counts(i) && self.scene.liquids[i].shape.distance(p).abs() < least(i);
        let most = self.roughness.iter().map(Roughness::reach).fold(reach, |most, own| most.max(reach + own));
        self.liquids.first_within(p, most, is_near).is_some()
    }

    fn nearest_liquid(&self, p: DVec3) -> Option<(usize, f64)> {
        self.liquids.nearest(p, |i| (&self.scene.liquids[i].shape, p))
    }
}
