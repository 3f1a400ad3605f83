//! Settings that must be consistent with other parts of the scene, checked after all of them are read.

use super::choices::word;
use super::keys::{CAMERA, NUMERICS};
use super::place::Fault;
use super::table::Table;
use super::tree::Node;
use octide_core::scene::{Buoyancy, Camera, Scene, Transfer, View};

/// Completes and checks the settings of a scene. `is_smoke` states the fluid, whose sources may not have been
/// read yet.
pub(super) fn check_settings(root: &Node, is_smoke: bool, scene: &mut Scene) -> Result<(), Fault> {
    set_default_lift(root, scene);
    scene.numerics.transfer = read_flip_ratio(root, scene.numerics.transfer)?;
    scene.camera = read_camera(root)?;
    check_camera_adaptivity(root, scene)?;
    check_density_band(root, scene)?;
    check_view(root, is_smoke, scene)
}

/// Sets the default lift of warm air, which depends on the scene's gravity.
fn set_default_lift(root: &Node, scene: &mut Scene) {
    if root.find("physics.buoyancy.lift").is_none() {
        scene.physics.buoyancy.lift = Buoyancy::under(scene.physics.gravity).lift;
    }
}

/// Reads the ratio, which only `transfer = "flip"` has.
fn read_flip_ratio(root: &Node, transfer: Transfer) -> Result<Transfer, Fault> {
    let Some(numerics) = root.find("numerics") else { return Ok(transfer) };
    let table = Table::open(&numerics.node, &NUMERICS)?;
    match (transfer, table.get("flip_ratio")) {
        (Transfer::Flip(_), _) => Ok(Transfer::Flip(table.number("flip_ratio")?)),
        (Transfer::Apic, None) => Ok(transfer),
        (Transfer::Apic, Some(node)) => {
            Err(Fault::new(node.at, "`flip_ratio` is only used with transfer = \"flip\"")
                .help("add transfer = \"flip\", or remove `flip_ratio`"))
        }
    }
}

fn read_camera(root: &Node) -> Result<Option<Camera>, Fault> {
    let Some(camera) = root.find("camera") else { return Ok(None) };
    let table = Table::open(&camera.node, &CAMERA)?;
    let (position, target) = (table.vector("position")?, table.vector("target")?);
    if position.distance(target) < 1e-9 {
        return Err(Fault::new(table.at(), "the camera's `position` and `target` are the same point")
            .help("move one of them; the camera looks from `position` to `target`"));
    }
    Ok(Some(Camera { position, target, fov: table.number("fov")? }))
}

fn check_camera_adaptivity(root: &Node, scene: &Scene) -> Result<(), Fault> {
    match root.find("adaptivity.camera").filter(|_| scene.adaptivity.camera && scene.camera.is_none()) {
        None => Ok(()),
        Some(entry) => {
            Err(Fault::new(entry.node.at, "fine cells are to follow the camera, but the scene has no camera")
                .help("add a section [camera] with `position` and `target`, or remove this key"))
        }
    }
}

fn check_density_band(root: &Node, scene: &Scene) -> Result<(), Fault> {
    let [low, high] = scene.adaptivity.smoke.density;
    match root.find("adaptivity.smoke.density").filter(|_| low > high) {
        None => Ok(()),
        Some(entry) => Err(Fault::new(
            entry.node.at,
            format!("the band of `density` begins at {low} and ends at {high}"),
        )
        .help("write the smaller number first")),
    }
}

/// Checks that pictures show the grid cells or the fluid of the scene.
fn check_view(root: &Node, is_smoke: bool, scene: &Scene) -> Result<(), Fault> {
    let fluid = if is_smoke { View::Smoke } else { View::Water };
    let is_shown = [fluid, View::Cells].contains(&scene.output.view);
    match root.find("output.view").filter(|_| !is_shown) {
        None => Ok(()),
        Some(entry) => {
            let (asked, fluid) = (word(scene.output.view), word(fluid));
            Err(Fault::new(entry.node.at, format!("this scene has no {asked} to show, it has {fluid}"))
                .help(format!("write view = \"{fluid}\" or view = \"cells\", or remove `view`")))
        }
    }
}
