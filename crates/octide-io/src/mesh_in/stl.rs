//! STL: separate triangles, as text (`facet normal … outer loop vertex x y z …`) or binary (80 bytes of
//! title, a count, 50 bytes per triangle). Vertices at exactly the same position are merged. Normals are
//! ignored: the order of the corners determines the outside.

use super::bytes::Bytes;
use super::error::Problem;
use super::shown;
use super::text::{Words, lines};
use octide_core::geometry::TriMesh;
use std::collections::HashMap;

const HEADER: usize = 84;
const FACET: usize = 50;

pub(super) fn parse(bytes: &[u8]) -> Result<TriMesh, Problem> {
    if is_binary(bytes) { parse_binary(bytes) } else { parse_text(bytes) }
}

/// Returns whether the file is binary: it does not begin with "solid", or its length matches the count,
/// because binary titles may begin with "solid" as well.
fn is_binary(bytes: &[u8]) -> bool {
    let Some(count) = bytes.get(80..84).and_then(|b| b.first_chunk()) else { return false };
    let claimed = u32::from_le_bytes(*count) as usize;
    bytes.len() == HEADER + FACET * claimed || !bytes.trim_ascii_start().starts_with(b"solid")
}

fn parse_binary(bytes: &[u8]) -> Result<TriMesh, Problem> {
    let mut at = Bytes::new(bytes, 80);
    let claimed = u32::from_le_bytes(at.take("the number of triangles")?) as usize;
    let there = at.left() / FACET;
    if there < claimed {
        let what =
            format!("the header promises {claimed} triangles, but the file has bytes for only {there}");
        return Err(Problem::new(at.at(), what, "the file is incomplete: copy or export it again"));
    }
    let mut weld = Weld::default();
    for t in 0..claimed {
        at.take::<12>("a normal")?;
        let mut corners = [[0.0; 3]; 3];
        for (k, corner) in corners.iter_mut().enumerate() {
            let place = at.at();
            for x in corner.iter_mut() {
                *x = f32::from_le_bytes(at.take("a vertex")?);
            }
            super::usable(*corner, 3 * t + k + 1, place)?;
        }
        weld.triangle(corners);
        at.take::<2>("a triangle's attributes")?;
    }
    Ok(weld.mesh)
}

fn parse_text(bytes: &[u8]) -> Result<TriMesh, Problem> {
    let text = String::from_utf8_lossy(bytes);
    let mut weld = Weld::default();
    let mut corners = Vec::new();
    let mut known = false;
    let mut n_vertices = 0;
    for (number, line) in lines(&text) {
        let mut words = Words::new(number, line);
        match words.next().map(str::to_ascii_lowercase).as_deref() {
            Some("solid") => known = true,
            Some("vertex") => {
                n_vertices += 1;
                corners.push(words.position(n_vertices)?);
            }
            Some("endloop") => {
                let [a, b, c] = corners[..] else {
                    let what = format!("a facet has {} vertices", corners.len());
                    return Err(Problem::line(
                        number,
                        what,
                        "export the mesh with facets of three vertices each",
                    ));
                };
                weld.triangle([a, b, c]);
                corners.clear();
            }
            Some("facet" | "outer" | "endfacet" | "endsolid") | None => {}
            Some(word) if !known => {
                let what = format!(
                    "an STL file in text form begins with \"solid\", but this file begins with {}",
                    shown(word)
                );
                return Err(Problem::line(
                    number,
                    what,
                    "the file has another format or is damaged: export it again",
                ));
            }
            Some(word) => {
                return Err(Problem::line(
                    number,
                    format!("{} is not a keyword of STL files", shown(word)),
                    "the file is damaged: export it again",
                ));
            }
        }
    }
    if !corners.is_empty() {
        return Err(Problem::file(
            "the file ends inside a facet",
            "the file is incomplete: copy or export it again",
        ));
    }
    Ok(weld.mesh)
}

/// Merges vertices as they are read. The map is only used for lookup, never iterated.
#[derive(Default)]
struct Weld {
    mesh: TriMesh,
    known: HashMap<[u32; 3], u32>,
}

impl Weld {
    fn triangle(&mut self, corners: [[f32; 3]; 3]) {
        let t = corners.map(|p| {
            // 0 and −0 are the same position.
            let key = p.map(|x| (x + 0.0).to_bits());
            *self.known.entry(key).or_insert_with(|| {
                self.mesh.positions.push(p);
                self.mesh.positions.len() as u32 - 1
            })
        });
        self.mesh.triangles.push(t);
    }
}
