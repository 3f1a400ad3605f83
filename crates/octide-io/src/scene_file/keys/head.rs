//! The keys at the head of a scene file, and the sections.

use super::{
    ADAPTIVITY, Allowed, CAMERA, DOMAIN, INFLOW, Key, LIQUID, NUMERICS, OUTFLOW, OUTPUT, PHYSICS, PROBE,
    SMOKE, SOLID, Section, TIME,
};
use crate::scene_file::levels::MAX_RESOLUTION;
use crate::scene_file::scene::FORMAT;

pub static SCENE: Section = Section::new(
    "the scene",
    Some(""),
    &[
        Key::required("octide", Allowed::Whole(FORMAT, FORMAT), "1", "version of this format; comes first")
            .read_by_octide(),
        Key::optional("name", Allowed::Name, "name of the run's folder")
            .default_in_words("the file's name")
            .read_by_octide(),
        Key::with_default("description", Allowed::Text, "\"\"", "one line about the scene").read_by_octide(),
        Key::optional("method", Allowed::Method, "the method that simulates the scene")
            .default_in_words("the first that simulates the scene's fluid")
            .read_by_octide(),
        Key::required(
            "resolution",
            Allowed::Whole(1, MAX_RESOLUTION as u64),
            "128",
            "finest cells along the longest side of the domain",
        ),
        Key::setting(
            "seed",
            Allowed::Whole(0, i64::MAX as u64),
            |s| &mut s.seed,
            "seed of all random numbers: the same seed gives the same result",
        ),
        Key::required("domain", Allowed::Table(&DOMAIN), "{ size = [1.0, 0.5, 1.0] }", "the simulated box"),
        Key::optional("physics", Allowed::Table(&PHYSICS), "forces and material"),
        Key::optional("time", Allowed::Table(&TIME), "frames and time steps"),
        Key::optional("liquid", Allowed::Tables(&LIQUID), "water at the start"),
        Key::optional("solid", Allowed::Tables(&SOLID), "bodies that the fluid cannot enter"),
        Key::optional("inflow", Allowed::Tables(&INFLOW), "where water comes in"),
        Key::optional("outflow", Allowed::Tables(&OUTFLOW), "where water is taken out"),
        Key::optional("smoke", Allowed::Tables(&SMOKE), "where smoke comes from"),
        Key::optional("probe", Allowed::Tables(&PROBE), "measuring instruments"),
        Key::optional("adaptivity", Allowed::Table(&ADAPTIVITY), "where fine cells go"),
        Key::optional("numerics", Allowed::Table(&NUMERICS), "numerical choices"),
        Key::optional("camera", Allowed::Table(&CAMERA), "the camera of the preview pictures"),
        Key::optional("output", Allowed::Table(&OUTPUT), "which files are written"),
    ],
)
.planned(&["particles", "region", "regions", "force", "forces"]);
