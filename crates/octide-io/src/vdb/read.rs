//! Reads density from the files of [`super::write_smoke`], for pictures of a finished run. Nothing in the
//! file is trusted: every length is checked against the remaining bytes.

mod cursor;

use super::file::{FORMAT, MAGIC, MAP, ZIP_AND_MASK, source};
use crate::file_error::ReadError;
use cursor::{Bad, Cursor};
use flate2::{Decompress, FlushDecompress};
use glam::{DVec3, IVec3};
use octide_core::contract::{Smoke, SmokeCell};
use octide_core::scene::Up;
use octide_core::surface::band::{EDGE, N_VOXELS};
use std::path::Path;

/// Number of children along an edge of a node, from the top.
const UPPER: usize = 32;
const LOWER: usize = 16;

/// Positions farther out are never written.
const FARTHEST: i32 = 1 << 24;

/// Reads smoke, with its time; the result has y up. Its cells lie between the centers of voxels. Temperatures
/// and velocities are not read: their lists are empty.
pub fn read_smoke(path: &Path) -> Result<(Smoke, f64), ReadError> {
    let bytes = std::fs::read(path).map_err(|source| ReadError::Io { path: path.to_owned(), source })?;
    parse(&bytes)
        .map_err(|Bad(reason)| ReadError::Format { path: path.to_owned(), reason: reason.to_owned() })
}

fn parse(bytes: &[u8]) -> Result<(Smoke, f64), Bad> {
    let mut c = Cursor::new(bytes);
    if c.u64()? != MAGIC || c.u32()? != FORMAT {
        return Err(Bad("it is not a volume that octide wrote"));
    }
    // The library's version, whether there are offsets, and the uuid.
    c.take(4 + 4 + 1 + 36)?;
    c.metadata(|_, _| {})?;
    let mut found = None;
    for _ in 0..c.u32()? {
        let name = c.string()?;
        c.string()?;
        c.string()?;
        let (at, _, end) = (c.u64()?, c.u64()?, c.u64()?);
        if name == b"density" && found.is_none() {
            c.go_to(at)?;
            found = Some(density(&mut c)?);
        }
        // Reports a truncated file, wherever it ends.
        c.go_to(end)?;
    }
    found.ok_or(Bad("it has no grid named density"))
}

/// A leaf of voxels, in the scene's axes.
struct Brick {
    low: IVec3,
    values: Box<[f32; N_VOXELS]>,
}

fn density(c: &mut Cursor<'_>) -> Result<(Smoke, f64), Bad> {
    if c.u32()? != ZIP_AND_MASK {
        return Err(Bad("its values have an unknown encoding"));
    }
    let (mut time, mut up) = (0.0, Up::Y);
    c.metadata(|name, value| match (name, value) {
        (b"time", &[a, b, c, d, e, f, g, h]) => time = f64::from_le_bytes([a, b, c, d, e, f, g, h]),
        (b"up", b"z") => up = Up::Z,
        _ => {}
    })?;
    if c.string()? != MAP.as_bytes() {
        return Err(Bad("its transform is not the one that octide writes"));
    }
    let t = [c.f64()?, c.f64()?, c.f64()?];
    let dx = c.f64()?;
    c.take(8 * 14)?;
    let is_place = |x: f64| x.is_finite() && x.abs() < 1e12;
    if !(dx > 0.0 && is_place(dx) && t.into_iter().all(is_place)) {
        return Err(Bad("the positions of its voxels are out of range"));
    }
    // The center of voxel (0, 0, 0).
    let first = match up {
        Up::Y => DVec3::from_array(t),
        Up::Z => DVec3::new(t[0], t[2], dx - t[1]),
    };
    let mut bricks = topology(c)?;
    for brick in &mut bricks {
        values(c, up, brick)?;
        if up == Up::Z {
            brick.low = IVec3::new(brick.low.x, brick.low.z, -brick.low.y - EDGE);
        }
    }
    bricks.sort_unstable_by_key(|b| b.low.to_array());
    Ok((between(&bricks, first, dx), time))
}

/// Returns the bricks, still empty, in the file's order.
fn topology(c: &mut Cursor<'_>) -> Result<Vec<Brick>, Bad> {
    let other = Bad("its tree has a different layout");
    // One buffer, the background, no tiles.
    if c.u32()? != 1 || c.u32()? != 0 || c.u32()? != 0 {
        return Err(other);
    }
    let mut bricks = Vec::new();
    for _ in 0..c.u32()? {
        let low = IVec3::new(c.i32()?, c.i32()?, c.i32()?);
        if low.max_element() > FARTHEST || low.min_element() < -FARTHEST {
            return Err(Bad("the positions of its voxels are out of range"));
        }
        for upper in children(c, UPPER)? {
            let low = low + (LOWER as i32 * EDGE) * upper;
            for lower in children(c, LOWER)? {
                c.take(N_VOXELS / 8)?;
                bricks.push(Brick { low: low + EDGE * lower, values: Box::new([0.0; N_VOXELS]) });
            }
        }
    }
    Ok(bricks)
}

