//! Particles as columns.

use super::{Droplet, LevelParticles, Marker};
use crate::mesh::Mesh;
use glam::{DVec3, Vec3};
use octide_core::bins::Bins;
use octide_core::snapshot::{Snapshot, SnapshotError, Store, Values};

impl LevelParticles {
    /// Gives all columns to `store`; markers in the order of cells.
    pub fn save(&self, store: &mut dyn Store) {
        store.put("particles.counters", Values::U32(&[self.step, self.next_id]));
        let x: Vec<f32> = self.markers.iter().flat_map(|m| m.x.to_array()).collect();
        store.put("markers.x", Values::F32(&x));
        drop(x);
        let r: Vec<f32> = self.markers.iter().map(|m| m.r).collect();
        store.put("markers.r", Values::F32(&r));
        drop(r);
        let x: Vec<f64> = self.drops.iter().flat_map(|d| d.x.to_array()).collect();
        store.put("spray.x", Values::F64(&x));
        let short = |d: &Droplet| [d.v.x, d.v.y, d.v.z, d.radius, d.flight];
        let rest: Vec<f32> = self.drops.iter().flat_map(short).collect();
        store.put("spray.rest", Values::F32(&rest));
        let ids: Vec<u32> = self.drops.iter().map(|d| d.id).collect();
        store.put("spray.id", Values::U32(&ids));
    }

    /// The particles on a mesh, as they were given to a store.
    pub fn load(mesh: &Mesh, snapshot: &mut Snapshot) -> Result<Self, SnapshotError> {
        let counters = snapshot.u32s("particles.counters")?;
        let &[step, next_id] = counters.as_slice() else {
            return Err(SnapshotError::value("particles.counters", "there must be two numbers"));
        };
        let r = snapshot.f32s("markers.r", None)?;
        if r.contains(&0.0) {
            return Err(SnapshotError::value("markers.r", "a radius is zero"));
        }
        let x = snapshot.f32s("markers.x", Some(3 * r.len()))?;
        let markers: Vec<Marker> =
            r.iter().enumerate().map(|(i, &r)| Marker { x: Vec3::from_slice(&x[3 * i..]), r }).collect();
        let bins = bins(mesh, &markers)?;
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

/// Where each cell's markers begin, if they are in the order of cells.
fn bins(mesh: &Mesh, markers: &[Marker]) -> Result<Bins, SnapshotError> {
    let grid = mesh.tree.grid();
    let mut counts = vec![0u32; mesh.n_cells()];
    let mut last = 0;
    for m in markers {
        let x = m.position();
        let inside = x.cmpge(grid.low()).all() && x.cmple(grid.high()).all();
        let cell = mesh.tree.locate(x);
        if !inside || cell.is_none() || cell.0 < last {
            let reason = "the markers are not in the order of cells, or not in the domain";
            return Err(SnapshotError::value("markers.x", reason));
        }
        last = cell.0;
        counts[cell.0 as usize] += 1;
    }
    Ok(Bins::from_counts(counts))
}
