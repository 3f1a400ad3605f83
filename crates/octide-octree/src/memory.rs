//! How much memory a step takes: see [`octide_core::memory`]. A test of the command compares.

use octide_core::memory::MemoryModel;

/// The method's constants. A cell where there are solids takes corners of the new tree, distances and
/// velocities besides.
pub const MODEL: MemoryModel =
    MemoryModel { base: 12.5e6, state_cell: 200.0, step_cell: 270.0, solid_cell: 240.0, particle: 70.0 };
