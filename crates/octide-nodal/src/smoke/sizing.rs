//! The cell size (§5): small near objects, where vorticity is high, and in a band of densities,
//!
//! ```text
//! |d| < r Δx₀        finest cells; d is the distance to objects,
//! h ≤ U / (w |ω|)    U is the largest speed: a layer over which the speed changes by U is w cells wide,
//! ρ₀ < ρ < ρ₁        finest cells; thinner smoke is invisible, denser smoke hides its inside.
//! ```
//!
//! The boundaries of sources have finest cells while the sources act. The paper gives no numbers for
//! vorticity. With U, which is at least a fraction of the speed that the scene's forces can produce, the rule
//! means the same in every scene and at every resolution.
//!
//! Each cell of the old tree requests a level at the position to which the flow advects it, so that the new
//! tree is fine where the smoke will be. A cell keeps its size until its request is clearly coarser, so that
//! trees do not flicker.
//!
//! Differs from the paper, whose trees are unrestricted: neighbors differ by at most one level, also across
//! edges and corners. The method accepts any tree ([`SmokeParams::grading`]), but the relative error of
//! pressure differences across a face grows with the level jump, and it would be visible in the smoke at the
//! boundary of the finest cells.

use super::params::{HALF_DIAGONAL, SmokeParams};
use super::sources::Moment;
use super::state::SmokeState;
use super::vorticity::{cell_velocities, vorticity};
use crate::memory::SMOKE;
use crate::mesh::Mesh;
use glam::{DVec3, Vec3};
use octide_core::contract::StepError;
use octide_core::geometry::ShapeSet;
use octide_core::index::{CellId, Field, NodeId};
use octide_core::octree::{CellBox, Octree, Refinement, RootGrid};
use octide_core::par;
use octide_core::sizing::{CellLimit, RefinementRequest};
use octide_core::solids::Solids;

/// Width of the finest band on either side of a source's boundary, in finest cells.
const SOURCE_BAND: f64 = 2.0;
/// Width of the finest band below an object's surface, in finest cells.
const OBJECT_BAND: f64 = 1.5;
/// A cell keeps its size while this factor times its vorticity would request it, ...
const KEEP: f64 = 1.5;
/// ... and while its densities are in a band that is wider by this factor.
const WIDER: f64 = 1.25;

/// Builds the tree that the scene alone requests, by objects and sources, in a step or at the start.
pub fn first_tree(
    grid: &RootGrid,
    solids: &Solids,
    now: Moment,
    params: &SmokeParams,
) -> Result<Octree, StepError> {
    built(refinement_for(grid, solids, now, params)?, params)
}

/// Builds the tree for where the smoke of `old` will be after `dt`; `solids` are those at that time.
pub fn tree_for(
    old: &SmokeState,
    corners: &Field<NodeId, Vec3>,
    solids: &Solids,
    dt: f64,
    params: &SmokeParams,
) -> Result<Octree, StepError> {
    let mesh = &old.mesh;
    let now = Moment::Step(old.time, dt);
    let mut refinement = refinement_for(mesh.tree.grid(), solids, now, params)?;
    for request in requests(old, corners, solids, dt, params, &refinement) {
        request.refine(&mut refinement);
    }
    built(refinement, params)
}

fn limit(params: &SmokeParams) -> CellLimit {
    CellLimit { model: SMOKE, max_cells: params.max_cells }
}

fn built(refinement: Refinement, params: &SmokeParams) -> Result<Octree, StepError> {
    limit(params).build(refinement, params.grading, params.detail.dilation)
}

/// Refines for objects, sources and the scene's own bounds.
fn refinement_for(
    grid: &RootGrid,
    solids: &Solids,
    now: Moment,
    params: &SmokeParams,
) -> Result<Refinement, StepError> {
    let detail = &params.detail;
    let max = grid.max_level();
    let coarsest = ((1.0 - detail.strength) * f64::from(max)).round() as u8;
    if coarsest == max {
        limit(params).allow_finest(grid)?;
    }
    let (dx, sources) = (grid.dx(), params.sources.regions(now));
    let sources = ShapeSet::new(sources.iter().map(|s| &*s.shape));
    let has_objects = !solids.is_empty() && detail.solids > 0.0;
    let near_objects = |x: DVec3, r: f64| {
        let d = solids.distance(x);
        d < r + detail.solids * dx && d > -r - OBJECT_BAND * dx
    };
    let refines = |c: &CellBox| {
        let (x, r) = (c.center, HALF_DIAGONAL * c.size);
        c.level < coarsest
            || (has_objects && near_objects(x, r) || sources.distance_to_surface(x) < r + SOURCE_BAND * dx)
                && detail.sees(x, c.size)
                && c.level < detail.regions.finest_at(x, max)
    };
    let mut refinement = limit(params).refinement(grid);
    refinement.refine_where(refines);
    detail.regions.add_to(&mut refinement);
    Ok(refinement)
}

/// Returns the refinement requests of the cells of the old tree.
fn requests(
    old: &SmokeState,
    corners: &Field<NodeId, Vec3>,
    solids: &Solids,
    dt: f64,
    params: &SmokeParams,
    refinement: &Refinement,
) -> Vec<RefinementRequest> {
    let (mesh, detail) = (&old.mesh, &params.detail);
    let grid = mesh.tree.grid();
    let max = grid.max_level();
    let sizes: Vec<f64> = (0..max).map(|level| grid.cell_size(level)).collect();
    let level_for = |h: f64| sizes.iter().take_while(|&&size| size > h).count() as u8;
    let fastest = par::max(corners.len(), |v| corners[NodeId(v as u32)].as_dvec3().length());
    let speed = fastest.max(detail.least_speed);
    let omega = (detail.vorticity > 0.0).then(|| vorticity(mesh, &cell_velocities(mesh, &old.u), |_| true));
    par::collect(mesh.n_cells(), |i, out: &mut Vec<RefinementRequest>| {
        let c = CellId(i as u32);
        let (x, h, own) = (mesh.tree.center(c), mesh.tree.size(c), mesh.tree.level(c));
        let densities = range(mesh, &old.density, c);
        let wider = if own == max { WIDER } else { 1.0 };
        let mut level = if detail.in_band(densities, wider) { max } else { 0 };
        if let Some(omega) = &omega {
            let strength = detail.vorticity * omega[c].length();
            if strength > 0.0 && level < max {
                let (asked, kept) = (level_for(speed / strength), level_for(speed / (KEEP * strength)));
                level = level.max(asked).max(kept.min(own));
            }
        }
        level = level.min(detail.regions.finest_at(x, max));
        // The inside of objects is invisible.
        if level == 0 || !detail.sees(x, h) || solids.distance(x) < -h {
            return;
        }
        let size = grid.cell_size(level);
        let half = 0.5 * (h - size).max(0.0) + 0.25 * size.min(h);
        let moved = x + dt * mesh.vector_at_center(corners, c);
        RefinementRequest::new(refinement, level, moved, half).push_to(out);
    })
}

/// Returns the smallest and the largest value at a cell's corners.
fn range(mesh: &Mesh, q: &Field<NodeId, f64>, cell: CellId) -> [f64; 2] {
    let values = mesh.nodes.of_cell(cell).map(|v| q[v]);
    values.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], &q| [a.min(q), b.max(q)])
}

#[cfg(test)]
mod tests;
