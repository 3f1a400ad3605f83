//! The differences between two scenes, key by key.
//!
//! A scene's identity is its text with all defaults filled in, and a checksum of each mesh that it reads: if
//! a mesh file changes under the same name, the scene counts as changed too. Each file of a sequence has its own. The number of frames is ignored.

use super::write::to_toml;
use crate::printable::printable;
use flate2::Crc;
use octide_core::geometry::{MeshShape, Shape};
use octide_core::scene::Scene;
use std::collections::BTreeMap;
use std::fmt;
use toml::{Table, Value};

/// The key that is not part of a scene's identity.
const FRAMES: &str = "time.frames";

/// A key whose value differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The key, such as `liquid.0.velocity`.
    pub key: String,
    /// The old value.
    pub was: Option<String>,
    /// The new value.
    pub is: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let or_none = |value: &Option<String>| value.clone().unwrap_or_else(|| "(not set)".to_owned());
        let (was, is) = (or_none(&self.was), or_none(&self.is));
        write!(f, "{}: {} → {}", printable(&self.key), printable(&was), printable(&is))
    }
}

/// Returns a text that is equal for two scenes only if they are the same.
pub fn identity(scene: &Scene) -> String {
    let mut meshes = BTreeMap::new();
    let shapes = scene.liquids.iter().map(|l| &l.shape);
    let rigid = scene.solids.iter().filter(|s| s.sequence.is_none());
    let shapes = shapes.chain(rigid.map(|s| &s.shape));
    let shapes = shapes.chain(scene.inflows.iter().map(|i| &i.shape));
    let shapes = shapes.chain(scene.outflows.iter().map(|o| &o.shape));
    let shapes = shapes.chain(scene.smoke.iter().map(|s| &s.shape));
    for shape in shapes.chain(scene.adaptivity.regions.iter().map(|r| &r.shape)) {
        find_meshes(shape, &mut meshes);
    }
    let mut text = to_toml(scene);
    let mut meshes: BTreeMap<String, String> =
        meshes.into_iter().map(|(source, sum)| (source.to_owned(), format!("{sum:08x}"))).collect();
    for sequence in scene.solids.iter().filter_map(|s| s.sequence.as_ref()) {
        let files = sequence.facts().iter().enumerate();
        meshes.extend(files.map(|(k, facts)| (sequence.name(k), format!("{:016x}", facts.content))));
    }
    if !meshes.is_empty() {
        text.push_str("\n[mesh]\n");
    }
    for (source, sum) in meshes {
        text.push_str(&format!("{} = \"{sum}\"\n", Value::String(source)));
    }
    text
}

/// Returns the differences between the scenes `was` and `is`, two texts from [`identity`] or [`to_toml`];
/// `None` if a text is not valid. Checksums of meshes count if both texts have them.
pub fn differences(was: &str, is: &str) -> Option<Vec<Difference>> {
    let [was, is] = [was, is].map(|text| text.parse::<Table>().ok());
    let (mut was, mut is) = (was?, is?);
    if !(was.contains_key("mesh") && is.contains_key("mesh")) {
        was.remove("mesh");
        is.remove("mesh");
    }
    let [was, is] = [was, is].map(|table| {
        let mut keys = BTreeMap::new();
        flatten(String::new(), &Value::Table(table), &mut keys);
        keys.remove(FRAMES);
        keys
    });
    let keys: std::collections::BTreeSet<&String> = was.keys().chain(is.keys()).collect();
    let difference =
        |key: &String| Difference { key: key.clone(), was: was.get(key).cloned(), is: is.get(key).cloned() };
    Some(keys.into_iter().filter(|k| was.get(*k) != is.get(*k)).map(difference).collect())
}

/// Collects single values by their keys; lists of numbers count as single values.
fn flatten(key: String, value: &Value, out: &mut BTreeMap<String, String>) {
    let join = |part: &str| if key.is_empty() { part.to_owned() } else { format!("{key}.{part}") };
    match value {
        Value::Table(table) => table.iter().for_each(|(k, v)| flatten(join(k), v, out)),
        Value::Array(items) if items.iter().any(Value::is_table) => {
            items.iter().enumerate().for_each(|(i, v)| flatten(join(&i.to_string()), v, out));
        }
        other => {
            out.insert(key, other.to_string());
        }
    }
}

fn find_meshes<'a>(shape: &'a Shape, out: &mut BTreeMap<&'a str, u32>) {
    match shape {
        Shape::Mesh(mesh) => {
            out.entry(&mesh.source).or_insert_with(|| sum(mesh));
        }
        Shape::Union(shapes) | Shape::Intersection(shapes) | Shape::SmoothUnion { shapes, .. } => {
            shapes.iter().for_each(|s| find_meshes(s, out));
        }
        Shape::Difference { of, minus } => {
            find_meshes(of, out);
            minus.iter().for_each(|s| find_meshes(s, out));
        }
        Shape::Transformed { shape, .. } => find_meshes(shape, out),
        Shape::Box { .. }
        | Shape::RoundedBox { .. }
        | Shape::Sphere { .. }
        | Shape::Ellipsoid { .. }
        | Shape::Cylinder { .. }
        | Shape::Capsule { .. }
        | Shape::Torus { .. }
        | Shape::Plane { .. }
        | Shape::Blend(_) => {}
    }
}

fn sum(mesh: &MeshShape) -> u32 {
    let mut sum = Crc::new();
    let mesh = mesh.sdf.mesh();
    mesh.positions.iter().flatten().for_each(|x| sum.update(&x.to_le_bytes()));
    mesh.triangles.iter().flatten().for_each(|v| sum.update(&v.to_le_bytes()));
    sum.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene_file::{LoadOptions, load};

    fn scene(name: &str, set: &[(&str, &str)]) -> Scene {
        let options = LoadOptions::new(octide_methods::ABILITIES).with_overrides(set.iter().copied());
        load(name, &options).unwrap().scene
    }

    #[test]
    fn what_differs_is_named_by_its_key_and_frames_do_not_count() {
        let was = identity(&scene("water-drop", &[]));
        let same = identity(&scene("water-drop", &[("time.frames", "7")]));
        assert_eq!(differences(&was, &same), Some(vec![]));
        let set = [("physics.gravity", "[0, -1.6, 0]"), ("liquid.1.shape.sphere.radius", "0.07")];
        let is = identity(&scene("water-drop", &set));
        let told: Vec<String> = differences(&was, &is).unwrap().iter().map(|d| d.to_string()).collect();
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(
            told[0].starts_with("liquid.1.shape.sphere.radius: ") && told[0].ends_with(" → 0.07"),
            "{told:?}"
        );
        assert_eq!(told[1], "physics.gravity: [0.0, -9.8, 0.0] → [0.0, -1.6, 0.0]");
        assert_eq!(differences("not = [", &was), None);
    }

    #[test]
    fn a_mesh_that_changed_under_its_name_is_another_scene() {
        let is = identity(&scene("mesh-in-mesh", &[]));
        let sums = is.split_once("\n[mesh]\n").unwrap().1;
        let (first, _) = sums.split_once('\n').unwrap();
        let was = is.replace(first, &format!("{}00000000\"", &first[..first.len() - 9]));
        let told = differences(&was, &is).unwrap();
        assert!(told.len() == 1 && told[0].key.starts_with("mesh.builtin:"), "{told:?}");
        // Checksums are ignored if one text has none.
        assert_eq!(differences(is.split_once("\n[mesh]\n").unwrap().0, &is), Some(vec![]));
    }
}
