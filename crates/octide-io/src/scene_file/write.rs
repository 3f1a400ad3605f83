//! Writes a scene as TOML, with all defaults filled in: the `scene.toml` in a run's folder. Reading it gives
//! exactly the same scene: numbers are written with all their digits and rotations as quaternions.

use super::adaptivity::region_to_toml;
use super::flows::{inflow_to_toml, outflow_to_toml};
use super::keys::{
    ADAPTIVITY, Allowed, CAMERA, DOMAIN, Fallback, Key, NUMERICS, OUTPUT, PHYSICS, SCENE, Section, TIME,
};
use super::mesh;
use super::mesh_sequence;
use super::motion::has_pivot;
use super::probes;
use super::scene::FORMAT;
use super::setting::{inline_table_to_toml, setting_to_toml};
use super::smoke::source_to_toml;
use glam::{DQuat, DVec3};
use octide_core::geometry::{Motion, Shape};
use octide_core::scene::{Domain, Scene, Transfer};

/// Returns the scene as the text of a scene file. Mesh files are named by their full path, so that the text
/// means the same in any folder.
pub fn to_toml(scene: &Scene) -> String {
    let mut out = String::new();
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    section_to_toml(scene, &SCENE).into_iter().for_each(&mut line);
    for section in [&DOMAIN, &PHYSICS, &TIME] {
        line(format!("\n{}", section.title));
        section_to_toml(scene, section).into_iter().for_each(&mut line);
    }
    for liquid in &scene.liquids {
        line("\n[[liquid]]".into());
        line(format!("shape = {}", shape_to_toml(&liquid.shape)));
        line(format!("velocity = {}", vector_to_toml(liquid.velocity)));
        line(format!("roughness = {:?}", liquid.roughness));
    }
    for solid in &scene.solids {
        line("\n[[solid]]".into());
        let shape = match &solid.sequence {
            Some(sequence) => mesh_sequence::to_toml(sequence),
            None => shape_to_toml(&solid.shape),
        };
        line(format!("shape = {shape}"));
        if let Some(motion) = motion_to_toml(&solid.motion) {
            line(format!("motion = {motion}"));
        }
        if scene.is_smoke() {
            line(format!("temperature = {:?}", solid.temperature));
        }
    }
    scene.inflows.iter().for_each(|inflow| line(inflow_to_toml(inflow)));
    scene.outflows.iter().for_each(|outflow| line(outflow_to_toml(outflow)));
    scene.smoke.iter().for_each(|source| line(source_to_toml(source)));
    for probe in &scene.probes {
        line("\n[[probe]]".into());
        line(format!("name = {}", quoted(&probe.name)));
        line(probes::to_toml(&probe.kind, scene.physics.up()));
    }
    line(format!("\n{}", ADAPTIVITY.title));
    section_to_toml(scene, &ADAPTIVITY).into_iter().for_each(&mut line);
    scene.adaptivity.regions.iter().for_each(|region| line(region_to_toml(region)));
    let camera = scene.camera.is_some().then_some(&CAMERA);
    for section in [&NUMERICS].into_iter().chain(camera).chain([&OUTPUT]) {
        line(format!("\n{}", section.title));
        section_to_toml(scene, section).into_iter().for_each(&mut line);
    }
    out
}

/// Returns the lines of a section's keys, in the order of the table of keys. Keys that only scenes of smoke
/// have are left out of scenes of water.
fn section_to_toml(scene: &Scene, section: &Section) -> Vec<String> {
    let keys = section.keys.iter().filter(|key| !key.only_smoke || scene.is_smoke());
    let line = |key: &Key| value_to_toml(scene, section, key).map(|value| format!("{} = {value}", key.name));
    keys.filter_map(line).collect()
}

