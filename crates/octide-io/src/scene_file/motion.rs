//! How solids move: through keyframes, in a circle, or to and fro.
//!
//! Bodies turn about their `pivot`, and an orbit leads it round; where the scene does not say, it is the
//! middle of the shape.

use super::place::Fault;
use super::shapes::rotation;
use super::table::{Keys, Range, Table};
use super::tree::{Node, Value};
use glam::{DQuat, DVec3};
use octide_core::geometry::{Keyframe, Motion, Pose, Shape};

const KEYS: Keys = Keys::only(&["keyframes", "orbit", "oscillation", "pivot"]);

pub(super) fn read(node: &Node, shape: &Shape, warnings: &mut Vec<Fault>) -> Result<Motion, Fault> {
    let table = Table::open(node, "`motion`", &KEYS)?;
    let kinds: Vec<_> = table.entries().iter().filter(|e| e.key != "pivot").collect();
    let [kind] = kinds.as_slice() else {
        return Err(Fault::new(
            kinds.get(1).map_or(table.at(), |second| second.key_at),
            "`motion` needs exactly one of `keyframes`, `orbit` and `oscillation`",
        ));
    };
    let motion = match kind.key.as_str() {
        "keyframes" => keyframes(&kind.node, warnings)?,
        "orbit" => orbit(&kind.node)?,
        _ => oscillation(&kind.node)?,
    };
    if !has_pivot(&motion) {
        return match table.get("pivot") {
            None => Ok(motion),
            Some(node) => Err(Fault::new(node.at, "`pivot` has no meaning for this motion")
                .help("only `keyframes` and an `orbit` that is not `turning` have one; take it out")),
        };
    }
    let middle = shape.bounds().map_or(DVec3::ZERO, |(min, max)| (min + max) / 2.0);
    let pivot = table.vector_or("pivot", middle)?;
    Ok(if pivot == DVec3::ZERO { motion } else { Motion::About { pivot, motion: Box::new(motion) } })
}

/// Whether the choice of a pivot changes the motion.
pub(super) fn has_pivot(motion: &Motion) -> bool {
    matches!(motion, Motion::Keyframes(_) | Motion::Orbit { turning: false, .. })
}

fn orbit(node: &Node) -> Result<Motion, Fault> {
    let table = Table::open(node, "`orbit`", &Keys::only(&["center", "axis", "period", "turning"]))?;
    Ok(Motion::Orbit {
        center: table.need_vector("center", "[0.5, 0, 0.5]")?,
        axis: table.need("axis", "[0, 1, 0]")?.direction("axis")?,
        period: table.need_number("period", Range::POSITIVE, "2.0")?,
        turning: table.bool_or("turning", false)?,
    })
}

fn oscillation(node: &Node) -> Result<Motion, Fault> {
    let table = Table::open(node, "`oscillation`", &Keys::only(&["amplitude", "period"]))?;
    Ok(Motion::Oscillation {
        amplitude: table.need_vector("amplitude", "[0.1, 0, 0]")?,
        period: table.need_number("period", Range::POSITIVE, "1.0")?,
    })
}

fn keyframes(node: &Node, warnings: &mut Vec<Fault>) -> Result<Motion, Fault> {
    let items = node.list("keyframes")?;
    if items.is_empty() {
        return Err(Fault::new(node.at, "`keyframes` needs at least one keyframe")
            .help("for example { time = 0, position = [0, 0, 0] }"));
    }
    let mut keys: Vec<Keyframe> = Vec::with_capacity(items.len());
    let mut degrees_before = 0.0;
    for item in items {
        let table = Table::open(item, "a keyframe", &Keys::only(&["time", "position", "rotation"]))?;
        let time_node = table.need("time", "0.5")?;
        let time = time_node.number("time", Range::ANY)?;
        if let Some(last) = keys.last()
            && time <= last.time
        {
            return Err(Fault::new(
                time_node.at,
                format!("keyframes must be in order of time, but {time} comes after {}", last.time),
            ));
        }
        let mut pose =
            Pose { position: table.vector_or("position", DVec3::ZERO)?, rotation: DQuat::IDENTITY };
        let mut degrees = 0.0;
        if let Some(node) = table.get("rotation") {
            pose.rotation = rotation(node, "rotation")?;
            degrees = degrees_of(node);
            if !keys.is_empty() && (degrees - degrees_before).abs() >= 180.0 {
                warnings.push(
                    Fault::new(
                        node.at,
                        "this turns by 180 degrees or more since the keyframe before; bodies turn the short way",
                    )
                    .help("put a keyframe in between, or use motion.orbit with turning = true"),
                );
            }
        }
        degrees_before = degrees;
        keys.push(Keyframe { time, pose });
    }
    Ok(Motion::Keyframes(keys))
}

/// The angle as it was typed: the rotation itself no longer tells 360 degrees from none.
fn degrees_of(rotation: &Node) -> f64 {
    let Value::Table(entries) = &rotation.value else { return 0.0 };
    let Some(entry) = entries.iter().find(|e| e.key == "degrees") else { return 0.0 };
    entry.node.number("degrees", Range::ANY).unwrap_or(0.0)
}
