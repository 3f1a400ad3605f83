//! Water by this method, as the rest of the house holds it.

use crate::frame;
use crate::health;
use crate::init::{initial_state, state_on};
use crate::memory::WATER;
use crate::params::Params;
use crate::project::PressureSolver;
use crate::sampler::StateSampler;
use crate::saved;
use crate::state::State;
use crate::step::{StepFindings, step};
use crate::totals::totals;
use glam::DVec3;
use octide_core::contract::{Frame, LevelSet, Method, Sampler, StepError, StepReport, Totals};
use octide_core::flows::Moment;
use octide_core::memory::with_limit;
use octide_core::octree::Octree;
use octide_core::scene::Scene;
use octide_core::snapshot::{Snapshot, SnapshotError, Store};
use octide_core::speeds::{capillary_step, longest_step};

/// Water on an unrestricted octree.
pub struct NodalLiquid {
    scene: Scene,
    params: Params,
    state: State,
    solver: PressureSolver,
    /// Bytes that the process may hold.
    memory: Option<u64>,
}

impl NodalLiquid {
    /// The scene at time 0.
    pub fn new(scene: &Scene) -> Self {
        Self::with_params(scene, Params::from_scene(scene))
    }

    /// The scene at time 0, with choices of one's own.
    pub fn with_params(scene: &Scene, params: Params) -> Self {
        let state = initial_state(scene, &params);
        let state =
            state.unwrap_or_else(|_| unreachable!("only a limit on cells refuses a start, and here is none"));
        Self { scene: scene.clone(), params, state, solver: PressureSolver::default(), memory: None }
    }

    /// The scene at time 0, if the process can then hold it, and take steps, within `bytes`. A tree that
    /// would need more is refused before it is built.
    pub fn within(scene: &Scene, bytes: u64) -> Result<Self, StepError> {
        let mut params = Params::from_scene(scene);
        params.max_cells = WATER.most_cells(scene, bytes, 0, 0);
        WATER.allow_grid(&scene.domain, bytes)?;
        let state = initial_state(scene, &params).map_err(|e| with_limit(e, bytes))?;
        let solver = PressureSolver::default();
        Ok(Self { scene: scene.clone(), params, state, solver, memory: Some(bytes) })
    }

    /// The scene at time 0 on a tree that is given.
    pub fn on_tree(scene: &Scene, params: Params, tree: Octree) -> Self {
        let state = state_on(scene, &params, tree);
        Self { scene: scene.clone(), params, state, solver: PressureSolver::default(), memory: None }
    }

    /// The state as it is.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// A step onto a tree that is given.
    pub fn step_on(&mut self, tree: Octree, dt: f64) -> Result<StepReport, StepError> {
        self.advance(Some(tree), dt)
    }

    fn advance(&mut self, tree: Option<Octree>, dt: f64) -> Result<StepReport, StepError> {
        let Self { scene, params, state, solver, memory } = self;
        let (new, findings) = step(state, tree, dt, &scene.solids, params, solver)
            .map_err(|e| with_limit(e, memory.unwrap_or(u64::MAX)))?;
        self.state = new;
        Ok(StepReport { dt, ..frame::report(&self.state, &self.scene.solids, &self.params, &findings) })
    }

    fn looked_at(&self) -> StateSampler<'_> {
        StateSampler::new(&self.state, &self.scene.solids, &self.params)
    }
}

impl Method for NodalLiquid {
    fn time(&self) -> f64 {
        self.state.time
    }

    fn max_dt(&self) -> f64 {
        let State { mesh, time, max_component, .. } = &self.state;
        let next = Moment { time: *time, dt: 1.0 / self.scene.time.fps };
        let speed = max_component.max(self.params.flows.max_speed(next));
        let grid = mesh.tree.grid();
        let limit = capillary_step(grid.dx(), self.params.density, self.params.surface_tension);
        longest_step(&self.scene, grid, *time, speed, limit)
    }

    fn fastest(&self) -> DVec3 {
        health::fastest(&self.state)
    }

    fn step(&mut self, dt: f64) -> Result<StepReport, StepError> {
        if let Some(bytes) = self.memory {
            let (cells, particles) = (self.state.mesh.n_cells(), self.state.particles.len());
            self.params.max_cells = WATER.most_cells(&self.scene, bytes, cells, particles);
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

    fn sampler(&self) -> Box<dyn Sampler + '_> {
        Box::new(self.looked_at())
    }

    fn totals(&self) -> Totals {
        totals(&self.state, &self.scene.solids, &self.params)
    }

    fn level_set(&self) -> Box<dyn LevelSet + '_> {
        Box::new(self.looked_at())
    }

    fn save(&self, store: &mut dyn Store) {
        saved::save(&self.state, store);
    }

    fn load(scene: &Scene, snapshot: &mut Snapshot) -> Result<Self, SnapshotError> {
        let params = Params::from_scene(scene);
        let state = saved::load(scene, snapshot)?;
        Ok(Self { scene: scene.clone(), params, state, solver: PressureSolver::default(), memory: None })
    }
}
