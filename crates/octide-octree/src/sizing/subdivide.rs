//! The tree that results from sizing values (§6.3): a cell of size Δx is subdivided where
//!
//! ```text
//! |φ| < r Δx*   and   S > 1/Δx*,      Δx* = 2^( ln(Δx/Δx₀) / ln(1 + α) ) Δx₀,      eq. (38)
//! ```
//!
//! Δx₀ is the size of the finest cells; r is 2 in water and 1½ in air. For α = 1 the pseudo cell size Δx* is
//! Δx; for α → 0 it grows without bound, and α = 0 gives the uniform grid. Then the cells of each level are
//! dilated to their neighbors (the paper's smoothing of adaptivity), and the tree is graded across faces,
//! edges and corners.
//!
//! Differs from the paper in r, which is 1 there. With r = 1, a splash loses most of its energy to large
//! cells a short distance below the surface, and a ball loses its volume to large cells right above it. Also,
//! the test is not made at the centers of the new tree's cells, with S and φ sampled there, but at the cells
//! of the old tree, with their own values. Each of these requests a level around the position to which the
//! flow moves it. So nothing that the old tree resolves is missed between the centers of large cells, and the
//! new tree is fine where the surface will be. The distance is to the surface or to solids under water,
//! whichever is closer; it is zero for a cell on the surface or at such a solid. If a cell is larger than the
//! cells it requests, its nearest part counts.

use crate::apertures::Apertures;
use crate::memory::MODEL;
use crate::mesh::Mesh;
use crate::nodal::CornerVelocity;
use crate::params::Params;
use glam::DVec3;
use octide_core::contract::StepError;
use octide_core::index::{CellId, Field};
use octide_core::octree::{Grading, Octree, RootGrid};
use octide_core::par;
use octide_core::sizing::{CellLimit, RefinementRequest, distance_to_detail};

/// r in water. Cells within r Δx are halved, so four cells of the same size lie below the surface.
const UNDER: f64 = 2.0;
/// r in air. Advection with second differences reads two cells beyond the surface, and one more must be as
/// small. With r = 1 a ball with a radius of five cells lost 4 % of its volume over a distance of 26 cells;
/// with this value it loses none.
const OVER: f64 = 1.5;

/// A point that needs a level regardless of S, such as the landing point of a particle.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RefinementPoint {
    /// Its position at the end of the step.
    pub at: DVec3,
    /// The level of the cell around it and of all that touch it.
    pub level: u8,
}

/// The part of the state that determines which cells a tree needs.
#[derive(Clone, Copy)]
pub struct SizingInput<'a> {
    /// Signed distance to the surface.
    pub phi: &'a Field<CellId, f64>,
    /// Where solids are.
    pub apertures: &'a Apertures,
    /// Sizing values.
    pub s: &'a Field<CellId, f64>,
    /// Velocity at corners.
    pub corners: &'a CornerVelocity,
}

/// Returns Δx* of eq. (38), `above` levels above the finest. Infinite for α = 0, except at the finest level.
pub fn pseudo_size(dx: f64, above: u8, strength: f64) -> f64 {
    if above == 0 {
        return dx;
    }
    dx * (f64::from(above) * std::f64::consts::LN_2 / strength.ln_1p()).exp2()
}

/// Builds the tree that the cells of `mesh`, and `points`, request after `dt`. Returns an error if it has
/// more cells than are allowed, before memory is allocated for them.
pub fn tree_for(
    mesh: &Mesh,
    input: &SizingInput<'_>,
    points: &[RefinementPoint],
    dt: f64,
    params: &Params,
) -> Result<Octree, StepError> {
    let grid = mesh.tree.grid();
    let sizing = &params.sizing;
    let limit = CellLimit { model: MODEL, max_cells: params.max_cells };
    if sizing.strength <= 0.0 {
        return limit.uniform(grid, Grading::Graded);
    }
    let rule = Rule::new(grid, sizing.strength);
    let mut refinement = limit.refinement(grid);
    let requests = par::collect(mesh.n_cells(), |i, out: &mut Vec<RefinementRequest>| {
        let c = CellId(i as u32);
        let (x, h) = (mesh.tree.center(c), mesh.tree.size(c));
        let gap = gap(mesh, input, c);
        let reach = if input.phi[c] < 0.0 { UNDER } else { OVER };
        let level = rule.level(input.s[c], gap, reach, h).min(sizing.regions.finest_at(x, rule.max));
        if level == 0 {
            return;
        }
        // The box of the centers of the requested cells. On the surface it is a quarter cell larger, so that
        // a surface that is torn apart leaves no gaps. A larger margin would reach the sides of cells, and
        // rounding would decide which of them are refined in water at rest.
        let size = grid.cell_size(level);
        let half = 0.5 * (h - size).max(0.0) + if gap > 0.0 { 0.0 } else { 0.25 * h.min(size) };
        let moved = x + dt * input.corners.at_center(c);
        RefinementRequest::new(&refinement, level, moved, half).push_to(out);
    });
    for request in requests {
        request.refine(&mut refinement);
    }
    for point in points.iter().filter(|p| p.level > 0) {
        let level = point.level.min(rule.max);
        let reach = grid.cell_size(level);
        refinement.refine_box(level - 1, point.at - reach, point.at + reach);
    }
    sizing.regions.add_to(&mut refinement);
    limit.build(refinement, Grading::Graded, sizing.dilation)
}

/// The test of §6.3, level by level.
struct Rule {
    max: u8,
    /// Δx and Δx* of each level.
    sizes: Vec<(f64, f64)>,
}

impl Rule {
    fn new(grid: &RootGrid, strength: f64) -> Self {
        let max = grid.max_level();
        let of = |level| (grid.cell_size(level), pseudo_size(grid.dx(), max - level, strength));
        Self { max, sizes: (0..max).map(of).collect() }
    }

    /// Returns the level that a cell of size `h` with sizing value `s` needs at the distance `gap` from the
    /// surface or solid, where cells are subdivided up to `reach` sizes away from it.
    fn level(&self, s: f64, gap: f64, reach: f64, h: f64) -> u8 {
        let subdivides = |&&(size, pseudo): &&(f64, f64)| {
            // Distance of the nearest center among the cells that it would have at that level.
            let nearest = gap - 0.5 * (h - 0.5 * size).max(0.0);
            s * pseudo > 1.0 && nearest < reach * pseudo
        };
        self.sizes.iter().take_while(subdivides).count() as u8
    }
}

/// Returns the distance of a cell from the surface, or from a solid under water; zero if the cell is on it.
fn gap(mesh: &Mesh, input: &SizingInput<'_>, cell: CellId) -> f64 {
    let (phi, h) = (input.phi[cell], mesh.tree.size(cell));
    let solid = input.apertures.solid_distance(cell);
    let is_there = || mesh.is_surface(input.phi, cell) || (phi < 0.0 && solid.abs() < h);
    if solid >= -h && is_there() { 0.0 } else { distance_to_detail(phi, solid, h) }
}
