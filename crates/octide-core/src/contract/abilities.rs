//! Which fluids a method simulates, and which keys of a scene file it reads.

/// The fluids that a method simulates and the scene keys that it reads. No key of a scene is ignored
/// silently: a key that the scene's method does not read is an error, or a warning if the method was chosen
/// on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Abilities {
    /// The name that scenes use for the method.
    pub name: &'static str,
    /// The keys that the method reads in water scenes; `None` if it does not simulate water.
    pub water: Option<KeysRead>,
    /// The keys that the method reads in smoke scenes; `None` if it does not simulate smoke.
    pub smoke: Option<KeysRead>,
    /// Keys whose meaning differs from the general one, each with its meaning in this method. The reference
    /// of the scene file prints these notes.
    pub notes: &'static [(&'static str, &'static str)],
}

impl Abilities {
    /// Returns the keys that the method reads in smoke or water scenes; `None` if it does not simulate that
    /// fluid.
    pub fn keys_read(&self, is_smoke: bool) -> Option<KeysRead> {
        if is_smoke { self.smoke } else { self.water }
    }
}

/// A list of keys that a method reads.
///
/// Each entry is the full path of one key, such as `numerics.tolerance` or `solid.temperature`. If the value
/// of the key is a word and the method does not support every word, the supported ones follow:
/// `numerics.volume_correction=global|off`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeysRead(pub &'static [&'static str]);

impl KeysRead {
    /// Returns the paths of all keys in the list.
    pub fn paths(self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|entry| split_entry(entry).0)
    }

    /// Returns whether the list contains the key at `path`.
    pub fn contains(self, path: &str) -> bool {
        self.paths().any(|p| p == path)
    }

    /// Returns the words that the method supports at `path`; `None` if it supports every word or does not
    /// read the key.
    pub fn supported_words(self, path: &str) -> Option<Vec<&'static str>> {
        let (_, words) = self.0.iter().map(|entry| split_entry(entry)).find(|(p, _)| *p == path)?;
        words.map(|words| words.split('|').collect())
    }

    /// Returns whether the method reads the key at `path` and supports `word` as its value.
    pub fn supports(self, path: &str, word: &str) -> bool {
        self.contains(path) && self.supported_words(path).is_none_or(|words| words.contains(&word))
    }
}

/// Splits an entry into its path and its supported words.
fn split_entry(entry: &'static str) -> (&'static str, Option<&'static str>) {
    entry.split_once('=').map_or((entry, None), |(path, words)| (path, Some(words)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_paths_with_or_without_words() {
        let keys = KeysRead(&["time.cfl", "numerics.volume_correction=global|off"]);
        assert!(keys.contains("time.cfl") && keys.contains("numerics.volume_correction"));
        assert!(!keys.contains("time") && !keys.contains("numerics.volume_correction=global|off"));
        assert_eq!(keys.supported_words("time.cfl"), None);
        assert_eq!(keys.supported_words("numerics.volume_correction"), Some(vec!["global", "off"]));
        assert!(keys.supports("numerics.volume_correction", "off"));
        assert!(!keys.supports("numerics.volume_correction", "regional"));
        assert!(!keys.supports("numerics.transfer", "flip"));
    }
}
