//! Signed distance to a triangle mesh, d = ± min |x − t|, against the sphere that the mesh approximates.

use glam::DVec3;
use octide_core::geometry::primitives::icosphere;
use octide_core::geometry::{MeshSdf, TriMesh};
use octide_core::par;
use octide_verify::fit::Convergence;
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity};

pub(crate) static CASE: Case = Case {
    name: "mesh-distance",
    title: "Signed distance of a triangle mesh",
    summary: "signed distance of finer and finer icospheres against the exact sphere",
    article: Article {
        problem: "A sphere of radius 0.4 is approximated by triangles: an icosahedron whose faces are divided repeatedly, \
            with all vertices on the sphere. The signed distance to this mesh is evaluated at 30,000 points in the \
            unit cube, half of them within 0.01 of the sphere.",
        reference: "The facets lie between the sphere and the sphere of radius R − s, where s is the largest sagitta, the \
            distance between the plane of a facet and the sphere above it. So the error d − d_exact lies between 0 \
            and s, and s decreases with the square of the facet size. Positions are in single precision, which adds \
            about 6·10⁻⁸ m.",
        measured: "The largest d − d_exact in units of the sagitta, the smallest in meters, the number of wrong signs (at \
            points farther than s from the sphere, where the sign is certain), and the order of the largest error \
            over the number of facets along an edge of the icosahedron.",
    },
    methods: super::methods,
    quick: true,
    quantities,
    run,
};

const CENTER: DVec3 = DVec3::new(0.51, 0.48, 0.53);
const RADIUS: f64 = 0.4;
const POINTS: usize = 30_000;
const SAGITTA: &str = "geometry: facets lie within their sagitta";

fn quantities(_: &str, _: bool) -> Vec<Quantity> {
    vec![
        Quantity::new("wrong signs", "").limit(Limit::AtMost(0.0), "octide-core, MeshSdf: promise"),
        Quantity::new("largest error over the sagitta", "").limit(Limit::AtMost(1.01), SAGITTA).expected(1.0),
        Quantity::new("least error", "m").limit(Limit::AtLeast(-1e-7), SAGITTA),
        Quantity::new("order of the largest error", "").limit(Limit::Within(1.9, 2.1), SAGITTA).expected(2.0),
        Quantity::new("largest error, finest mesh", "m"),
    ]
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let divisions: &[u32] = if context.quick { &[3, 4, 5] } else { &[2, 3, 4, 5, 6, 7] };
    let mut errors = Convergence::new(&["largest (m)", "mean (m)", "sagitta (m)"]);
    let (mut wrong, mut ratio, mut least) = (0, 0.0f64, f64::INFINITY);
    for &k in divisions {
        let mesh = icosphere(CENTER, RADIUS, k);
        context.progress(&format!("{} triangles", mesh.triangles.len()))?;
        let sagitta = sagitta(&mesh);
        let sdf = MeshSdf::new(&mesh).map_err(CaseError::new)?;
        let found = par::map_index(POINTS, |i| {
            let x = point(i as u64);
            (sdf.distance(x), x.distance(CENTER) - RADIUS)
        });
        wrong +=
            found.iter().filter(|(d, exact)| exact.abs() > sagitta && (*d < 0.0) != (*exact < 0.0)).count();
        let off = |i: usize| found[i].0 - found[i].1;
        let largest = par::max(POINTS, off);
        ratio = ratio.max(largest / sagitta);
        least = (0..POINTS).map(off).fold(least, f64::min);
        let mean = par::sum(POINTS, |i| off(i).abs()) / POINTS as f64;
        errors.add(1 << k, 0.5f64.powi(k as i32), &[largest, mean, sagitta]);
    }
    let mut m = Measured::default();
    m.set("wrong signs", wrong as f64);
    m.set("largest error over the sagitta", ratio);
    m.set("least error", least);
    m.set("order of the largest error", errors.order(0));
    m.set("largest error, finest mesh", errors.last(0));
    m.tables.push(errors.table("Errors and orders", "facets an edge"));
    m.plots.push(errors.plot("Error over the number of facets", "facets along an edge", "error (m)", 2.0));
    Ok(m)
}

/// The largest distance from a facet's plane to the sphere above it.
fn sagitta(mesh: &TriMesh) -> f64 {
    par::max(mesh.triangles.len(), |t| {
        let [a, b, c] = mesh.corners(t);
        let normal = (b - a).cross(c - a).normalize();
        RADIUS - normal.dot(a - CENTER)
    })
}

/// Half of the points near the sphere.
fn point(i: u64) -> DVec3 {
    let [x, y, z] = [0, 1, 2].map(|axis| random(3 * i + axis));
    let anywhere = DVec3::new(x, y, z);
    if i.is_multiple_of(2) {
        return anywhere;
    }
    let direction = (anywhere - 0.5).normalize_or(DVec3::X);
    CENTER + (RADIUS + 0.02 * (random(u64::MAX - i) - 0.5)) * direction
}

/// Between 0 and 1, hashed by the finalizer of SplitMix64.
fn random(key: u64) -> f64 {
    let mut h = key.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    h = (h ^ h >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    h = (h ^ h >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((h ^ h >> 31) >> 11) as f64 / (1u64 << 53) as f64
}
