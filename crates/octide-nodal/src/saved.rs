//! The state as columns, and back.
//!
//! Stored is what a step reads and cannot know otherwise: φ, u, p, particles, volumes, what crosses the rim,
//! and the tree as one bit a node. Tables follow from the tree, and how solids close faces from the solids
//! and the time, bit for bit. The pressure solver keeps memory from step to step, but no values that a solve
//! would read.

use crate::boundary::Boundary;
use crate::mesh::Mesh;
use crate::particles::LevelParticles;
use crate::state::State;
use octide_core::flows::{load_crossing, save_crossing};
use octide_core::index::Field;
use octide_core::octree::{Grading, Octree};
use octide_core::scene::Scene;
use octide_core::snapshot::{Snapshot, SnapshotError, Store, Values};
use octide_core::solids::Solids;
use octide_core::volume::VolumeControl;

/// Gives a state to `store`.
pub fn save(state: &State, store: &mut dyn Store) {
    state.mesh.tree.save(store);
    store.put("state", Values::F64(&[state.time, state.max_component, state.volume]));
    store.put("clear_ceiling", Values::U8(&[u8::from(state.clear_ceiling)]));
    store.put("control", Values::F64(&state.control.to_numbers()));
    store.put("phi", Values::F64(&state.phi));
    store.put("u", Values::F64(&state.u));
    store.put("pressure", Values::F64(&state.pressure));
    state.particles.save(store);
    save_crossing(&state.crossing, store);
}

/// The state that was given to a store.
pub fn load(scene: &Scene, snapshot: &mut Snapshot) -> Result<State, SnapshotError> {
    let [time, max_component, volume] = snapshot.numbers("state")?;
    let pressure = snapshot.f64s("pressure", None)?;
    let mesh =
        Mesh::new(Octree::load(&scene.domain.root_grid(), Grading::Unrestricted, pressure.len(), snapshot)?);
    let phi = snapshot.f64s("phi", Some(mesh.n_nodes()))?;
    let u = snapshot.f64s("u", Some(mesh.n_faces()))?;
    Ok(State {
        time,
        max_component,
        volume,
        clear_ceiling: snapshot.u8s("clear_ceiling")? != [0],
        control: VolumeControl::from_numbers(&snapshot.numbers("control")?),
        particles: LevelParticles::load(&mesh, snapshot)?,
        crossing: load_crossing(mesh.n_cells(), snapshot)?,
        boundary: Boundary::new(&mesh, &Solids::at(&scene.solids, time), scene.open).into(),
        phi: Field::from_vec(phi),
        u: Field::from_vec(u),
        pressure: Field::from_vec(pressure),
        mesh: mesh.into(),
    })
}
