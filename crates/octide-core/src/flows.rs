//! Inflows and outflows of water.
//!
//! **An inflow** is a nozzle: a region that is kept full, φ ← min(φ, d), where d is the distance to its
//! shape, and from which water leaves with a given velocity. Its cells are not part of the pressure solve:
//! inside they have the velocity v, and on its boundary
//!
//! ```text
//! u = max(v·n, 0) n,   n out of the inflow,
//! ```
//!
//! so that its back and its flanks are closed ([`is_mouth`] on the stairs of cells) and it supplies Q = Σ max(v·n, 0) A wherever it is, in air, under water or at a
//! wall. For the pressure its boundary is closed by something that moves: the volume that leaves the inflow
//! goes exactly into the cells beside it ([`crate::faces::inflows`] for velocity on faces). With v = 0
//! nothing is prescribed: the region is kept full and its water falls freely.
//!
//! **A moving inflow** is the same in its own frame. v is relative to it and turns with it; w, the velocity of
//! its own motion, comes on top: inside the water has v + w, and on the boundary
//!
//! ```text
//! u = (max(v·n, 0) + w·n) n.
//! ```
//!
//! w·n adds nothing to Q: a rigid motion displaces as much as it leaves. The flow into a moving outflow is
//! that of u − w.
//!
//! **An inflow with a given flow** scales v in every step so that Q is this flow, whatever the cells are and
//! however the inflow is turned.
//!
//! **An outflow** is a region that is kept empty, φ ← max(φ, −d). The pressure there is that of air. Where an
//! inflow and an outflow overlap, there is only the outflow.
//!
//! **The exchanged volume is counted**, and the target volume changes by the same amount. Inflows add dt Σ Q,
//! computed with the velocity that advects the water; outflows remove the flux of this velocity through the
//! wet part of their boundary. Where a region starts to act in a step, or is only kept full, and where only a
//! film thinner than a cell reaches an outflow, the change of volume by setting φ is measured cell by cell.
//! (If it were measured in every step, edges that advection rounds off and that are made sharp again would be
//! counted, and of fast water only what fits into an outflow.)
//!
//! φ may be sampled at cells, corners or anything else that has a position.

mod exchange;
mod mouth;
mod region;
#[cfg(test)]
mod tests;

pub use exchange::Exchange;
pub use mouth::{is_mouth, mouth_area};
pub use region::Region;

use crate::contract::StepError;
use crate::geometry::{Motion, Pose, Shape, ShapeSet, ShapeTree};
use crate::index::{CellId, Field, Id};
use crate::octree::{Grading, Octree, Refinement};
use crate::par;
use crate::scene::{Inflow, OpenSides, Outflow, Scene, Span};
use crate::volume::VolumeControl;
use glam::{DVec3, IVec3};

/// Number of cells on either side of an inflow's surface that are finest.
const BAND: f64 = 2.0;

/// Overlaps of a step and a time span below this fraction of the step are attributed to rounding.
const SLACK: f64 = 1e-6;

/// Volumes below this fraction of all liquid are attributed to rounding.
const ROUNDING: f64 = 1e-12;

/// The inflows, outflows and open sides of a scene.
#[derive(Clone, Debug, Default)]
pub struct Flows {
    inflows: Vec<Inflow>,
    outflows: Vec<Outflow>,
    /// Sides of the domain through which water leaves.
    pub open: OpenSides,
}

/// The time of a step.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// When it begins, in s.
    pub time: f64,
    /// Its length in s.
    pub dt: f64,
}

impl Moment {
    /// Returns whether `span`, which overlaps this step, starts at its beginning or during it. Spans that
    /// start with the simulation do not count: they are part of the initial state.
    fn begins(self, span: Span) -> bool {
        span.start > (self.time - SLACK * self.dt).max(0.0)
    }

    fn is_in(self, span: Span) -> bool {
        span.meets(self.time + SLACK * self.dt, self.time + (1.0 - SLACK) * self.dt)
    }
}

impl Flows {
    /// Returns the flows of a scene. Shapes that touch a wall and do not move are extended through it, as for
    /// liquids.
    pub fn of(scene: &Scene) -> Self {
        let (low, high) = (scene.domain.origin, scene.domain.origin + scene.domain.size);
        let reaching = |shape: &Shape, motion: &Motion| {
            if motion.is_still() { shape.beyond_walls(low, high) } else { shape.clone() }
        };
        Self {
            inflows: scene
                .inflows
                .iter()
                .map(|i| Inflow { shape: reaching(&i.shape, &i.motion), ..i.clone() })
                .collect(),
            outflows: scene
                .outflows
                .iter()
                .map(|o| Outflow { shape: reaching(&o.shape, &o.motion), ..o.clone() })
                .collect(),
            open: scene.open,
        }
    }

