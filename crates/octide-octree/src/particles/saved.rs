//! Particles as columns.

use super::{Particle, Particles};
use crate::mesh::Mesh;
use glam::{DVec3, Vec3};
use octide_core::snapshot::{Snapshot, SnapshotError, Store, Values};

impl Particles {
    /// Gives all columns to `store`, in the order of cells.
    pub fn save(&self, store: &mut dyn Store) {
        let list = &self.list;
        store.put("particles.next_id", Values::U32(&[self.next_id]));
        let x: Vec<f64> = list.iter().flat_map(|p| p.x.to_array()).collect();
        store.put("particles.x", Values::F64(&x));
        drop(x);
        let mut short = |name: &str, values: Vec<f32>| store.put(name, Values::F32(&values));
        short("particles.v", list.iter().flat_map(|p| p.v.to_array()).collect());
        short("particles.phi", list.iter().map(|p| p.phi).collect());
        short("particles.heat", list.iter().map(|p| p.heat).collect());
        short("particles.flight", list.iter().map(|p| p.flight).collect());
        let ids: Vec<u32> = list.iter().map(|p| p.id).collect();
        store.put("particles.id", Values::U32(&ids));
    }

    /// The particles on a mesh, as they were given to a store.
    pub fn load(mesh: &Mesh, snapshot: &mut Snapshot) -> Result<Self, SnapshotError> {
        let next_id = snapshot.u32s("particles.next_id")?;
        let id = snapshot.u32s("particles.id")?;
        let n = id.len();
        let x = snapshot.f64s("particles.x", Some(3 * n))?;
        let mut short = |name: &str, each: usize| snapshot.f32s(name, Some(each * n));
        let v = short("particles.v", 3)?;
        let (phi, heat) = (short("particles.phi", 1)?, short("particles.heat", 1)?);
        let flight = short("particles.flight", 1)?;
        let list: Vec<Particle> = (0..n)
            .map(|i| Particle {
                x: DVec3::from_slice(&x[3 * i..]),
                v: Vec3::from_slice(&v[3 * i..]),
                phi: phi[i],
                heat: heat[i],
                flight: flight[i],
                id: id[i],
            })
            .collect();
        let &[next_id] = next_id.as_slice() else {
            return Err(SnapshotError::value("particles.next_id", "it must be one number"));
        };
        let sorted = Self::sorted(mesh, list.clone(), &Self { next_id, ..Self::default() });
        if sorted.list != list {
            let reason = "the particles are not in the order of cells, or not in the domain";
            return Err(SnapshotError::value("particles.x", reason));
        }
        Ok(sorted)
    }
}
