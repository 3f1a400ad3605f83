//! Reading a table key by key. A table is opened with the keys that it may hold, so that a mistyped key is
//! found before the key that it stands for is missed.

use super::nearest::nearest;
use super::place::{At, Fault};
use super::tree::{Entry, Node, Value};
use glam::DVec3;

/// The keys of a table: those that are read, and those that are planned and refused by name.
pub(super) struct Keys {
    pub known: &'static [&'static str],
    pub later: &'static [&'static str],
}

impl Keys {
    pub const fn only(known: &'static [&'static str]) -> Self {
        Self { known, later: &[] }
    }
}

/// Numbers are at most this large, so that products of several of them stay finite.
const LARGEST: f64 = 1e12;

/// A number that divides others, such as a period, is at least this large.
const SMALLEST: f64 = 1e-15;

/// A table whose keys are all known.
pub(super) struct Table<'a> {
    entries: &'a [Entry],
    at: At,
    name: String,
    known: &'static [&'static str],
}

/// What a number may be.
#[derive(Clone, Copy)]
pub(super) struct Range {
    min: f64,
    max: f64,
    /// Whether the ends themselves are left out.
    open: bool,
}

impl Range {
    pub const ANY: Self = Self { min: f64::NEG_INFINITY, max: f64::INFINITY, open: true };
    pub const POSITIVE: Self = Self { min: 0.0, max: f64::INFINITY, open: true };
    pub const NOT_NEGATIVE: Self = Self { min: 0.0, max: f64::INFINITY, open: false };

    pub const fn within(min: f64, max: f64) -> Self {
        Self { min, max, open: false }
    }

    pub const fn between(min: f64, max: f64) -> Self {
        Self { min, max, open: true }
    }

    fn holds(self, x: f64) -> bool {
        x.is_finite() && if self.open { x > self.min && x < self.max } else { x >= self.min && x <= self.max }
    }

    fn described(self) -> String {
        let Self { min, max, open } = self;
        match (min.is_finite(), max.is_finite(), open) {
            (false, _, _) => "finite".to_owned(),
            (true, false, true) => format!("greater than {min}"),
            (true, false, false) => format!("at least {min}"),
            (true, true, true) => format!("between {min} and {max}, both excluded"),
            (true, true, false) => format!("from {min} to {max}"),
        }
    }
}

impl<'a> Table<'a> {
    /// Opens a table that messages call `name`.
    pub fn open(node: &'a Node, name: impl Into<String>, keys: &Keys) -> Result<Self, Fault> {
        let name = name.into();
        #[cfg(test)]
        record(&name, keys.known);
        let Value::Table(entries) = &node.value else {
            let fault = Fault::new(
                node.at,
                format!("{name} must be a table of keys, but is {}", node.value.described()),
            );
            return Err(fault.help(format!("its keys are {}", listed(keys.known))));
        };
        for entry in entries {
            if keys.later.contains(&entry.key.as_str()) {
                return Err(Fault::new(entry.key_at, format!("`{}` is not available yet", entry.key))
                    .help("take it out; nothing in a scene is ignored in silence"));
            }
            if !keys.known.contains(&entry.key.as_str()) {
                let fault = Fault::new(entry.key_at, format!("unknown key `{}` in {name}", entry.key));
                return Err(fault.help(match nearest(&entry.key, keys.known.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("the keys here are {}", listed(keys.known)),
                }));
            }
        }
        Ok(Self { entries, at: node.at, name, known: keys.known })
    }

    /// The place of the table itself: its head, or all of an inline table.
    pub fn at(&self) -> At {
        self.at
    }

    pub fn entries(&self) -> &'a [Entry] {
        self.entries
    }

    /// The value of a key that may be left out.
    pub fn get(&self, key: &str) -> Option<&'a Node> {
        debug_assert!(self.known.contains(&key), "`{key}` is read but not among the known keys");
        self.entries.iter().find(|e| e.key == key).map(|e| &e.node)
    }

    /// The value of a key that must be there.
    pub fn need(&self, key: &str, example: &str) -> Result<&'a Node, Fault> {
        self.get(key).ok_or_else(|| {
            Fault::new(self.at, format!("{} needs `{key}`", self.name))
                .help(format!("add it, for example {key} = {example}"))
        })
    }

    pub fn number_or(&self, key: &str, range: Range, default: f64) -> Result<f64, Fault> {
        self.get(key).map_or(Ok(default), |n| n.number(key, range))
    }

    pub fn need_number(&self, key: &str, range: Range, example: &str) -> Result<f64, Fault> {
        self.need(key, example)?.number(key, range)
    }

    pub fn count_or(&self, key: &str, range: (u32, u32), default: u32) -> Result<u32, Fault> {
        self.get(key).map_or(Ok(default), |n| n.count(key, range))
    }

    pub fn vector_or(&self, key: &str, default: DVec3) -> Result<DVec3, Fault> {
        self.get(key).map_or(Ok(default), |n| n.vector(key, Range::ANY))
    }

    pub fn need_vector(&self, key: &str, example: &str) -> Result<DVec3, Fault> {
        self.need(key, example)?.vector(key, Range::ANY)
    }

    pub fn bool_or(&self, key: &str, default: bool) -> Result<bool, Fault> {
        match self.get(key).map(|n| (&n.value, n.at)) {
            None => Ok(default),
            Some((&Value::Bool(b), _)) => Ok(b),
            Some((other, at)) => {
                Err(Fault::new(at, format!("`{key}` must be true or false, but is {}", other.described())))
            }
        }
    }

    pub fn string(&self, key: &str) -> Result<Option<&'a str>, Fault> {
        self.get(key).map(|n| n.string(key)).transpose()
    }
}

