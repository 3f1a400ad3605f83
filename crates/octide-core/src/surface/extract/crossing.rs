//! Crossings of the surface: the octree faces between liquid and air leaves, and for each the point between
//! the two leaf centers where phi is zero.
//!
//! With s from 0 at the liquid center to 1 at the air center, phi(s) = a + (b − a)s − ½c s(1 − s), where c =
//! (∇phi_b − ∇phi_a)·d is the curvature along d. Since a < 0 ≤ b there is exactly one zero. On a linear field
//! c is 0. Without c, the oblique, longer connections at changes of level would cut more off a curved surface
//! than their neighbors do, and a seam would be visible. Where phi is rough, c is unreliable and is limited.

use super::gradient::gradient;
use crate::index::{CellId, Field};
use crate::octree::{DIRECTIONS, Octree};
use crate::par;
use glam::DVec3;

/// Returns whether a leaf is liquid; outside the domain there is air.
#[inline]
pub fn is_liquid(phi: &Field<CellId, f64>, cell: CellId) -> bool {
    cell.is_some() && phi[cell] < 0.0
}

/// An octree face between liquid and air, as large as the smaller of its two leaves.
pub struct Face {
    /// The smaller leaf; of two equal leaves, the lower one.
    pub small: CellId,
    /// The leaf on the other side; none at a wall.
    pub other: CellId,
    /// The direction from the smaller leaf to the other.
    pub direction: usize,
    /// Whether the smaller leaf is the liquid one.
    pub small_is_liquid: bool,
}

/// Returns all faces that the surface crosses.
pub fn faces(tree: &Octree, phi: &Field<CellId, f64>) -> Vec<Face> {
    par::collect(tree.n_cells(), |i, out| {
        let small = CellId(i as u32);
        let node = tree.node_of(small);
        let small_is_liquid = is_liquid(phi, small);
        for direction in 0..DIRECTIONS {
            let beyond = tree.neighbor(node, direction);
            let other = if beyond.is_none() { CellId::NONE } else { tree.leaf_of(beyond) };
            if small_is_liquid == is_liquid(phi, other) || beyond.is_some() && other.is_none() {
                continue; // one sign, or finer leaves beyond that have this face
            }
            let larger = other.is_some() && tree.node_level(beyond) < tree.node_level(node);
            if larger || other.is_none() || direction & 1 == 1 {
                out.push(Face { small, other, direction, small_is_liquid });
            }
        }
    })
}

/// A point of the surface, and the normal there that points out of the liquid.
#[derive(Clone, Copy)]
pub struct Crossing {
    pub point: DVec3,
    pub normal: DVec3,
    /// Whether the water ends at a solid there.
    pub is_wall: bool,
}

/// A field with its gradients at the leaves of crossed faces.
struct Sampled<'a> {
    values: &'a Field<CellId, f64>,
    gradients: Vec<DVec3>,
    /// −1 if the values are positive where there may be water.
    sign: f64,
}

/// Computes crossings; stores the gradients at the leaves of crossed faces.
pub struct Crossings<'a> {
    tree: &'a Octree,
    slot: Field<CellId, u32>,
    phi: Sampled<'a>,
    /// The distance to solids, if water ends at them.
    outside: Option<Sampled<'a>>,
}

impl<'a> Crossings<'a> {
    /// Computes the gradients on both sides of `faces`.
    pub fn new(
        tree: &'a Octree,
        phi: &'a Field<CellId, f64>,
        outside: Option<&'a Field<CellId, f64>>,
        faces: &[Face],
    ) -> Self {
        let mut slot = Field::filled(tree.n_cells(), u32::MAX);
        for face in faces.iter().filter(|f| f.other.is_some()) {
            slot[face.small] = 0;
            slot[face.other] = 0;
        }
        let mut cells = Vec::new();
        for cell in tree.cells() {
            if slot[cell] == 0 {
                slot[cell] = cells.len() as u32;
                cells.push(cell);
            }
        }
        let sampled = |values: &'a Field<CellId, f64>, sign: f64| Sampled {
            values,
            gradients: par::map_index(cells.len(), |i| sign * gradient(tree, values, cells[i])),
            sign,
        };
        Self { tree, phi: sampled(phi, 1.0), outside: outside.map(|d| sampled(d, -1.0)), slot }
    }

    /// Returns the crossing between a liquid and an air leaf that share a crossed face.
    pub fn between(&self, liquid: CellId, air: CellId) -> Crossing {
        let outside = self.outside.as_ref().filter(|d| d.values[air] <= 0.0).map(|d| (d, true));
        let phi = (self.phi.values[air] >= 0.0 || outside.is_none()).then_some((&self.phi, false));
        let zeros = [phi, outside].into_iter().flatten().map(|(field, is_wall)| {
            let (s, normal) = self.zero_of(field, liquid, air);
            (s, normal, is_wall)
        });
        let first = zeros.reduce(|a, b| if b.0 < a.0 { b } else { a });
        let (s, normal, is_wall) = first.unwrap_or((0.5, DVec3::ZERO, false));
        let (x, d) = (self.tree.center(liquid), self.tree.center(air) - self.tree.center(liquid));
        Crossing { point: x + d * s, normal: normal.normalize_or(d.normalize_or_zero()), is_wall }
    }

    /// Returns where a field is zero between two leaves, as a part of the way, and its gradient there.
    fn zero_of(&self, field: &Sampled<'_>, liquid: CellId, air: CellId) -> (f64, DVec3) {
        let d = self.tree.center(air) - self.tree.center(liquid);
        let (a, b) = (field.sign * field.values[liquid], field.sign * field.values[air]);
        let [ga, gb] = [liquid, air].map(|c| field.gradients[self.slot[c] as usize]);
        let rise = b - a;
        let resolved = 0.25 * (ga.length() + gb.length()) * d.length();
        let limit = (2.0 * rise).max(resolved);
        let c = (gb - ga).dot(d).clamp(-limit, limit);
        let s = zero(a, rise - 0.5 * c, 0.5 * c);
        // Across the surface, the values at the two centers give the slope most accurately; the gradients of
        // the cells are wrong in thin films.
        let g = ga.lerp(gb, s);
        let slope = rise - 0.5 * c * (1.0 - 2.0 * s);
        (s, g + d * ((slope - g.dot(d)) / d.length_squared()))
    }
}

/// Returns the zero of a + b s + c s² in [0, 1], where a < 0 ≤ a + b + c.
fn zero(a: f64, b: f64, c: f64) -> f64 {
    let root = (b * b - 4.0 * a * c).max(0.0).sqrt();
    let s = if b >= 0.0 { -2.0 * a / (b + root) } else { (root - b) / (2.0 * c) };
    if s.is_finite() { s.clamp(0.0, 1.0) } else { 0.5 }
}

#[cfg(test)]
mod tests {
    use super::zero;

    #[test]
    fn zeros_of_parabolas() {
        for a in [-1.0, -1e-3, -1e-9] {
            for end in [0.0, 1e-9, 0.1, 3.0] {
                for c in [-40.0, -1.0, -1e-12, 0.0, 1e-12, 0.5, 7.0] {
                    let b = end - a - c;
                    let s = zero(a, b, c);
                    assert!((0.0..=1.0).contains(&s));
                    assert!((a + b * s + c * s * s).abs() < 1e-13, "{a} {b} {c}: {s}");
                }
            }
        }
        assert_eq!(zero(-f64::INFINITY, f64::INFINITY, 0.0), 0.5);
    }
}
