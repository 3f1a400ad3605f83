//! Reads a table key by key. A table is opened with the section that declares its keys, so that a mistyped
//! key is reported before the intended key is found to be missing.

use super::keys::{Fallback, Key, Section};
use super::nearest::nearest;
use super::place::{At, Fault};
use super::range::Range;
use super::tree::{Entry, Node, Value, parse_value};
use glam::DVec3;
use std::borrow::Cow;

/// Maximum absolute value of numbers, so that products of several of them stay finite.
const LARGEST: f64 = 1e12;

/// Minimum of a number that divides others, such as a period.
const SMALLEST: f64 = 1e-15;

/// A table of a scene file whose keys are all known.
pub(super) struct Table<'a> {
    entries: &'a [Entry],
    at: At,
    title: String,
    section: &'static Section,
}

impl<'a> Table<'a> {
    /// Opens a table, if it has only keys of the section.
    pub fn open(node: &'a Node, section: &'static Section) -> Result<Self, Fault> {
        Self::open_as(node, section.title, section)
    }

    /// Opens a table that messages call `title`.
    pub fn open_as(
        node: &'a Node,
        title: impl Into<String>,
        section: &'static Section,
    ) -> Result<Self, Fault> {
        let title = title.into();
        let Value::Table(entries) = &node.value else {
            let fault =
                Fault::new(node.at, format!("{title} must be a table, but is {}", node.value.described()));
            return Err(fault.help(format!("its keys are {}", listed(&section.names()))));
        };
        for entry in entries {
            if section.planned.contains(&entry.key.as_str()) {
                return Err(Fault::new(entry.key_at, format!("`{}` is not available yet", entry.key))
                    .help("remove it; Octide never ignores a key silently"));
            }
            if section.key(&entry.key).is_none() {
                let fault = Fault::new(entry.key_at, format!("unknown key `{}` in {title}", entry.key));
                return Err(fault.help(match nearest(&entry.key, section.names()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("the keys here are {}", listed(&section.names())),
                }));
            }
        }
        Ok(Self { entries, at: node.at, title, section })
    }

    /// Returns the position of the table itself: its head, or all of an inline table.
    pub fn at(&self) -> At {
        self.at
    }

    pub fn entries(&self) -> &'a [Entry] {
        self.entries
    }

    pub fn section(&self) -> &'static Section {
        self.section
    }

    /// Returns the value of a key if the scene file has it.
    pub fn get(&self, key: &str) -> Option<&'a Node> {
        debug_assert!(self.section.key(key).is_some(), "`{key}` is not a key of {}", self.section.title);
        #[cfg(test)]
        record_lookup(self.section, key);
        self.entries.iter().find(|e| e.key == key).map(|e| &e.node)
    }

    /// Returns the value of a required key.
    pub fn need(&self, key: &str) -> Result<&'a Node, Fault> {
        let example = match self.section.key(key).map(|key| key.fallback) {
            Some(Fallback::Required(example)) => example,
            _ => "",
        };
        self.need_like(key, example)
    }

    /// Returns the value of a key that another one requires, with an example for the message.
    pub fn need_like(&self, key: &str, example: &str) -> Result<&'a Node, Fault> {
        self.get(key).ok_or_else(|| {
            Fault::new(self.at, format!("{} needs `{key}`", self.title))
                .help(format!("add it, for example {key} = {example}"))
        })
    }

    /// Returns the value of a key, or its default if the scene file does not have it.
    fn value(&self, key: &str) -> Result<(Cow<'a, Node>, &'static Key), Fault> {
        let Some(known) = self.section.key(key) else {
            return Err(Fault::new(self.at, format!("{} has no key `{key}`", self.title)));
        };
        if let (Fallback::Value(default), None) = (known.fallback, self.get(key)) {
            return Ok((Cow::Owned(parse_value(default, 0, 0)?), known));
        }
        Ok((Cow::Borrowed(self.need(key)?), known))
    }

    pub fn number(&self, key: &str) -> Result<f64, Fault> {
        let (node, key) = self.value(key)?;
        node.number(key.name, key.range()).map_err(|fault| fault.help_if_none(key.remedy))
    }

    /// Returns a number that may be absent.
    pub fn optional_number(&self, key: &str) -> Result<Option<f64>, Fault> {
        self.get(key).map(|_| self.number(key)).transpose()
    }

    pub fn count(&self, key: &str) -> Result<u32, Fault> {
        let (node, key) = self.value(key)?;
        node.count(key.name, key.bounds())
    }

    pub fn vector(&self, key: &str) -> Result<DVec3, Fault> {
        let (node, key) = self.value(key)?;
        node.vector(key.name, key.range())
    }

    pub fn direction(&self, key: &str) -> Result<DVec3, Fault> {
        self.need(key)?.direction(key)
    }

    pub fn flag(&self, key: &str) -> Result<bool, Fault> {
        let (node, key) = self.value(key)?;
        node.flag(key.name)
    }

    pub fn text(&self, key: &str) -> Result<String, Fault> {
        let (node, key) = self.value(key)?;
        node.string(key.name).map(str::to_owned)
    }
}