impl Node {
    pub fn string(&self, key: &str) -> Result<&str, Fault> {
        match &self.value {
            Value::String(s) => Ok(s),
            other => {
                Err(Fault::new(self.at, format!("`{key}` must be a text, but is {}", other.described()))
                    .help("text is written in \"quotes\""))
            }
        }
    }

    pub fn number(&self, key: &str, range: Range) -> Result<f64, Fault> {
        let x = match self.value {
            Value::Integer(i) => i as f64,
            Value::Float(x) => x,
            ref other => {
                return Err(Fault::new(
                    self.at,
                    format!("`{key}` must be a number, but is {}", other.described()),
                ));
            }
        };
        if !range.holds(x) {
            return Err(Fault::new(self.at, format!("`{key}` must be {}, but is {x}", range.described())));
        }
        if x.abs() > LARGEST {
            return Err(Fault::new(self.at, format!("`{key}` must be within ±{LARGEST:e}, but is {x:e}")));
        }
        // Ranges without 0 are those of numbers that divide.
        if range.open && range.min == 0.0 && x < SMALLEST {
            return Err(Fault::new(self.at, format!("`{key}` must be at least {SMALLEST:e}, but is {x:e}")));
        }
        Ok(x)
    }

    /// A whole number from `low` to `high`. `4.0` counts as one: `--set` and other programs write such.
    pub fn whole(&self, key: &str, (low, high): (u64, u64)) -> Result<u64, Fault> {
        let i = match self.value {
            Value::Integer(i) => Some(i),
            Value::Float(x) if x.fract() == 0.0 && x.abs() < 2f64.powi(53) => Some(x as i128),
            _ => None,
        };
        i.and_then(|i| u64::try_from(i).ok()).filter(|i| (low..=high).contains(i)).ok_or_else(|| {
            Fault::new(
                self.at,
                format!(
                    "`{key}` must be a whole number from {low} to {high}, but is {}",
                    self.value.described()
                ),
            )
        })
    }

    /// A whole number that fits 32 bits.
    pub fn count(&self, key: &str, (low, high): (u32, u32)) -> Result<u32, Fault> {
        // The range ends at a u32, so the cast keeps the value.
        self.whole(key, (low.into(), high.into())).map(|i| i as u32)
    }

    pub fn list(&self, key: &str) -> Result<&[Node], Fault> {
        match &self.value {
            Value::Array(items) => Ok(items),
            other => {
                Err(Fault::new(self.at, format!("`{key}` must be a list, but is {}", other.described())))
            }
        }
    }

    /// Three numbers.
    pub fn vector(&self, key: &str, range: Range) -> Result<DVec3, Fault> {
        let items = match &self.value {
            Value::Array(items) if items.len() == 3 => items,
            other => {
                return Err(Fault::new(
                    self.at,
                    format!("`{key}` must be three numbers, but is {}", other.described()),
                )
                .help(format!("write {key} = [x, y, z]")));
            }
        };
        let mut v = DVec3::ZERO;
        for axis in 0..3 {
            v[axis] = items[axis].number(&format!("{key}[{axis}]"), range)?;
        }
        Ok(v)
    }

    /// A vector that is not zero, as a unit vector. One that is a unit vector already keeps its bits, so that
    /// a scene that was written and read again is the same.
    pub fn direction(&self, key: &str) -> Result<DVec3, Fault> {
        let v = self.vector(key, Range::ANY)?;
        if (v.length_squared() - 1.0).abs() < 1e-12 {
            return Ok(v);
        }
        v.try_normalize().ok_or_else(|| {
            Fault::new(self.at, format!("`{key}` is a direction and must not be zero"))
                .help("for example [0, 1, 0]")
        })
    }
}

/// Words for a message.
pub(super) fn listed(words: &[&str]) -> String {
    words.join(", ")
}

/// Tables and words as tests have seen them read: what the schema is held against.
#[cfg(test)]
type Seen = std::collections::BTreeMap<String, std::collections::BTreeSet<String>>;

#[cfg(test)]
thread_local! {
    static SEEN: std::cell::RefCell<(Seen, Seen)> = std::cell::RefCell::default();
}

#[cfg(test)]
fn record(table: &str, keys: &[&str]) {
    let keys = keys.iter().map(|k| (*k).to_owned());
    SEEN.with_borrow_mut(|seen| seen.0.entry(table.to_owned()).or_default().extend(keys));
}

#[cfg(test)]
pub(super) fn record_words<'a>(key: &str, words: impl Iterator<Item = &'a str>) {
    SEEN.with_borrow_mut(|seen| seen.1.entry(key.to_owned()).or_default().extend(words.map(str::to_owned)));
}

/// All tables with their keys, and all keys with the words that they take, as read in this thread.
#[cfg(test)]
pub(super) fn recorded() -> (Seen, Seen) {
    SEEN.with_borrow(Clone::clone)
}
