//! Fields sampled at corners: trilinear in each leaf, and continuous if hanging corners are constrained.

use super::nodes::CellCorners;
use super::tree::Octree;
use crate::index::{CellId, Field, NodeId};
use glam::{DVec3, Vec3};
use std::ops::{Add, Mul, Sub};

/// A value that can be interpolated.
pub trait Linear: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<f64, Output = Self> {}

impl<T: Copy + Add<Output = T> + Sub<Output = T> + Mul<f64, Output = T>> Linear for T {}

/// A vector of single or double precision that is read in double precision.
pub trait Vector: Copy + Send + Sync {
    /// Returns the vector in double precision.
    fn long(self) -> DVec3;
}

impl Vector for DVec3 {
    #[inline]
    fn long(self) -> DVec3 {
        self
    }
}

impl Vector for Vec3 {
    #[inline]
    fn long(self) -> DVec3 {
        self.as_dvec3()
    }
}

/// Interpolates a vector field at a point of `cell`.
#[inline]
pub fn vector_in<V: Vector>(
    tree: &Octree,
    nodes: &impl CellCorners,
    values: &Field<NodeId, V>,
    cell: CellId,
    p: DVec3,
) -> DVec3 {
    let t = (p - tree.center(cell)) / tree.size(cell) + 0.5;
    let v = nodes.of_cell(cell);
    trilinear(|c| values[v[c]].long(), t)
}

/// Interpolates a vector field at a point; a point outside all cells is first moved to the nearest cell.
#[inline]
pub fn vector_at<V: Vector>(
    tree: &Octree,
    nodes: &impl CellCorners,
    values: &Field<NodeId, V>,
    p: DVec3,
) -> DVec3 {
    let (cell, t) = nearest_place(tree, p);
    let v = nodes.of_cell(cell);
    trilinear(|c| values[v[c]].long(), t)
}

/// Interpolates a field at a point; a point outside all cells is first moved to the nearest cell.
#[inline]
pub fn sample<T: Linear>(tree: &Octree, nodes: &impl CellCorners, values: &Field<NodeId, T>, p: DVec3) -> T {
    sample_by(tree, nodes, |v| values[v], p)
}

/// Interpolates like [`sample`], with a function that returns the value of a corner.
#[inline]
pub fn sample_by<T: Linear>(
    tree: &Octree,
    nodes: &impl CellCorners,
    value: impl Fn(NodeId) -> T,
    p: DVec3,
) -> T {
    let (cell, t) = nearest_place(tree, p);
    let v = nodes.of_cell(cell);
    trilinear(|c| value(v[c]), t)
}

/// Interpolates like [`sample_by`], with a leaf near the point, which is replaced by the one that the point is in.
#[inline]
pub fn sample_from<T: Linear>(
    tree: &Octree,
    nodes: &impl CellCorners,
    value: impl Fn(NodeId) -> T,
    near: &mut CellId,
    p: DVec3,
) -> T {
    let grid = tree.grid();
    let p = p.clamp(grid.low(), grid.high());
    *near = tree.nearest_leaf_from(*near, p);
    let t = place_in(tree, *near, p);
    let v = nodes.of_cell(*near);
    trilinear(|c| value(v[c]), t)
}

/// Returns the leaf nearest to a point, and the nearest position in it, in [0, 1]³.
#[inline]
fn nearest_place(tree: &Octree, p: DVec3) -> (CellId, DVec3) {
    let grid = tree.grid();
    let p = p.clamp(grid.low(), grid.high());
    let cell = tree.nearest_leaf(p);
    (cell, place_in(tree, cell, p))
}

/// Returns the nearest position in a leaf, in [0, 1]³, for a point that no other leaf is nearer to.
#[inline]
fn place_in(tree: &Octree, cell: CellId, p: DVec3) -> DVec3 {
    let t = (p - tree.center(cell)) / tree.size(cell) + 0.5;
    // In a full box a point is outside only by rounding; beside an absent root it may be far from the leaf.
    if tree.grid().is_full() { t } else { t.clamp(DVec3::ZERO, DVec3::ONE) }
}

/// Interpolates a field at a point of `cell`, one axis at a time.
#[inline]
pub fn sample_in<T: Linear>(
    tree: &Octree,
    nodes: &impl CellCorners,
    values: &Field<NodeId, T>,
    cell: CellId,
    p: DVec3,
) -> T {
    let v = nodes.of_cell(cell);
    trilinear(|c| values[v[c]], tree.place_in(cell, p))
}

#[inline(always)]
fn between<T: Linear>(low: T, high: T, t: f64) -> T {
    low + (high - low) * t
}

/// Interpolates values at the corners of a cell to the position `t` in [0, 1]³.
#[inline]
pub fn trilinear<T: Linear>(corner: impl Fn(usize) -> T, t: DVec3) -> T {
    // Each corner is read once.
    let x = [0, 2, 4, 6].map(|c| between(corner(c), corner(c | 1), t.x));
    let y = [between(x[0], x[1], t.y), between(x[2], x[3], t.y)];
    between(y[0], y[1], t.z)
}

/// Returns the gradient at the position `t` in [0, 1]³ of a cell of edge `h`, from the values at its corners.
#[inline]
pub fn trilinear_gradient(corner: impl Fn(usize) -> f64, t: DVec3, h: f64) -> DVec3 {
    let mut g = DVec3::ZERO;
    for c in 0..8 {
        let value = corner(c);
        let side = |a: usize| if c >> a & 1 == 1 { t[a] } else { 1.0 - t[a] };
        let slope = |a: usize| if c >> a & 1 == 1 { value } else { -value };
        g += DVec3::new(
            slope(0) * side(1) * side(2),
            slope(1) * side(2) * side(0),
            slope(2) * side(0) * side(1),
        );
    }
    g / h
}

/// Traces the point `x` back by `dt` through a velocity at corners, with the midpoint rule.
#[inline]
pub fn trace_back<V: Vector>(
    tree: &Octree,
    nodes: &impl CellCorners,
    velocity: &Field<NodeId, V>,
    x: DVec3,
    dt: f64,
) -> DVec3 {
    trace_back_by(|p| vector_at(tree, nodes, velocity, p), x, dt)
}

/// Traces the point `x` back by `dt` through a velocity given as a function of position.
#[inline]
pub fn trace_back_by(velocity: impl Fn(DVec3) -> DVec3, x: DVec3, dt: f64) -> DVec3 {
    let half = x - 0.5 * dt * velocity(x);
    x - dt * velocity(half)
}
