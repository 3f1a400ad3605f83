//! `cells/NNNN.ply`: the grid's cells with a distance to the surface. If there is no liquid, the distance is
//! infinite and the density of smoke follows.
//!
//! A grid that consists only of cubes is a list of points, each with an edge length. A grid with cells of
//! other shapes has elements for all of them:
//!
//! | element | content |
//! |---|---|
//! | `vertex` | a vertex of tetrahedra or polyhedra |
//! | `face` | a face of polyhedra by its vertices; a face between two polyhedra is stored once |
//! | `cube` | its center and its edge length |
//! | `tetrahedron` | its four vertices |
//! | `polyhedron` | its faces, as twice a face's index, plus one if it is clockwise seen from outside |
//! | `cell` | values of each cell: of all cubes, then of all tetrahedra, then of all polyhedra |

use super::header::{Header, Layout, Parsed, parse};
use super::{from_file, to_file};
use crate::atomic::write_atomic;
use crate::file_error::{DiskError, ReadError};
use octide_core::contract::{CellFace, Cells, Cube};
use octide_core::scene::Up;
use std::io::{self, Write};
use std::path::Path;

/// The content of a file with cubes only.
const CUBES: &str = "octree cells";
const WATER_CUBES: Layout = &[("vertex", &["float x", "float y", "float z", "float size", "float phi"])];
const SMOKE_CUBES: Layout =
    &[("vertex", &["float x", "float y", "float z", "float size", "float phi", "float density"])];

/// The content of a file with other shapes.
const SHAPES: &str = "grid cells";
const WATER_SHAPES: Layout = &[VERTEX, FACE, CUBE, TETRAHEDRON, POLYHEDRON, ("cell", &["float phi"])];
const SMOKE_SHAPES: Layout =
    &[VERTEX, FACE, CUBE, TETRAHEDRON, POLYHEDRON, ("cell", &["float phi", "float density"])];

const VERTEX: (&str, &[&str]) = ("vertex", &["float x", "float y", "float z"]);
const FACE: (&str, &[&str]) = ("face", &["list uint uint vertex_indices"]);
const CUBE: (&str, &[&str]) = ("cube", &["float x", "float y", "float z", "float size"]);
const TETRAHEDRON: (&str, &[&str]) = ("tetrahedron", &["uint a", "uint b", "uint c", "uint d"]);
const POLYHEDRON: (&str, &[&str]) = ("polyhedron", &["list uint uint faces"]);

/// Writes cells at a time in seconds.
pub fn write_cells(path: &Path, cells: &Cells, time: f64, up: Up) -> Result<(), DiskError> {
    debug_assert_eq!(cells.check(), Ok(()));
    let is_smoke = cells.phi.contains(&f32::INFINITY);
    if cells.tetrahedra.is_empty() && cells.polyhedra.is_empty() {
        let layout = if is_smoke { SMOKE_CUBES } else { WATER_CUBES };
        let header = Header { what: CUBES, up, time, layout, counts: &[cells.len()] };
        return write_atomic(path, |out| {
            out.write_all(header.text().as_bytes())?;
            for (i, cube) in cells.cubes.iter().enumerate() {
                let [x, y, z] = to_file(cube.center, up);
                let values = [x, y, z, cube.size, cells.phi[i], cells.density(i)];
                put(out, &values[..if is_smoke { 6 } else { 5 }])?;
            }
            Ok(())
        });
    }
    let Cells { cubes, vertices, tetrahedra, polyhedra, .. } = cells;
    let header = Header {
        what: SHAPES,
        up,
        time,
        layout: if is_smoke { SMOKE_SHAPES } else { WATER_SHAPES },
        counts: &[
            vertices.len(),
            polyhedra.n_faces(),
            cubes.len(),
            tetrahedra.len(),
            polyhedra.len(),
            cells.len(),
        ],
    };
    write_atomic(path, |out| {
        out.write_all(header.text().as_bytes())?;
        vertices.iter().try_for_each(|&v| put(out, &to_file(v, up)))?;
        (0..polyhedra.n_faces()).try_for_each(|f| put_list(out, polyhedra.face(f).iter().copied()))?;
        for cube in cubes {
            let [x, y, z] = to_file(cube.center, up);
            put(out, &[x, y, z, cube.size])?;
        }
        for vertex in tetrahedra.as_flattened() {
            out.write_all(&vertex.to_le_bytes())?;
        }
        (0..polyhedra.len())
            .try_for_each(|c| put_list(out, polyhedra.faces_of(c).iter().map(|f| f.code())))?;
        for (i, &phi) in cells.phi.iter().enumerate() {
            put(out, &[phi, cells.density(i)][..if is_smoke { 2 } else { 1 }])?;
        }
        Ok(())
    })
}

