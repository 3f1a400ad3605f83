//! Reading the motion of solids: keyframes, orbits and oscillations.
//!
//! Bodies rotate about their `pivot`, and an orbit moves it around. The default is the center of the shape.

use super::keys::{KEYFRAME, MOTION, ORBIT, OSCILLATION};
use super::place::Fault;
use super::range::Range;
use super::shapes::rotation;
use super::table::Table;
use super::tree::{Node, Value};
use glam::{DQuat, DVec3};
use octide_core::geometry::{Keyframe, Motion, Pose, Shape};

pub(super) fn read(node: &Node, shape: &Shape, warnings: &mut Vec<Fault>) -> Result<Motion, Fault> {
    let table = Table::open(node, &MOTION)?;
    let kinds: Vec<_> = table.entries().iter().filter(|e| e.key != "pivot").collect();
    let [kind] = kinds.as_slice() else {
        return Err(Fault::new(
            kinds.get(1).map_or(table.at(), |second| second.key_at),
            "`motion` needs exactly one of `keyframes`, `orbit` and `oscillation`",
        )
        .help("for example motion.oscillation = { amplitude = [0.1, 0, 0], period = 1.0 }"));
    };
    let motion = match kind.key.as_str() {
        "keyframes" => keyframes(&kind.node, warnings)?,
        "orbit" => orbit(&kind.node)?,
        _ => oscillation(&kind.node)?,
    };
    if !has_pivot(&motion) {
        return match table.get("pivot") {
            None => Ok(motion),
            Some(node) => Err(Fault::new(node.at, "this motion does not use a `pivot`")
                .help("remove it; only `keyframes` and an `orbit` that is not `turning` use one")),
        };
    }
    let middle = shape.bounds().map_or(DVec3::ZERO, |(min, max)| (min + max) / 2.0);
    let pivot = table.get("pivot").map_or(Ok(middle), |_| table.vector("pivot"))?;
    Ok(if pivot == DVec3::ZERO { motion } else { Motion::About { pivot, motion: Box::new(motion) } })
}

/// Returns whether the choice of a pivot changes the motion.
pub(super) fn has_pivot(motion: &Motion) -> bool {
    matches!(motion, Motion::Keyframes(_) | Motion::Orbit { turning: false, .. })
}

fn orbit(node: &Node) -> Result<Motion, Fault> {
    let table = Table::open(node, &ORBIT)?;
    Ok(Motion::Orbit {
        center: table.vector("center")?,
        axis: table.direction("axis")?,
        period: table.number("period")?,
        turning: table.flag("turning")?,
    })
}

fn oscillation(node: &Node) -> Result<Motion, Fault> {
    let table = Table::open(node, &OSCILLATION)?;
    Ok(Motion::Oscillation { amplitude: table.vector("amplitude")?, period: table.number("period")? })
}

fn keyframes(node: &Node, warnings: &mut Vec<Fault>) -> Result<Motion, Fault> {
    let items = node.list("keyframes")?;
    if items.is_empty() {
        return Err(Fault::new(node.at, "`keyframes` needs at least one keyframe")
            .help("add one, for example { time = 0, position = [0, 0, 0] }"));
    }
    let mut keys: Vec<Keyframe> = Vec::with_capacity(items.len());
    let mut degrees_before = 0.0;
    for item in items {
        let table = Table::open(item, &KEYFRAME)?;
        let time = table.number("time")?;
        if let Some(last) = keys.last()
            && time <= last.time
        {
            return Err(Fault::new(
                table.need("time")?.at,
                format!("keyframes must be in order of time, but {time} s comes after {} s", last.time),
            )
            .help("sort the keyframes by `time`; no two have the same time"));
        }
        let mut pose = Pose { position: table.vector("position")?, rotation: DQuat::IDENTITY };
        let mut degrees = 0.0;
        if let Some(node) = table.get("rotation") {
            pose.rotation = rotation(node, "rotation")?;
            degrees = degrees_of(node);
            if !keys.is_empty() && (degrees - degrees_before).abs() >= 180.0 {
                warnings.push(
                    Fault::new(
                        node.at,
                        "this rotates the body by 180 degrees or more since the previous keyframe, but bodies rotate the short way",
                    )
                    .help("add a keyframe in between, or use motion.orbit with turning = true"),
                );
            }
        }
        degrees_before = degrees;
        keys.push(Keyframe { time, pose });
    }
    Ok(Motion::Keyframes(keys))
}

/// Returns the angle as it was typed: the rotation itself does not distinguish 360 degrees from 0.
fn degrees_of(rotation: &Node) -> f64 {
    let Value::Table(entries) = &rotation.value else { return 0.0 };
    let Some(entry) = entries.iter().find(|e| e.key == "degrees") else { return 0.0 };
    entry.node.number("degrees", Range::ANY).unwrap_or(0.0)
}
