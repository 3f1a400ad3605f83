//! How large cells are (§6): "adaptive refinement to a band about the interface (focusing more heavily on the
//! water side), noting that the signed distance property of φ makes this straightforward".
//!
//! Two rules, with Δx the finest edge, n the normal and α the scene's `strength`:
//!
//! ```text
//! finest cells where  −IN Δx < φ < OUT Δx;
//! elsewhere a cell of edge h is divided where it reaches nearer to the surface than  UNDER h/α  in water, OVER h/α in air.
//! ```
//!
//! The distance is to solids too where they are under water. Levels may jump at will.
//!
//! A step's tree is for where the surface will be. Every cell that the surface passes asks for the band
//! around the place to which the flow carries it, by its own plane; so a drop or a thin jet is not overlooked
//! between the corners of large cells. Every other cell asks for its own size where it is carried to.

mod wanted;

use crate::boundary::Boundary;
use crate::memory::WATER;
use crate::mesh::Mesh;
use crate::params::Params;
use glam::{DVec3, IVec3};
use octide_core::contract::StepError;
use octide_core::index::{CellId, Field, NodeId};
use octide_core::memory::finest_cells;
use octide_core::octree::nodal::{Vector, vector_in};
use octide_core::octree::{Grading, Octree, Refinement, RootGrid};
use octide_core::par;
use octide_core::scene::Scene;
use octide_core::sizing::{Regions, View};
use wanted::{Band, Wanted};

/// Finest cells below the surface that are finest: markers live within three, and a step must not carry them
/// out.
pub const IN: f64 = 4.0;
/// Finest cells above the surface that are finest.
pub const OUT: f64 = 3.5;
/// How many of its edges a cell in water keeps away from the surface.
const UNDER: f64 = 2.0;
/// How many of its edges a cell in air keeps away from the surface.
const OVER: f64 = 0.5;
/// Levels that what no camera sees is coarser by.
const UNSEEN: u8 = 2;

/// How large cells are.
#[derive(Clone, Debug)]
pub struct SizingParams {
    /// From 0, finest cells everywhere, to 1, cells as large as they may be.
    pub strength: f64,
    /// How often the cells of a level are spread to their face neighbors.
    pub dilation: u32,
    /// Where the scene bounds the size of cells.
    pub regions: Regions,
    /// What can be seen; all of it without a camera.
    pub view: Option<View>,
}

impl SizingParams {
    /// The choices of a scene.
    pub fn from_scene(scene: &Scene) -> Self {
        let a = &scene.adaptivity;
        Self {
            strength: a.strength,
            dilation: a.dilation,
            regions: Regions::new(scene),
            view: View::of(scene),
        }
    }

    /// The finest level that may be asked for at a point.
    fn finest_at(&self, grid: &RootGrid, p: DVec3) -> u8 {
        let max = grid.max_level();
        let is_seen = self.view.is_none_or(|v| v.sees(p, 4.0 * grid.dx()));
        let finest = if is_seen { max } else { max.saturating_sub(UNSEEN) };
        self.regions.finest_at(p, max).min(finest)
    }

    /// The level that is needed at `gap` from the surface, in water or in air.
    fn level(&self, grid: &RootGrid, gap: f64, in_water: bool) -> u8 {
        let reach = if in_water { UNDER } else { OVER } / self.strength;
        let too_large = |&level: &u8| gap < reach * grid.cell_size(level);
        (0..grid.max_level()).take_while(too_large).count() as u8
    }
}

/// The tree for where the surface of `phi` will be after `dt`; an error where it has more cells than are
/// allowed.
pub fn tree_for(
    mesh: &Mesh,
    phi: &Field<NodeId, f64>,
    boundary: &Boundary,
    corners: &Field<NodeId, impl Vector>,
    dt: f64,
    params: &Params,
) -> Result<Octree, StepError> {
    let (grid, sizing) = (mesh.tree.grid(), &params.sizing);
    if sizing.strength <= 0.0 {
        return uniform(grid, params);
    }
    let mut refinement = Refinement::new(grid).at_most(params.max_cells);
    let wanted = par::collect(mesh.n_cells(), |i, out: &mut Vec<Wanted>| {
        let c = CellId(i as u32);
        let (x, h) = (mesh.tree.center(c), mesh.tree.size(c));
        let here = mesh.at_center(phi, c);
        let moved = x + dt * vector_in(&mesh.tree, &mesh.nodes, corners, c, x);
        let finest = sizing.finest_at(grid, x);
        if mesh.is_surface(phi, c) && boundary.solid_distance(c) > -h {
            if finest > 0 {
                out.push(Wanted::Band(Band::new(mesh, phi, c, here, moved, finest)));
            }
            return;
        }
        let gap = gap(here, boundary.solid_distance(c), h) - 0.5 * h;
        let level = sizing.level(grid, gap, here < 0.0).min(finest);
        if level > 0 {
            // The centers of the cells that it asks for.
            let half = 0.5 * (h - grid.cell_size(level)).max(0.0);
            let at = |p: DVec3| refinement.coord_at(level - 1, p);
            let cells = Wanted::Cells { level: level - 1, low: at(moved - half), high: at(moved + half) };
            if out.last() != Some(&cells) {
                out.push(cells);
            }
        }
    });
    for w in wanted {
        w.refine(grid, &mut refinement);
    }
    build(refinement, params)
}

/// The tree at the start, of water whose distance is known everywhere: from the roots down.
pub fn first_tree(
    grid: &RootGrid,
    distance: impl Fn(DVec3) -> f64 + Sync,
    solid: impl Fn(DVec3) -> f64 + Sync,
    params: &Params,
) -> Result<Octree, StepError> {
    let sizing = &params.sizing;
    if sizing.strength <= 0.0 {
        return uniform(grid, params);
    }
    let mut refinement = Refinement::new(grid).at_most(params.max_cells);
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
            // A cell that is not divided is one of four or more between here and the surface.
            let wanted = sizing.level(grid, gap(phi, solid, size) - 0.5 * size, phi < 0.0);
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

fn uniform(grid: &RootGrid, params: &Params) -> Result<Octree, StepError> {
    WATER.allow(finest_cells(grid), params.max_cells)?;
    Ok(Octree::build(grid, Grading::Unrestricted, |_| true))
}

fn build(mut refinement: Refinement, params: &Params) -> Result<Octree, StepError> {
    params.sizing.regions.add_to(&mut refinement);
    if refinement.is_over() {
        return Err(WATER.refused(params.max_cells.saturating_add(1), params.max_cells));
    }
    let tree = refinement.build_smoothed(Grading::Unrestricted, params.sizing.dilation);
    WATER.allow(tree.n_cells(), params.max_cells)?;
    Ok(tree)
}

/// How far a cell of edge `h` is from the surface, or in water from a solid; infinite deep inside solids.
fn gap(phi: f64, solid: f64, h: f64) -> f64 {
    if solid < -h {
        f64::INFINITY
    } else if phi < 0.0 {
        phi.abs().min(solid.abs())
    } else {
        phi
    }
}

#[cfg(test)]
mod tests;
