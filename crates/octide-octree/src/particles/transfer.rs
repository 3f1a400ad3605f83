//! Momentum from particles to faces and back.
//!
//! Cells sum up what their particles give to the faces around; then the faces take the cells' sums in order. Faces of
//! other than the finest size take nothing.

use super::block::{Block, face_place, face_weights, interpolate_faces, offset};
use super::{MASS, Particle, Particles};
use crate::interpolate::sample_faces_in;
use crate::mesh::Mesh;
use crate::params::Transfer;
use glam::DVec3;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;

/// What particles bring to the faces.
#[derive(Debug)]
pub struct Splat {
    /// Mass in finest cells, and that times velocity; empty without particles.
    sums: Field<FaceId, [f64; 2]>,
}

/// Cells whose sums are held at a time.
const BATCH: usize = 1024;

impl Splat {
    /// Sums over all particles in water.
    pub fn new(mesh: &Mesh, particles: &Particles) -> Self {
        let cells = particles.wet_cells(mesh);
        if cells.is_empty() {
            return Self { sums: Field::default() };
        }
        let mut sums = Field::filled(mesh.n_faces(), [0.0f64; 2]);
        for batch in cells.chunks(BATCH) {
            let parts = par::map_index(batch.len(), |i| of_cell(mesh, particles, batch[i]));
            for part in &parts {
                for (faces, values) in part {
                    for (&k, v) in faces.iter().zip(values).filter(|(k, _)| k.is_some()) {
                        sums[k][0] += v[0];
                        sums[k][1] += v[1];
                    }
                }
            }
        }
        Self { sums }
    }

    /// Mass at a face, in finest cells.
    #[inline]
    pub fn mass(&self, face: FaceId) -> f64 {
        if self.sums.is_empty() { 0.0 } else { self.sums[face][0] }
    }

    /// The velocity of a face that is `share` full of liquid and has the velocity `u` without particles.
    #[inline]
    pub fn blend(&self, face: FaceId, share: f64, u: f64) -> f64 {
        if self.sums.is_empty() {
            return u;
        }
        let [mass, momentum] = self.sums[face];
        if mass <= 0.0 {
            return u;
        }
        let rest = (share - mass).max(0.0);
        (rest * u + momentum) / (rest + mass)
    }
}

type Part = [([FaceId; 18], [[f64; 2]; 18]); 3];

fn of_cell(mesh: &Mesh, particles: &Particles, cell: CellId) -> Part {
    let block = Block::around(mesh, cell);
    let h = mesh.tree.size(cell);
    std::array::from_fn(|axis| {
        let faces = block.faces(mesh, axis);
        let mut sums = [[0.0f64; 2]; 18];
        for p in particles.of_cell(cell).iter().filter(|p| !p.is_spray()) {
            let r = offset(mesh, cell, p.x);
            let w = face_weights(r, axis);
            let (v, g) = (f64::from(p.v[axis]), h * p.gradient[axis].as_dvec3());
            for slot in 0..18 {
                let mass = f64::from(MASS) * w[slot];
                sums[slot][0] += mass;
                sums[slot][1] += mass * (v + g.dot(face_place(axis, slot) - r));
            }
        }
        (faces, sums)
    })
}

/// The velocities around a cell, from which its particles read theirs.
pub struct Around<'a> {
    mesh: &'a Mesh,
    u: &'a Field<FaceId, f64>,
    cell: CellId,
    /// Values on the 18 faces across each axis; none where the tree changes its level.
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

    /// Velocity and its gradients at a point of the cell.
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
            let (value, gradient) = interpolate_faces(&values[axis], r, axis);
            v[axis] = value;
            gradient / h
        });
        (v, gradient)
    }
}

/// Gives a particle the velocity that the pressure has left. `before` are the velocities from before forces and pressure.
#[inline]
pub fn take(p: &mut Particle, now: &Around<'_>, before: Option<&Around<'_>>, transfer: Transfer) {
    let (v, gradient) = now.at(p.x);
    match (transfer, before) {
        (Transfer::Flip(share), Some(before)) => {
            p.v = (v + share * (p.v.as_dvec3() - before.at(p.x).0)).as_vec3();
            p.gradient = Default::default();
        }
        _ => {
            p.v = v.as_vec3();
            p.gradient = gradient.map(|g| g.as_vec3());
        }
    }
}