impl Node {
    pub fn string(&self, key: &str) -> Result<&str, Fault> {
        match &self.value {
            Value::String(s) => Ok(s),
            other => Err(Fault::new(self.at, format!("`{key}` must be text, but is {}", other.described()))
                .help("write text in \"quotes\"")),
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
        if !range.contains(x) {
            return Err(Fault::new(self.at, format!("`{key}` must be {}, but is {x}", range.in_words())));
        }
        if x.abs() > LARGEST {
            return Err(Fault::new(
                self.at,
                format!("`{key}` must be from -{LARGEST:e} to {LARGEST:e}, but is {x:e}"),
            ));
        }
        // Ranges that exclude 0 belong to numbers that divide others.
        if range.open && range.min == 0.0 && x < SMALLEST {
            return Err(Fault::new(self.at, format!("`{key}` must be at least {SMALLEST:e}, but is {x:e}")));
        }
        Ok(x)
    }

    /// Returns a whole number from `low` to `high`. `4.0` counts as one: `--set` and other programs write
    /// such numbers.
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

    /// Returns a whole number that fits 32 bits.
    pub fn count(&self, key: &str, (low, high): (u64, u64)) -> Result<u32, Fault> {
        // The range is cut to that of a u32, so that the cast keeps the value.
        self.whole(key, (low, high.min(u32::MAX.into()))).map(|i| i as u32)
    }

    pub fn flag(&self, key: &str) -> Result<bool, Fault> {
        match self.value {
            Value::Bool(b) => Ok(b),
            ref other => Err(Fault::new(
                self.at,
                format!("`{key}` must be true or false, but is {}", other.described()),
            )),
        }
    }

    /// Returns a list of exactly `N` values.
    pub fn items<const N: usize>(&self, key: &str) -> Result<&[Self; N], Fault> {
        self.list(key)?.try_into().map_err(|_| {
            Fault::new(
                self.at,
                format!("`{key}` must be a list of {N} numbers, but is {}", self.value.described()),
            )
        })
    }

    pub fn list(&self, key: &str) -> Result<&[Node], Fault> {
        match &self.value {
            Value::Array(items) => Ok(items),
            other => {
                Err(Fault::new(self.at, format!("`{key}` must be a list, but is {}", other.described())))
            }
        }
    }

    /// Returns three numbers.
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

    /// Returns a nonzero vector as a unit vector. A unit vector is kept bitwise, so that a scene that was
    /// written and read again is the same.
    pub fn direction(&self, key: &str) -> Result<DVec3, Fault> {
        let v = self.vector(key, Range::ANY)?;
        if (v.length_squared() - 1.0).abs() < 1e-12 {
            return Ok(v);
        }
        v.try_normalize().ok_or_else(|| {
            Fault::new(self.at, format!("`{key}` is a direction and must not be zero"))
                .help("write a vector of any other length, for example [0, 1, 0]")
        })
    }
}

/// Returns words separated by commas.
pub(super) fn listed(words: &[&str]) -> String {
    words.join(", ")
}

/// Keys that the reader has looked up in this thread, each with the title of its section. A test compares
/// them with the tables of keys, so that no declared key is left unread.
#[cfg(test)]
type Lookups = std::collections::BTreeSet<(&'static str, String)>;

#[cfg(test)]
thread_local! {
    static LOOKUPS: std::cell::RefCell<Lookups> = std::cell::RefCell::default();
}

#[cfg(test)]
fn record_lookup(section: &'static Section, key: &str) {
    LOOKUPS.with_borrow_mut(|seen| seen.insert((section.title, key.to_owned())));
}

#[cfg(test)]
pub(super) fn recorded_lookups() -> Lookups {
    LOOKUPS.with_borrow(Clone::clone)
}
