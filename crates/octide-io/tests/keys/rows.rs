//! For each key that methods read, a value that differs from the one in the scenes below.

/// A change of a scene that must change the simulation.
pub struct Row {
    /// The key.
    pub key: &'static str,
    /// Overrides that both runs have, for keys that only have an effect together with others.
    pub with: &'static [(&'static str, &'static str)],
    /// The overrides that make the difference.
    pub set: &'static [(&'static str, &'static str)],
}

const fn row(key: &'static str, set: &'static [(&'static str, &'static str)]) -> Row {
    Row { key, with: &[], set }
}

/// A drop falls into a pool, with everything that a scene of water can have.
pub const WATER: &str = r#"
octide = 1
resolution = 24
domain = { size = [1, 1, 1], coarsest = 3 }
physics = { surface_tension = 0.5 }
camera = { position = [0.5, 1.5, 0.9], target = [0.5, 0.3, 0.9], fov = 20 }
[[liquid]]
shape.box = { min = [0, 0, 0], max = [1, 0.3, 1] }
[[liquid]]
shape.sphere = { center = [0.5, 0.5, 0.5], radius = 0.15 }
velocity = [0.2, -1, 0.3]
[[solid]]
shape.sphere = { center = [0.75, 0.3, 0.75], radius = 0.12 }
motion.oscillation = { amplitude = [0.1, 0, 0], period = 1 }
[[inflow]]
shape.cylinder = { from = [-0.1, 0.7, 0.25], to = [0.15, 0.7, 0.25], radius = 0.1 }
velocity = [1, 0, 0]
[[inflow]]
shape.sphere = { center = [0.75, 0.75, 0.25], radius = 0.1 }
flow = 0.02
direction = [0, -1, 0.5]
[[outflow]]
shape.box = { min = [0.8, 0, 0], max = [1, 0.2, 0.2] }
[[adaptivity.region]]
shape.sphere = { center = [0.2, 0.8, 0.8], radius = 0.1 }
at_most = 0.05
[[adaptivity.region]]
shape.box = { min = [0.3, 0, 0.3], max = [0.7, 1, 0.7] }
at_least = 0.08
"#;

/// Warm smoke rises from a vent, past a warm body, with everything that a scene of smoke can have.
pub const SMOKE: &str = r#"
octide = 1
resolution = 24
domain = { size = [1, 1, 1], coarsest = 3, open = ["+y"] }
camera = { position = [0.5, 1.5, 0.9], target = [0.5, 0.3, 0.9], fov = 20 }
[[solid]]
shape.sphere = { center = [0.55, 0.5, 0.5], radius = 0.12 }
motion.oscillation = { amplitude = [0.1, 0, 0], period = 1 }
temperature = 30
[[smoke]]
shape.cylinder = { from = [0.5, -0.1, 0.5], to = [0.5, 0.15, 0.5], radius = 0.12 }
temperature = 60
velocity = [0, 0.5, 0]
[[smoke]]
shape.sphere = { center = [0.2, 0.6, 0.3], radius = 0.12 }
density = 0.6
[[adaptivity.region]]
shape.sphere = { center = [0.2, 0.8, 0.8], radius = 0.1 }
at_most = 0.05
[[adaptivity.region]]
shape.box = { min = [0.3, 0, 0.3], max = [0.7, 0.3, 0.7] }
at_least = 0.08
"#;

