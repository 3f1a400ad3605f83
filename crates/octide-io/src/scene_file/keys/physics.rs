//! `[physics]` and its tables for smoke.

use super::{Allowed, Key, Section};
use crate::scene_file::range::Range;

pub static PHYSICS: Section = Section::new(
    "[physics]",
    Some("physics"),
    &[
        Key::setting(
            "gravity",
            Allowed::Vector(Range::ANY),
            |s| &mut s.physics.gravity,
            "acceleration of gravity",
        )
        .unit("m/s²"),
        Key::setting(
            "density",
            Allowed::Number(Range::POSITIVE),
            |s| &mut s.physics.density,
            "mass density of the liquid, or of the air that carries the smoke",
        )
        .unit("kg/m³"),
        Key::setting(
            "surface_tension",
            Allowed::Number(Range::NOT_NEGATIVE),
            |s| &mut s.physics.surface_tension,
            "surface tension σ of the liquid against air; water has 0.072",
        )
        .unit("N/m"),
        Key::setting(
            "adhesion",
            Allowed::Number(Range::NOT_NEGATIVE),
            |s| &mut s.physics.adhesion,
            "suction by which solids hold water before it detaches from them; 0 if water does not stick",
        )
        .unit("Pa"),
        Key::setting(
            "slip",
            Allowed::Number(Range::within(0.0, 1.0)),
            |s| &mut s.physics.slip,
            "fraction of its velocity that water keeps when it has slid along a solid or a side of the domain by its own \
             thickness, at most a cell: 1 if it slides freely, 0 if it sticks",
        ),
        Key::setting(
            "film_viscosity",
            Allowed::Number(Range::NOT_NEGATIVE),
            |s| &mut s.physics.film_viscosity,
            "kinematic viscosity of water in films up to three cells thick on solids and on the sides of the domain, which \
             slows them; 0 turns it off. The default is that of water at 20 °C",
        )
        .unit("m²/s"),
        Key::optional("buoyancy", Allowed::Table(&BUOYANCY), "forces of smoke and heat on the air")
            .only_smoke(),
        Key::setting(
            "confinement",
            Allowed::Number(Range::within(0.0, 10.0)),
            |s| &mut s.physics.confinement,
            "strength ε of vorticity confinement, which restores vortices that the grid damps, in units of \
             √(b H)/L so that it acts alike in slow and in fast scenes; 0 turns it off",
        )
        .only_smoke(),
        Key::optional("half_life", Allowed::Table(&HALF_LIFE), "how fast smoke and its heat fade")
            .only_smoke(),
    ],
)
.planned(&["viscosity"]);

static BUOYANCY: Section = Section::new(
    "[physics.buoyancy]",
    Some("physics.buoyancy"),
    &[
        Key::setting(
            "weight",
            Allowed::Number(Range::NOT_NEGATIVE),
            |s| &mut s.physics.buoyancy.weight,
            "downward acceleration for a smoke density of 1",
        )
        .unit("m/s²")
        .only_smoke(),
        Key::setting(
            "lift",
            Allowed::Number(Range::NOT_NEGATIVE),
            |s| &mut s.physics.buoyancy.lift,
            "upward acceleration for each kelvin above the room's temperature",
        )
        .unit("m/s²/K")
        .default_in_words("\\|gravity\\| / 293.15 K")
        .only_smoke(),
    ],
);

static HALF_LIFE: Section = Section::new(
    "[physics.half_life]",
    Some("physics.half_life"),
    &[
        Key::setting(
            "density",
            Allowed::Number(Range::POSITIVE),
            |s| &mut s.physics.half_life.density,
            "time in which half of the smoke fades",
        )
        .unit("s")
        .default_in_words("it does not fade")
        .only_smoke(),
        Key::setting(
            "temperature",
            Allowed::Number(Range::POSITIVE),
            |s| &mut s.physics.half_life.temperature,
            "time in which half of the heat fades",
        )
        .unit("s")
        .default_in_words("it does not fade")
        .only_smoke(),
    ],
);
