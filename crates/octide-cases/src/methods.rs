//! The methods that run a shared case, from the registry.

use octide_core::contract::Abilities;

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
    registered().find(|a| a.name == method).and_then(|a| a.water).is_some_and(|keys| keys.contains(key))
}

/// Returns whether a method reads a key of scene files when it simulates water, and has this value of it.
pub(crate) fn supports_in_water(method: &str, key: &str, word: &str) -> bool {
    registered().find(|a| a.name == method).and_then(|a| a.water).is_some_and(|keys| keys.supports(key, word))
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
        let keeps = |method| supports_in_water(method, "numerics.volume_correction", "local");
        assert!(keeps("octree") && !keeps("nodal-octree") && !keeps("unheard-of"));
    }
}
