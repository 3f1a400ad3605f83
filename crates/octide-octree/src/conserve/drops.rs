//! Spray takes its volume out of the content of cells and gives it back where it lands.
//!
//! A particle that leaves the water takes its volume from its cell and those around it. If they have not that much,
//! there is no water to leave, and the particle is removed. Spray that lands adds its volume to the cell it
//! lands in. Where spray and content together fill most of a cell, they are water again. Content in the air, of
//! films that were too thin for φ, becomes spray with the volume that it has, if that is
//! as much as a particle's: with smaller drops mirrored scenes did not stay alike.

use super::open_fraction;
use crate::apertures::Apertures;
use crate::mesh::Mesh;
use crate::nodal::{CornerVelocity, velocity_at};
use crate::particles::spray::Separated;
use crate::particles::{MASS, Particle, Particles};
use crate::regions::OpenFaces;
use glam::{DVec3, Vec3};
use octide_core::index::{CellId, Field};
use octide_core::par;
use octide_core::particles::place_among_leaves;
use octide_core::random::{Seed, Symmetric};
use octide_core::volume::OpenNeighbors;
use std::collections::HashMap;

/// Content is in the air if φ is larger than this many cells.
const AIR_CELLS: f64 = 1.0;

/// A film near a cell's center fills this fraction of the cell.
const FILM: f64 = 0.125;

/// Cells count as air or as water if φ is more than this many cells.
const NEARLY: f64 = 1e-6;

/// Cells of which more than this fraction is filled become water.
const FULL_ENOUGH: f64 = 0.6;

/// Most drops that the content of a cell becomes in a step.
const MOST_DROPS: f64 = 16.0;

/// So much less than a whole drop is rounding.
const WHOLE: f64 = 1e-6;

/// The part of a cell, along each axis, in which its drops are placed.
const SPREAD: f64 = 0.8;

/// The exchange of volume between cells and spray.
pub(super) struct DropExchange<'a> {
    pub old: &'a Mesh,
    pub corners: &'a CornerVelocity,
    pub mesh: &'a Mesh,
    pub apertures: &'a Apertures,
    pub time: f64,
    pub seed: Seed,
}

