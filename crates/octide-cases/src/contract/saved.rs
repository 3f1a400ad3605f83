//! A state that is saved and restored continues with the same bytes.

use super::CONTRACT;
use super::scenes::{going, splash, start, take_step};
use crate::expectations;
use crate::methods::water_methods;
use glam::DVec3;
use octide_core::contract::Method;
use octide_core::snapshot::{Column, Snapshot};
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity};

pub(crate) static CASE: Case = Case {
    name: "contract-saved",
    title: "Contract: saved and restored states continue with the same bytes",
    summary: "a splash without interruption, and with its state saved and restored before every step",
    article: Article {
        problem: "A drop falls obliquely into a pool in which a body moves. It runs twice: without interruption, and with \
            the state saved as columns of numbers and restored from them before every step.",
        reference: "Whatever is not in the columns has no influence on the result.",
        measured: "The number of steps after which any bit of the two states differs, or the length that the next step may \
            have.",
    },
    methods: water_methods,
    quick: true,
    quantities: |method, quick| {
        let all = vec![Quantity::new(DIFFER, "").limit(Limit::AtMost(0.0), CONTRACT).expected(0.0)];
        expectations::apply(CASE.name, method, quick, all)
    },
    run,
};

const DIFFER: &str = "steps that differ";

fn run(context: &Context) -> Result<Measured, CaseError> {
    let mut scene = splash(context.method);
    let body = scene.solids.swap_remove(0).shape;
    scene.solids.push(going(body, DVec3::new(-0.1, 0.05, 0.0), 0.1));
    let n_steps = if context.quick { 5 } else { 20 };
    let (mut whole, mut parts) = (start(&scene)?, start(&scene)?);
    let mut differ = 0;
    for i in 0..n_steps {
        context.progress(&format!("step {i}"))?;
        parts = octide_methods::load(&scene, &mut saved(&*parts)).map_err(CaseError::new)?;
        let dt = whole.max_dt();
        let mut is_same = dt.to_bits() == parts.max_dt().to_bits();
        take_step(&mut *whole, dt)?;
        take_step(&mut *parts, dt)?;
        is_same &= bits(&saved(&*whole)) == bits(&saved(&*parts));
        differ += u32::from(!is_same);
    }
    let mut m = Measured::default();
    m.set(DIFFER, f64::from(differ));
    Ok(m)
}

fn saved(sim: &dyn Method) -> Snapshot {
    let mut out = Snapshot::default();
    sim.save(&mut out);
    out
}

/// All columns, bit by bit.
fn bits(snapshot: &Snapshot) -> Vec<(String, Vec<u64>)> {
    let of = |column: &Column| match column {
        Column::U8(v) => v.iter().map(|&x| u64::from(x)).collect(),
        Column::U32(v) => v.iter().map(|&x| u64::from(x)).collect(),
        Column::U64(v) => v.clone(),
        Column::F32(v) => v.iter().map(|x| u64::from(x.to_bits())).collect(),
        Column::F64(v) => v.iter().map(|x| x.to_bits()).collect(),
    };
    snapshot.columns().map(|(name, column)| (name.to_owned(), of(column))).collect()
}
