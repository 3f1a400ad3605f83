//! The farthest place that water has reached along a horizontal axis, as those who break dams read it.
//!
//! The floor is cut into squares as large as finest cells. A square is wet where the upright line over its
//! center has water of at least half a finest cell, so that films and single drops do not count. Of the
//! farthest wet squares, the line over the center is moved on along the axis until its water is half a finest
//! cell: the farthest such place is the front. It moves evenly, not from cell to cell.
//!
//! Boxes of cells wait in a heap, those that reach farthest first. A box whose center is farther from the
//! water than from the ends of its lines is empty; others are halved. The first wet square that comes up is
//! one of the farthest.

use super::gauge::{STRETCH, has_depth};
use super::{OfPlace, Room, Water};
use crate::scene::Heading;
use glam::{DVec3, IVec3};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Water on a line that counts, in finest cells.
const LEAST: f64 = 0.5;

/// How exactly the front is found, in finest cells: a whole number of halvings.
const EXACT: f64 = 1.0 / 16384.0;

/// A box of finest cells: how far it reaches, its size, its corners. Larger ones wait longer.
type Waiting = (i32, Reverse<i32>, [i32; 3], [i32; 3]);

/// The front's coordinate along the heading's axis; none where no square is wet. `detail` is the size of the
/// cells.
pub fn front(water: Water<'_>, detail: OfPlace<'_>, heading: Heading, room: &Room) -> Option<f64> {
    let squares = Squares::new(water, detail, heading, room);
    let n = ((room.high - room.low) / room.dx).round().as_ivec3().max(IVec3::ONE);
    let mut heap = BinaryHeap::from([squares.waiting(IVec3::ZERO, n)]);
    // By square: whether it has come up.
    let mut seen = vec![false; (n[heading.axis] * n[squares.side]) as usize];
    let mut found: Option<(i32, f64)> = None;
    while let Some((reach, _, min, max)) = heap.pop() {
        if found.is_some_and(|(farthest, _)| reach < farthest) {
            break;
        }
        let (min, max) = (IVec3::from(min), IVec3::from(max));
        let extent = max - min;
        let is_square = extent[heading.axis] == 1 && extent[squares.side] == 1;
        let square = (min[heading.axis] * n[squares.side] + min[squares.side]) as usize;
        if is_square && seen[square] {
            continue;
        }
        let middle = 0.5 * (min + max).as_dvec3();
        // Lines stand over centers of squares: sideways the box ends with the last of them.
        let mut half = 0.5 * (extent - 1).as_dvec3();
        half[room.up.axis] += 0.5;
        if water(room.low + room.dx * middle) > STRETCH * room.dx * half.length() {
            continue;
        }
        if !is_square {
            let longest = (0..3).fold(0, |a, b| if extent[b] > extent[a] { b } else { a });
            let cut = min[longest] + extent[longest] / 2;
            let (mut below, mut above) = (max, min);
            (below[longest], above[longest]) = (cut, cut);
            heap.push(squares.waiting(min, below));
            heap.push(squares.waiting(above, max));
            continue;
        }
        seen[square] = true;
        if !squares.is_wet(min, 0.0) {
            continue;
        }
        let known = found.map_or(0.0, |(_, beyond)| beyond);
        let beyond = squares.beyond(min, known);
        found = Some((reach, beyond));
        if beyond >= squares.room_beyond(min) {
            // At the wall no other square can be farther.
            break;
        }
    }
    found.map(|(reach, beyond)| squares.place(reach, beyond))
}

/// The squares of the floor.
struct Squares<'a> {
    water: Water<'a>,
    detail: OfPlace<'a>,
    heading: Heading,
    room: &'a Room,
    /// The horizontal axis across the heading.
    side: usize,
}

impl<'a> Squares<'a> {
    fn new(water: Water<'a>, detail: OfPlace<'a>, heading: Heading, room: &'a Room) -> Self {
        debug_assert_ne!(heading.axis, room.up.axis, "a front runs along the floor");
        Self { water, detail, heading, room, side: 3 - heading.axis - room.up.axis }
    }

    fn waiting(&self, min: IVec3, max: IVec3) -> Waiting {
        let a = self.heading.axis;
        let reach = if self.heading.forward { max[a] - 1 } else { -min[a] };
        (reach, Reverse((max - min).element_product()), min.to_array(), max.to_array())
    }

    /// Whether there is water enough over a square's center, moved `shift` along the heading.
    fn is_wet(&self, cell: IVec3, shift: f64) -> bool {
        let Room { low, dx, .. } = *self.room;
        let mut p = low + dx * (cell.as_dvec3() + DVec3::splat(0.5));
        p[self.heading.axis] += shift * self.heading.sign();
        has_depth(self.water, self.detail, self.room.foot(p), self.room, LEAST * dx)
    }

    /// How far from its center, in m, a wet square's water goes on, if that is farther than `known`; else
    /// `known`.
    fn beyond(&self, cell: IVec3, known: f64) -> f64 {
        let (end, exact) = (self.room_beyond(cell), EXACT * self.room.dx);
        // Along a straight front all squares are as far: one look at each will do.
        if known > 0.0 && (known + exact >= end || !self.is_wet(cell, known + exact)) {
            return known;
        }
        // Before the next square, which is dry, this can only be so at the wall.
        if self.is_wet(cell, end) {
            return end;
        }
        let (mut wet, mut dry) = (known, end);
        while dry - wet > exact {
            let middle = 0.5 * (wet + dry);
            if self.is_wet(cell, middle) {
                wet = middle;
            } else {
                dry = middle;
            }
        }
        wet
    }

    /// From a square's center to the next one's, or to the wall.
    fn room_beyond(&self, cell: IVec3) -> f64 {
        let (a, dx) = (self.heading.axis, self.room.dx);
        let next = self.place(self.waiting(cell, cell + 1).0, dx);
        if next < self.room.low[a] || next > self.room.high[a] { 0.5 * dx } else { dx }
    }

    /// The coordinate of a place `beyond` the centers of the squares that reach so far.
    fn place(&self, reach: i32, beyond: f64) -> f64 {
        let Room { low, dx, .. } = *self.room;
        let cell = if self.heading.forward { reach } else { -reach };
        low[self.heading.axis] + dx * (f64::from(cell) + 0.5) + self.heading.sign() * beyond
    }
}
