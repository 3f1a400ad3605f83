//! What is known of each mesh of a sequence before any is used.

use super::MeshSource;
use crate::geometry::mesh_sdf::check;
use crate::geometry::{MeshError, TriMesh};
use crate::par;
use glam::DVec3;
use thiserror::Error;

/// A body that becomes this many times larger or smaller from one mesh to the next is in other units.
const UNIT_CHANGE: f64 = 50.0;

/// Meshes that one task reads, one after the other.
const READ_IN_A_ROW: usize = 16;

/// What is known of a mesh of a sequence.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MeshFacts {
    /// A box around it.
    pub bounds: (DVec3, DVec3),
    /// A checksum of all of it.
    pub content: u64,
    /// A checksum of its triangles, without positions.
    pub topology: u64,
    /// The number of its triangles.
    pub n_triangles: usize,
    /// The farthest that a vertex moves to the next mesh; if triangles change, the farthest that a side of the bounding
    /// box does.
    pub way: f64,
}

/// Why meshes are not a sequence.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum SequenceError {
    /// There is no mesh.
    #[error("the sequence has no meshes")]
    Empty,
    /// A mesh cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// A mesh cannot be used.
    #[error("{name}: {error}")]
    Mesh {
        /// The mesh.
        name: String,
        /// What is wrong with it.
        error: MeshError,
    },
    /// The size changes as if by a change of units.
    #[error(
        "{name} is {} times as {} as {before}, the mesh before it ({} m instead of {} m)",
        tidy(if is > was { is / was } else { was / is }),
        if is > was { "long" } else { "short" },
        tidy(*is),
        tidy(*was)
    )]
    UnitChange {
        /// The mesh.
        name: String,
        /// The mesh before.
        before: String,
        /// The length of the mesh in m.
        is: f64,
        /// The length of the mesh before.
        was: f64,
    },
}

/// Returns a number with three digits.
fn tidy(x: f64) -> f64 {
    format!("{x:.2e}").parse().unwrap_or(x)
}

impl MeshFacts {
    fn of(mesh: &TriMesh) -> Self {
        Self {
            bounds: mesh.bounds().unwrap_or_default(),
            content: Self::content_of(mesh),
            topology: topology_of(mesh),
            n_triangles: mesh.triangles.len(),
            way: 0.0,
        }
    }

    /// Returns a checksum of a mesh.
    pub fn content_of(mesh: &TriMesh) -> u64 {
        let words = mesh.positions.iter().flatten().map(|x| x.to_bits());
        words.fold(topology_of(mesh), mixed)
    }

    fn extent(&self) -> f64 {
        (self.bounds.1 - self.bounds.0).max_element()
    }
}

fn topology_of(mesh: &TriMesh) -> u64 {
    let words = mesh.triangles.iter().flatten().copied();
    words.fold(mixed(0xcbf2_9ce4_8422_2325, mesh.positions.len() as u32), mixed)
}

/// Mixes a word into a checksum (FNV-1a over words, with a shift that brings high bits down).
fn mixed(sum: u64, word: u32) -> u64 {
    let sum = (sum ^ u64::from(word)).wrapping_mul(0x0000_0100_0000_01b3);
    sum ^ (sum >> 32)
}

/// Reads all meshes, of which no more than a few are in memory at a time.
pub(super) fn read_facts(source: &dyn MeshSource, n: usize) -> Result<Vec<MeshFacts>, SequenceError> {
    if n == 0 {
        return Err(SequenceError::Empty);
    }
    let parts = par::map_each(n.div_ceil(READ_IN_A_ROW), |part| {
        let first = part * READ_IN_A_ROW;
        read_row(source, first, n.min(first + READ_IN_A_ROW), n)
    });
    let mut facts = Vec::with_capacity(n);
    for part in parts {
        facts.extend(part?);
    }
    Ok(facts)
}

/// Reads the meshes from `first` up to `end`, and the one after those to compare the last one with.
fn read_row(
    source: &dyn MeshSource,
    first: usize,
    end: usize,
    n: usize,
) -> Result<Vec<MeshFacts>, SequenceError> {
    let mut facts: Vec<MeshFacts> = Vec::new();
    let mut before: Option<TriMesh> = None;
    for k in first..n.min(end + 1) {
        let mesh = source.read(k).map_err(SequenceError::Unreadable)?;
        check(&mesh).map_err(|error| SequenceError::Mesh { name: source.name(k), error })?;
        if mesh.area() <= 0.0 {
            return Err(SequenceError::Mesh { name: source.name(k), error: MeshError::Flat });
        }
        let is = MeshFacts::of(&mesh);
        if let (Some(was), Some(old)) = (facts.last_mut(), &before) {
            check_size(source, k, was, &is)?;
            was.way = way(old, &mesh, was, &is);
        }
        facts.push(is);
        before = Some(mesh);
    }
    facts.truncate(end - first);
    Ok(facts)
}

fn way(a: &TriMesh, b: &TriMesh, was: &MeshFacts, is: &MeshFacts) -> f64 {
    if was.topology != is.topology {
        let sides = (is.bounds.0 - was.bounds.0).abs().max((is.bounds.1 - was.bounds.1).abs());
        return sides.max_element();
    }
    let moved = (0..a.positions.len() as u32).map(|v| a.vertex(v).distance_squared(b.vertex(v)));
    moved.fold(0.0, f64::max).sqrt()
}

fn check_size(
    source: &dyn MeshSource,
    k: usize,
    was: &MeshFacts,
    is: &MeshFacts,
) -> Result<(), SequenceError> {
    let (was, is) = (was.extent(), is.extent());
    if is < UNIT_CHANGE * was && was < UNIT_CHANGE * is {
        return Ok(());
    }
    Err(SequenceError::UnitChange { name: source.name(k), before: source.name(k - 1), is, was })
}
