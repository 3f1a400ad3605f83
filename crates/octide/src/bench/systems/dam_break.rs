//! What a step of the built-in scene dam-break asks of a solver, after the water has hit the side walls and
//! while it climbs them in thin sheets.

use super::System;
use crate::errors::Failure;
use octide_core::contract::Method;
use octide_io::scene_file::{LoadOptions, load};
use octide_methods::step_towards;
use octide_octree::OctreeLiquid;

/// Seconds after the start.
const TIME: f64 = 0.35;

/// The pressure system of the step after 0.35 s with `resolution` finest cells along the longest side.
///
/// `each_step` may end it by an error. Where pieces of the water have no contact to air, the right-hand side
/// is made consistent.
pub fn dam_break(
    resolution: u32,
    mut each_step: impl FnMut() -> Result<(), Failure>,
) -> Result<System, Failure> {
    let overrides = vec![("resolution".to_owned(), resolution.to_string())];
    let scene =
        load("dam-break", &LoadOptions::new(octide_methods::ABILITIES).with_overrides(overrides))?.scene;
    let mut liquid = OctreeLiquid::new(&scene);
    loop {
        let arrived = step_towards(&mut liquid, TIME)?.arrived;
        each_step()?;
        if arrived {
            break;
        }
    }
    let failed = |e: &dyn std::fmt::Display| Failure::Simulation(e.to_string());
    let (mesh, system) = liquid.pressure_system(liquid.max_dt()).map_err(|e| failed(&e))?;
    // The smallest cube of 2^l roots a side that the domain fits into is the unit cube.
    let root_level = (mesh.tree.grid().dims().max_element() as u32).next_power_of_two().ilog2() as i32;
    let cells =
        mesh.tree.places(&system.cells).into_iter().map(|[l, i, j, k]| [root_level + l, i, j, k]).collect();
    let mut rhs = system.rhs;
    if let Some(closed) = &system.null_space {
        closed.project(&mut rhs);
    }
    Ok(System { name: format!("dam{resolution}"), matrix: system.matrix, rhs, cells })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_the_cells_of_the_water() {
        let mut n_steps = 0;
        let count = || {
            n_steps += 1;
            Ok(())
        };
        let System { name, matrix, rhs, cells } = dam_break(32, count).unwrap();
        assert_eq!(name, "dam32");
        assert!(n_steps > 20 && matrix.is_symmetric());
        assert!(rhs.len() == matrix.n_rows() && cells.len() == matrix.n_rows());
        assert!(cells.iter().all(|c| c[2] < 1 << (c[0] - 1)), "the tank is half as high as it is long");
        // The pool and the column above it.
        let poured = 0.095 + 0.232 * 0.5064 * (0.432 - 0.095);
        let volume: f64 = cells.iter().map(|c| f64::from(-3 * c[0]).exp2()).sum();
        assert!((volume / poured - 1.0).abs() < 0.1, "{volume} of {poured} m³");
        // The water climbs the side walls, and the finest cells are where the surface is.
        let highest = |side: fn(&[i32; 4]) -> bool| {
            let on_side = cells.iter().filter(|c| side(c));
            on_side.map(|c| (f64::from(c[2]) + 0.5) * f64::from(-c[0]).exp2()).fold(0.0, f64::max)
        };
        assert!(highest(|c| c[3] == 0) > 0.25 && highest(|c| c[1] == (1 << c[0]) - 1) < 0.12);
    }

    #[test]
    fn a_reason_to_stop_is_heard() {
        let stopped = dam_break(32, || Err(Failure::Interrupted("enough".to_owned())));
        assert!(matches!(stopped, Err(Failure::Interrupted(_))));
    }
}
