//! Spray takes its volume out of the content of cells and gives it back where it lands.
//!
//! A particle that leaves the water takes its volume from the cell near it that has most to spare. If none has that
//! much, there is no water to leave, and the particle is removed. Spray that lands adds its volume to the cell it
//! lands in. Where spray and content together fill most of a cell, they are water again. Content in the air, of
//! films that were too thin for φ, becomes spray.

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

/// Content is in the air if φ is larger than this many cells.
const AIR_CELLS: f64 = 1.0;

/// Cells of which more than this fraction is filled become water.
const FULL_ENOUGH: f64 = 0.6;

/// Most drops that the content of a cell becomes in a step.
const MOST_DROPS: f64 = 16.0;

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
        for &c in separated.landed.iter().chain(&separated.expired) {
            content[c] += volume;
        }
        let open = OpenFaces { mesh: self.mesh, apertures: self.apertures };
        let mut without_water: Vec<u32> = Vec::new();
        for &(c, id) in &separated.left {
            let mut from = c;
            open.for_each_open(c, |j| {
                if content[c] < volume && content[j] > content[from] {
                    from = j;
                }
            });
            if content[from] < volume {
                without_water.push(id);
            } else {
                content[from] -= volume;
            }
        }
        without_water.sort_unstable();
        particles.remove(self.mesh, &without_water);
        let filled = self.fill(phi, particles, content, volume);
        let drops = self.drops(phi, content, volume);
        particles.add_spray(self.mesh, &drops);
        filled
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
        volume: f64,
    ) -> Vec<CellId> {
        let (tree, finest) = (&self.mesh.tree, self.mesh.tree.grid().max_level());
        let full = par::collect(self.mesh.n_cells(), |i, out: &mut Vec<(CellId, f64)>| {
            let c = CellId(i as u32);
            if phi[c] <= 0.0 || tree.level(c) != finest || self.apertures.solid_distance(c) <= 0.0 {
                return;
            }
            let drops = particles.of_cell(c).iter().filter(|p: &&Particle| p.is_spray()).count();
            let in_drops = volume * drops as f64;
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

    /// Takes the content of cells in the air out of them, in drops with a position and a velocity.
    fn drops(
        &self,
        phi: &Field<CellId, f64>,
        content: &mut Field<CellId, f64>,
        volume: f64,
    ) -> Vec<(DVec3, Vec3)> {
        let tree = &self.mesh.tree;
        let in_air = par::collect(self.mesh.n_cells(), |i, out: &mut Vec<CellId>| {
            let c = CellId(i as u32);
            let is_open = self.apertures.solid_distance(c) > 0.0;
            if is_open && content[c] >= volume && phi[c] > AIR_CELLS * tree.size(c) {
                out.push(c);
            }
        });
        let mut drops = Vec::new();
        for c in in_air {
            let n = (content[c] / volume).floor().min(MOST_DROPS);
            content[c] -= n * volume;
            let x = tree.center(c);
            // Not on the other side of a wall.
            let spread =
                (SPREAD * tree.size(c).min(2.0 * tree.grid().dx())).min(self.apertures.solid_distance(c));
            let (place, size) = place_among_leaves(tree, c);
            let random = Symmetric::new(place, size, self.seed);
            for (at, _) in random.spread(self.time.to_bits(), n as usize) {
                let x = x + spread * (at - 0.5);
                drops.push((x, velocity_at(self.old, self.corners, x).as_vec3()));
            }
        }
        drops
    }
}
