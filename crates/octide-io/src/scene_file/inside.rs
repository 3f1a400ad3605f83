//! Tests whether any part of a shape is in the domain, by halving boxes: if the distance at a box's center
//! exceeds the distance to its corners, the box is empty.

use super::place::{At, Fault};
use glam::DVec3;
use octide_core::geometry::Shape;
use octide_core::scene::{Domain, Solid, Timing};
use octide_core::solids::{Solids, thinnest_part};
use octide_core::speeds::fastest_moment;

/// Maximum number of evaluations of the distance; a shape that is still undecided then counts as inside.
const MAX_EVALUATIONS: usize = 30_000;

/// A resolution this many times higher is not proposed.
const MAX_FINER: f64 = 4.0;

/// Number of times during a run at which a moving body is checked.
pub(super) const N_CHECKED_TIMES: u32 = 32;

/// Refuses a liquid outside the domain.
pub(super) fn check_liquid(shape: &Shape, domain: &Domain, at: At) -> Result<(), Fault> {
    if shape_reaches(shape, domain) { Ok(()) } else { Err(outside("liquid", shape, domain, at)) }
}

/// The solids of a scene, posed at the time of the last question.
pub(super) struct SolidsInTime<'a> {
    solids: &'a [Solid],
    posed: Option<(f64, Solids)>,
}

impl<'a> SolidsInTime<'a> {
    pub fn new(solids: &'a [Solid]) -> Self {
        Self { solids, posed: None }
    }

    /// Returns whether no solid moves.
    pub fn are_still(&self) -> bool {
        self.solids.iter().all(Solid::is_still)
    }

    /// Returns the solids at a time. Most questions are about the same time, or about solids that do not move.
    pub fn at(&mut self, time: f64) -> &Solids {
        let posed = self.posed.take().filter(|(t, _)| *t == time || self.are_still());
        &self.posed.insert(posed.unwrap_or_else(|| (time, Solids::at(self.solids, time)))).1
    }
}

/// A motion that needs more steps per frame than this is reported.
const MANY_STEPS: f64 = 1000.0;

/// Warns about a body that is so fast that time steps can hardly follow it.
pub(super) fn check_speed(
    what: &str,
    solid: &Solid,
    domain: &Domain,
    time: &Timing,
    at: At,
) -> Option<Fault> {
    if solid.is_still() {
        return None;
    }
    let (speed, when) = fastest_moment(solid, domain, f64::from(time.frames) / time.fps);
    let way = time.cfl * domain.dx();
    let steps = speed / (way * time.fps);
    (steps > MANY_STEPS).then(|| {
        Fault::new(
            at,
            format!(
                "this {what} moves at {speed:.3e} m/s at {when:.4} s: steps that follow it are {:.1e} s long, and the \
                 fluid that it pushes becomes as fast",
                way / speed
            ),
        )
        .help("give its motion more time, between keyframes or per period")
    })
}

/// Warns about a solid with parts so thin that the grid thickens them.
pub(super) fn check_thickness(shape: &Shape, domain: &Domain, at: At) -> Option<Fault> {
    let dx = domain.dx();
    let cells = thinnest_part(shape, dx)? / dx;
    let holds = Solids::holding_thickness(dx) / dx;
    let message = format!(
        "parts of this solid are only {cells:.1} finest cells thick: they hold water, but displace it as if they were \
         {holds:.1} cells thick"
    );
    let finer = holds / cells.max(0.01);
    let help = if finer < MAX_FINER {
        format!("make it at least {:.3e} m thick, or raise `resolution` {finer:.1} times", holds * dx)
    } else {
        format!(
            "make it at least {:.3e} m thick, or accept gaps of up to a cell between wall and water",
            holds * dx
        )
    };
    Some(Fault::new(at, message).help(help))
}

/// Warns about a body that is outside the domain during the whole run.
pub(super) fn check_solid(solid: &Solid, domain: &Domain, time: &Timing, at: At) -> Option<Fault> {
    let Solid { shape, motion, sequence, .. } = solid;
    // All of where a deforming one is at any time.
    let hull = sequence.as_ref().map(|s| {
        let (min, max) = s.bounds();
        Shape::Box { min, max }
    });
    let shape = hull.as_ref().unwrap_or(shape);
    let end = f64::from(time.frames) / time.fps;
    // Thin walls are thickened, and shells have no inside.
    let thickened = 0.5 * Solids::holding_thickness(domain.dx());
    let is_thin = shape.least_thickness() < 2.0 * thickened;
    let seen = if motion.is_still() && !is_thin {
        shape_reaches(shape, domain)
    } else {
        (0..=N_CHECKED_TIMES).any(|i| {
            let pose = motion.pose(end * f64::from(i) / f64::from(N_CHECKED_TIMES));
            let distance = |p| shape.distance(pose.to_body(p)) - if is_thin { thickened } else { 0.0 };
            reaches(&distance, domain.origin, domain.origin + domain.size, domain.dx() / 2.0)
        })
    };
    (!seen).then(|| outside("solid", shape, domain, at))
}