fn put(out: &mut (impl Write + ?Sized), values: &[f32]) -> io::Result<()> {
    values.iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))
}

/// Writes a list preceded by its length.
fn put_list(out: &mut (impl Write + ?Sized), list: impl ExactSizeIterator<Item = u32>) -> io::Result<()> {
    out.write_all(&(list.len() as u32).to_le_bytes())?;
    list.into_iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))
}

/// Reads cells that [`write_cells`] wrote, with their time; the result has y up.
pub fn read_cells(path: &Path) -> Result<(Cells, f64), ReadError> {
    let bytes = std::fs::read(path).map_err(|source| ReadError::Io { path: path.to_owned(), source })?;
    let forms = [(CUBES, WATER_CUBES), (CUBES, SMOKE_CUBES), (SHAPES, WATER_SHAPES), (SHAPES, SMOKE_SHAPES)];
    let head = parse(&bytes, path, &forms)?;
    let is_smoke = forms[head.form].1 == SMOKE_CUBES || forms[head.form].1 == SMOKE_SHAPES;
    let mut words = Words(head.data);
    let bad = |reason: &str| ReadError::Format { path: path.to_owned(), reason: reason.to_owned() };
    let read = if forms[head.form].0 == CUBES { read_cubes } else { read_shapes };
    let cells = read(&mut words, &head, is_smoke)
        .filter(|_| words.0.is_empty())
        .ok_or_else(|| bad("its length does not match its header"))?;
    cells.check().map_err(bad)?;
    Ok((cells, head.time))
}

fn read_cubes(words: &mut Words<'_>, head: &Parsed<'_>, is_smoke: bool) -> Option<Cells> {
    let mut cells = Cells::default();
    for _ in 0..head.counts[0] {
        let [x, y, z, size, phi] = words.floats()?;
        cells.cubes.push(Cube { center: from_file([x, y, z], head.up), size });
        cells.phi.push(phi);
        if is_smoke {
            cells.density.push(words.float()?);
        }
    }
    Some(cells)
}

fn read_shapes(words: &mut Words<'_>, head: &Parsed<'_>, is_smoke: bool) -> Option<Cells> {
    let &[n_vertices, n_faces, n_cubes, n_tetrahedra, n_polyhedra, n_cells] = head.counts.as_slice() else {
        return None;
    };
    let mut cells = Cells::default();
    for _ in 0..n_vertices {
        cells.vertices.push(from_file(words.floats()?, head.up));
    }
    for _ in 0..n_faces {
        let vertices: Vec<u32> = words.list()?;
        cells.polyhedra.add_face(&vertices);
    }
    for _ in 0..n_cubes {
        let [x, y, z, size] = words.floats()?;
        cells.cubes.push(Cube { center: from_file([x, y, z], head.up), size });
    }
    for _ in 0..n_tetrahedra {
        cells.tetrahedra.push([words.word()?, words.word()?, words.word()?, words.word()?]);
    }
    for _ in 0..n_polyhedra {
        cells.polyhedra.add_cell(words.list()?.into_iter().map(CellFace::from_code));
    }
    for _ in 0..n_cells {
        cells.phi.push(words.float()?);
        if is_smoke {
            cells.density.push(words.float()?);
        }
    }
    Some(cells)
}

/// The rest of a file's data, four bytes at a time; `None` at its end.
struct Words<'a>(&'a [u8]);

impl Words<'_> {
    fn word(&mut self) -> Option<u32> {
        let (word, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*word))
    }

    fn float(&mut self) -> Option<f32> {
        self.word().map(f32::from_bits)
    }

    fn floats<const N: usize>(&mut self) -> Option<[f32; N]> {
        let mut out = [0.0; N];
        for value in &mut out {
            *value = self.float()?;
        }
        Some(out)
    }

    /// Reads a list preceded by its length. Allocates nothing for values that are missing.
    fn list(&mut self) -> Option<Vec<u32>> {
        let n = self.word()?;
        (0..n).map(|_| self.word()).collect()
    }
}
