//! The small sections of a scene: forces, time, numerics, camera, output.

use super::nearest::nearest;
use super::place::Fault;
use super::smoke;
use super::table::{Keys, Range, Table, listed};
use super::tree::Node;
use octide_core::scene::{
    Advection, Camera, FreeSurface, GradientDistance, Interpolation, Numerics, Output, Physics,
    PressureSolver, Seeding, Timing, Transfer, Up, View, VolumeCorrection,
};

const PHYSICS: Keys = Keys {
    known: &["gravity", "density", "surface_tension", "buoyancy", "confinement", "half_life"],
    later: &["viscosity"],
};
const TIME: Keys = Keys::only(&["frames", "fps", "cfl"]);
/// How the pressure meets the surface, by name.
const FREE_SURFACE: [(&str, FreeSurface); 3] = [
    ("spd", FreeSurface::Spd),
    ("second-order", FreeSurface::SecondOrder),
    ("first-order", FreeSurface::FirstOrder),
];
const ADVECTION: [(&str, Advection); 2] =
    [("semi-lagrangian", Advection::SemiLagrangian), ("maccormack", Advection::MacCormack)];
const INTERPOLATION: [(&str, Interpolation); 2] =
    [("fast", Interpolation::Fast), ("continuous", Interpolation::Continuous)];
const GRADIENT_DISTANCE: [(&str, GradientDistance); 4] = [
    ("mean", GradientDistance::Mean),
    ("large", GradientDistance::Large),
    ("small", GradientDistance::Small),
    ("euclidean", GradientDistance::Euclidean),
];
const PRESSURE_SOLVER: [(&str, PressureSolver); 2] =
    [("multigrid", PressureSolver::Multigrid), ("iccg", PressureSolver::Iccg)];
const VIEW: [(&str, View); 3] = [("water", View::Water), ("smoke", View::Smoke), ("cells", View::Cells)];
const NUMERICS: Keys = Keys::only(&[
    "free_surface",
    "tolerance",
    "max_iterations",
    "volume_correction",
    "max_volume_drift",
    "advection",
    "interpolation",
    "particles",
    "transfer",
    "flip_ratio",
    "gradient_distance",
    "pressure_solver",
]);
const CAMERA: Keys = Keys::only(&["position", "target", "fov"]);
const OUTPUT: Keys =
    Keys::only(&["up", "first_frame", "preview", "preview_size", "view", "cells", "particles", "volume"]);

/// The share of FLIP where a scene does not tell.
const FLIP_RATIO: f64 = 0.98;
const CORRECTIONS: &[(&str, VolumeCorrection)] = &[
    ("global", VolumeCorrection::Global),
    ("regional", VolumeCorrection::Regional),
    ("off", VolumeCorrection::Off),
];

/// The words for choices.
pub(super) fn correction_name(correction: VolumeCorrection) -> &'static str {
    word(CORRECTIONS, correction)
}

pub(super) fn gradient_distance_name(distance: GradientDistance) -> &'static str {
    word(&GRADIENT_DISTANCE, distance)
}

pub(super) fn pressure_solver_name(solver: PressureSolver) -> &'static str {
    word(&PRESSURE_SOLVER, solver)
}

pub(super) fn view_name(view: View) -> &'static str {
    word(&VIEW, view)
}

