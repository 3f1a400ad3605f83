//! Shapes: a table with one key that names the kind, `shape.sphere = { center = […], radius = … }`.

use super::context::Context;
use super::mesh;
use super::nearest::nearest;
use super::place::{At, Fault};
use super::table::{Keys, Range, Table, listed};
use super::tree::{Node, Value};
use glam::{DQuat, DVec3};
use octide_core::geometry::Shape;

/// The kinds of shape.
pub(super) const KINDS: &[&str] = &[
    "box",
    "rounded-box",
    "sphere",
    "ellipsoid",
    "cylinder",
    "capsule",
    "torus",
    "plane",
    "union",
    "intersection",
    "difference",
    "smooth-union",
    "transform",
    "mesh",
];

/// Reads the shape that `node` describes.
pub(super) fn read(node: &Node, context: &mut Context<'_>) -> Result<Shape, Fault> {
    let Value::Table(entries) = &node.value else {
        return Err(Fault::new(
            node.at,
            format!("a shape must be a table, but is {}", node.value.described()),
        )
        .help("for example shape.sphere = { center = [0.5, 0.3, 0.5], radius = 0.1 }"));
    };
    let entry = match entries.as_slice() {
        [] => {
            return Err(Fault::new(node.at, "this shape is empty")
                .help(format!("name one of the kinds {}", listed(KINDS))));
        }
        [one] => one,
        [first, second, ..] => {
            return Err(Fault::new(
                second.key_at,
                format!("a shape has one kind, but this one is a `{}` and a `{}`", first.key, second.key),
            )
            .help("join shapes with shape.union = [ { … }, { … } ], or write a section for each"));
        }
    };
    let shape = kind(&entry.key, entry.key_at, &entry.node, context)?;
    // What is checked above has its own place; this catches what only the whole shape can tell.
    shape.validate().map_err(|e| Fault::new(entry.node.at, e.to_string()))?;
    Ok(shape)
}

fn kind(name: &str, name_at: At, node: &Node, context: &mut Context<'_>) -> Result<Shape, Fault> {
    let open = |keys: &'static [&'static str]| Table::open(node, format!("`{name}`"), &Keys::only(keys));
    Ok(match name {
        "box" => {
            let (min, max) = corners(&open(&["min", "max"])?)?;
            Shape::Box { min, max }
        }
        "rounded-box" => {
            let table = open(&["min", "max", "radius"])?;
            let (min, max) = corners(&table)?;
            let most = (max - min).min_element() / 2.0;
            let radius = table.need_number("radius", Range::within(0.0, most), "0.02")?;
            Shape::RoundedBox { min, max, radius }
        }
        "sphere" => {
            let table = open(&["center", "radius"])?;
            Shape::Sphere { center: table.need_vector("center", "[0.5, 0.3, 0.5]")?, radius: radius(&table)? }
        }
        "ellipsoid" => {
            let table = open(&["center", "radii"])?;
            Shape::Ellipsoid {
                center: table.need_vector("center", "[0.5, 0.3, 0.5]")?,
                radii: table.need("radii", "[0.2, 0.1, 0.1]")?.vector("radii", Range::POSITIVE)?,
            }
        }
        "cylinder" => {
            let table = open(&["from", "to", "radius"])?;
            let (from, to) = ends(&table)?;
            if from == to {
                return Err(Fault::new(table.at(), "the cylinder's `from` and `to` are the same point"));
            }
            Shape::Cylinder { from, to, radius: radius(&table)? }
        }
        "capsule" => {
            let table = open(&["from", "to", "radius"])?;
            let (from, to) = ends(&table)?;
            Shape::Capsule { from, to, radius: radius(&table)? }
        }
        "torus" => {
            let table = open(&["center", "axis", "major", "minor"])?;
            let major = table.need_number("major", Range::POSITIVE, "0.2")?;
            Shape::Torus {
                center: table.need_vector("center", "[0.5, 0.3, 0.5]")?,
                axis: table.need("axis", "[0, 1, 0]")?.direction("axis")?,
                major,
                minor: table.need_number("minor", Range::between(0.0, major), "0.05")?,
            }
        }
        "plane" => {
            let table = open(&["point", "normal"])?;
            Shape::Plane {
                point: table.need_vector("point", "[0, 0.2, 0]")?,
                normal: table.need("normal", "[0, 1, 0]")?.direction("normal")?,
            }
        }
        "union" => Shape::Union(several(node, name, context)?),
        "intersection" => Shape::Intersection(several(node, name, context)?),
        "difference" => {
            let table = open(&["of", "minus"])?;
            Shape::Difference {
                of: Box::new(read(table.need("of", "{ box = { … } }")?, context)?),
                minus: several(table.need("minus", "[ { sphere = { … } } ]")?, "minus", context)?,
            }
        }
        "smooth-union" => {
            let table = open(&["shapes", "radius"])?;
            Shape::SmoothUnion {
                shapes: several(table.need("shapes", "[ { … }, { … } ]")?, "shapes", context)?,
                radius: radius(&table)?,
            }
        }
        "transform" => {
            let table = open(&["shape", "scale", "rotate", "translate"])?;
            let inner = read(table.need("shape", "{ box = { … } }")?, context)?;
            transformed(inner, &table)?
        }
        "mesh" => mesh::read(node, context)?,
        other => {
            let fault = Fault::new(name_at, format!("unknown kind of shape `{other}`"));
            return Err(fault.help(match nearest(other, KINDS.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the kinds are {}", listed(KINDS)),
            }));
        }
    })
}

