//! Interpolation across changes of level, §5 and Fig. 17 of Ando & Batty 2020: a linear mode and a
//! trigonometric function, on cells and on faces, by the fast form and by the continuous one.

use glam::{DVec3, IVec3};
use octide_core::index::{CellId, FaceId, Field};
use octide_core::octree::{Grading, Octree, RootGrid};
use octide_core::par;
use octide_core::scene::Interpolation;
use octide_octree::interpolate::{sample_cells, sample_cells_in, sample_faces, sample_faces_in};
use octide_octree::mesh::Mesh;
use octide_verify::fit::{Convergence, norms};
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity};
use std::f64::consts::TAU;

pub(crate) static CASE: Case = Case {
    name: "interpolation",
    title: "Interpolation across changes of level",
    summary: "a linear mode and a trigonometric function between samples on cells and on faces",
    article: Article {
        problem: "Samples of a function are given at the centers of an octree's cells, or of its faces, one for each \
            T-junction. The tree has cells of three sizes around a ball, and all sizes are halved from grid to grid. \
            Values between the samples come from moving least squares: the fast form, with jumps where levels \
            change, or the continuous form.",
        reference: "Figure 17 of Ando & Batty 2020 shows errors of both forms: linear modes are recovered exactly away from \
            boundaries, trigonometric functions show slight jumps with the fast form and none with the continuous \
            one. It gives no numbers. A fit that is exact for linear functions is second order.",
        measured: "The error of the interpolation at points all over the tree, away from walls: root mean square and \
            largest. The jump is the largest difference between the values that two adjacent cells give for the same \
            point between them, over all pairs of which one is at a change of level. The function is sin(2πx) \
            cos(2πy) sin(2πz + 1), of order 1.",
    },
    methods: super::methods,
    quick: true,
    quantities,
    run,
};

const FORMS: [(&str, Interpolation); 2] =
    [("fast", Interpolation::Fast), ("continuous", Interpolation::Continuous)];
const PLACES: [&str; 2] = ["cells", "faces"];
const FIGURE: &str = "Ando & Batty 2020, Fig. 17: linear modes are recovered exactly";
const SECOND: &str = "exact for linear functions: second order";
const REFINEMENT: &str = "1.70 to 1.79 over 32³, 64³ and 128³. Cells are refined by their centers, so that the fraction of \
    large cells still grows with the resolution; by how much was not measured.";
const NO_JUMPS: &str = "Ando & Batty 2020, §5.1: continuous up to rounding";
/// The region without influence of walls: the coarsest cells of the coarsest grid are an eighth.
const INSIDE: (f64, f64) = (0.27, 0.73);

fn quantities(_: &str, _: bool) -> Vec<Quantity> {
    let mut all = Vec::new();
    for (form, interpolation) in FORMS {
        for place in PLACES {
            let name = |what: &str| format!("{form}, {place}: {what}");
            all.push(
                Quantity::new(name("largest error of a linear mode"), "")
                    .limit(Limit::AtMost(1e-10), FIGURE)
                    .expected(0.0),
            );
            all.push(
                Quantity::new(name("order of the mean error"), "")
                    .limit(Limit::AtLeast(1.8), SECOND)
                    .known_to_fail(REFINEMENT)
                    .expected(2.0),
            );
            all.push(Quantity::new(name("order of the largest error"), ""));
            all.push(Quantity::new(name("mean error, finest grid"), ""));
            all.push(Quantity::new(name("largest error, finest grid"), ""));
            let jump = Quantity::new(name("largest jump, all grids"), "");
            all.push(match interpolation {
                Interpolation::Fast => jump,
                Interpolation::Continuous => jump.limit(Limit::AtMost(1e-9), NO_JUMPS).expected(0.0),
            });
        }
    }
    all
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let grids: &[u32] = if context.quick { &[32, 64] } else { &[32, 64, 128] };
    let mut m = Measured::default();
    for (form, interpolation) in FORMS {
        for (i, place) in PLACES.into_iter().enumerate() {
            let on_faces = i == 1;
            let mut errors = Convergence::new(&["mean", "largest", "jump"]);
            let (mut linear, mut jump) = (0.0f64, 0.0f64);
            for &n in grids {
                context.progress(&format!("{form}, {place}, {n} finest cells a side"))?;
                let mesh = mesh(n).with_interpolation(interpolation);
                linear = linear.max(Sampled::new(&mesh, plane, on_faces).errors(5_000).max);
                let wave = Sampled::new(&mesh, wave, on_faces);
                let (e, j) = (wave.errors(40_000), wave.jump());
                jump = jump.max(j);
                errors.add(n, 1.0 / f64::from(n), &[e.l2, e.max, j]);
            }
            let name = |what: &str| format!("{form}, {place}: {what}");
            m.set(name("largest error of a linear mode"), linear);
            m.set(name("order of the mean error"), errors.order(0));
            m.set(name("order of the largest error"), errors.order(1));
            m.set(name("mean error, finest grid"), errors.last(0));
            m.set(name("largest error, finest grid"), errors.last(1));
            m.set(name("largest jump, all grids"), jump);
            let title = format!("The trigonometric function, {form}, {place}: errors and jumps");
            m.tables.push(errors.table(&title, "finest cells a side"));
        }
    }
    Ok(m)
}

