//! Volume correction for each body of water (§8, after Kim et al. 2007).
//!
//! A body is a connected set of cells with φ < 0, through open faces. Its volume should be what was there
//! before, wherever it comes from: cells of the new tree know by their path which old body r their water was
//! part of. With V_c the volume in cell c, and T_r and y_r what body r should have and its error over time, a
//! body b of the new tree has
//!
//! ```text
//! T_b = Σ_{c in b} V_c q_r(c),   q_r = T_r / Σ_{c from r} V_c,      y_b = Σ_{c in b} V_c y_r(c) / Σ_{c in b} V_c.
//! ```
//!
//! So bodies that merge or split share the error by volume, and the sum of all T stays what it is. What comes
//! in and goes out counts where it does. What is wanted of bodies that are gone, or has no body before, is
//! shared by all, by volume.

use crate::apertures::Apertures;
use crate::mesh::Mesh;
use crate::nodal::trace_back;
use crate::params::Params;
use crate::solids::Solids;
use crate::state::State;
use crate::surface::AdvectedSurface;
use crate::volume::{VolumeControl, cell_volume};
use octide_core::index::{CellId, Field};
use octide_core::par;

/// No body.
const NONE: u32 = u32::MAX;

/// Errors of small bodies are not known well: past a factor of two they count as that.
const FACTOR: f64 = 2.0;

/// The bodies of water and what each of them should be.
#[derive(Clone, Debug, PartialEq)]
pub struct Regions {
    /// The body that each cell is part of, or `u32::MAX`.
    pub body: Field<CellId, u32>,
    /// What volume correction remembers of each body.
    pub bodies: Vec<VolumeControl>,
}

impl Regions {
    /// Starts with what there is.
    pub fn new(mesh: &Mesh, phi: &Field<CellId, f64>, apertures: &Apertures, solids: &Solids) -> Self {
        let volume = par::map(mesh.n_cells(), |c| cell_volume(mesh, phi, apertures, solids, c));
        let (body, n) = find(mesh, phi, apertures, &volume);
        let volumes = sums(&body, n, |c| volume[c]);
        // Specks that are part of no body count for all.
        let whole = par::sum(mesh.n_cells(), |i| volume[CellId(i as u32)]);
        let share = whole / volumes.iter().sum::<f64>();
        Self { body, bodies: volumes.iter().map(|&v| VolumeControl::new(share * v)).collect() }
    }

    /// What all bodies together should have.
    pub fn target(&self) -> f64 {
        self.bodies.iter().map(|b| b.target).sum()
    }

    /// The bodies after a step's transport, the divergence that each cell is to have, and the relative volume
    /// that this gives back.
    pub(crate) fn after(
        old: &State,
        now: &AdvectedSurface,
        crossing: &[(CellId, f64)],
        dt: f64,
        params: &Params,
    ) -> (Self, Field<CellId, f64>, f64) {
        let AdvectedSurface { mesh, phi, apertures, solids, exchange, .. } = now;
        let volume = par::map(mesh.n_cells(), |c| cell_volume(mesh, phi, apertures, solids, c));
        let added = |c: CellId| exchange.added.as_ref().map_or(0.0, |added| added[c]);
        let (body, n) = find(mesh, phi, apertures, &volume);
        let volumes = sums(&body, n, |c| volume[c]);
        let bodies = match &old.regions {
            Some(was) => {
                let from = origins(was, old, now, dt, |c| volume[c] - added(c) > 0.0);
                inherit(was, crossing, dt, &body, &from, &volumes, |c| volume[c] - added(c), added)
            }
            None => Self::new(mesh, phi, apertures, solids).bodies,
        };
        let mut given = 0.0;
        let (wanted, bodies): (Vec<f64>, Vec<VolumeControl>) = bodies
            .into_iter()
            .zip(&volumes)
            .map(|(b, &v)| {
                let least = b.target.max(0.0) / FACTOR;
                let near = v.clamp(least, FACTOR * FACTOR * least);
                let (divergence, b) = b.correct(near, dt, params.fall_time);
                given += divergence * v * dt;
                (divergence, b)
            })
            .unzip();
        let whole: f64 = volumes.iter().sum();
        let divergence =
            par::map(
                mesh.n_cells(),
                |c: CellId| if body[c] == NONE { 0.0 } else { wanted[body[c] as usize] },
            );
        (Self { body, bodies }, divergence, if whole > 0.0 { given / whole } else { 0.0 })
    }
}

/// Sums over the cells of each body, in the order of cells.
fn sums(body: &Field<CellId, u32>, n: usize, of_cell: impl Fn(CellId) -> f64) -> Vec<f64> {
    let mut out = vec![0.0; n];
    for c in body.ids().filter(|&c| body[c] != NONE) {
        out[body[c] as usize] += of_cell(c);
    }
    out
}

