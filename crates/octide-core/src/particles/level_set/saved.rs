//! Serialization of particles as columns.

use super::{Droplet, LevelParticles, Packed};
use crate::bins::Bins;
use crate::snapshot::{Snapshot, SnapshotError, Store, Values};
use glam::{DVec3, Vec3};

impl LevelParticles {
    /// Writes all columns to `store`; markers are in the order of cells.
    pub fn save(&self, store: &mut dyn Store) {
        store.put("particles.counters", Values::U32(&[self.step, self.next_id]));
        let numbers: Vec<u32> = self.markers.iter().map(|m| m.0).collect();
        store.put("markers", Values::U32(&numbers));
        drop(numbers);
        store.put("markers.counts", Values::U32(&self.bins.counts()));
        let x: Vec<f64> = self.drops.iter().flat_map(|d| d.x.to_array()).collect();
        store.put("spray.x", Values::F64(&x));
        let short = |d: &Droplet| [d.v.x, d.v.y, d.v.z, d.radius, d.flight];
        let rest: Vec<f32> = self.drops.iter().flat_map(short).collect();
        store.put("spray.rest", Values::F32(&rest));
        let ids: Vec<u32> = self.drops.iter().map(|d| d.id).collect();
        store.put("spray.id", Values::U32(&ids));
    }

    /// Reads the saved particles on a mesh of `n_cells` cells.
    pub fn load(n_cells: usize, snapshot: &mut Snapshot) -> Result<Self, SnapshotError> {
        let counters = snapshot.u32s("particles.counters")?;
        let &[step, next_id] = counters.as_slice() else {
            return Err(SnapshotError::value("particles.counters", "there must be two numbers"));
        };
        let markers: Vec<Packed> = snapshot.u32s("markers")?.into_iter().map(Packed).collect();
        let counts = snapshot.u32s("markers.counts")?;
        let sum: u64 = counts.iter().map(|&n| u64::from(n)).sum();
        let is_whole = counts.len() == n_cells || counts.is_empty();
        if !is_whole || sum != markers.len() as u64 {
            return Err(SnapshotError::value("markers.counts", "not as many cells or markers as there are"));
        }
        let bins = Bins::from_counts(counts);
        let id = snapshot.u32s("spray.id")?;
        let n = id.len();
        let x = snapshot.f64s("spray.x", Some(3 * n))?;
        let rest = snapshot.f32s("spray.rest", Some(5 * n))?;
        let drops = (0..n)
            .map(|i| Droplet {
                x: DVec3::from_slice(&x[3 * i..]),
                v: Vec3::from_slice(&rest[5 * i..]),
                radius: rest[5 * i + 3],
                flight: rest[5 * i + 4],
                id: id[i],
            })
            .collect();
        Ok(Self { markers, bins, drops, step, next_id })
    }
}
