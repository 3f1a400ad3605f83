//! `[[probe]]`.

use super::{Allowed, Combination, Key, Section};
use crate::scene_file::choices::words;
use crate::scene_file::range::Range;
use octide_core::scene::Heading;

pub static PROBE: Section = Section::new(
    "[[probe]]",
    Some("probe"),
    &[
        Key::required("name", Allowed::Name, "\"wave\"", "name of the probe's columns; each name only once"),
        Key::optional(
            "point",
            Allowed::Vector(Range::ANY),
            "measures pressure and velocity at this point of the domain",
        )
        .unit("m"),
        Key::optional(
            "gauge",
            Allowed::Table(&GAUGE),
            "measures the height of the water over this place on the floor",
        )
        .unit("m"),
        Key::optional(
            "front",
            Allowed::Word(words::<Heading>),
            "measures how far water has come in this direction, which must be horizontal",
        ),
        Key::optional("whole", Allowed::True, "sums over all of the fluid"),
    ],
)
.combination(Combination::ExactlyOne(&[&["point"], &["gauge"], &["front"], &["whole"]]))
.read_by_octide();

pub static GAUGE: Section = Section::new(
    "`gauge`",
    None,
    &[
        Key::optional("x", Allowed::Number(Range::ANY), "").unit("m"),
        Key::optional("y", Allowed::Number(Range::ANY), "").unit("m"),
        Key::optional("z", Allowed::Number(Range::ANY), "").unit("m"),
    ],
)
.combination(Combination::ExactlyOne(&[&["x", "y"], &["x", "z"], &["y", "z"]]))
.read_by_octide();
