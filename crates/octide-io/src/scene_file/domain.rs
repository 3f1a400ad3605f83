//! The domain's box and its resolution.

use super::flows;
use super::levels::{MAX_RESOLUTION, cells_along, levels, levels_wished, nearest_resolutions, nearest_sizes};
use super::place::Fault;
use super::table::{Keys, Range, Table};
use super::tree::Node;
use glam::DVec3;
use octide_core::scene::{Domain, OpenSides};
use std::fmt::Display;

const KEYS: Keys = Keys::only(&["size", "origin", "coarsest", "open"]);

/// Root cells along the shortest side where the scene does not say.
const COARSEST: u32 = 8;

/// Levels below which a tree is hardly one.
const FEW_LEVELS: u8 = 3;

/// Reads the table `domain` and the number at `resolution`.
pub(super) fn read(node: &Node, resolution: &Node, warnings: &mut Vec<Fault>) -> Result<Domain, Fault> {
    let table = Table::open(node, "[domain]", &KEYS)?;
    let size_node = table.need("size", "[1.0, 0.5, 1.0]")?;
    let mut size = size_node.vector("size", Range::within(1e-4, 1e6))?;
    let origin = table.vector_or("origin", DVec3::ZERO)?;
    let coarsest = table.count_or("coarsest", (1, MAX_RESOLUTION), COARSEST)?;
    let n_finest = resolution.count("resolution", (1, MAX_RESOLUTION))?;
    let dx = size.max_element() / f64::from(n_finest);

    let n = cells_along(size, n_finest).map_err(|axis| {
        let side = size[axis];
        let at = size_node.list("size").map_or(size_node.at, |sides| sides[axis].at);
        Fault::new(
            at,
            format!(
                "side {} of the domain is {side} m, which is {:.2} of the finest cells, not a whole number",
                ["x", "y", "z"][axis],
                side / dx
            ),
        )
        .help(remedies(
            &nearest_sizes(side, dx, coarsest),
            n_finest,
            &nearest_resolutions(size, n_finest, coarsest, 1),
        ))
    })?;

    let shortest = n[0].min(n[1]).min(n[2]);
    let found = levels(n, coarsest);
    let levels = match (found, table.get("coarsest")) {
        (None, Some(node)) => {
            return Err(Fault::new(
                node.at,
                format!(
                    "`coarsest` is {coarsest}, but the shortest side has only {shortest} of the finest cells"
                ),
            )
            .help(format!("take at most {shortest}, or a larger resolution")));
        }
        // Asked for in so many words: no cells but the finest.
        (Some(0), Some(_)) if shortest / 2 < coarsest => 0,
        (None | Some(0), _) if shortest / 2 < coarsest => {
            let larger = nearest_resolutions(size, n_finest, coarsest, 1);
            let lower = (shortest / 2 > 0).then(|| format!("domain.coarsest = {}", shortest / 2));
            return Err(Fault::new(
                resolution.at,
                format!(
                    "resolution {n_finest} leaves {shortest} cells along the shortest side, where {coarsest} cells of twice \
                     their size do not fit"
                ),
            )
            .help(format!(
                "take {}",
                either(larger.iter().map(|r| format!("resolution = {r}")).chain(lower))
            )));
        }
        (None | Some(0), _) => {
            // Some side is odd: cells of twice the size do not fill it.
            let axis = (0..3).find(|&a| n[a] % 2 == 1).unwrap_or(0);
            let resolutions = nearest_resolutions(size, n_finest, coarsest, 1);
            if n_finest % 2 == 1 {
                return Err(Fault::new(
                    resolution.at,
                    format!("resolution {n_finest} is odd, so that coarser cells cannot fill the domain"),
                )
                .help(format!("take resolution = {}", either(resolutions))));
            }
            let at = size_node.list("size").map_or(size_node.at, |sides| sides[axis].at);
            return Err(Fault::new(
                at,
                format!(
                    "side {} of the domain is {} finest cells, an odd number, so that coarser cells cannot fill it",
                    ["x", "y", "z"][axis],
                    n[axis]
                ),
            )
            .help(remedies(&nearest_sizes(size[axis], dx, coarsest), n_finest, &resolutions)));
        }
        (Some(l), _) => l,
    };

    let wished = levels_wished(n, coarsest).min(FEW_LEVELS);
    if levels < wished {
        let resolutions = nearest_resolutions(size, n_finest, coarsest, wished);
        let mut warning = Fault::new(
            resolution.at,
            format!(
                "the domain is {} × {} × {} finest cells, which allows coarser cells of only {} times the finest \
                 size",
                n[0],
                n[1],
                n[2],
                1 << levels
            ),
        );
        if !resolutions.is_empty() {
            warning =
                warning.help(format!("more would be possible with resolution = {}", either(resolutions)));
        }
        warnings.push(warning);
    }

    for axis in 0..3 {
        // A side typed with few digits becomes the whole number of cells that it means.
        let whole = f64::from(n[axis]) / f64::from(n_finest) * size.max_element();
        if (whole - size[axis]).abs() > 1e-12 * whole {
            size[axis] = whole;
        }
    }
    let domain = Domain { origin, size, resolution: n_finest, levels };
    domain.check_grid().map_err(|error| {
        let message = format!("the domain does not fit into a tree: {error}");
        match table.get("coarsest") {
            Some(node) => Fault::new(node.at, message).help("take a smaller `coarsest`"),
            None => Fault::new(resolution.at, message).help(format!(
                "take resolution = {}",
                either(nearest_resolutions(size, n_finest, coarsest, FEW_LEVELS))
            )),
        }
    })?;
    Ok(domain)
}

/// The sides of the table `domain` that are open.
pub(super) fn open(node: &Node) -> Result<OpenSides, Fault> {
    flows::open(Table::open(node, "[domain]", &KEYS)?.get("open"))
}

fn remedies(sizes: &[f64], resolution: u32, resolutions: &[u32]) -> String {
    let mut text = format!("the nearest that works at resolution {resolution} is {}", either(sizes));
    if !resolutions.is_empty() {
        text += &format!("; this size works with resolution = {}", either(resolutions));
    }
    text
}

fn either<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|x| x.to_string()).collect::<Vec<_>>().join(" or ")
}
