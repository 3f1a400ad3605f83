//! The farthest position that water has reached along a horizontal axis, as defined in dam-break experiments.
//!
//! The floor is divided into squares as large as finest cells. A square is wet if the vertical line through
//! its center contains at least half a finest cell of water, so films and single drops do not count. Starting
//! from the farthest wet squares, the line is moved along the axis until it contains exactly half a finest
//! cell of water. The farthest such position is the front. It therefore moves continuously, not from cell to
//! cell.
//!
//! The search keeps boxes of cells in a heap, ordered by how far they extend along the axis, farthest first.
//! A box is empty if its center is farther from the water than from the ends of the box's lines; other boxes
//! are halved. The first wet square that is taken from the heap is one of the farthest.

use super::gauge::{STRETCH, has_depth};
use super::{OfPlace, Room, Water};
use crate::scene::Heading;
use glam::{DVec3, IVec3};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The least amount of water on a line that counts, in finest cells.
const LEAST: f64 = 0.5;

/// The precision of the front, in finest cells: a whole number of halvings.
const EXACT: f64 = 1.0 / 16384.0;

/// A box of finest cells in the heap: how far it extends, its size, its corners. Of boxes that extend equally
/// far, smaller ones come first.
type QueuedBox = (i32, Reverse<i32>, [i32; 3], [i32; 3]);

/// Returns the front's coordinate along the heading's axis; `None` if no square is wet. `detail` returns the
/// cell size at a position.
pub fn front(water: Water<'_>, detail: OfPlace<'_>, heading: Heading, room: &Room) -> Option<f64> {
    let squares = Squares::new(water, detail, heading, room);
    let n = ((room.high - room.low) / room.dx).round().as_ivec3().max(IVec3::ONE);
    let mut heap = BinaryHeap::from([squares.queued(IVec3::ZERO, n)]);
    // Whether each square was already taken from the heap.
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
        // Vertical lines pass through the centers of squares, so horizontally the box ends at the outermost
        // line.
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
            heap.push(squares.queued(min, below));
            heap.push(squares.queued(above, max));
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
            // At the wall no other square can extend farther.
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
    /// The horizontal axis perpendicular to the heading.
    side: usize,
}

impl<'a> Squares<'a> {
    fn new(water: Water<'a>, detail: OfPlace<'a>, heading: Heading, room: &'a Room) -> Self {
        debug_assert_ne!(heading.axis, room.up.axis, "a front runs along the floor");
        Self { water, detail, heading, room, side: 3 - heading.axis - room.up.axis }
    }

    fn queued(&self, min: IVec3, max: IVec3) -> QueuedBox {
        let a = self.heading.axis;
        let reach = if self.heading.forward { max[a] - 1 } else { -min[a] };
        (reach, Reverse((max - min).element_product()), min.to_array(), max.to_array())
    }

    /// Returns whether there is enough water on the line through a square's center, moved by `shift` along
    /// the heading.
    fn is_wet(&self, cell: IVec3, shift: f64) -> bool {
        let Room { low, dx, .. } = *self.room;
        let mut p = low + dx * (cell.as_dvec3() + DVec3::splat(0.5));
        p[self.heading.axis] += shift * self.heading.sign();
        has_depth(self.water, self.detail, self.room.foot(p), self.room, LEAST * dx)
    }

    /// Returns how far in m a wet square's water extends beyond its center, or `known` if that is larger.
    fn beyond(&self, cell: IVec3, known: f64) -> f64 {
        let (end, exact) = (self.room_beyond(cell), EXACT * self.room.dx);
        // Along a straight front all squares extend equally far, so one test of each is enough.
        if known > 0.0 && (known + exact >= end || !self.is_wet(cell, known + exact)) {
            return known;
        }
        // The next square is dry, so this can only be true at the wall.
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

    /// Returns the distance from a square's center to the center of the next one, or to the wall.
    fn room_beyond(&self, cell: IVec3) -> f64 {
        let (a, dx) = (self.heading.axis, self.room.dx);
        let next = self.place(self.queued(cell, cell + 1).0, dx);
        if next < self.room.low[a] || next > self.room.high[a] { 0.5 * dx } else { dx }
    }

    /// Returns the coordinate at the distance `beyond` from the centers of the squares that extend as far as
    /// `reach`.
    fn place(&self, reach: i32, beyond: f64) -> f64 {
        let Room { low, dx, .. } = *self.room;
        let cell = if self.heading.forward { reach } else { -reach };
        low[self.heading.axis] + dx * (f64::from(cell) + 0.5) + self.heading.sign() * beyond
    }
}
