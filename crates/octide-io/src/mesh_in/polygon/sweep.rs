//! Triangulation of a simple polygon in n log n time.
//!
//! A line sweeps over the corners from low to high x and divides the polygon by diagonals into parts that it
//! cuts in one piece each (de Berg et al., Computational Geometry, ch. 3). The corners of such a part, in the
//! order of the sweep, lie on its lower or upper chain. Each run of corners on one chain, together with the
//! corner before and the corner after it, which are on the other chain, is a polygon in which every convex
//! corner of the run can be cut off. They are cut off in rounds, no two neighbors in the same round, so that
//! a long run is divided into triangles of all sizes and not into a fan.
//!
//! The result is `None` for polygons that are not simple.

use super::turn;
use glam::DVec2;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Divides a counter-clockwise polygon into triangles of its corners, all counter-clockwise.
pub(super) fn triangulate(points: &[DVec2]) -> Option<Vec<[usize; 3]>> {
    let mut triangles = Vec::with_capacity(points.len() - 2);
    for part in parts(points, &diagonals(points)?)? {
        divide_part(points, &part, &mut triangles)?;
    }
    (triangles.len() == points.len() - 2).then_some(triangles)
}

/// Returns whether the sweep comes to `a` before `b`.
fn is_before(points: &[DVec2], a: usize, b: usize) -> bool {
    order(points, a, b) == Ordering::Less
}

fn order(points: &[DVec2], a: usize, b: usize) -> Ordering {
    let (p, q) = (points[a], points[b]);
    p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(a.cmp(&b))
}

/// A side of the polygon with the inside above it, from the corner that the sweep meets first; or a point.
#[derive(Clone, Copy)]
struct LowerSide {
    from: DVec2,
    to: DVec2,
    /// The number of the first corner.
    id: usize,
}

impl LowerSide {
    fn is_point(&self) -> bool {
        self.from == self.to
    }

    /// Returns whether a point is above this side, below it, or on it.
    fn place_of(&self, p: DVec2) -> Ordering {
        turn(self.from, self.to, p).partial_cmp(&0.0).unwrap_or(Ordering::Equal)
    }
}

/// The order from bottom to top of sides that the sweep cuts at the same time, which therefore do not cross.
impl Ord for LowerSide {
    fn cmp(&self, other: &Self) -> Ordering {
        let starts_later = (self.from.x, self.from.y) > (other.from.x, other.from.y);
        let order = if self.is_point() || starts_later && !other.is_point() {
            other.place_of(self.from).then(other.place_of(self.to))
        } else {
            self.place_of(other.from).then(self.place_of(other.to)).reverse()
        };
        order.then(self.id.cmp(&other.id))
    }
}

impl PartialOrd for LowerSide {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for LowerSide {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for LowerSide {}

/// The last corner that the sweep met above a lower side and below the next upper one.
#[derive(Clone, Copy)]
struct Helper {
    corner: usize,
    /// Whether two parts of the polygon merge there: the next corner must be joined with it.
    merges: bool,
}

/// The sides that the sweep line cuts.
struct Status<'a> {
    points: &'a [DVec2],
    sides: BTreeMap<LowerSide, Helper>,
    diagonals: Vec<[usize; 2]>,
}

impl Status<'_> {
    fn side(&self, from: usize) -> LowerSide {
        let to = (from + 1) % self.points.len();
        LowerSide { from: self.points[from], to: self.points[to], id: from }
    }

    fn begin(&mut self, corner: usize) {
        self.sides.insert(self.side(corner), Helper { corner, merges: false });
    }

    /// Ends the lower side that leads to a corner.
    fn end(&mut self, corner: usize) -> Option<()> {
        let n = self.points.len();
        let helper = self.sides.remove(&self.side((corner + n - 1) % n))?;
        if helper.merges {
            self.diagonals.push([corner, helper.corner]);
        }
        Some(())
    }

    /// Meets a corner above a lower side, which becomes that side's helper.
    fn pass(&mut self, corner: usize, splits: bool, merges: bool) -> Option<()> {
        let p = self.points[corner];
        let at = LowerSide { from: p, to: p, id: corner };
        let helper = self.sides.range_mut(..at).next_back()?.1;
        if splits || helper.merges {
            self.diagonals.push([corner, helper.corner]);
        }
        *helper = Helper { corner, merges };
        Some(())
    }
}

/// Returns diagonals that divide a polygon into parts that the sweep line cuts in one piece.
fn diagonals(points: &[DVec2]) -> Option<Vec<[usize; 2]>> {
    let n = points.len();
    let mut events: Vec<usize> = (0..n).collect();
    events.sort_unstable_by(|&a, &b| order(points, a, b));
    let mut status = Status { points, sides: BTreeMap::new(), diagonals: Vec::new() };
    for v in events {
        let (before, after) = ((v + n - 1) % n, (v + 1) % n);
        let comes_forward = is_before(points, before, v);
        let goes_forward = is_before(points, v, after);
        let is_convex = turn(points[before], points[v], points[after]) > 0.0;
        match (comes_forward, goes_forward) {
            // A part begins, or one is split.
            (false, true) => {
                if !is_convex {
                    status.pass(v, true, false)?;
                }
                status.begin(v);
            }
            // A part ends, or two merge.
            (true, false) => {
                status.end(v)?;
                if !is_convex {
                    status.pass(v, false, true)?;
                }
            }
            (true, true) => {
                status.end(v)?;
                status.begin(v);
            }
            (false, false) => status.pass(v, false, false)?,
        }
    }
    status.sides.is_empty().then_some(status.diagonals)
}

