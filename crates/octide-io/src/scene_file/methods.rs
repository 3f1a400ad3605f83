//! Chooses the method that simulates a scene and checks that it reads every key of the scene.
//!
//! A scene is of water or of smoke. It is simulated by the method that it names, or else by the first that
//! simulates its fluid. A key that this method does not read is an error, unless it has its default value, as
//! in the `scene.toml` of a run's folder. If an override such as `--method` names the method, the scene was
//! written for another one; then such keys of the file are ignored with one warning.

#[cfg(test)]
mod tests;

use super::context::Context;
use super::keys::{Fallback, Key, Reader, Section, sections};
use super::nearest::nearest;
use super::place::{At, Fault};
use super::setting::setting_to_toml;
use super::table::listed;
use super::tree::{Entry, Node, Value, parse_value};
use glam::DVec3;
use octide_core::contract::Abilities;
use octide_core::scene::Scene;

/// Sections that make a scene one of water.
const WATER_SECTIONS: [&str; 3] = ["liquid", "inflow", "outflow"];

/// The method of a scene.
pub(super) struct ChosenMethod {
    pub name: &'static str,
    /// Whether the scene is one of smoke.
    pub is_smoke: bool,
}

/// Chooses the scene's method and removes keys from the scene that were written for another method.
pub(super) fn choose(
    root: &mut Node,
    methods: &[Abilities],
    context: &mut Context<'_>,
) -> Result<ChosenMethod, Fault> {
    let is_smoke = find_fluid(root)?;
    let fluid = if is_smoke { "smoke" } else { "water" };
    let able: Vec<&Abilities> = methods.iter().filter(|m| m.keys_read(is_smoke).is_some()).collect();
    let method_entry = root.entry("method");
    let method = match method_entry {
        Some(entry) => named(&entry.node, methods)?,
        None => *able.first().ok_or_else(|| {
            let at = root.entry("smoke").map_or(root.at, |e| e.key_at);
            Fault::new(at, format!("no method simulates {fluid}"))
        })?,
    };
    if method.keys_read(is_smoke).is_none() {
        let at = method_entry.map_or(root.at, |e| e.node.at);
        let fault = Fault::new(at, format!("the method `{}` does not simulate {fluid}", method.name));
        let names: Vec<&str> = able.iter().map(|m| m.name).collect();
        return Err(match names.as_slice() {
            [] => fault,
            names => fault.help(format!("use a method that simulates {fluid}: {}", listed(names))),
        });
    }
    let is_foreign = method_entry.is_some_and(|e| e.node.at.source > 0);
    remove_unread(root, &Choice { method, able, is_smoke }, is_foreign, context)?;
    Ok(ChosenMethod { name: method.name, is_smoke })
}

/// Returns whether the scene is one of smoke.
fn find_fluid(root: &Node) -> Result<bool, Fault> {
    // A list of sections that exists and is not empty; the reader refuses other values.
    let section = |key: &str| {
        root.entry(key).filter(|e| !matches!(&e.node.value, Value::Array(items) if items.is_empty()))
    };
    let smoke = section("smoke");
    let water = WATER_SECTIONS.iter().find_map(|key| section(key));
    if let (Some(smoke), Some(water)) = (smoke, water) {
        let water = format!("[[{}]]", water.key);
        return Err(Fault::new(
            smoke.key_at,
            format!("a scene has either water or smoke, but this one has [[smoke]] and {water}"),
        )
        .help(format!(
            "remove [[smoke]] or {water}; smoke enters through [[smoke]] and leaves through domain.open"
        )));
    }
    Ok(smoke.is_some())
}

/// The chosen method, and all methods that simulate the scene's fluid.
struct Choice<'a> {
    method: &'a Abilities,
    able: Vec<&'a Abilities>,
    is_smoke: bool,
}

/// A key that the method does not read, or whose word it does not support.
struct Unread {
    path: String,
    /// The word that is not supported, if the key itself is read.
    word: Option<String>,
    key_at: At,
    value_at: At,
}

/// Refuses keys that the method does not read, or removes them if the scene was written for another method.
fn remove_unread(
    root: &mut Node,
    choice: &Choice<'_>,
    is_foreign: bool,
    context: &mut Context<'_>,
) -> Result<(), Fault> {
    let mut left_out: Vec<Unread> = Vec::new();
    for section in sections() {
        for key in section.keys {
            let is_of_methods = section.reader_of(key) == Reader::Methods && key.section().is_none();
            let unread = if is_of_methods { find_unread(root, section, key, choice)? } else { None };
            let Some(unread) = unread else { continue };
            if !is_foreign || unread.value_at.source > 0 {
                return Err(choice.refuse(&unread));
            }
            root.remove_all(&unread.path);
            left_out.push(unread);
        }
    }
    // In the order of the file.
    left_out.sort_by_key(|unread| unread.key_at.start);
    if let Some(first) = left_out.first() {
        let keys: Vec<String> = left_out.iter().map(Unread::name).collect();
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        let message = format!("the method `{}` does not read {}", choice.method.name, listed(&keys));
        let they = if keys.len() == 1 { "this key is" } else { "these keys are" };
        context.warnings.push(
            Fault::new(first.key_at, message)
                .help(format!("the scene was written for another method; {they} left out")),
        );
    }
    Ok(())
}

