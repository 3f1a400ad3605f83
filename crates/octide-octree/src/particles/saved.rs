//! Particles as columns of a snapshot.

use super::{Particle, Particles};
use crate::mesh::Mesh;
use glam::Vec3;
use octide_core::octree::Place;
use octide_core::snapshot::{Snapshot, SnapshotError, Store, Values};

impl Particles {
    /// Writes all columns to `store`, in the order of cells.
    pub fn save(&self, store: &mut dyn Store) {
        let list = &self.list;
        store.put("particles.next_id", Values::U32(&[self.next_id]));
        let places: Vec<u32> = list.iter().flat_map(|p| p.place.0).map(i32::cast_unsigned).collect();
        store.put("particles.place", Values::U32(&places));
        drop(places);
        let mut short = |name: &str, values: Vec<f32>| store.put(name, Values::F32(&values));
        short("particles.v", list.iter().flat_map(|p| p.v.to_array()).collect());
        short("particles.phi", list.iter().map(|p| p.phi).collect());
        short("particles.life", list.iter().map(|p| p.life).collect());
        let ids: Vec<u32> = list.iter().map(|p| p.id).collect();
        store.put("particles.id", Values::U32(&ids));
    }

    /// Loads the particles of a mesh from a snapshot.
    pub fn load(mesh: &Mesh, snapshot: &mut Snapshot) -> Result<Self, SnapshotError> {
        let next_id = snapshot.u32s("particles.next_id")?;
        let id = snapshot.u32s("particles.id")?;
        let n = id.len();
        let places = snapshot.u32s("particles.place")?;
        if places.len() != 3 * n {
            return Err(SnapshotError::value("particles.place", "it must be three numbers a particle"));
        }
        let mut short = |name: &str, each: usize| snapshot.f32s(name, Some(each * n));
        let v = short("particles.v", 3)?;
        let (phi, life) = (short("particles.phi", 1)?, short("particles.life", 1)?);
        let list: Vec<Particle> = (0..n)
            .map(|i| Particle {
                place: Place([0, 1, 2].map(|a| places[3 * i + a].cast_signed())),
                v: Vec3::from_slice(&v[3 * i..]),
                phi: phi[i],
                life: life[i],
                id: id[i],
            })
            .collect();
        let &[next_id] = next_id.as_slice() else {
            return Err(SnapshotError::value("particles.next_id", "it must be one number"));
        };
        let sorted = Self::sorted(mesh, list.clone(), &Self { next_id, ..Self::default() });
        if sorted.list != list {
            let reason = "the particles are not in the order of cells, or not in the domain";
            return Err(SnapshotError::value("particles.place", reason));
        }
        Ok(sorted)
    }
}
