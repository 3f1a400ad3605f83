//! The tree that sizing values ask for (§6.3): a cell of size Δx is subdivided where
//!
//! ```text
//! |φ| < r Δx*   and   S > 1/Δx*,      Δx* = 2^( ln(Δx/Δx₀) / ln(1 + α) ) Δx₀,      eq. (38)
//! ```
//!
//! Δx₀ the size of the finest cells; r is 2 in water and 1½ in air. For α = 1 the pseudo cell size Δx* is Δx;
//! for α → 0 it grows without bound, and α = 0 is the uniform grid. Then cells of each level are spread to
//! their neighbors (the paper's smoothing of adaptivity), and the tree is graded across faces, edges and
//! corners.
//!
//! Differs from the paper: r, which is 1 there. A splash loses most of its energy to large cells a little way
//! under the surface, and a ball its volume to large cells right above it. And the test is not made at the
//! centers of the new tree's cells, with S and φ sampled there, but at the cells of the old tree, with what
//! they hold. Each asks for a level around the place to which the flow carries it. So nothing that the old
//! tree resolves is overlooked between the centers of large cells, and the new tree is fine where the surface
//! will be. The distance is to solids, too, where they are under water; a cell on the surface or at such a
//! solid has none, and of a cell larger than those it asks for the nearest part counts.

use crate::apertures::Apertures;
use crate::memory::MODEL;
use crate::mesh::Mesh;
use crate::nodal::CornerVelocity;
use crate::params::Params;
use glam::{DVec3, IVec3};
use octide_core::contract::StepError;
use octide_core::index::{CellId, Field};
use octide_core::memory::finest_cells;
use octide_core::octree::{Grading, Octree, Refinement, RootGrid};
use octide_core::par;

/// r in water. Half as large cells come of it, so four of a size lie under the surface.
const UNDER: f64 = 2.0;
/// r in air. Transport with bending reads two cells beyond the surface, and one more must be as small: with r
/// = 1 a ball of five cells' radius lost 4 % of its volume on a way of 26 cells, so it loses none.
const OVER: f64 = 1.5;

/// A place that needs a level whatever S is, such as a particle.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// Where it will be.
    pub at: DVec3,
    /// The level of the cell around it and of all that touch it.
    pub level: u8,
}

/// What a tree is asked for by.
#[derive(Clone, Copy)]
pub struct Asking<'a> {
    /// Signed distance to the surface.
    pub phi: &'a Field<CellId, f64>,
    /// Where solids are.
    pub apertures: &'a Apertures,
    /// Sizing values.
    pub s: &'a Field<CellId, f64>,
    /// Velocity at corners.
    pub corners: &'a CornerVelocity,
}

/// Δx* of eq. (38), `above` levels above the finest. Infinite for α = 0, but at the finest level.
pub fn pseudo_size(dx: f64, above: u8, strength: f64) -> f64 {
    if above == 0 {
        return dx;
    }
    dx * (f64::from(above) * std::f64::consts::LN_2 / strength.ln_1p()).exp2()
}

/// The tree that the cells of `mesh`, and `points`, ask for after `dt`; an error where it has more cells than
/// are allowed, which is found before they take memory.
pub fn tree_for(
    mesh: &Mesh,
    asking: &Asking<'_>,
    points: &[Point],
    dt: f64,
    params: &Params,
) -> Result<Octree, StepError> {
    let grid = mesh.tree.grid();
    let sizing = &params.sizing;
    if sizing.strength <= 0.0 {
        MODEL.allow(finest_cells(grid), params.max_cells)?;
        return Ok(Octree::build(grid, Grading::Graded, |_| true));
    }
    let rule = Rule::new(grid, sizing.strength);
    let mut refinement = Refinement::new(grid).at_most(params.max_cells);
    let wanted = par::collect(mesh.n_cells(), |i, out: &mut Vec<Wanted>| {
        let c = CellId(i as u32);
        let (x, h) = (mesh.tree.center(c), mesh.tree.size(c));
        let gap = gap(mesh, asking, c);
        let reach = if asking.phi[c] < 0.0 { UNDER } else { OVER };
        let level = rule.level(asking.s[c], gap, reach, h).min(sizing.regions.finest_at(x, rule.max));
        if level == 0 {
            return;
        }
        // The centers of the cells that it asks for; on the surface a quarter of one more, so that a surface
        // that is torn apart has no gaps. More would reach to cells' sides, and water at rest would refine
        // one or the other by chance.
        let size = grid.cell_size(level);
        let half = 0.5 * (h - size).max(0.0) + if gap > 0.0 { 0.0 } else { 0.25 * h.min(size) };
        let moved = x + dt * asking.corners.at_center(c);
        let level = level - 1;
        let wanted = Wanted {
            level,
            low: refinement.coord_at(level, moved - half),
            high: refinement.coord_at(level, moved + half),
        };
        if out.last() != Some(&wanted) {
            out.push(wanted);
        }
    });
    for w in wanted {
        w.refine(&mut refinement);
    }
    for point in points.iter().filter(|p| p.level > 0) {
        let level = point.level.min(rule.max);
        let reach = grid.cell_size(level);
        refinement.refine_box(level - 1, point.at - reach, point.at + reach);
    }
    sizing.regions.add_to(&mut refinement);
    if refinement.is_over() {
        return Err(MODEL.refused(params.max_cells.saturating_add(1), params.max_cells));
    }
    let tree = refinement.build_smoothed(Grading::Graded, sizing.dilation);
    MODEL.allow(tree.n_cells(), params.max_cells)?;
    Ok(tree)
}

/// Cells of a level that are to be refined, from `low` to `high`.
#[derive(Clone, Copy, PartialEq)]
struct Wanted {
    level: u8,
    low: IVec3,
    high: IVec3,
}

impl Wanted {
    fn refine(&self, refinement: &mut Refinement) {
        refinement.refine_range(self.level, self.low, self.high);
    }
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

    /// The level that is needed by a cell of size `h` with sizing value `s`, `gap` away from what asks for
    /// it, where cells ask up to `reach` sizes away.
    fn level(&self, s: f64, gap: f64, reach: f64, h: f64) -> u8 {
        let subdivides = |&&(size, pseudo): &&(f64, f64)| {
            // The center of the nearest of the cells that it would have at that level.
            let nearest = gap - 0.5 * (h - 0.5 * size).max(0.0);
            s * pseudo > 1.0 && nearest < reach * pseudo
        };
        self.sizes.iter().take_while(subdivides).count() as u8
    }
}

/// How far a cell is from the surface, or from a solid under water: zero if it is there.
fn gap(mesh: &Mesh, asking: &Asking<'_>, cell: CellId) -> f64 {
    let (phi, h) = (asking.phi[cell], mesh.tree.size(cell));
    let solid = asking.apertures.solid_distance(cell);
    if solid < -h {
        f64::INFINITY
    } else if mesh.is_surface(asking.phi, cell) || (phi < 0.0 && solid.abs() < h) {
        0.0
    } else if phi < 0.0 {
        phi.abs().min(solid.abs())
    } else {
        phi
    }
}
