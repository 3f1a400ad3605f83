use crate::scene_file::{LoadOptions, Reader, SceneError, keys, load_str, to_toml};
use octide_core::contract::{Abilities, KeysRead};
use std::path::Path;

/// Returns all keys that methods can read, except some.
fn all_but(left_out: &[&str]) -> KeysRead {
    let words = "numerics.volume_correction=auto|global|off";
    let paths = keys().into_iter().filter(|key| key.reader == Reader::Methods).map(|key| key.path);
    let kept = paths.filter(|path| !left_out.contains(&path.as_str())).map(|path| &*path.leak());
    let has_words = left_out.contains(&"numerics.volume_correction");
    KeysRead(kept.chain(has_words.then_some(words)).collect::<Vec<&str>>().leak())
}

/// Returns two methods: one reads almost everything of water, the other one less.
fn methods() -> [Abilities; 2] {
    let of_smoke = ["physics.confinement", "solid.temperature"];
    [
        Abilities {
            name: "first",
            water: Some(all_but(&["numerics.pressure_solver", of_smoke[0], of_smoke[1]])),
            smoke: None,
            notes: &[],
        },
        Abilities {
            name: "second",
            water: Some(all_but(&[
                "numerics.transfer",
                "adaptivity.strength",
                "numerics.volume_correction",
                of_smoke[0],
                of_smoke[1],
            ])),
            smoke: Some(all_but(&["numerics.particles", "physics.surface_tension"])),
            notes: &[],
        },
    ]
}

const HEAD: &str = "octide = 1\nresolution = 64\ndomain.size = [1, 0.5, 1]\n";
const POOL: &str = "[[liquid]]\nshape.box = { min = [0, 0, 0], max = [1, 0.2, 1] }\n";
const PUFF: &str = "[[smoke]]\nshape.sphere = { center = [0.5, 0.2, 0.5], radius = 0.1 }\npuff = true\n";

fn load(text: &str, set: &[(&str, &str)]) -> Result<(String, Vec<String>), String> {
    let options = LoadOptions::new(&methods()).with_overrides(set.iter().copied());
    match load_str(text, "a.toml", Path::new("."), &options) {
        Ok(loaded) => {
            let warnings = loaded.warnings.iter().map(|w| w.message().to_owned()).collect();
            Ok((to_toml(&loaded.scene), warnings))
        }
        Err(SceneError::Invalid(d)) => Err(format!("{}; {}", d.message(), d.help().unwrap_or_default())),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn the_first_method_that_can_is_taken() {
    assert!(load(&format!("{HEAD}{POOL}"), &[]).unwrap().0.contains("method = \"first\""));
    assert!(load(&format!("{HEAD}{PUFF}"), &[]).unwrap().0.contains("method = \"second\""));
    let told = load(&format!("method = \"first\"\n{HEAD}{PUFF}"), &[]).unwrap_err();
    assert_eq!(told, "the method `first` does not simulate smoke; use a method that simulates smoke: second");
    let told = load(&format!("{HEAD}{POOL}{PUFF}"), &[]).unwrap_err();
    assert!(
        told.starts_with("a scene has either water or smoke, but this one has [[smoke]] and [[liquid]]; "),
        "{told}"
    );
}

#[test]
fn a_key_that_is_not_read_is_refused_unless_it_asks_for_nothing() {
    let scene = |key: &str| format!("method = \"second\"\n{HEAD}{key}\n{POOL}");
    let told = load(&scene("numerics.transfer = \"flip\""), &[]).unwrap_err();
    let expected = "the method `second` does not read `numerics.transfer` in scenes of water; remove the key, or use a method that does: first";
    assert_eq!(told, expected);
    assert!(load(&scene("numerics.transfer = \"apic\""), &[]).is_ok());
    assert!(load(&scene("adaptivity.strength = 1"), &[]).is_ok());
    assert!(load(&scene("adaptivity.strength = 0.5"), &[]).is_err());
    let hot = "[[solid]]\nshape.sphere = { center = [0.5, 0.2, 0.5], radius = 0.1 }\ntemperature = 50\n";
    let told = load(&scene(hot), &[]).unwrap_err();
    assert!(
        told.starts_with("the method `second` does not read `solid.temperature` in scenes of water; "),
        "{told}"
    );
    // A key that the method reads, but not all of whose words it supports.
    assert!(load(&scene("numerics.volume_correction = \"off\""), &[]).is_ok());
    let told = load(&scene("numerics.volume_correction = \"regional\""), &[]).unwrap_err();
    let expected = "the method `second` does not support `numerics.volume_correction` = \"regional\"; use one of auto, global, off, or use a method that does: first";
    assert_eq!(told, expected);
    // Each fluid has its own list.
    assert!(load(&format!("{HEAD}numerics.transfer = \"flip\"\n{PUFF}"), &[]).is_ok());
    assert!(load(&format!("{HEAD}numerics.particles = \"off\"\n{PUFF}"), &[]).is_err());
}

#[test]
fn with_a_method_from_outside_such_keys_are_left_out_and_told_of_once() {
    let text = format!("{HEAD}numerics.transfer = \"flip\"\nadaptivity.strength = 0.5\n{POOL}");
    let (scene, warnings) = load(&text, &[("method", "second")]).unwrap();
    assert_eq!(warnings, ["the method `second` does not read numerics.transfer, adaptivity.strength"]);
    assert!(scene.contains("transfer = \"apic\"") && scene.contains("strength = 1.0"), "{scene}");
    // Overrides are meant for this method.
    let told = load(&text, &[("method", "second"), ("numerics.transfer", "flip")]).unwrap_err();
    assert!(told.starts_with("the method `second` does not read `numerics.transfer`"), "{told}");
}

#[test]
fn what_a_run_keeps_can_be_read_again() {
    for (text, method) in [(format!("{HEAD}{POOL}"), "first"), (format!("{HEAD}{PUFF}"), "second")] {
        let set = [("physics.gravity", "[0, -1.6, 0]")];
        let (scene, warnings) = load(&text, &set).unwrap();
        assert!(scene.contains(method) && warnings.is_empty());
        assert_eq!(load(&scene, &[]).unwrap(), (scene.clone(), vec![]));
        if method == "first" {
            assert!(load(&scene, &[("method", "second")]).unwrap().1.is_empty());
        }
    }
}
