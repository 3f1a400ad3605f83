//! The method as the rest of Octide uses it.

use crate::driven::{Velocity, given_velocity, on_faces, step_driven};
use crate::flows::Moment;
use crate::frame;
use crate::health;
use crate::init::{initial_state, state_on};
use crate::liquid_cells::StateCells;
use crate::memory::MODEL;
use crate::mesh::Mesh;
use crate::params::Params;
use crate::project::PressureSystem;
use crate::saved;
use crate::state::State;
use crate::step::{StepFindings, pressure_system, step};
use crate::tension::capillary_limit;
use crate::view::OctreeView;
use glam::DVec3;
use octide_core::contract::{Frame, Method, StateView, StepError, StepReport, TimeStep, Totals};
use octide_core::memory::with_limit;
use octide_core::octree::Octree;
use octide_core::scene::Scene;
use octide_core::snapshot::{Snapshot, SnapshotError, Store};
use octide_core::speeds::longest_step;
use octide_core::totals::sum_up;

/// Liquid on an adaptive octree.
pub struct OctreeLiquid {
    scene: Scene,
    params: Params,
    state: State,
    /// Bytes that the process may hold.
    memory: Option<u64>,
}

impl OctreeLiquid {
    /// Starts the scene at time 0.
    pub fn new(scene: &Scene) -> Self {
        let params = Params::from_scene(scene);
        Self::with_params(scene, params)
    }

    /// Starts the scene at time 0 with other parameters than its own.
    pub fn with_params(scene: &Scene, params: Params) -> Self {
        let state = initial_state(scene, &params);
        let state =
            state.unwrap_or_else(|_| unreachable!("only a limit on cells refuses a start, and here is none"));
        Self { scene: scene.clone(), params, state, memory: None }
    }

    /// Starts the scene at time 0 if the process can hold it, and take steps, within `bytes`. A tree that
    /// would need more is refused before it is built.
    pub fn within(scene: &Scene, bytes: u64) -> Result<Self, StepError> {
        // This comes first because parameters may be prepared from all root cells.
        MODEL.allow_grid(&scene.domain, bytes)?;
        let mut params = Params::from_scene(scene);
        params.max_cells = MODEL.most_cells(scene, bytes, 0, 0);
        let state = initial_state(scene, &params).map_err(|e| with_limit(e, bytes))?;
        Ok(Self { scene: scene.clone(), params, state, memory: Some(bytes) })
    }

    /// Starts the scene at time 0 on a given tree.
    pub fn on_tree(scene: &Scene, params: Params, tree: Octree) -> Self {
        let state = state_on(scene, &params, tree);
        Self { scene: scene.clone(), params, state, memory: None }
    }

    /// Returns the current state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Takes a step onto a given tree.
    pub fn step_on(&mut self, tree: Octree, dt: TimeStep) -> Result<StepReport, StepError> {
        self.advance(Some(tree), dt)
    }

    fn advance(&mut self, tree: Option<Octree>, dt: TimeStep) -> Result<StepReport, StepError> {
        let dt = dt.seconds();
        let Self { scene, params, state, memory } = self;
        let (new, findings) = step(state, tree, dt, &scene.solids, params)
            .map_err(|e| with_limit(e, memory.unwrap_or(u64::MAX)))?;
        self.state = new;
        Ok(StepReport { dt, ..frame::report(&self.state, &self.scene.solids, &self.params, &findings) })
    }

    /// Replaces the velocity; with [`step_driven`](Self::step_driven) this is the velocity of the first step.
    pub fn set_velocity(&mut self, velocity: Velocity<'_>) {
        self.state.u = on_faces(&self.state.mesh, velocity);
    }

    /// Sets the velocity of the first step of tracking; see [`driven`](crate::driven).
    pub fn drive_by(&mut self, velocity: Velocity<'_>) -> Result<(), StepError> {
        let State { mesh, apertures, .. } = &self.state;
        self.state.u = given_velocity(mesh, apertures, velocity, &self.params)?;
        Ok(())
    }

    /// Takes a step of tracking without dynamics: advects the surface by the current velocity, then sets the
    /// velocity to `next`. See [`driven`](crate::driven).
    pub fn step_driven(&mut self, dt: TimeStep, next: Velocity<'_>) -> Result<(), StepError> {
        self.drive(None, dt, next)
    }

    /// As [`step_driven`](Self::step_driven), onto a given tree.
    pub fn step_driven_on(
        &mut self,
        tree: Octree,
        dt: TimeStep,
        next: Velocity<'_>,
    ) -> Result<(), StepError> {
        self.drive(Some(tree), dt, next)
    }

    fn drive(&mut self, tree: Option<Octree>, dt: TimeStep, next: Velocity<'_>) -> Result<(), StepError> {
        let Self { scene, params, state, .. } = self;
        *state = step_driven(state, tree, dt.seconds(), &scene.solids, params, next)?;
        Ok(())
    }

    /// Returns the pressure system that a step of length `dt` would solve, and its mesh.
    pub fn pressure_system(&self, dt: f64) -> Result<(Mesh, PressureSystem), StepError> {
        pressure_system(&self.state, dt, &self.scene.solids, &self.params)
    }
}

impl Method for OctreeLiquid {
    fn time(&self) -> f64 {
        self.state.time
    }

    fn max_dt(&self) -> f64 {
        let State { mesh, phi, time, max_component, .. } = &self.state;
        let next = Moment { time: *time, dt: 1.0 / self.scene.time.fps };
        let speed = max_component.max(self.params.flows.max_speed(next));
        let limit = capillary_limit(mesh, phi, &self.params);
        longest_step(&self.scene, mesh.tree.grid(), *time, speed, limit)
    }

    fn fastest(&self) -> DVec3 {
        health::fastest(&self.state)
    }

    fn step(&mut self, dt: TimeStep) -> Result<StepReport, StepError> {
        let (cells, particles) = (self.state.mesh.n_cells(), self.state.particles.len());
        if let Some(bytes) = self.memory {
            self.params.max_cells = MODEL.most_cells(&self.scene, bytes, cells, particles);
        }
        self.advance(None, dt)
    }

    fn limit_memory(&mut self, bytes: u64) {
        self.memory = Some(bytes);
    }

    fn frame(&self) -> Frame {
        frame::frame(&self.state, &self.scene.solids)
    }

    fn report(&self) -> StepReport {
        frame::report(&self.state, &self.scene.solids, &self.params, &StepFindings::default())
    }

    fn view(&self) -> Box<dyn StateView + '_> {
        Box::new(OctreeView::new(&self.state, &self.scene.solids, &self.params))
    }

    fn totals(&self) -> Totals {
        let grid = self.state.mesh.tree.grid();
        let cells = StateCells::new(&self.state, &self.scene.solids);
        sum_up(&cells, [grid.low(), grid.high()], self.params.density, self.params.gravity)
    }

    fn save(&self, store: &mut dyn Store) {
        saved::save(&self.state, &self.scene, store);
    }

    fn load(scene: &Scene, snapshot: &mut Snapshot) -> Result<Self, SnapshotError> {
        let params = Params::from_scene(scene);
        let state = saved::load(scene, &params, snapshot)?;
        Ok(Self { scene: scene.clone(), params, state, memory: None })
    }
}
