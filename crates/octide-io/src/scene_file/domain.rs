//! Reading the size and the resolution of the domain.

use super::keys::{DOMAIN, SCENE};
use super::levels::{cells_along, levels, levels_wished, nearest_resolutions, nearest_sizes};
use super::place::Fault;
use super::table::Table;
use super::tree::Node;
use glam::DVec3;
use octide_core::scene::Domain;
use std::fmt::Display;

/// A tree with fewer levels than this can hardly adapt.
const FEW_LEVELS: u8 = 3;

/// Reads the table `domain` and the number at `resolution`; `origin` is a plain setting.
pub(super) fn read(root: &Node, origin: DVec3, warnings: &mut Vec<Fault>) -> Result<Domain, Fault> {
    let scene = Table::open(root, &SCENE)?;
    let table = Table::open(scene.need("domain")?, &DOMAIN)?;
    let size_node = table.need("size")?;
    let mut size = table.vector("size")?;
    let coarsest = table.count("coarsest")?;
    let resolution = scene.need("resolution")?;
    let n_finest = scene.count("resolution")?;
    let dx = size.max_element() / f64::from(n_finest);

    let n = cells_along(size, n_finest).map_err(|axis| {
        let side = size[axis];
        let at = size_node.list("size").map_or(size_node.at, |sides| sides[axis].at);
        Fault::new(
            at,
            format!(
                "the domain's side along {} is {side} m long, which is {:.2} finest cells and not a whole number of them",
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
                format!("`coarsest` is {coarsest}, but the shortest side has only {shortest} finest cells"),
            )
            .help(format!("write at most {shortest}, or raise `resolution`")));
        }
        // The scene requests finest cells only.
        (Some(0), Some(_)) if shortest / 2 < coarsest => 0,
        (None | Some(0), _) if shortest / 2 < coarsest => {
            let larger = nearest_resolutions(size, n_finest, coarsest, 1);
            let lower = (shortest / 2 > 0).then(|| format!("domain.coarsest = {}", shortest / 2));
            return Err(Fault::new(
                resolution.at,
                format!(
                    "resolution {n_finest} gives {shortest} cells along the shortest side, which is too few for {coarsest} cells \
                     of twice their size"
                ),
            )
            .help(format!(
                "write {}",
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
                    format!("resolution {n_finest} is odd, so coarser cells cannot fill the domain"),
                )
                .help(format!("write resolution = {}", either(resolutions))));
            }
            let at = size_node.list("size").map_or(size_node.at, |sides| sides[axis].at);
            return Err(Fault::new(
                at,
                format!(
                    "the domain's side along {} is {} finest cells long, an odd number, so coarser cells cannot fill it",
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
                "the domain has {} × {} × {} finest cells, so the coarsest cells can be only {} times as large as the \
                 finest",
                n[0],
                n[1],
                n[2],
                1 << levels
            ),
        );
        if !resolutions.is_empty() {
            warning =
                warning.help(format!("coarser cells are possible with resolution = {}", either(resolutions)));
        }
        warnings.push(warning);
    }

    for axis in 0..3 {
        // A side typed with few digits is corrected to a whole number of cells.
        let whole = f64::from(n[axis]) / f64::from(n_finest) * size.max_element();
        if (whole - size[axis]).abs() > 1e-12 * whole {
            size[axis] = whole;
        }
    }
    let domain = Domain { origin, size, resolution: n_finest, levels };
    domain.check_grid().map_err(|error| {
        let message = format!("the domain does not fit into a tree: {error}");
        match table.get("coarsest") {
            Some(node) => Fault::new(node.at, message).help("write a smaller `coarsest`"),
            None => Fault::new(resolution.at, message).help(format!(
                "write resolution = {}",
                either(nearest_resolutions(size, n_finest, coarsest, FEW_LEVELS))
            )),
        }
    })?;
    Ok(domain)
}

fn remedies(sizes: &[f64], resolution: u32, resolutions: &[u32]) -> String {
    let mut text = format!("with resolution = {resolution} this side can be {} m long", either(sizes));
    if !resolutions.is_empty() {
        text += &format!("; it can keep its length with resolution = {}", either(resolutions));
    }
    text
}

fn either<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|x| x.to_string()).collect::<Vec<_>>().join(" or ")
}