/// Returns the parts of a polygon between diagonals, each as a loop of corners.
fn parts(points: &[DVec2], diagonals: &[[usize; 2]]) -> Option<Vec<Vec<usize>>> {
    let n = points.len();
    // The ways out of each corner, sorted by corner and then counter-clockwise.
    let mut ways: Vec<(usize, f64, usize)> = Vec::with_capacity(n + 2 * diagonals.len());
    let mut add = |from: usize, to: usize| {
        let d = points[to] - points[from];
        ways.push((from, d.y.atan2(d.x), to));
    };
    (0..n).for_each(|i| add(i, (i + 1) % n));
    diagonals.iter().for_each(|&[a, b]| {
        add(a, b);
        add(b, a);
    });
    ways.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
    let first: Vec<usize> = (0..=n).map(|i| ways.partition_point(|w| w.0 < i)).collect();
    // From a corner, the way that is next in clockwise order to the way back.
    let onward = |from: usize, at: usize| {
        let back = points[from] - points[at];
        let angle = back.y.atan2(back.x);
        let own = &ways[first[at]..first[at + 1]];
        let k = own.partition_point(|w| w.1 < angle);
        first[at] + if k == 0 { own.len() - 1 } else { k - 1 }
    };
    let mut is_used = vec![false; ways.len()];
    let mut parts = Vec::with_capacity(diagonals.len() + 1);
    for start in 0..ways.len() {
        let mut part = Vec::new();
        let mut way = start;
        while !is_used[way] {
            is_used[way] = true;
            part.push(ways[way].0);
            way = onward(ways[way].0, ways[way].2);
        }
        if way != start {
            return None;
        }
        if !part.is_empty() {
            parts.push(part);
        }
    }
    Some(parts)
}

/// Divides a part that the sweep line cuts in one piece.
fn divide_part(points: &[DVec2], part: &[usize], triangles: &mut Vec<[usize; 3]>) -> Option<()> {
    let n = part.len();
    let lowest = (0..n).min_by(|&a, &b| order(points, part[a], part[b]))?;
    let highest = (0..n).max_by(|&a, &b| order(points, part[a], part[b]))?;
    let n_lower = (highest + n - lowest) % n;
    let lower = (1..n_lower).map(|i| part[(lowest + i) % n]);
    let upper = (1..n - n_lower).map(|i| part[(lowest + n - i) % n]);
    let mut corners: Vec<(usize, bool)> = lower.map(|v| (v, true)).chain(upper.map(|v| (v, false))).collect();
    let is_sorted = |chain: bool| {
        let mut own = corners.iter().filter(|c| c.1 == chain);
        let Some(mut last) = own.next() else { return true };
        own.all(|c| is_before(points, std::mem::replace(&mut last, c).0, c.0))
    };
    if !is_sorted(true) || !is_sorted(false) {
        return None;
    }
    corners.sort_by(|a, b| order(points, a.0, b.0));
    let mut before = part[lowest];
    let mut done = 0;
    for run in corners.chunk_by(|a, b| a.1 == b.1) {
        done += run.len();
        let after = corners.get(done).map_or(part[highest], |c| c.0);
        let mut chain: Vec<usize> = vec![before];
        chain.extend(run.iter().map(|c| c.0));
        chain.push(after);
        before = run.last()?.0;
        if !run[0].1 {
            chain.reverse();
        }
        cut_corners(points, &chain, triangles)?;
    }
    Some(())
}

/// Divides a polygon of which only the side between the last corner and the first lies beyond a chain that
/// the sweep meets in order, by cutting off its convex corners.
fn cut_corners(points: &[DVec2], chain: &[usize], triangles: &mut Vec<[usize; 3]>) -> Option<()> {
    let n = chain.len();
    let mut previous: Vec<usize> = (0..n).map(|i| i.saturating_sub(1)).collect();
    let mut next: Vec<usize> = (1..=n).collect();
    let mut is_cut = vec![false; n];
    // The round in which a corner was last put off to the next one.
    let mut put_off = vec![0; n];
    let mut open: Vec<usize> = (1..n - 1).collect();
    let mut n_cut = 0;
    for round in 1.. {
        let mut later = Vec::new();
        for i in open {
            if is_cut[i] || put_off[i] == round {
                continue;
            }
            let (a, b) = (previous[i], next[i]);
            if turn(points[chain[a]], points[chain[i]], points[chain[b]]) < 0.0 {
                continue;
            }
            triangles.push([chain[a], chain[i], chain[b]]);
            (next[a], previous[b], is_cut[i]) = (b, a, true);
            n_cut += 1;
            for neighbor in [a, b] {
                if neighbor > 0 && neighbor < n - 1 && put_off[neighbor] != round {
                    put_off[neighbor] = round;
                    later.push(neighbor);
                }
            }
        }
        if later.is_empty() {
            break;
        }
        open = later;
    }
    (n_cut == n - 2).then_some(())
}