/// The body of each cell, and how many there are. Cells of air with some water belong to the wettest cell
/// beside them.
fn find(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &Apertures,
    volume: &Field<CellId, f64>,
) -> (Field<CellId, u32>, usize) {
    let mut body = Field::filled(mesh.n_cells(), NONE);
    let mut n = 0;
    let mut open = Vec::new();
    for first in mesh.tree.cells() {
        // What is wholly inside a solid is no body of its own.
        if body[first] != NONE || phi[first] >= 0.0 || volume[first] <= 0.0 {
            continue;
        }
        body[first] = n;
        open.push(first);
        while let Some(c) = open.pop() {
            for_open_neighbors(mesh, apertures, c, |other| {
                if body[other] == NONE && phi[other] < 0.0 {
                    body[other] = n;
                    open.push(other);
                }
            });
        }
        n += 1;
    }
    let wet = par::map(mesh.n_cells(), |c: CellId| {
        if body[c] != NONE || volume[c] <= 0.0 {
            return body[c];
        }
        let mut best = (0.0, NONE);
        for_open_neighbors(mesh, apertures, c, |other| {
            if body[other] != NONE && phi[other] < best.0 {
                best = (phi[other], body[other]);
            }
        });
        best.1
    });
    (wet, n as usize)
}

/// Calls `f` with the cells across a cell's open faces.
fn for_open_neighbors(mesh: &Mesh, apertures: &Apertures, cell: CellId, mut f: impl FnMut(CellId)) {
    for (direction, &k) in mesh.faces.of_cell(cell).iter().enumerate() {
        if apertures.open(k) <= 0.0 {
            continue;
        }
        // Across a large face lie all small cells beyond it, or the large one; not those on this side.
        let across = direction & 1 == 1;
        for (other, w) in mesh.faces.stencil(&mesh.tree, k).iter() {
            if (w > 0.0) == across && other != cell {
                f(other);
            }
        }
    }
}

/// The old body that each wet cell's water was part of.
fn origins(
    was: &Regions,
    old: &State,
    now: &AdvectedSurface,
    dt: f64,
    is_wet: impl Fn(CellId) -> bool + Sync + Send,
) -> Field<CellId, u32> {
    let AdvectedSurface { mesh, apertures, corners, .. } = now;
    let n = mesh.n_cells();
    if was.bodies.len() == 1 {
        return par::map(n, |c| if is_wet(c) { 0 } else { NONE });
    }
    let mut from = par::map(n, |c: CellId| {
        if !is_wet(c) {
            return NONE;
        }
        was.body[old.mesh.tree.nearest_leaf(trace_back(&old.mesh, corners, mesh.tree.center(c), dt))]
    });
    // Wet cells without one take it from those beside them, ring by ring.
    let mut ring: Vec<CellId> = mesh.tree.cells().filter(|&c| from[c] != NONE).collect();
    while !ring.is_empty() {
        let mut next = Vec::new();
        for &c in &ring {
            for_open_neighbors(mesh, apertures, c, |other| {
                if from[other] == NONE && is_wet(other) {
                    from[other] = from[c];
                    next.push(other);
                }
            });
        }
        ring = next;
    }
    from
}

/// What each new body has of the old ones. `carried` is the water of a cell that came by transport, `added`
/// that which inflows and outflows changed.
fn inherit(
    was: &Regions,
    crossing: &[(CellId, f64)],
    dt: f64,
    body: &Field<CellId, u32>,
    from: &Field<CellId, u32>,
    volumes: &[f64],
    carried: impl Fn(CellId) -> f64,
    added: impl Fn(CellId) -> f64,
) -> Vec<VolumeControl> {
    let mut wanted: Vec<f64> = was.bodies.iter().map(|b| b.target).collect();
    // What no body takes over.
    let mut rest = 0.0;
    for &(c, rate) in crossing {
        match was.body[c] {
            NONE => rest += dt * rate,
            r => wanted[r as usize] += dt * rate,
        }
    }
    // Specks that no body has any more are not counted: the body they come from keeps what it should have.
    let mut there = vec![0.0; wanted.len()];
    let mut weight = vec![0.0; volumes.len()];
    for c in body.ids().filter(|&c| body[c] != NONE && from[c] != NONE) {
        there[from[c] as usize] += carried(c);
        weight[body[c] as usize] += carried(c);
    }
    rest += wanted.iter().zip(&there).filter(|&(_, &v)| v <= 0.0).map(|(t, _)| t).sum::<f64>();
    let mut target = vec![0.0; volumes.len()];
    let mut integral = vec![0.0; volumes.len()];
    for c in body.ids() {
        if body[c] == NONE {
            rest += added(c);
            continue;
        }
        let (b, r, v) = (body[c] as usize, from[c] as usize, carried(c));
        target[b] += added(c);
        if from[c] != NONE {
            target[b] += if there[r] > 0.0 { v * wanted[r] / there[r] } else { 0.0 };
            integral[b] += v * was.bodies[r].integral;
        } else if weight[b] <= 0.0 {
            // All of the body is from nowhere: it is there, at the cost of all.
            target[b] += v;
            rest -= v;
        }
    }
    let whole: f64 = volumes.iter().sum();
    (0..volumes.len())
        .map(|b| {
            let target = target[b] + if whole > 0.0 { rest * volumes[b] / whole } else { 0.0 };
            let integral = if weight[b] > 0.0 { integral[b] / weight[b] } else { 0.0 };
            VolumeControl { integral, ..VolumeControl::new(target) }
        })
        .collect()
}