    /// Returns the flows that act in a step, where they are at its end.
    pub fn during(&self, now: Moment) -> ActiveFlows<'_> {
        self.at(now, now.time + now.dt)
    }

    /// Returns the flows that act in a step, where they are at its beginning.
    pub fn before(&self, now: Moment) -> ActiveFlows<'_> {
        self.at(now, now.time)
    }

    fn at(&self, now: Moment, time: f64) -> ActiveFlows<'_> {
        let inflows = self.inflows.iter().filter(|i| now.is_in(i.when)).map(|i| {
            let region = Region::at(&i.shape, &i.motion, time);
            let velocity = region.turned(i.velocity);
            ActiveInflow { region, velocity, flow: i.flow.map(|flow| flow.rate), begins: now.begins(i.when) }
        });
        let outflows = self.outflows.iter().filter(|o| now.is_in(o.when)).map(|o| ActiveOutflow {
            region: Region::at(&o.shape, &o.motion, time),
            begins: now.begins(o.when),
        });
        ActiveFlows::new(inflows.collect(), outflows.collect())
    }

    /// Returns the largest speed of the water of an inflow in a step.
    pub fn max_speed(&self, now: Moment) -> f64 {
        let active = self.inflows.iter().filter(|i| now.is_in(i.when));
        let speed = |i: &Inflow| {
            let at = |t| Region::at(&i.shape, &i.motion, t).max_speed(i.velocity);
            at(now.time).max(at(now.time + now.dt))
        };
        active.map(speed).fold(0.0, f64::max)
    }

    /// Returns whether faces that are otherwise open are closed during a step.
    pub fn closes_faces(&self, now: Moment) -> bool {
        self.open.any() || self.inflows.iter().any(|i| now.is_in(i.when) && i.velocity != DVec3::ZERO)
    }

    /// Returns whether water can leave the domain in a step.
    pub fn has_exit(&self, now: Moment) -> bool {
        self.open.any() || self.outflows.iter().any(|o| now.is_in(o.when))
    }

    /// Returns an error if `blocked`, the volume in m³ that inflows should have brought in a step and that
    /// found no room, cannot have gone anywhere else.
    pub fn check_room(&self, blocked: f64, control: &VolumeControl, now: Moment) -> Result<(), StepError> {
        let is_full = blocked > ROUNDING * control.most && !self.has_exit(now);
        if is_full { Err(StepError::Full { at: None }) } else { Ok(()) }
    }

    /// Returns the outflows that have acted before a step and act in it, where they are at its beginning:
    /// water flows into their cells by its velocity. `None` if there are none.
    pub fn drains<'a>(
        &'a self,
        n_cells: usize,
        center: impl Fn(CellId) -> DVec3 + Sync + Send,
        now: Moment,
    ) -> Option<Drains<'a>> {
        let active = self.before(now);
        let outflows: Vec<Region<'a>> =
            active.outflows.iter().filter(|o| !o.begins).map(|o| o.region.clone()).collect();
        if outflows.is_empty() {
            return None;
        }
        let shapes = ShapeSet::new(outflows.iter().map(|o| &*o.shape));
        let is_in = par::map(n_cells, |c| shapes.contains(center(c)));
        drop(shapes);
        Some(Drains { is_in, outflows, inflows: active })
    }
}

/// The inflows and outflows that act in a step, at one time.
#[derive(Clone, Debug)]
pub struct ActiveFlows<'a> {
    /// The inflows.
    pub inflows: Vec<ActiveInflow<'a>>,
    outflows: Vec<ActiveOutflow<'a>>,
    /// The hierarchies over all inflows and over all outflows.
    trees: [ShapeTree; 2],
}

/// An inflow at one time.
#[derive(Clone, Debug)]
pub struct ActiveInflow<'a> {
    /// Where it is.
    pub region: Region<'a>,
    /// The velocity in m/s with which water leaves the region, relative to it.
    pub velocity: DVec3,
    /// The volume in m³/s that leaves the region, if it is given.
    pub flow: Option<f64>,
    begins: bool,
}

