use crate::scene_file::{LoadOptions, SceneError, load_str, to_toml};
use octide_core::contract::Abilities;
use std::path::Path;

/// One that reads everything of water, and one that leaves out some.
const METHODS: &[Abilities] = &[
    Abilities { name: "first", water: Some(&["numerics.pressure_solver"]), smoke: None },
    Abilities {
        name: "second",
        water: Some(&[
            "numerics.transfer",
            "adaptivity.strength",
            "solid.temperature",
            "numerics.volume_correction=regional",
        ]),
        smoke: Some(&["numerics.particles", "physics.surface_tension"]),
    },
];

const HEAD: &str = "octide = 1\nresolution = 64\ndomain.size = [1, 0.5, 1]\n";
const POOL: &str = "[[liquid]]\nshape.box = { min = [0, 0, 0], max = [1, 0.2, 1] }\n";
const PUFF: &str = "[[smoke]]\nshape.sphere = { center = [0.5, 0.2, 0.5], radius = 0.1 }\npuff = true\n";

fn load(text: &str, set: &[(&str, &str)]) -> Result<(String, Vec<String>), String> {
    let overrides = set.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let options = LoadOptions { overrides, methods: METHODS, ..LoadOptions::default() };
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
    assert_eq!(told, "the method `first` does not simulate smoke; take a method that does: second");
    let told = load(&format!("{HEAD}{POOL}{PUFF}"), &[]).unwrap_err();
    assert!(told.starts_with("a scene is of water or of smoke, but this one has [[liquid]] too; "), "{told}");
}

#[test]
fn a_key_that_is_not_read_is_refused_unless_it_asks_for_nothing() {
    let scene = |key: &str| format!("method = \"second\"\n{HEAD}{key}\n{POOL}");
    let told = load(&scene("numerics.transfer = \"flip\""), &[]).unwrap_err();
    let expected = "`numerics.transfer` means nothing to the method `second` in a scene of water; take it out, or take a method that reads it: first";
    assert_eq!(told, expected);
    assert!(load(&scene("numerics.transfer = \"apic\""), &[]).is_ok());
    assert!(load(&scene("adaptivity.strength = 1"), &[]).is_ok());
    assert!(load(&scene("adaptivity.strength = 0.5"), &[]).is_err());
    let hot = "[[solid]]\nshape.sphere = { center = [0.5, 0.2, 0.5], radius = 0.1 }\ntemperature = 50\n";
    assert!(load(&scene(hot), &[]).unwrap_err().starts_with("`solid.temperature` means nothing"));
    // A word that a key may have elsewhere.
    assert!(load(&scene("numerics.volume_correction = \"off\""), &[]).is_ok());
    let told = load(&scene("numerics.volume_correction = \"regional\""), &[]).unwrap_err();
    assert!(told.starts_with("`numerics.volume_correction=regional` means nothing"), "{told}");
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
    // What an override asks for is meant for this method.
    let told = load(&text, &[("method", "second"), ("numerics.transfer", "flip")]).unwrap_err();
    assert!(told.starts_with("`numerics.transfer` means nothing"), "{told}");
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
