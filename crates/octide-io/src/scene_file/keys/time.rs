//! `[time]`.

use super::{Allowed, Key, Section};
use crate::scene_file::range::Range;

/// Maximum frame and file number, so that their sum stays far from overflow.
pub const MAX_FRAMES: u64 = 1_000_000;

pub static TIME: Section = Section::new(
    "[time]",
    Some("time"),
    &[
        Key::setting(
            "frames",
            Allowed::Whole(0, MAX_FRAMES),
            |s| &mut s.time.frames,
            "frames after frame 0; `frames` + 1 are written",
        )
        .read_by_octide(),
        Key::setting("fps", Allowed::Number(Range::within(1e-3, 1e6)), |s| &mut s.time.fps, "frame rate")
            .unit("frames per second")
            .read_by_octide(),
        Key::setting(
            "cfl",
            Allowed::Number(Range::within(0.01, 10.0)),
            |s| &mut s.time.cfl,
            "finest cells that the fastest water or air may cross in a time step",
        ),
    ],
);