/// Returns the positions of a node's children among its `edge`³.
fn children(c: &mut Cursor<'_>, edge: usize) -> Result<Vec<IVec3>, Bad> {
    let n = edge * edge * edge;
    let mask = c.take(n / 8)?;
    // No tile is active, and all have the background value.
    c.take(n / 8)?;
    if c.take(1)? != [0] || c.u64()? != 0 {
        return Err(Bad("its tree has tiles"));
    }
    let is_there = |slot: &usize| mask[slot / 8] >> (slot % 8) & 1 == 1;
    let place = |slot: usize| {
        IVec3::new((slot / (edge * edge)) as i32, (slot / edge % edge) as i32, (slot % edge) as i32)
    };
    Ok((0..n).filter(is_there).map(place).collect())
}

/// Fills a brick.
fn values(c: &mut Cursor<'_>, up: Up, brick: &mut Brick) -> Result<(), Bad> {
    let mask = c.take(N_VOXELS / 8)?;
    if c.take(1)? != [0] {
        return Err(Bad("its inactive voxels are not empty"));
    }
    let n: usize = mask.iter().map(|b| b.count_ones() as usize).sum();
    let mut raw = [0; 4 * N_VOXELS];
    let raw = &mut raw[..4 * n];
    let length = c.u64()? as i64;
    if length < 0 {
        // Stored uncompressed.
        if length.unsigned_abs() != raw.len() as u64 {
            return Err(Bad("a leaf has the wrong number of values"));
        }
        raw.copy_from_slice(c.take(raw.len())?);
    } else {
        let packed = c.take(usize::try_from(length).map_err(|_| Bad("a leaf is too long"))?)?;
        let mut zlib = Decompress::new(true);
        let done = zlib.decompress(packed, raw, FlushDecompress::Finish);
        if done.is_err() || zlib.total_out() != raw.len() as u64 {
            return Err(Bad("a leaf cannot be decompressed"));
        }
    }
    let mut numbers = raw.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    for slot in (0..N_VOXELS).filter(|slot| mask[slot / 8] >> (slot % 8) & 1 == 1) {
        brick.values[source(slot, up)] = numbers.next().unwrap_or(0.0);
    }
    Ok(())
}

/// Builds cells between voxels' centers, with the voxels as corners.
fn between(bricks: &[Brick], first: DVec3, dx: f64) -> Smoke {
    let mut density: Vec<f32> = bricks.iter().flat_map(|b| b.values.iter().copied()).collect();
    let nothing = density.len() as u32;
    density.push(0.0);
    let find = |low: IVec3| bricks.binary_search_by_key(&low.to_array(), |b| b.low.to_array()).ok();
    // Bricks that precede existing ones have cells that reach into them.
    let octants = || (0..8).map(|o| EDGE * IVec3::new(o & 1, o >> 1 & 1, o >> 2));
    let mut lows: Vec<[i32; 3]> =
        bricks.iter().flat_map(|b| octants().map(|o| (b.low - o).to_array())).collect();
    lows.sort_unstable();
    lows.dedup();
    let lowest = lows.iter().fold(IVec3::ZERO, |low, l| low.min(IVec3::from_array(*l)));
    let mut cells = Vec::new();
    for low in lows.into_iter().map(IVec3::from_array) {
        let around: Vec<Option<usize>> = octants().map(|o| find(low + o)).collect();
        let number = |v: IVec3| {
            let beyond = v.cmpge(IVec3::splat(EDGE));
            let brick = around[beyond.bitmask() as usize]?;
            let v = v & (EDGE - 1);
            Some((brick * N_VOXELS) as u32 + ((v.x * EDGE + v.y) * EDGE + v.z) as u32)
        };
        for i in 0..N_VOXELS as i32 {
            let v = IVec3::new(i / (EDGE * EDGE), i / EDGE % EDGE, i % EDGE);
            let corners: [u32; 8] = std::array::from_fn(|o| {
                let o = o as i32;
                number(v + IVec3::new(o & 1, o >> 1 & 1, o >> 2)).unwrap_or(nothing)
            });
            if corners.iter().any(|&c| density[c as usize] != 0.0) {
                cells.push(SmokeCell { low: (low + v - lowest).as_uvec3(), size: 1, corners });
            }
        }
    }
    let origin = first + dx * lowest.as_dvec3();
    Smoke { origin, dx, cells, density, temperature: Vec::new(), velocity: Vec::new() }
}