impl DropExchange<'_> {
    /// Exchanges water between cells and spray. Returns the cells in which the volume of φ has changed.
    pub fn settle(
        &self,
        phi: &mut Field<CellId, f64>,
        particles: &mut Particles,
        content: &mut Field<CellId, f64>,
        separated: &Separated,
    ) -> Vec<CellId> {
        let volume = f64::from(MASS) * self.mesh.tree.grid().dx().powi(3);
        let finest = self.mesh.tree.grid().dx().powi(3);
        for &(c, landed) in separated.landed.iter().chain(&separated.expired) {
            content[c] += finest * landed;
        }
        let mut without_water = self.take(&separated.left, particles, content, volume);
        without_water.sort_unstable();
        particles.remove(self.mesh, &without_water);
        let filled = self.fill(phi, particles, content);
        let drops = self.drops(phi, content, volume);
        particles.add_spray(self.mesh, &drops);
        filled
    }

    /// Takes the volume of particles that have left the water out of their cells, and what these do not have out of the cells
    /// around, in proportion to their content. Returns the numbers of particles for which there is no water: those farthest
    /// from the center of their cell.
    fn take(
        &self,
        left: &[(CellId, u32)],
        particles: &Particles,
        content: &mut Field<CellId, f64>,
        volume: f64,
    ) -> Vec<u32> {
        let open = OpenFaces { mesh: self.mesh, apertures: self.apertures };
        let groups: Vec<&[(CellId, u32)]> = left.chunk_by(|a, b| a.0 == b.0).collect();
        let mut missing: Vec<f64> = Vec::with_capacity(groups.len());
        for group in &groups {
            let (c, wanted) = (group[0].0, volume * group.len() as f64);
            let here = wanted.min(content[c].max(0.0));
            content[c] -= here;
            missing.push(wanted - here);
        }
        // All ask before any is given to, so that the order of cells is of no account.
        let mut requests: Vec<(usize, CellId, f64)> = Vec::new();
        let mut asked: HashMap<CellId, f64> = HashMap::new();
        for (g, group) in groups.iter().enumerate().filter(|&(g, _)| missing[g] > 0.0) {
            let mut around = 0.0;
            open.for_each_open(group[0].0, |j| around += content[j].max(0.0));
            open.for_each_open(group[0].0, |j| {
                if content[j] > 0.0 {
                    let part = missing[g] * content[j] / around;
                    requests.push((g, j, part));
                    *asked.entry(j).or_default() += part;
                }
            });
        }
        let shares: Vec<f64> =
            requests.iter().map(|(_, j, part)| part * (content[*j] / asked[j]).min(1.0)).collect();
        for (&(g, j, _), share) in requests.iter().zip(shares) {
            content[j] -= share;
            missing[g] -= share;
        }
        let mut without_water = Vec::new();
        for (group, missing) in groups.iter().zip(missing) {
            let n = (missing / volume - WHOLE).ceil().max(0.0);
            content[group[0].0] += n * volume - missing;
            if n > 0.0 {
                without_water.extend(self.farthest(group, particles, n as usize));
            }
        }
        without_water
    }

    /// Returns the numbers of those of the particles of a cell that are farthest from its center.
    fn farthest(&self, group: &[(CellId, u32)], particles: &Particles, n: usize) -> Vec<u32> {
        let c = group[0].0;
        let x = self.mesh.tree.center(c);
        let all = particles.of_cell(c).iter().filter(|p| group.iter().any(|&(_, id)| id == p.id));
        let mut order: Vec<(f64, u32)> = all.map(|p| (p.x(self.mesh).distance_squared(x), p.id)).collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        order.into_iter().take(n).map(|(_, id)| id).collect()
    }

    /// Returns the volume that solids leave of a cell.
    fn room(&self, cell: CellId) -> f64 {
        let h = self.mesh.tree.size(cell);
        h.powi(3) * open_fraction(self.apertures.solid_distance(cell), h)
    }

    /// Turns spray into water where there is enough of it. Returns the cells in which the volume of φ has changed.
    fn fill(
        &self,
        phi: &mut Field<CellId, f64>,
        particles: &mut Particles,
        content: &mut Field<CellId, f64>,
    ) -> Vec<CellId> {
        let (tree, finest) = (&self.mesh.tree, self.mesh.tree.grid().max_level());
        let full = par::collect(self.mesh.n_cells(), |i, out: &mut Vec<(CellId, f64)>| {
            let c = CellId(i as u32);
            if phi[c] <= 0.0 || tree.level(c) != finest || self.apertures.solid_distance(c) <= 0.0 {
                return;
            }
            let drops = particles.of_cell(c).iter().filter(|p: &&Particle| p.is_spray());
            let in_drops = drops.map(Particle::volume).sum::<f64>() * tree.grid().dx().powi(3);
            if content[c] + in_drops > FULL_ENOUGH * self.room(c) {
                out.push((c, in_drops));
            }
        });
        let cells: Vec<CellId> = full.iter().map(|&(c, _)| c).collect();
        particles.settle_spray(&cells);
        let mut changed = Vec::new();
        for (c, in_drops) in full {
            content[c] += in_drops;
            let h = tree.size(c);
            let wanted = h * (0.5 - (content[c] / self.room(c)).min(1.0));
            if wanted < phi[c] {
                phi[c] = wanted;
                changed.push(c);
                changed.extend(self.mesh.contacts.face_neighbors(c).iter().map(|&j| CellId(j)));
            }
        }
        changed.sort_unstable_by_key(|c| c.0);
        changed.dedup();
        changed
    }

    /// Returns whether no surface is so near that it could show the content of a cell: films that are too thin have no
    /// sample in the water.
    fn is_in_air(&self, phi: &Field<CellId, f64>, content: &Field<CellId, f64>, cell: CellId) -> bool {
        let h = self.mesh.tree.size(cell);
        if phi[cell] > AIR_CELLS * h {
            return true;
        }
        // A film on a wall is shown by the wall's side, and a little water in a large cell is none.
        let is_film = content[cell] >= FILM * h.powi(3);
        if phi[cell] < NEARLY * h || !is_film || self.apertures.solid_distance(cell) < h {
            return false;
        }
        let open = OpenFaces { mesh: self.mesh, apertures: self.apertures };
        let mut is_near_water = false;
        open.for_each_open(cell, |j| is_near_water |= phi[j] < -NEARLY * h);
        !is_near_water
    }

    /// Takes the content of cells in the air out of them, in drops with a position and a velocity.
    fn drops(
        &self,
        phi: &Field<CellId, f64>,
        content: &mut Field<CellId, f64>,
        volume: f64,
    ) -> Vec<(DVec3, Vec3, f32)> {
        let tree = &self.mesh.tree;
        let least = (1.0 - WHOLE) * volume;
        let in_air = par::collect(self.mesh.n_cells(), |i, out: &mut Vec<CellId>| {
            let c = CellId(i as u32);
            let is_open = self.apertures.solid_distance(c) > 0.0;
            if is_open && content[c] >= least && self.is_in_air(phi, content, c) {
                out.push(c);
            }
        });
        let mut drops = Vec::new();
        for c in in_air {
            let n = (content[c] / volume - WHOLE).ceil().clamp(1.0, MOST_DROPS);
            // Particles have their volume in single precision.
            let part = (content[c] / (n * volume)) as f32;
            content[c] -= n * f64::from(part) * volume;
            let x = tree.center(c);
            // Not on the other side of a wall.
            let spread =
                (SPREAD * tree.size(c).min(2.0 * tree.grid().dx())).min(self.apertures.solid_distance(c));
            let (place, size) = place_among_leaves(tree, c);
            let random = Symmetric::new(place, size, self.seed);
            for (at, _) in random.spread(self.time.to_bits(), n as usize) {
                let x = x + spread * (at - 0.5);
                drops.push((x, velocity_at(self.old, self.corners, x).as_vec3(), part));
            }
        }
        drops
    }
}
