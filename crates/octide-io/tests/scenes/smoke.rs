//! Scenes of smoke.

use crate::read;
use glam::DVec3;
use octide_core::scene::{
    Buoyancy, GradientDistance, HalfLife, Physics, PressureSolver, Release, SmokeDetail, Span, View,
};
use octide_io::scene_file::to_toml;

/// A scene with every key for smoke.
const SMOKE: &str = r#"
octide = 1
resolution = 64
domain = { size = [1, 1, 1], open = ["+y", "-x"] }
physics = { gravity = [0, -1.6, 0], buoyancy = { weight = 0.25 }, confinement = 0.3, half_life = { temperature = 1.5 } }
numerics = { gradient_distance = "small", pressure_solver = "iccg" }
[[smoke]]
shape.sphere = { center = [0.5, 0.2, 0.5], radius = 0.1 }
density = 0.75
temperature = 50
velocity = [0, 1, 0]
start = 0.5
end = 2
[[smoke]]
shape.box = { min = [0.2, 0.2, 0.2], max = [0.3, 0.3, 0.3] }
start = 0.25
puff = true
[[solid]]
shape.sphere = { center = [0.5, 0.7, 0.5], radius = 0.1 }
temperature = -20
[[probe]]
name = "here"
point = [0.5, 0.5, 0.5]
[adaptivity.smoke]
vorticity = 0
density = [0, 0]
"#;

#[test]
fn smoke_is_read_with_defaults_of_its_own_and_written_back() {
    let scene = read(SMOKE).scene;
    assert_eq!((scene.method.as_str(), scene.is_smoke()), ("nodal-octree", true));
    let [source, puff] = scene.smoke.as_slice() else { panic!("{:?}", scene.smoke) };
    assert_eq!((source.density, source.temperature, source.velocity), (0.75, 50.0, Some(DVec3::Y)));
    assert_eq!(source.when, Release::During(Span { start: 0.5, end: 2.0 }));
    assert_eq!(
        (puff.density, puff.temperature, puff.velocity, puff.when),
        (1.0, 0.0, None, Release::Puff(0.25))
    );
    let physics = &scene.physics;
    assert_eq!(physics.buoyancy, Buoyancy { weight: 0.25, ..Buoyancy::under(physics.gravity) });
    assert_eq!((physics.density, physics.confinement), (Physics::AIR, 0.3));
    assert_eq!(physics.half_life, HalfLife { temperature: 1.5, ..HalfLife::default() });
    assert_eq!(scene.solids[0].temperature, -20.0);
    let detail = SmokeDetail { vorticity: 0.0, density: [0.0; 2], ..SmokeDetail::default() };
    assert_eq!(scene.adaptivity.smoke, detail);
    assert_eq!(scene.numerics.gradient_distance, GradientDistance::Small);
    assert_eq!(scene.numerics.pressure_solver, PressureSolver::Iccg);
    // Without a surface, only the volume can be written.
    assert_eq!((scene.output.view, scene.output.volume), (View::Smoke, true));
    let text = to_toml(&scene);
    let again = read(&text);
    assert!(again.warnings.is_empty());
    assert_eq!((to_toml(&again.scene), format!("{:?}", again.scene)), (text, format!("{scene:?}")));
}