/// The shape under the `scale`, `rotate` and `translate` of a table.
pub(super) fn transformed(shape: Shape, table: &Table<'_>) -> Result<Shape, Fault> {
    let scale = table.number_or("scale", Range::POSITIVE, 1.0)?;
    let rotation = table.get("rotate").map_or(Ok(DQuat::IDENTITY), |n| rotation(n, "rotate"))?;
    let translation = table.vector_or("translate", DVec3::ZERO)?;
    Ok(Shape::Transformed { shape: Box::new(shape), scale, rotation, translation })
}

/// `{ axis = […], degrees = … }`, or the quaternion `{ quaternion = [x, y, z, w] }` that written scenes use.
pub(super) fn rotation(node: &Node, key: &str) -> Result<DQuat, Fault> {
    let table = Table::open(node, format!("`{key}`"), &Keys::only(&["axis", "degrees", "quaternion"]))?;
    let Some(node) = table.get("quaternion") else {
        let axis = table.need("axis", "[0, 1, 0]")?.direction("axis")?;
        return Ok(DQuat::from_axis_angle(
            axis,
            table.need_number("degrees", Range::ANY, "90")?.to_radians(),
        ));
    };
    if table.entries().len() > 1 {
        return Err(Fault::new(table.at(), format!("`{key}` is given twice over"))
            .help("write either `axis` and `degrees` or `quaternion`"));
    }
    let items = node.list("quaternion")?;
    let [x, y, z, w] = items else {
        return Err(Fault::new(
            node.at,
            format!("`quaternion` must be four numbers x, y, z, w, but is {}", node.value.described()),
        ));
    };
    let part = |n: &Node| n.number("quaternion", Range::ANY);
    let q = DQuat::from_xyzw(part(x)?, part(y)?, part(z)?, part(w)?);
    // As with directions, what is of unit length keeps its bits.
    match q.length_squared() {
        l if (l - 1.0).abs() < 1e-12 => Ok(q),
        l if l.is_finite() && l > 1e-24 => Ok(q.normalize()),
        _ => Err(Fault::new(node.at, "`quaternion` must not be zero")),
    }
}

fn corners(table: &Table<'_>) -> Result<(DVec3, DVec3), Fault> {
    let min = table.need_vector("min", "[0, 0, 0]")?;
    let max_node = table.need("max", "[1.0, 0.2, 1.0]")?;
    let max = max_node.vector("max", Range::ANY)?;
    for axis in 0..3 {
        if max[axis] <= min[axis] {
            let at = max_node.list("max").map_or(max_node.at, |items| items[axis].at);
            return Err(Fault::new(
                at,
                format!(
                    "`max[{axis}]` must be greater than `min[{axis}]`, {}, but is {}",
                    min[axis], max[axis]
                ),
            ));
        }
    }
    Ok((min, max))
}

fn ends(table: &Table<'_>) -> Result<(DVec3, DVec3), Fault> {
    Ok((table.need_vector("from", "[0.5, 0, 0.5]")?, table.need_vector("to", "[0.5, 0.4, 0.5]")?))
}

fn radius(table: &Table<'_>) -> Result<f64, Fault> {
    table.need_number("radius", Range::POSITIVE, "0.1")
}

fn several(node: &Node, key: &str, context: &mut Context<'_>) -> Result<Vec<Shape>, Fault> {
    let items = node.list(key)?;
    if items.is_empty() {
        return Err(Fault::new(node.at, format!("`{key}` needs at least one shape")));
    }
    items.iter().map(|item| read(item, context)).collect()
}
