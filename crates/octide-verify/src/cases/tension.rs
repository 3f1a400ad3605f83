//! Waves that surface tension makes. None of the methods has it yet: the rows wait.

use crate::case::{Article, Case, CaseError, Measured, Quantity};
use crate::limit::Limit;

const TENSION: &str = "surface tension";

pub(super) static DROP_OSCILLATION: Case = Case {
    name: "drop-oscillation",
    title: "Oscillation of a drop",
    summary: "frequency of a drop's second mode, ω₂² = 8σ/(ρR³)",
    article: Article {
        problem: "A drop of radius R without gravity, its surface R(1 + ε P₂(cos θ)) with ε = 5 % or less, is let go.",
        reference: "Rayleigh 1879, an ideal drop in vacuum: ω₂² = 8σ/(ρR³). 1 % at 25 cells a diameter is very good; Gerris has \
            0.16 % in two dimensions.",
        measured: "The frequency from zero crossings of the second mode, at three resolutions, and the amplitude left after five \
            periods.",
    },
    methods: &["octree"],
    quick: true,
    quantities: |_, _| {
        vec![
            Quantity::new("frequency over ω₂, 25 cells a diameter", "")
                .limit(Limit::RelativeError(0.01), "Rayleigh 1879; 1 % is very good")
                .expected(1.0)
                .not_available(TENSION),
            Quantity::new("frequency's error, finest grid over the coarsest", "")
                .limit(Limit::AtMost(1.0), "better with finer cells")
                .not_available(TENSION),
            Quantity::new("amplitude left after five periods", "").expected(1.0).not_available(TENSION),
        ]
    },
    run: nothing,
};

pub(super) static STATIC_DROP: Case = Case {
    name: "static-drop",
    title: "A drop at rest",
    summary: "spurious currents and the pressure jump 2σ/R of a drop at rest",
    article: Article {
        problem: "A drop of diameter D = 2R without gravity is at rest for ten capillary times √(ρD³/σ): once with the exact curvature \
            2/R imposed, once with the one that is computed.",
        reference: "Exact: u = 0, p = 2σ/R (Laplace). With the exact curvature the pressure balances the tension, and |u| stays at the \
            solver's tolerance; with the computed one the speeds are bounded and fall with dx.",
        measured: "max |u| √(ρD/σ), with either curvature; its order over three grids with the computed one; the mean pressure in the \
            drop over 2σ/R.",
    },
    methods: &["octree"],
    quick: true,
    quantities: |_, _| {
        vec![
            Quantity::new("exact curvature: speed times √(ρD/σ)", "")
                .limit(Limit::AtMost(1e-6), "exact: balanced")
                .expected(0.0)
                .not_available(TENSION),
            Quantity::new("computed curvature: speed times √(ρD/σ)", "").expected(0.0).not_available(TENSION),
            Quantity::new("computed curvature: order of the speed", "")
                .limit(Limit::AtLeast(0.0), "the speed falls with dx")
                .not_available(TENSION),
            Quantity::new("pressure over 2σ/R", "").expected(1.0).not_available(TENSION),
        ]
    },
    run: nothing,
};

pub(super) static RAYLEIGH_PLATEAU: Case = Case {
    name: "rayleigh-plateau",
    title: "Breakup of a thread",
    summary: "growth of waves on a thread of water, s² = σ/(ρR³) x(1 − x²) I₁(x)/I₀(x)",
    article: Article {
        problem: "A thread of water of radius R without gravity between two walls, its radius changed by a small cosine along it with the \
            wave number k.",
        reference: "Rayleigh 1878: with x = kR the wave grows as exp(st), s² = σ/(ρR³) x(1 − x²) I₁(x)/I₀(x), fastest at x = 0.697; waves \
            with x > 1 do not grow.",
        measured: "The rate s at several x from the slope of ln a(t) while a is small, and the x of the largest.",
    },
    methods: &["octree"],
    quick: true,
    quantities: |_, _| {
        vec![
            Quantity::new("rate over theory at x = 0.697", "").expected(1.0).not_available(TENSION),
            Quantity::new("x of the fastest growth", "").expected(0.697).not_available(TENSION),
            Quantity::new("rate at x = 1.2 over the largest", "")
                .limit(Limit::AtMost(0.0), "Rayleigh 1878: no growth past x = 1")
                .not_available(TENSION),
        ]
    },
    run: nothing,
};

/// Cases of which nothing is available are not run.
fn nothing(_: &crate::case::Context) -> Result<Measured, CaseError> {
    Err(CaseError::Failed("there is no surface tension".to_owned()))
}
