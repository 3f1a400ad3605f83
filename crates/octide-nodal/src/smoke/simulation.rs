//! The simulation of smoke by this method, behind Octide's [`Method`] interface.

use super::frame;
use super::health;
use super::init::{initial_state, state_on};
use super::params::SmokeParams;
use super::saved;
use super::sources::Moment;
use super::state::SmokeState;
use super::step::step;
use super::totals::totals;
use super::view::SmokeView;
use crate::memory::SMOKE;
use crate::project::PressureSolver;
use glam::DVec3;
use octide_core::contract::{Frame, Method, StateView, StepError, StepReport, TimeStep, Totals};
use octide_core::index::FaceId;
use octide_core::memory::with_limit;
use octide_core::octree::Octree;
use octide_core::par;
use octide_core::report::StepFindings;
use octide_core::scene::Scene;
use octide_core::snapshot::{Snapshot, SnapshotError, Store};
use octide_core::speeds::limit_by_motion;

/// Smoke on an octree.
pub struct NodalSmoke {
    scene: Scene,
    params: SmokeParams,
    state: SmokeState,
    solver: PressureSolver,
    /// The largest amount of memory in bytes that the process may use.
    memory: Option<u64>,
}

impl NodalSmoke {
    /// Starts the scene at time 0.
    pub fn new(scene: &Scene) -> Self {
        Self::with_params(scene, SmokeParams::from_scene(scene))
    }

    /// Starts the scene at time 0 with custom parameters.
    pub fn with_params(scene: &Scene, params: SmokeParams) -> Self {
        let state = initial_state(scene, &params)
            .unwrap_or_else(|_| unreachable!("only a limit on cells refuses a start, and here is none"));
        Self::from_state(scene, params, state)
    }

    /// Starts the scene at time 0, if the process can hold it and take steps within `bytes`. A tree that
    /// would need more memory is rejected before it is built.
    pub fn within(scene: &Scene, bytes: u64) -> Result<Self, StepError> {
        // This comes first because parameters may be prepared from all root cells.
        SMOKE.allow_grid(&scene.domain, bytes)?;
        let mut params = SmokeParams::from_scene(scene);
        params.max_cells = SMOKE.most_cells(scene, bytes, 0, 0);
        let state = initial_state(scene, &params).map_err(|e| with_limit(e, bytes))?;
        Ok(Self { memory: Some(bytes), ..Self::from_state(scene, params, state) })
    }

    /// Starts the scene at time 0 on a given tree.
    pub fn on_tree(scene: &Scene, params: SmokeParams, tree: Octree) -> Self {
        let state = state_on(scene, &params, tree);
        Self::from_state(scene, params, state)
    }

    fn from_state(scene: &Scene, params: SmokeParams, state: SmokeState) -> Self {
        Self { scene: scene.clone(), params, state, solver: PressureSolver::default(), memory: None }
    }

    /// Returns the current state.
    pub fn state(&self) -> &SmokeState {
        &self.state
    }

    /// Replaces the velocity, except on closed sides of the domain.
    pub fn set_velocity(&mut self, velocity: impl Fn(DVec3) -> DVec3 + Sync + Send) {
        let (mesh, open) = (&self.state.mesh, self.params.open);
        par::update(&mut self.state.u, |i, u| {
            let k = FaceId(i as u32);
            if mesh.side_of(k).is_none_or(|side| open.sides[side]) {
                *u = velocity(mesh.face_position(k))[mesh.faces.axis(k)];
            }
        });
        let u = &self.state.u;
        self.state.max_component = par::max(u.len(), |k| u[FaceId(k as u32)].abs());
    }

    /// Replaces density and temperature; `at` returns them in this order.
    pub fn set_smoke(&mut self, at: impl Fn(DVec3) -> [f64; 2] + Sync + Send) {
        let SmokeState { mesh, density, temperature, .. } = &mut self.state;
        for (i, q) in [density, temperature].into_iter().enumerate() {
            *q = par::map(mesh.n_nodes(), |v| at(mesh.node_position(v))[i]);
            mesh.constrain(q);
        }
    }

    /// Takes a step onto a given tree.
    pub fn step_on(&mut self, tree: Octree, dt: TimeStep) -> Result<StepReport, StepError> {
        self.advance(Some(tree), dt)
    }

    fn advance(&mut self, tree: Option<Octree>, dt: TimeStep) -> Result<StepReport, StepError> {
        let dt = dt.seconds();
        let Self { scene, params, state, solver, .. } = self;
        let (new, findings) = step(state, tree, dt, &scene.solids, params, solver)
            .map_err(|e| with_limit(e, self.memory.unwrap_or(u64::MAX)))?;
        self.state = new;
        Ok(StepReport { dt, ..self.report_with(&findings) })
    }

    fn report_with(&self, findings: &StepFindings) -> StepReport {
        frame::report(&self.state, &self.scene.solids, &self.params, findings)
    }
}

impl Method for NodalSmoke {
    fn time(&self) -> f64 {
        self.state.time
    }

    fn max_dt(&self) -> f64 {
        let SmokeState { time, mesh, max_component, .. } = &self.state;
        let dx = mesh.tree.grid().dx();
        // Air at rest will rise: within a step it can reach √(b dx).
        let rise = (self.params.max_lift * dx).sqrt();
        // No step is longer than a frame.
        let frame = 1.0 / self.scene.time.fps;
        let blown = self.params.sources.fastest_in(Moment::Step(*time, frame));
        let way = self.params.cfl * dx;
        let speed = max_component.max(blown) + rise;
        let dt = if speed > 0.0 { (way / speed).min(frame) } else { frame };
        limit_by_motion(&self.scene, mesh.tree.grid(), *time, dt)
    }

    fn fastest(&self) -> DVec3 {
        health::fastest(&self.state)
    }

    fn step(&mut self, dt: TimeStep) -> Result<StepReport, StepError> {
        if let Some(bytes) = self.memory {
            let cells = self.state.mesh.n_cells();
            self.params.max_cells = SMOKE.most_cells(&self.scene, bytes, cells, 0);
        }
        self.advance(None, dt)
    }

    fn limit_memory(&mut self, bytes: u64) {
        self.memory = Some(bytes);
    }

    fn frame(&self) -> Frame {
        frame::frame(&self.state)
    }

    fn report(&self) -> StepReport {
        self.report_with(&StepFindings::default())
    }

    fn view(&self) -> Box<dyn StateView + '_> {
        Box::new(SmokeView::new(&self.state, &self.scene.solids, self.params.air))
    }

    fn totals(&self) -> Totals {
        totals(&self.state, &self.scene.solids, &self.params)
    }

    fn save(&self, store: &mut dyn Store) {
        saved::save(&self.state, store);
    }

    fn load(scene: &Scene, snapshot: &mut Snapshot) -> Result<Self, SnapshotError> {
        let state = saved::load(scene, snapshot)?;
        Ok(Self::from_state(scene, SmokeParams::from_scene(scene), state))
    }
}
