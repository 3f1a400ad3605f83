//! Wavefront OBJ: `v x y z` and `f a b c …`, where a corner is `v`, `v/vt`, `v//vn` or `v/vt/vn`. Vertices
//! count from 1, or backward from the last one if negative. Everything else is ignored.

use super::error::Problem;
use super::polygon::Faces;
use super::text::{Words, lines};
use octide_core::geometry::TriMesh;

pub(super) fn parse(bytes: &[u8]) -> Result<TriMesh, Problem> {
    let text = String::from_utf8_lossy(bytes);
    let mut mesh = TriMesh::default();
    let (mut polygon, mut faces) = (Vec::new(), Faces::default());
    // Faces may refer to later vertices, so indices are checked at the end.
    let mut highest = (0i64, 0usize);
    // A backslash at the end of a line joins it with the next.
    let mut joined = String::new();
    for (number, line) in lines(&text) {
        let line = line.trim_end();
        if let Some(part) = line.strip_suffix('\\') {
            joined.push_str(part);
            joined.push(' ');
            continue;
        }
        joined.push_str(line);
        let mut words = Words::new(number, &joined);
        match words.next() {
            Some("v") => mesh.positions.push(words.position(mesh.positions.len() + 1)?),
            Some("f") => {
                polygon.clear();
                while let Some(corner) = words.next() {
                    let v = vertex(corner, mesh.positions.len(), number)?;
                    highest = highest.max((v, number));
                    polygon.push(v as u32);
                }
                if polygon.len() < 3 {
                    let what = format!("a face has {} corners", polygon.len());
                    return Err(Problem::line(number, what, "give it at least three corners, or remove it"));
                }
                faces.add(&polygon);
            }
            _ => {}
        }
        joined.clear();
    }
    if highest.0 >= mesh.positions.len() as i64 && !faces.triangles.is_empty() {
        let what = format!(
            "a face refers to vertex {}, but the file has only {}",
            highest.0 + 1,
            mesh.positions.len()
        );
        return Err(Problem::line(highest.1, what, "the file is incomplete: export it again"));
    }
    mesh.triangles = faces.triangulated(&mesh.positions);
    Ok(mesh)
}

/// Returns the vertex of a corner, counted from 0.
fn vertex(corner: &str, known: usize, line: usize) -> Result<i64, Problem> {
    let name = corner.split('/').next().unwrap_or_default();
    let bad = |why: &str| {
        let remedy = "number vertices from 1 on, or from -1 on backward from the face";
        Problem::line(line, format!("the face's corner {} {why}", super::shown(corner)), remedy)
    };
    let index: i64 = name.parse().map_err(|_| bad("does not begin with the number of a vertex"))?;
    let v = match index {
        0 => return Err(bad("refers to vertex 0")),
        1.. => index - 1,
        _ => known as i64 + index,
    };
    if v < 0 || v >= i64::from(u32::MAX) {
        return Err(bad("refers to a vertex that does not exist"));
    }
    Ok(v)
}
