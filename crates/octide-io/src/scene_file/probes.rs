//! Probes: a name and one of `point`, `gauge`, `front` and `whole`.

use super::choices::read_choice;
use super::keys::{GAUGE, PROBE};
use super::place::Fault;
use super::range::Range;
use super::table::{Table, listed};
use super::tree::{Node, Value};
use crate::printable::is_unsafe_to_print;
use glam::DVec3;
use octide_core::scene::{Domain, Heading, Probe, ProbeKind};

const AXES: [&str; 3] = ["x", "y", "z"];

/// Reads a probe. `names` are those of the previous probes.
pub(super) fn read(
    node: &Node,
    domain: &Domain,
    up: Heading,
    is_smoke: bool,
    names: &mut Vec<String>,
) -> Result<Probe, Fault> {
    let table = Table::open(node, &PROBE)?;
    let name_node = table.need("name")?;
    let name = checked_name(name_node)?;
    if names.contains(&name) {
        return Err(Fault::new(name_node.at, format!("the name {name:?} is used by another probe"))
            .help("give each probe its own name, which becomes the name of its columns"));
    }
    names.push(name.clone());
    let kinds: Vec<_> = table.entries().iter().filter(|e| e.key != "name").collect();
    let [entry] = kinds.as_slice() else {
        return Err(Fault::new(
            kinds.get(1).map_or(table.at(), |second| second.key_at),
            "[[probe]] needs exactly one of `point`, `gauge`, `front` and `whole`",
        )
        .help(match kinds.len() {
            0 => "add one, for example point = [0.5, 0.1, 0.5]",
            _ => "write two probes, each with its own name",
        }));
    };
    if is_smoke && ["gauge", "front"].contains(&entry.key.as_str()) {
        return Err(Fault::new(
            entry.key_at,
            format!("a {} measures water, but this scene has smoke", entry.key),
        )
        .help("use `point` or `whole`"));
    }
    let node = &entry.node;
    let kind = match entry.key.as_str() {
        "point" => ProbeKind::Point(point(node, domain)?),
        "gauge" => ProbeKind::Gauge(gauge(node, domain, up)?),
        "front" => ProbeKind::Front(front(node, up)?),
        _ => whole(node)?,
    };
    Ok(Probe { name, kind })
}

/// Returns the kind as a line of a scene file.
pub(super) fn to_toml(kind: &ProbeKind, up: Heading) -> String {
    match kind {
        ProbeKind::Point(p) => format!("point = {:?}", p.to_array()),
        ProbeKind::Gauge(foot) => {
            let [a, b] = horizontal(up);
            format!("gauge = {{ {} = {:?}, {} = {:?} }}", AXES[a], foot[a], AXES[b], foot[b])
        }
        ProbeKind::Front(heading) => format!("front = \"{}\"", heading.name()),
        ProbeKind::Whole => "whole = true".to_owned(),
    }
}

/// Returns a valid name. Names become column headings, so only characters that every reader of such files
/// accepts are allowed.
fn checked_name(node: &Node) -> Result<String, Fault> {
    let name = node.string("name")?;
    let good = name.chars().all(|c| (c.is_alphanumeric() || "-_.".contains(c)) && !is_unsafe_to_print(c))
        && (1..=64).contains(&name.chars().count());
    if good {
        return Ok(name.to_owned());
    }
    Err(Fault::new(node.at, format!("`name` is {name:?}, which cannot be the name of a column"))
        .help("use 1 to 64 letters, digits, `-`, `_` and `.`"))
}

fn point(node: &Node, domain: &Domain) -> Result<DVec3, Fault> {
    let mut p = node.vector("point", Range::ANY)?;
    for axis in 0..3 {
        p[axis] = inside(&node.list("point")?[axis], p[axis], axis, domain)?;
    }
    Ok(p)
}

/// Returns the point on the floor below a gauge.
fn gauge(node: &Node, domain: &Domain, up: Heading) -> Result<DVec3, Fault> {
    let [a, b] = horizontal(up);
    let example = format!("gauge = {{ {} = 0.5, {} = 0.5 }}", AXES[a], AXES[b]);
    if !matches!(node.value, Value::Table(_)) {
        let was = node.value.described();
        return Err(Fault::new(
            node.at,
            format!("`gauge` must be a table with two horizontal coordinates, but is {was}"),
        )
        .help(format!("write for example {example}")));
    }
    let table = Table::open(node, &GAUGE)?;
    if let Some(entry) = table.entries().iter().find(|e| e.key == AXES[up.axis]) {
        let upright = AXES[up.axis];
        return Err(Fault::new(
            entry.key_at,
            format!("a gauge is vertical, which is along {upright} in this scene, so it has no `{upright}`"),
        )
        .help(format!("write the other two coordinates, for example {example}")));
    }
    let high = domain.origin + domain.size;
    let mut foot = if up.forward { domain.origin } else { high };
    for axis in [a, b] {
        let node = table.need_like(AXES[axis], "0.5")?;
        foot[axis] = inside(node, node.number(AXES[axis], Range::ANY)?, axis, domain)?;
    }
    Ok(foot)
}

fn front(node: &Node, up: Heading) -> Result<Heading, Fault> {
    let of = |axis: usize| [true, false].map(|forward| Heading { axis, forward });
    let all = [of(0), of(1), of(2)].concat();
    let level: Vec<_> = all.iter().filter(|h| h.axis != up.axis).map(|&h| (h.name(), h)).collect();
    let upright = all.iter().filter(|h| h.axis == up.axis);
    if let Value::String(word) = &node.value
        && upright.into_iter().any(|h| h.name() == word)
    {
        let names: Vec<&str> = level.iter().map(|l| l.0).collect();
        return Err(Fault::new(
            node.at,
            format!("a front is horizontal, but {} is vertical in this scene", AXES[up.axis]),
        )
        .help(format!("write one of {}, or use a gauge to measure heights", listed(&names))));
    }
    read_choice(node, "front", &level)
}

fn whole(node: &Node) -> Result<ProbeKind, Fault> {
    match node.value {
        Value::Bool(true) => Ok(ProbeKind::Whole),
        ref other => {
            Err(Fault::new(node.at, format!("`whole` can only be true, but is {}", other.described()))
                .help("write whole = true, or remove the probe"))
        }
    }
}

/// Returns the coordinate, if it lies in the domain. A coordinate on a wall may be slightly outside, because
/// it is typed with few digits.
fn inside(node: &Node, x: f64, axis: usize, domain: &Domain) -> Result<f64, Fault> {
    let (low, high) = (domain.origin[axis], domain.origin[axis] + domain.size[axis]);
    let slack = 0.01 * domain.dx();
    if (low - slack..=high + slack).contains(&x) {
        return Ok(x.clamp(low, high));
    }
    let name = AXES[axis];
    Err(Fault::new(
        node.at,
        format!("this probe is at {name} = {x}, outside the domain, which reaches from {name} = {low} to {name} = {high}"),
    )
    .help("move it into the domain"))
}

/// Returns the two axes along the floor.
fn horizontal(up: Heading) -> [usize; 2] {
    [[1, 2], [0, 2], [0, 1]][up.axis]
}
