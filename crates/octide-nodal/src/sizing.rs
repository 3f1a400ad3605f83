//! The cell size (§6): "adaptive refinement to a band about the interface (focusing more heavily on the water
//! side), noting that the signed distance property of φ makes this straightforward".
//!
//! Two rules, with Δx the finest edge, n the normal and α the scene's `strength`:
//!
//! ```text
//! finest cells where  −IN Δx < φ < OUT Δx;
//! elsewhere a cell of edge h is divided where its distance to the surface is less than
//!     UNDER h/α  in water,  OVER h/α  in air.
//! ```
//!
//! Under water, the distance to solids counts too. Levels may jump arbitrarily.
//!
//! A step's tree is built for where the surface will be. Every cell that contains the surface requests the
//! band around the position to which the flow advects it, using the cell's own plane, so that a drop or a
//! thin jet is not missed between the corners of large cells. Every other cell requests its own required size
//! where it is advected to.

mod request;

use crate::boundary::Boundary;
use crate::memory::WATER;
use crate::mesh::Mesh;
use crate::params::Params;
use glam::{DVec3, IVec3};
use octide_core::contract::StepError;
use octide_core::index::{CellId, Field, NodeId};
use octide_core::octree::nodal::{Vector, vector_in};
use octide_core::octree::{Grading, Octree, Refinement, RootGrid};
use octide_core::par;
use octide_core::sizing::{CellLimit, RefinementRequest, distance_to_detail};
use request::{Band, Request};

/// Width of the finest band below the surface, in finest cells: markers live within three, and a step must
/// not move them out of it.
pub const IN: f64 = 4.0;
/// Width of the finest band above the surface, in finest cells.
pub const OUT: f64 = 3.5;
/// Builds the tree for where the surface of `phi` will be after `dt`, or returns an error if it would have
/// more cells than allowed.
pub fn tree_for(
    mesh: &Mesh,
    phi: &Field<NodeId, f64>,
    boundary: &Boundary,
    corners: &Field<NodeId, impl Vector>,
    dt: f64,
    params: &Params,
) -> Result<Octree, StepError> {
    let (grid, sizing) = (mesh.tree.grid(), &params.sizing);
    let limit = limit(params);
    if sizing.strength <= 0.0 {
        return limit.uniform(grid, Grading::Unrestricted);
    }
    let mut refinement = limit.refinement(grid);
    let requests = par::collect(mesh.n_cells(), |i, out: &mut Vec<Request>| {
        let c = CellId(i as u32);
        let (x, h) = (mesh.tree.center(c), mesh.tree.size(c));
        let here = mesh.at_center(phi, c);
        let moved = x + dt * vector_in(&mesh.tree, &mesh.nodes, corners, c, x);
        let finest = sizing.finest_at(grid, x);
        if mesh.is_surface(phi, c) && boundary.solid_distance(c) > -h {
            if finest > 0 {
                out.push(Request::Band(Band::new(mesh, phi, c, here, moved, finest)));
            }
            return;
        }
        let gap = distance_to_detail(here, boundary.solid_distance(c), h) - 0.5 * h;
        let level = sizing.level(grid, gap, here < 0.0).min(finest);
        if level > 0 {
            // The centers of the requested cells lie within `half` of the new position.
            let half = 0.5 * (h - grid.cell_size(level)).max(0.0);
            RefinementRequest::new(&refinement, level, moved, half).push_to(out);
        }
    });
    for request in requests {
        request.refine(grid, &mut refinement);
    }
    build(refinement, params)
}

/// Builds the initial tree, for water whose distance is known everywhere, from the roots down.
pub fn first_tree(
    grid: &RootGrid,
    distance: impl Fn(DVec3) -> f64 + Sync,
    solid: impl Fn(DVec3) -> f64 + Sync,
    params: &Params,
) -> Result<Octree, StepError> {
    let sizing = &params.sizing;
    let limit = limit(params);
    if sizing.strength <= 0.0 {
        return limit.uniform(grid, Grading::Unrestricted);
    }
    let mut refinement = limit.refinement(grid);
    let mut candidates = grid.roots().to_vec();
    for level in 0..grid.max_level() {
        let (size, half) = (grid.cell_size(level), 1 << (grid.max_level() - level));
        let reach = 0.5 * 3f64.sqrt() * size;
        let passed = par::collect(candidates.len(), |i, out: &mut Vec<IVec3>| {
            let x = grid.position(candidates[i] * (2 * half) + half);
            let (phi, solid) = (distance(x), solid(x));
            let finest = sizing.finest_at(grid, x);
            let width = grid.cell_size(finest);
            let in_band = phi > -IN * width - reach && phi < OUT * width + reach && solid > -reach;
            // The distance of the cell's near side from the surface, or from a solid under water.
            let gap = distance_to_detail(phi, solid, size) - 0.5 * size;
            let wanted = sizing.level(grid, gap, phi < 0.0);
            if level < finest && (in_band || level < wanted) {
                out.push(candidates[i]);
            }
        });
        let children = |c: IVec3| (0..8).map(move |o| 2 * c + IVec3::new(o & 1, o >> 1 & 1, o >> 2));
        candidates = passed.iter().flat_map(|&c| children(c)).collect();
        passed.into_iter().for_each(|c| refinement.refine(level, c));
        if refinement.is_over() {
            break;
        }
    }
    build(refinement, params)
}

fn limit(params: &Params) -> CellLimit {
    CellLimit { model: WATER, max_cells: params.max_cells }
}

fn build(mut refinement: Refinement, params: &Params) -> Result<Octree, StepError> {
    params.sizing.regions.add_to(&mut refinement);
    limit(params).build(refinement, Grading::Unrestricted, params.sizing.dilation)
}

#[cfg(test)]
mod tests;
