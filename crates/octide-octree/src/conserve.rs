//! Water that is neither lost nor made: every cell has a content M, a volume of water in m³, and
//!
//! ```text
//! M_i ← M_i − Σ_k ± ΔM_k,      Σ_i M_i + spray = volume at the start + what came in − what went out
//! ```
//!
//! holds to rounding, because whatever one cell gives another one gets. ΔM_k is what passes a face ([`flow`]): in each
//! cell the water lies behind a plane with the normal of φ, at the distance that leaves M behind it. No cell gives
//! what it has not, and in the air none gets what it has no room for ([`limit`]). φ
//! shows where the water is, and loses or gains volume where films are thin and where water lands. After its
//! advection the surface is moved locally until the volume of φ is the content again ([`matching`]). Water that is
//! too thin for φ becomes spray with its volume, and spray that lands gives it back ([`drops`]).
//!
//! Not in the paper, which corrects the volume of all water, or of each body of water, by a divergence (§7).

mod displace;
mod drops;
mod flow;
mod limit;
mod matching;
mod transfer;

use crate::apertures::Apertures;
use crate::faults::{self, Fault};
use crate::flows::Moment;
use crate::mesh::Mesh;
use crate::nodal::velocity_at;
use crate::params::{Params, Seeding};
use crate::particles::spray::Separated;
use crate::solids::Solids;
use crate::state::State;
use crate::surface::AdvectedSurface;
use crate::volume::{cell_room, cell_volume, cell_volume_with_sheets, sum_over_cells};
use displace::Displacement;
use drops::DropExchange;
use flow::Passed;
use limit::Limits;
use matching::Cells;
use octide_core::flows::ActiveInflow;
use octide_core::index::{CellId, Field};
use octide_core::par;
use octide_core::scene::VolumeCorrection;

/// Least number of steps in which the excess of cells deep in the water flows off.
const STEPS_TO_FLOW_OFF: f64 = 2.0;

/// φ is set in cells whose centers are closer to an inflow or an outflow than this, in their edges.
const REGION_CELLS: f64 = 0.87;

/// Solids that move and flows within this many cells of a cell change its room.
const BESIDE_CELLS: f64 = 2.0;

/// The content of cells after a step, and what the step did to it.
pub(crate) struct Conserved {
    /// The volume of water in each cell, in m³.
    pub content: Field<CellId, f64>,
    /// The volume of φ, in m³.
    pub in_phi: f64,
    /// Volume that came in through inflows, in m³.
    pub volume_in: f64,
    /// Volume that left through outflows and open sides, in m³.
    pub volume_out: f64,
    /// Volume that was moved to where the flow did not put it, in m³.
    pub moved: f64,
    /// The divergence in 1/s that lets the excess of full cells flow off.
    pub divergence: Field<CellId, f64>,
}

/// Returns the fraction of a cell of edge `h` that a solid leaves whose distance from the cell's center is given.
fn open_fraction(distance: f64, h: f64) -> f64 {
    (0.5 + distance / h).clamp(0.0, 1.0)
}

/// Returns the content of cells that are as full as φ shows them; empty if volume is not kept cell by cell.
pub(crate) fn initial_content(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &Apertures,
    solids: &Solids,
    params: &Params,
) -> Field<CellId, f64> {
    if params.volume_correction != VolumeCorrection::Local {
        return Field::default();
    }
    par::map(mesh.n_cells(), |c| cell_volume(mesh, phi, apertures, solids, c))
}

