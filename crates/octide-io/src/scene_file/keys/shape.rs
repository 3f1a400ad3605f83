//! The kinds of shape.

use super::{Allowed, Combination, Key, Section};
use crate::scene_file::range::Range;
use octide_core::geometry::primitives::BUILTIN_MESHES;

const POSITIVE: Allowed = Allowed::Number(Range::POSITIVE);
const NUMBER: Allowed = Allowed::Whole(0, 999_999_999);
const POINT: Allowed = Allowed::Vector(Range::ANY);

const CENTER: Key = Key::required("center", POINT, "[0.5, 0.3, 0.5]", "center");
const RADIUS: Key = Key::required("radius", POSITIVE, "0.1", "radius");
const MIN: Key = Key::required("min", POINT, "[0, 0, 0]", "corner with the smallest coordinates");
const MAX: Key = Key::required("max", POINT, "[1.0, 0.2, 1.0]", "corner with the largest coordinates");
const FROM: Key = Key::required("from", POINT, "[0.5, 0, 0.5]", "center of one end");
const TO: Key = Key::required("to", POINT, "[0.5, 0.4, 0.5]", "center of the other end");
const SHELL: Key = Key::optional(
    "shell",
    Allowed::Flag,
    "true if only the triangles are solid, as walls without thickness: plates, open vessels",
);
const SCALE: Key = Key::with_default("scale", POSITIVE, "1", "factor on the size");
const ROTATE: Key =
    Key::optional("rotate", Allowed::Table(&ROTATION), "rotation about the origin").default_in_words("none");
const TRANSLATE: Key = Key::with_default("translate", POINT, "[0, 0, 0]", "shift");

/// Declares the table of keys of a shape.
const fn part(title: &'static str, keys: &'static [Key]) -> Section {
    Section::new(title, None, keys).read_by_octide()
}

pub static SHAPE: Section = part(
    "a shape",
    &[
        Key::optional("box", Allowed::Table(&BOX), "a box along the axes"),
        Key::optional("rounded-box", Allowed::Table(&ROUNDED_BOX), "a box with rounded edges"),
        Key::optional("sphere", Allowed::Table(&SPHERE), "a sphere"),
        Key::optional("ellipsoid", Allowed::Table(&ELLIPSOID), "an ellipsoid along the axes"),
        Key::optional("cylinder", Allowed::Table(&CYLINDER), "a cylinder with flat ends"),
        Key::optional("capsule", Allowed::Table(&CAPSULE), "a cylinder with round ends"),
        Key::optional("torus", Allowed::Table(&TORUS), "a ring"),
        Key::optional("plane", Allowed::Table(&PLANE), "everything on the side opposite to the normal"),
        Key::optional("union", Allowed::Shapes, "a list of shapes: what lies in any of them"),
        Key::optional("intersection", Allowed::Shapes, "a list of shapes: what lies in all of them"),
        Key::optional("difference", Allowed::Table(&DIFFERENCE), "a shape without others"),
        Key::optional("smooth-union", Allowed::Table(&SMOOTH_UNION), "a union with rounded seams"),
        Key::optional(
            "transform",
            Allowed::Table(&TRANSFORM),
            "a shape that is scaled, rotated and translated, in this order",
        ),
        Key::optional("mesh", Allowed::Table(&MESH), "a closed triangle mesh"),
        Key::optional(
            "mesh-sequence",
            Allowed::Table(&MESH_SEQUENCE),
            "a mesh that deforms, one file per frame; only as the whole shape of a `[[solid]]`",
        ),
    ],
)
.combination(Combination::OneKey);

