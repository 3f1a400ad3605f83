//! Continuous least squares, an option (Fig. 9, bottom):
//!
//! ```text
//! Σ N_i(r_i) (q + g·r_i − q_i)² → min,   N_i(r) = Π_j max(1 − |r_j|/h_ij±, 0),
//! ```
//!
//! without ε, and with a separate width h for each of a sample's six directions. The fit is continuous in the
//! query as long as the weights are continuous, every sample with a positive weight is included, and the
//! query lies in the affine hull of these samples: coefficients of weighted least squares are bounded for all
//! weights, and the value of the fit in the hull of some samples does not depend on others whose weights
//! vanish.
//!
//! If h were the sample's own size, there would be gaps in which only a large sample has a weight, because
//! the small kernels end before its center. So the kernels of small samples are 1.5 sizes wide toward a
//! larger neighbor, where they end at the plane of its center; those of T-junctions' faces are half as wide
//! on the fine side. No kernel reaches farther than the cells that touch its own, or into a cell that
//! interpolates trilinearly with others; in uniform surroundings the weights are the trilinear ones.
//!
//! Differs from the paper, which fills the gaps with ghost samples between the small ones and leaves the
//! kernels of the small samples unchanged. Here there are no ghosts, and one rule serves cells and faces.
//!
//! Guarantees: continuous, and exact for linear fields away from walls. Velocities are mirrored at walls,
//! distances are extended linearly from inside. Not guaranteed: continuity of φ at edges of the domain, where
//! trilinear values have a twist that images do not have; and results within the range of the samples,
//! because a limit that depends on which samples are included jumps when they change.

use super::fit::Fit;
use super::{Sample, Samples};
use crate::mesh::Mesh;
use glam::{DVec3, IVec3};
use octide_core::index::CellId;

/// The width of kernels toward a larger neighbor, in sizes.
const WIDE: f64 = 1.5;

/// Returns the value at `p` as seen from the irregular `cell`.
pub(super) fn least_squares<S: Samples>(mesh: &Mesh, samples: &S, cell: CellId, p: DVec3) -> f64 {
    let tree = &mesh.tree;
    let grid = tree.grid();
    let at = grid.to_lattice(p);
    let node = tree.node_of(cell);
    let scale = 1.0 / f64::from(2 * tree.half_extent(node));
    let at_wall = (0..6).any(|d| tree.neighbor(node, d).is_none());
    let low = grid.min() << (u32::from(grid.max_level()) + 1);
    let high = (grid.min() + grid.dims()) << (u32::from(grid.max_level()) + 1);
    let mut fit = Fit::new();
    samples.for_around(mesh, cell, &mut |s| {
        let r = (s.place.as_dvec3() - at) * scale;
        let size = f64::from(s.size) * scale;
        if r.abs().max_element() >= WIDE * size {
            return;
        }
        let k = kernel(mesh, &s, samples.axis(), r, size);
        if k.min_element() > 0.0 {
            fit.weigh(r, k.x * k.y * k.z, s.value);
        }
        if at_wall {
            add_images(mesh, samples, &mut fit, &s, (low, high), r, k, size);
        }
    });
    fit.solve()
}

/// Returns the factors of a sample's kernel at a query; `r` is the sample's offset from the query.
#[inline]
fn kernel(mesh: &Mesh, s: &Sample, axis: usize, r: DVec3, size: f64) -> DVec3 {
    let mut k = DVec3::ZERO;
    for a in 0..3 {
        // The side that the query lies on.
        let side = 2 * a + usize::from(r[a] < 0.0);
        let h = if s.narrow == side {
            0.5 * size
        } else if a != axis && meets_larger(mesh, s, side) {
            WIDE * size
        } else {
            size
        };
        k[a] = 1.0 - r[a].abs() / h;
    }
    k
}

/// Returns whether a larger cell lies on a side of a sample.
#[inline]
fn meets_larger(mesh: &Mesh, s: &Sample, side: usize) -> bool {
    s.nodes.iter().any(|&node| {
        node.is_some() && {
            let next = mesh.tree.neighbor(node, side);
            next.is_some() && mesh.tree.node_level(next) < mesh.tree.node_level(node)
        }
    })
}

/// Adds the images of a sample in the first layer at a wall, also across edges and corners of the domain.
#[allow(clippy::too_many_arguments, reason = "one sample and all that is known of it")]
fn add_images(
    mesh: &Mesh,
    samples: &impl Samples,
    fit: &mut Fit,
    s: &Sample,
    (low, high): (IVec3, IVec3),
    r: DVec3,
    k: DVec3,
    size: f64,
) {
    let mut shift = DVec3::ZERO;
    for a in 0..3 {
        if 2 * (s.place[a] - low[a]) == s.size {
            shift[a] = -size;
        } else if 2 * (high[a] - s.place[a]) == s.size {
            shift[a] = size;
        }
    }
    for o in 1..8 {
        let picked = |a: usize| o >> a & 1 == 1;
        if (0..3).any(|a| picked(a) && shift[a] == 0.0) {
            continue;
        }
        let (mut at, mut k) = (r, k);
        for a in (0..3).filter(|&a| picked(a)) {
            at[a] += shift[a];
            k[a] = 1.0 - at[a].abs() / size;
        }
        if k.min_element() > 0.0 {
            let more = |a: usize| samples.beyond(mesh, s, 2 * a + usize::from(shift[a] > 0.0));
            let value = s.value + (0..3).filter(|&a| picked(a)).map(more).sum::<f64>();
            fit.weigh(at, k.x * k.y * k.z, value);
        }
    }
}

#[cfg(test)]
mod tests;
