//! Water along a vertical line.
//!
//! The distance to the water is sampled from the floor to the ceiling in steps that cannot skip a surface,
//! and every sign change is located to rounding:
//!
//! ```text
//! s ← s + max(|φ(s)| / 1.25, dx/4)
//! ```
//!
//! Water and gaps thinner than a quarter of a finest cell may be missed.

use super::{OfPlace, Room, Water};
use glam::DVec3;

/// The factor by which a distance may be too large.
pub(super) const STRETCH: f64 = 1.25;

/// The shortest step in finest cells.
const SHORTEST: f64 = 0.25;

/// The precision of a crossing, in finest cells.
const EXACT: f64 = 1e-9;

/// The water along a vertical line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Column {
    /// Height of the highest water surface above the floor, in m; 0 without water.
    pub height: f64,
    /// Total length of water on the line in m. It is less than the height under overhangs and over solids.
    pub depth: f64,
}

/// Measures the water along the vertical line through a point of the floor.
pub fn column(water: Water<'_>, foot: DVec3, room: &Room) -> Column {
    follow(water, &|_| SHORTEST * room.dx, foot, room, f64::INFINITY)
}

/// Returns whether the line contains at least `enough` water. Pieces that are thinner than `enough`, or than
/// half of the `detail` there, may be missed.
pub fn has_depth(water: Water<'_>, detail: OfPlace<'_>, foot: DVec3, room: &Room, enough: f64) -> bool {
    let shortest = |p: DVec3| (0.5 * detail(p)).max(enough);
    follow(water, &shortest, foot, room, enough).depth >= enough
}

/// Follows the line until it has passed `enough` water.
fn follow(water: Water<'_>, shortest: OfPlace<'_>, foot: DVec3, room: &Room, enough: f64) -> Column {
    let place = |s: f64| {
        let mut p = foot;
        p[room.up.axis] += room.up.sign() * s;
        p
    };
    let at = |s: f64| water(place(s));
    let top = room.height();
    let mut column = Column::default();
    let mut here = (0.0, at(0.0));
    // Where the current stretch of water begins.
    let mut begin = 0.0;
    while here.0 < top {
        let next = (here.0 + (here.1.abs() / STRETCH).max(shortest(place(here.0)))).min(top);
        let next = (next, at(next));
        match (here.1 < 0.0, next.1 < 0.0) {
            (true, false) => {
                column.height = crossing(&at, here, next, EXACT * room.dx);
                column.depth += column.height - begin;
            }
            (false, true) => begin = crossing(&at, here, next, EXACT * room.dx),
            _ => {}
        }
        here = next;
        let so_far = if here.1 < 0.0 { here.0 - begin } else { 0.0 };
        if column.depth + so_far >= enough {
            break;
        }
    }
    if here.1 < 0.0 {
        column.height = here.0;
        column.depth += here.0 - begin;
    }
    column
}

/// Returns where `f` changes its sign between two positions, by false position alternating with bisection.
fn crossing(f: &dyn Fn(f64) -> f64, mut a: (f64, f64), mut b: (f64, f64), exact: f64) -> f64 {
    for round in 0..60 {
        let t = if round % 3 == 2 { 0.5 } else { a.1 / (a.1 - b.1) };
        let s = a.0 + t * (b.0 - a.0);
        let v = f(s);
        if v.abs() < exact || b.0 - a.0 < exact {
            return s;
        }
        if (v < 0.0) == (a.1 < 0.0) {
            a = (s, v);
        } else {
            b = (s, v);
        }
    }
    0.5 * (a.0 + b.0)
}