impl ActiveInflow<'_> {
    /// Returns whether it prescribes the velocity of its water.
    pub fn blows(&self) -> bool {
        self.velocity != DVec3::ZERO
    }
}

#[derive(Clone, Debug)]
struct ActiveOutflow<'a> {
    region: Region<'a>,
    begins: bool,
}

impl<'a> ActiveFlows<'a> {
    fn new(inflows: Vec<ActiveInflow<'a>>, outflows: Vec<ActiveOutflow<'a>>) -> Self {
        let trees = [
            ShapeTree::new(inflows.iter().map(|i| (&*i.region.shape, Pose::IDENTITY))),
            ShapeTree::new(outflows.iter().map(|o| (&*o.region.shape, Pose::IDENTITY))),
        ];
        Self { inflows, outflows, trees }
    }

    /// Returns whether there are no inflows and no outflows.
    pub fn is_empty(&self) -> bool {
        self.inflows.is_empty() && self.outflows.is_empty()
    }

    /// Returns whether an outflow removes the fluid at a point.
    pub fn takes(&self, x: DVec3) -> bool {
        self.trees[1].first_within(x, 0.0, |i| self.outflows[i].region.contains(x)).is_some()
    }

    /// Returns whether an inflow prescribes the velocity at a point.
    pub fn blows(&self, x: DVec3) -> bool {
        self.is_in_inflow(x, ActiveInflow::blows) && !self.takes(x)
    }

    /// Returns whether an inflow or an outflow acts at a point.
    pub fn acts_at(&self, x: DVec3) -> bool {
        self.takes(x) || self.is_in_inflow(x, |_| true)
    }

    /// Returns whether an inflow is within `reach` of a point that fills its region by setting φ, and not by a flow:
    /// one that begins in this step, or one that is only kept full.
    pub fn fills_within(&self, x: DVec3, reach: f64) -> bool {
        let is_near = |i: &ActiveInflow| (i.begins || !i.blows()) && i.region.distance(x) < reach;
        self.trees[0].first_within(x, reach, |i| is_near(&self.inflows[i])).is_some() && !self.takes(x)
    }

    /// Returns whether an outflow is within `reach` of a point.
    pub fn takes_within(&self, x: DVec3, reach: f64) -> bool {
        let is_near = |i: usize| self.outflows[i].region.distance(x) < reach;
        self.trees[1].first_within(x, reach, is_near).is_some()
    }

    /// Returns whether an inflow or an outflow is within `reach` of a point.
    pub fn acts_within(&self, x: DVec3, reach: f64) -> bool {
        let is_near = |i: usize| self.inflows[i].region.distance(x) < reach;
        self.trees[0].first_within(x, reach, is_near).is_some() || self.takes_within(x, reach)
    }

