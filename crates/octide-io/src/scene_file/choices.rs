//! The words of a scene file that stand for choices.

use super::nearest::nearest;
use super::place::Fault;
use super::table::listed;
use super::tree::Node;
use octide_core::scene::{
    Advection, FreeSurface, GradientDistance, Heading, Interpolation, PressureSolver, Seeding, Spray, Up,
    View, VolumeCorrection,
};

/// A type whose values have words in scene files.
pub(super) trait Choice: Copy + PartialEq + 'static {
    /// All values with their words.
    const WORDS: &'static [(&'static str, Self)];
}

impl Choice for FreeSurface {
    const WORDS: &'static [(&'static str, Self)] =
        &[("spd", Self::Spd), ("second-order", Self::SecondOrder), ("first-order", Self::FirstOrder)];
}

impl Choice for VolumeCorrection {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("auto", Self::Auto),
        ("local", Self::Local),
        ("regional", Self::Regional),
        ("global", Self::Global),
        ("off", Self::Off),
    ];
}

impl Choice for Advection {
    const WORDS: &'static [(&'static str, Self)] =
        &[("semi-lagrangian", Self::SemiLagrangian), ("maccormack", Self::MacCormack)];
}

impl Choice for Interpolation {
    const WORDS: &'static [(&'static str, Self)] = &[("fast", Self::Fast), ("continuous", Self::Continuous)];
}

impl Choice for Seeding {
    const WORDS: &'static [(&'static str, Self)] =
        &[("where-needed", Self::WhereNeeded), ("band", Self::Band), ("off", Self::Off)];
}

impl Choice for GradientDistance {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("mean", Self::Mean),
        ("large", Self::Large),
        ("small", Self::Small),
        ("euclidean", Self::Euclidean),
    ];
}

impl Choice for PressureSolver {
    const WORDS: &'static [(&'static str, Self)] = &[("multigrid", Self::Multigrid), ("iccg", Self::Iccg)];
}

impl Choice for Up {
    const WORDS: &'static [(&'static str, Self)] = &[("y", Self::Y), ("z", Self::Z)];
}

impl Choice for Spray {
    const WORDS: &'static [(&'static str, Self)] =
        &[("particles", Self::Particles), ("surface", Self::Surface), ("none", Self::None)];
}

impl Choice for View {
    const WORDS: &'static [(&'static str, Self)] =
        &[("water", Self::Water), ("smoke", Self::Smoke), ("cells", Self::Cells)];
}

impl Choice for Heading {
    const WORDS: &'static [(&'static str, Self)] = {
        const fn named(i: usize) -> (&'static str, Heading) {
            (Heading::ALL[i].name(), Heading::ALL[i])
        }
        &[named(0), named(1), named(2), named(3), named(4), named(5)]
    };
}

/// Returns the words of all values.
pub(super) fn words<T: Choice>() -> Vec<&'static str> {
    T::WORDS.iter().map(|(word, _)| *word).collect()
}

/// Returns the word of a value; every value has one.
pub(super) fn word<T: Choice>(value: T) -> &'static str {
    T::WORDS.iter().find(|(_, v)| *v == value).map_or("", |(word, _)| word)
}

/// Reads a word that represents one of several choices.
pub(super) fn read_choice<T: Copy>(
    node: &Node,
    key: &str,
    choices: &[(&'static str, T)],
) -> Result<T, Fault> {
    let word = node.string(key)?;
    if let Some((_, choice)) = choices.iter().find(|(name, _)| *name == word) {
        return Ok(*choice);
    }
    let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
    let fault = Fault::new(node.at, format!("`{key}` must be one of {}, but is {word:?}", listed(&names)));
    Err(match nearest(word, names) {
        Some(near) => fault.help(format!("did you mean \"{near}\"?")),
        None => fault,
    })
}
