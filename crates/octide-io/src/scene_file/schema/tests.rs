use super::super::keys::{Allowed, Section, sections};
use super::super::table::recorded_lookups;
use super::super::{LoadOptions, builtins, load_str};
use super::schema;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// Returns all scenes of `bad_scenes.txt` without overrides, with their messages.
fn cases() -> Vec<(&'static str, String, bool, &'static str)> {
    let text = include_str!("../../../tests/bad_scenes.txt");
    let mut cases = Vec::new();
    for block in text.split("\n## ").skip(1) {
        let (title, rest) = block.split_once('\n').unwrap();
        let (scene, told) = rest.split_once("---\n").unwrap();
        let is_plain = !scene.lines().any(|l| l.starts_with("--set "));
        let lines: Vec<&str> = scene.lines().filter(|l| !l.starts_with("--")).collect();
        cases.push((title, lines.join("\n"), is_plain, told));
    }
    cases
}

/// More valid text, so that every table is opened.
const MORE: &str = r#"
octide = 1
resolution = 64
domain.size = [1, 0.5, 1]
camera = { position = [1, 1, 1], target = [0, 0, 0] }
numerics = { transfer = "flip", flip_ratio = 0.9, free_surface = "spd", advection = "maccormack", interpolation = "fast" }
output = { up = "z", view = "cells" }
[numerics.particles]
"#;

const SHAPES: &str = r#"
octide = 1
resolution = 64
domain = { size = [1, 0.5, 1], open = ["+x"] }
numerics = { transfer = "flip", flip_ratio = 0.9, free_surface = "spd", advection = "maccormack", interpolation = "fast", particles = "band", volume_correction = "off" }
output = { up = "z", view = "cells" }
[[liquid]]
shape.difference = { of = { rounded-box = { min = [0, 0, 0], max = [1, 0.3, 1], radius = 0.1 } }, minus = [{ sphere = { center = [0.5, 0.2, 0.5], radius = 0.1 } }] }
[[liquid]]
shape.smooth-union = { shapes = [{ capsule = { from = [0.5, 0.2, 0.5], to = [0.5, 0.3, 0.5], radius = 0.1 } }, { torus = { center = [0.5, 0.2, 0.5], axis = [0, 1, 0], major = 0.2, minor = 0.1 } }], radius = 0.1 }
[[liquid]]
shape.intersection = [{ plane = { point = [0, 0.2, 0], normal = [0, 1, 0] } }, { ellipsoid = { center = [0.5, 0.2, 0.5], radii = [0.1, 0.1, 0.2] } }]
[[solid]]
shape.transform = { shape = { cylinder = { from = [0.5, 0.2, 0.5], to = [0.5, 0.3, 0.5], radius = 0.1 } }, rotate = { axis = [0, 1, 0], degrees = 30 } }
motion = { keyframes = [{ time = 0 }, { time = 1, rotation = { axis = [0, 1, 0], degrees = 30 } }] }
[[solid]]
shape.mesh = { builtin = "lump", scale = 0.1, translate = [0.5, 0.2, 0.5] }
motion = { orbit = { center = [0.5, 0.2, 0.5], axis = [0, 1, 0], period = 1 } }
[[adaptivity.region]]
shape.sphere = { center = [0.5, 0.2, 0.5], radius = 0.1 }
at_most = 0.02
"#;

/// Gravity along x, so that a gauge has y and z.
const SIDEWAYS: &str = r#"
octide = 1
resolution = 64
domain.size = [1, 0.5, 1]
physics.gravity = [-9.8, 0, 0]
[[inflow]]
shape.sphere = { center = [0.5, 0.2, 0.5], radius = 0.1 }
velocity = [0, 0, 0]
[[probe]]
name = "wave"
gauge = { y = 0.2, z = 0.5 }
"#;

const SMOKE: &str = r#"
octide = 1
resolution = 64
domain = { size = [1, 1, 1], open = ["+y"] }
physics = { buoyancy = { weight = 0.1, lift = 0.03 }, confinement = 0.2, half_life = { density = 4, temperature = 2 } }
numerics = { gradient_distance = "euclidean", pressure_solver = "iccg" }
output = { view = "smoke" }
[[smoke]]
shape.sphere = { center = [0.5, 0.2, 0.5], radius = 0.1 }
density = 1
temperature = 50
velocity = [0, 1, 0]
start = 0.5
end = 2
[[smoke]]
shape.sphere = { center = [0.5, 0.2, 0.5], radius = 0.1 }
puff = true
[[solid]]
shape.sphere = { center = [0.5, 0.7, 0.5], radius = 0.1 }
temperature = -20
[adaptivity.smoke]
solids = 2
vorticity = 8
density = [0.05, 0.4]
"#;

fn load(text: &str) -> Result<(), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    load_str(text, "a.toml", &folder, &LoadOptions::new(octide_methods::ABILITIES))
        .map(|_| ())
        .map_err(|e| e.to_string())
}

