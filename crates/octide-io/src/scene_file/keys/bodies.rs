//! `[[liquid]]`, `[[solid]]`, `[[inflow]]` and `[[outflow]]`.

use super::{Allowed, Combination, Key, MOTION, Section};
use crate::scene_file::range::Range;

/// An example of a shape, for messages.
const A_SHAPE: &str = "{ sphere = { center = [0.5, 0.3, 0.5], radius = 0.1 } }";

/// Returns the key `shape`.
pub const fn shape(meaning: &'static str) -> Key {
    Key::required("shape", Allowed::Shape, A_SHAPE, meaning)
}

/// Returns the key `motion`.
pub const fn motion() -> Key {
    Key::optional("motion", Allowed::Table(&MOTION), "how it moves").default_in_words("it stays at rest")
}

/// Returns the key `start`.
pub const fn start() -> Key {
    Key::with_default("start", Allowed::Number(Range::NOT_NEGATIVE), "0", "when it begins to act").unit("s")
}

/// Returns the key `end`.
pub const fn end() -> Key {
    Key::optional("end", Allowed::Number(Range::POSITIVE), "when it stops; later than `start`")
        .unit("s")
        .default_in_words("the end of the run")
}

pub static LIQUID: Section = Section::new(
    "[[liquid]]",
    Some("liquid"),
    &[
        shape("the region it fills; some of it must lie in the domain"),
        Key::with_default("velocity", Allowed::Vector(Range::ANY), "[0, 0, 0]", "velocity at the start")
            .unit("m/s"),
        Key::with_default(
            "roughness",
            Allowed::Number(Range::NOT_NEGATIVE),
            "0",
            "how far its surface deviates from the shape at the start, as a root mean square: smooth random waves that \
             `seed` decides, from a sixth to half as long as the liquid is wide at its narrowest. A small part of a \
             finest cell lets crowns and sheets break into fingers where they are unstable, not where the grid is",
        )
        .unit("m"),
    ],
)
.planned(&["viscosity", "density", "surface_tension"]);

pub static SOLID: Section = Section::new(
    "[[solid]]",
    Some("solid"),
    &[
        shape("the body in its position at rest"),
        motion(),
        Key::with_default(
            "temperature",
            Allowed::Number(Range::ANY),
            "0",
            "temperature above that of the room; the body heats or cools the air next to it",
        )
        .unit("K")
        .only_smoke(),
    ],
)
.planned(&["friction", "density", "open"]);

pub static INFLOW: Section = Section::new(
    "[[inflow]]",
    Some("inflow"),
    &[
        shape("the nozzle; some of it must lie in the domain and outside solids when it begins to act"),
        Key::optional(
            "velocity",
            Allowed::Vector(Range::ANY),
            "velocity with which water leaves the shape, relative to it and turning with it",
        )
        .unit("m/s")
        .default_in_words("required, unless there is a `flow`"),
        Key::optional(
            "flow",
            Allowed::Number(Range::POSITIVE),
            "volume that leaves the shape, instead of a `velocity`; the water is as fast as it must be",
        )
        .unit("m³/s")
        .default_in_words("what `velocity` gives"),
        Key::optional(
            "direction",
            Allowed::Direction,
            "where the water of a `flow` goes, relative to the shape and turning with it",
        )
        .default_in_words("along gravity"),
        motion(),
        start(),
        end(),
    ],
)
.combination(Combination::ExactlyOne(&[&["velocity"], &["flow"]]));

pub static OUTFLOW: Section = Section::new(
    "[[outflow]]",
    Some("outflow"),
    &[shape("the region that is kept empty; some of it must lie in the domain"), motion(), start(), end()],
);
