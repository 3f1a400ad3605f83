//! Transfer of momentum from particles to faces and back.
//!
//! Each cell sums the contributions of its particles to the faces around it. A chunk of cells adds directly
//! to its own faces; contributions to the faces of other chunks are added afterwards, in order. Faces that
//! are not of the finest size receive nothing.
//!
//! With APIC a particle's gradient is that of the grid's velocity at the particle. It is not stored from step
//! to step, but sampled when the particles move, while the velocity it comes from still exists.

use super::block::{Block, Eight, offset};
use super::{Gradient, MASS, Particle, Particles};
use crate::interpolate::sample_faces_in;
use crate::mesh::Mesh;
use crate::params::Transfer;
use glam::DVec3;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;

/// The contributions of particles to faces.
#[derive(Debug)]
pub struct Splat {
    /// Mass in finest cells, and mass times velocity, in 32 bits like the particles' own values; empty
    /// without particles.
    sums: Field<FaceId, [f32; 2]>,
}

/// Number of chunks of cells after which the contributions to other chunks are added.
const GROUP: usize = 64;

impl Splat {
    /// Sums over all particles in the water.
    pub fn new(mesh: &Mesh, particles: &Particles) -> Self {
        if particles.is_empty() {
            return Self { sums: Field::default() };
        }
        let mut sums = vec![[0.0f32; 2]; mesh.n_faces()];
        let finest = mesh.tree.grid().max_level();
        let starts = mesh.faces.chunk_starts();
        let n_chunks = starts.len() - 1;
        for first in (0..n_chunks).step_by(GROUP) {
            let ends = &starts[first..=(first + GROUP).min(n_chunks)];
            let own = &mut sums[ends[0]..ends[ends.len() - 1]];
            let beyond = par::map_parts(own, ends, |i, own| {
                let chunk = first + i;
                let mut beyond: Vec<(FaceId, [f32; 2])> = Vec::new();
                let cells = chunk * par::CHUNK..((chunk + 1) * par::CHUNK).min(mesh.n_cells());
                for cell in cells.map(|i| CellId(i as u32)) {
                    if mesh.tree.level(cell) == finest
                        && particles.of_cell(cell).iter().any(|p| !p.is_spray())
                    {
                        add_cell(mesh, particles, cell, starts[chunk], own, &mut beyond);
                    }
                }
                beyond
            });
            for (k, v) in beyond.into_iter().flatten() {
                add(&mut sums[k.0 as usize], v);
            }
        }
        Self { sums: Field::from_vec(sums) }
    }

    /// Returns the mass at a face, in finest cells.
    #[inline]
    pub fn mass(&self, face: FaceId) -> f64 {
        if self.sums.is_empty() { 0.0 } else { f64::from(self.sums[face][0]) }
    }

    /// Returns the velocity of a face whose liquid fraction is `share` and whose velocity without particles
    /// is `u`.
    #[inline]
    pub fn blend(&self, face: FaceId, share: f64, u: f64) -> f64 {
        if self.sums.is_empty() {
            return u;
        }
        let [mass, momentum] = self.sums[face].map(f64::from);
        if mass <= 0.0 {
            return u;
        }
        let rest = (share - mass).max(0.0);
        (rest * u + momentum) / (rest + mass)
    }
}

/// Adds the contributions of a cell's particles: to the chunk's own faces, the first of which is `first`, and
/// to a list for the others.
fn add_cell(
    mesh: &Mesh,
    particles: &Particles,
    cell: CellId,
    first: usize,
    own: &mut [[f32; 2]],
    beyond: &mut Vec<(FaceId, [f32; 2])>,
) {
    let block = Block::around(mesh, cell);
    let h = mesh.tree.size(cell);
    let mut sums = [[[0.0f64; 2]; 18]; 3];
    for i in particles.bins.of_cell(cell).filter(|&i| !particles.list[i].is_spray()) {
        let (p, gradient) = (&particles.list[i], particles.gradient(i));
        let r = offset(mesh, cell, p.x(mesh));
        for (axis, sums) in sums.iter_mut().enumerate() {
            let v = f64::from(p.v[axis]);
            Eight::around(r, axis).for_each(h * gradient.of(axis), |slot, weight, change| {
                let mass = f64::from(MASS) * weight;
                sums[slot][0] += mass;
                sums[slot][1] += mass * (v + change);
            });
        }
    }
    for (axis, sums) in sums.into_iter().enumerate() {
        for (k, v) in block.faces(mesh, axis).into_iter().zip(sums).filter(|(k, v)| k.is_some() && v[0] > 0.0)
        {
            let v = v.map(|v| v as f32);
            match own.get_mut((k.0 as usize).wrapping_sub(first)) {
                Some(sum) => add(sum, v),
                None => beyond.push((k, v)),
            }
        }
    }
}