/// Every word of a key that has words has a separate row.
pub const ROWS: &[Row] = &[
    row("resolution", &[("resolution", "32")]),
    row("seed", &[("seed", "7")]),
    row("domain.size", &[("domain.size", "[1, 1, 0.75]")]),
    row("domain.origin", &[("domain.origin", "[-0.05, 0, 0]")]),
    row("domain.coarsest", &[("domain.coarsest", "6")]),
    row("domain.open", &[("domain.open", "[\"+x\"]")]),
    row("physics.gravity", &[("physics.gravity", "[0, -5, 0]")]),
    row("physics.density", &[("physics.density", "500")]),
    row("physics.surface_tension", &[("physics.surface_tension", "0")]),
    // Water detaches behind a body that moves fast.
    Row {
        key: "physics.adhesion",
        with: &[("solid.0.motion.oscillation", "{ amplitude = [0.15, 0, 0], period = 0.2 }")],
        set: &[("physics.adhesion", "1e6")],
    },
    row("physics.slip", &[("physics.slip", "0.5")]),
    Row {
        key: "physics.film_viscosity",
        with: &[("liquid.0.shape.box.max", "[1, 0.1, 1]")],
        set: &[("physics.film_viscosity", "1e-2")],
    },
    row("physics.buoyancy.weight", &[("physics.buoyancy.weight", "0.3")]),
    row("physics.buoyancy.lift", &[("physics.buoyancy.lift", "0.01")]),
    row("physics.confinement", &[("physics.confinement", "0")]),
    row("physics.half_life.density", &[("physics.half_life.density", "1")]),
    row("physics.half_life.temperature", &[("physics.half_life.temperature", "1")]),
    row("time.cfl", &[("time.cfl", "0.25")]),
    row("liquid.shape", &[("liquid.1.shape.sphere.radius", "0.13")]),
    row("liquid.velocity", &[("liquid.1.velocity", "[0, 0, 0]")]),
    row("liquid.roughness", &[("liquid.1.roughness", "0.01")]),
    row("solid.shape", &[("solid.0.shape.sphere.radius", "0.1")]),
    row("solid.motion", &[("solid.0.motion.oscillation.amplitude", "[0, 0.1, 0]")]),
    row("solid.temperature", &[("solid.0.temperature", "0")]),
    row("inflow.shape", &[("inflow.0.shape.cylinder.radius", "0.15")]),
    row("inflow.velocity", &[("inflow.0.velocity", "[0.5, 0, 0]")]),
    row("inflow.flow", &[("inflow.1.flow", "0.03")]),
    row("inflow.direction", &[("inflow.1.direction", "[0, -1, 0]")]),
    row("inflow.motion", &[("inflow.0.motion.oscillation", "{ amplitude = [0, 0.1, 0], period = 1 }")]),
    row("inflow.start", &[("inflow.0.start", "0.5")]),
    row("inflow.end", &[("inflow.0.end", "0.01")]),
    row("outflow.shape", &[("outflow.0.shape.box.max", "[1, 0.25, 0.25]")]),
    row("outflow.motion", &[("outflow.0.motion.oscillation", "{ amplitude = [-0.2, 0, 0], period = 0.5 }")]),
    row("outflow.start", &[("outflow.0.start", "0.5")]),
    row("outflow.end", &[("outflow.0.end", "0.01")]),
    row("smoke.shape", &[("smoke.0.shape.cylinder.radius", "0.15")]),
    row("smoke.density", &[("smoke.0.density", "0.5")]),
    row("smoke.temperature", &[("smoke.0.temperature", "20")]),
    row("smoke.velocity", &[("smoke.0.velocity", "[0, 1, 0]")]),
    row("smoke.motion", &[("smoke.1.motion.oscillation", "{ amplitude = [0.1, 0, 0], period = 0.5 }")]),
    row("smoke.start", &[("smoke.0.start", "0.5")]),
    row("smoke.end", &[("smoke.0.end", "0.01")]),
    row("smoke.puff", &[("smoke.1.puff", "true")]),
    row("adaptivity.curvature", &[("adaptivity.curvature", "0")]),
    row("adaptivity.strain", &[("adaptivity.strain", "0")]),
    row("adaptivity.along_surface", &[("adaptivity.along_surface", "false")]),
    row("adaptivity.strength", &[("adaptivity.strength", "0.5")]),
    row("adaptivity.dilation", &[("adaptivity.dilation", "2")]),
    row("adaptivity.decay", &[("adaptivity.decay", "0.3")]),
    row("adaptivity.decay_time", &[("adaptivity.decay_time", "0.001")]),
    row("adaptivity.camera", &[("adaptivity.camera", "true")]),
    row("adaptivity.smoke.solids", &[("adaptivity.smoke.solids", "0")]),
    Row {
        key: "adaptivity.smoke.vorticity",
        with: &[("adaptivity.smoke.solids", "0")],
        set: &[("adaptivity.smoke.vorticity", "0")],
    },
    // A source has finest cells anyway, so the smoke must have been released before.
    Row {
        key: "adaptivity.smoke.density",
        with: &[
            ("smoke.1.puff", "true"),
            ("adaptivity.smoke.solids", "0"),
            ("adaptivity.smoke.vorticity", "0"),
        ],
        set: &[("adaptivity.smoke.density", "[0.01, 0.9]")],
    },
    row("adaptivity.region.shape", &[("adaptivity.region.0.shape.sphere.radius", "0.2")]),
    row("adaptivity.region.at_most", &[("adaptivity.region.0.at_most", "0.2")]),
    row("adaptivity.region.at_least", &[("adaptivity.region.1.at_least", "0.01")]),
    row("numerics.free_surface", &[("numerics.free_surface", "second-order")]),
    row("numerics.free_surface", &[("numerics.free_surface", "first-order")]),
    row("numerics.tolerance", &[("numerics.tolerance", "1e-8")]),
    Row {
        key: "numerics.max_iterations",
        with: &[("numerics.tolerance", "1e-9")],
        set: &[("numerics.max_iterations", "1")],
    },
    row("numerics.volume_correction", &[("numerics.volume_correction", "regional")]),
    row("numerics.volume_correction", &[("numerics.volume_correction", "off")]),
    row("numerics.max_volume_drift", &[("numerics.max_volume_drift", "1e-9")]),
    row("numerics.advection", &[("numerics.advection", "maccormack")]),
    row("numerics.interpolation", &[("numerics.interpolation", "continuous")]),
    row("numerics.particles", &[("numerics.particles", "band")]),
    row("numerics.particles", &[("numerics.particles", "off")]),
    row("numerics.transfer", &[("numerics.transfer", "flip")]),
    Row {
        key: "numerics.flip_ratio",
        with: &[("numerics.transfer", "flip")],
        set: &[("numerics.flip_ratio", "0.5")],
    },
    row("numerics.gradient_distance", &[("numerics.gradient_distance", "large")]),
    row("numerics.gradient_distance", &[("numerics.gradient_distance", "small")]),
    row("numerics.gradient_distance", &[("numerics.gradient_distance", "euclidean")]),
    row("numerics.pressure_solver", &[("numerics.pressure_solver", "iccg")]),
];
