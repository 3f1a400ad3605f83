//! The velocity along an axis at any point, from faces where they are all of one size around it, else from
//! corners.

use crate::mesh::Mesh;
use crate::transfer::square;
use glam::DVec3;
use octide_core::index::{CellId, FaceId, Field, NodeId, TreeId};
use octide_core::octree::nodal::{Vector, trilinear};
use octide_core::octree::{CellCorners, CellFaces, FaceCells};

/// A value between others.
pub struct Sampled {
    /// The value.
    pub value: f64,
    /// The smallest of those it comes from.
    pub low: f64,
    /// The largest.
    pub high: f64,
    /// Whether it comes from faces.
    pub is_between_faces: bool,
}

/// The velocity along `axis` at a point of `cell`, for a face of the size of `level`.
#[inline]
pub fn sample<V: Vector>(
    mesh: &Mesh<impl CellFaces, impl CellCorners>,
    u: impl Fn(FaceId) -> f64,
    corners: &Field<NodeId, V>,
    axis: usize,
    level: u8,
    cell: CellId,
    p: DVec3,
) -> Sampled {
    let t = mesh.tree.place_in(cell, p);
    // A large face takes the mean of small ones, not what one of them has.
    if mesh.tree.level(cell) <= level
        && let Some(sampled) = between_faces(mesh, u, axis, cell, t)
    {
        return sampled;
    }
    let around = mesh.nodes.of_cell(cell).map(|v| corners[v].long()[axis]);
    let (low, high) = range(&around);
    Sampled { value: trilinear(|c| around[c], t), low, high, is_between_faces: false }
}

fn range(values: &[f64; 8]) -> (f64, f64) {
    values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &v| (low.min(v), high.max(v)))
}

/// Trilinear between the faces of the four leaves nearest to the place `t` in [0, 1]³ of a leaf, if they are
/// all of its size and have one face on either side. Beyond the domain there is the mirror image.
#[inline]
fn between_faces<N>(
    mesh: &Mesh<impl CellFaces, N>,
    u: impl Fn(FaceId) -> f64,
    axis: usize,
    cell: CellId,
    t: DVec3,
) -> Option<Sampled> {
    let tree = &mesh.tree;
    let node = tree.node_of(cell);
    let across = [(axis + 1) % 3, (axis + 2) % 3];
    // Who is next to a leaf of the same size; itself at the rim.
    let beside = |n: TreeId, a: usize| {
        let other = tree.neighbor(n, 2 * a + usize::from(t[a] > 0.5));
        if other.is_none() {
            return Some(n);
        }
        (tree.is_leaf(other) && tree.node_level(other) == tree.node_level(n)).then_some(other)
    };
    let [b, c] = across.map(|a| beside(node, a));
    let (b, c) = (b?, c?);
    let leaves = [node, b, c, beside(b, across[1])?];
    let mut values = [0.0; 8];
    for (i, &leaf) in leaves.iter().enumerate() {
        for side in 0..2 {
            let &[k] = mesh.faces_toward(tree.leaf_of(leaf), 2 * axis + side) else { return None };
            values[2 * i + side] = u(k);
        }
    }
    // From the leaf's own middle toward the others'.
    let way = across.map(|a| (t[a] - 0.5).abs());
    let place = DVec3::new(t[axis].clamp(0.0, 1.0), way[0], way[1]);
    let (low, high) = range(&values);
    Some(Sampled { value: trilinear(|c| values[c], place), low, high, is_between_faces: true })
}

/// What the old tree has where the new one has a face: the face itself, or the mean of smaller ones; none
/// where there was none.
pub fn carried_over<N, M>(
    old: &Mesh<impl CellFaces, N>,
    u: impl Fn(FaceId) -> f64 + Copy,
    new: &Mesh<impl FaceCells, M>,
    face: FaceId,
) -> Option<f64> {
    let sides = new.sides(face);
    let level = new.tree.level(new.small_side(face));
    (0..2).find_map(|side| {
        let cell = sides[side];
        if cell.is_none() || new.tree.level(cell) < level {
            return None;
        }
        let node = old.tree.find(level, new.tree.coord(new.tree.node_of(cell)));
        if node.is_none() || old.tree.node_level(node) < level {
            return None;
        }
        let direction = 2 * new.axis(face) + (1 - side);
        let (sum, area) = square(old, u, node, direction, |_| true);
        Some(sum / area)
    })
}
