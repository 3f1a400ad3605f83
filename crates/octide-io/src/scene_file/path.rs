//! Checks of inflows, outflows and sources along their motion. All motions are given, so that everything they
//! meet is known before the run; it is looked at a number of times.

use super::inside::{N_CHECKED_TIMES, SolidsInTime, check_speed, outside, reaches, shape_reaches};
use super::place::{At, Fault};
use glam::DVec3;
use octide_core::flows::{Region, mouth_area};
use octide_core::geometry::{Motion, Shape};
use octide_core::scene::{Domain, Inflow, Solid, Span, Timing};
use octide_core::solids::Solids;

/// An inflow with a given flow is warned about if less than this share of its mouth is open.
const LEAST_OPEN: f64 = 0.25;

/// Where an inflow, an outflow or a source is while it acts.
pub(super) struct Path<'a> {
    /// What it is called in messages.
    pub what: &'static str,
    pub shape: &'a Shape,
    pub motion: &'a Motion,
    pub when: Span,
    /// The place of its shape in the scene file.
    pub at: At,
}

impl Path<'_> {
    /// The times at which it is looked at: when it begins, and if it moves, while it acts in the run.
    fn times(&self, time: &Timing) -> Vec<f64> {
        self.times_in(self.when, time, self.motion.is_still())
    }

    fn times_in(&self, when: Span, time: &Timing, is_still: bool) -> Vec<f64> {
        let run = f64::from(time.frames) / time.fps;
        let end = when.end.min(run);
        if is_still || end <= when.start {
            return vec![when.start];
        }
        let n = f64::from(N_CHECKED_TIMES);
        (0..=N_CHECKED_TIMES).map(|i| when.start + (end - when.start) * f64::from(i) / n).collect()
    }

    fn region_at(&self, t: f64) -> Region<'_> {
        Region::at(self.shape, self.motion, t)
    }

    /// Refuses what is outside the domain as long as it acts.
    pub fn check_in_domain(&self, domain: &Domain, time: &Timing) -> Result<(), Fault> {
        if self.times(time).into_iter().any(|t| shape_reaches(&self.region_at(t).shape, domain)) {
            return Ok(());
        }
        Err(outside(self.what, &self.region_at(self.when.start).shape, domain, self.at))
    }

    /// Refuses an inflow of water or a source of smoke that begins inside solids, or moves into them: nothing
    /// could come out of it there. A solid that runs over it is a warning: it may be meant to close it.
    pub fn check_outside_solids(
        &self,
        fluid: &str,
        solids: &mut SolidsInTime<'_>,
        domain: &Domain,
        time: &Timing,
    ) -> Result<Option<Fault>, Fault> {
        let what = self.what;
        for t in self.times_in(self.when, time, self.motion.is_still() && solids.are_still()) {
            let (shape, solids) = (self.region_at(t).shape, solids.at(t));
            if solids.is_empty() {
                return Ok(None);
            }
            let (mut min, mut max) = (domain.origin, domain.origin + domain.size);
            if let Some((low, high)) = shape.bounds() {
                (min, max) = (min.max(low), max.min(high));
            }
            let is_outside = !min.cmplt(max).all();
            let free = |p| shape.distance(p).max(-solids.distance(p));
            if is_outside || reaches(&free, min, max, domain.dx() / 2.0) {
                continue;
            }
            let near = near(min, max);
            if t > self.when.start && self.motion.is_still() {
                let message = format!(
                    "a solid runs over this {what}: at {t:.3} s it lies completely inside solids{near}, and no {fluid} \
                     comes out"
                );
                return Ok(Some(Fault::new(self.at, message).help(
                    "change the motion of the solid, or let it `end` before that, if this is not meant",
                )));
            }
            if t > self.when.start {
                let message = format!(
                    "this {what} moves into solids: at {t:.3} s it lies completely inside them{near}"
                );
                return Err(Fault::new(self.at, message).help(format!(
                    "change its motion, let it `end` before that, or cut a channel for the {fluid} into the solid \
                     with shape.difference"
                )));
            }
            let message =
                format!("this {what} lies completely inside solids at {t} s, when it begins to act");
            return Err(Fault::new(self.at, message).help(format!(
                "move it out of the solid, or cut a channel for the {fluid} into the solid with shape.difference"
            )));
        }
        Ok(None)
    }

    /// Warns about a given flow that does not fit through what solids and walls leave open of the mouth.
    pub fn check_mouth(
        &self,
        direction: DVec3,
        solids: &mut SolidsInTime<'_>,
        domain: &Domain,
        time: &Timing,
    ) -> Option<Fault> {
        let direction = direction.normalize_or_zero();
        let alone = mouth_area(self.shape, direction, domain, &Solids::default());
        let open = |t: f64, solids: &mut SolidsInTime<'_>| {
            let region = self.region_at(t);
            mouth_area(&region.shape, region.turned(direction), domain, solids.at(t))
        };
        let is_still = self.motion.is_still() && solids.are_still();
        let (t, least) = self
            .times_in(self.when, time, is_still)
            .into_iter()
            .map(|t| (t, open(t, solids)))
            .fold((0.0, f64::INFINITY), |a, b| if b.1 < a.1 { b } else { a });
        (alone > 0.0 && least < LEAST_OPEN * alone).then(|| {
            let message = format!(
                "at {t:.3} s only {:.0} % of this inflow's mouth is open, so that it brings less than its `flow`",
                100.0 * least / alone
            );
            Fault::new(self.at, message)
                .help("keep it away from solids and from the sides of the domain, or give it a `velocity`")
        })
    }

    /// Warns about what is so fast that time steps can hardly follow it.
    pub fn check_speed(&self, domain: &Domain, time: &Timing) -> Option<Fault> {
        let body = Solid::moving(self.shape.clone(), self.motion.clone());
        check_speed(self.what, &body, domain, time, self.at)
    }

    /// Refuses an outflow that overlaps an inflow while both act: what one brings the other would take.
    pub fn check_apart(&self, inflows: &[Inflow], domain: &Domain, time: &Timing) -> Result<(), Fault> {
        let Some(n) = inflows.iter().position(|i| self.meets(i, domain, time)) else { return Ok(()) };
        let message = format!(
            "this outflow overlaps inflow {}: it would remove the water that the inflow brings",
            n + 1
        );
        Err(Fault::new(self.at, message).help("move them apart, or let them act at different times"))
    }

    fn meets(&self, inflow: &Inflow, domain: &Domain, time: &Timing) -> bool {
        let both =
            Span { start: self.when.start.max(inflow.when.start), end: self.when.end.min(inflow.when.end) };
        if both.start >= both.end {
            return false;
        }
        let is_still = self.motion.is_still() && inflow.motion.is_still();
        self.times_in(both, time, is_still).into_iter().any(|t| {
            let shapes =
                [self.region_at(t), Region::at(&inflow.shape, &inflow.motion, t)].map(|region| region.shape);
            let (mut min, mut max) = (domain.origin, domain.origin + domain.size);
            for (low, high) in shapes.iter().filter_map(|shape| shape.bounds()) {
                (min, max) = (min.max(low), max.min(high));
            }
            let distance = |p| shapes[0].distance(p).max(shapes[1].distance(p));
            min.cmplt(max).all() && reaches(&distance, min, max, domain.dx() / 2.0)
        })
    }
}

/// Returns the middle of a box in words, for messages.
fn near(min: DVec3, max: DVec3) -> String {
    let tidy = |x: f64| (x * 1e3).round() / 1e3 + 0.0;
    let middle = 0.5 * (min + max);
    format!(" near [{}, {}, {}]", tidy(middle.x), tidy(middle.y), tidy(middle.z))
}
