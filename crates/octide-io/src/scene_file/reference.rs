//! The tables of keys in the reference `docs/scene-file.md`.
//!
//! The page has the tables between two comments, `<!-- keys: SECTION -->` and `<!-- end of keys -->`. The
//! rest is prose that people edit in place.

use super::keys::{Allowed, Fallback, Key, MOTION, Reader, SHAPE, Section, sections};
use super::setting::setting_to_toml;
use super::tree::{Value, parse_value};
use glam::DVec3;
use octide_core::contract::Abilities;
use octide_core::scene::Scene;

const BEGIN: &str = "<!-- keys: ";
const BEGIN_END: &str = " -->";
const END: &str = "<!-- end of keys -->";

/// Returns the page with all tables regenerated. Fails if the page has an unknown table or lacks one.
pub fn update_reference(page: &str, methods: &[Abilities]) -> Result<String, String> {
    let mut tables: Vec<(&str, String)> =
        vec![("shapes", parts_table("kind", &SHAPE)), ("motions", parts_table("key", &MOTION))];
    for section in sections() {
        let name = section.path.filter(|path| !path.is_empty()).unwrap_or("scene");
        tables.push((name, section_table(section, methods)));
    }
    let mut out = String::new();
    let mut rest = page;
    while let Some((before, after)) = rest.split_once(BEGIN) {
        let (name, after) = after.split_once(BEGIN_END).ok_or("a comment is not closed")?;
        let at = tables.iter().position(|(known, _)| *known == name);
        let at = at.ok_or_else(|| format!("the table of `{name}` is unknown or stands twice"))?;
        let (_, table) = tables.swap_remove(at);
        let (_, after) = after.split_once(END).ok_or_else(|| format!("the table of `{name}` has no end"))?;
        out += &format!("{before}{BEGIN}{name}{BEGIN_END}\n{table}{END}");
        rest = after;
    }
    match tables.first() {
        Some((name, _)) => Err(format!("the table of `{name}` is missing")),
        None => Ok(out + rest),
    }
}

/// Returns the table of a section's keys.
fn section_table(section: &Section, methods: &[Abilities]) -> String {
    let keys: Vec<&Key> = section.keys.iter().filter(|key| key.section().is_none()).collect();
    let readers: Vec<String> = keys.iter().map(|key| readers(section, key, methods)).collect();
    let all_alike = readers.windows(2).all(|pair| pair[0] == pair[1]);
    let mut out = "| key | meaning | default | allowed |".to_owned();
    out += if all_alike { "\n|---|---|---|---|\n" } else { " read by |\n|---|---|---|---|---|\n" };
    for (key, reader) in keys.iter().zip(&readers) {
        let meaning = meaning(section, key, methods);
        out += &format!("| `{}` | {meaning} | {} | {} |", key.name, default(key), allowed(key, methods));
        out += &if all_alike { "\n".to_owned() } else { format!(" {reader} |\n") };
    }
    if let Some(reader) = readers.first().filter(|_| all_alike) {
        out += &format!("\nRead by {reader}.\n");
    }
    out
}

/// Returns the table of the parts that a value can have, each with its own keys.
fn parts_table(head: &str, section: &Section) -> String {
    let mut out = format!("| {head} | meaning | its keys |\n|---|---|---|\n");
    for part in section.keys {
        let keys = match part.allowed {
            Allowed::Table(inner) | Allowed::Tables(inner) => inner.keys,
            _ => &[],
        };
        let keys: Vec<String> = keys.iter().map(part_key).collect();
        out += &format!("| `{}` | {} | {} |\n", part.name, words_of(part), keys.join("; "));
    }
    out
}

fn part_key(key: &Key) -> String {
    let default = match key.fallback {
        Fallback::Required(_) => String::new(),
        _ => match default(key).as_str() {
            "" => String::new(),
            default => format!(", default {default}"),
        },
    };
    format!("`{}`: {}{default}", key.name, words_of(key))
}

/// Returns the meaning of a key, with its unit.
fn words_of(key: &Key) -> String {
    match key.unit {
        "" => key.meaning.to_owned(),
        unit => format!("{} ({unit})", key.meaning),
    }
}

fn meaning(section: &Section, key: &Key, methods: &[Abilities]) -> String {
    let path = section.path_of(key);
    let notes = methods.iter().flat_map(|m| {
        m.notes.iter().filter(|(key, _)| *key == path).map(|(_, note)| format!(". With `{}`: {note}", m.name))
    });
    words_of(key) + &notes.collect::<String>()
}

/// Returns the default value, which may be different in scenes of smoke.
fn default(key: &Key) -> String {
    if let Some(words) = key.default_in_words {
        return words.to_owned();
    }
    match key.fallback {
        Fallback::Required(_) => "required".to_owned(),
        Fallback::Value(text) => tidy(text),
        Fallback::Absent => String::new(),
        Fallback::Setting(field) => {
            let scene = Scene::empty("", DVec3::ONE, 1, 0);
            let mut smoke = scene.clone();
            smoke.set_smoke_defaults();
            let [water, smoke] = [scene, smoke]
                .map(|scene| setting_to_toml(&scene, field).map_or(String::new(), |t| tidy(&t)));
            if water == smoke { water } else { format!("{water}, for smoke {smoke}") }
        }
    }
}

