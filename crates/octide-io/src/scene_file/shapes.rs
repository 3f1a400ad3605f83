//! Shapes: a table with one key that names the kind, `shape.sphere = { center = […], radius = … }`.

use super::context::Context;
use super::keys::{
    BOX, CAPSULE, CYLINDER, DIFFERENCE, ELLIPSOID, PLANE, ROTATION, ROUNDED_BOX, SHAPE, SMOOTH_UNION, SPHERE,
    TORUS, TRANSFORM,
};
use super::mesh;
use super::nearest::nearest;
use super::place::{At, Fault};
use super::range::Range;
use super::table::{Table, listed};
use super::tree::{Node, Value};
use glam::{DQuat, DVec3};
use octide_core::geometry::Shape;

/// Reads the shape that `node` describes.
pub(super) fn read(node: &Node, context: &mut Context<'_>) -> Result<Shape, Fault> {
    let Value::Table(entries) = &node.value else {
        return Err(Fault::new(
            node.at,
            format!("a shape must be a table, but is {}", node.value.described()),
        )
        .help("write for example shape.sphere = { center = [0.5, 0.3, 0.5], radius = 0.1 }"));
    };
    let entry = match entries.as_slice() {
        [] => {
            return Err(Fault::new(node.at, "this shape has no kind")
                .help(format!("add one of the kinds {}", listed(&SHAPE.names()))));
        }
        [one] => one,
        [first, second, ..] => {
            return Err(Fault::new(
                second.key_at,
                format!(
                    "a shape has exactly one kind, but this one has `{}` and `{}`",
                    first.key, second.key
                ),
            )
            .help("combine them with shape.union = [ { … }, { … } ], or write a section for each"));
        }
    };
    let shape = kind(&entry.key, entry.key_at, &entry.node, context)?;
    // Checks above report their own position; this catches errors of the shape as a whole.
    shape.validate().map_err(|e| Fault::new(entry.node.at, e.to_string()))?;
    Ok(shape)
}

fn kind(name: &str, name_at: At, node: &Node, context: &mut Context<'_>) -> Result<Shape, Fault> {
    Ok(match name {
        "box" => {
            let (min, max) = corners(&Table::open(node, &BOX)?)?;
            Shape::Box { min, max }
        }
        "rounded-box" => {
            let table = Table::open(node, &ROUNDED_BOX)?;
            let (min, max) = corners(&table)?;
            let node = table.need("radius")?;
            let radius = node.number("radius", Range::NOT_NEGATIVE)?;
            if !Shape::fits_corner_radius(min, max, radius) {
                let allowed = Range::within(0.0, (max - min).min_element() / 2.0);
                node.number("radius", allowed).map_err(|e| e.help_if_none(Some(ROUND)))?;
            }
            Shape::RoundedBox { min, max, radius }
        }
        "sphere" => {
            let table = Table::open(node, &SPHERE)?;
            Shape::Sphere { center: table.vector("center")?, radius: length(&table, "radius")? }
        }
        "ellipsoid" => {
            let table = Table::open(node, &ELLIPSOID)?;
            let radii = table.vector("radii").map_err(|e| e.help_if_none(Some(FLAT)))?;
            Shape::Ellipsoid { center: table.vector("center")?, radii }
        }
        "cylinder" => {
            let table = Table::open(node, &CYLINDER)?;
            let (from, to) = (table.vector("from")?, table.vector("to")?);
            if from == to {
                return Err(Fault::new(table.at(), "the cylinder's `from` and `to` are the same point")
                    .help("move one of them: they are the centers of the two ends"));
            }
            Shape::Cylinder { from, to, radius: length(&table, "radius")? }
        }
        "capsule" => {
            let table = Table::open(node, &CAPSULE)?;
            Shape::Capsule {
                from: table.vector("from")?,
                to: table.vector("to")?,
                radius: length(&table, "radius")?,
            }
        }
        "torus" => {
            let table = Table::open(node, &TORUS)?;
            let major = length(&table, "major")?;
            let minor = table.need("minor")?.number("minor", Range::between(0.0, major));
            Shape::Torus {
                center: table.vector("center")?,
                axis: table.direction("axis")?,
                major,
                minor: minor.map_err(|e| e.help_if_none(Some(RING)))?,
            }
        }
        "plane" => {
            let table = Table::open(node, &PLANE)?;
            Shape::Plane { point: table.vector("point")?, normal: table.direction("normal")? }
        }
        "union" => Shape::Union(several(node, name, context)?),
        "intersection" => Shape::Intersection(several(node, name, context)?),
        "difference" => {
            let table = Table::open(node, &DIFFERENCE)?;
            Shape::Difference {
                of: Box::new(read(table.need("of")?, context)?),
                minus: several(table.need("minus")?, "minus", context)?,
            }
        }
        "smooth-union" => {
            let table = Table::open(node, &SMOOTH_UNION)?;
            Shape::SmoothUnion {
                shapes: several(table.need("shapes")?, "shapes", context)?,
                radius: length(&table, "radius")?,
            }
        }
        "transform" => {
            let table = Table::open(node, &TRANSFORM)?;
            let inner = read(table.need("shape")?, context)?;
            transformed(inner, &table)?
        }
        "mesh" => mesh::read(node, context)?,
        "mesh-sequence" => {
            return Err(Fault::new(name_at, "`mesh-sequence` can only be the whole shape of a [[solid]]")
                .help("only solids deform; use shape.mesh with one file here"));
        }
        other => {
            let fault = Fault::new(name_at, format!("unknown kind of shape `{other}`"));
            return Err(fault.help(match nearest(other, SHAPE.names()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the kinds are {}", listed(&SHAPE.names())),
            }));
        }
    })
}

