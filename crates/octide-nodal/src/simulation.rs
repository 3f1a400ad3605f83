//! The simulation of water by this method, behind Octide's [`Method`] interface.

use crate::frame;
use crate::health;
use crate::init::{initial_state, state_on};
use crate::liquid_cells::StateCells;
use crate::memory::WATER;
use crate::params::Params;
use crate::project::PressureSolver;
use crate::saved;
use crate::state::State;
use crate::step::{StepFindings, step};
use crate::view::NodalView;
use glam::DVec3;
use octide_core::contract::{Frame, Method, StateView, StepError, StepReport, TimeStep, Totals};
use octide_core::flows::Moment;
use octide_core::memory::with_limit;
use octide_core::octree::Octree;
use octide_core::scene::Scene;
use octide_core::snapshot::{Snapshot, SnapshotError, Store};
use octide_core::speeds::{capillary_step, longest_step};
use octide_core::totals::sum_up;

/// Water on an unrestricted octree.
pub struct NodalLiquid {
    scene: Scene,
    params: Params,
    state: State,
    solver: PressureSolver,
    /// The largest amount of memory in bytes that the process may use.
    memory: Option<u64>,
}

impl NodalLiquid {
    /// Starts the scene at time 0.
    pub fn new(scene: &Scene) -> Self {
        Self::with_params(scene, Params::from_scene(scene))
    }

    /// Starts the scene at time 0 with custom parameters.
    pub fn with_params(scene: &Scene, params: Params) -> Self {
        let state = initial_state(scene, &params);
        let state =
            state.unwrap_or_else(|_| unreachable!("only a limit on cells refuses a start, and here is none"));
        Self { scene: scene.clone(), params, state, solver: PressureSolver::default(), memory: None }
    }

    /// Starts the scene at time 0, if the process can hold it and take steps within `bytes`. A tree that
    /// would need more memory is rejected before it is built.
    pub fn within(scene: &Scene, bytes: u64) -> Result<Self, StepError> {
        // This comes first because parameters may be prepared from all root cells.
        WATER.allow_grid(&scene.domain, bytes)?;
        let mut params = Params::from_scene(scene);
        params.max_cells = WATER.most_cells(scene, bytes, 0, 0);
        let state = initial_state(scene, &params).map_err(|e| with_limit(e, bytes))?;
        let solver = PressureSolver::default();
        Ok(Self { scene: scene.clone(), params, state, solver, memory: Some(bytes) })
    }

    /// Starts the scene at time 0 on a given tree.
    pub fn on_tree(scene: &Scene, params: Params, tree: Octree) -> Self {
        let state = state_on(scene, &params, tree);
        Self { scene: scene.clone(), params, state, solver: PressureSolver::default(), memory: None }
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
        let Self { scene, params, state, solver, memory } = self;
        let (new, findings) = step(state, tree, dt, &scene.solids, params, solver)
            .map_err(|e| with_limit(e, memory.unwrap_or(u64::MAX)))?;
        self.state = new;
        Ok(StepReport { dt, ..frame::report(&self.state, &self.scene.solids, &self.params, &findings) })
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

    fn step(&mut self, dt: TimeStep) -> Result<StepReport, StepError> {
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

    fn view(&self) -> Box<dyn StateView + '_> {
        Box::new(NodalView::new(&self.state, &self.scene.solids, &self.params))
    }

    fn totals(&self) -> Totals {
        let grid = self.state.mesh.tree.grid();
        let cells = StateCells::new(&self.state, &self.scene.solids);
        sum_up(&cells, [grid.low(), grid.high()], self.params.density, self.params.gravity)
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