/// Returns a value in TOML as people would type it, in code quotes.
fn tidy(toml: &str) -> String {
    fn typed(value: &Value) -> String {
        match value {
            Value::Float(x) => x.to_string(),
            Value::Array(items) => {
                format!("[{}]", items.iter().map(|n| typed(&n.value)).collect::<Vec<_>>().join(", "))
            }
            Value::String(text) => format!("\"{text}\""),
            other => other.described(),
        }
    }
    parse_value(toml, 0, 0).map_or(String::new(), |node| format!("`{}`", typed(&node.value)))
}

fn allowed(key: &Key, methods: &[Abilities]) -> String {
    let quoted =
        |words: Vec<&str>| words.iter().map(|word| format!("`\"{word}\"`")).collect::<Vec<_>>().join(", ");
    let each = |what: &str, range: super::range::Range| match range.in_symbols() {
        Some(range) => format!("{what}, each {range}"),
        None => what.to_owned(),
    };
    match key.allowed {
        Allowed::Text => "text".to_owned(),
        Allowed::Name => "1 to 64 letters, digits, `-`, `_`, `.`".to_owned(),
        Allowed::Flag => "`true`, `false`".to_owned(),
        Allowed::True => "`true`".to_owned(),
        Allowed::Number(range) => range.in_symbols().unwrap_or_else(|| "a number".to_owned()),
        Allowed::Whole(low, high) if low == high => low.to_string(),
        Allowed::Whole(low, high) if high == i64::MAX as u64 => format!("whole number ≥ {low}"),
        Allowed::Whole(low, high) => format!("whole number, {low} to {high}"),
        Allowed::Word(words) => quoted(words()),
        Allowed::Words(words) => format!("a list of some of {}, each at most once", quoted(words())),
        Allowed::Method => methods
            .iter()
            .map(|m| format!("`\"{}\"` for {}", m.name, fluids(m, |_| true)))
            .collect::<Vec<_>>()
            .join(", "),
        Allowed::Vector(range) => each("three numbers", range),
        Allowed::Direction => "three numbers, not all 0".to_owned(),
        Allowed::Numbers(n, range) => each(&format!("a list of {n} numbers"), range),
        Allowed::Wholes(n, low, high) => format!("a list of {n} whole numbers, each {low} to {high}"),
        Allowed::Shape => "a [shape](#shapes)".to_owned(),
        Allowed::Shapes => "a list of [shapes](#shapes)".to_owned(),
        Allowed::Table(_) | Allowed::Tables(_) => "a table, see below".to_owned(),
    }
}

/// Returns the readers of a key.
fn readers(section: &Section, key: &Key, methods: &[Abilities]) -> String {
    if section.reader_of(key) == Reader::Octide {
        return "Octide itself".to_owned();
    }
    let path = section.path_of(key);
    let reads = |m: &Abilities, is_smoke| m.keys_read(is_smoke).is_some_and(|keys| keys.contains(&path));
    let words = |m: &Abilities, is_smoke| m.keys_read(is_smoke).and_then(|keys| keys.supported_words(&path));
    // Whether all methods that simulate a fluid read all values of the key, and whether none reads it.
    let all = |is_smoke| {
        let mut able = methods.iter().filter(|m| m.keys_read(is_smoke).is_some());
        able.all(|m| reads(m, is_smoke) && words(m, is_smoke).is_none())
    };
    let none = |is_smoke| !methods.iter().any(|m| reads(m, is_smoke));
    match (all(false), all(true)) {
        (true, true) => return "all methods".to_owned(),
        (true, false) if none(true) => return "all methods in scenes of water".to_owned(),
        (false, true) if none(false) => return "all methods in scenes of smoke".to_owned(),
        _ => {}
    }
    let describe = |m: &Abilities| {
        let fluids = fluids(m, |is_smoke| reads(m, is_smoke));
        let words = words(m, false).or_else(|| words(m, true));
        let words = words.map_or(String::new(), |words| format!(", only {}", words.join(" and ")));
        format!("`{}` ({fluids}{words})", m.name)
    };
    let readers: Vec<String> =
        methods.iter().filter(|m| reads(m, false) || reads(m, true)).map(describe).collect();
    readers.join(", ")
}

/// Returns the fluids that a method simulates and that satisfy a condition.
fn fluids(method: &Abilities, holds: impl Fn(bool) -> bool) -> String {
    let fluids = [(false, "water"), (true, "smoke")];
    let names: Vec<&str> = fluids
        .iter()
        .filter(|(is_smoke, _)| method.keys_read(*is_smoke).is_some() && holds(*is_smoke))
        .map(|(_, name)| *name)
        .collect();
    names.join(" and ")
}
