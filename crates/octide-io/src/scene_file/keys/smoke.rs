//! `[[smoke]]`.

use super::bodies::{end, motion, shape, start};
use super::{Allowed, Key, Section};
use crate::scene_file::range::Range;

pub static SMOKE: Section = Section::new(
    "[[smoke]]",
    Some("smoke"),
    &[
        shape("the source; some of it must lie in the domain and outside solids when it begins to act"),
        Key::with_default(
            "density",
            Allowed::Number(Range::NOT_NEGATIVE),
            "1",
            "density of the smoke in the source, a pure number; 0 for a fan or a heater",
        ),
        Key::with_default(
            "temperature",
            Allowed::Number(Range::ANY),
            "0",
            "temperature in the source above that of the room",
        )
        .unit("K"),
        Key::optional(
            "velocity",
            Allowed::Vector(Range::ANY),
            "velocity of the air in the source, relative to it and turning with it",
        )
        .unit("m/s")
        .default_in_words("that of the flow"),
        motion(),
        start(),
        end(),
        Key::with_default(
            "puff",
            Allowed::Flag,
            "false",
            "whether the source acts only once, at `start`; then it has no `end`",
        ),
    ],
)
.planned(&["color"]);
