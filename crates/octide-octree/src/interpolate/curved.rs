//! Interpolation of a distance between cells of one level with its second derivatives: trilinear with a
//! quadratic term that does not reach across kinks (after Min & Gibou 2007),
//!
//! ```text
//! φ(x) = trilinear − ½ Σ_a t_a (1 − t_a) D_a,   D_a the second differences, interpolated;
//!                                                their minmod where one of them belongs to a kink.
//! ```
//!
//! Advection by trilinear values alone flattens what is curved, a little in every step.

use super::{CellSamples, sample};
use crate::apertures::Apertures;
use crate::mesh::Mesh;
use glam::DVec3;
use octide_core::index::{CellId, Field, TreeId};
use octide_core::octree::nodal;
use octide_core::par;

/// Cells farther from the surface than this many of their sizes need no quadratic term.
const NEAR: f64 = 4.0;

/// Within this many cells of a solid, φ is interpolated without the quadratic term.
const CLEAR: f64 = 2.0;

/// Second differences of more than this many cell sizes indicate a kink: a ball with a radius of two cells
/// has ½.
const KINK: f32 = 0.5;

/// A distance with its second differences.
pub struct CurvedPhi<'a> {
    mesh: &'a Mesh,
    phi: &'a Field<CellId, f64>,
    second: Field<CellId, [f32; 3]>,
}

impl<'a> CurvedPhi<'a> {
    /// Computes the second differences near the surface. Beside solids φ is extended linearly, and its second
    /// differences have no meaning.
    pub fn new(mesh: &'a Mesh, phi: &'a Field<CellId, f64>, apertures: &Apertures) -> Self {
        let second = par::map(mesh.n_cells(), |c: CellId| {
            let h = mesh.tree.size(c);
            if phi[c].abs() > NEAR * h || apertures.solid_distance(c) < CLEAR * h {
                return [0.0; 3];
            }
            let node = mesh.tree.node_of(c);
            std::array::from_fn(|axis| {
                let [low, high] = [0, 1].map(|side| mesh.tree.neighbor(node, 2 * axis + side));
                let same = |n: TreeId| {
                    n.is_some()
                        && mesh.tree.is_leaf(n)
                        && mesh.tree.node_level(n) == mesh.tree.node_level(node)
                };
                if !same(low) || !same(high) {
                    return 0.0;
                }
                let at = |n: TreeId| phi[mesh.tree.leaf_of(n)];
                (at(low) - 2.0 * phi[c] + at(high)) as f32
            })
        });
        Self { mesh, phi, second }
    }

    /// Returns the distance at `p`. If `p` lies between cells, the cell in the direction `toward` is used. `near` is a cell
    /// near `p`.
    pub fn sample(&self, near: CellId, p: DVec3, toward: DVec3) -> f64 {
        let mesh = self.mesh;
        let grid = mesh.tree.grid();
        let p = p.clamp(grid.low(), grid.high());
        let cell = mesh.tree.nearest_leaf_from(near, p);
        if !mesh.contacts.is_regular(cell) {
            return sample(mesh, &CellSamples(self.phi), cell, p, toward);
        }
        let r = (p - mesh.tree.center(cell)) / mesh.tree.size(cell);
        let (corners, t) = CellSamples::corners(mesh, cell, r);
        let plain = nodal::trilinear(|i| self.phi[corners[i]], t);
        let (mut mean, mut least, mut most) = ([0.0f64; 3], [None; 3], [0.0f32; 3]);
        for (i, &c) in corners.iter().enumerate() {
            let part = |a: usize| if i >> a & 1 == 1 { t[a] } else { 1.0 - t[a] };
            let w = part(0) * part(1) * part(2);
            // Cells without weight must be ignored: rounding decides on which side they lie.
            if w.abs() < 1e-9 {
                continue;
            }
            for (a, d) in self.second[c].into_iter().enumerate() {
                mean[a] += w * f64::from(d);
                most[a] = most[a].max(d.abs());
                least[a] = Some(least[a].map_or(d, |least| minmod(least, d)));
            }
        }
        let kink = KINK * mesh.tree.size(cell) as f32;
        let second = |a: usize| if most[a] < kink { mean[a] } else { f64::from(least[a].unwrap_or(0.0)) };
        // Beyond the last samples before a wall φ is extended linearly.
        let weight = |a: usize| (0.5 * t[a] * (1.0 - t[a])).max(0.0);
        plain - (0..3).map(|a| weight(a) * second(a)).sum::<f64>()
    }
}

fn minmod(a: f32, b: f32) -> f32 {
    if a * b <= 0.0 {
        0.0
    } else if a.abs() < b.abs() {
        a
    } else {
        b
    }
}