/// Returns the reason why a value does not match a part of a schema, if there is one.
fn wrong(value: &Value, part: &Value, whole: &Value) -> Option<String> {
    if let Some(name) = part["$ref"].as_str() {
        return wrong(value, &whole["definitions"][name.rsplit('/').next().unwrap()], whole);
    }
    let is = match part["type"].as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|x| x.fract() == 0.0),
        other => panic!("{other}"),
    };
    if !is {
        return Some(format!("{value} is no {}", part["type"]));
    }
    if part["enum"].as_array().is_some_and(|words| !words.contains(value)) {
        return Some(format!("{value} is none of {}", part["enum"]));
    }
    if let Some(x) = value.as_f64() {
        let bound = |key: &str| part[key].as_f64();
        let low =
            bound("minimum").is_some_and(|b| x < b) || bound("exclusiveMinimum").is_some_and(|b| x <= b);
        let high =
            bound("maximum").is_some_and(|b| x > b) || bound("exclusiveMaximum").is_some_and(|b| x >= b);
        if low || high {
            return Some(format!("{x} is out of range"));
        }
    }
    if let Some(items) = value.as_array() {
        let n = items.len() as u64;
        if part["minItems"].as_u64().is_some_and(|m| n < m)
            || part["maxItems"].as_u64().is_some_and(|m| n > m)
        {
            return Some(format!("{n} items"));
        }
        return items.iter().find_map(|item| wrong(item, &part["items"], whole));
    }
    let keys = value.as_object()?;
    let n = keys.len() as u64;
    if part["minProperties"].as_u64().is_some_and(|m| n < m)
        || part["maxProperties"].as_u64().is_some_and(|m| n > m)
    {
        return Some(format!("{n} keys"));
    }
    let needed = part["required"].as_array().unwrap().iter().filter_map(Value::as_str);
    if let Some(missing) = needed.into_iter().find(|key| !keys.contains_key(*key)) {
        return Some(format!("{missing} is missing"));
    }
    for (kind, most) in [("oneOf", 1), ("anyOf", usize::MAX)] {
        let Some(sets) = part[kind].as_array() else { continue };
        let names = |set: &Value| set["required"].as_array().unwrap().clone();
        let has = |set: &&Value| names(set).iter().all(|k| keys.contains_key(k.as_str().unwrap()));
        let n = sets.iter().filter(has).count();
        if n == 0 || n > most {
            return Some(format!("{n} of {}", part[kind]));
        }
    }
    keys.iter().find_map(|(key, value)| match part["properties"].get(key) {
        Some(part) => wrong(value, part, whole).map(|why| format!("{key}: {why}")),
        None => Some(format!("{key} is no key")),
    })
}

fn refusal(text: &str) -> Option<String> {
    let value: toml::Table = match text.parse() {
        Ok(value) => value,
        Err(e) => return Some(e.to_string()),
    };
    let whole = schema(octide_methods::ABILITIES);
    wrong(&serde_json::to_value(value).unwrap(), &whole, &whole)
}

/// Adds the keys of a table and of the tables within it, each with the title of its table.
fn add_keys(section: &'static Section, keys: &mut BTreeSet<(&'static str, String)>) {
    for key in section.keys {
        let is_new = keys.insert((section.title, key.name.to_owned()));
        if let (true, Allowed::Table(inner) | Allowed::Tables(inner)) = (is_new, key.allowed) {
            add_keys(inner, keys);
        }
    }
}

#[test]
fn every_declared_key_is_looked_up_by_the_reader() {
    for text in builtins().iter().map(|b| b.text.to_owned()).chain(cases().into_iter().map(|c| c.1)) {
        let _ = load(&text);
    }
    load(SHAPES).unwrap();
    load(SMOKE).unwrap();
    load(SIDEWAYS).unwrap();
    let mut declared = BTreeSet::new();
    sections().into_iter().for_each(|section| add_keys(section, &mut declared));
    // The format and the method are read before the tables are opened. The entries of sections, motions and
    // probes are not looked up by key.
    let elsewhere = [
        ("the scene", "octide"),
        ("the scene", "method"),
        ("[adaptivity]", "region"),
        ("[[probe]]", "point"),
        ("[[probe]]", "gauge"),
        ("[[probe]]", "front"),
        ("[[probe]]", "whole"),
        ("`motion`", "keyframes"),
        ("`motion`", "orbit"),
        ("`motion`", "oscillation"),
    ];
    let looked_up = recorded_lookups();
    let missed: Vec<_> = declared
        .iter()
        .filter(|(title, key)| !looked_up.contains(&(*title, key.clone())))
        .filter(|(title, key)| !elsewhere.contains(&(*title, key.as_str())))
        .collect();
    assert!(missed.is_empty(), "declared, but never read: {missed:?}");
}

#[test]
fn what_loads_is_valid() {
    for b in builtins() {
        assert_eq!(refusal(b.text), None, "{}", b.name);
    }
    assert_eq!(refusal(SHAPES), None);
    assert_eq!(refusal(SMOKE), None);
    let mut n = 0;
    for (title, scene, is_plain, told) in cases() {
        if is_plain && !told.starts_with("error") {
            assert_eq!(refusal(&scene), None, "{title}");
            n += 1;
        }
    }
    assert!(n > 10);
}

#[test]
fn a_wrong_key_word_or_type_is_refused() {
    let mut taken = Vec::new();
    let mut n = 0;
    for (title, scene, is_plain, told) in cases() {
        let kinds = [
            "error: unknown key",
            "error: unknown kind",
            "error: unknown method",
            "is not available yet",
            " must be a ",
            " must be one of ",
            " must be true or false",
            " must be three numbers",
            " needs `",
            " needs exactly",
            " needs either",
            "this shape is empty",
            "a shape has one kind",
            " must be a whole number",
            " must be greater than 0,",
            " must be from ",
            " must be between",
        ];
        let first = told.lines().next().unwrap_or_default();
        // A schema cannot express conditions that depend on another value, and omits the bounds that all
        // numbers have.
        let is_relative = ["`radius` must be from", "`minor` must be", "must be from -1e12"]
            .iter()
            .any(|r| first.contains(r));
        if is_plain && kinds.iter().any(|k| first.contains(k)) && !is_relative {
            n += 1;
            if refusal(&scene).is_none() {
                taken.push(format!("{title}: {first}"));
            }
        }
    }
    assert!(taken.is_empty(), "{taken:#?}");
    assert!(n > 60, "{n}");
    assert!(refusal(MORE).is_some());
}
