//! Saving and loading of the state, as columns.
//!
//! A checkpoint stores what a step reads and cannot derive: φ, u, p, particles, volumes, the flow through the
//! boundary, the walls that water has detached from, and the tree as one bit per node. The tables follow exactly from the tree, and how solids close
//! faces follows exactly from the solids and the time. The pressure solver keeps memory between steps, but no
//! values that a solve would read.

use crate::boundary::Boundary;
use crate::mesh::Mesh;
use crate::particles::LevelParticles;
use crate::state::State;
use octide_core::faces::detach;
use octide_core::index::Field;
use octide_core::octree::{Grading, Octree};
use octide_core::scene::Scene;
use octide_core::snapshot::{Snapshot, SnapshotError, Store, Values};
use octide_core::solids::Solids;
use octide_core::water_record::WaterRecord;

/// Writes a state to `store`.
pub fn save(state: &State, store: &mut dyn Store) {
    state.mesh.tree.save(store);
    record(state).save(store);
    store.put("phi", Values::F64(&state.phi));
    store.put("u", Values::F64(&state.u));
    store.put("pressure", Values::F64(&state.pressure));
    state.particles.save(store);
    if state.boundary.has_solids() {
        detach::saved::save(&state.detached, store);
    }
}

fn record(state: &State) -> WaterRecord {
    let &State { time, max_component, volume, clear_ceiling, control, .. } = state;
    WaterRecord { time, max_component, volume, clear_ceiling, control, crossing: state.crossing.clone() }
}

/// Reads a state from a checkpoint.
pub fn load(scene: &Scene, snapshot: &mut Snapshot) -> Result<State, SnapshotError> {
    let pressure = snapshot.f64s("pressure", None)?;
    let mesh =
        Mesh::new(Octree::load(&scene.domain.root_grid(), Grading::Unrestricted, pressure.len(), snapshot)?);
    let phi = snapshot.f64s("phi", Some(mesh.n_nodes()))?;
    let u = snapshot.f64s("u", Some(mesh.n_faces()))?;
    let WaterRecord { time, max_component, volume, clear_ceiling, control, crossing } =
        WaterRecord::load(mesh.n_cells(), snapshot)?;
    Ok(State {
        time,
        max_component,
        volume,
        clear_ceiling,
        control,
        crossing,
        particles: LevelParticles::load(mesh.n_cells(), snapshot)?,
        boundary: Boundary::new(
            &mesh,
            &Solids::on_grid(&scene.solids, time, mesh.tree.grid().dx()),
            scene.open,
        )
        .into(),
        phi: Field::from_vec(phi),
        u: Field::from_vec(u),
        pressure: Field::from_vec(pressure),
        detached: detach::saved::load(mesh.n_cells(), snapshot)?,
        mesh: mesh.into(),
    })
}
