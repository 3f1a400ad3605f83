//! Stanford PLY: a header that declares elements and their properties, then the values, as text or binary. Of
//! the element `vertex` the properties `x`, `y`, `z` are kept, of the element `face` the list
//! `vertex_indices` (or `vertex_index`); everything else is skipped according to its type. Triangle strips
//! are not supported.

mod header;
mod values;

use super::error::Problem;
use super::polygon::Faces;
use header::{Element, Encoding, Header, Kind};
use octide_core::geometry::TriMesh;
use values::Values;

pub(super) fn parse(bytes: &[u8]) -> Result<TriMesh, Problem> {
    let header = header::parse(bytes)?;
    let text;
    let mut values = match header.encoding {
        Encoding::Text => {
            text = String::from_utf8_lossy(&bytes[header.length..]);
            Values::text(&text, header.lines)
        }
        Encoding::Binary { big_endian } => Values::binary(bytes, header.length, big_endian),
    };
    let (mut mesh, mut faces) = (TriMesh::default(), Faces::default());
    for element in &header.elements {
        match element.name.as_str() {
            "vertex" => read_vertices(element, &mut values, &mut mesh)?,
            "face" => read_faces(element, &header, &mut values, &mut faces)?,
            _ if element.properties.is_empty() => {}
            _ => (0..element.count).try_for_each(|_| skip(element, &mut values))?,
        }
    }
    mesh.triangles = faces.triangulated(&mesh.positions);
    Ok(mesh)
}

fn read_vertices(element: &Element, values: &mut Values<'_>, mesh: &mut TriMesh) -> Result<(), Problem> {
    let axis: Vec<Option<usize>> =
        element.properties.iter().map(|p| ["x", "y", "z"].iter().position(|n| *n == p.name)).collect();
    for number in 1..=element.count {
        let position = vertex(element, &axis, values, number);
        mesh.positions.push(position.map_err(|p| p.among("vertex", number, element.count))?);
    }
    Ok(())
}

fn vertex(
    element: &Element,
    axis: &[Option<usize>],
    values: &mut Values<'_>,
    number: usize,
) -> Result<[f32; 3], Problem> {
    let mut position = [0.0; 3];
    let mut at = values.at();
    for (property, axis) in element.properties.iter().zip(axis) {
        match (property.kind, axis) {
            (Kind::Scalar(scalar), Some(a)) => {
                position[*a] = values.number(scalar, "a vertex")? as f32;
                at = values.at_line().unwrap_or(at);
            }
            _ => values.skip(property, "a vertex")?,
        }
    }
    super::usable(position, number, at)
}

fn read_faces(
    element: &Element,
    header: &Header,
    values: &mut Values<'_>,
    faces: &mut Faces,
) -> Result<(), Problem> {
    let vertices = header.elements.iter().find(|e| e.name == "vertex").map_or(0, |e| e.count);
    let mut polygon = Vec::new();
    for number in 1..=element.count {
        face(element, number, vertices, values, &mut polygon, faces)
            .map_err(|p| p.among("face", number, element.count))?;
    }
    Ok(())
}

fn face(
    element: &Element,
    face: usize,
    vertices: usize,
    values: &mut Values<'_>,
    polygon: &mut Vec<u32>,
    faces: &mut Faces,
) -> Result<(), Problem> {
    for property in &element.properties {
        let Kind::List { count, item } = property.kind else {
            values.skip(property, "a face")?;
            continue;
        };
        if !property.is_vertex_list() {
            values.skip(property, "a face")?;
            continue;
        }
        polygon.clear();
        let corners = values.number(count, "a face's number of corners")?;
        if !(corners >= 3.0 && corners.fract() == 0.0) {
            let what = format!("face {face} has {corners} corners");
            let remedy = "give it at least three corners, a whole number, or remove it";
            return Err(Problem::new(values.at(), what, remedy));
        }
        // Each corner is read before it is stored: a wrong count ends at the file's end.
        for _ in 0..corners as u64 {
            let v = values.number(item, "a face's corner")?;
            if !(v >= 0.0 && v < vertices as f64 && v.fract() == 0.0) {
                let what = format!(
                    "face {face} refers to vertex {v}, but vertices are numbered from 0 to {}",
                    vertices as i64 - 1
                );
                return Err(Problem::new(values.at(), what, "the file is damaged: export it again"));
            }
            polygon.push(v as u32);
        }
        faces.add(polygon);
    }
    Ok(())
}

fn skip(element: &Element, values: &mut Values<'_>) -> Result<(), Problem> {
    element.properties.iter().try_for_each(|p| values.skip(p, &element.name))
}
