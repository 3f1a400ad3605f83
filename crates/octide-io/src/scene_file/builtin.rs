//! The scenes that come with Octide. `octide scenes --show NAME` prints them; they are meant to be read.

/// A scene that comes with Octide.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// The name on the command line.
    pub name: &'static str,
    /// The scene file.
    pub text: &'static str,
}

/// All scenes, in the order in which a new user should see them.
const ALL: &[Builtin] = &[
    Builtin { name: "water-drop", text: include_str!("../../../../scenes/water-drop.toml") },
    Builtin { name: "dam-break", text: include_str!("../../../../scenes/dam-break.toml") },
    Builtin { name: "still-tank", text: include_str!("../../../../scenes/still-tank.toml") },
    Builtin { name: "moving-cylinder", text: include_str!("../../../../scenes/moving-cylinder.toml") },
    Builtin { name: "mesh-in-mesh", text: include_str!("../../../../scenes/mesh-in-mesh.toml") },
    Builtin { name: "merging", text: include_str!("../../../../scenes/merging.toml") },
    Builtin { name: "waterfall", text: include_str!("../../../../scenes/waterfall.toml") },
    Builtin { name: "seaplane", text: include_str!("../../../../scenes/seaplane.toml") },
    Builtin { name: "ellipsoid", text: include_str!("../../../../scenes/ellipsoid.toml") },
    Builtin { name: "milk-crown", text: include_str!("../../../../scenes/milk-crown.toml") },
    Builtin { name: "smoke-sphere", text: include_str!("../../../../scenes/smoke-sphere.toml") },
];

impl Builtin {
    /// Returns the description in the scene file.
    pub fn description(&self) -> &'static str {
        self.text
            .lines()
            .find_map(|line| line.strip_prefix("description = \"")?.strip_suffix('"'))
            .unwrap_or_default()
    }
}

/// Returns the text of a built-in scene.
pub fn builtin(name: &str) -> Option<&'static str> {
    ALL.iter().find(|b| b.name == name).map(|b| b.text)
}

/// Returns all built-in scenes.
pub fn builtins() -> &'static [Builtin] {
    ALL
}
