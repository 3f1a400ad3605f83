//! The methods that run a shared case, from the registry.

use octide_core::contract::{Abilities, Unread};

/// Returns what all registered methods can do. The only place in this crate that reads the registry.
fn registered() -> impl Iterator<Item = &'static Abilities> {
    octide_methods::ABILITIES.iter()
}

/// Returns the names of all methods that simulate water.
pub(crate) fn water_methods() -> Vec<&'static str> {
    registered().filter(|a| a.water.is_some()).map(|a| a.name).collect()
}

/// Returns the names of all methods that simulate smoke.
pub(crate) fn smoke_methods() -> Vec<&'static str> {
    registered().filter(|a| a.smoke.is_some()).map(|a| a.name).collect()
}

/// Returns whether a method reads a key of scene files when it simulates water.
pub(crate) fn reads_water_key(method: &str, key: &str) -> bool {
    let unread: Option<Unread> = registered().find(|a| a.name == method).and_then(|a| a.water);
    unread.is_some_and(|unread| !unread.contains(&key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_or_not_as_the_methods_say() {
        for method in water_methods() {
            assert!(reads_water_key(method, "physics.surface_tension"), "{method}");
            assert!(!reads_water_key(method, "physics.buoyancy"), "{method}");
        }
        assert!(!reads_water_key("unheard-of", "physics.surface_tension"));
    }
}
