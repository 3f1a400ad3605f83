//! Which method simulates a scene, and whether it reads all that the scene says.
//!
//! A scene is of water or of smoke. It is simulated by the method that it names, else by the first that can.
//! A key that this method does not read is refused, unless it has its default value, as in the scene that a
//! run's folder keeps. Where the method is named by an override, such as by `--method`, the scene was written
//! for another one: then such keys of the file are left out, and told of once.

#[cfg(test)]
mod tests;

use super::context::Context;
use super::nearest::nearest;
use super::place::Fault;
use super::table::listed;
use super::tree::{Entry, Node, Value, parse};
use super::write::to_toml;
use glam::DVec3;
use octide_core::contract::{Abilities, Unread};
use octide_core::scene::Scene;

/// The methods that scenes may name where the caller does not tell; all keys are read.
pub(super) const ALL: &[Abilities] = &[
    Abilities { name: "octree", water: Some(&[]), smoke: None },
    Abilities { name: "nodal-octree", water: Some(&[]), smoke: Some(&[]) },
];

/// Methods that are planned.
const LATER: &[&str] = &["tetra", "cutcell", "hexa"];

/// Sections that make a scene one of water.
const WATER: [&str; 3] = ["liquid", "inflow", "outflow"];

/// The name of the scene's method, with keys that it does not read taken out of the scene.
pub(super) fn choose(
    root: &mut Node,
    methods: &[Abilities],
    context: &mut Context<'_>,
) -> Result<String, Fault> {
    let smoke = section(root, "smoke");
    let water = WATER.iter().find_map(|key| section(root, key));
    if let (Some(smoke), Some(water)) = (smoke, water) {
        let water = format!("[[{}]]", water.key);
        return Err(Fault::new(
            smoke.key_at,
            format!("a scene is of water or of smoke, but this one has {water} too"),
        )
        .help(format!(
            "take out [[smoke]] or {water}; smoke comes from [[smoke]] and leaves by domain.open"
        )));
    }
    let is_smoke = smoke.is_some();
    let unread = |m: &Abilities| if is_smoke { m.smoke } else { m.water };
    let able: Vec<&str> = methods.iter().filter(|m| unread(m).is_some()).map(|m| m.name).collect();
    let named = entry(root, "method").map(|e| named(&e.node, methods)).transpose()?;
    let what = if is_smoke { "smoke" } else { "water" };
    let method = match named.or_else(|| methods.iter().find(|m| unread(m).is_some())) {
        Some(method) => method,
        None => {
            let at = smoke.map_or(root.at, |e| e.key_at);
            return Err(Fault::new(at, format!("no method that is there simulates {what}")));
        }
    };
    let Some(keys) = unread(method) else {
        let at = entry(root, "method").map_or(root.at, |e| e.node.at);
        let fault = Fault::new(at, format!("the method `{}` does not simulate {what}", method.name));
        return Err(fault.help(match able.as_slice() {
            [] => format!("no method that is there simulates {what} yet"),
            able => format!("take a method that does: {}", listed(able)),
        }));
    };
    let foreign = entry(root, "method").is_some_and(|e| e.node.at.source > 0);
    let others: Vec<&Abilities> = methods.iter().filter(|m| m.name != method.name).collect();
    let elsewhere = if is_smoke { method.water } else { method.smoke };
    let is_read_elsewhere = |key: &str| elsewhere.is_some_and(|unread| !unread.contains(&key));
    let name = |key: &str| match is_read_elsewhere(key) {
        true => format!("the method `{}` in a scene of {what}", method.name),
        false => format!("the method `{}`", method.name),
    };
    settle(root, (method.name, &name), keys, foreign, &|key| readers(&others, &unread, key), context)?;
    Ok(method.name.to_owned())
}

/// The methods among some that read a key.
fn readers(methods: &[&Abilities], unread: &dyn Fn(&Abilities) -> Option<Unread>, key: &str) -> String {
    let reads = |m: &&&Abilities| unread(m).is_some_and(|keys| !keys.contains(&key));
    listed(&methods.iter().filter(reads).map(|m| m.name).collect::<Vec<_>>())
}

