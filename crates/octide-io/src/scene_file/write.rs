//! A scene as TOML, with nothing left to defaults: what a run's folder keeps. Reading it gives the same
//! scene, to the last bit: numbers are written with all their digits and rotations as quaternions.

use super::adaptivity;
use super::flows;
use super::mesh;
use super::motion::has_pivot;
use super::probes;
use super::sections;
use super::smoke;
use glam::{DQuat, DVec3};
use octide_core::geometry::{Motion, Shape};
use octide_core::scene::{Advection, Domain, FreeSurface, Interpolation, Scene, Seeding, Transfer, Up};

/// The scene as the text of a scene file. Mesh files are named by their full path, so that the text means the
/// same in any folder.
pub fn to_toml(scene: &Scene) -> String {
    let Scene {
        name,
        description,
        method,
        seed,
        domain,
        open,
        physics,
        time,
        liquids,
        solids,
        inflows,
        outflows,
        smoke: sources,
        probes: all_probes,
        adaptivity: detail,
        numerics,
        camera,
        output,
    } = scene;
    let mut out = String::new();
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    line("octide = 1".into());
    line(format!("name = {}", quoted(name)));
    line(format!("description = {}", quoted(description)));
    line(format!("method = {}", quoted(method)));
    line(format!("resolution = {}", domain.resolution));
    line(format!("seed = {seed}"));

    line("\n[domain]".into());
    line(format!("size = {}", vector(domain.size)));
    line(format!("origin = {}", vector(domain.origin)));
    line(format!("coarsest = {}", coarsest(domain)));
    line(flows::open_to_toml(*open));

    line("\n[physics]".into());
    line(format!("gravity = {}", vector(physics.gravity)));
    line(format!("density = {:?}", physics.density));
    line(format!("surface_tension = {:?}", physics.surface_tension));
    if scene.is_smoke() {
        line(smoke::physics_to_toml(physics));
    }

    line("\n[time]".into());
    line(format!("frames = {}", time.frames));
    line(format!("fps = {:?}", time.fps));
    line(format!("cfl = {:?}", time.cfl));

    for liquid in liquids {
        line("\n[[liquid]]".into());
        line(format!("shape = {}", shape(&liquid.shape)));
        line(format!("velocity = {}", vector(liquid.velocity)));
    }
    for solid in solids {
        line("\n[[solid]]".into());
        line(format!("shape = {}", shape(&solid.shape)));
        if let Some(motion) = motion(&solid.motion) {
            line(format!("motion = {motion}"));
        }
        if scene.is_smoke() {
            line(format!("temperature = {:?}", solid.temperature));
        }
    }

    for inflow in inflows {
        line("\n[[inflow]]".into());
        line(format!("shape = {}", shape(&inflow.shape)));
        line(format!("velocity = {}", vector(inflow.velocity)));
        line(flows::span_to_toml(inflow.when));
    }
    for outflow in outflows {
        line("\n[[outflow]]".into());
        line(format!("shape = {}", shape(&outflow.shape)));
        line(flows::span_to_toml(outflow.when));
    }

    sources.iter().for_each(|source| line(smoke::source_to_toml(source)));

    for probe in all_probes {
        line("\n[[probe]]".into());
        line(format!("name = {}", quoted(&probe.name)));
        line(probes::to_toml(&probe.kind, physics.up()));
    }

    line(adaptivity::to_toml(detail, scene.is_smoke()));

    line("\n[numerics]".into());
    let free_surface = match numerics.free_surface {
        FreeSurface::Spd => "spd",
        FreeSurface::SecondOrder => "second-order",
        FreeSurface::FirstOrder => "first-order",
    };
    line(format!("free_surface = \"{free_surface}\""));
    line(format!("tolerance = {:?}", numerics.tolerance));
    line(format!("max_iterations = {}", numerics.max_iterations));
    line(format!("volume_correction = \"{}\"", sections::correction_name(numerics.volume_correction)));
    line(format!("max_volume_drift = {:?}", numerics.max_volume_drift));
    let advection = match numerics.advection {
        Advection::SemiLagrangian => "semi-lagrangian",
        Advection::MacCormack => "maccormack",
    };
    line(format!("advection = \"{advection}\""));
    let interpolation = match numerics.interpolation {
        Interpolation::Fast => "fast",
        Interpolation::Continuous => "continuous",
    };
    line(format!("interpolation = \"{interpolation}\""));
    let seeding = match numerics.particles {
        Seeding::Off => "off",
        Seeding::WhereNeeded => "where-needed",
        Seeding::Band => "band",
    };
    line(format!("particles = \"{seeding}\""));
    match numerics.transfer {
        Transfer::Apic => line("transfer = \"apic\"".into()),
        Transfer::Flip(share) => {
            line("transfer = \"flip\"".into());
            line(format!("flip_ratio = {share:?}"));
        }
    }
    let distance = sections::gradient_distance_name(numerics.gradient_distance);
    line(format!("gradient_distance = \"{distance}\""));
    line(format!("pressure_solver = \"{}\"", sections::pressure_solver_name(numerics.pressure_solver)));

    if let Some(camera) = camera {
        line("\n[camera]".into());
        line(format!("position = {}", vector(camera.position)));
        line(format!("target = {}", vector(camera.target)));
        line(format!("fov = {:?}", camera.fov));
    }

    line("\n[output]".into());
    line(format!("up = \"{}\"", if output.up == Up::Y { "y" } else { "z" }));
    line(format!("first_frame = {}", output.first_frame));
    line(format!("preview = {}", output.preview));
    line(format!("preview_size = {:?}", output.preview_size));
    line(format!("view = \"{}\"", sections::view_name(output.view)));
    line(format!("cells = {}", output.cells));
    line(format!("particles = {}", output.particles));
    line(format!("volume = {}", output.volume));
    out
}

