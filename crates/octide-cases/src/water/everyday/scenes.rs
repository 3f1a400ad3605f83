//! The scenes of the suite. Their files are in `tools/everyday`.

use crate::methods::supports_in_water;
use glam::DVec3;
use octide_core::geometry::Shape;
use octide_core::scene::Scene;
use octide_io::scene_file::{LoadOptions, load_str};
use octide_verify::CaseError;
use std::path::Path;

/// A scene as people make it.
pub(crate) struct Everyday {
    /// Its name, that of its file.
    pub(crate) name: &'static str,
    /// The text of its file.
    text: &'static str,
    /// Its walls, if water beyond them has leaked.
    pub(super) walls: Option<Walls>,
    /// How the energy of its water at rest is known, if nothing feeds energy into it.
    pub(super) rest: Option<Rest>,
    /// Whether it is in the quick form.
    is_quick: bool,
}

/// Walls that hold water.
pub(super) struct Walls {
    /// Returns how far a point is where no water can be without passing through a wall, in m, from the scene and the time.
    pub(super) beyond: fn(&Scene, DVec3, f64) -> f64,
    /// When water may get there in other ways, in s.
    pub(super) until: f64,
}

/// Water at rest: as deep as its volume over an area.
pub(super) struct Rest {
    /// The height of the floor in m.
    floor: f64,
    /// Its area in m².
    area: f64,
}

impl Rest {
    /// Returns the height of the center of a volume at rest.
    pub(super) fn center(&self, volume: f64) -> f64 {
        self.floor + 0.5 * volume / self.area
    }
}

/// Returns a scene by the name of its file, without walls and state of rest.
macro_rules! scene {
    ($name:literal) => {
        Everyday {
            name: $name,
            text: include_str!(concat!("../../../../../tools/everyday/", $name, ".toml")),
            walls: None,
            rest: None,
            is_quick: false,
        }
    };
}

/// All of them.
pub(crate) const SCENES: [Everyday; 12] = [
    Everyday {
        walls: Some(Walls { beyond: below_basin, until: f64::INFINITY }),
        rest: Some(NOWHERE),
        ..scene!("basin")
    },
    scene!("beach"),
    scene!("figure"),
    scene!("hull"),
    Everyday { walls: Some(Walls { beyond: beside_jug, until: 0.35 }), ..scene!("jug") },
    scene!("paddle"),
    Everyday {
        walls: Some(Walls { beyond: beside_pipe, until: f64::INFINITY }),
        is_quick: true,
        ..scene!("pipe")
    },
    Everyday { rest: Some(Rest { floor: 0.0, area: 0.25 }), ..scene!("rain") },
    scene!("stairs"),
    Everyday {
        walls: Some(Walls { beyond: beside_glass, until: 0.6 }),
        is_quick: true,
        ..scene!("tap-glass")
    },
    Everyday {
        walls: Some(Walls { beyond: left_of_tank, until: 0.6 }),
        rest: Some(Rest { floor: 0.054, area: 0.392 * 0.192 }),
        is_quick: true,
        ..scene!("thin-tank")
    },
    Everyday { rest: Some(Rest { floor: 0.0, area: 0.8 * 0.4 }), is_quick: true, ..scene!("window") },
];

/// All water flows out in the end.
const NOWHERE: Rest = Rest { floor: 0.0, area: f64::INFINITY };

/// Resolutions of the full form, as fractions of that of the file.
pub(super) const FACTORS: [f64; 3] = [0.5, 0.75, 1.0];

/// The resolution of the quick form.
const QUICK_FACTOR: f64 = 0.5;

/// The end of the quick form in s.
const QUICK_END: f64 = 0.3;

/// Numbers of coarsest cells along the shortest side, of which the first that suits a scene is taken.
const COARSEST: [u32; 5] = [8, 6, 4, 3, 2];

/// Returns the scenes of a form.
pub(crate) fn scenes(quick: bool) -> impl Iterator<Item = &'static Everyday> {
    SCENES.iter().filter(move |s| s.is_quick || !quick)
}

