//! Zalesak's sphere: a ball with a slot, turned once about the middle of the box by u = (y − ½, ½ − x, 0).

use super::tracking::{Cells, Flow, HELPED, carry, gain};
use crate::case::{Article, Case, CaseError, Context, Measured, Quantity};
use crate::limit::Limit;
use crate::number;
use crate::table::Table;
use glam::DVec3;
use octide_core::geometry::Shape;
use std::f64::consts::TAU;

pub(super) static CASE: Case = Case {
    name: "zalesak",
    title: "A slotted ball turned once",
    summary: "Zalesak's sphere: how much of edges and slot is left after a turn",
    article: Article {
        problem: "A ball of radius 0.15 at (0.5, 0.75, 0.5) in the unit cube has a slot 0.05 wide and 0.125 deep (Zalesak 1979, J. \
            Comput. Phys. 31; in three dimensions Enright et al. 2002). It is turned once about the middle of the cube as a \
            rigid body.",
        reference: "The slotted ball at the start. Interface capturing by THINC/QQ (Xie & Xiao, Table 11) on 50³, 100³, 200³: \
            1.19·10⁻³, 4.67·10⁻⁴, 2.51·10⁻⁴; their slot may be of another depth, so the numbers are for orientation. Level sets round \
            off edges; how much is told. A tree that is fine near the surface should be as good as equal cells.",
        measured: "Σ |F − F₀| h³ over cubes of the finest size, F their volume share after the turn, and the relative change of \
            volume; on equal cells and on a tree refined by the distance to the surface, without volume correction; with \
            nodal-octree also with particles on both sides of the surface, 16 of a sign in a cell.",
    },
    methods: &["octree", "nodal-octree"],
    quick: true,
    quantities,
    run,
};

/// Cells a side, THINC/QQ.
const PUBLISHED: [(u32, f64); 3] = [(50, 1.19e-3), (100, 4.67e-4), (200, 2.51e-4)];
const ASKED: &str = "a tree refined by distance within 20 % of equal cells";

const WITH_PARTICLES: &str = "asked of particles at 128³: 3 %";

fn runs(method: &str, quick: bool) -> &'static [(u32, Cells)] {
    use Cells::{Distance, Particles, Uniform};
    match (method, quick) {
        ("nodal-octree", true) => &[(32, Uniform), (32, Distance), (32, Particles)],
        ("nodal-octree", false) => {
            &[(50, Uniform), (50, Distance), (50, Particles), (128, Distance), (128, Particles)]
        }
        (_, true) => &[(32, Uniform), (32, Distance)],
        (_, false) => &[(50, Uniform), (50, Distance), (100, Distance), (200, Distance)],
    }
}

fn pairs(quick: bool) -> &'static [u32] {
    if quick { &[32] } else { &[50] }
}

fn ratio(n: u32) -> String {
    format!("Σ|Δ|dV by distance over that of equal cells, {n}³")
}

fn quantities(method: &str, quick: bool) -> Vec<Quantity> {
    let mut all = Vec::new();
    for &n in pairs(quick) {
        all.push(Quantity::new(ratio(n), "").limit(Limit::Within(0.8, 1.2), ASKED).expected(1.0));
    }
    for (n, cells) in runs(method, quick) {
        all.push(Quantity::new(format!("Σ|Δ|dV, {n}³ {}", cells.text()), ""));
        let mut volume = Quantity::new(format!("volume, {n}³ {}", cells.text()), "%");
        if (*n, *cells) == (128, Cells::Particles) {
            volume = volume.limit(Limit::Within(-3.0, 3.0), WITH_PARTICLES);
        }
        all.push(volume);
        if *cells == Cells::Particles {
            all.push(Quantity::new(gain(*n), "").limit(Limit::AtMost(0.75), HELPED));
        }
    }
    all
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let slot = Shape::Box { min: DVec3::new(0.475, 0.5, 0.3), max: DVec3::new(0.525, 0.725, 0.7) };
    let ball = Shape::Sphere { center: DVec3::new(0.5, 0.75, 0.5), radius: 0.15 };
    let flow = Flow {
        shape: Shape::Difference { of: Box::new(ball), minus: vec![slot] },
        end: TAU,
        speed: 0.5,
        velocity: |x, _| DVec3::new(x.y - 0.5, 0.5 - x.x, 0.0),
    };
    let mut m = Measured::default();
    let (mut rows, mut found) = (Vec::new(), Vec::new());
    for &(n, cells) in runs(context.method, context.quick) {
        let r = carry(context, &flow, n, cells, false)?;
        m.set(format!("Σ|Δ|dV, {n}³ {}", cells.text()), r.difference);
        m.set(format!("volume, {n}³ {}", cells.text()), 100.0 * r.volume);
        rows.push(vec![
            format!("{n}³ {}", cells.text()),
            number::error(r.difference),
            format!("{:+.2}", 100.0 * r.volume),
            r.cells.to_string(),
            r.steps.to_string(),
            number::short(r.seconds),
        ]);
        found.push(((n, cells), r.difference));
    }
    let of = |run| found.iter().find(|f| f.0 == run).map_or(f64::NAN, |f| f.1);
    for &((n, _), with) in found.iter().filter(|f| f.0.1 == Cells::Particles) {
        m.set(gain(n), with / of((n, Cells::Distance)));
    }
    for &n in pairs(context.quick) {
        m.set(ratio(n), of((n, Cells::Distance)) / of((n, Cells::Uniform)));
    }
    for (n, e) in PUBLISHED {
        rows.push(vec![format!("{n}³ THINC/QQ, published"), number::error(e)]);
    }
    rows.iter_mut().for_each(|row| row.resize(6, String::new()));
    let columns = ["", "Σ|Δ|dV", "volume, %", "most cells", "steps", "seconds"];
    let columns = columns.map(str::to_owned).to_vec();
    m.tables.push(Table { title: "After one turn".to_owned(), columns, rows });
    Ok(m)
}
