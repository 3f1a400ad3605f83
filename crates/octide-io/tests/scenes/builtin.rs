//! The built-in scenes, and those of the reference.

use crate::read;
use glam::DVec3;
use octide_core::geometry::Shape;
use octide_io::scene_file::{LoadOptions, builtin, builtins, load};

#[test]
fn builtin_scenes_load_without_a_warning_and_describe_themselves() {
    assert_eq!(builtins().len(), 11);
    for b in builtins() {
        let loaded = load(b.name, &LoadOptions::new(octide_methods::ABILITIES))
            .unwrap_or_else(|e| panic!("{}: {e}", b.name));
        // The wings of the seaplane are thinner than a cell.
        let is_known = |w: &str| b.name == "seaplane" && w.contains("finest cells thick: they hold water");
        let unknown: Vec<String> =
            loaded.warnings.iter().map(ToString::to_string).filter(|w| !is_known(w)).collect();
        assert!(unknown.is_empty(), "{}: {unknown:?}", b.name);
        let scene = &loaded.scene;
        assert_eq!((scene.name.as_str(), scene.description.as_str()), (b.name, b.description()));
        assert!(!b.description().is_empty() && scene.camera.is_some(), "{}", b.name);
        assert!(scene.time.frames >= 60 && scene.time.fps >= 30.0, "{}", b.name);
        assert_eq!(scene.time.cfl, if b.name == "ellipsoid" { 1.0 } else { 2.0 });
        let falls = DVec3::new(0.0, -9.8, 0.0);
        assert_eq!(scene.physics.gravity, if b.name == "merging" { DVec3::ZERO } else { falls });
        assert!(b.text.starts_with('#'), "{} explains itself first", b.name);
    }
    assert_eq!(builtin("nothing"), None);
}

/// The grids of Figs. 1, 14 and 15 of Ando & Batty 2020; y is up here.
#[test]
fn the_papers_scenes_have_the_papers_grids() {
    for (name, resolution, grid) in [
        ("moving-cylinder", 512, [512.0, 256.0, 512.0]),
        ("seaplane", 1024, [1024.0, 512.0, 1024.0]),
        ("waterfall", 640, [320.0, 160.0, 640.0]),
    ] {
        let overrides = vec![("resolution".to_owned(), resolution.to_string())];
        let scene =
            load(name, &LoadOptions::new(octide_methods::ABILITIES).with_overrides(overrides)).unwrap().scene;
        let cells = scene.domain.size / scene.domain.size.max_element() * f64::from(resolution);
        assert!(cells.distance(DVec3::from(grid)) < 1e-9, "{name}: {cells}");
    }
}

#[test]
fn meshes_of_the_builtin_scene_lie_in_the_domain_and_apart() {
    let scene = load("mesh-in-mesh", &LoadOptions::new(octide_methods::ABILITIES)).unwrap().scene;
    let (low, high) = scene.liquids[0].shape.bounds().unwrap();
    let (solid_low, solid_high) = scene.solids[0].shape.bounds().unwrap();
    for (low, high) in [(low, high), (solid_low, solid_high)] {
        assert!(low.cmpgt(DVec3::ZERO).all() && high.cmplt(scene.domain.size).all(), "{low} {high}");
    }
    let Shape::Transformed { shape, .. } = &scene.liquids[0].shape else { panic!("not placed") };
    let Shape::Mesh(lump) = &**shape else { panic!("no mesh") };
    let least = lump.sdf.mesh().positions.iter().map(|p| {
        let p = DVec3::from(p.map(f64::from)) * 0.11 + DVec3::new(0.5, 0.355, 0.5);
        scene.solids[0].shape.distance(p)
    });
    assert!(least.fold(f64::INFINITY, f64::min) > 0.02);
}

#[test]
fn the_cylinder_circles_the_middle_of_the_tank() {
    let scene = load("moving-cylinder", &LoadOptions::new(octide_methods::ABILITIES)).unwrap().scene;
    let solid = &scene.solids[0];
    let start = DVec3::new(0.72, 0.26, 0.5);
    for (t, expected) in [(0.0, start), (0.8, DVec3::new(0.28, 0.26, 0.5)), (1.6, start)] {
        let at = solid.motion.pose(t).to_world(start);
        assert!(at.distance(expected) < 1e-12, "{t}: {at}");
    }
}

#[test]
fn examples_of_the_reference_load() {
    let page = include_str!("../../../../docs/scene-file.md");
    let blocks: Vec<&str> =
        page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(blocks.len() >= 3);
    for block in &blocks {
        // Fragments are inserted into a complete scene, those of smoke into one without water.
        let text = match *block {
            whole if whole.starts_with("octide") => whole.to_owned(),
            smoke if smoke.starts_with("[[smoke]]") => {
                format!("octide = 1\nresolution = 128\ndomain.size = [1, 1, 1]\n{smoke}")
            }
            part => format!("{}{part}", blocks[0]),
        };
        assert!(read(&text).warnings.is_empty(), "{text}");
    }
}

#[test]
fn smoke_past_a_sphere_reaches_1024_cells_along_each_side() {
    for resolution in ["32", "128", "512", "1024"] {
        let overrides = vec![("resolution".to_owned(), resolution.to_owned())];
        let options = LoadOptions::new(octide_methods::ABILITIES).with_overrides(overrides);
        let loaded = load("smoke-sphere", &options).unwrap();
        assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
        let domain = &loaded.scene.domain;
        assert_eq!(domain.resolution >> domain.levels, 4);
        assert_eq!((domain.size, loaded.scene.is_smoke()), (DVec3::ONE, true));
    }
}
