//! `[adaptivity]`, `[adaptivity.smoke]` and `[[adaptivity.region]]`.

use super::bodies::shape;
use super::{Allowed, Combination, Key, Section};
use crate::scene_file::range::Range;

pub static ADAPTIVITY: Section = Section::new(
    "[adaptivity]",
    Some("adaptivity"),
    &[
        Key::setting(
            "curvature",
            Allowed::Number(Range::NOT_NEGATIVE),
            |s| &mut s.adaptivity.curvature,
            "weight of the surface's curvature",
        ),
        Key::setting(
            "strain",
            Allowed::Number(Range::NOT_NEGATIVE),
            |s| &mut s.adaptivity.strain,
            "weight of the flow's strain rate at the surface",
        ),
        Key::setting(
            "along_surface",
            Allowed::Flag,
            |s| &mut s.adaptivity.along_surface,
            "whether calm, flat parts of the surface may have coarse cells; if false, all cells at the surface are \
             finest cells",
        ),
        Key::setting(
            "strength",
            Allowed::Number(Range::within(0.0, 1.0)),
            |s| &mut s.adaptivity.strength,
            "how much cell sizes may differ: 1 as much as possible, 0 finest cells everywhere",
        )
        .remedy("0 means finest cells everywhere, 1 means cells as coarse as possible"),
        Key::setting(
            "dilation",
            Allowed::Whole(0, 16),
            |s| &mut s.adaptivity.dilation,
            "how often the cells of a level are spread to their neighbors before coarser ones follow; more makes \
             cell sizes change more slowly and takes more cells",
        ),
        Key::setting(
            "decay",
            Allowed::Number(Range::between(0.0, 1.0)),
            |s| &mut s.adaptivity.decay,
            "fraction of a sizing value that is left after `decay_time`",
        )
        .remedy("it is the fraction of a sizing value that is left after `decay_time`; with 1, fine cells would stay forever"),
        Key::setting(
            "decay_time",
            Allowed::Number(Range::POSITIVE),
            |s| &mut s.adaptivity.decay_time,
            "time after which the fraction `decay` of a sizing value is left",
        )
        .unit("s")
        .default_in_words("see below"),
        Key::setting(
            "camera",
            Allowed::Flag,
            |s| &mut s.adaptivity.camera,
            "whether fine cells are limited to what `[camera]` sees, widened by a tenth of the picture",
        ),
        Key::optional("smoke", Allowed::Table(&DETAIL), "where fine cells go in smoke").only_smoke(),
        Key::optional("region", Allowed::Tables(&REGION), "places with bounds on the size of cells"),
    ],
);

static DETAIL: Section = Section::new(
    "[adaptivity.smoke]",
    Some("adaptivity.smoke"),
    &[
        Key::setting(
            "solids",
            Allowed::Number(Range::within(0.0, 1000.0)),
            |s| &mut s.adaptivity.smoke.solids,
            "cells are finest within this many finest cells of a solid; 0 turns it off",
        )
        .only_smoke(),
        Key::setting(
            "vorticity",
            Allowed::Number(Range::NOT_NEGATIVE),
            |s| &mut s.adaptivity.smoke.vorticity,
            "cells are at most max\\|u\\| / (`vorticity` · \\|ω\\|) large, which is about this many cells across a layer \
             in which the velocity changes by the largest speed; 0 turns it off",
        )
        .only_smoke(),
        Key::setting(
            "density",
            Allowed::Numbers(2, Range::NOT_NEGATIVE),
            |s| &mut s.adaptivity.smoke.density,
            "cells are finest where the density is between these two fractions of the densest source's density, the \
             smaller one first: thinner smoke is invisible and denser smoke is hidden behind it; an empty band such \
             as `[0, 0]` turns it off",
        )
        .remedy("write a lower and an upper end, as fractions of the densest source's density: density = [0.1, 0.3]")
        .only_smoke(),
    ],
);

pub static REGION: Section = Section::new(
    "[[adaptivity.region]]",
    Some("adaptivity.region"),
    &[
        shape("the place"),
        Key::optional(
            "at_most",
            Allowed::Number(Range::POSITIVE),
            "all cells that reach into the place, in water and in air, are at most this large",
        )
        .unit("m")
        .default_in_words("no bound"),
        Key::optional(
            "at_least",
            Allowed::Number(Range::POSITIVE),
            "nothing inside the place requests cells smaller than this; not more than `at_most`",
        )
        .unit("m")
        .default_in_words("no bound"),
    ],
)
.combination(Combination::AtLeastOne(&[&["at_most"], &["at_least"]]));
