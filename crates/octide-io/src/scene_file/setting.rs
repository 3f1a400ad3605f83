//! Fields of a scene that a key sets directly: how they are read from a scene file and written to one.

use super::choices::{Choice, read_choice, word};
use super::keys::{Allowed, Fallback, Field, Key, Section};
use super::place::Fault;
use super::table::Table;
use super::tree::Node;
use glam::DVec3;
use octide_core::scene::{Heading, OpenSides, Scene, Transfer};

/// A value that a key of a scene file sets.
pub(super) trait Setting {
    /// Reads the value from a scene file, if the key allows it.
    fn read(&mut self, node: &Node, key: &Key) -> Result<(), Fault>;

    /// Returns the value in TOML; `None` if a scene file states it by omitting the key.
    fn to_toml(&self) -> Option<String>;
}

impl Setting for f64 {
    fn read(&mut self, node: &Node, key: &Key) -> Result<(), Fault> {
        *self = node.number(key.name, key.range())?;
        Ok(())
    }

    fn to_toml(&self) -> Option<String> {
        self.is_finite().then(|| format!("{self:?}"))
    }
}

impl Setting for Option<f64> {
    fn read(&mut self, node: &Node, key: &Key) -> Result<(), Fault> {
        *self = Some(node.number(key.name, key.range())?);
        Ok(())
    }

    fn to_toml(&self) -> Option<String> {
        self.map(|x| format!("{x:?}"))
    }
}

impl Setting for u64 {
    fn read(&mut self, node: &Node, key: &Key) -> Result<(), Fault> {
        *self = node.whole(key.name, key.bounds())?;
        Ok(())
    }

    fn to_toml(&self) -> Option<String> {
        Some(self.to_string())
    }
}

impl Setting for u32 {
    fn read(&mut self, node: &Node, key: &Key) -> Result<(), Fault> {
        *self = node.count(key.name, key.bounds())?;
        Ok(())
    }

    fn to_toml(&self) -> Option<String> {
        Some(self.to_string())
    }
}

impl Setting for bool {
    fn read(&mut self, node: &Node, key: &Key) -> Result<(), Fault> {
        *self = node.flag(key.name)?;
        Ok(())
    }

    fn to_toml(&self) -> Option<String> {
        Some(self.to_string())
    }
}

impl Setting for DVec3 {
    fn read(&mut self, node: &Node, key: &Key) -> Result<(), Fault> {
        *self = node.vector(key.name, key.range())?;
        Ok(())
    }

    fn to_toml(&self) -> Option<String> {
        Some(format!("{:?}", self.to_array()))
    }
}

impl Setting for [f64; 2] {
    fn read(&mut self, node: &Node, key: &Key) -> Result<(), Fault> {
        let [a, b] = node.items(key.name)?;
        *self = [a.number(&format!("{}[0]", key.name), key.range())?, {
            b.number(&format!("{}[1]", key.name), key.range())?
        }];
        Ok(())
    }

    fn to_toml(&self) -> Option<String> {
        Some(format!("{self:?}"))
    }
}

impl Setting for [u32; 2] {
    fn read(&mut self, node: &Node, key: &Key) -> Result<(), Fault> {
        let [a, b] = node.items(key.name)?;
        *self = [a.count(&format!("{}[0]", key.name), key.bounds())?, {
            b.count(&format!("{}[1]", key.name), key.bounds())?
        }];
        Ok(())
    }

    fn to_toml(&self) -> Option<String> {
        Some(format!("{self:?}"))
    }
}

impl<T: Choice> Setting for T {
    fn read(&mut self, node: &Node, key: &Key) -> Result<(), Fault> {
        *self = read_choice(node, key.name, T::WORDS)?;
        Ok(())
    }

    fn to_toml(&self) -> Option<String> {
        Some(format!("\"{}\"", word(*self)))
    }
}

/// The ratio of `flip` has a separate key.
impl Setting for Transfer {
    fn read(&mut self, node: &Node, key: &Key) -> Result<(), Fault> {
        *self = read_choice(node, key.name, &[("apic", Self::Apic), ("flip", Self::Flip(0.0))])?;
        Ok(())
    }

    fn to_toml(&self) -> Option<String> {
        let word = match self {
            Self::Apic => "apic",
            Self::Flip(_) => "flip",
        };
        Some(format!("\"{word}\""))
    }
}

impl Setting for OpenSides {
    fn read(&mut self, node: &Node, key: &Key) -> Result<(), Fault> {
        let example = format!("write a list of sides, for example {} = [\"+x\"]", key.name);
        let mut named: Vec<Heading> = Vec::new();
        for item in node.list(key.name).map_err(|fault| fault.help(example))? {
            let heading = read_choice(item, key.name, Heading::WORDS)?;
            if named.contains(&heading) {
                return Err(Fault::new(item.at, format!("the side {} is listed twice", heading.name()))
                    .help("list each open side once"));
            }
            named.push(heading);
        }
        *self = Self::of(&named);
        Ok(())
    }

    fn to_toml(&self) -> Option<String> {
        let names: Vec<String> = self.headings().map(|h| format!("\"{}\"", h.name())).collect();
        Some(format!("[{}]", names.join(", ")))
    }
}

/// Reads all settings of a section and of the sections within it into the scene.
pub(super) fn read_settings(table: &Table<'_>, scene: &mut Scene) -> Result<(), Fault> {
    for key in table.section().keys {
        let Some(node) = table.get(key.name) else { continue };
        match (key.fallback, key.allowed) {
            (Fallback::Setting(field), _) => {
                field(scene).read(node, key).map_err(|fault| fault.help_if_none(key.remedy))?;
            }
            (_, Allowed::Table(section)) if section.path.is_some() => {
                read_settings(&Table::open(node, section)?, scene)?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Returns the value of a setting in TOML.
pub(super) fn setting_to_toml(scene: &Scene, field: Field) -> Option<String> {
    // The field accessor serves reading and writing, and takes the scene as mutable.
    field(&mut scene.clone()).to_toml()
}

/// Returns all settings of a table within a section as an inline table in TOML; `None` if nothing is set.
pub(super) fn inline_table_to_toml(scene: &Scene, section: &Section) -> Option<String> {
    let entries: Vec<String> = section
        .keys
        .iter()
        .filter_map(|key| match key.fallback {
            Fallback::Setting(field) => {
                setting_to_toml(scene, field).map(|value| format!("{} = {value}", key.name))
            }
            _ => None,
        })
        .collect();
    (!entries.is_empty()).then(|| format!("{{ {} }}", entries.join(", ")))
}
