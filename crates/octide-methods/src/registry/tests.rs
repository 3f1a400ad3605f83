use crate::{ABILITIES, ALL, BUILT_IN, LoadError, NAMES, StartError, TrackError, UnknownMethod};
use octide_core::DVec3;
use octide_core::contract::{TrackingOptions, TrackingRefinement};
use octide_core::scene::{Scene, VolumeCorrection};
use octide_core::snapshot::Snapshot;
use std::collections::BTreeSet;

fn empty_scene(method: &str) -> Scene {
    Scene::empty(method, DVec3::ONE, 16, 1)
}

#[test]
fn names_differ_and_every_list_has_the_same_order() {
    assert_eq!(NAMES.iter().collect::<BTreeSet<_>>().len(), ALL.len());
    assert!(BUILT_IN.names().eq(NAMES.iter().copied()));
    assert_eq!(BUILT_IN.abilities(), ABILITIES);
    assert!(ALL.iter().map(|m| m.name()).eq(NAMES.iter().copied()));
}

#[test]
fn every_method_starts_and_has_a_memory_model() {
    for name in NAMES {
        let scene = empty_scene(name);
        assert_eq!(BUILT_IN.start(&scene).unwrap().time(), 0.0, "{name}");
        assert!(BUILT_IN.start_within(&scene, 1 << 30).is_ok(), "{name}");
        assert!(matches!(BUILT_IN.start_within(&scene, 1), Err(StartError::Memory(_))), "{name}");
        let bytes = |cells| BUILT_IN.step_bytes(&scene, cells, 0).unwrap();
        assert!(bytes(2_000) > bytes(1_000), "{name}");
    }
}

#[test]
fn a_method_that_does_not_exist_is_never_replaced_by_another() {
    let scene = empty_scene("oktree");
    let unknown = UnknownMethod { name: "oktree".to_owned(), known: NAMES.to_vec() };
    assert_eq!(BUILT_IN.start(&scene).err(), Some(unknown.clone()));
    assert!(matches!(BUILT_IN.start_within(&scene, 1 << 30), Err(StartError::Method(e)) if e == unknown));
    let mut snapshot = Snapshot::default();
    assert!(matches!(BUILT_IN.load(&scene, &mut snapshot), Err(LoadError::Method(e)) if e == unknown));
    assert_eq!(BUILT_IN.step_bytes(&scene, 1_000, 0), Err(unknown.clone()));
    let options = TrackingOptions {
        refinement: TrackingRefinement::NearSurface,
        particles: false,
        volume_correction: VolumeCorrection::Off,
        max_speed: 1.0,
    };
    assert!(matches!(BUILT_IN.track(&scene, &options), Err(TrackError::Method(e)) if e == unknown));
    assert!(
        unknown.to_string().starts_with("unknown method `oktree`; the methods are octree, "),
        "{unknown}"
    );
}
