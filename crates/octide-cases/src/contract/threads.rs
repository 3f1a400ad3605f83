//! The same bytes on any number of threads.

use super::CONTRACT;
use super::places::centers;
use super::scenes::{advance, splash, start};
use crate::expectations;
use crate::methods::water_methods;
use octide_core::scene::Scene;
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity};

pub(crate) static CASE: Case = Case {
    name: "contract-threads",
    title: "Contract: the same bytes on any number of threads",
    summary: "a splash on 1, 2, 3 and 7 threads",
    article: Article {
        problem: "A drop falls obliquely into a pool with a body in it, on 1, 2, 3 and 7 threads.",
        reference: "Results do not depend on the number of threads.",
        measured: "Runs that differ by any bit from that on one thread: in the surface's vertices, normals, velocities and \
            triangles, the totals, or distance and velocity at the centers of all finest cells.",
    },
    methods: water_methods,
    quick: true,
    quantities: |method, quick| {
        let all = vec![Quantity::new(DIFFER, "").limit(Limit::AtMost(0.0), CONTRACT).expected(0.0)];
        expectations::apply(CASE.name, method, quick, all)
    },
    run,
};

const DIFFER: &str = "runs that differ";

fn run(context: &Context) -> Result<Measured, CaseError> {
    let mut scene = splash(context.method);
    scene.domain.resolution = if context.quick { 32 } else { 64 };
    let end = if context.quick { 0.05 } else { 0.1 };
    let mut runs = Vec::new();
    for n in [1, 2, 3, 7] {
        context.progress(&format!("{n} threads"))?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().map_err(CaseError::new)?;
        runs.push(pool.install(|| bits(&scene, end))?);
    }
    let mut m = Measured::default();
    m.set(DIFFER, runs.iter().filter(|&r| *r != runs[0]).count() as f64);
    Ok(m)
}

/// What a run reports of its steps, and everything that can be seen of it at its end.
fn bits(scene: &Scene, end: f64) -> Result<Vec<u64>, CaseError> {
    let mut sim = start(scene)?;
    let mut bits = Vec::new();
    for r in advance(&mut *sim, end)? {
        let sums = [r.volume, r.volume_in, r.volume_out, r.volume_correction, r.kinetic_energy];
        bits.extend(sums.map(f64::to_bits));
    }
    let surface = sim.frame().surface;
    for v in surface.mesh.positions.iter().chain(&surface.normals).chain(&surface.velocities) {
        bits.extend(v.map(|x| u64::from(x.to_bits())));
    }
    bits.extend(surface.mesh.triangles.iter().flatten().map(|&v| u64::from(v)));
    let t = sim.totals();
    let center = t.center.unwrap_or_default();
    let sums = [t.volume, t.kinetic_energy, t.potential_energy];
    bits.extend(sums.iter().chain(t.momentum.as_ref()).chain(center.as_ref()).map(|x: &f64| x.to_bits()));
    let view = sim.view();
    for x in centers(&scene.domain) {
        let s = view.sample(x);
        bits.push(s.phi.to_bits());
        bits.extend(s.velocity.to_array().map(f64::to_bits));
    }
    Ok(bits)
}
