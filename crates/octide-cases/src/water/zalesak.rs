//! Zalesak's sphere: a ball with a slot, turned once about the middle of the box by u = (y − ½, ½ − x, 0).

use super::tracking::{Cells, Flow, Volume, advect_with, gain};
use crate::expectations;
use crate::methods::water_methods;
use glam::DVec3;
use octide_core::geometry::Shape;
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity, Table, number};
use std::f64::consts::TAU;

pub(crate) static CASE: Case = Case {
    name: "zalesak",
    title: "Rotation of a slotted ball",
    summary: "Zalesak's sphere: what is left of its edges and slot after one rotation",
    article: Article {
        problem: "A ball of radius 0.15 at (0.5, 0.75, 0.5) in the unit cube has a slot 0.05 wide and 0.125 deep (Zalesak \
            1979, J. Comput. Phys. 31; in three dimensions Enright et al. 2002). It rotates once about the center of the \
            cube as a rigid body.",
        reference: "The slotted ball at the start. Interface capturing by THINC/QQ (Xie & Xiao, Table 11) on 50³, 100³, 200³: \
            1.19·10⁻³, 4.67·10⁻⁴, 2.51·10⁻⁴; their slot may have another depth, so the numbers are only for orientation. Level \
            sets round off edges; by how much is reported. A tree that is fine near the surface should be as accurate as \
            uniform cells.",
        measured: "Σ |F − F₀| h³ over cubes of the finest size, where F is their volume fraction after the rotation, and the \
            relative change of the volume; on uniform cells and on a tree refined by the distance to the surface, without \
            volume correction; with methods that have them, also with particles in the band around the surface. For volume that is kept \
            cell by cell F is also the content of a cell over its volume; wisps of it leave the cube with the rotation, whose \
            velocity is not along its sides.",
    },
    methods: water_methods,
    quick: true,
    quantities,
    run,
};

/// Cells a side, THINC/QQ.
const PUBLISHED: [(u32, f64); 3] = [(50, 1.19e-3), (100, 4.67e-4), (200, 2.51e-4)];
const REQUIRED: &str = "a tree refined by distance within 20 % of uniform cells";

/// Cells along a side, where they are, and how volume is kept.
pub(crate) type Run = (u32, Cells, Volume);

fn runs(method: &str, quick: bool) -> Vec<Run> {
    (expectations::of(method).zalesak_runs)(quick)
}

/// Returns the numbers of cells for which there are runs of both kinds.
fn pairs(runs: &[Run], first: Cells, second: Cells) -> Vec<u32> {
    let of_first = runs.iter().filter(|r| r.1 == first && r.2 == Volume::Free).map(|r| r.0);
    of_first.filter(|&n| runs.contains(&(n, second, Volume::Free))).collect()
}

fn name((n, cells, volume): Run, what: &str) -> String {
    format!("{what}, {n}³ {}{}", cells.text(), volume.text())
}

/// What is measured of the water that is kept cell by cell.
const KEPT: [&str; 2] = ["Σ|Δ|dV of contents", "ΣF over that of the start, less 1"];

fn ratio(n: u32) -> String {
    format!("Σ|Δ|dV by distance over that of uniform cells, {n}³")
}

fn quantities(method: &str, quick: bool) -> Vec<Quantity> {
    let runs = runs(method, quick);
    let mut all = Vec::new();
    for n in pairs(&runs, Cells::Uniform, Cells::Distance) {
        all.push(Quantity::new(ratio(n), "").limit(Limit::Within(0.8, 1.2), REQUIRED).expected(1.0));
    }
    for &run in &runs {
        all.push(Quantity::new(name(run, "Σ|Δ|dV"), ""));
        all.push(Quantity::new(name(run, "volume"), "%"));
        if run.2 == Volume::Kept {
            let q = Quantity::new(name(run, KEPT[0]), "").expected(0.0);
            let published = PUBLISHED.iter().find(|p| p.0 == run.0);
            all.push(match published {
                Some(p) => q.limit(Limit::AtMost(p.1), "THINC/QQ: Xie & Xiao, Table 11"),
                None => q,
            });
            // The rotation goes through the sides of the cube, and wisps of water in the air go along.
            all.push(Quantity::new(name(run, KEPT[1]), "").expected(0.0));
        }
    }
    let with_particles = pairs(&runs, Cells::Particles, Cells::Distance);
    all.extend(with_particles.into_iter().map(|n| Quantity::new(gain(n), "")));
    expectations::apply(CASE.name, method, quick, all)
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
    let runs = runs(context.method, context.quick);
    for &run in &runs {
        let (n, cells, volume) = run;
        let r = advect_with(context, &flow, n, cells, volume)?;
        m.set(name(run, "Σ|Δ|dV"), r.difference);
        m.set(name(run, "volume"), 100.0 * r.volume);
        if let Some(kept) = r.kept {
            KEPT.iter().zip(kept).for_each(|(what, value)| m.set(name(run, what), value));
        }
        rows.push(vec![
            format!("{n}³ {}{}", cells.text(), volume.text()),
            number::error(r.difference),
            format!("{:+.2}", 100.0 * r.volume),
            r.kept.map_or_else(String::new, |kept| number::error(kept[0])),
            r.cells.to_string(),
            r.steps.to_string(),
            number::short(r.seconds),
        ]);
        found.push((run, r.difference));
    }
    let of = |run| found.iter().find(|f| f.0 == run).map_or(f64::NAN, |f| f.1);
    for n in pairs(&runs, Cells::Particles, Cells::Distance) {
        m.set(gain(n), of((n, Cells::Particles, Volume::Free)) / of((n, Cells::Distance, Volume::Free)));
    }
    for n in pairs(&runs, Cells::Uniform, Cells::Distance) {
        m.set(ratio(n), of((n, Cells::Distance, Volume::Free)) / of((n, Cells::Uniform, Volume::Free)));
    }
    for (n, e) in PUBLISHED {
        rows.push(vec![format!("{n}³ THINC/QQ, published"), number::error(e)]);
    }
    rows.iter_mut().for_each(|row| row.resize(7, String::new()));
    let columns = ["", "Σ|Δ|dV", "volume, %", "Σ|Δ|dV of contents", "most cells", "steps", "seconds"];
    let columns = columns.map(str::to_owned).to_vec();
    m.tables.push(Table { title: "After one rotation".to_owned(), columns, rows });
    Ok(m)
}
