//! Water as rigid bodies in free fall: the smallest method that there can be.
//!
//! ```text
//! dx/dt = v,   dv/dt = g,   v = 0 along an axis on which the body touches a wall.
//! ```
//!
//! The unknowns are place and velocity of each of the scene's liquids. Distances are exact, and the grid, for
//! pictures and statistics alone, is uniform. Liquids do not meet each other, nor solids.

mod bodies;
mod view;

use bodies::{Bodies, Body};
use octide_core::DVec3;
use octide_core::contract::{Abilities, Cells, Cube, Frame, KeysRead, Method, MethodDescriptor, StateView, StepError, StepReport, Surface, TimeStep, Totals};
use octide_core::memory::{MemoryModel, n_finest, with_limit};
use octide_core::scene::Scene;
use octide_core::snapshot::{Snapshot, SnapshotError, Store, Values};
use view::View;

pub const METHOD: MethodDescriptor = MethodDescriptor {
    abilities: Abilities {
        name: "toy",
        water: Some(KeysRead(&[
            "resolution",
            "domain.size",
            "domain.origin",
            "physics.gravity",
            "physics.density",
            "time.cfl",
            "liquid.shape",
            "liquid.velocity",
        ])),
        smoke: None,
        notes: &[],
    },
    start: |scene| Box::new(Toy::new(scene)),
    start_within: |scene, bytes| {
        MEMORY.allow_grid(&scene.domain, bytes)?;
        let toy = Toy { memory_limit: bytes, ..Toy::new(scene) };
        toy.check_memory()?;
        Ok(Box::new(toy))
    },
    load: |scene, snapshot| Ok(Box::new(Toy::load(scene, snapshot)?)),
    memory: |_| MEMORY,
    track: None,
    faults: &[],
};

/// A cell of the grid is made for a frame only.
const MEMORY: MemoryModel =
    MemoryModel { base: 10e6, state_cell: 0.0, kept_cell: 24.0, step_cell: 24.0, solid_cell: 0.0, particle: 0.0, frame_cell: 24.0 };

struct Toy {
    scene: Scene,
    time: f64,
    bodies: Bodies,
    memory_limit: u64,
}

impl Toy {
    fn new(scene: &Scene) -> Self {
        Self { scene: scene.clone(), time: 0.0, bodies: Bodies::new(scene), memory_limit: u64::MAX }
    }

    fn check_memory(&self) -> Result<(), StepError> {
        let cells = n_finest(&self.scene.domain);
        let most = MEMORY.most_cells(&self.scene, self.memory_limit, cells, 0);
        MEMORY.allow(cells, most).map_err(|e| with_limit(e, self.memory_limit))
    }

    fn fastest_body(&self) -> Option<&Body> {
        self.bodies.list.iter().max_by(|a, b| a.velocity.length().total_cmp(&b.velocity.length()))
    }
}

impl Method for Toy {
    fn time(&self) -> f64 {
        self.time
    }

    fn max_dt(&self) -> f64 {
        let dx = self.scene.domain.dx();
        let fall = (self.scene.physics.gravity.length() * dx).sqrt();
        let speed = self.fastest_body().map_or(0.0, |b| b.velocity.length()) + fall;
        (self.scene.time.cfl * dx / speed).min(1.0 / self.scene.time.fps)
    }

    fn fastest(&self) -> DVec3 {
        self.fastest_body().map_or(self.scene.domain.origin, Body::center)
    }

    fn step(&mut self, dt: TimeStep) -> Result<StepReport, StepError> {
        let dt = dt.seconds();
        self.check_memory()?;
        self.bodies.advance(dt, self.scene.physics.gravity, &self.scene.domain);
        self.time += dt;
        Ok(StepReport { dt, ..self.report() })
    }

    fn limit_memory(&mut self, bytes: u64) {
        self.memory_limit = bytes;
    }

    fn frame(&self) -> Frame {
        let domain = &self.scene.domain;
        let mut surface = Surface::default();
        for body in &self.bodies.list {
            let mesh =
                body.shape().tessellate((domain.origin, domain.origin + domain.size), domain.resolution);
            let normal =
                |v: &[f32; 3]| body.outward(DVec3::from_array(v.map(f64::from))).as_vec3().to_array();
            surface.normals.extend(mesh.positions.iter().map(normal));
            surface.velocities.extend(mesh.positions.iter().map(|_| body.velocity.as_vec3().to_array()));
            surface.mesh.append(&mesh);
        }
        let cube =
            |center: DVec3| Cube { center: center.as_vec3().to_array(), size: domain.dx() as f32 };
        let cells = Cells {
            cubes: bodies::cell_centers(domain).map(cube).collect(),
            phi: bodies::cell_centers(domain).map(|x| self.bodies.distance(x) as f32).collect(),
            ..Cells::default()
        };
        Frame { time: self.time, surface, cells, ..Frame::default() }
    }

    fn report(&self) -> StepReport {
        let domain = &self.scene.domain;
        let Totals { volume, kinetic_energy, .. } = self.totals();
        StepReport {
            cells: n_finest(domain),
            liquid_cells: bodies::cell_centers(domain).filter(|&x| self.bodies.distance(x) < 0.0).count(),
            volume,
            kinetic_energy,
            max_speed: self.fastest_body().map_or(0.0, |b| b.velocity.length()),
            ..StepReport::default()
        }
    }

    fn view(&self) -> Box<dyn StateView + '_> {
        Box::new(View { bodies: &self.bodies, detail: self.scene.domain.dx() })
    }

    fn totals(&self) -> Totals {
        self.bodies.totals(&self.scene)
    }

    fn save(&self, store: &mut dyn Store) {
        store.put("time", Values::F64(&[self.time]));
        store.put("bodies.offset", Values::F64(&bodies::flat(self.bodies.list.iter().map(|b| b.offset))));
        store.put("bodies.velocity", Values::F64(&bodies::flat(self.bodies.list.iter().map(|b| b.velocity))));
    }

    fn load(scene: &Scene, snapshot: &mut Snapshot) -> Result<Self, SnapshotError> {
        let mut toy = Self::new(scene);
        [toy.time] = snapshot.numbers("time")?;
        let n = Some(3 * toy.bodies.list.len());
        let (offsets, velocities) =
            (snapshot.f64s("bodies.offset", n)?, snapshot.f64s("bodies.velocity", n)?);
        for (i, body) in toy.bodies.list.iter_mut().enumerate() {
            body.offset = DVec3::from_slice(&offsets[3 * i..]);
            body.velocity = DVec3::from_slice(&velocities[3 * i..]);
        }
        Ok(toy)
    }
}