/// Returns the resolutions of a form, as fractions of that of the file.
pub(super) fn factors(quick: bool) -> &'static [f64] {
    if quick { &[QUICK_FACTOR] } else { &FACTORS }
}

impl Everyday {
    /// Reads the scene for a method, with this fraction of the resolution of the file.
    pub(super) fn scene(&self, method: &str, factor: f64, quick: bool) -> Result<Scene, CaseError> {
        let options = LoadOptions::new(octide_methods::ABILITIES);
        let mut overrides = vec![("method", format!("{method:?}"))];
        if !supports_in_water(method, "numerics.volume_correction", "local") {
            overrides.push(("numerics.volume_correction", "\"auto\"".to_owned()));
        }
        let load = |overrides: &[(&str, String)]| {
            let options = options.clone().with_overrides(overrides.to_vec());
            load_str(self.text, self.name, Path::new("."), &options).map_err(CaseError::new)
        };
        let whole = load(&overrides)?.scene.domain.resolution;
        overrides.push(("resolution", ((f64::from(whole) * factor).round() as u32).to_string()));
        // Fewer cells need fewer coarsest ones.
        let with_roots = |cells: &u32| {
            let mut all = overrides.clone();
            all.push(("domain.coarsest", cells.to_string()));
            load(&all)
        };
        let roots = COARSEST.iter().map(with_roots).find(Result::is_ok);
        let mut scene = roots.unwrap_or_else(|| load(&overrides))?.scene;
        if quick {
            scene.time.frames = (QUICK_END * scene.time.fps).round() as u32;
        }
        // The case measures the drift, and a run that goes on says more.
        scene.numerics.max_volume_drift = 1.0;
        Ok(scene)
    }
}

/// The lower side of the basin, away from the jet below the hole.
fn below_basin(_: &Scene, x: DVec3, _: f64) -> f64 {
    let jet = DVec3::new(x.x - 0.25, 0.0, x.z - 0.25).length();
    (0.21 - x.y).min(x.y - 0.08).min(jet - 0.12)
}

/// Outside the jug, before it pours.
fn beside_jug(scene: &Scene, x: DVec3, time: f64) -> f64 {
    let jug =
        Shape::Cylinder { from: DVec3::new(0.2, 0.19, 0.15), to: DVec3::new(0.2, 0.45, 0.15), radius: 0.06 };
    scene.solids.first().map_or(0.0, |s| jug.distance(s.motion.pose(time).to_body(x)))
}

/// Outside the part of the pipe before the bend, above where water can splash.
fn beside_pipe(_: &Scene, x: DVec3, _: f64) -> f64 {
    let r = DVec3::new(0.0, x.y - 0.3, x.z - 0.15).length();
    (r - 0.05).min(0.24 - x.x).min(x.y - 0.2)
}

/// Outside the glass, below its rim, before it is full.
fn beside_glass(_: &Scene, x: DVec3, _: f64) -> f64 {
    let r = DVec3::new(x.x - 0.12, 0.0, x.z - 0.12).length();
    (r - 0.05).min(0.1 - x.y)
}

/// Outside the tank, where what is thrown over its far wall does not get, before the wave comes back.
fn left_of_tank(_: &Scene, x: DVec3, _: f64) -> f64 {
    let tank = Shape::Box { min: DVec3::new(0.1, 0.05, 0.1), max: DVec3::new(0.5, 0.28, 0.3) };
    tank.distance(x).min(0.3 - x.x).min(0.24 - x.y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_suite_has_every_file_and_every_method_reads_it() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/everyday");
        let names = std::fs::read_dir(folder).unwrap().filter_map(|e| {
            e.unwrap().file_name().to_str().and_then(|n| n.strip_suffix(".toml")).map(str::to_owned)
        });
        let files: BTreeSet<String> = names.collect();
        assert_eq!(files, SCENES.iter().map(|s| s.name.to_owned()).collect());
        for s in &SCENES {
            for method in crate::methods::water_methods() {
                let scene = s.scene(method, 0.5, false).unwrap();
                assert_eq!(scene.method, method);
                assert!(scene.time.frames >= 30 && scene.domain.resolution >= 16, "{}", s.name);
            }
        }
    }
}
