//! The table of all keys of a scene file.
//!
//! Each section of a scene file has a file here that lists its keys: name, allowed values, unit, default, and
//! meaning. The reader, the writer, the JSON schema and the reference `docs/scene-file.md` are all driven by
//! these tables. To add a key, add a field to the scene in `octide-core` and an entry here, and add the key
//! to the lists of the methods that read it.
//!
//! Most keys are plain settings: one field of the [`Scene`], whose default is the scene's own default. Those
//! need no other code. The rest, such as shapes or values that depend on others, are read by functions of
//! their section, which take ranges and defaults from here.

mod adaptivity;
mod bodies;
mod domain;
mod head;
mod motion;
mod numerics;
mod output;
mod physics;
mod probe;
mod shape;
mod smoke;
mod time;

pub(super) use adaptivity::{ADAPTIVITY, REGION};
pub(super) use bodies::{INFLOW, LIQUID, OUTFLOW, SOLID};
pub(super) use domain::DOMAIN;
pub(super) use head::SCENE;
pub(super) use motion::{KEYFRAME, MOTION, ORBIT, OSCILLATION};
pub(super) use numerics::NUMERICS;
pub(super) use output::{CAMERA, OUTPUT};
pub(super) use physics::PHYSICS;
pub(super) use probe::{GAUGE, PROBE};
pub(super) use shape::{
    BOX, CAPSULE, CYLINDER, DIFFERENCE, ELLIPSOID, MESH, MESH_SEQUENCE, PLANE, ROTATION, ROUNDED_BOX, SHAPE,
    SMOOTH_UNION, SPHERE, TORUS, TRANSFORM,
};
pub(super) use smoke::SMOKE;
pub(super) use time::TIME;

use super::range::Range;
use super::setting::Setting;
use octide_core::scene::Scene;

/// Finds the field of a scene that a key sets.
pub(super) type Field = fn(&mut Scene) -> &mut dyn Setting;

/// A table of a scene file: a section such as `[numerics]`, or a part of a value such as `sphere`.
pub(super) struct Section {
    /// The name of the section in messages.
    pub title: &'static str,
    /// The dotted path of the section, empty for the scene itself; `None` for parts of values.
    pub path: Option<&'static str>,
    pub keys: &'static [Key],
    /// Keys that are planned; messages say that they are not available yet.
    pub planned: &'static [&'static str],
    /// Which keys must or must not be set together, beyond those that are required.
    pub combination: Combination,
    /// The reader of the keys that do not state one.
    pub reader: Reader,
}

impl Section {
    /// Declares a section of settings that methods read, without further rules.
    pub const fn new(title: &'static str, path: Option<&'static str>, keys: &'static [Key]) -> Self {
        Self { title, path, keys, planned: &[], combination: Combination::Free, reader: Reader::Methods }
    }

    pub const fn planned(mut self, planned: &'static [&'static str]) -> Self {
        self.planned = planned;
        self
    }

    pub const fn combination(mut self, combination: Combination) -> Self {
        self.combination = combination;
        self
    }

    pub const fn read_by_octide(mut self) -> Self {
        self.reader = Reader::Octide;
        self
    }

    /// Returns the names of all keys.
    pub fn names(&self) -> Vec<&'static str> {
        self.keys.iter().map(|key| key.name).collect()
    }

    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// Returns the dotted path of a key of this section.
    pub fn path_of(&self, key: &Key) -> String {
        match self.path {
            None | Some("") => key.name.to_owned(),
            Some(path) => format!("{path}.{}", key.name),
        }
    }

    /// Returns the reader of a key of this section.
    pub fn reader_of(&self, key: &Key) -> Reader {
        key.reader.unwrap_or(self.reader)
    }
}