pub static BOX: Section = part("`box`", &[MIN, MAX]);
pub static ROUNDED_BOX: Section = part(
    "`rounded-box`",
    &[
        MIN,
        MAX,
        Key::required(
            "radius",
            Allowed::Number(Range::NOT_NEGATIVE),
            "0.02",
            "radius of the edges, at most half the shortest side",
        ),
    ],
);
pub static SPHERE: Section = part("`sphere`", &[CENTER, RADIUS]);
pub static ELLIPSOID: Section = part(
    "`ellipsoid`",
    &[
        CENTER,
        Key::required(
            "radii",
            Allowed::Vector(Range::POSITIVE),
            "[0.2, 0.1, 0.1]",
            "semi-axes along x, y and z",
        ),
    ],
);
pub static CYLINDER: Section = part("`cylinder`", &[FROM, TO, RADIUS]);
pub static CAPSULE: Section = part("`capsule`", &[FROM, TO, RADIUS]);
pub static TORUS: Section = part(
    "`torus`",
    &[
        CENTER,
        Key::required("axis", Allowed::Direction, "[0, 1, 0]", "direction through the hole"),
        Key::required("major", POSITIVE, "0.2", "distance from the center to the middle of the tube"),
        Key::required("minor", POSITIVE, "0.05", "radius of the tube, less than `major`"),
    ],
);
pub static PLANE: Section = part(
    "`plane`",
    &[
        Key::required("point", POINT, "[0, 0.2, 0]", "a point of the plane"),
        Key::required("normal", Allowed::Direction, "[0, 1, 0]", "direction that points out of the shape"),
    ],
);
pub static DIFFERENCE: Section = part(
    "`difference`",
    &[
        Key::required("of", Allowed::Shape, "{ box = { … } }", "a shape"),
        Key::required(
            "minus",
            Allowed::Shapes,
            "[ { sphere = { … } } ]",
            "a list of shapes to cut out of it",
        ),
    ],
);
pub static SMOOTH_UNION: Section = part(
    "`smooth-union`",
    &[
        Key::required("shapes", Allowed::Shapes, "[ { … }, { … } ]", "a list of shapes"),
        Key::required("radius", POSITIVE, "0.1", "width over which seams are filled"),
    ],
);
pub static TRANSFORM: Section = part(
    "`transform`",
    &[Key::required("shape", Allowed::Shape, "{ box = { … } }", "a shape"), SCALE, ROTATE, TRANSLATE],
);
pub static MESH: Section = part(
    "`mesh`",
    &[
        Key::optional("path", Allowed::Text, "an OBJ, PLY or STL file"),
        Key::optional(
            "builtin",
            Allowed::Word(|| BUILTIN_MESHES.to_vec()),
            "instead of `path`, a mesh that Octide has",
        ),
        SHELL,
        SCALE,
        ROTATE,
        TRANSLATE,
    ],
)
.combination(Combination::ExactlyOne(&[&["path"], &["builtin"]]));

pub static MESH_SEQUENCE: Section = part(
    "`mesh-sequence`",
    &[
        Key::required(
            "path",
            Allowed::Text,
            "\"body_####.obj\"",
            "OBJ, PLY or STL files, with `####` or `%04d` for the number, which has at least so many digits",
        ),
        Key::optional("first", NUMBER, "number of the first file")
            .default_in_words("the lowest that there is"),
        Key::optional("last", NUMBER, "number of the last file")
            .default_in_words("the highest that there is"),
        Key::optional("fps", POSITIVE, "files per second").default_in_words("`time.fps`"),
        Key::with_default(
            "start",
            Allowed::Number(Range::ANY),
            "0",
            "when the body is what the first file has, in s; it rests before that and after the last file",
        ),
        SHELL,
        SCALE,
        ROTATE,
        TRANSLATE,
    ],
);

pub static ROTATION: Section = part(
    "a rotation",
    &[
        Key::optional("axis", Allowed::Direction, "axis of the rotation, by the right-hand rule"),
        Key::optional("degrees", Allowed::Number(Range::ANY), "angle"),
        Key::optional(
            "quaternion",
            Allowed::Numbers(4, Range::ANY),
            "instead of both, a quaternion x, y, z, w",
        ),
    ],
)
.combination(Combination::ExactlyOne(&[&["axis", "degrees"], &["quaternion"]]));
