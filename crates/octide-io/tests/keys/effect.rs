//! Changing a key that a method lists changes the simulation.
//!
//! A small scene is simulated for a few steps, once as it is and once for each key with a different value;
//! the two states must differ. The value of each key is in a row of `rows.rs`. A key that a method lists and
//! that has no row fails, so that a new key cannot be forgotten.

use crate::rows::{ROWS, Row, SMOKE, WATER};
use octide_core::contract::{KeysRead, TimeStep};
use octide_core::scene::Scene;
use octide_core::snapshot::{Store, Values};
use octide_io::scene_file::{LoadOptions, load_str};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

/// Enough for sizing values to decay and for particles to be seeded, moved and used.
const STEPS: usize = 4;

/// The longest step in seconds.
const MAX_DT: f64 = 0.05;

/// A hash of everything that a method would save.
#[derive(Default)]
struct StateHash(DefaultHasher);

impl Store for StateHash {
    fn put(&mut self, name: &str, values: Values<'_>) {
        name.hash(&mut self.0);
        match values {
            Values::U8(v) => v.hash(&mut self.0),
            Values::U32(v) => v.hash(&mut self.0),
            Values::U64(v) => v.hash(&mut self.0),
            Values::F32(v) => v.iter().for_each(|x| x.to_bits().hash(&mut self.0)),
            Values::F64(v) => v.iter().for_each(|x| x.to_bits().hash(&mut self.0)),
        }
    }
}

/// Returns a hash of the states and energies of a short run, or the error that ends it.
fn simulate(scene: &Scene) -> Result<u64, String> {
    let mut sim = octide_methods::start(scene).map_err(|e| e.to_string())?;
    let mut hash = StateHash::default();
    for _ in 0..STEPS {
        let dt = sim.max_dt().min(MAX_DT);
        sim.step(TimeStep::new(dt).unwrap()).map_err(|e| e.to_string())?;
        sim.save(&mut hash);
        // The state of smoke does not include the mass, but its energy does.
        sim.totals().kinetic_energy.to_bits().hash(&mut hash.0);
    }
    Ok(hash.0.finish())
}

fn load(text: &str, method: &str, set: &[(&str, &str)]) -> Scene {
    let options = LoadOptions::new(octide_methods::ABILITIES)
        .with_overrides([("method", method)])
        .with_overrides(set.iter().copied());
    load_str(text, "keys.toml", Path::new("."), &options).unwrap_or_else(|e| panic!("{set:?}: {e}")).scene
}

/// Simulates a scene with and without each of some rows and returns the rows that change nothing.
fn rows_without_effect<'a>(text: &str, method: &str, rows: impl Iterator<Item = &'a Row>) -> Vec<String> {
    let mut bases: BTreeMap<Vec<(&str, &str)>, Result<u64, String>> = BTreeMap::new();
    let mut without = Vec::new();
    for Row { key, with, set } in rows {
        let base = bases.entry(with.to_vec()).or_insert_with(|| simulate(&load(text, method, with)));
        assert!(base.is_ok(), "{key}: the scene itself fails: {base:?}");
        let changed: Vec<(&str, &str)> = with.iter().chain(*set).copied().collect();
        if simulate(&load(text, method, &changed)) == *base {
            without.push(format!("{method} lists {key}, but {set:?} changes nothing"));
        }
    }
    without
}

/// Returns the rows of a list of keys, without those of words that the method does not support.
fn rows_of(keys: KeysRead) -> Vec<&'static Row> {
    let is_supported = |row: &&Row| {
        let word = row.set.iter().find(|(path, _)| *path == row.key).map(|(_, word)| *word);
        keys.contains(row.key)
            && word.is_none_or(|word| keys.supported_words(row.key).is_none_or(|w| w.contains(&word)))
    };
    ROWS.iter().filter(is_supported).collect()
}

fn check(method: &str, is_smoke: bool, skip: &[(&str, &str)]) {
    let abilities = octide_methods::ABILITIES.iter().find(|m| m.name == method).unwrap();
    let keys = abilities.keys_read(is_smoke).unwrap();
    let rows = rows_of(keys);
    let no_row: Vec<&str> = keys.paths().filter(|path| !rows.iter().any(|row| row.key == *path)).collect();
    assert!(no_row.is_empty(), "{method} lists keys that have no row in rows.rs: {no_row:?}");
    let rows = rows.into_iter().filter(|row| !skip.iter().any(|skipped| row.set == [*skipped]));
    let without = rows_without_effect(if is_smoke { SMOKE } else { WATER }, method, rows);
    assert!(without.is_empty(), "{without:#?}");
}

#[test]
fn keys_of_octree_in_water_have_an_effect() {
    check("octree", false, &[]);
}

#[test]
fn keys_of_nodal_octree_in_water_have_an_effect() {
    // With this method both words give the same form, as its note states.
    check("nodal-octree", false, &[("numerics.free_surface", "second-order")]);
}

#[test]
fn keys_of_nodal_octree_in_smoke_have_an_effect() {
    check("nodal-octree", true, &[]);
}

#[test]
fn every_method_is_tested() {
    let lists: Vec<String> = crate::lists().into_iter().map(|(name, _)| name).collect();
    assert_eq!(lists, ["octree (water)", "nodal-octree (water)", "nodal-octree (smoke)"]);
}

#[test]
fn a_key_that_is_read_and_ignored_is_noticed() {
    // Without a view-dependent tree, the camera has no effect on the method.
    let ignored = Row { key: "camera.fov", with: &[], set: &[("camera.fov", "41")] };
    assert_eq!(rows_without_effect(WATER, "octree", [&ignored].into_iter()).len(), 1);
}