/// Which sets of keys a table must have.
#[derive(Clone, Copy)]
pub(super) enum Combination {
    /// No rule.
    Free,
    /// Exactly one of these sets.
    ExactlyOne(&'static [&'static [&'static str]]),
    /// At least one of these sets.
    AtLeastOne(&'static [&'static [&'static str]]),
    /// Exactly one key.
    OneKey,
}

/// The reader of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reader {
    /// Octide itself, whatever the method: the reader of scenes, the writers of files, the pictures.
    Octide,
    /// The methods that list the key.
    Methods,
}

/// A key of a table.
pub(super) struct Key {
    pub name: &'static str,
    pub allowed: Allowed,
    /// The unit, empty for numbers without one.
    pub unit: &'static str,
    pub fallback: Fallback,
    /// The default as the reference states it, if it is not a fixed value.
    pub default_in_words: Option<&'static str>,
    /// The meaning of the key, for the reference and for editors.
    pub meaning: &'static str,
    /// What to do if the value is not allowed, unless that is obvious.
    pub remedy: Option<&'static str>,
    /// Whether the key belongs to scenes of smoke only.
    pub only_smoke: bool,
    /// The reader of the key; `None` for the section's default reader.
    pub reader: Option<Reader>,
}

/// The values that a key accepts.
#[derive(Clone, Copy)]
pub(super) enum Allowed {
    Text,
    /// A text that can be the name of a folder or of a column.
    Name,
    Flag,
    /// Only `true`.
    True,
    Number(Range),
    /// A whole number between these bounds, inclusive.
    Whole(u64, u64),
    /// One of some words.
    Word(fn() -> Vec<&'static str>),
    /// A list of some of these words, each at most once.
    Words(fn() -> Vec<&'static str>),
    /// The name of a method.
    Method,
    /// Three numbers.
    Vector(Range),
    /// Three numbers that are not all zero.
    Direction,
    /// A list of this many numbers.
    Numbers(usize, Range),
    /// A list of this many whole numbers from the second to the third.
    Wholes(usize, u64, u64),
    Shape,
    Shapes,
    Table(&'static Section),
    Tables(&'static Section),
}

/// The behavior if a key is not set.
#[derive(Clone, Copy)]
pub(super) enum Fallback {
    /// An error, with this example of a value.
    Required(&'static str),
    /// The field keeps the scene's own default.
    Setting(Field),
    /// This value, written in TOML.
    Value(&'static str),
    /// There is no value.
    Absent,
}

impl Key {
    const fn new(name: &'static str, allowed: Allowed, fallback: Fallback, meaning: &'static str) -> Self {
        Self {
            name,
            allowed,
            unit: "",
            fallback,
            default_in_words: None,
            meaning,
            remedy: None,
            only_smoke: false,
            reader: None,
        }
    }

    /// Declares a key that sets one field of the scene.
    pub const fn setting(name: &'static str, allowed: Allowed, field: Field, meaning: &'static str) -> Self {
        Self::new(name, allowed, Fallback::Setting(field), meaning)
    }

    /// Declares a key that must be set.
    pub const fn required(
        name: &'static str,
        allowed: Allowed,
        example: &'static str,
        meaning: &'static str,
    ) -> Self {
        Self::new(name, allowed, Fallback::Required(example), meaning)
    }

    /// Declares a key with a default that is only stated in this table.
    pub const fn with_default(
        name: &'static str,
        allowed: Allowed,
        default: &'static str,
        meaning: &'static str,
    ) -> Self {
        Self::new(name, allowed, Fallback::Value(default), meaning)
    }

    /// Declares a key that may be omitted.
    pub const fn optional(name: &'static str, allowed: Allowed, meaning: &'static str) -> Self {
        Self::new(name, allowed, Fallback::Absent, meaning)
    }

    pub const fn unit(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    pub const fn default_in_words(mut self, words: &'static str) -> Self {
        self.default_in_words = Some(words);
        self
    }

    pub const fn remedy(mut self, remedy: &'static str) -> Self {
        self.remedy = Some(remedy);
        self
    }

    pub const fn only_smoke(mut self) -> Self {
        self.only_smoke = true;
        self
    }

    pub const fn read_by_octide(mut self) -> Self {
        self.reader = Some(Reader::Octide);
        self
    }

    /// Returns the range of the key's numbers.
    pub fn range(&self) -> Range {
        match self.allowed {
            Allowed::Number(range) | Allowed::Vector(range) | Allowed::Numbers(_, range) => range,
            _ => Range::ANY,
        }
    }

    /// Returns the smallest and the largest of the key's whole numbers.
    pub fn bounds(&self) -> (u64, u64) {
        match self.allowed {
            Allowed::Whole(low, high) | Allowed::Wholes(_, low, high) => (low, high),
            _ => (0, u64::MAX),
        }
    }

    /// Returns the section that the key opens, if it opens one.
    pub fn section(&self) -> Option<&'static Section> {
        match self.allowed {
            Allowed::Table(section) | Allowed::Tables(section) if section.path.is_some() => Some(section),
            _ => None,
        }
    }
}

/// Returns all sections of a scene file, the scene itself first.
pub(super) fn sections() -> Vec<&'static Section> {
    let mut sections: Vec<&'static Section> = vec![&SCENE];
    let mut next = 0;
    while let Some(section) = sections.get(next).copied() {
        sections.extend(section.keys.iter().filter_map(Key::section));
        next += 1;
    }
    sections
}

/// A key of a scene file that holds a value, not a section.
#[derive(Clone, Debug)]
pub struct KeyInfo {
    /// The dotted path, such as `numerics.tolerance` or `solid.shape`.
    pub path: String,
    /// The reader of the key.
    pub reader: Reader,
    /// The words that its value may be; empty if it is not a word.
    pub words: Vec<&'static str>,
}

/// Returns all keys of a scene file.
pub fn keys() -> Vec<KeyInfo> {
    let infos = |section: &'static Section| {
        section.keys.iter().filter(|key| key.section().is_none()).map(move |key| KeyInfo {
            path: section.path_of(key),
            reader: section.reader_of(key),
            words: match key.allowed {
                Allowed::Word(words) => words(),
                _ => Vec::new(),
            },
        })
    };
    sections().into_iter().flat_map(infos).collect()
}