fn plane(p: DVec3) -> f64 {
    0.3 + p.dot(DVec3::new(1.0, -2.0, 0.5))
}

fn wave(p: DVec3) -> f64 {
    (TAU * p.x).sin() * (TAU * p.y).cos() * (TAU * p.z + 1.0).sin()
}

/// Three sizes around a ball that is not in the middle, at the same places on every grid: else the share of
/// large cells would change with the grid, and errors with it.
fn mesh(n: u32) -> Mesh {
    let ball = DVec3::new(0.47, 0.53, 0.44);
    let grid =
        RootGrid::new(DVec3::ZERO, 1.0 / f64::from(n), 2, IVec3::ZERO, IVec3::splat(n as i32 / 4), |_| true);
    let apart = |p: DVec3| (p.distance(ball) - 0.2).abs();
    Mesh::new(Octree::build(&grid, Grading::Graded, |c| {
        apart(c.center) < if c.level == 0 { 0.14 } else { 0.05 }
    }))
}

/// A function with its samples.
struct Sampled<'a> {
    mesh: &'a Mesh,
    exact: fn(DVec3) -> f64,
    q: Field<CellId, f64>,
    u: Field<FaceId, f64>,
    on_faces: bool,
}

impl<'a> Sampled<'a> {
    fn new(mesh: &'a Mesh, exact: fn(DVec3) -> f64, on_faces: bool) -> Self {
        let q = par::map(mesh.n_cells(), |c: CellId| exact(mesh.tree.center(c)));
        let u = par::map(mesh.n_faces(), |k: FaceId| exact(mesh.face_position(k)));
        Self { mesh, exact, q, u, on_faces }
    }

    fn axes(&self) -> usize {
        if self.on_faces { 3 } else { 1 }
    }

    /// Norms of the error at points all over the inside.
    fn errors(&self, n: u32) -> octide_verify::fit::Norms {
        let still = DVec3::ZERO;
        norms((0..n).flat_map(|i| {
            let p = DVec3::splat(INSIDE.0) + (INSIDE.1 - INSIDE.0) * spread(f64::from(i));
            (0..self.axes()).map(move |axis| {
                let found = if self.on_faces {
                    sample_faces(self.mesh, &self.u, axis, p, still)
                } else {
                    sample_cells(self.mesh, &self.q, p, still)
                };
                (found - (self.exact)(p), 1.0)
            })
        }))
    }

    /// The largest difference between two cells, four points on each high side of a cell.
    fn jump(&self) -> f64 {
        let tree = &self.mesh.tree;
        let from = |axis: usize, cell: CellId, p: DVec3| {
            if self.on_faces {
                sample_faces_in(self.mesh, &self.u, axis, cell, p)
            } else {
                sample_cells_in(self.mesh, &self.q, cell, p)
            }
        };
        par::max(self.mesh.n_cells(), |i| {
            let cell = CellId(i as u32);
            let (center, size) = (tree.center(cell), tree.size(cell));
            let mut most = 0.0f64;
            for k in 0..12 {
                let side = k % 3;
                let mut p = center + size * (spread((12 * i + k) as f64) - 0.5);
                p[side] = center[side] + 0.5 * size;
                let mut over = p;
                over[side] += 1e-3 * size;
                if p.min_element() < INSIDE.0 || over.max_element() > INSIDE.1 {
                    continue;
                }
                let other = tree.nearest_leaf(over);
                for axis in 0..self.axes() {
                    most = most.max((from(axis, cell, p) - from(axis, other, p)).abs());
                }
            }
            most
        })
    }
}

/// Points that fill the unit cube evenly.
fn spread(i: f64) -> DVec3 {
    (i * DVec3::new(0.754_877_666, 0.569_840_29, 0.430_159_7)).fract()
}