fn add(sum: &mut [f32; 2], v: [f32; 2]) {
    *sum = [sum[0] + v[0], sum[1] + v[1]];
}

/// Returns the gradients of the particles' velocities, which are those of the grid's velocity; none with
/// FLIP.
pub fn gradients(
    mesh: &Mesh,
    u: &Field<FaceId, f64>,
    particles: &Particles,
    transfer: Transfer,
) -> Vec<Gradient> {
    if particles.is_empty() || matches!(transfer, Transfer::Flip(_)) {
        return Vec::new();
    }
    let n = mesh.n_cells();
    let mut all = vec![Gradient::default(); particles.len()];
    let starts = particles.bins.chunk_starts();
    par::map_parts(&mut all, &starts, |chunk, part| {
        for i in chunk * par::CHUNK..((chunk + 1) * par::CHUNK).min(n) {
            let cell = CellId(i as u32);
            let list = particles.of_cell(cell);
            if list.iter().all(Particle::is_spray) {
                continue;
            }
            let around = Around::new(mesh, u, cell);
            let first = particles.bins.of_cell(cell).start - starts[chunk];
            for (p, gradient) in list.iter().zip(&mut part[first..]).filter(|(p, _)| !p.is_spray()) {
                *gradient = Gradient::new(around.at(p.x(mesh)).1);
            }
        }
    });
    all
}

/// The velocities around a cell, from which its particles are updated.
pub struct Around<'a> {
    mesh: &'a Mesh,
    u: &'a Field<FaceId, f64>,
    cell: CellId,
    /// Values on the 18 faces across each axis; `None` at a change of level.
    values: Option<[[f64; 18]; 3]>,
}

impl<'a> Around<'a> {
    /// Collects the faces around a cell of the finest level.
    pub fn new(mesh: &'a Mesh, u: &'a Field<FaceId, f64>, cell: CellId) -> Self {
        let values = mesh.contacts.is_regular(cell).then(|| {
            let block = Block::around(mesh, cell);
            std::array::from_fn(|axis| block.faces(mesh, axis).map(|k| u[k]))
        });
        Self { mesh, u, cell, values }
    }

    /// Returns the velocity and its gradients at a point of the cell.
    #[inline]
    pub fn at(&self, x: DVec3) -> (DVec3, [DVec3; 3]) {
        let Some(values) = &self.values else {
            let v = [0, 1, 2].map(|axis| sample_faces_in(self.mesh, self.u, axis, self.cell, x));
            return (DVec3::from_array(v), [DVec3::ZERO; 3]);
        };
        let h = self.mesh.tree.size(self.cell);
        let r = offset(self.mesh, self.cell, x);
        let mut v = DVec3::ZERO;
        let gradient = std::array::from_fn(|axis| {
            let (value, gradient) = Eight::around(r, axis).interpolate(&values[axis]);
            v[axis] = value;
            gradient / h
        });
        (v, gradient)
    }
}

/// Updates a particle's velocity from the projected one. `before` holds the velocities before forces and
/// pressure.
#[inline]
pub fn take_velocity(p: &mut Particle, now: &Around<'_>, before: Option<&Around<'_>>, transfer: Transfer) {
    let x = p.x(now.mesh);
    let v = now.at(x).0;
    match (transfer, before) {
        (Transfer::Flip(share), Some(before)) => {
            p.v = (v + share * (p.v.as_dvec3() - before.at(x).0)).as_vec3();
        }
        _ => p.v = v.as_vec3(),
    }
}
