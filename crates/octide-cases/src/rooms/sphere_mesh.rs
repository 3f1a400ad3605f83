//! The surface mesh of an exact sphere: volume, area, places and normals of the dual contouring of φ = |x −
//! c| − R.

use glam::{DVec3, IVec3};
use octide_core::index::CellId;
use octide_core::octree::{CellBox, Grading, Nodes, Octree, RootGrid};
use octide_core::par;
use octide_core::surface::extract::{Contour, extract};
use octide_verify::fit::Convergence;
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity};
use std::f64::consts::PI;

pub(crate) static CASE: Case = Case {
    name: "sphere-mesh",
    title: "Surface mesh of a sphere across changes of level",
    summary: "volume, area, places and normals of a sphere's surface mesh on an octree with T-junctions",
    article: Article {
        problem: "A sphere of radius 0.31 lies off the center of the unit cube. Its exact signed distance is sampled at \
            the centers of an octree's cells and turned into a closed mesh of triangles.\n\nThe tree is refined around \
            the surface. Octants of the cube alternate between two levels, so that the surface runs across T-junctions \
            along three great circles.",
        reference: "Volume 4/3 π R³, area 4 π R², the sphere itself and its normals are exact. Vertices come \
            from crossings between cell centers that are no farther apart than an edge H of the larger cells. There \
            φ bends by about 1/R, so that even linear interpolation misses the sphere by no more than about \
            H²/(8R). Flat triangles between them are of second order for volume and area.\n\nNormals come from \
            gradients over neighbors, which are of first order where these do not lie evenly, as at T-junctions.",
        measured: "Relative errors of volume and area, the largest distance of a vertex from the sphere, and the mean of \
            |n − n exact| over the vertices, with their orders over all grids by least squares. Each mesh is checked to \
            be closed and manifold.",
    },
    methods: super::methods,
    quick: true,
    quantities,
    run,
};

const CENTER: DVec3 = DVec3::new(0.512, 0.487, 0.531);
const RADIUS: f64 = 0.31;
const FLAT: &str = "flat triangles: second order";
const LINEAR: &str = "linear interpolation or better: second order";

fn quantities(_: &str, _: bool) -> Vec<Quantity> {
    vec![
        Quantity::new("order of the volume", "").limit(Limit::AtLeast(1.8), FLAT).expected(2.0),
        Quantity::new("order of the area", "").limit(Limit::AtLeast(1.8), FLAT).expected(2.0),
        Quantity::new("order of places, largest error", "").limit(Limit::AtLeast(1.8), LINEAR).expected(2.0),
        Quantity::new("order of normals, mean error", "")
            .limit(Limit::AtLeast(0.9), "gradients over uneven neighbors: first order")
            .expected(1.0),
        Quantity::new("largest distance from the sphere over H²/(8R)", "")
            .limit(Limit::AtMost(1.0), "bound of linear interpolation"),
        Quantity::new("meshes that are not closed and manifold", "")
            .limit(Limit::AtMost(0.0), "octide-core, surface::extract: promise"),
        Quantity::new("volume, relative error on the finest grid", ""),
        Quantity::new("area, relative error on the finest grid", ""),
    ]
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let grids: &[u8] = if context.quick { &[5, 6, 7] } else { &[5, 6, 7, 8] };
    let mut errors = Convergence::new(&["volume", "area", "places, largest (m)", "normals, mean"]);
    let (mut worst, mut open) = (0.0f64, 0);
    for &levels in grids {
        let n = 1u32 << levels;
        context.progress(&format!("{n} finest cells a side"))?;
        let mesh = mesh(levels);
        let e = measure(&mesh);
        let h = 2.0 / f64::from(n);
        worst = worst.max(e[2] / (h * h / (8.0 * RADIUS)));
        open += u32::from(!mesh.to_surface(|_, _| DVec3::ZERO).mesh.is_closed_manifold());
        errors.add(n, 1.0 / f64::from(n), &e);
    }
    let mut m = Measured::default();
    for (column, name) in
        ["the volume", "the area", "places, largest error", "normals, mean error"].iter().enumerate()
    {
        m.set(format!("order of {name}"), errors.order(column));
    }
    m.set("largest distance from the sphere over H²/(8R)", worst);
    m.set("meshes that are not closed and manifold", f64::from(open));
    m.set("volume, relative error on the finest grid", errors.last(0));
    m.set("area, relative error on the finest grid", errors.last(1));
    m.tables.push(errors.table("Errors and orders", "finest cells a side"));
    m.plots.push(errors.plot("Errors over resolution", "finest cells a side", "error", 2.0));
    Ok(m)
}

fn mesh(levels: u8) -> Contour {
    let dx = 0.5f64.powi(i32::from(levels));
    let grid = RootGrid::new(DVec3::ZERO, dx, levels, IVec3::ZERO, IVec3::ONE, |_| true);
    let near = |c: &CellBox| (c.center.distance(CENTER) - RADIUS).abs() < 3.0 * c.size;
    let even = |c: &CellBox| c.center.cmpgt(DVec3::splat(0.5)).bitmask().count_ones().is_multiple_of(2);
    let tree = Octree::build(&grid, Grading::Graded, |c| near(c) && (c.level + 1 < levels || even(c)));
    let nodes = Nodes::new(&tree);
    let phi = par::map(tree.n_cells(), |c: CellId| tree.center(c).distance(CENTER) - RADIUS);
    extract(&tree, &nodes, &phi)
}

/// Relative errors of volume and area, the largest distance from the sphere, the mean error of normals.
fn measure(mesh: &Contour) -> [f64; 4] {
    let (mut volume, mut area) = (0.0, 0.0);
    for t in &mesh.triangles {
        let [a, b, c] = t.map(|v| mesh.positions[v as usize] - CENTER);
        volume += a.dot(b.cross(c)) / 6.0;
        area += 0.5 * (b - a).cross(c - a).length();
    }
    let n = mesh.positions.len();
    let off = |i: usize| (mesh.positions[i].distance(CENTER) - RADIUS).abs();
    let turned = |i: usize| mesh.normals[i].distance((mesh.positions[i] - CENTER).normalize());
    [
        (volume / (4.0 / 3.0 * PI * RADIUS.powi(3)) - 1.0).abs(),
        (area / (4.0 * PI * RADIUS * RADIUS) - 1.0).abs(),
        par::max(n, off),
        par::sum(n, turned) / n as f64,
    ]
}