/// Refuses keys that are not read, or takes them out. A key may be one of the words that it can have:
/// `key=word`.
fn settle(
    root: &mut Node,
    (method, called): (&str, &dyn Fn(&str) -> String),
    unread: Unread,
    foreign: bool,
    readers: &dyn Fn(&str) -> String,
    context: &mut Context<'_>,
) -> Result<(), Fault> {
    let defaults = parse(&to_toml(&Scene::empty(method, DVec3::ONE, 64, 3)))?;
    let mut left_out: Vec<(&str, super::place::At)> = Vec::new();
    for key in unread {
        let (name, word) = key.split_once('=').map_or((*key, None), |(name, word)| (name, Some(word)));
        let path: Vec<&str> = name.split('.').collect();
        let default = find(&defaults, &path).into_iter().next();
        let given: Vec<&Entry> = find(root, &path);
        let asked = given.iter().find(|e| match (word, &e.node.value) {
            (Some(word), Value::String(given)) => given == word,
            (Some(_), _) => false,
            (None, value) => default.is_none_or(|d| !same(value, &d.node.value)),
        });
        let Some(asked) = asked else { continue };
        if !foreign || asked.node.at.source > 0 {
            let fault = Fault::new(asked.key_at, format!("`{key}` means nothing to {}", called(key)));
            let others = readers(key);
            return Err(fault.help(if others.is_empty() {
                "take it out; nothing in a scene is ignored in silence".to_owned()
            } else {
                format!("take it out, or take a method that reads it: {others}")
            }));
        }
        left_out.push((key, asked.key_at));
        remove(root, &path);
    }
    if let Some(&(_, at)) = left_out.first() {
        let keys: Vec<&str> = left_out.iter().map(|(key, _)| *key).collect();
        let it = if keys.len() == 1 { "it is" } else { "they are" };
        let fault = Fault::new(at, format!("the method `{method}` does not read {}", listed(&keys)));
        context.warnings.push(fault.help(format!("the scene was written for another method; {it} left out")));
    }
    Ok(())
}

/// The method of a name.
fn named<'a>(node: &Node, methods: &'a [Abilities]) -> Result<&'a Abilities, Fault> {
    let name = node.string("method")?;
    if let Some(method) = methods.iter().find(|m| m.name == name) {
        return Ok(method);
    }
    let names: Vec<&str> = methods.iter().map(|m| m.name).collect();
    let there = format!("the methods are {}", listed(&names));
    if LATER.contains(&name) {
        return Err(Fault::new(node.at, format!("the method `{name}` is not available yet")).help(there));
    }
    let fault = Fault::new(node.at, format!("unknown method `{name}`"));
    Err(match nearest(name, names) {
        Some(near) => fault.help(format!("did you mean `{near}`?")),
        None => fault.help(there),
    })
}

/// A key of a table.
fn entry<'a>(node: &'a Node, key: &str) -> Option<&'a Entry> {
    match &node.value {
        Value::Table(entries) => entries.iter().find(|e| e.key == key),
        _ => None,
    }
}

/// A list of sections that is there and not empty; one that is no list is the reader's to refuse.
fn section<'a>(root: &'a Node, key: &str) -> Option<&'a Entry> {
    entry(root, key).filter(|e| !matches!(&e.node.value, Value::Array(items) if items.is_empty()))
}

/// All places of a path; a list stands for all of its items.
fn find<'a>(node: &'a Node, path: &[&str]) -> Vec<&'a Entry> {
    let Some((first, rest)) = path.split_first() else { return Vec::new() };
    match &node.value {
        Value::Array(items) => items.iter().flat_map(|item| find(item, path)).collect(),
        Value::Table(_) => match entry(node, first) {
            Some(entry) if rest.is_empty() => vec![entry],
            Some(entry) => find(&entry.node, rest),
            None => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Takes all places of a path out.
fn remove(node: &mut Node, path: &[&str]) {
    let Some((first, rest)) = path.split_first() else { return };
    match &mut node.value {
        Value::Array(items) => items.iter_mut().for_each(|item| remove(item, path)),
        Value::Table(entries) if rest.is_empty() => entries.retain(|e| e.key != *first),
        Value::Table(entries) => {
            entries.iter_mut().filter(|e| e.key == *first).for_each(|e| remove(&mut e.node, rest));
        }
        _ => {}
    }
}

/// Whether two values are the same; 4 is 4.0, and all keys of a table must be in the other.
fn same(given: &Value, default: &Value) -> bool {
    match (given, default) {
        (Value::String(a), Value::String(b)) => a == b,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(&a.value, &b.value))
        }
        (Value::Table(a), Value::Table(b)) => {
            a.iter().all(|a| b.iter().any(|b| a.key == b.key && same(&a.node.value, &b.node.value)))
        }
        (a, b) => matches!((number(a), number(b)), (Some(a), Some(b)) if a == b),
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(i) => Some(*i as f64),
        Value::Float(x) => Some(*x),
        _ => None,
    }
}