pub(super) fn outside(what: &str, shape: &Shape, domain: &Domain, at: At) -> Fault {
    let fault = Fault::new(
        at,
        format!(
            "this {what} lies outside the domain, which reaches from {} to {}",
            domain.origin,
            domain.origin + domain.size
        ),
    );
    match shape.bounds() {
        // Six digits suffice, and hide rounding errors.
        Some((min, max)) => {
            let tidy = |v: DVec3| (v * 1e6).round() / 1e6;
            fault.help(format!("move it; its shape reaches from {} to {}", tidy(min), tidy(max)))
        }
        None => fault,
    }
}

pub(super) fn shape_reaches(shape: &Shape, domain: &Domain) -> bool {
    let (mut min, mut max) = (domain.origin, domain.origin + domain.size);
    if let Some((low, high)) = shape.bounds() {
        (min, max) = (min.max(low), max.min(high));
    }
    // A shape that only touches the domain has no part in it.
    min.cmplt(max).all() && reaches(&|p| shape.distance(p), min, max, domain.dx() / 2.0)
}

/// Returns whether the distance is negative somewhere between two corners, searching boxes down to half an
/// edge of `smallest`.
pub(super) fn reaches(distance: &dyn Fn(DVec3) -> f64, min: DVec3, max: DVec3, smallest: f64) -> bool {
    let mut n_evaluations = 0;
    let mut open = vec![((min + max) / 2.0, (max - min) / 2.0)];
    while let Some((center, half)) = open.pop() {
        n_evaluations += 1;
        let d = distance(center);
        if d < 0.0 || n_evaluations > MAX_EVALUATIONS {
            return true;
        }
        if d >= half.length() || half.max_element() < smallest {
            continue;
        }
        for corner in 0..8 {
            let side = |a: usize| if corner >> a & 1 == 0 { -0.5 } else { 0.5 };
            open.push((center + half * DVec3::new(side(0), side(1), side(2)), half / 2.0));
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use octide_core::geometry::Motion;

    fn domain() -> Domain {
        Domain { origin: DVec3::ZERO, size: DVec3::new(1.0, 0.5, 1.0), resolution: 128, levels: 3 }
    }

    fn seen(shape: &Shape) -> bool {
        shape_reaches(shape, &domain())
    }

    #[test]
    fn a_shape_that_only_touches_is_outside() {
        let beside = |x: f64| Shape::Box { min: DVec3::new(x, 0.0, 0.0), max: DVec3::new(x + 1.0, 0.5, 1.0) };
        assert!(!seen(&beside(1.0)));
        assert!(!seen(&beside(1.5)));
        assert!(seen(&beside(0.99)));
    }

    #[test]
    fn a_thin_sheet_and_a_small_ball_are_seen() {
        let sheet = Shape::Box { min: DVec3::new(0.0, 0.2, 0.0), max: DVec3::new(1.0, 0.208, 1.0) };
        let ball = Shape::Sphere { center: DVec3::new(0.91, 0.03, 0.07), radius: 0.006 };
        assert!(seen(&sheet) && seen(&ball));
    }

    #[test]
    fn parts_that_leave_nothing_are_outside() {
        let ball = |x| Shape::Sphere { center: DVec3::new(x, 0.25, 0.5), radius: 0.1 };
        assert!(!seen(&Shape::Intersection(vec![ball(0.3), ball(0.6)])));
        assert!(seen(&Shape::Intersection(vec![ball(0.3), ball(0.45)])));
        assert!(!seen(&Shape::Difference {
            of: Box::new(ball(0.3)),
            minus: vec![Shape::Plane { point: DVec3::Y, normal: DVec3::Y }],
        }));
    }

    #[test]
    fn a_body_that_enters_later_is_no_surprise() {
        let ball = Shape::Sphere { center: DVec3::new(-1.0, 0.25, 0.5), radius: 0.1 };
        let time = Timing { frames: 60, fps: 60.0, cfl: 2.0 };
        let enters = Motion::Oscillation { amplitude: DVec3::X, period: 4.0 };
        let seen = |motion| check_solid(&Solid::moving(ball.clone(), motion), &domain(), &time, At::TOP);
        assert!(seen(Motion::Still).is_some());
        assert!(seen(enters).is_none());
    }
}
