//! The state as columns of a snapshot: saving and loading.
//!
//! The columns hold what a step reads and cannot derive: φ, u, p, decayed sizing values, particles, volumes,
//! bodies of water, the flow through the boundary, and the tree as one bit per node. Tables follow bit for
//! bit from the tree, and apertures from the solids and the time; only faces that inflows, open sides and
//! detached water have set are stored.

use crate::apertures::{Apertures, Changed, measured};
use crate::mesh::Mesh;
use crate::params::Params;
use crate::particles::Particles;
use crate::solids::Solids;
use crate::state::{ExactFlow, State};
use crate::volume::VolumeControl;
use octide_core::faces::detach;
use octide_core::index::{FaceId, Field};
use octide_core::octree::{Grading, Octree};
use octide_core::scene::{Scene, VolumeCorrection};
use octide_core::snapshot::{Snapshot, SnapshotError, Store, Values};
use octide_core::volume::LiquidBodies;
use octide_core::water_record::WaterRecord;

/// Writes a state to `store`.
pub fn save(state: &State, scene: &Scene, store: &mut dyn Store) {
    state.mesh.tree.save(store);
    record(state).save(store);
    store.put("phi", Values::F64(&state.phi));
    store.put("u", Values::F64(&state.u));
    store.put("pressure", Values::F64(&state.pressure));
    store.put("faded", Values::F32(&state.decayed_sizing));
    if !state.content.is_empty() {
        store.put("content", Values::F64(&state.content));
        // The lowest bit says whether an inflow sets the flow.
        let face = |flow: &ExactFlow| flow.face.0 << 1 | u32::from(flow.is_inflow);
        let (faces, rates): (Vec<u32>, Vec<f64>) = state.exact_flow.iter().map(|f| (face(f), f.rate)).unzip();
        store.put("flow.face", Values::U32(&faces));
        store.put("flow.rate", Values::F64(&rates));
    }
    state.particles.save(store);
    if let Some(regions) = &state.regions {
        store.put("regions.body", Values::U32(&regions.body));
        let controls: Vec<f64> = regions.bodies.iter().flat_map(VolumeControl::to_numbers).collect();
        store.put("regions.control", Values::F64(&controls));
    }
    if !scene.solids.is_empty() {
        detach::saved::save(&state.detached, store);
    }
    if sets_faces(scene) {
        let Changed { faces, open, velocity } =
            state.apertures.changed_from(&plain(&state.mesh, scene, state.time));
        store.put("apertures.face", Values::U32(&faces));
        store.put("apertures.open", Values::F32(&open));
        store.put("apertures.velocity", Values::F64(&velocity));
    }
}

fn record(state: &State) -> WaterRecord {
    let &State { time, max_component, volume, clear_ceiling, control, .. } = state;
    WaterRecord { time, max_component, volume, clear_ceiling, control, crossing: state.crossing.clone() }
}

/// Loads a state from a snapshot.
pub fn load(scene: &Scene, params: &Params, snapshot: &mut Snapshot) -> Result<State, SnapshotError> {
    let phi = snapshot.f64s("phi", None)?;
    let tree = Octree::load(&scene.domain.root_grid(), Grading::Graded, phi.len(), snapshot)?;
    let mesh = Mesh::new(tree).with_interpolation(params.interpolation);
    let n = mesh.n_cells();
    let u = snapshot.f64s("u", Some(mesh.n_faces()))?;
    let pressure = snapshot.f64s("pressure", Some(n))?;
    let faded = snapshot.f32s("faded", Some(n))?;
    let WaterRecord { time, max_component, volume, clear_ceiling, control, crossing } =
        WaterRecord::load(n, snapshot)?;
    let keeps = params.volume_correction == VolumeCorrection::Local;
    let apertures = apertures(&mesh, scene, time, snapshot)?;
    Ok(State {
        time,
        max_component,
        volume,
        clear_ceiling,
        control,
        crossing,
        particles: Particles::load(&mesh, snapshot)?,
        regions: regions(n, params, snapshot)?,
        content: Field::from_vec(if keeps { snapshot.f64s("content", Some(n))? } else { Vec::new() }),
        exact_flow: if keeps { exact_flow(&mesh, snapshot)? } else { Vec::new() },
        phi: Field::from_vec(phi),
        u: Field::from_vec(u),
        pressure: Field::from_vec(pressure),
        decayed_sizing: Field::from_vec(faded),
        apertures,
        detached: detach::saved::load(n, snapshot)?,
        mesh: mesh.into(),
    })
}

fn exact_flow(mesh: &Mesh, snapshot: &mut Snapshot) -> Result<Vec<ExactFlow>, SnapshotError> {
    let faces = snapshot.u32s("flow.face")?;
    let rates = snapshot.f64s("flow.rate", Some(faces.len()))?;
    if !faces.is_sorted() || faces.last().is_some_and(|&k| (k >> 1) as usize >= mesh.n_faces()) {
        return Err(SnapshotError::value("flow.face", "faces that are not there"));
    }
    let of_face = |(k, rate): (u32, f64)| ExactFlow { face: FaceId(k >> 1), rate, is_inflow: k & 1 == 1 };
    Ok(faces.into_iter().zip(rates).map(of_face).collect())
}

/// Returns whether steps set faces other than solids do.
fn sets_faces(scene: &Scene) -> bool {
    !scene.inflows.is_empty() || scene.open.any() || !scene.solids.is_empty()
}

/// Returns the apertures that follow from solids alone.
fn plain(mesh: &Mesh, scene: &Scene, time: f64) -> Apertures {
    measured(mesh, &Solids::on_grid(&scene.solids, time, mesh.tree.grid().dx()), scene.open)
}

fn apertures(
    mesh: &Mesh,
    scene: &Scene,
    time: f64,
    snapshot: &mut Snapshot,
) -> Result<Apertures, SnapshotError> {
    let plain = plain(mesh, scene, time);
    if !sets_faces(scene) || !snapshot.has("apertures.face") {
        return Ok(plain);
    }
    let changed = Changed {
        faces: snapshot.u32s("apertures.face")?,
        open: snapshot.f32s("apertures.open", None)?,
        velocity: snapshot.f64s("apertures.velocity", None)?,
    };
    let wrong = || SnapshotError::value("apertures.face", "faces or values out of range");
    plain.with_changed(&changed).ok_or_else(wrong)
}

/// Loads the bodies of water. If the scene now corrects them separately but did not before, the next step
/// finds them.
fn regions(
    n_cells: usize,
    params: &Params,
    snapshot: &mut Snapshot,
) -> Result<Option<LiquidBodies>, SnapshotError> {
    if params.volume_correction != VolumeCorrection::Regional || !snapshot.has("regions.body") {
        return Ok(None);
    }
    let body = snapshot.u32s("regions.body")?;
    let numbers = snapshot.f64s("regions.control", None)?;
    let (controls, rest) = numbers.as_chunks::<6>();
    let is_there = |b: u32| b == u32::MAX || (b as usize) < controls.len();
    if body.len() != n_cells || !rest.is_empty() || !body.iter().all(|&b| is_there(b)) {
        return Err(SnapshotError::value("regions.body", "bodies that are not there"));
    }
    let bodies = controls.iter().map(VolumeControl::from_numbers).collect();
    Ok(Some(LiquidBodies { body: Field::from_vec(body), bodies }))
}