/// What to do about a length that is not greater than 0.
const LENGTH: &str = "write it in meters, such as 0.1; to cut a shape out of another, use shape.difference";

/// What to do about an ellipsoid without a thickness.
const FLAT: &str = "write three lengths in meters, such as [0.2, 0.1, 0.2]; for a disc, use a cylinder";

/// What to do about a torus whose hole is closed.
const RING: &str = "`major` is the radius of the ring, `minor` that of the tube around it: make it thinner";

/// What to do about a box that is rounded too much.
const ROUND: &str =
    "it is at most half the shortest side of the box; for round ends, use a capsule or a sphere";

/// Reads a length.
fn length(table: &Table<'_>, key: &str) -> Result<f64, Fault> {
    table.number(key).map_err(|e| e.help_if_none(Some(LENGTH)))
}

/// Returns the number of keys of a shape's table; a shape has one kind.
pub(super) fn number_of_kinds(node: &Node) -> usize {
    if let Value::Table(entries) = &node.value { entries.len() } else { 0 }
}

/// Applies the `scale`, `rotate` and `translate` of a table to a shape.
pub(super) fn transformed(shape: Shape, table: &Table<'_>) -> Result<Shape, Fault> {
    let scale = table.number("scale")?;
    let rotation = table.get("rotate").map_or(Ok(DQuat::IDENTITY), |n| rotation(n, "rotate"))?;
    let translation = table.vector("translate")?;
    Ok(Shape::Transformed { shape: Box::new(shape), scale, rotation, translation })
}

/// Reads `{ axis = […], degrees = … }`, or the quaternion `{ quaternion = [x, y, z, w] }` that written scenes
/// use.
pub(super) fn rotation(node: &Node, key: &str) -> Result<DQuat, Fault> {
    let table = Table::open_as(node, format!("`{key}`"), &ROTATION)?;
    let Some(node) = table.get("quaternion") else {
        let axis = table.need_like("axis", "[0, 1, 0]")?.direction("axis")?;
        let degrees = table.need_like("degrees", "90")?.number("degrees", Range::ANY)?;
        return Ok(DQuat::from_axis_angle(axis, degrees.to_radians()));
    };
    if table.entries().len() > 1 {
        return Err(Fault::new(table.at(), format!("`{key}` has a quaternion and an axis or an angle"))
            .help("keep either `quaternion`, or `axis` and `degrees`"));
    }
    let [x, y, z, w] = node.items("quaternion")?;
    let part = |n: &Node| n.number("quaternion", Range::ANY);
    let q = DQuat::from_xyzw(part(x)?, part(y)?, part(z)?, part(w)?);
    // As with directions, a quaternion of unit length is kept bitwise.
    match q.length_squared() {
        l if (l - 1.0).abs() < 1e-12 => Ok(q),
        l if l.is_finite() && l > 1e-24 => Ok(q.normalize()),
        _ => Err(Fault::new(node.at, "`quaternion` must not be zero")),
    }
}

fn corners(table: &Table<'_>) -> Result<(DVec3, DVec3), Fault> {
    let (min, max) = (table.vector("min")?, table.vector("max")?);
    for axis in 0..3 {
        if max[axis] <= min[axis] {
            let node = table.need("max")?;
            let at = node.list("max").map_or(node.at, |items| items[axis].at);
            return Err(Fault::new(
                at,
                format!(
                    "`max[{axis}]` must be greater than `min[{axis}]`, which is {}, but is {}",
                    min[axis], max[axis]
                ),
            )
            .help("swap them, or move one: `min` is the corner with the smaller numbers"));
        }
    }
    Ok((min, max))
}

fn several(node: &Node, key: &str, context: &mut Context<'_>) -> Result<Vec<Shape>, Fault> {
    let items = node.list(key)?;
    if items.is_empty() {
        return Err(Fault::new(node.at, format!("`{key}` needs at least one shape"))
            .help("add a shape such as { sphere = { center = [0.5, 0.3, 0.5], radius = 0.1 } }"));
    }
    items.iter().map(|item| read(item, context)).collect()
}
