//! The position and normal of a sheet's vertex.
//!
//! Let m be the mean of the crossings x_i, and n_i their normals. On a curved surface m lies too deep and the
//! tangent planes pass too high above it, both by the same distance up to third order, so the vertex is
//!
//! ```text
//!   x = m + ½ n̄ · mean(n_i·(x_i − m))
//! ```
//!
//! where the second term is limited to a small fraction of the cell size. The vertex is then moved a little
//! toward the corner within the tangent plane; otherwise all vertices around a leaf with phi almost zero at
//! its center would cluster there. On a plane it stays on the plane. At a wall, the vertex is moved onto the
//! wall within the tangent plane, but not so far that it could meet other vertices; a sheet that touches only
//! walls has its vertex at the corner itself.
//!
//! Where water ends at solids, a sheet may have crossings of both kinds, and walls may meet at an edge. There the vertex is
//! where the planes of its crossings meet, in the least-squares sense (after Ju et al. 2002),
//!
//! ```text
//!   x = m + (Σ n_i n_iᵀ + λI)⁻¹ Σ n_i n_i·(x_i − m),
//! ```
//!
//! between the leaf centers around the corner, so that the waterline is on the wall and in the surface.

use super::crossing::{Crossing, Crossings};
use super::sheets::{ARCS, SHEETS, sides};
use crate::index::{CellId, NodeId};
use crate::octree::{Nodes, Octree};
use glam::{BVec3, DMat3, DVec3};

/// Maximum distance of a vertex from the mean of its crossings, in edges of the smallest adjacent leaf.
const LIFT: f64 = 0.1;

/// The fraction of the distance to the corner by which a vertex is moved. On a curved surface the resulting
/// error grows with its square.
const SLIDE: f64 = 0.2;

/// Maximum distance of a vertex on a wall from the box of leaf centers around its corner, in edges of the
/// smallest of these leaves. The next corner is half an edge away from that box.
const REACH: f64 = 0.4;

/// Limit of sin² of the angle between surface and wall, which corresponds to 18°. At smaller angles the
/// intersection is uncertain, and the vertex is moved only a part of the distance to it.
const FLAT: f64 = 0.1;

/// Crossings whose normals agree less than this with their mean, as a cosine, meet at an edge.
const SHARP: f64 = 0.9;

/// λ per crossing: planes that are nearly parallel do not meet far away.
const STAYS: f64 = 0.02;

/// A vertex of the surface.
#[derive(Clone, Copy)]
pub struct Vertex {
    pub position: DVec3,
    pub normal: DVec3,
    /// The corner that it belongs to, or one close by.
    pub node: NodeId,
    /// What is around it.
    pub at: Beside,
}

/// What is around a vertex: on the waterline there are both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Beside {
    /// Air is around it.
    pub air: bool,
    /// A wall is.
    pub wall: bool,
}

/// Returns the point in the middle of some crossings, and the mean normal there. `h` is the edge of the
/// smallest adjacent leaf.
pub fn amid(crossings: &[Crossing], h: f64) -> Crossing {
    let n = crossings.len().max(1) as f64;
    let mean = crossings.iter().map(|c| c.point).sum::<DVec3>() / n;
    let normal = crossings.iter().map(|c| c.normal).sum::<DVec3>().normalize_or_zero();
    let height = crossings.iter().map(|c| c.normal.dot(c.point - mean)).sum::<f64>() / n;
    let is_wall = crossings.iter().all(|c| c.is_wall);
    Crossing { point: mean + normal * (0.5 * height).clamp(-LIFT * h, LIFT * h), normal, is_wall }
}

