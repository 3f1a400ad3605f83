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
//! so that its back is closed and it supplies Q = Σ max(v·n, 0) A wherever it is, in air, under water or at a
//! wall. For the pressure its boundary is closed by something that moves: the volume that leaves the inflow
//! goes exactly into the cells beside it ([`crate::faces::inflows`] for velocity on faces). With v = 0
//! nothing is prescribed: the region is kept full and its water falls freely.
//!
//! **An outflow** is a region that is kept empty, φ ← max(φ, −d). The pressure there is that of air.
//!
//! **The exchanged volume is counted**, and the target volume changes by the same amount. Inflows add dt Σ Q,
//! computed with the velocity that advects the water; outflows remove the flux of this velocity through the
//! wet part of their boundary. Where a region starts to act in a step, or is only kept full, the change of
//! volume by setting φ is measured cell by cell. (If it were measured in every step, edges that advection
//! rounds off and that are made sharp again would be counted.)
//!
//! φ may be sampled at cells, corners or anything else that has a position.

use crate::geometry::Shape;
use crate::index::{CellId, Field, Id};
use crate::octree::{Grading, Octree, Refinement};
use crate::par;
use crate::scene::{Inflow, OpenSides, Outflow, Scene, Span};
use glam::{DVec3, IVec3};

/// Number of cells on either side of an inflow's surface that are finest.
const BAND: f64 = 2.0;

/// Overlaps of a step and a time span below this fraction of the step are attributed to rounding.
const SLACK: f64 = 1e-6;

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

/// The changes of volume by setting φ, where they count.
#[derive(Clone, Debug, Default)]
pub struct Exchange {
    /// Volume that inflows added, in m³.
    pub volume_in: f64,
    /// Volume that outflows removed, in m³.
    pub volume_out: f64,
    /// Both, cell by cell; `None` where nothing was set.
    pub added: Option<Field<CellId, f64>>,
}

impl Flows {
    /// Returns the flows of a scene. Shapes that touch a wall are extended through it, as for liquids.
    pub fn of(scene: &Scene) -> Self {
        let (low, high) = (scene.domain.origin, scene.domain.origin + scene.domain.size);
        let reaching = |shape: &Shape| shape.beyond_walls(low, high);
        Self {
            inflows: scene
                .inflows
                .iter()
                .map(|i| Inflow { shape: reaching(&i.shape), ..i.clone() })
                .collect(),
            outflows: scene
                .outflows
                .iter()
                .map(|o| Outflow { shape: reaching(&o.shape), ..o.clone() })
                .collect(),
            open: scene.open,
        }
    }

    /// Returns the inflows that act in a step.
    pub fn inflows(&self, now: Moment) -> impl Iterator<Item = &Inflow> {
        self.inflows.iter().filter(move |i| now.is_in(i.when))
    }

    /// Returns the outflows that act in a step.
    pub fn outflows(&self, now: Moment) -> impl Iterator<Item = &Outflow> {
        self.outflows.iter().filter(move |o| now.is_in(o.when))
    }

    /// Returns the largest speed of an inflow in a step.
    pub fn max_speed(&self, now: Moment) -> f64 {
        self.inflows(now).map(|i| i.velocity.length()).fold(0.0, f64::max)
    }

    /// Returns whether faces that are otherwise open are closed during a step.
    pub fn closes_faces(&self, now: Moment) -> bool {
        self.open.any() || self.inflows(now).any(|i| i.velocity != DVec3::ZERO)
    }

    /// Returns whether an outflow removes the fluid at a point in a step.
    pub fn takes(&self, x: DVec3, now: Moment) -> bool {
        self.outflows(now).any(|o| o.shape.distance(x) < 0.0)
    }

    /// Returns whether an inflow or an outflow acts at a point in a step.
    pub fn acts_at(&self, x: DVec3, now: Moment) -> bool {
        self.takes(x, now) || self.inflows(now).any(|i| i.shape.distance(x) < 0.0)
    }

