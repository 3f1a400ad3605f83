//! `[camera]` and `[output]`.

use super::time::MAX_FRAMES;
use super::{Allowed, Key, Section};
use crate::scene_file::choices::words;
use crate::scene_file::range::Range;
use octide_core::scene::{Spray, Up, View};

pub static CAMERA: Section = Section::new(
    "[camera]",
    Some("camera"),
    &[
        Key::required("position", Allowed::Vector(Range::ANY), "[1.0, 1.0, 2.0]", "where the camera stands")
            .unit("m"),
        Key::required(
            "target",
            Allowed::Vector(Range::ANY),
            "[0.5, 0.2, 0.5]",
            "the point that it looks at; not `position`",
        )
        .unit("m"),
        Key::with_default("fov", Allowed::Number(Range::within(1.0, 170.0)), "40", "vertical field of view")
            .unit("degrees"),
    ],
)
.read_by_octide();

pub static OUTPUT: Section = Section::new(
    "[output]",
    Some("output"),
    &[
        Key::setting(
            "up",
            Allowed::Word(words::<Up>),
            |s| &mut s.output.up,
            "the axis that points up in files; `\"z\"` writes (x, y, z) as (x, −z, y), as Blender expects",
        ),
        Key::setting(
            "first_frame",
            Allowed::Whole(0, MAX_FRAMES),
            |s| &mut s.output.first_frame,
            "number of frame 0's files",
        ),
        Key::setting(
            "preview",
            Allowed::Flag,
            |s| &mut s.output.preview,
            "whether preview pictures are made during the run",
        ),
        Key::setting(
            "preview_size",
            Allowed::Wholes(2, 16, 8192),
            |s| &mut s.output.preview_size,
            "width and height of the pictures",
        )
        .unit("pixels")
        .remedy("write width and height, for example preview_size = [640, 360]"),
        Key::setting(
            "view",
            Allowed::Word(words::<View>),
            |s| &mut s.output.view,
            "what the pictures show: the water or the smoke, whichever the scene has, or the grid cells",
        ),
        Key::setting("cells", Allowed::Flag, |s| &mut s.output.cells, "whether `cells/NNNN.ply` is written"),
        Key::setting(
            "particles",
            Allowed::Flag,
            |s| &mut s.output.particles,
            "whether `particles/NNNN.ply` is written, beginning with the first frame that has particles",
        ),
        Key::setting(
            "spray",
            Allowed::Word(words::<Spray>),
            |s| &mut s.output.spray,
            "how spray is written: in `particles/NNNN.ply` with the radius of each drop, as balls in the mesh of \
             `surface/NNNN.ply`, for programs that read meshes only, or not at all",
        ),
        Key::setting(
            "volume",
            Allowed::Flag,
            |s| &mut s.output.volume,
            "whether `volume/NNNN.vdb` is written: level set and velocity of water, or density, temperature and \
             velocity of smoke",
        ),
    ],
)
.read_by_octide();