/// Pushes the vertices of a corner's sheets.
pub fn place(
    tree: &Octree,
    nodes: &Nodes,
    crossings: &Crossings,
    node: NodeId,
    mask: u8,
    out: &mut Vec<Vertex>,
) {
    let cells = nodes.cells(node);
    let corner = tree.grid().position(nodes.place(node));
    let sheets = &SHEETS[mask as usize];
    for sheet in 0..sheets.count {
        let mut found = [Crossing { point: corner, normal: DVec3::ZERO, is_wall: false }; ARCS];
        let mut n = 0;
        let mut on_wall = BVec3::FALSE;
        let mut wall_normal = DVec3::ZERO;
        for k in (0..ARCS).filter(|&k| sheets.of_arc[k] == sheet) {
            let (low, high) = sides(k);
            let low_is_liquid = mask >> low & 1 == 1;
            let (liquid, air) =
                if low_is_liquid { (cells[low], cells[high]) } else { (cells[high], cells[low]) };
            if air.is_none() {
                on_wall.set(k / 4, true);
                wall_normal[k / 4] += if low_is_liquid { 1.0 } else { -1.0 };
            } else {
                found[n] = crossings.between(liquid, air);
                n += 1;
            }
        }
        let found = &found[..n];
        let at = Beside {
            air: found.iter().any(|c| !c.is_wall),
            wall: on_wall.any() || found.iter().any(|c| c.is_wall),
        };
        let (position, normal) = if n == 0 {
            (corner, wall_normal.normalize_or(DVec3::Y))
        } else if meet_at_an_edge(found) {
            let on_surface = found.iter().filter(|c| !c.is_wall).map(|c| c.normal).sum::<DVec3>();
            let of_all = || found.iter().map(|c| c.normal).sum::<DVec3>().normalize_or(found[0].normal);
            let normal = on_surface.try_normalize().unwrap_or_else(of_all);
            (where_planes_meet(tree, cells, found, corner, on_wall), normal)
        } else {
            let mut middle = amid(found, smallest(tree, cells));
            middle.point += SLIDE * (corner - middle.point).reject_from_normalized(middle.normal);
            let x =
                if on_wall.any() { onto_walls(tree, cells, middle, corner, on_wall) } else { middle.point };
            (x, middle.normal.try_normalize().unwrap_or(found[0].normal))
        };
        out.push(Vertex { position, normal, node, at });
    }
}

/// Returns whether a sheet has an edge at which it meets a solid, or at which solids meet.
fn meet_at_an_edge(found: &[Crossing]) -> bool {
    let mean = found.iter().map(|c| c.normal).sum::<DVec3>().normalize_or_zero();
    found.iter().any(|c| c.is_wall) && found.iter().any(|c| c.normal.dot(mean) < SHARP)
}

/// Returns the point where the planes of crossings and walls meet, between the leaf centers around `corner`.
fn where_planes_meet(
    tree: &Octree,
    cells: &[CellId; 8],
    found: &[Crossing],
    corner: DVec3,
    on_wall: BVec3,
) -> DVec3 {
    let n = found.len() as f64;
    let mean = found.iter().map(|c| c.point).sum::<DVec3>() / n;
    let mean = DVec3::select(on_wall, corner, mean);
    let mut a = DMat3::from_diagonal(DVec3::splat(STAYS * n));
    let mut b = DVec3::ZERO;
    for c in found {
        // Along walls of the domain the point cannot move.
        let free = DVec3::select(on_wall, DVec3::ZERO, c.normal);
        a += DMat3::from_cols(free * free.x, free * free.y, free * free.z);
        b += free * c.normal.dot(c.point - mean);
    }
    let (low, high) = centers_around(tree, cells);
    DVec3::select(on_wall, corner, (mean + a.inverse() * b).clamp(low, high))
}

/// Moves a point to the walls through `corner`, along the tangent plane where this intersects the walls.
fn onto_walls(tree: &Octree, cells: &[CellId; 8], c: Crossing, corner: DVec3, on_wall: BVec3) -> DVec3 {
    let to_wall = DVec3::select(on_wall, corner - c.point, DVec3::ZERO);
    let free = DVec3::select(on_wall, DVec3::ZERO, c.normal);
    let along = free * (c.normal.dot(to_wall) / free.length_squared().max(FLAT));
    let (low, high) = centers_around(tree, cells);
    let reach = DVec3::splat(REACH * smallest(tree, cells));
    DVec3::select(on_wall, corner, (c.point - along).clamp(low - reach, high + reach))
}

/// Returns the box of the leaf centers around a corner.
fn centers_around(tree: &Octree, cells: &[CellId; 8]) -> (DVec3, DVec3) {
    let centers = cells.iter().filter(|c| c.is_some()).map(|&c| tree.center(c));
    centers.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
}

/// Returns the edge of the smallest leaf around a corner.
fn smallest(tree: &Octree, cells: &[CellId; 8]) -> f64 {
    let sizes = cells.iter().filter(|c| c.is_some()).map(|&c| tree.size(c));
    sizes.fold(f64::INFINITY, f64::min)
}