/// The number that leads back to the domain's levels: the root cells along its shortest side.
fn coarsest(domain: &Domain) -> u32 {
    let shortest = (domain.size.min_element() / domain.dx()).round();
    // A domain's sides are at most as many cells as its resolution.
    ((shortest as u32) >> domain.levels).max(1)
}

pub(super) fn shape(s: &Shape) -> String {
    match s {
        Shape::Box { min, max } => {
            format!("{{ box = {{ min = {}, max = {} }} }}", vector(*min), vector(*max))
        }
        Shape::RoundedBox { min, max, radius } => format!(
            "{{ rounded-box = {{ min = {}, max = {}, radius = {radius:?} }} }}",
            vector(*min),
            vector(*max)
        ),
        Shape::Sphere { center, radius } => {
            format!("{{ sphere = {{ center = {}, radius = {radius:?} }} }}", vector(*center))
        }
        Shape::Ellipsoid { center, radii } => {
            format!("{{ ellipsoid = {{ center = {}, radii = {} }} }}", vector(*center), vector(*radii))
        }
        Shape::Cylinder { from, to, radius } => format!(
            "{{ cylinder = {{ from = {}, to = {}, radius = {radius:?} }} }}",
            vector(*from),
            vector(*to)
        ),
        Shape::Capsule { from, to, radius } => format!(
            "{{ capsule = {{ from = {}, to = {}, radius = {radius:?} }} }}",
            vector(*from),
            vector(*to)
        ),
        Shape::Torus { center, axis, major, minor } => format!(
            "{{ torus = {{ center = {}, axis = {}, major = {major:?}, minor = {minor:?} }} }}",
            vector(*center),
            vector(*axis)
        ),
        Shape::Plane { point, normal } => {
            format!("{{ plane = {{ point = {}, normal = {} }} }}", vector(*point), vector(*normal))
        }
        Shape::Union(shapes) => format!("{{ union = {} }}", list(shapes)),
        Shape::Intersection(shapes) => format!("{{ intersection = {} }}", list(shapes)),
        Shape::Difference { of, minus } => {
            format!("{{ difference = {{ of = {}, minus = {} }} }}", shape(of), list(minus))
        }
        Shape::SmoothUnion { shapes, radius } => {
            format!("{{ smooth-union = {{ shapes = {}, radius = {radius:?} }} }}", list(shapes))
        }
        Shape::Transformed { shape: inner, scale, rotation, translation } => format!(
            "{{ transform = {{ shape = {}, scale = {scale:?}, rotate = {}, translate = {} }} }}",
            shape(inner),
            quaternion(*rotation),
            vector(*translation)
        ),
        Shape::Mesh(mesh) => mesh::to_toml(mesh),
    }
}

fn list(shapes: &[Shape]) -> String {
    format!("[{}]", shapes.iter().map(shape).collect::<Vec<_>>().join(", "))
}

fn motion(m: &Motion) -> Option<String> {
    // Of pivots within pivots the innermost decides.
    let (mut pivot, mut m) = (DVec3::ZERO, m);
    while let Motion::About { pivot: inner, motion } = m {
        (pivot, m) = (*inner, motion);
    }
    let kind = match m {
        Motion::Still | Motion::About { .. } => return None,
        Motion::Keyframes(keys) => {
            let keys: Vec<String> = keys
                .iter()
                .map(|key| {
                    format!(
                        "{{ time = {:?}, position = {}, rotation = {} }}",
                        key.time,
                        vector(key.pose.position),
                        quaternion(key.pose.rotation)
                    )
                })
                .collect();
            format!("keyframes = [{}]", keys.join(", "))
        }
        Motion::Orbit { center, axis, period, turning } => format!(
            "orbit = {{ center = {}, axis = {}, period = {period:?}, turning = {turning} }}",
            vector(*center),
            vector(*axis)
        ),
        Motion::Oscillation { amplitude, period } => {
            format!("oscillation = {{ amplitude = {}, period = {period:?} }}", vector(*amplitude))
        }
    };
    let pivot = if has_pivot(m) { format!(", pivot = {}", vector(pivot)) } else { String::new() };
    Some(format!("{{ {kind}{pivot} }}"))
}

pub(super) fn vector(v: DVec3) -> String {
    format!("{:?}", v.to_array())
}

fn quaternion(q: DQuat) -> String {
    format!("{{ quaternion = {:?} }}", q.to_array())
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
