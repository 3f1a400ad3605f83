//! Seeds particles where they are needed and missing, and deletes them where there are too many or they are
//! no longer needed.
//!
//! Each liquid eighth of a cell in the band gets a particle: at the eighth's center with the default
//! [`Seed`], and at a random position around it with any other, so that each seed gives a different splash.
//! Where a cell has more than twelve particles, two are left in each eighth.

use super::transfer::{Around, take_velocity};
use super::{Life, Particle, Particles, RADIUS};
use crate::apertures::Apertures;
use crate::interpolate::{sample_cells, sample_cells_in};
use crate::mesh::Mesh;
use crate::params::{Params, Seeding};
use crate::solids::Solids;
use crate::volume::cell_gradient;
use glam::{DVec3, IVec3, Vec3};
use octide_core::bins::Bins;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::octree::Octree;
use octide_core::par;
use octide_core::particles::place_among_leaves;
use octide_core::random::{Seed, Symmetric};

/// Depth of the band of particles below the surface, in finest cells, if the whole band has them.
const BAND: f64 = 3.0;

/// As `BAND`, if only active cells have particles.
pub const ACTIVE_BAND: f64 = 2.0;

/// Cells with more particles than this are thinned out.
const MOST: usize = 12;

/// Number of parts of a cell that have a particle each.
const FULL: usize = 8;

/// How far seeds other than the default one may displace a particle from the center of its eighth along each
/// axis, in edges of the eighth. With half an edge, particles of neighboring eighths could coincide.
const MOST_DISPLACED: f64 = 0.25;

/// Number of positions along each axis that a displaced particle may have.
const PARTS: f64 = 64.0;

/// Input of the renewal.
pub struct Water<'a> {
    /// The grid.
    pub mesh: &'a Mesh,
    /// Distance to the surface.
    pub phi: &'a Field<CellId, f64>,
    /// Velocity, divergence-free.
    pub u: &'a Field<FaceId, f64>,
    /// Velocity before forces and pressure, for FLIP.
    pub before: Option<&'a Field<FaceId, f64>>,
    /// How solids close the grid's faces.
    pub apertures: &'a Apertures,
    /// The solids.
    pub solids: &'a Solids,
    /// How active the flow is in each cell, from 0 to 1.
    pub activity: &'a Field<CellId, f32>,
}

/// Returns the particles of the next step: the remaining ones with their new velocities, and new ones.
pub fn renew(water: &Water<'_>, old: Particles, params: &Params) -> Particles {
    if params.particles == Seeding::Off {
        return Particles::default();
    }
    let n = water.mesh.n_cells();
    let parts = par::map_chunks(n, |range| {
        let (mut list, mut counts) = (Vec::new(), Vec::with_capacity(range.len()));
        for i in range {
            let from = list.len();
            renew_cell(water, &old, params, CellId(i as u32), &mut list);
            counts.push((list.len() - from) as u32);
        }
        list.shrink_to_fit();
        (list, counts)
    });
    let next_id = old.next_id;
    drop(old);
    let bins = Bins::from_counts(parts.iter().flat_map(|p| p.1.iter().copied()));
    let mut all = Particles {
        list: Vec::with_capacity(parts.iter().map(|p| p.0.len()).sum()),
        gradients: Vec::new(),
        bins,
        next_id,
    };
    for (mut list, _) in parts {
        for p in list.iter_mut().filter(|p| p.id == SEED) {
            p.id = all.next_id;
            all.next_id = all.next_id.wrapping_add(1) % SEED;
        }
        all.list.extend(list);
    }
    all
}

/// The id of a particle that has no number yet.
const SEED: u32 = u32::MAX;

fn renew_cell(water: &Water<'_>, old: &Particles, params: &Params, cell: CellId, out: &mut Vec<Particle>) {
    let Water { mesh, phi, .. } = *water;
    let there = old.of_cell(cell);
    let dx = mesh.tree.grid().dx();
    let finest = mesh.tree.level(cell) == mesh.tree.grid().max_level();
    let depth = dx * if params.particles == Seeding::Band { BAND } else { ACTIVE_BAND };
    // At changes of level velocities have no gradient and are expensive to sample.
    let in_band = finest && mesh.contacts.is_regular(cell) && phi[cell] > -depth && phi[cell] < dx;
    let wanted = in_band && (params.particles == Seeding::Band || water.activity[cell] > 0.0);
    if there.is_empty() && !wanted {
        return;
    }
    let from = out.len();
    out.extend(there.iter().filter(|p| p.is_spray()));
    if !in_band {
        return;
    }
    let first = out.len();
    let activity = if params.particles == Seeding::Band { 1.0 } else { water.activity[cell] };
    for p in there {
        if let Life::Water(own) = p.life()
            && own.max(activity) > 0.0
        {
            out.push(p.with(Life::Water(own.max(activity))));
        }
    }
    thin_out(mesh, cell, first, out);
    let now = Around::new(mesh, water.u, cell);
    let before = water.before.map(|u| Around::new(mesh, u, cell));
    for p in &mut out[first..] {
        take_velocity(p, &now, before.as_ref(), params.transfer);
    }
    if wanted {
        seed(water, cell, activity, params.seed, first, out);
        for p in out[from..].iter_mut().filter(|p| p.id == SEED) {
            take_velocity(p, &now, None, params.transfer);
        }
    }
}

