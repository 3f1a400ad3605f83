//! The state as columns, and back: velocity, density, temperature, pressure, the last acceleration, and the
//! tree as one bit a node.

use super::state::SmokeState;
use crate::mesh::Mesh;
use octide_core::index::Field;
use octide_core::octree::{Grading, Octree};
use octide_core::scene::Scene;
use octide_core::snapshot::{Snapshot, SnapshotError, Store, Values};

/// Gives a state to `store`.
pub fn save(state: &SmokeState, store: &mut dyn Store) {
    state.mesh.tree.save(store);
    store.put("state", Values::F64(&[state.time, state.max_component]));
    store.put("u", Values::F64(&state.u));
    store.put("density", Values::F64(&state.density));
    store.put("temperature", Values::F64(&state.temperature));
    store.put("pressure", Values::F64(&state.pressure));
    if let Some(push) = &state.push {
        store.put("push", Values::F32(push));
    }
}

/// The state that was given to a store.
pub fn load(scene: &Scene, snapshot: &mut Snapshot) -> Result<SmokeState, SnapshotError> {
    let [time, max_component] = snapshot.numbers("state")?;
    let pressure = snapshot.f64s("pressure", None)?;
    let mesh =
        Mesh::new(Octree::load(&scene.domain.root_grid(), Grading::Unrestricted, pressure.len(), snapshot)?);
    let u = snapshot.f64s("u", Some(mesh.n_faces()))?;
    let density = snapshot.f64s("density", Some(mesh.n_nodes()))?;
    let temperature = snapshot.f64s("temperature", Some(mesh.n_nodes()))?;
    let push = if snapshot.has("push") { Some(snapshot.f32s("push", Some(mesh.n_faces()))?) } else { None };
    Ok(SmokeState {
        time,
        push: push.map(Field::from_vec),
        mesh: mesh.into(),
        max_component,
        u: Field::from_vec(u),
        density: Field::from_vec(density),
        temperature: Field::from_vec(temperature),
        pressure: Field::from_vec(pressure),
    })
}
