//! The sheets of the surface at a corner of the tree, for each of the 256 combinations of liquid and air in
//! the eight octants around it.
//!
//! On a small sphere around the corner, the octants are eight triangles:
//!
//! ```text
//!   12 arcs     between octants that differ in one bit: quarters of octree faces
//!    6 poles    the half-axes where four octants and four arcs meet: octree edges
//! ```
//!
//! The surface crosses an arc between liquid and air. At a pole, 0, 2 or 4 arcs are crossed. Two crossed arcs
//! are connected. Of four, the two of each liquid octant are connected, so that liquids that touch only along
//! an edge stay separate; both ends of an edge see the same four leaves and decide alike. Every crossed arc
//! is therefore connected at both of its ends, and crossed arcs form closed loops: the sheets of the surface.
//! All octants that belong to the leaf on which a corner hangs have one sign, so nothing here depends on
//! levels.

/// Number of arcs around a corner.
pub const ARCS: usize = 12;

/// The sheets at a corner.
#[derive(Clone, Copy)]
pub struct Sheets {
    /// Number of sheets, at most four.
    pub count: u8,
    /// The sheet of each arc; more than four if the arc is not crossed.
    pub of_arc: [u8; ARCS],
}

/// The sheets for each mask of liquid octants.
pub static SHEETS: [Sheets; 256] = {
    let mut table = [Sheets { count: 0, of_arc: [NO_SHEET; ARCS] }; 256];
    let mut mask = 0;
    while mask < 256 {
        table[mask] = loops(mask as u8);
        mask += 1;
    }
    table
};

const NO_SHEET: u8 = u8::MAX;

/// Returns the arc between an octant and the next one along `axis`.
#[inline]
pub const fn arc(octant: usize, axis: usize) -> usize {
    let (u, v) = others(axis);
    4 * axis + (octant >> u & 1) + 2 * (octant >> v & 1)
}

/// Returns the octants on the low and the high side of an arc.
#[inline]
pub const fn sides(arc: usize) -> (usize, usize) {
    let axis = arc / 4;
    let (u, v) = others(axis);
    let low = (arc & 1) << u | (arc >> 1 & 1) << v;
    (low, low | 1 << axis)
}

/// Returns the two axes after this one, cyclically.
#[inline]
pub const fn others(axis: usize) -> (usize, usize) {
    ((axis + 1) % 3, (axis + 2) % 3)
}

/// Returns the four octants around the half-axis along `axis`, toward `side`, in cyclic order.
#[inline]
pub const fn around(axis: usize, side: usize) -> [usize; 4] {
    let (u, v) = others(axis);
    let base = side << axis;
    [base, base | 1 << u, base | 1 << u | 1 << v, base | 1 << v]
}

/// Returns whether liquid and air alternate around a half-axis, so that four arcs are crossed there.
#[inline]
pub const fn is_ambiguous(mask: u8, axis: usize, side: usize) -> bool {
    let [a, b, c, d] = around(axis, side);
    let (a, b, c, d) = (mask >> a & 1, mask >> b & 1, mask >> c & 1, mask >> d & 1);
    a == c && b == d && a != b
}

/// Connects crossed arcs at the six poles and numbers the loops in the order of their first arcs.
const fn loops(mask: u8) -> Sheets {
    let mut label = [NO_SHEET; ARCS];
    let mut k = 0;
    while k < ARCS {
        let (low, high) = sides(k);
        if mask >> low & 1 != mask >> high & 1 {
            label[k] = k as u8;
        }
        k += 1;
    }
    let mut pole = 0;
    while pole < 6 {
        label = join_at(mask, pole / 2, pole % 2, label);
        pole += 1;
    }
    let mut out = Sheets { count: 0, of_arc: [NO_SHEET; ARCS] };
    let mut k = 0;
    while k < ARCS {
        // The label of a loop is its first arc, which was numbered before the others are visited.
        if label[k] as usize == k {
            out.of_arc[k] = out.count;
            out.count += 1;
        } else if label[k] != NO_SHEET {
            out.of_arc[k] = out.of_arc[label[k] as usize];
        }
        k += 1;
    }
    out
}

/// Connects the crossed arcs around a half-axis: both of two, or of four those of each liquid octant.
const fn join_at(mask: u8, axis: usize, side: usize, mut label: [u8; ARCS]) -> [u8; ARCS] {
    let (u, v) = others(axis);
    let ambiguous = is_ambiguous(mask, axis, side);
    let ring = around(axis, side);
    let mut first = NO_SHEET;
    let mut i = 0;
    while i < 4 {
        let (a, b) = (label[arc(ring[i], u)], label[arc(ring[i], v)]);
        if ambiguous {
            if mask >> ring[i] & 1 == 1 {
                label = merge(label, a, b);
            }
        } else {
            let mut pair = 0;
            while pair < 2 {
                let one = if pair == 0 { a } else { b };
                if one != NO_SHEET && first == NO_SHEET {
                    first = one;
                } else if one != NO_SHEET {
                    label = merge(label, first, one);
                    first = if first < one { first } else { one };
                }
                pair += 1;
            }
        }
        i += 1;
    }
    label
}

/// Merges two loops under the lower label.
const fn merge(mut label: [u8; ARCS], a: u8, b: u8) -> [u8; ARCS] {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    let mut k = 0;
    while k < ARCS {
        if label[k] == high {
            label[k] = low;
        }
        k += 1;
    }
    label
}