    /// Refines a tree to the finest level along the inflows' surfaces, also where there is no water yet.
    pub fn refined(&self, tree: Octree, grading: Grading, now: Moment) -> Octree {
        let shapes: Vec<&Shape> = self.inflows(now).map(|i| &i.shape).collect();
        if shapes.is_empty() {
            return tree;
        }
        let dx = tree.grid().dx();
        let passes = |x: DVec3, h: f64| shapes.iter().any(|s| s.distance(x).abs() < 0.87 * h + BAND * dx);
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
                open.extend(
                    (0..8).map(|o| (level + 1, 2 * coord + IVec3::new(o & 1, o >> 1 & 1, o >> 2 & 1))),
                );
            }
        }
        refinement.build(grading)
    }

    /// Fills inflows and empties outflows in φ. Returns φ and the change of volume. φ is sampled at points of
    /// any kind, whose `position` is given; `settle` restores the consistency of φ after it was set, and
    /// `volumes` measures the water in each cell.
    pub fn act<I: Id>(
        &self,
        mut phi: Field<I, f64>,
        now: Moment,
        position: impl Fn(I) -> DVec3 + Sync + Send,
        mut settle: impl FnMut(Field<I, f64>) -> Field<I, f64>,
        volumes: impl Fn(&Field<I, f64>) -> Field<CellId, f64>,
    ) -> (Field<I, f64>, Exchange) {
        let measured = |i: &&Inflow| now.begins(i.when) || i.velocity == DVec3::ZERO;
        let kept = self.inflows(now).filter(|i| !measured(i)).map(|i| &i.shape).collect();
        let filled = self.inflows(now).filter(measured).map(|i| &i.shape).collect();
        let emptied = self.outflows(now).filter(|o| now.begins(o.when)).map(|o| &o.shape).collect();
        let drained = self.drains(now);
        let mut exchange = Exchange::default();
        let stages: [(Vec<&Shape>, f64, bool); 4] =
            [(kept, 1.0, false), (filled, 1.0, true), (emptied, -1.0, true), (drained, -1.0, false)];
        for (shapes, sign, counts) in stages.into_iter().filter(|(shapes, ..)| !shapes.is_empty()) {
            let before = counts.then(|| volumes(&phi));
            par::update(&mut phi, |i, phi| {
                let x = position(I::from_index(i));
                let d = shapes.iter().map(|s| s.distance(x)).fold(f64::INFINITY, f64::min);
                *phi = if sign > 0.0 { phi.min(d) } else { phi.max(-d) };
            });
            phi = settle(phi);
            let Some(before) = before else { continue };
            let after = volumes(&phi);
            let change = par::sum(after.len(), |i| after[CellId(i as u32)] - before[CellId(i as u32)]);
            *(if sign > 0.0 { &mut exchange.volume_in } else { &mut exchange.volume_out }) += sign * change;
            let earlier = exchange.added.take();
            exchange.added = Some(par::map(after.len(), |c: CellId| {
                earlier.as_ref().map_or(0.0, |e| e[c]) + after[c] - before[c]
            }));
        }
        (phi, exchange)
    }

    /// Returns which cells have their center in an outflow that has acted before a step and acts in it: water
    /// flows into them by its velocity. `None` if there are no such outflows.
    pub fn drained(
        &self,
        n_cells: usize,
        center: impl Fn(CellId) -> DVec3 + Sync + Send,
        now: Moment,
    ) -> Option<Field<CellId, bool>> {
        let shapes = self.drains(now);
        let is_in = |c| shapes.iter().any(|s| s.distance(center(c)) < 0.0);
        (!shapes.is_empty()).then(|| par::map(n_cells, is_in))
    }

    fn drains(&self, now: Moment) -> Vec<&Shape> {
        self.outflows(now).filter(|o| !now.begins(o.when)).map(|o| &o.shape).collect()
    }
}