/// Leaves two particles in each eighth of a cell, those closest to the eighth's center. The choice must not
/// depend on the order of the list, or a mirrored scene would keep different particles.
fn thin_out(mesh: &Mesh, cell: CellId, first: usize, out: &mut Vec<Particle>) {
    let (center, h) = (mesh.tree.center(cell), mesh.tree.size(cell));
    if out.len() - first <= MOST {
        return;
    }
    let apart = |p: &Particle| {
        let r = p.x(mesh) - center;
        (r - 0.25 * h * r.signum()).length_squared()
    };
    out[first..].sort_by(|a, b| apart(a).total_cmp(&apart(b)));
    let mut taken = [0u8; 8];
    let mut kept = first;
    for i in first..out.len() {
        let o = octant(out[i].x(mesh) - center);
        taken[o] += 1;
        if taken[o] <= 2 {
            out[kept] = out[i];
            kept += 1;
        }
    }
    out.truncate(kept);
}

/// Seeds one particle in each liquid eighth of the cell that has none.
fn seed(water: &Water<'_>, cell: CellId, activity: f32, seed: Seed, first: usize, out: &mut Vec<Particle>) {
    let Water { mesh, phi, apertures, solids, .. } = *water;
    let (center, h) = (mesh.tree.center(cell), mesh.tree.size(cell));
    let mut taken = [false; 8];
    for p in &out[first..] {
        taken[octant(p.x(mesh) - center)] = true;
    }
    if out.len() - first >= FULL || !is_thick(mesh, phi, cell) {
        return;
    }
    let near_solid = apertures.solid_distance(cell) < 2.0 * h;
    for o in (0..8).filter(|&o| !taken[o]) {
        let side = DVec3::new((o & 1) as f64, (o >> 1 & 1) as f64, (o >> 2 & 1) as f64) - 0.5;
        let x = center + 0.5 * h * (side + displacement(&mesh.tree, cell, o, seed));
        let own = sample_cells_in(mesh, phi, cell, x);
        if own > -0.4 * RADIUS * h || (near_solid && solids.distance(x) < RADIUS * h) {
            continue;
        }
        let place = mesh.tree.grid().place(x);
        let seed = Particle { place, v: Vec3::ZERO, phi: own as f32, life: 0.0, id: SEED };
        out.push(seed.with(Life::Water(activity)));
    }
}

/// Returns the displacement of a new particle from the center of the eighth `o` of a cell, in edges of an
/// eighth. It is a multiple of a fixed fraction of the cell, so that mirrored scenes round it in the same
/// way.
fn displacement(tree: &Octree, cell: CellId, o: usize, seed: Seed) -> DVec3 {
    if seed.is_default() {
        return DVec3::ZERO;
    }
    let (place, n) = place_among_leaves(tree, cell);
    let eighth = 2 * place + IVec3::new(o as i32 & 1, o as i32 >> 1 & 1, o as i32 >> 2);
    let random = Symmetric::new(eighth, 2 * n, seed).vector(0);
    MOST_DISPLACED * (((random * PARTS).floor() + 0.5) / PARTS - 0.5) * 2.0
}

/// Returns whether the water below the surface at a cell is deep. A sheet that is thinner than the grid can
/// resolve looks thicker than it is, and particles that fill it would make it so.
fn is_thick(mesh: &Mesh, phi: &Field<CellId, f64>, cell: CellId) -> bool {
    let h = mesh.tree.size(cell);
    if phi[cell] < -h {
        return true;
    }
    let inward = -cell_gradient(mesh, phi, cell).normalize_or_zero();
    let below = mesh.tree.center(cell) + (1.5 * h + phi[cell]) * inward;
    sample_cells(mesh, phi, below, inward) < -h
}

fn octant(r: DVec3) -> usize {
    usize::from(r.x >= 0.0) | usize::from(r.y >= 0.0) << 1 | usize::from(r.z >= 0.0) << 2
}