/// Returns the first place where the scene has a key that the method does not read. A key with its default
/// value has no effect and is allowed.
fn find_unread(
    root: &Node,
    section: &'static Section,
    key: &'static Key,
    choice: &Choice<'_>,
) -> Result<Option<Unread>, Fault> {
    let path = section.path_of(key);
    let Some(keys_read) = choice.method.keys_read(choice.is_smoke) else { return Ok(None) };
    let words = keys_read.supported_words(&path);
    if keys_read.contains(&path) && words.is_none() {
        return Ok(None);
    }
    let default = default_value(key, choice)?;
    let is_unread = |entry: &&Entry| match (&words, &entry.node.value) {
        (Some(words), Value::String(word)) => !words.contains(&word.as_str()),
        (Some(_), _) => false,
        (None, value) => default.as_ref().is_none_or(|default| !is_same(value, &default.value)),
    };
    Ok(root.find_all(&path).into_iter().find(is_unread).map(|entry| Unread {
        path: path.clone(),
        word: match &entry.node.value {
            Value::String(word) if words.is_some() => Some(word.clone()),
            _ => None,
        },
        key_at: entry.key_at,
        value_at: entry.node.at,
    }))
}

/// Returns the value that a key has if it is omitted, if there is one.
fn default_value(key: &Key, choice: &Choice<'_>) -> Result<Option<Node>, Fault> {
    let mut scene = Scene::empty(choice.method.name, DVec3::ONE, 1, 0);
    if choice.is_smoke {
        scene.set_smoke_defaults();
    }
    let text = match key.fallback {
        Fallback::Setting(field) => setting_to_toml(&scene, field),
        Fallback::Value(text) => Some(text.to_owned()),
        Fallback::Required(_) | Fallback::Absent => None,
    };
    text.map(|text| parse_value(&text, 0, 0)).transpose()
}

impl Unread {
    fn name(&self) -> String {
        match &self.word {
            Some(word) => format!("{} = \"{word}\"", self.path),
            None => self.path.clone(),
        }
    }
}

impl Choice<'_> {
    fn refuse(&self, unread: &Unread) -> Fault {
        let Self { method, is_smoke, .. } = *self;
        let Unread { path, word, .. } = unread;
        let is_read_elsewhere = method.keys_read(!is_smoke).is_some_and(|keys| keys.contains(path));
        let fluid = if is_smoke { "smoke" } else { "water" };
        let of_fluid = if is_read_elsewhere { format!(" in scenes of {fluid}") } else { String::new() };
        let others: Vec<&str> = self
            .able
            .iter()
            .filter(|m| {
                m.keys_read(is_smoke).is_some_and(|keys| match word {
                    Some(word) => keys.supports(path, word),
                    None => keys.contains(path),
                })
            })
            .map(|m| m.name)
            .collect();
        let (at, message, remedy) = match word {
            Some(word) => {
                let words = method
                    .keys_read(is_smoke)
                    .and_then(|keys| keys.supported_words(path))
                    .unwrap_or_default();
                let message = format!("the method `{}` does not support `{path}` = \"{word}\"", method.name);
                (unread.value_at, message, format!("use one of {}", listed(&words)))
            }
            None => {
                let message = format!("the method `{}` does not read `{path}`{of_fluid}", method.name);
                (unread.key_at, message, "remove the key".to_owned())
            }
        };
        let fault = Fault::new(at, message);
        fault.help(match others.as_slice() {
            [] => format!("{remedy}; Octide never ignores a key silently"),
            others => format!("{remedy}, or use a method that does: {}", listed(others)),
        })
    }
}

/// Returns the method with a name.
fn named<'a>(node: &Node, methods: &'a [Abilities]) -> Result<&'a Abilities, Fault> {
    let name = node.string("method")?;
    if let Some(method) = methods.iter().find(|m| m.name == name) {
        return Ok(method);
    }
    let names: Vec<&str> = methods.iter().map(|m| m.name).collect();
    let all = listed(&names);
    let fault = Fault::new(node.at, format!("unknown method `{name}`"));
    Err(fault.help(match nearest(name, names) {
        Some(near) => format!("did you mean `{near}`? The methods are {all}"),
        None => format!("the methods are {all}"),
    }))
}

/// Returns whether two values are the same; 4 is the same as 4.0.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::String(a), Value::String(b)) => a == b,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(&a.value, &b.value))
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
