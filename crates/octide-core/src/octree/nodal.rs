//! Fields given at corners: trilinear in each leaf, continuous where hanging corners are constrained.

use super::nodes::CellCorners;
use super::tree::Octree;
use crate::index::{CellId, Field, NodeId};
use glam::{DVec3, Vec3};
use std::ops::{Add, Mul, Sub};

/// What can be interpolated.
pub trait Linear: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<f64, Output = Self> {}

impl<T: Copy + Add<Output = T> + Sub<Output = T> + Mul<f64, Output = T>> Linear for T {}

/// A vector, long or short, that is read as a long one.
pub trait Vector: Copy + Send + Sync {
    /// The same vector.
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

/// A field of vectors at a point of `cell`.
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

/// A field of vectors at a point; a point where there is no cell is moved to the nearest one.
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

/// The value at a point; a point where there is no cell is moved to the nearest one.
#[inline]
pub fn sample<T: Linear>(tree: &Octree, nodes: &impl CellCorners, values: &Field<NodeId, T>, p: DVec3) -> T {
    sample_by(tree, nodes, |v| values[v], p)
}

/// The same, with values in a form of their own.
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

/// The leaf nearest to a point, and the place in it, in [0, 1]³, that is nearest.
#[inline]
fn nearest_place(tree: &Octree, p: DVec3) -> (CellId, DVec3) {
    let grid = tree.grid();
    let p = p.clamp(grid.low(), grid.high());
    let cell = tree.nearest_leaf(p);
    let t = (p - tree.center(cell)) / tree.size(cell) + 0.5;
    // In a full box only rounding leads outside; beside an absent root the point may be far from the leaf.
    (cell, if grid.is_full() { t } else { t.clamp(DVec3::ZERO, DVec3::ONE) })
}

/// The value at a point of `cell`: along one axis at a time.
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

/// The value at the place `t` in [0, 1]³ of a cell, from those at its corners.
#[inline]
pub fn trilinear<T: Linear>(corner: impl Fn(usize) -> T, t: DVec3) -> T {
    let x = |c: usize| corner(c) + (corner(c | 1) - corner(c)) * t.x;
    let y = |c: usize| x(c) + (x(c | 2) - x(c)) * t.y;
    y(0) + (y(4) - y(0)) * t.z
}

/// The gradient at the place `t` in [0, 1]³ of a cell of edge `h`, from the values at its corners.
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

/// Where what is at `x` was `dt` ago in the flow of a velocity at corners, by the midpoint rule.
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

/// The same in a velocity that is told for each point.
#[inline]
pub fn trace_back_by(velocity: impl Fn(DVec3) -> DVec3, x: DVec3, dt: f64) -> DVec3 {
    let half = x - 0.5 * dt * velocity(x);
    x - dt * velocity(half)
}
