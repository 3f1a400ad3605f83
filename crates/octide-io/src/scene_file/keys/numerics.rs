//! `[numerics]`.

use super::{Allowed, Key, Section};
use crate::scene_file::choices::words;
use crate::scene_file::range::Range;
use octide_core::scene::{
    Advection, FreeSurface, GradientDistance, Interpolation, PressureSolver, Seeding, VolumeCorrection,
};

pub static NUMERICS: Section = Section::new(
    "[numerics]",
    Some("numerics"),
    &[
        Key::setting(
            "free_surface",
            Allowed::Word(words::<FreeSurface>),
            |s| &mut s.numerics.free_surface,
            "pressure boundary condition at the free surface where cell sizes change: `\"spd\"` is symmetric, fast and \
             of first order there; `\"second-order\"` is of second order and not symmetric; `\"first-order\"` is naive, \
             for comparisons",
        ),
        Key::setting(
            "tolerance",
            Allowed::Number(Range::between(0.0, 1.0)),
            |s| &mut s.numerics.tolerance,
            "relative residual at which the pressure solve stops",
        ),
        Key::setting(
            "max_iterations",
            Allowed::Whole(1, 1_000_000),
            |s| &mut s.numerics.max_iterations,
            "iterations after which the pressure solve has failed",
        ),
        Key::setting(
            "volume_correction",
            Allowed::Word(words::<VolumeCorrection>),
            |s| &mut s.numerics.volume_correction,
            "how volume is kept: `local` gives every cell a volume of water that only the flow changes; `regional` and \
             `global` restore what each connected body of water, or all water, has lost; `auto` is what the method does best, \
             see below",
        ),
        Key::setting(
            "max_volume_drift",
            Allowed::Number(Range::POSITIVE),
            |s| &mut s.numerics.max_volume_drift,
            "drift of the volume at which the run fails, relative to the largest volume that there should have been",
        ),
        Key::setting(
            "advection",
            Allowed::Word(words::<Advection>),
            |s| &mut s.numerics.advection,
            "how velocity is advected; MacCormack keeps more of the vortices under water and takes longer",
        ),
        Key::setting(
            "interpolation",
            Allowed::Word(words::<Interpolation>),
            |s| &mut s.numerics.interpolation,
            "interpolation where cell sizes change: fast with small jumps, or continuous",
        ),
        Key::setting(
            "particles",
            Allowed::Word(words::<Seeding>),
            |s| &mut s.numerics.particles,
            "which of the finest cells below the surface have particles: those where the flow needs them, all of them, \
             or none",
        ),
        Key::setting(
            "transfer",
            Allowed::Word(|| vec!["apic", "flip"]),
            |s| &mut s.numerics.transfer,
            "how particles take their velocity from the grid: its value and gradient (APIC), or its change (FLIP)",
        ),
        Key::with_default(
            "flip_ratio",
            Allowed::Number(Range::within(0.0, 1.0)),
            "0.98",
            "with `\"flip\"`, the fraction of a particle's own velocity that is kept; the rest is the grid's",
        ),
        Key::setting(
            "gradient_distance",
            Allowed::Word(words::<GradientDistance>),
            |s| &mut s.numerics.gradient_distance,
            "distance by which the pressure difference between cells of unequal size is divided: the mean of both \
             edges, the larger one, the smaller one, or the distance of the centers",
        ),
        Key::setting(
            "pressure_solver",
            Allowed::Word(words::<PressureSolver>),
            |s| &mut s.numerics.pressure_solver,
            "preconditioner of the conjugate gradients that solve for the pressure: multigrid, or an incomplete Cholesky \
             factorization",
        ),
    ],
);