/// The word of a choice, all of which have one.
fn word<T: PartialEq>(words: &[(&'static str, T)], choice: T) -> &'static str {
    words.iter().find(|(_, c)| *c == choice).map_or("", |(name, _)| name)
}

/// Frames and file numbers end here, so that their sum stays far from overflow.
pub(super) const MAX_FRAMES: u32 = 1_000_000;

pub(super) fn physics(node: Option<&Node>, is_smoke: bool) -> Result<Physics, Fault> {
    let density = if is_smoke { Physics::AIR } else { Physics::WATER };
    let mut physics = Physics { density, ..Physics::default() };
    let Some(node) = node else { return Ok(physics) };
    let table = Table::open(node, "[physics]", &PHYSICS)?;
    physics.gravity = table.vector_or("gravity", physics.gravity)?;
    physics.density = table.number_or("density", Range::POSITIVE, density)?;
    physics.surface_tension =
        table.number_or("surface_tension", Range::NOT_NEGATIVE, physics.surface_tension)?;
    smoke::physics(&table, &mut physics)?;
    Ok(physics)
}

pub(super) fn time(node: Option<&Node>) -> Result<Timing, Fault> {
    let Timing { frames, fps, cfl } = Timing::default();
    let Some(node) = node else { return Ok(Timing { frames, fps, cfl }) };
    let table = Table::open(node, "[time]", &TIME)?;
    Ok(Timing {
        frames: table.count_or("frames", (0, MAX_FRAMES), frames)?,
        fps: table.number_or("fps", Range::within(1e-3, 1e6), fps)?,
        cfl: table.number_or("cfl", Range::within(0.01, 10.0), cfl)?,
    })
}

pub(super) fn numerics(node: Option<&Node>) -> Result<Numerics, Fault> {
    let default = Numerics::default();
    let Some(node) = node else { return Ok(default) };
    let table = Table::open(node, "[numerics]", &NUMERICS)?;
    let seeding = [("where-needed", Seeding::WhereNeeded), ("band", Seeding::Band), ("off", Seeding::Off)];
    Ok(Numerics {
        free_surface: one_of(&table, "free_surface", &FREE_SURFACE)?.unwrap_or(default.free_surface),
        tolerance: table.number_or("tolerance", Range::between(0.0, 1.0), default.tolerance)?,
        max_iterations: table.count_or("max_iterations", (1, 1_000_000), default.max_iterations)?,
        volume_correction: one_of(&table, "volume_correction", CORRECTIONS)?
            .unwrap_or(default.volume_correction),
        max_volume_drift: table.number_or("max_volume_drift", Range::POSITIVE, default.max_volume_drift)?,
        advection: one_of(&table, "advection", &ADVECTION)?.unwrap_or(default.advection),
        interpolation: one_of(&table, "interpolation", &INTERPOLATION)?.unwrap_or(default.interpolation),
        particles: one_of(&table, "particles", &seeding)?.unwrap_or(default.particles),
        transfer: transfer(&table)?,
        gradient_distance: one_of(&table, "gradient_distance", &GRADIENT_DISTANCE)?
            .unwrap_or(default.gradient_distance),
        pressure_solver: one_of(&table, "pressure_solver", &PRESSURE_SOLVER)?
            .unwrap_or(default.pressure_solver),
    })
}

/// `transfer` and the `flip_ratio` that one of its choices has.
fn transfer(table: &Table<'_>) -> Result<Transfer, Fault> {
    let flip = Transfer::Flip(table.number_or("flip_ratio", Range::within(0.0, 1.0), FLIP_RATIO)?);
    let choice = one_of(table, "transfer", &[("apic", Transfer::Apic), ("flip", flip)])?.unwrap_or_default();
    if let (Transfer::Apic, Some(node)) = (choice, table.get("flip_ratio")) {
        return Err(Fault::new(node.at, "`flip_ratio` means nothing without transfer = \"flip\"")
            .help("add transfer = \"flip\", or leave `flip_ratio` out"));
    }
    Ok(choice)
}

pub(super) fn camera(node: Option<&Node>) -> Result<Option<Camera>, Fault> {
    let Some(node) = node else { return Ok(None) };
    let table = Table::open(node, "[camera]", &CAMERA)?;
    let position = table.need_vector("position", "[1.0, 1.0, 2.0]")?;
    let target = table.need_vector("target", "[0.5, 0.2, 0.5]")?;
    if position.distance(target) < 1e-9 {
        return Err(Fault::new(table.at(), "the camera's `position` and `target` are the same point")
            .help("move one of them: the camera looks from `position` to `target`"));
    }
    Ok(Some(Camera { position, target, fov: table.number_or("fov", Range::within(1.0, 170.0), 40.0)? }))
}

pub(super) fn output(node: Option<&Node>, is_smoke: bool) -> Result<Output, Fault> {
    let mut default = Output::default();
    if is_smoke {
        // There is no surface to write.
        (default.view, default.volume) = (View::Smoke, true);
    }
    let Some(node) = node else { return Ok(default) };
    let table = Table::open(node, "[output]", &OUTPUT)?;
    let preview_size = match table.get("preview_size") {
        None => default.preview_size,
        Some(node) => {
            let items = node.list("preview_size")?;
            let [width, height] = items else {
                return Err(Fault::new(
                    node.at,
                    format!("`preview_size` must be width and height, but is {}", node.value.described()),
                )
                .help("for example preview_size = [640, 360]"));
            };
            [width.count("preview_size[0]", (16, 8192))?, height.count("preview_size[1]", (16, 8192))?]
        }
    };
    Ok(Output {
        up: one_of(&table, "up", &[("y", Up::Y), ("z", Up::Z)])?.unwrap_or(default.up),
        first_frame: table.count_or("first_frame", (0, MAX_FRAMES), default.first_frame)?,
        preview: table.bool_or("preview", default.preview)?,
        preview_size,
        view: view(&table, default.view)?,
        cells: table.bool_or("cells", default.cells)?,
        particles: table.bool_or("particles", default.particles)?,
        volume: table.bool_or("volume", default.volume)?,
    })
}

/// What pictures show; `usual` is that of the scene's fluid.
fn view(table: &Table<'_>, usual: View) -> Result<View, Fault> {
    let view = one_of(table, "view", &VIEW)?.unwrap_or(usual);
    match table.get("view").filter(|_| view != usual && view != View::Cells) {
        None => Ok(view),
        Some(node) => {
            let (word, usual) = (view_name(view), view_name(usual));
            Err(Fault::new(node.at, format!("there is no {word} in this scene to be seen"))
                .help(format!("write view = \"{usual}\" or view = \"cells\", or leave it out")))
        }
    }
}

/// A word that stands for one of some choices.
fn one_of<T: Copy>(table: &Table<'_>, key: &str, choices: &[(&'static str, T)]) -> Result<Option<T>, Fault> {
    table.get(key).map(|node| choice(node, key, choices)).transpose()
}

/// The choice that a word stands for.
pub(super) fn choice<T: Copy>(node: &Node, key: &str, choices: &[(&'static str, T)]) -> Result<T, Fault> {
    let word = node.string(key)?;
    #[cfg(test)]
    super::table::record_words(key, choices.iter().map(|(name, _)| *name));
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
