//! Scene files: a TOML text becomes a [`Scene`].
//!
//! The text is parsed into a tree of values with their positions, `--set` overrides are inserted into the
//! tree, and the tree is read according to the table of all keys, `keys.rs`. Every key is either used or
//! refused. Errors state file, line, column and a remedy; suspicious values are returned as warnings.

mod adaptivity;
mod builtin;
mod checks;
mod choices;
mod context;
mod difference;
mod domain;
mod flows;
mod inside;
mod keys;
mod levels;
mod mesh;
mod mesh_sequence;
mod methods;
mod motion;
mod nearest;
mod overrides;
mod path;
mod place;
mod probes;
mod range;
mod reference;
mod scene;
mod schema;
mod setting;
mod shapes;
mod smoke;
mod table;
mod tree;
mod write;

pub use builtin::{Builtin, builtin, builtins};
pub use difference::{Difference, differences, identity};
pub use keys::{KeyInfo, Reader, keys};
pub use place::Diagnostic;
pub use reference::update_reference;
pub use schema::schema;
pub use write::to_toml;

use crate::printable::printable;
use context::Context;
use octide_core::contract::Abilities;
use octide_core::scene::Scene;
use place::{At, Fault, Sources};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Maximum size of a scene file in bytes.
const LARGEST_FILE: u64 = 16_000_000;

/// Options for loading a scene.
#[derive(Clone, Debug)]
pub struct LoadOptions {
    /// Dotted keys and values in TOML that replace those of the text, in this order.
    pub overrides: Vec<(String, String)>,
    /// Whether mesh files outside the scene's folder are refused.
    pub sandbox: bool,
    /// The methods that exist and the keys that they read. A scene that names no method gets the first one
    /// that simulates its fluid.
    pub methods: Vec<Abilities>,
}

impl LoadOptions {
    /// Returns options without overrides and without a sandbox.
    pub fn new(methods: &[Abilities]) -> Self {
        Self { overrides: Vec::new(), sandbox: false, methods: methods.to_vec() }
    }

    /// Adds overrides, each a dotted key and a value in TOML.
    pub fn with_overrides<K: Into<String>, V: Into<String>>(
        mut self,
        overrides: impl IntoIterator<Item = (K, V)>,
    ) -> Self {
        self.overrides.extend(overrides.into_iter().map(|(key, value)| (key.into(), value.into())));
        self
    }
}

/// A scene and the warnings about it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The scene, with all defaults filled in.
    pub scene: Scene,
    /// Warnings about values that are valid but suspicious.
    pub warnings: Vec<Diagnostic>,
    /// The text that it was read from, without the overrides.
    pub source_text: String,
}

/// Why a scene cannot be loaded. All of these are mistakes in the input.
#[derive(Debug, Error)]
pub enum SceneError {
    /// The text does not describe a valid scene.
    #[error("{0}")]
    Invalid(Box<Diagnostic>),
    /// The file cannot be read.
    #[error("cannot read the scene {}: {source}", printable(&path))]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The file is not text.
    #[error("the scene {} is not a text file: byte {at} is not valid UTF-8; save it as UTF-8", printable(&path))]
    NotText {
        /// The file.
        path: PathBuf,
        /// The position of the first bad byte.
        at: usize,
    },
    /// The file is far larger than any scene.
    #[error(
        "the scene {} has more than {} MB, the limit for scene files; put meshes into files of their own",
        printable(&path),
        LARGEST_FILE / 1_000_000
    )]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// There is no file and no built-in scene of this name.
    #[error("there is no file and no built-in scene {name:?}{}; built-in scenes: {known}", match near {
        Some(near) => format!("; did you mean {near}?"),
        None => String::new(),
    })]
    Unknown {
        /// The name.
        name: String,
        /// The built-in scene with the most similar name.
        near: Option<&'static str>,
        /// All built-in scenes.
        known: String,
    },
}

/// Loads a scene file, or the built-in scene of that name if there is no such file.
pub fn load(scene: &str, options: &LoadOptions) -> Result<Loaded, SceneError> {
    let path = Path::new(scene);
    if path.is_file() {
        return load_path(path, options);
    }
    if let Some(text) = builtin(scene) {
        return load_str(text, scene, Path::new("."), options);
    }
    if scene.contains(['/', '\\']) || scene.ends_with(".toml") {
        return load_path(path, options);
    }
    let names: Vec<&'static str> = builtins().iter().map(|b| b.name).collect();
    Err(SceneError::Unknown {
        name: scene.to_owned(),
        near: nearest::nearest(scene, names.iter().copied()),
        known: names.join(", "),
    })
}

/// Loads a scene file.
pub fn load_path(path: &Path, options: &LoadOptions) -> Result<Loaded, SceneError> {
    let unread = |source| SceneError::Read { path: path.to_owned(), source };
    let file = File::open(path).map_err(unread)?;
    let mut bytes = Vec::new();
    // The length of a pipe or a device is not known in advance.
    file.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(unread)?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(SceneError::TooLarge { path: path.to_owned() });
    }
    let text = String::from_utf8(bytes)
        .map_err(|e| SceneError::NotText { path: path.to_owned(), at: e.utf8_error().valid_up_to() })?;
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    load_str(&text, &printable(&path).to_string(), folder, options)
}

/// Loads a scene from its text. Messages call it `label`; mesh paths are relative to `folder`.
pub fn load_str(text: &str, label: &str, folder: &Path, options: &LoadOptions) -> Result<Loaded, SceneError> {
    let sources = Sources {
        label,
        text,
        overrides: options.overrides.iter().map(|(key, value)| format!("{key}={value}")).collect(),
    };
    let mut context = Context { folder, sandbox: options.sandbox, warnings: Vec::new() };
    let scene = read(&sources, options, &mut context)
        .map_err(|fault| SceneError::Invalid(Box::new(sources.diagnose(fault))))?;
    Ok(Loaded {
        scene,
        warnings: context.warnings.into_iter().map(|fault| sources.diagnose(fault)).collect(),
        source_text: text.to_owned(),
    })
}

fn read(sources: &Sources<'_>, options: &LoadOptions, context: &mut Context<'_>) -> Result<Scene, Fault> {
    let mut root = tree::parse(sources.text)?;
    for (i, (key, value)) in options.overrides.iter().enumerate() {
        overrides::apply(&mut root, key, value, i + 1)?;
    }
    // A key that is missing in the whole file is reported at its first line.
    root.at = At::TOP;
    scene::check_format(&root)?;
    let method = methods::choose(&mut root, &options.methods, context)?;
    scene::read(&root, sources.label, &method, context)
}