/// Returns the value of a key in TOML; `None` for keys that open a section and for values that are absent.
fn value_to_toml(scene: &Scene, section: &Section, key: &Key) -> Option<String> {
    if let Fallback::Setting(field) = key.fallback {
        return setting_to_toml(scene, field);
    }
    match section.path_of(key).as_str() {
        "octide" => Some(FORMAT.to_string()),
        "name" => Some(quoted(&scene.name)),
        "description" => Some(quoted(&scene.description)),
        "method" => Some(quoted(&scene.method)),
        "resolution" => Some(scene.domain.resolution.to_string()),
        "domain.size" => Some(vector_to_toml(scene.domain.size)),
        "domain.coarsest" => Some(coarsest(&scene.domain).to_string()),
        "numerics.flip_ratio" => match scene.numerics.transfer {
            Transfer::Flip(ratio) => Some(format!("{ratio:?}")),
            Transfer::Apic => None,
        },
        "camera.position" => scene.camera.as_ref().map(|c| vector_to_toml(c.position)),
        "camera.target" => scene.camera.as_ref().map(|c| vector_to_toml(c.target)),
        "camera.fov" => scene.camera.as_ref().map(|c| format!("{:?}", c.fov)),
        // A table within a section.
        path if path.contains('.') => match key.allowed {
            Allowed::Table(inner) => inline_table_to_toml(scene, inner),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the number that reproduces the domain's levels: the root cells along its shortest side.
fn coarsest(domain: &Domain) -> u32 {
    let shortest = (domain.size.min_element() / domain.dx()).round();
    // The number of cells along a side is at most the resolution.
    ((shortest as u32) >> domain.levels).max(1)
}

/// Returns a shape as an inline table.
pub(super) fn shape_to_toml(s: &Shape) -> String {
    match s {
        Shape::Box { min, max } => {
            format!("{{ box = {{ min = {}, max = {} }} }}", vector_to_toml(*min), vector_to_toml(*max))
        }
        Shape::RoundedBox { min, max, radius } => format!(
            "{{ rounded-box = {{ min = {}, max = {}, radius = {radius:?} }} }}",
            vector_to_toml(*min),
            vector_to_toml(*max)
        ),
        Shape::Sphere { center, radius } => {
            format!("{{ sphere = {{ center = {}, radius = {radius:?} }} }}", vector_to_toml(*center))
        }
        Shape::Ellipsoid { center, radii } => {
            format!(
                "{{ ellipsoid = {{ center = {}, radii = {} }} }}",
                vector_to_toml(*center),
                vector_to_toml(*radii)
            )
        }
        Shape::Cylinder { from, to, radius } => format!(
            "{{ cylinder = {{ from = {}, to = {}, radius = {radius:?} }} }}",
            vector_to_toml(*from),
            vector_to_toml(*to)
        ),
        Shape::Capsule { from, to, radius } => format!(
            "{{ capsule = {{ from = {}, to = {}, radius = {radius:?} }} }}",
            vector_to_toml(*from),
            vector_to_toml(*to)
        ),
        Shape::Torus { center, axis, major, minor } => format!(
            "{{ torus = {{ center = {}, axis = {}, major = {major:?}, minor = {minor:?} }} }}",
            vector_to_toml(*center),
            vector_to_toml(*axis)
        ),
        Shape::Plane { point, normal } => {
            format!(
                "{{ plane = {{ point = {}, normal = {} }} }}",
                vector_to_toml(*point),
                vector_to_toml(*normal)
            )
        }
        Shape::Union(shapes) => format!("{{ union = {} }}", list(shapes)),
        Shape::Intersection(shapes) => format!("{{ intersection = {} }}", list(shapes)),
        Shape::Difference { of, minus } => {
            format!("{{ difference = {{ of = {}, minus = {} }} }}", shape_to_toml(of), list(minus))
        }
        Shape::SmoothUnion { shapes, radius } => {
            format!("{{ smooth-union = {{ shapes = {}, radius = {radius:?} }} }}", list(shapes))
        }
        Shape::Transformed { shape: inner, scale, rotation, translation } => format!(
            "{{ transform = {{ shape = {}, scale = {scale:?}, rotate = {}, translate = {} }} }}",
            shape_to_toml(inner),
            quaternion(*rotation),
            vector_to_toml(*translation)
        ),
        Shape::Mesh(mesh) => mesh::to_toml(mesh),
        // Not in scenes: sequences are written as such.
        Shape::Blend(blend) => mesh::to_toml(&blend.from),
    }
}

fn list(shapes: &[Shape]) -> String {
    format!("[{}]", shapes.iter().map(shape_to_toml).collect::<Vec<_>>().join(", "))
}

/// Returns a motion as an inline table; `None` for a body at rest.
pub(super) fn motion_to_toml(m: &Motion) -> Option<String> {
    // Of nested pivots the innermost one counts.
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
                        vector_to_toml(key.pose.position),
                        quaternion(key.pose.rotation)
                    )
                })
                .collect();
            format!("keyframes = [{}]", keys.join(", "))
        }
        Motion::Orbit { center, axis, period, turning } => format!(
            "orbit = {{ center = {}, axis = {}, period = {period:?}, turning = {turning} }}",
            vector_to_toml(*center),
            vector_to_toml(*axis)
        ),
        Motion::Oscillation { amplitude, period } => {
            format!("oscillation = {{ amplitude = {}, period = {period:?} }}", vector_to_toml(*amplitude))
        }
    };
    let pivot = if has_pivot(m) { format!(", pivot = {}", vector_to_toml(pivot)) } else { String::new() };
    Some(format!("{{ {kind}{pivot} }}"))
}

/// Returns a vector as a list.
pub(super) fn vector_to_toml(v: DVec3) -> String {
    format!("{:?}", v.to_array())
}

pub(super) fn quaternion(q: DQuat) -> String {
    format!("{{ quaternion = {:?} }}", q.to_array())
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
