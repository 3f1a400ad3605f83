//! The motion of a solid.

use super::{Allowed, Combination, Key, ROTATION, Section};
use crate::scene_file::range::Range;

pub static MOTION: Section = Section::new(
    "`motion`",
    None,
    &[
        Key::optional(
            "keyframes",
            Allowed::Tables(&KEYFRAME),
            "a list of poses in order of time; the motion between them is smooth, and the body rests before the first \
             and after the last",
        ),
        Key::optional("orbit", Allowed::Table(&ORBIT), "the pivot circles an axis by the right-hand rule"),
        Key::optional(
            "oscillation",
            Allowed::Table(&OSCILLATION),
            "the body is shifted by `amplitude` · sin(2π t / `period`)",
        ),
        Key::optional(
            "pivot",
            Allowed::Vector(Range::ANY),
            "point of the body about which it rotates and which an orbit moves; only with `keyframes`, or with an \
             `orbit` that is not `turning`",
        )
        .unit("m")
        .default_in_words("the center of the shape's bounding box"),
    ],
)
.combination(Combination::ExactlyOne(&[&["keyframes"], &["orbit"], &["oscillation"]]))
.read_by_octide();

pub static KEYFRAME: Section = Section::new(
    "a keyframe",
    None,
    &[
        Key::required("time", Allowed::Number(Range::ANY), "0.5", "time of the pose").unit("s"),
        Key::with_default(
            "position",
            Allowed::Vector(Range::ANY),
            "[0, 0, 0]",
            "shift from the position at rest",
        )
        .unit("m"),
        Key::optional("rotation", Allowed::Table(&ROTATION), "rotation about the pivot")
            .default_in_words("none"),
    ],
)
.read_by_octide();

pub static ORBIT: Section = Section::new(
    "`orbit`",
    None,
    &[
        Key::required("center", Allowed::Vector(Range::ANY), "[0.5, 0, 0.5]", "a point of the axis")
            .unit("m"),
        Key::required("axis", Allowed::Direction, "[0, 1, 0]", "direction of the axis"),
        Key::required("period", Allowed::Number(Range::POSITIVE), "2.0", "time of one revolution").unit("s"),
        Key::with_default(
            "turning",
            Allowed::Flag,
            "false",
            "whether the body turns with the orbit, as if bolted to a turntable",
        ),
    ],
)
.read_by_octide();

pub static OSCILLATION: Section = Section::new(
    "`oscillation`",
    None,
    &[
        Key::required("amplitude", Allowed::Vector(Range::ANY), "[0.1, 0, 0]", "largest shift").unit("m"),
        Key::required("period", Allowed::Number(Range::POSITIVE), "1.0", "time of one oscillation").unit("s"),
    ],
)
.read_by_octide();
