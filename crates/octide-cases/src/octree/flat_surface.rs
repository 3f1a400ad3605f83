//! A flat surface under gravity along its normal, across T-junctions: the pressure gradient must cancel
//! gravity.
//!
//! u* = −g Δt n on all faces and φ = n·x − d have the answer p = −g Δt φ, u = 0.

use super::poisson::params;
use glam::{DVec3, IVec3};
use octide_core::index::{CellId, FaceId, Field};
use octide_core::octree::{Grading, Octree, RootGrid};
use octide_core::par;
use octide_octree::Params;
use octide_octree::apertures::Apertures;
use octide_octree::mesh::Mesh;
use octide_octree::params::FreeSurface;
use octide_octree::project::project;
use octide_octree::solids::Solids;
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity, Table};

pub(crate) static CASE: Case = Case {
    name: "flat-surface",
    title: "A flat surface across T-junctions",
    summary: "pressure cancels strong gravity along the normal to the last digit",
    article: Article {
        problem: "A box holds liquid with a flat surface. Strong gravity acts along the normal of the surface, once along \
            an axis and once tilted. The grid is finer in a ball that the surface cuts, so that T-junctions meet it. \
            Any velocity that is left after one projection is an error of the pressure gradient.",
        reference: "Ando & Batty 2020, Fig. 16. The exact velocity is zero. Eq. (24) gives it for every direction, eq. (25) \
            where the surface is aligned with an axis, the naive form never. On uniform cells eq. (25) is the \
            ghost-fluid method, which gives it for every direction as well.",
        measured: "The largest velocity left on faces in or at the liquid, relative to gravity times the time step; the \
            largest over four heights of the surface.",
    },
    methods: super::methods,
    quick: true,
    quantities,
    run,
};

const TILTED: DVec3 = DVec3::new(0.3, 0.9, 0.31622776601683794);
const ROUNDING: f64 = 1e-8;
const FIGURE: &str = "Ando & Batty 2020, Fig. 16: exact";

fn quantities(_: &str, _: bool) -> Vec<Quantity> {
    let exact = |name| Quantity::new(name, "").limit(Limit::AtMost(ROUNDING), FIGURE).expected(0.0);
    let wrong = |name| {
        Quantity::new(name, "").limit(Limit::AtLeast(0.1), "Ando & Batty 2020, Fig. 16: wrong in both")
    };
    vec![
        exact("(25), horizontal"),
        Quantity::new("(25), tilted", ""),
        exact("(25), tilted, uniform cells"),
        exact("(24), horizontal"),
        exact("(24), tilted"),
        wrong("naive form, horizontal"),
        wrong("naive form, tilted"),
    ]
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let base = if context.quick { 8 } else { 16 };
    let (graded, equal) = (mesh(base, 2), mesh(base, 0));
    let runs: [(&str, &Mesh, DVec3, FreeSurface); 7] = [
        ("(25), horizontal", &graded, DVec3::Y, FreeSurface::Spd),
        ("(25), tilted", &graded, TILTED, FreeSurface::Spd),
        ("(25), tilted, uniform cells", &equal, TILTED, FreeSurface::Spd),
        ("(24), horizontal", &graded, DVec3::Y, FreeSurface::SecondOrder),
        ("(24), tilted", &graded, TILTED, FreeSurface::SecondOrder),
        ("naive form, horizontal", &graded, DVec3::Y, FreeSurface::FirstOrder),
        ("naive form, tilted", &graded, TILTED, FreeSurface::FirstOrder),
    ];
    let mut m = Measured::default();
    let mut rows = Vec::new();
    for (name, mesh, normal, form) in runs {
        context.progress(name)?;
        let (mut worst, mut cut, mut degenerate) = (0.0f64, 0, 0);
        for height in [0.5, 0.53, 0.5 + 1e-3 / 64.0, 0.58] {
            let left = left(mesh, normal, height, form)?;
            worst = worst.max(left.0);
            cut += left.1;
            degenerate += left.2;
        }
        m.set(name, worst);
        rows.push(vec![
            name.to_owned(),
            octide_verify::number::error(worst),
            cut.to_string(),
            degenerate.to_string(),
        ]);
    }
    let columns = ["", "velocity left", "T-junctions that the surface cuts", "of these without a factor"];
    m.tables.push(Table {
        title: "All heights together".to_owned(),
        columns: columns.map(str::to_owned).to_vec(),
        rows,
    });
    Ok(m)
}

fn mesh(base: i32, levels: u8) -> Mesh {
    let dx = 1.0 / f64::from(base << levels);
    let grid = RootGrid::new(DVec3::ZERO, dx, levels, IVec3::ZERO, IVec3::splat(base), |_| true);
    let ball = DVec3::new(0.45, 0.55, 0.4);
    Mesh::new(Octree::build(&grid, Grading::Graded, |c| c.center.distance(ball) < 0.15 + c.size))
}

/// The largest share of gravity left, how many T-junctions the surface cuts, and how many of these have no
/// factor.
fn left(
    mesh: &Mesh,
    normal: DVec3,
    height: f64,
    form: FreeSurface,
) -> Result<(f64, usize, usize), CaseError> {
    let normal = normal.normalize();
    let apertures = Apertures::within_walls(mesh, &Solids::default());
    let on_axis = DVec3::new(0.5, height, 0.5);
    let phi = par::map(mesh.n_cells(), |c: CellId| normal.dot(mesh.tree.center(c) - on_axis));
    let falling =
        par::map(
            mesh.n_faces(),
            |k: FaceId| {
                if mesh.faces.is_wall(k) { 0.0 } else { -normal[mesh.faces.axis(k)] }
            },
        );
    let none = Field::filled(mesh.n_cells(), 0.0);
    let params = Params { free_surface: form, tolerance: 1e-12, ..params() };
    let out = project(mesh, &phi, &apertures, falling, 0.0, none, &params).map_err(CaseError::new)?;
    let worst = par::max(mesh.n_faces(), |k| {
        let k = FaceId(k as u32);
        if out.valid[k] { out.u[k].abs() } else { 0.0 }
    });
    Ok((worst, out.report.cut_t_faces, out.report.degenerate_t_faces))
}
