//! How solids move: through keyframes, in a circle, or to and fro.

use super::place::Fault;
use super::shapes::rotation;
use super::table::{Keys, Range, Table};
use super::tree::{Node, Value};
use glam::{DQuat, DVec3};
use octide_core::geometry::{Keyframe, Motion, Pose};

const KINDS: Keys = Keys::only(&["keyframes", "orbit", "oscillation"]);

pub(super) fn read(node: &Node, warnings: &mut Vec<Fault>) -> Result<Motion, Fault> {
    let table = Table::open(node, "`motion`", &KINDS)?;
    let [entry] = table.entries() else {
        return Err(Fault::new(
            table.entries().get(1).map_or(table.at(), |second| second.key_at),
            "`motion` needs exactly one of `keyframes`, `orbit` and `oscillation`",
        ));
    };
    match entry.key.as_str() {
        "keyframes" => keyframes(&entry.node, warnings),
        "orbit" => {
            let table =
                Table::open(&entry.node, "`orbit`", &Keys::only(&["center", "axis", "period", "turning"]))?;
            Ok(Motion::Orbit {
                center: table.need_vector("center", "[0.5, 0, 0.5]")?,
                axis: table.need("axis", "[0, 1, 0]")?.direction("axis")?,
                period: table.need_number("period", Range::POSITIVE, "2.0")?,
                turning: table.bool_or("turning", false)?,
            })
        }
        _ => {
            let table = Table::open(&entry.node, "`oscillation`", &Keys::only(&["amplitude", "period"]))?;
            Ok(Motion::Oscillation {
                amplitude: table.need_vector("amplitude", "[0.1, 0, 0]")?,
                period: table.need_number("period", Range::POSITIVE, "1.0")?,
            })
        }
    }
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