/// Advects the content to the new tree, exchanges it with flows and, if anything can be spray, with spray, and moves the surface to
/// match it.
pub(crate) fn conserve(
    old: &State,
    surface: &mut AdvectedSurface,
    separated: Option<&Separated>,
    dt: f64,
    params: &Params,
) -> Option<Conserved> {
    if params.volume_correction != VolumeCorrection::Local || faults::is(Fault::NoVolumeCorrection) {
        return None;
    }
    let mut passed = Passed::of(old, &surface.corners, &surface.solids_before, dt);
    let now = Moment { time: old.time, dt };
    limits(old, surface, now, params).apply(&mut passed);
    let mut volume_out = passed.lost(&old.mesh, &old.apertures);
    let bodies = Displacement {
        mesh: &old.mesh,
        apertures: &old.apertures,
        corners: &surface.corners,
        before: &surface.solids_before,
        after: &surface.solids,
    };
    let (mut content, mut volume_in) = advect(old, &passed, now, params);
    let pushed = bodies.push(&mut content);
    drop(passed);
    let AdvectedSurface {
        mesh,
        phi,
        apertures,
        solids,
        particles,
        corners,
        lost_spray,
        extension,
        cleared,
        ..
    } = surface;
    let mut in_phi = par::map(mesh.n_cells(), |c| cell_volume_with_sheets(mesh, phi, apertures, solids, c));
    let room = par::map(mesh.n_cells(), |c: CellId| cell_room(mesh, apertures, solids, c));
    let mut content = transfer::transfer(&old.mesh.tree, &content, &mesh.tree, &in_phi, &room);
    let flows = params.flows.during(now);
    let near = |c: CellId| REGION_CELLS * mesh.tree.size(c);
    let mut is_set = par::map(mesh.n_cells(), |c: CellId| {
        !flows.is_empty() && flows.acts_within(mesh.tree.center(c), near(c))
    });
    for c in mesh.tree.cells().filter(|&c| is_set[c]) {
        let (x, change) = (mesh.tree.center(c), in_phi[c] - content[c]);
        if flows.fills_within(x, near(c)) {
            volume_in += change;
            content[c] = in_phi[c];
        } else if change < 0.0 && flows.takes_within(x, 0.5 * mesh.tree.size(c)) {
            volume_out -= change;
            content[c] = in_phi[c];
        }
    }
    // Water that an inflow has less room for than before has left through it.
    volume_out -= volume_in.min(0.0);
    volume_in = volume_in.max(0.0);
    // Air stays below a ceiling that water has detached from.
    cleared.iter().for_each(|&c| is_set[c] = true);
    volume_out += *lost_spray;
    if let Some(separated) = separated.filter(|_| params.particles != Seeding::Off) {
        let drops =
            DropExchange { old: &old.mesh, corners, mesh, apertures, time: old.time, seed: params.seed };
        let filled = drops.settle(phi, particles, &mut content, separated);
        for &c in &filled {
            in_phi[c] = cell_volume_with_sheets(mesh, phi, apertures, solids, c);
        }
    }
    let cells = Cells::new(mesh, apertures, phi, &is_set, room, solids);
    let moved = pushed + cells.settle(phi, &mut content);
    let way = |c: CellId| dt * velocity_at(&old.mesh, corners, mesh.tree.center(c)).length();
    let divergence = cells.divergence(phi, &content, STEPS_TO_FLOW_OFF * dt, params.gravity.length());
    let mut excess = par::map(mesh.n_cells(), |c: CellId| content[c] - in_phi[c]);
    cells.hold_back(&mut excess, way);
    let before = cells.shift(phi, &excess);
    *phi = extension.apply(mesh, solids, std::mem::take(phi));
    let has_moved = |c: CellId| {
        let around = mesh.contacts.face_neighbors(c).iter().map(|&j| CellId(j));
        phi[c] != before[c] || around.into_iter().any(|j| phi[j] != before[j])
    };
    in_phi = par::map(mesh.n_cells(), |c: CellId| {
        if has_moved(c) { cell_volume_with_sheets(mesh, phi, apertures, solids, c) } else { in_phi[c] }
    });
    let in_phi = sum_over_cells(mesh, |c| in_phi[c]);
    Some(Conserved { content, in_phi, volume_in, volume_out, moved, divergence })
}

/// Returns what limits the flow between the cells of a state.
fn limits<'a>(old: &'a State, surface: &AdvectedSurface, now: Moment, params: &Params) -> Limits<'a> {
    let State { mesh, content, phi, apertures, .. } = old;
    let solids = &surface.solids_before;
    let flows = params.flows.before(now);
    let is_beside_flow = |c: CellId| flows.acts_within(mesh.tree.center(c), BESIDE_CELLS * mesh.tree.size(c));
    // Inflows bring what they prescribe.
    let is_source = par::map(mesh.n_cells(), |c: CellId| !flows.is_empty() && is_beside_flow(c));
    let room = par::map(mesh.n_cells(), |c: CellId| {
        let (x, h) = (mesh.tree.center(c), mesh.tree.size(c));
        // What is too much in the water flows off, and solids that move and flows change the room.
        let is_free = is_source[c] || surface.solids.may_move_within(x, BESIDE_CELLS * h);
        if phi[c] < 0.0 || is_free { f64::INFINITY } else { cell_room(mesh, apertures, solids, c) }
    });
    Limits { mesh, content, room, is_source }
}

/// Returns the content of the old cells at the end of the step, and the volume that inflows supplied.
fn advect(old: &State, passed: &Passed, now: Moment, params: &Params) -> (Field<CellId, f64>, f64) {
    let State { mesh, content, .. } = old;
    let mut moved = par::map(mesh.n_cells(), |c: CellId| content[c] + passed.gain(mesh, c));
    // Inflows replace what has left their cells.
    let mut supplied = 0.0;
    let flows = params.flows.before(now);
    if flows.inflows.iter().any(ActiveInflow::blows) {
        for c in mesh.tree.cells().filter(|&c| flows.blows(mesh.tree.center(c))) {
            supplied += content[c] - moved[c];
            moved[c] = content[c];
        }
    }
    (moved, supplied)
}