    fn is_in_inflow(&self, x: DVec3, counts: impl Fn(&ActiveInflow<'a>) -> bool) -> bool {
        let is_in = |i: &ActiveInflow<'a>| counts(i) && i.region.contains(x);
        self.trees[0].first_within(x, 0.0, |i| is_in(&self.inflows[i])).is_some()
    }

    /// Refines a tree to the finest level along the surfaces of inflows and outflows, also where there is no
    /// surface of water yet.
    pub fn refined(&self, tree: Octree, grading: Grading) -> Octree {
        let inflows = self.inflows.iter().map(|i| &*i.region.shape);
        let shapes = ShapeSet::new(inflows.chain(self.outflows.iter().map(|o| &*o.region.shape)));
        if shapes.is_empty() {
            return tree;
        }
        let dx = tree.grid().dx();
        let passes = |x: DVec3, h: f64| shapes.distance_to_surface(x) < 0.87 * h + BAND * dx;
        refined_where(tree, grading, passes)
    }

    /// Fills inflows and empties outflows in φ. Returns φ and the change of volume. φ is sampled at points of
    /// any kind, whose `position` is given; `settle` restores the consistency of φ after it was set, and
    /// `volumes` measures the water in each cell.
    pub fn act<I: Id>(
        &self,
        mut phi: Field<I, f64>,
        position: impl Fn(I) -> DVec3 + Sync + Send,
        mut settle: impl FnMut(Field<I, f64>) -> Field<I, f64>,
        volumes: impl Fn(&Field<I, f64>) -> Field<CellId, f64>,
    ) -> (Field<I, f64>, Exchange) {
        let measured = |i: &&ActiveInflow| i.begins || !i.blows();
        let (inflows, outflows) = (self.inflows.iter(), self.outflows.iter());
        let kept = ShapeSet::new(inflows.clone().filter(|i| !measured(i)).map(|i| &*i.region.shape));
        let filled = ShapeSet::new(inflows.filter(measured).map(|i| &*i.region.shape));
        let emptied = ShapeSet::new(outflows.clone().filter(|o| o.begins).map(|o| &*o.region.shape));
        let drained = ShapeSet::new(outflows.clone().filter(|o| !o.begins).map(|o| &*o.region.shape));
        let outflows = ShapeSet::new(outflows.map(|o| &*o.region.shape));
        let mut exchange = Exchange::default();
        let stages =
            [(kept, Stage::Keep), (filled, Stage::Fill), (emptied, Stage::Empty), (drained, Stage::Drain)];
        for (shapes, stage) in stages.into_iter().filter(|(shapes, _)| !shapes.is_empty()) {
            let before = (stage != Stage::Keep).then(|| volumes(&phi));
            par::update(&mut phi, |i, phi| {
                let x = position(I::from_index(i));
                let d = shapes.distance(x);
                *phi = match stage {
                    Stage::Keep | Stage::Fill => phi.min(d.max(-outflows.distance(x))),
                    Stage::Empty | Stage::Drain => phi.max(-d),
                };
            });
            phi = settle(phi);
            let Some(before) = before else { continue };
            let after = volumes(&phi);
            let change = par::map(after.len(), |c: CellId| after[c] - before[c]);
            let total = par::sum(change.len(), |i| change[CellId(i as u32)]);
            // Setting φ can only add or only remove; the rest is rounding.
            match stage {
                Stage::Keep => {}
                Stage::Fill => exchange.volume_in += total.max(0.0),
                Stage::Empty => exchange.volume_out += (-total).max(0.0),
                Stage::Drain => {
                    exchange.drained = Some(change);
                    continue;
                }
            }
            exchange.add(change);
        }
        (phi, exchange)
    }
}

/// Outflows that water flows into by its velocity, at the beginning of a step.
pub struct Drains<'a> {
    /// The cells whose centers are in them.
    pub is_in: Field<CellId, bool>,
    outflows: Vec<Region<'a>>,
    inflows: ActiveFlows<'a>,
}

impl Drains<'_> {
    /// Returns the component along an axis of the velocity of the outflow nearest to `x`.
    pub fn own_velocity(&self, x: DVec3, axis: usize) -> f64 {
        if !self.outflows.iter().any(Region::moves) {
            return 0.0;
        }
        let nearest = self.outflows.iter().min_by(|a, b| a.distance(x).total_cmp(&b.distance(x)));
        nearest.map_or(0.0, |o| o.velocity_at(x)[axis])
    }

    /// Returns whether an inflow prescribes the velocity at a point.
    pub fn is_in_nozzle(&self, x: DVec3) -> bool {
        self.inflows.blows(x)
    }
}

/// What is done to φ in the regions of some flows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Kept full; the volume is counted by its flux.
    Keep,
    /// Filled; the change of volume counts.
    Fill,
    /// Emptied for the first time; the change of volume counts.
    Empty,
    /// Kept empty; the volume is counted by its flux, or by the change if there is none.
    Drain,
}

/// Refines a tree to the finest level where `passes` is true for the center and edge of a cell.
pub(crate) fn refined_where(
    tree: Octree,
    grading: Grading,
    passes: impl Fn(DVec3, f64) -> bool + Sync + Send,
) -> Octree {
    let max = tree.grid().max_level();
    let coarse = par::collect(tree.n_cells(), |i, out: &mut Vec<CellId>| {
        let c = CellId(i as u32);
        if tree.level(c) < max && passes(tree.center(c), tree.size(c)) {
            out.push(c);
        }
    });
    if coarse.is_empty() {
        return tree;
    }
    let mut refinement = Refinement::of(&tree);
    let mut open: Vec<(u8, IVec3)> =
        coarse.iter().map(|&c| (tree.level(c), tree.coord(tree.node_of(c)))).collect();
    while let Some((level, coord)) = open.pop() {
        let half = 1 << (max - level);
        let center = tree.grid().position(coord * (2 * half) + half);
        if level < max && passes(center, tree.grid().cell_size(level)) {
            refinement.refine(level, coord);
            open.extend((0..8).map(|o| (level + 1, 2 * coord + IVec3::new(o & 1, o >> 1 & 1, o >> 2 & 1))));
        }
    }
    refinement.build(grading)
}
