//! Methods as the command starts them.

use crate::errors::{Failure, MORE_MEMORY};
use octide_core::contract::{Abilities, Method, StepReport};
use octide_core::memory::MemoryModel;
use octide_core::scene::Scene;
use octide_core::snapshot::Snapshot;
use octide_methods::StartError;

/// What they can do with scenes.
pub const ALL: &[Abilities] = octide_methods::ABILITIES;

/// The names of all methods.
pub fn names() -> impl Iterator<Item = &'static str> {
    octide_methods::NAMES.iter().copied()
}

/// Returns whether a method reads a key in scenes of water and supports a word as its value.
pub fn supports_in_water(method: &str, key: &str, word: &str) -> bool {
    let keys = octide_methods::BUILT_IN.find(method).ok().and_then(|m| m.abilities.water);
    keys.is_some_and(|keys| keys.supports(key, word))
}

/// The scene at time 0, by the method that it names.
pub fn start(scene: &Scene) -> Result<Box<dyn Method>, Failure> {
    octide_methods::start(scene).map_err(|e| Failure::Input(e.to_string()))
}

/// The scene at the moment of a snapshot; the error says what does not fit.
pub fn load(scene: &Scene, snapshot: &mut Snapshot) -> Result<Box<dyn Method>, String> {
    octide_methods::load(scene, snapshot).map_err(|e| e.to_string())
}

/// The scene at time 0, if the process can hold it and take steps within so many bytes.
pub fn start_within(scene: &Scene, bytes: u64) -> Result<Box<dyn Method>, Failure> {
    octide_methods::start_within(scene, bytes).map_err(|e| match e {
        StartError::Method(e) => Failure::Input(e.to_string()),
        StartError::Memory(e) => Failure::Memory(format!("the scene does not fit: {e}; {MORE_MEMORY}")),
    })
}

/// Returns the constants of the memory forecast for a scene.
pub fn memory_model(scene: &Scene) -> Result<MemoryModel, Failure> {
    octide_methods::memory_model(scene).map_err(|e| Failure::Input(e.to_string()))
}

/// What is odd about a start: liquids or smoke that are not there.
pub fn start_warning(scene: &Scene, first: &StepReport) -> Option<String> {
    let missing = match first.smoke {
        None => (!scene.liquids.is_empty() && first.volume <= 0.0).then_some("liquids add no volume"),
        Some(smoke) => {
            let has_some = scene.smoke.iter().any(|s| s.density > 0.0 && s.when.at_start());
            (has_some && smoke.amount <= 0.0).then_some("sources bring no smoke")
        }
    };
    missing.map(|what| {
        format!(
            "the {what}: they lie inside solids, or are smaller than a finest cell, {:.3} mm; move \
             them, or raise `resolution`",
            1e3 * scene.domain.dx()
        )
    })
}
