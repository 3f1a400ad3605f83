//! `[domain]`.

use super::{Allowed, Key, Section};
use crate::scene_file::choices::words;
use crate::scene_file::levels::MAX_RESOLUTION;
use crate::scene_file::range::Range;
use octide_core::scene::Heading;

pub static DOMAIN: Section = Section::new(
    "[domain]",
    Some("domain"),
    &[
        Key::required(
            "size",
            Allowed::Vector(Range::within(1e-4, 1e6)),
            "[1.0, 0.5, 1.0]",
            "lengths of the sides",
        )
        .unit("m"),
        Key::setting(
            "origin",
            Allowed::Vector(Range::ANY),
            |s| &mut s.domain.origin,
            "the corner with the smallest coordinates",
        )
        .unit("m"),
        Key::with_default(
            "coarsest",
            Allowed::Whole(1, MAX_RESOLUTION as u64),
            "8",
            "smallest number of root cells along the shortest side",
        ),
        Key::setting(
            "open",
            Allowed::Words(words::<Heading>),
            |s| &mut s.open,
            "sides through which the fluid leaves",
        ),
    ],
);
