//! The JSON schema of scene files, for editors that complete keys and mark mistakes while one types.
//!
//! Every table is named as in messages, by its `title`. A test reads scenes and sees that the keys and words
//! that the reader knows are those of the schema, table by table, so that the two cannot drift apart. What
//! only the whole scene can tell, such as whole numbers of cells, is left to `octide check`.

mod parts;
#[cfg(test)]
mod tests;

use super::levels::MAX_RESOLUTION;
use super::sections::MAX_FRAMES;
use octide_core::contract::Abilities;
use octide_core::geometry::primitives::BUILTIN_MESHES;
use octide_core::scene::Heading;
use parts::{
    a_shape, about, between, choosing, from_to, not_negative, number, positive, several, shapes, table, text,
    vector, vector_of, whole, words, yes_or_no,
};
use serde_json::{Value, json};

/// The schema of scenes for some methods, in draft 7 of JSON Schema, which most editors read.
pub fn schema(methods: &[Abilities]) -> Value {
    let names: Vec<&str> = methods.iter().map(|m| m.name).collect();
    let mut root = scene(&names);
    root["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    root["description"] = json!("A scene of Octide");
    root["definitions"] = json!({ "shape": shape(), "vector": vector_of(number()) });
    root
}

fn scene(methods: &[&str]) -> Value {
    table(
        "the scene",
        &["octide", "resolution", "domain"],
        &[
            ("octide", about("Version of the format", json!({ "type": "integer", "enum": [1] }))),
            ("name", about("Used for the run's folder", text())),
            ("description", about("One line about the scene", text())),
            ("method", words(methods)),
            ("resolution", about("Finest cells along the longest side", whole(1, MAX_RESOLUTION.into()))),
            ("seed", about("Of random numbers", whole(0, i64::MAX as u64))),
            ("domain", domain()),
            ("physics", physics()),
            ("time", time()),
            ("liquid", several(liquid())),
            ("solid", several(solid())),
            ("inflow", several(inflow())),
            ("outflow", several(outflow())),
            ("smoke", several(smoke())),
            ("probe", several(probe())),
            ("adaptivity", adaptivity()),
            ("numerics", numerics()),
            ("camera", camera()),
            ("output", output()),
        ],
    )
}

fn domain() -> Value {
    let sides: Vec<&str> = Heading::ALL.iter().map(|h| h.name()).collect();
    table(
        "[domain]",
        &["size"],
        &[
            ("size", about("Sides in meters", vector_of(from_to(1e-4, 1e6)))),
            ("origin", about("The lowest corner", vector())),
            ("coarsest", about("Root cells along the shortest side", whole(1, MAX_RESOLUTION.into()))),
            (
                "open",
                about(
                    "Sides that let the fluid out",
                    json!({ "type": "array", "items": words(&sides), "uniqueItems": true }),
                ),
            ),
        ],
    )
}

fn physics() -> Value {
    let buoyancy = table(
        "[physics.buoyancy]",
        &[],
        &[
            ("weight", about("In m/s² for a density of 1", not_negative())),
            ("lift", about("In m/s² for a kelvin", not_negative())),
        ],
    );
    let half_life = table(
        "[physics.half_life]",
        &[],
        &[("density", about("In seconds", positive())), ("temperature", about("In seconds", positive()))],
    );
    table(
        "[physics]",
        &[],
        &[
            ("gravity", about("In m/s²", vector())),
            ("density", about("In kg/m³", positive())),
            ("surface_tension", about("In N/m", not_negative())),
            ("buoyancy", buoyancy),
            ("confinement", about("Of smoke's whirls, 0 for none", from_to(0.0, 10.0))),
            ("half_life", half_life),
        ],
    )
}

fn time() -> Value {
    table(
        "[time]",
        &[],
        &[
            ("frames", about("Frames after frame 0", whole(0, MAX_FRAMES.into()))),
            ("fps", about("Frames a second", from_to(1e-3, 1e6))),
            ("cfl", about("Finest cells that water may cross in a step", from_to(0.01, 10.0))),
        ],
    )
}

fn liquid() -> Value {
    table("[[liquid]]", &["shape"], &[("shape", a_shape()), ("velocity", about("In m/s", vector()))])
}

fn solid() -> Value {
    table(
        "[[solid]]",
        &["shape"],
        &[
            ("shape", a_shape()),
            ("motion", motion()),
            ("temperature", about("In K above the air's", number())),
        ],
    )
}

fn inflow() -> Value {
    let [start, end] = span();
    table(
        "[[inflow]]",
        &["shape", "velocity"],
        &[("shape", a_shape()), ("velocity", about("In m/s", vector())), start, end],
    )
}

fn outflow() -> Value {
    let [start, end] = span();
    table("[[outflow]]", &["shape"], &[("shape", a_shape()), start, end])
}

fn smoke() -> Value {
    let [start, end] = span();
    table(
        "[[smoke]]",
        &["shape"],
        &[
            ("shape", a_shape()),
            ("density", about("Dimensionless", not_negative())),
            ("temperature", about("In K above the air's", number())),
            ("velocity", about("In m/s", vector())),
            start,
            end,
            ("puff", about("Let out at once, at start", yes_or_no())),
        ],
    )
}

fn span() -> [(&'static str, Value); 2] {
    [("start", about("In seconds", not_negative())), ("end", about("In seconds", positive()))]
}

fn motion() -> Value {
    let keyframe = table(
        "a keyframe",
        &["time"],
        &[("time", number()), ("position", vector()), ("rotation", rotation("`rotation`"))],
    );
    let orbit = table(
        "`orbit`",
        &["center", "axis", "period"],
        &[("center", vector()), ("axis", vector()), ("period", positive()), ("turning", yes_or_no())],
    );
    let oscillation =
        table("`oscillation`", &["amplitude", "period"], &[("amplitude", vector()), ("period", positive())]);
    let motion = table(
        "`motion`",
        &[],
        &[
            ("keyframes", json!({ "type": "array", "items": keyframe, "minItems": 1 })),
            ("orbit", orbit),
            ("oscillation", oscillation),
            ("pivot", vector()),
        ],
    );
    choosing(motion, true, &[&["keyframes"], &["orbit"], &["oscillation"]])
}

fn rotation(title: &str) -> Value {
    let four = json!({ "type": "array", "items": number(), "minItems": 4, "maxItems": 4 });
    let rotation = table(title, &[], &[("axis", vector()), ("degrees", number()), ("quaternion", four)]);
    choosing(rotation, true, &[&["axis", "degrees"], &["quaternion"]])
}

fn probe() -> Value {
    let sides: Vec<&str> = Heading::ALL.iter().map(|h| h.name()).collect();
    let gauge = table("`gauge`", &[], &[("x", number()), ("y", number()), ("z", number())]);
    let gauge = choosing(gauge, true, &[&["x", "y"], &["x", "z"], &["y", "z"]]);
    let probe = table(
        "[[probe]]",
        &["name"],
        &[
            ("name", about("The head of its columns", text())),
            ("point", about("Values at a point", vector())),
            ("gauge", about("The water's height over a place of the floor", gauge)),
            ("front", about("How far the water has come", words(&sides))),
            ("whole", about("Sums over all water", json!({ "type": "boolean", "enum": [true] }))),
        ],
    );
    choosing(probe, true, &[&["point"], &["gauge"], &["front"], &["whole"]])
}

fn adaptivity() -> Value {
    let region = table(
        "[[adaptivity.region]]",
        &["shape"],
        &[("shape", a_shape()), ("at_most", positive()), ("at_least", positive())],
    );
    let region = choosing(region, false, &[&["at_most"], &["at_least"]]);
    let band = json!({ "type": "array", "items": not_negative(), "minItems": 2, "maxItems": 2 });
    let smoke = table(
        "[adaptivity.smoke]",
        &[],
        &[
            ("solids", about("Finest cells of distance to solids", from_to(0.0, 1000.0))),
            ("vorticity", about("Weight of vorticity", not_negative())),
            ("density", about("Shares of the densest source's density", band)),
        ],
    );
    table(
        "[adaptivity]",
        &[],
        &[
            ("curvature", about("Weight of curvature", not_negative())),
            ("strain", about("Weight of strain", not_negative())),
            ("along_surface", about("Whether cells may grow along the surface", yes_or_no())),
            ("strength", about("0: finest cells everywhere; 1: as large as they may be", from_to(0.0, 1.0))),
            ("dilation", about("Cells of each size beside one another", whole(0, 16))),
            ("decay", about("Share of detail left after decay_time", between(0.0, 1.0))),
            ("decay_time", about("In seconds", positive())),
            ("camera", about("Whether detail follows the camera", yes_or_no())),
            ("smoke", smoke),
            ("region", several(region)),
        ],
    )
}

fn numerics() -> Value {
    table(
        "[numerics]",
        &[],
        &[
            ("free_surface", words(&["spd", "second-order", "first-order"])),
            ("tolerance", between(0.0, 1.0)),
            ("max_iterations", whole(1, 1_000_000)),
            ("volume_correction", words(&["global", "regional", "off"])),
            ("max_volume_drift", positive()),
            ("advection", words(&["semi-lagrangian", "maccormack"])),
            ("interpolation", words(&["fast", "continuous"])),
            ("particles", words(&["where-needed", "band", "off"])),
            ("transfer", words(&["apic", "flip"])),
            ("flip_ratio", from_to(0.0, 1.0)),
            ("gradient_distance", words(&["mean", "large", "small", "euclidean"])),
            ("pressure_solver", words(&["multigrid", "iccg"])),
        ],
    )
}

fn camera() -> Value {
    table(
        "[camera]",
        &["position", "target"],
        &[("position", vector()), ("target", vector()), ("fov", about("In degrees", from_to(1.0, 170.0)))],
    )
}

fn output() -> Value {
    let size = json!({ "type": "array", "items": whole(16, 8192), "minItems": 2, "maxItems": 2 });
    table(
        "[output]",
        &[],
        &[
            ("up", about("The axis that points up in files", words(&["y", "z"]))),
            ("first_frame", about("Number of the first file", whole(0, MAX_FRAMES.into()))),
            ("preview", about("Whether to make pictures", yes_or_no())),
            ("preview_size", about("Width and height in pixels", size)),
            ("view", words(&["water", "smoke", "cells"])),
            ("cells", about("Whether to write cells/NNNN.ply", yes_or_no())),
            ("particles", about("Whether to write particles/NNNN.ply", yes_or_no())),
            ("volume", about("Whether to write volume/NNNN.vdb", yes_or_no())),
        ],
    )
}

/// A table with one key, which names the kind.
fn shape() -> Value {
    let ends = |title: &str| {
        table(
            title,
            &["from", "to", "radius"],
            &[("from", vector()), ("to", vector()), ("radius", positive())],
        )
    };
    let placed = || [("scale", positive()), ("rotate", rotation("`rotate`")), ("translate", vector())];
    let [scale, rotate, translate] = placed();
    let builtin: Vec<&str> = BUILTIN_MESHES.into_iter().collect();
    let mesh = [("path", text()), ("builtin", words(&builtin)), scale, rotate, translate];
    let [scale, rotate, translate] = placed();
    let transform = [("shape", a_shape()), scale, rotate, translate];
    let corners = |title: &str, more: &[&str]| {
        let mut keys = vec![("min", vector()), ("max", vector())];
        keys.extend(more.iter().map(|key| (*key, not_negative())));
        let needed: Vec<&str> = keys.iter().map(|k| k.0).collect();
        table(title, &needed, &keys)
    };
    let round = [("center", vector()), ("radius", positive())];
    let oval = [("center", vector()), ("radii", vector_of(positive()))];
    let ring = [("center", vector()), ("axis", vector()), ("major", positive()), ("minor", positive())];
    let kinds = [
        ("box", corners("`box`", &[])),
        ("rounded-box", corners("`rounded-box`", &["radius"])),
        ("sphere", table("`sphere`", &["center", "radius"], &round)),
        ("ellipsoid", table("`ellipsoid`", &["center", "radii"], &oval)),
        ("cylinder", ends("`cylinder`")),
        ("capsule", ends("`capsule`")),
        ("torus", table("`torus`", &["center", "axis", "major", "minor"], &ring)),
        ("plane", table("`plane`", &["point", "normal"], &[("point", vector()), ("normal", vector())])),
        ("union", shapes()),
        ("intersection", shapes()),
        ("difference", table("`difference`", &["of", "minus"], &[("of", a_shape()), ("minus", shapes())])),
        (
            "smooth-union",
            table("`smooth-union`", &["shapes", "radius"], &[("shapes", shapes()), ("radius", positive())]),
        ),
        ("transform", table("`transform`", &["shape"], &transform)),
        ("mesh", choosing(table("`mesh`", &[], &mesh), true, &[&["path"], &["builtin"]])),
    ];
    let mut shape = table("a shape", &[], &kinds);
    shape["minProperties"] = json!(1);
    shape["maxProperties"] = json!(1);
    shape
}
